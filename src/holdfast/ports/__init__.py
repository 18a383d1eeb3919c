"""What the engine asks of the outside: one Protocol a file, its contract in the docstring."""
