"""Engines, one folder each. Only `wire` knows them."""
