"""Numbers of the engine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """Times are in seconds. `partitions` counts once, when the tables are made."""

    patience: float = 60.0  # how long a call waits for other writers before it says Unavailable
    reach: float = 10.0  # how long it tries to reach the server
    connections: int = 10
    partitions: int = 16
