"""Measurements. `make bench` runs them all, `python -m bench startup` one of them."""
