"""The steward's rounds: what `steward` decides is found, rehearsed, done, recorded and taken back here."""
