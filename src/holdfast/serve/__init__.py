"""Doors: each maps a protocol to the verbs of the engine; no rule stands in one."""
