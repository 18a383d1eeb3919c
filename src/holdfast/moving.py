"""A space carried from one house to another: versions, ledger and chain, proved by count and by hash.

What is told is hashed as it goes, the copy is told again and must hash the same. A space that was carried
before is only proved again, so that a move that was stopped goes on with the next space. The old house stays
as it is.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from holdfast.errors import Damaged, InvalidInput, StaleWrite
from holdfast.model import check, codec
from holdfast.ports.dump import Captured, Kept, Link, Parked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from holdfast.engine import Holdfast
    from holdfast.model.space import SpaceRecord
    from holdfast.ports.dump import Piece
    from holdfast.ports.keys import Keys
    from holdfast.ports.store import SpaceStore, Store

TRIES = 3
"""A space that is written to while it is read is read again; past this its writers have to pause."""
STEP = 256
"""Pieces between two reports of progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """One space that arrived: what was counted, and the digest that both houses gave. `carried`: now, rather
    than at an earlier call.
    """

    space: str
    entries: int
    memories: int
    captures: int
    jobs: int
    digest: str
    carried: bool


@dataclass(slots=True)
class Account:
    """Counts and hashes pieces as they pass."""

    told: Callable[[int], None] = lambda _: None
    counts: Counter[type] = field(default_factory=Counter)
    _digest: object = field(default_factory=sha256)

    def passing(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        for piece in pieces:
            self.counts[type(piece)] += 1
            self._digest.update(_text(piece).encode())  # type: ignore[attr-defined]
            if self.counts.total() % STEP == 0:
                self.told(self.counts.total())
            yield piece

    def of(self, pieces: Iterable[Piece]) -> Account:
        """All of them, kept nowhere."""
        for _ in self.passing(pieces):
            pass
        return self

    def equals(self, other: Account) -> bool:
        return (self.counts, self.digest) == (other.counts, other.digest)

    @property
    def digest(self) -> str:
        return str(self._digest.hexdigest())  # type: ignore[attr-defined]

    def moved(self, space: str, *, carried: bool) -> Moved:
        return Moved(
            space=space,
            entries=self.counts[Link],
            memories=self.counts[Kept],
            captures=self.counts[Captured],
            jobs=self.counts[Parked],
            digest=self.digest,
            carried=carried,
        )


@dataclass(frozen=True, slots=True)
class Houses:
    """From where to where, and how the other house wraps the key of what is sealed in a space (E14)."""

    home: Store
    there: Store
    handed: Callable[[str], str]


def move(
    home: Holdfast,
    there: Holdfast,
    spaces: Iterable[str] | None = None,
    *,
    told: Callable[[str, int, int], None] = lambda _space, _done, _of: None,
) -> list[Moved]:
    """Carries spaces of one house (all of them, and the keys, where none is named) to the other. `told` hears
    how many of how many pieces of a space were carried and proved.
    """
    names = [one.name for one in home.spaces()] if spaces is None else check.names("spaces", spaces)
    ours, theirs = home._parts, there._parts  # noqa: SLF001 (a move is of two houses)
    houses = Houses(ours.store, theirs.store, partial(ours.vault.handed, to=theirs.vault))
    moved = []
    for name in names:
        scope = home.space(name)._scope  # noqa: SLF001
        scope.require("manage")
        scope.images.flush(scope.store)
        moved.append(carry(scope.store.record, houses, told=partial(told, name)))
    if spaces is None:
        carry_keys(ours.keys, theirs.keys)
    return moved


def carry(record: SpaceRecord, houses: Houses, *, told: Callable[[int, int], None]) -> Moved:
    """Carries one space. InvalidInput where the other house has another one of that name or id; StaleWrite
    where it is written to all the time; Damaged where it does not arrive as it was.
    """
    store, there = houses.home.open(record), houses.there
    known = there.find(record.name)
    many = 2 * (sum(store.count().values()) + record.anchor_number)
    here = Account(lambda done: told(done, many))
    if known is None:
        here, known = _sent(store, houses, here)
        came = _told_again(there.open(known), here, told)
        if not came.equals(here):
            raise Damaged(f"{record.name!r} did not arrive as it was: do not use what arrived")
        return came.moved(record.name, carried=True)
    came = _told_again(there.open(known), here.of(store.dump()), told)
    if not came.equals(here):
        raise InvalidInput(
            "space",
            f"the other house has another {record.name!r}, of {came.counts[Link]} changes; this one has "
            f"{here.counts[Link]}",
            "rename or erase one of the two",
        )
    return came.moved(record.name, carried=False)


def carry_keys(home: Keys, there: Keys) -> int:
    """The keys that the other house does not know; they open the same spaces there. Returns how many."""
    new = [key for key in home.all() if there.find(key.id) is None]
    for key in new:
        there.add(key)
    return len(new)


def _steady(store: SpaceStore, sent: Account) -> Iterator[Piece]:
    """All pieces, where nobody wrote meanwhile: what they wrote would be missing in the other house."""
    before = (store.record.anchor_number, store.sequence())
    yield from sent.passing(store.dump())
    if (store.record.anchor_number, store.sequence()) != before:
        raise StaleWrite("the space was written to while it was read; pause its writers and do it again")


def _sent(store: SpaceStore, houses: Houses, account: Account) -> tuple[Account, SpaceRecord]:
    """The space in the other house, and what was told of it; told anew where somebody wrote meanwhile."""
    for left in reversed(range(TRIES)):
        record = store.record
        record = replace(record, sealing=houses.handed(record.sealing))
        try:
            return account, houses.there.load(record, _steady(store, account))
        except StaleWrite:
            if not left:
                raise
            account = Account(account.told)
    raise AssertionError("the last try returns or raises")


def _told_again(there: SpaceStore, here: Account, told: Callable[[int, int], None]) -> Account:
    half = here.counts.total()
    came = Account(lambda done: told(half + done, 2 * half)).of(there.dump())
    told(2 * half, 2 * half)
    return came


def _text(piece: Piece) -> str:
    """A piece as text, the same on every engine: what has an order keeps it, what has none gets one."""
    match piece:
        case Kept():
            vectors = sorted((name, data.hex()) for name, data in piece.vectors.items())
            weights = [
                (w.at, w.old_weight, w.new_weight, w.reason, sorted(w.factors.items())) for w in piece.weights
            ]
            return repr((replace(piece, vectors={}, weights=()), vectors, weights))
        case Link():
            return repr((piece.canonical, piece.entry.hash))
        case Parked():
            return repr(
                (replace(piece.job, payload={}), codec.write_json(dict(piece.job.payload)), piece.failed)
            )
        case Captured():
            return repr((piece.salt, piece.body))
