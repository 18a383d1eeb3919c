"""What the verbs of one space work with: its truth, its policy, its image, and the outside it may ask.

Made by `engine.Space`, handed to the ways in and out; it decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from holdfast.errors import Forbidden, StoreError, Unavailable
from holdfast.model.actor import Actor, may
from holdfast.model.plan import Plan
from holdfast.servers import Servers

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.embedders import Embedders
    from holdfast.ports.clock import Clock
    from holdfast.ports.embedder import Embedder
    from holdfast.ports.index import VectorIndex
    from holdfast.ports.judge import Judge
    from holdfast.ports.store import SpaceStore
    from holdfast.ports.working import Working
    from holdfast.profile.schema import Profile
    from holdfast.recall.image import Image, Images
    from holdfast.vault import Vault


@dataclass(frozen=True, slots=True)
class Scope:
    """One space, seen by one actor."""

    space: str
    store: SpaceStore
    profile: Profile
    embedder: Embedder
    judge: Judge
    clock: Clock
    images: Images
    actor: Actor
    embedders: Embedders
    vault: Vault
    written: str  # what the catalog said of the embedder
    index: VectorIndex | None = None  # what finds by meaning beside the truth
    wide_above: int = 0  # spaces of more memories are searched through it
    working: Working | None = None  # working memory beside the truth
    servers: Servers = field(default_factory=Servers)  # how those two fared lately
    seen: int | None = None  # the last write when a verb that only reads began; else to be asked for

    def image(self) -> Image:
        """The space in memory, up to date with every write committed before this call."""
        return self.images.of(self.store, self.embedder)

    def current(self) -> Scope:
        """The same with the embedder of now, which any process may have switched (B7). A catalog that cannot
        be read changes nothing.
        """
        try:
            told = self.store.record.embedder
        except (Unavailable, StoreError):
            return self
        return self._embedded_by(told)

    def reading(self) -> Scope:
        """The same for one verb that only reads: a single question tells the embedder and the last write."""
        try:
            seen, told = self.store.standing()
        except (Unavailable, StoreError):
            return self
        return replace(self._embedded_by(told), seen=seen)

    def hearing(self, *, behind: bool = False) -> Scope:
        """The same for one piece of work, so that what it writes names the judge that answered in it."""
        judge = self.judge.hearing(behind=behind)
        return self if judge is self.judge else replace(self, judge=judge)

    def hurried(self) -> Scope:
        """The same where nobody may wait for a judge."""
        judge = self.judge.at_once
        return self if judge is self.judge else replace(self, judge=judge)

    def seen_by(self, actor: Actor) -> Scope:
        return replace(self, actor=actor)

    def now(self, at: datetime | None) -> datetime:
        return at or self.clock.now()

    def _embedded_by(self, told: str) -> Scope:
        if told == self.written:
            return self
        return replace(self, embedder=self.embedders.of(told), written=told)

    def plan(self, verb: str, at: datetime, *, reasons: tuple[str, ...] = ()) -> Plan:
        """An empty plan of this actor under this profile, to be filled with `dataclasses.replace`."""
        return Plan(
            change=self.clock.new_id(),
            verb=verb,
            actor=self.actor,
            at=at,
            reasons=reasons,
            profile=self.profile.digest,
            judge=self.judge.name,
            embedder=self.embedder.name,
        )

    def require(self, right: str, at: datetime | None = None) -> None:
        """Raises Forbidden where the actor lacks the right, and records the attempt."""
        denied = frozenset(self.profile.denied.get(self.actor.role, ()))
        if not may(self.actor.role, right, denied):
            reason = f"{self.actor.role} has no right to {right}"
            self.store.apply(self.plan("forbidden", self.now(at), reasons=(reason,)))
            raise Forbidden(
                f"{self.actor} has no right to {right} in {self.space!r}; ask an owner, or act as one"
            )
