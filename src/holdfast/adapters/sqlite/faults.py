"""What SQLite or the file system says, as one of Holdfast's errors: the only place where it is mapped."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import apsw

from holdfast.errors import Damaged, HoldfastError, InvalidInput, StoreError, Unavailable

if TYPE_CHECKING:
    from pathlib import Path

_BUSY = "{path} is busy: another process has kept it longer than this one waits; try again"
_FULL = "no room is left to write {path}; free some and do it again, nothing was written ({error})"
_READ_ONLY = "{path} may not be written; give its directory and file to the user who runs this, or mount it for writing ({error})"  # noqa: E501
_CLOSED = "{path} cannot be opened; see that it is there, that its directory may be written, and that not too many files are open ({error})"  # noqa: E501
_DAMAGED = "{path} is damaged; restore it from a backup, `holdfast doctor` tells about the others ({error})"
_UNREADABLE = (
    "{path} cannot be read or written; see the disk, its quota and limits, nothing was written ({error})"
)
_OTHER = "{path}: {error}"

# The kind of error by SQLite's own; what is not here is told as it is.
_TOLD: dict[type[apsw.Error], tuple[type[HoldfastError], str]] = {
    apsw.BusyError: (Unavailable, _BUSY),
    apsw.LockedError: (Unavailable, _BUSY),
    apsw.ProtocolError: (Unavailable, _BUSY),
    apsw.InterruptError: (Unavailable, _BUSY),
    apsw.FullError: (StoreError, _FULL),
    apsw.ReadOnlyError: (StoreError, _READ_ONLY),
    apsw.PermissionsError: (StoreError, _READ_ONLY),
    apsw.CantOpenError: (StoreError, _CLOSED),
    apsw.CorruptError: (Damaged, _DAMAGED),
    apsw.NotADBError: (Damaged, _DAMAGED),
    apsw.IOError: (StoreError, _UNREADABLE),
}
_SYSTEM: dict[int | None, tuple[type[HoldfastError], str]] = {
    errno.ENOSPC: (StoreError, _FULL),
    errno.EDQUOT: (StoreError, _FULL),
    errno.EACCES: (StoreError, _READ_ONLY),
    errno.EPERM: (StoreError, _READ_ONLY),
    errno.EROFS: (StoreError, _READ_ONLY),
    errno.ENOTDIR: (
        StoreError,
        "{path} is a file where a directory should be; give another directory ({error})",
    ),
    errno.EEXIST: (
        StoreError,
        "{path} is a file where a directory should be; give another directory ({error})",
    ),
}


def no_text(error: UnicodeEncodeError) -> InvalidInput:
    """For a text that cannot be written."""
    return InvalidInput("text", f"holds a lone surrogate at {error.start}", "decode the text again")


def told(error: apsw.Error | OSError | ValueError, path: Path) -> HoldfastError:
    """The error to raise instead. A ValueError is a stored text that no codec understands."""
    if isinstance(error, UnicodeEncodeError):
        return no_text(error)
    if isinstance(error, apsw.Error):
        kind, text = _TOLD.get(type(error), (StoreError, _OTHER))
        if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHORT_READ:
            kind, text = Damaged, _DAMAGED
    elif isinstance(error, OSError):
        kind, text = _SYSTEM.get(error.errno, (StoreError, _UNREADABLE))
    else:
        kind, text = Damaged, _DAMAGED
    return kind(text.format(path=path, error=error))
