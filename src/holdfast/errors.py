"""Every error Holdfast raises, each raised somewhere, each with its way out.

HoldfastError
├── InvalidInput (ValueError)        what was handed in is wrong: names the field and what would be right
│   └── ProfileError                 a profile file has an unknown key or a value out of range
├── NotFound (LookupError)           there is no memory, change, capture or job with that id
│   └── UnknownSpace                 no space has that name; `near` holds similar names
├── Forbidden (PermissionError)      the actor lacks the right; the attempt is in the ledger
├── IllegalChange                    the table of statuses knows no such change
├── StaleWrite                       the space changed since it was read; decide again
├── Unavailable                      an engine, embedder, judge or lock cannot be reached now
└── StoreError                       the truth cannot be read or written
    ├── Damaged                      a file is not what it should be
    └── NewerSchema                  the file was written by a newer Holdfast
"""

from __future__ import annotations


class HoldfastError(Exception):
    """The root: `except HoldfastError` catches all that Holdfast raises on purpose."""


class InvalidInput(HoldfastError, ValueError):
    """A value handed in is wrong; the message names the field and the way out."""

    def __init__(self, field: str, problem: str, way_out: str = "") -> None:
        self.field = field
        self.problem = problem
        self.way_out = way_out
        super().__init__(f"{field}: {problem}" + (f"; {way_out}" if way_out else ""))

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        return type(self), (self.field, self.problem, self.way_out)


class ProfileError(InvalidInput):
    """A profile has a key nobody reads or a value out of range."""


class NotFound(HoldfastError, LookupError):
    """Nothing has that id in this space."""


class UnknownSpace(NotFound):
    """No space has that name; `near` are similar ones."""

    def __init__(self, name: str, near: tuple[str, ...] = ()) -> None:
        self.name = name
        self.near = near
        hint = f"did you mean {', '.join(near)}?" if near else "create it with a profile, or list the spaces"
        super().__init__(f"there is no space named {name!r}; {hint}")

    def __reduce__(self) -> tuple[type, tuple[str, tuple[str, ...]]]:
        return type(self), (self.name, self.near)


class Forbidden(HoldfastError, PermissionError):
    """The actor lacks the right. The attempt is recorded."""


class IllegalChange(HoldfastError):
    """A status may not become that status."""


class StaleWrite(HoldfastError):
    """What a plan relied on has changed since; nothing of it was written."""


class Unavailable(HoldfastError):
    """Something needed cannot be reached now; trying later may help."""


class StoreError(HoldfastError):
    """The truth cannot be read or written: a full disk, a read-only directory, a broken file."""


class Damaged(StoreError):
    """A file is not what it should be."""


class NewerSchema(StoreError):
    """The file was written by a newer Holdfast than this one."""
