"""The ledger's arithmetic (B3): digests of after-images, links of the hash chain, and the check of a chain.

An entry holds no words, only ids, versions, reasons and salted digests. The salt lies beside the version row
and goes with its words, so that a digest of something purged can't be guessed while the chain stays provable.
Entries are hashed (SHA-256) over their canonical bytes, `codec.encode_entry`, which name the one before.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from holdfast.model.codec import decode_image, encode_entry
from holdfast.model.memory import NOTHING, Memory
from holdfast.model.plan import Entry, Plan, Touched

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SALT_BYTES = 16
"""As many as the strength of the digest against guessing needs (128 bits)."""

PROBLEMS_TOLD = 20
"""A damaged chain is told by its first faults; nobody reads ten thousand."""


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What `verify` found: how many entries hold, and what is wrong with the first that does not."""

    entries: int
    ok: bool
    head: str
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Anchor:
    """The head of a ledger as last written down outside of it; it may lag behind, never lead. 0: none yet."""

    number: int = 0
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """An entry and its canonical text, over which its hash was taken."""

    entry: Entry
    canonical: str


def genesis(space_id: str) -> str:
    """What the first entry names as the one before it: no chain fits into another space."""
    return sha256(b"holdfast ledger of " + space_id.encode()).hexdigest()


def digest(salt: bytes, body: str) -> str:
    """The digest of an after-image (`codec.encode_image`) or a capture (`codec.encode_capture`)."""
    return sha256(salt + body.encode()).hexdigest()


def entry_hash(canonical: bytes) -> str:
    return sha256(canonical).hexdigest()


def link(plan: Plan, after: Anchor, touched: tuple[Touched, ...], *, captures: tuple[Touched, ...]) -> Link:
    """The entry that a plan makes after the head of a chain (number 0 and `genesis` where it is empty)."""
    entry = Entry(
        number=after.number + 1,
        change=plan.change,
        verb=plan.verb,
        actor=str(plan.actor),
        at=plan.at,
        touched=touched,
        reasons=plan.reasons,
        profile=plan.profile,
        judge=plan.judge,
        undoes=plan.undoes,
        previous=after.hash,
        hash="",
        captures=captures,
    )
    canonical = encode_entry(entry)
    return Link(replace(entry, hash=entry_hash(canonical.encode())), canonical)


def shredded(memory: Memory) -> Memory:
    """The memory without anything that somebody said or named: ids, times, figures and states stay."""
    return replace(
        memory,
        content="",
        label="",
        reason="",
        source="",
        speaker="",
        entity_type="",
        entity_value="",
        tags=(),
        metadata=NOTHING,
        sources=NOTHING,
        originals=NOTHING,
        corrections=(),
        said=(),
        attachments=(),
    )


@dataclass(slots=True)
class Chain:
    """A ledger under check: feed it entries in the order of their numbers, and what they speak of."""

    head: Anchor
    anchor: Anchor
    held: int = 0
    _chain: list[str] = field(default_factory=list)
    _images: list[str] = field(default_factory=list)
    _bare: list[tuple[str, str]] = field(default_factory=list)  # memory, what to say
    _purged: set[str] = field(default_factory=set)

    def follow(self, entries: Iterable[tuple[Entry, bytes]]) -> Iterator[Entry]:
        """Checks each entry against its stored canonical bytes and its neighbours, and passes it on."""
        for entry, canonical in entries:
            self._chain += self._faults(entry, canonical)
            if not self._chain:
                self.held += 1
            self.head = Anchor(entry.number, entry.hash)
            self._purged |= {touched.id for touched in entry.touched if touched.before == touched.after}
            yield entry

    def unreadable(self, number: int) -> None:
        """An entry that is no entry."""
        self._chain.append(f"entry {number} was changed: it cannot be read")

    def image(self, entry: Entry, touched: Touched, *, salt: bytes | None, body: str | None) -> None:
        """Checks what is stored of one memory or capture that the entry touched. No salt: it was purged."""
        named = f"version {touched.after} of {touched.id} (entry {entry.number}, {entry.verb})"
        if body is None:
            self._images.append(f"{named} is missing")
        elif salt is None:
            self._bare.append((touched.id, f"{named} lost its words, and no entry purged it"))
            if not is_shredded(body):
                self._images.append(f"{named} was changed after it was purged")
        elif digest(salt, body) != touched.digest:
            self._images.append(f"{named} was changed: it is not what the ledger says")

    def report(self, others: Iterable[str] = ()) -> ChainReport:
        """The verdict; `others` are faults that the store itself found."""
        bare = [problem for id, problem in self._bare if id not in self._purged]
        problems = [*self._chain, *self._cut(), *self._images, *bare, *others]
        more = len(problems) - PROBLEMS_TOLD
        told = problems[:PROBLEMS_TOLD] + ([f"and {more} more"] if more > 0 else [])
        return ChainReport(self.held, not problems, self.head.hash if self.head.number else "", tuple(told))

    def _cut(self) -> Iterator[str]:
        first, last = self.head.number + 1, self.anchor.number
        if first <= last:
            gone = f"entry {first} is gone" if first == last else f"entries {first} to {last} are gone"
            yield f"the ledger is cut off: {gone}, as the catalog's anchor tells"

    def _faults(self, entry: Entry, canonical: bytes) -> Iterator[str]:
        number, expected = entry.number, self.head.number + 1
        named = f"entry {number} ({entry.verb}, change {entry.change})"
        if entry_hash(canonical) != entry.hash:
            yield f"{named} was changed: its hash is not that of its content"
        if number > expected:
            gone = (
                f"entry {expected} is"
                if number == expected + 1
                else f"entries {expected} to {number - 1} are"
            )
            yield f"{gone} missing before {named}"
        elif number < expected:
            yield f"{named} is out of order: it stands behind entry {self.head.number}"
        elif entry.previous != self.head.hash:
            before = f"entry {number - 1}" if number > 1 else "the beginning of this space's ledger"
            yield f"{named} does not follow {before}: one of the two was put in the other's place"
        if number == self.anchor.number and entry.hash != self.anchor.hash:
            yield f"{named} is not the one that the catalog anchored: the ledger was rewritten up to here"


def is_shredded(body: str) -> bool:
    """Whether an after-image holds no words."""
    try:
        memory = decode_image(body)
    except ValueError:
        return False
    return memory == shredded(memory)
