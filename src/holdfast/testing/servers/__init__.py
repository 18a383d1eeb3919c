"""Real servers for tests and measurements: started where they are needed, gone with whoever started them.

One file a server. Each is a `Server` (process.py) that knows its program and how to ask whether it is ready;
`guard.py` runs it and ends it, files and all, when the process that asked for it ends, however it ends.
Nothing here imports pytest: `tests/conftest.py` makes fixtures of it, `bench` uses it as it is.
"""

from __future__ import annotations
