"""`holdfast constitution`: what is always there, and its three confirmations."""

from __future__ import annotations

import typer

app = typer.Typer(help="What stands in every context; each change takes three confirmations.")
