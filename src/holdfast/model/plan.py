"""A plan: what is to change, as a value. `SpaceStore.apply(plan)` is the only write there is.

A put carries the whole new memory; its version minus one is the version that must still be stored
(0: the id must be new), else StaleWrite. `seen` is the space's sequence number where the plan relies
on something not being there. One plan makes one commit and one ledger entry.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from holdfast.model.memory import Capture, Memory, nothing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.model.actor import Actor
    from holdfast.model.layer import Decision


@dataclass(frozen=True, slots=True)
class Indexed:
    """What an image needs of a memory, packed by `recall.record` and `recall.words`; opaque to stores."""

    id: str
    record: bytes
    words: bytes
    vector: bytes | None = None  # float32, unit length; None: embedded later; b"": never has one
    keep_vector: bool = False  # the content did not change: leave the stored vectors as they are


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of work for later. `key` makes it idempotent: an equal key still waiting is not added twice
    (an empty key equals none). The payload names memories by id and holds no words: a purge is to be whole.
    """

    id: str
    kind: str
    key: str
    payload: Mapping[str, Any]
    run_at: datetime
    attempts: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightChange:
    """One line of the weight log (E17), under the document's names."""

    memory: str
    at: datetime
    old_weight: float
    new_weight: float
    reason: str
    factors: Mapping[str, float]

    @property
    def delta(self) -> float:
        return self.new_weight - self.old_weight


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to change. Empty but for verb, actor and time it only writes a ledger entry (a refusal, say).

    Puts are made in order (one memory may be put twice, the versions following each other), then index
    rows, then purges. The vectors of `indexed` are those of `embedder`. A put takes its access count from the
    memory only where that is new: afterwards `SpaceStore.touch` counts, and a later put leaves it alone.
    """

    change: str  # id of the change, a UUIDv7
    verb: str
    actor: Actor
    at: datetime
    puts: tuple[Memory, ...] = ()
    indexed: tuple[Indexed, ...] = ()
    embedder: str = ""  # name of the embedder that made the vectors in `indexed`
    reads: Mapping[str, int] = field(default_factory=nothing)  # id → version relied upon, not put; 0: absent
    seen: int | None = None
    captures: tuple[Capture, ...] = ()
    drops: tuple[str, ...] = ()  # captures an owner deletes
    purges: tuple[str, ...] = ()  # memories whose words are shredded in every version
    jobs: tuple[Job, ...] = ()
    weights: tuple[WeightChange, ...] = ()
    reasons: tuple[str, ...] = ()
    profile: str = ""  # digest of the profile in force
    judge: str = ""
    undoes: str = ""


@dataclass(frozen=True, slots=True)
class Touched:
    """One memory in a ledger entry: versions before and after, and the salted digest of the after-image.

    A purge leaves the version as it was and has an empty digest. A capture goes from 0 to 1, dropped to 0.
    """

    id: str
    before: int
    after: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One link of the chain (B3). It holds no words: ids, versions, salted digests and reasons."""

    number: int
    change: str
    verb: str
    actor: str
    at: datetime
    touched: tuple[Touched, ...]
    reasons: tuple[str, ...]
    profile: str
    judge: str
    undoes: str
    previous: str
    hash: str
    captures: tuple[Touched, ...] = ()  # what quarantine took in or lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a write. `touched` are the ids of all memories it changed; `change` can be undone."""

    decision: Decision
    memory: Memory | None
    reasons: tuple[str, ...]
    touched: tuple[str, ...] = ()
    change: str = ""
    conflicts: tuple[str, ...] = ()
    capture: str = ""  # the quarantine entry that keeps what was turned away


@dataclass(frozen=True, slots=True)
class Access:
    """How often a memory was handed out since the last flush, and when last."""

    count: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Which memories to list; None means any. Newest id last; `after` is the last id of the page before
    (also where the newest come first). A memory must carry all of `marks`. `since` ≤ created_at < `until`.
    """

    layers: frozenset[str] | None = None
    kinds: frozenset[str] | None = None
    statuses: frozenset[str] | None = None
    entity_type: str | None = None
    marks: frozenset[str] = field(default_factory=frozenset)
    session: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    after: str = ""
    limit: int = 100
    newest_first: bool = False
