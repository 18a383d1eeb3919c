"""Holdfast: the door of the library. It opens spaces; what can be done in one is in `space.Space`.

Every part can be brought along (`Own`), so that tests and other engines need no patching.
"""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from holdfast.errors import InvalidInput, UnknownSpace
from holdfast.judging import Judging
from holdfast.keyring import Keyring
from holdfast.model import check
from holdfast.model.actor import LOCAL_OWNER, Actor, acting
from holdfast.model.space import SpaceRecord
from holdfast.ports.store import Drift
from holdfast.profile import load as profiles
from holdfast.profile.schema import Profile
from holdfast.recall.image import Images
from holdfast.remember import observing
from holdfast.remember.outbox import outboxed
from holdfast.rounds.door import Stewards
from holdfast.scope import Scope
from holdfast.servers import Servers
from holdfast.settings import MIB
from holdfast.space import Space
from holdfast.wire import Own, assemble

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from holdfast.aio import AsyncHoldfast
    from holdfast.ports.clock import Clock
    from holdfast.ports.embedder import Embedder
    from holdfast.ports.store import ChainReport
    from holdfast.remember.jobs import WorkReport
    from holdfast.remember.reembed import Reembedded
    from holdfast.settings import EmbedderSettings, Settings


class Holdfast:
    """A house of spaces: a directory (`~/memory`), or `memory://` for one that ends with the process.

    Close it, or use it in a `with` statement; several processes may have one directory open at once.
    """

    def __init__(
        self, where: str | Path | None = None, own: Own | None = None, *, actor: Actor = LOCAL_OWNER
    ) -> None:
        if where is not None:
            check.text("where", str(where) if isinstance(where, Path) else where, most=4096)
        self._parts = assemble(where, own or Own())
        self._actor = acting(actor)
        self._images = Images(self._parts.settings.image_mib * MIB)
        self._servers = Servers()
        self.keys = Keyring(self._parts.keys, self._parts.clock)
        """Whom the doors of a server let in, and as what."""
        self.judge = Judging(self._parts.judge)
        """What the judge thinks of words, asked for itself."""
        self.replies = self._parts.replies
        """What the doors of a server answered lately."""
        scopes = lambda: (self._scope(record) for record in self.spaces())
        self.steward = Stewards(scopes, self._parts.settings.steward)
        """What time does to all spaces."""

    def space(
        self, name: str, *, profile: str | Profile | None = None, user_factor: float | None = None
    ) -> Space:
        """Opens a space. With a profile it is made where it is not there; without one an unknown name raises
        UnknownSpace, which suggests near ones. Another profile for a space that is there is an error.
        """
        name = check.text("space", name)
        record = self._parts.store.find(name)
        if record is None:
            if profile is None:
                raise UnknownSpace(name, self._near(name))
            record = self._create(name, self._profile(profile), user_factor)
        elif (
            profile is not None
            and self._profile(profile).digest != profiles.parse(record.profile_text).digest
        ):
            raise InvalidInput(
                "profile",
                f"differs from {record.profile!r}, which space {name!r} was made with",
                "open it without a profile, or make another space",
            )
        return Space(self._scope(self._settled(record)))

    @property
    def settings(self) -> Settings:
        """Those it was opened with."""
        return self._parts.settings

    @property
    def clock(self) -> Clock:
        """What tells it the time."""
        return self._parts.clock

    @property
    def image_bytes(self) -> int:
        """What the images of spaces take in memory now."""
        return self._images.nbytes

    def spaces(self) -> list[SpaceRecord]:
        """All of them, by name."""
        return self._parts.store.spaces()

    def profiles(self) -> dict[str, Profile]:
        """The presets and the user's own, by name."""
        return profiles.available(self._parts.settings.profiles)

    def schemas(self, profile: str | Profile | None = None) -> dict[str, Any]:
        """The JSON Schemas of what is taken in a fixed form (M10), with the authors that a profile allows."""
        return {"observation": observing.schema(None if profile is None else self._profile(profile))}

    def verify(self, name: str) -> ChainReport:
        """Recomputes the ledger's chain of a space and compares it with the anchor in the catalog (B3)."""
        return self.space(name).verify()

    def doctor(self) -> list[Drift]:
        """Everything that is not as it should be: files of the house, chains, indexes that drifted (B11), a
        judge that does not answer.
        """
        from holdfast.recall.drift import drift_of
        from holdfast.remember import feeding

        found = list(self._parts.store.doctor())
        broken = {drift.id for drift in found}
        for record in self.spaces():
            if record.id not in broken:
                scope = self._scope(record)
                found += [*drift_of(scope), *feeding.drift(scope)]
        health = self.judge.check()
        if not health.answers:
            found.append(Drift("judge", health.judge, health.detail))
        return found

    def repair(self, name: str) -> int:
        """Rebuilds the indexes of a space, in its truth and beside it; returns how many rows it wrote.

        Vectors that are gone are made again by the next `work`.
        """
        from holdfast.recall.drift import rebuild
        from holdfast.remember import feeding
        from holdfast.remember.writing import embedding

        scope = self.space(name)._scope  # noqa: SLF001 (Space is this class's other half)
        rows = rebuild(scope)
        if scope.store.unembedded(scope.embedder.name, 1):
            scope.store.enqueue([embedding(scope)])
        feeding.rebuild(scope)
        return rows

    def export(self, name: str) -> Iterator[str]:
        """A space as lines of JSON: every version, vector, weight, capture and job, and the chain (B8)."""
        from holdfast import jsonl

        me = self.space(name)
        me.require("export")
        scope = me._scope  # noqa: SLF001 (Space is this class's other half)
        self._images.flush(scope.store)
        return jsonl.told(scope.store)

    def import_space(self, lines: Iterable[str], *, name: str = "") -> SpaceRecord:
        """Makes a space of the lines of an export, whole or not at all; under another name where one is told.
        InvalidInput where the name is taken, Damaged where the lines do not hold together.
        """
        from holdfast import jsonl

        name = check.text("name", name, empty=True)
        return self._parts.store.load(*jsonl.read(lines, name=name, id=self._parts.clock.new_id()))

    def work(
        self,
        *,
        at: datetime | None = None,
        limit: int = 100,
        until: Callable[[], bool] = lambda: False,
    ) -> WorkReport:
        """Does what waits in the queues of all spaces (late embeddings, what conversations leave behind), at
        most `limit` jobs a space, or until it is told to end. `holdfast.Worker` does so for good.
        """
        from holdfast.remember import jobs

        scopes = (self._scope(record) for record in self.spaces())
        return jobs.work_all(scopes, at, limit, until=until)

    def reembed(
        self,
        name: str,
        to: EmbedderSettings | Embedder | None = None,
        *,
        back: bool = False,
        drop_old: bool = False,
        told: Callable[[int, int], None] = lambda _done, _of: None,
    ) -> Reembedded:
        """Gives a space another embedder while it is in use (B7): builds, switches at once, can go `back`.
        Stopped half way and called again it goes on. The old vectors stay until `drop_old`. `told` hears
        how many of how many vectors there are.
        """
        from holdfast.remember import reembed

        name = check.text("space", name)
        record = self._parts.store.find(name)
        if record is None:
            raise UnknownSpace(name, self._near(name))
        if to is not None and back:
            raise InvalidInput("to", "is given beside back", "give one of the two")
        embedders, record = self._parts.embedders, self._settled(record)
        text = reembed.back(record) if back else record.embedder
        chosen = (embedders.of(text), text) if to is None else embedders.chosen(to)
        move = reembed.Move(self._scope(record), self._parts.store, *chosen, told)
        return reembed.reembed(move, drop_old=drop_old)

    def rotate(self) -> int:
        """Wraps the keys of all that is sealed under a new master key and destroys the old one (E14); returns
        how many spaces have such a key.
        """
        return self._parts.vault.rotate()

    @property
    def aio(self) -> AsyncHoldfast:
        """The same verbs, async."""
        from holdfast.aio import AsyncHoldfast

        return AsyncHoldfast(self)

    def close(self) -> None:
        """Writes what is buffered (access counts) and closes every file."""
        self._images.close()
        self._parts.store.close()
        self._parts.keys.close()
        for beside in (self._parts.index, self._parts.working):
            if beside is not None:
                beside.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _scope(self, record: SpaceRecord) -> Scope:
        profile = profiles.parse(record.profile_text)
        if record.user_factor != profile.salience.user_factor:
            profile = replace(profile, salience=replace(profile.salience, user_factor=record.user_factor))
        parts = self._parts
        scope = Scope(
            space=record.name,
            store=parts.store.open(record),
            profile=profile,
            embedder=parts.embedders.of(record.embedder),
            judge=parts.judge,
            clock=parts.clock,
            images=self._images,
            actor=self._actor,
            embedders=parts.embedders,
            written=record.embedder,
            vault=parts.vault,
            index=parts.index,
            wide_above=parts.settings.index.above,
            working=parts.working,
            servers=self._servers,
        )
        return outboxed(scope)

    def _create(self, name: str, profile: Profile, user_factor: float | None) -> SpaceRecord:
        factor = profile.salience.user_factor if user_factor is None else user_factor
        record = SpaceRecord(
            id=self._parts.clock.new_id(),
            name=name,
            profile=profile.name,
            profile_text=profiles.dump(profile),
            created_at=self._parts.clock.now(),
            user_factor=check.number("user_factor", factor, low=0.1, high=10.0),
            embedder=self._parts.embedders.new,
        )
        return self._parts.store.create(record)

    def _settled(self, record: SpaceRecord) -> SpaceRecord:
        """A space of a time when its embedder was not written down keeps the one it is opened with."""
        if record.embedder:
            return record
        told = replace(record, embedder=self._parts.embedders.new)
        self._parts.store.update(told)
        return told

    def _profile(self, profile: str | Profile) -> Profile:
        if isinstance(profile, Profile):
            return profile
        return profiles.load(check.text("profile", profile, most=4096), self._parts.settings.profiles)

    def _near(self, name: str) -> tuple[str, ...]:
        return tuple(get_close_matches(name, [record.name for record in self.spaces()], n=3, cutoff=0.6))
