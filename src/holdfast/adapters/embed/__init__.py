"""Embedders: the offline default, and a hashing one for tests."""
