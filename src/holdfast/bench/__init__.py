"""Measuring on anybody's own data, by the same public verbs an application uses."""
