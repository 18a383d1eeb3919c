"""What the server or the way to it says, as one of Holdfast's errors: the only place where it is mapped."""

from __future__ import annotations

import psycopg

from holdfast.errors import Damaged, HoldfastError, InvalidInput, StoreError, Unavailable

_BUSY = "the database is busy: others kept what this call needs for longer than it waits; try again ({error})"
_AWAY = "the database cannot be reached: see that the server runs and takes connections ({error})"
_FULL = "no room is left on the database server; free some and do it again, nothing was written ({error})"
_RIGHTS = "the database refuses this user; grant it what the guide says, or connect as the owner ({error})"
_TABLES = "the tables of Holdfast are not what this program knows; connect once as the owner ({error})"
_DAMAGED = "the database is damaged; restore it from a backup ({error})"
_READ_ONLY = "the database may not be written: it is a standby, or read-only; name the primary ({error})"
_OTHER = "the database says: {error}"

# By SQLSTATE, the longest beginning first; what is not here is told as it is.
_TOLD: tuple[tuple[str, type[HoldfastError], str], ...] = (
    ("55P03", Unavailable, _BUSY),
    ("57014", Unavailable, _BUSY),
    ("40", Unavailable, _BUSY),
    ("08", Unavailable, _AWAY),
    ("57P", Unavailable, _AWAY),
    ("533", Unavailable, _AWAY),
    ("25006", StoreError, _READ_ONLY),
    ("53", StoreError, _FULL),
    ("42501", StoreError, _RIGHTS),
    ("28", StoreError, _RIGHTS),
    ("42P01", StoreError, _TABLES),
    ("42703", StoreError, _TABLES),
    ("3F000", StoreError, _TABLES),
    ("XX001", Damaged, _DAMAGED),
    ("XX002", Damaged, _DAMAGED),
)


# What a server says to whom it does not let in; it comes without an SQLSTATE.
_WHO = (
    "does not exist",
    "authentication failed",
    "not permitted",
    "no password",
    "pg_hba.conf",
    "permission denied",
)
_NAMED = "name a database and a user that are there, with the password the server asks for"


def unreached(error: psycopg.Error) -> HoldfastError:
    """Why nobody answers at an address. What psycopg says of a spelling may hold the password: not told."""
    said = " ".join(str(error).split())
    if isinstance(error, psycopg.ProgrammingError) or "connection is bad: invalid" in said:
        problem = "is not spelt as the address of a PostgreSQL server"
        return InvalidInput("where", problem, "give postgresql://user@host:5432/database")
    if any(told in said for told in _WHO):
        return InvalidInput("where", f"is refused by the server ({said})", _NAMED)
    return Unavailable(_AWAY.format(error=said))


def no_text(error: UnicodeEncodeError) -> InvalidInput:
    """For a text that cannot be written."""
    return InvalidInput("text", f"holds a lone surrogate at {error.start}", "decode the text again")


def told(error: psycopg.Error | ValueError) -> HoldfastError:
    """The error to raise instead. A ValueError is a stored text that no codec understands."""
    if isinstance(error, UnicodeEncodeError):
        return no_text(error)
    if isinstance(error, psycopg.DataError) and "NUL" in str(error):
        return InvalidInput("text", "holds a NUL character", "remove it")
    if isinstance(error, ValueError):
        return Damaged(_DAMAGED.format(error=error))
    said = " ".join(str(error).split())
    state = error.sqlstate or ""
    for beginning, kind, text in _TOLD:
        if state.startswith(beginning):
            return kind(text.format(error=said))
    if not state and isinstance(error, psycopg.OperationalError):
        return Unavailable(_AWAY.format(error=said))
    return StoreError(_OTHER.format(error=said))
