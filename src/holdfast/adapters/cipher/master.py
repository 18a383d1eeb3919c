"""Where master keys are: a file for its owner's eyes only, the environment, or this process alone.

All of them give the keys newest first; what is wrapped names the key that wraps it. The file is made with
the first key and replaced whole, so that nobody ever reads half of one.
"""

from __future__ import annotations

import base64
import binascii
import os
import secrets
import stat
from typing import TYPE_CHECKING, Protocol

from holdfast.errors import InvalidInput, Unavailable

if TYPE_CHECKING:
    from pathlib import Path

KEY_BYTES = 32  # AES-256
TITLE = "# Master keys of Holdfast, newest first. Whoever has them reads what is sealed; nobody else does."
MAKE = "python -c 'import base64, secrets; print(base64.b64encode(secrets.token_bytes(32)).decode())'"


class Master(Protocol):
    """Master keys, newest first."""

    def keys(self) -> list[bytes]:
        """None yet: an empty list."""
        ...

    def renew(self) -> None:
        """Puts a new one before them."""
        ...

    def retire(self) -> None:
        """Leaves only the newest."""
        ...


class MemoryMaster:
    """Ends with the process, as the house that it is for."""

    def __init__(self) -> None:
        self._keys: list[bytes] = []

    def keys(self) -> list[bytes]:
        return list(self._keys)

    def renew(self) -> None:
        self._keep([secrets.token_bytes(KEY_BYTES), *self.keys()])

    def retire(self) -> None:
        keys = self.keys()
        if len(keys) > 1:
            self._keep(keys[:1])

    def _keep(self, keys: list[bytes]) -> None:
        self._keys = keys


class GivenMaster:
    """Told by the environment or the settings: base64, newest first, commas between."""

    def __init__(self, told: str) -> None:
        self._keys = [_read(text, "HOLDFAST_MASTER_KEY") for text in told.split(",")]

    def keys(self) -> list[bytes]:
        return self._keys

    def renew(self) -> None:
        """Whoever tells them renews them; the first of several is the new one."""
        if len(self._keys) < 2:
            way_out = f"put a new one before it (NEW,OLD), rotate, then leave the old one out; {MAKE}"
            raise InvalidInput("HOLDFAST_MASTER_KEY", "is told from outside, so it is not made here", way_out)

    def retire(self) -> None:
        """The old ones are left out where they are told."""


class FileMaster(MemoryMaster):
    """A file beside the memories, or where the settings say; read at every use, so that all processes follow
    a rotation.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def keys(self) -> list[bytes]:
        try:
            text = self._path.read_text(encoding="ascii")
            mode = self._path.stat().st_mode
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            raise Unavailable(f"the master key in {self._path} cannot be read: {error}") from error
        if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
            raise Unavailable(
                f"the master key in {self._path} is open to others; close it with: chmod 600 {self._path}"
            )
        return [_read(line, str(self._path)) for line in text.split("\n") if line.strip() and line[0] != "#"]

    def _keep(self, keys: list[bytes]) -> None:
        """Written beside, synced, and put in its place; the first one never over one that is there."""
        text = "\n".join([TITLE, *(base64.b64encode(key).decode() for key in keys), ""])
        new = self._path.with_name(f".{self._path.name}.{secrets.token_hex(6)}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            _placed(new, self._path, first=len(keys) == 1)
        except OSError as error:
            raise Unavailable(f"the master key cannot be kept in {self._path}: {error}") from error


def _placed(new: Path, path: Path, *, first: bool) -> None:
    """Two processes may make the first key at once: the one that comes second takes what is there."""
    if not first or path.exists():
        new.replace(path)
        return
    try:
        os.link(new, path)
    except FileExistsError:
        new.unlink()
    except OSError:  # no hard links here
        new.replace(path)
    else:
        new.unlink()


def _read(text: str, where: str) -> bytes:
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise InvalidInput(where, f"holds no key of {KEY_BYTES} bytes in base64", f"make one: {MAKE}")
    return key
