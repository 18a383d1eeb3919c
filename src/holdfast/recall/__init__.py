"""The way out: gather (several arms look at once), rank, pack, explain; and `image`, the space in memory."""
