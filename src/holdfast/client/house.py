"""The house of a server: opens spaces, lists them, makes keys. The counterpart of `holdfast.Holdfast`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from holdfast.client.link import Link, place
from holdfast.client.rooms import RemoteStewards
from holdfast.client.space import RemoteSpace
from holdfast.client.values import read
from holdfast.errors import InvalidInput, UnknownSpace
from holdfast.keyring import NewKey
from holdfast.model import check
from holdfast.model.key import Key
from holdfast.model.space import SpaceRecord
from holdfast.ports.store import Drift
from holdfast.remember.jobs import WorkReport

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from types import TracebackType

    from holdfast.model.ledger import ChainReport

SECONDS = 60.0
"""How long an answer may take; a bulk write of many thousands takes longest."""


class Client:
    """`Client("http://127.0.0.1:8420", "hf_…")`. Close it, or use it in a `with` statement."""

    def __init__(self, url: str, key: str, *, timeout: float = SECONDS) -> None:
        self._link = Link(url, key, check.number("timeout", timeout, low=0.001, high=86_400.0))
        self.keys = RemoteKeys(self._link)
        """Whom the server lets in, and as what; for an admin's key."""
        self.steward = RemoteStewards(self._link)
        """What time does to all spaces."""

    def space(
        self, name: str, *, profile: str | None = None, user_factor: float | None = None
    ) -> RemoteSpace:
        """Opens a space. With a profile it is made where it is not there; without one an unknown name raises
        UnknownSpace.
        """
        name = check.text("space", name)
        if profile is None:
            if all(record.name != name for record in self.spaces()):
                self._link.ask("GET", "/stats", space=name)  # says so, with near names
                raise UnknownSpace(name)
        elif isinstance(profile, str):
            told = {"name": name, "profile": profile, "user_factor": user_factor}
            self._link.ask("POST", "/spaces", body=told)
        else:
            raise InvalidInput("profile", "cannot be sent to a server", "give the name of one that it has")
        return RemoteSpace(self._link, name)

    def spaces(self) -> list[SpaceRecord]:
        """Those that the key opens, by name. Their profiles are told by name alone."""
        return [_record(raw) for raw in self._link.ask("GET", "/spaces")]

    def profiles(self) -> dict[str, str]:
        """The names of all profiles, and what each is for."""
        return dict(self._link.ask("GET", "/profiles"))

    def schemas(self, profile: str | None = None) -> dict[str, Any]:
        """The JSON Schemas of what is taken in a fixed form (M10)."""
        return dict(self._link.ask("GET", "/schemas", profile=profile))

    def verify(self, name: str) -> ChainReport:
        """Recomputes the ledger's chain of a space (B3)."""
        return self.space(name).verify()

    def doctor(self) -> list[Drift]:
        """Everything that is not as it should be."""
        return read_many(Drift, self._link.ask("GET", "/doctor"))

    def repair(self, name: str) -> int:
        """Rebuilds the indexes of a space; returns how many rows were written."""
        return int(self._link.ask("POST", "/repair", space=name)["rows"])

    def work(self, *, at: datetime | None = None, limit: int = 100) -> WorkReport:
        """Does what waits in the queues, now."""
        found: WorkReport = read(WorkReport, self._link.ask("POST", "/work", body={"at": at, "limit": limit}))
        return found

    def rotate(self) -> int:
        """Wraps the keys of all that is sealed under a new master key (E14)."""
        return int(self._link.ask("POST", "/rotate")["keys"])

    def export(self, name: str) -> Iterator[str]:
        """A space as lines of JSON (B8)."""
        with self._link.lines("/export", space=name) as lines:
            yield from (f"{line}\n" for line in lines)

    def import_space(self, lines: Iterable[str], *, name: str = "") -> SpaceRecord:
        """Makes a space of the lines of an export, whole or not at all."""
        sent = (line.rstrip("\n").encode() + b"\n" for line in lines)
        return _record(self._link.load("/import", sent, **({"name": name} if name else {})))

    def close(self) -> None:
        """Ends the connections."""
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class RemoteKeys:
    """The keys of the server's house."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def create(
        self, name: str, *, role: str, spaces: Iterable[str] = (), days: float | None = None
    ) -> NewKey:
        """A new key, shown this once."""
        told = {"name": name, "role": role, "spaces": list(spaces), "days": days}
        made: NewKey = read(NewKey, self._link.ask("POST", "/keys", body=told))
        return made

    def list(self) -> list[Key]:
        """All of them, oldest first, those that ended too."""
        return read_many(Key, self._link.ask("GET", "/keys"))

    def revoke(self, id: str) -> Key:
        """Ends a key for good, at once."""
        ended: Key = read(Key, self._link.ask("DELETE", f"/keys{place(id)}"))
        return ended


def read_many(kind: Any, raw: list[Any]) -> list[Any]:
    return [read(kind, item) for item in raw]


def _record(raw: dict[str, Any]) -> SpaceRecord:
    record: SpaceRecord = read(SpaceRecord, {"profile_text": "", **raw})
    return record
