"""A plan into rows: everything that `SpaceStore.apply` does between BEGIN and COMMIT.

What the plan relies on is checked first, then all is written, the ledger's entry last. Whatever is raised on
the way rolls everything back.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite import queue, vectors
from holdfast.adapters.sqlite.index import known
from holdfast.adapters.sqlite.statements import rows, statements
from holdfast.errors import NotFound, StaleWrite
from holdfast.model import ledger
from holdfast.model.codec import decode_image, encode_capture, encode_image, micros, write_json
from holdfast.model.ledger import SALT_BYTES
from holdfast.model.plan import Touched

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from holdfast.model.memory import Capture, Memory
    from holdfast.model.plan import Entry, Plan, WeightChange

_SQL = statements("space.sql")


def apply(db: apsw.Connection, plan: Plan, space: str) -> tuple[Entry, bool]:
    """Writes the plan; the transaction is the caller's. True: purged words may still stand in the log."""
    writing = Writing(db, plan, space)
    writing.check()
    touched = writing.put()
    writing.index()
    touched += [writing.purge(id) for id in plan.purges]
    captured = [writing.capture(capture) for capture in plan.captures]
    captured += [writing.drop(id) for id in plan.drops]
    writing.weigh()
    queue.enqueue(db, plan.jobs)
    return writing.close(touched, captured), writing.unshredded


class Writing:
    """One plan on its way into the space's file."""

    def __init__(self, db: apsw.Connection, plan: Plan, space: str) -> None:
        self._db = db
        self._plan = plan
        (head,) = rows(db, _SQL["head"])
        self._sequence, self._unshredded, number, hash, self._last_row = head
        self._head = ledger.Anchor(number, hash) if number else ledger.Anchor(0, ledger.genesis(space))
        self._seen = self._sequence
        self._sequence += bool(plan.puts or plan.indexed or plan.purges)
        self._known = known(db, _named(plan))
        self._before = frozenset(self._known)

    def check(self) -> None:
        """Raises StaleWrite where the space is not what the plan relied on."""
        plan = self._plan
        if plan.seen is not None and plan.seen != self._seen:
            raise StaleWrite(
                f"the space is at sequence {self._seen}, the plan is of {plan.seen}; decide again"
            )
        for id, version in plan.reads.items():
            if self._version(id) != version:
                raise StaleWrite(
                    f"memory {id!r} is at version {self._version(id)}, {version} was read; decide again"
                )
        if rows(self._db, _SQL["change"], (plan.change,)):
            raise StaleWrite(f"the change {plan.change!r} was applied already; make a new one")

    def put(self) -> list[Touched]:
        """The memories and their versions."""
        plan, number = self._plan, self._head.number + 1
        at, salts = micros(plan.at), os.urandom(SALT_BYTES * len(plan.puts))
        listed, versions, touched = [], [], []
        for place, memory in enumerate(plan.puts):
            row, before = self._known.get(memory.id) or (self._next_row(), 0)
            if memory.version != before + 1:
                raise StaleWrite(
                    f"memory {memory.id!r} is at version {before}, {memory.version} was put; decide again"
                )
            self._known[memory.id] = (row, memory.version)
            salt, body = salts[place * SALT_BYTES : (place + 1) * SALT_BYTES], encode_image(memory)
            listed.append(columns(row, memory))
            versions.append((row, memory.version, number, at, salt, body))
            touched.append(Touched(memory.id, before, memory.version, ledger.digest(salt, body)))
        self._db.executemany(_SQL["put_memory"], listed)
        self._db.executemany(_SQL["put_version"], versions)
        return touched

    def index(self) -> None:
        """The index rows, and their vectors."""
        plan, number = self._plan, self._embedder()
        images, back, fresh = [], [], {}
        for item in plan.indexed:
            row = self._row(item.id, "indexed")
            vector = None if item.keep_vector else item.vector
            bits = None if item.vector == b"" and not item.keep_vector else 1 << number if vector else 0
            images.append((row, self._sequence, bits, item.record, item.words, item.keep_vector))
            if vector:
                fresh[row] = vector
            if item.id in self._before:
                back.append((row,))
                if bits is None:
                    vectors.erase(self._db, row)
        self._db.executemany(_SQL["put_image"], images)
        self._db.executemany(_SQL["put_back"], back)
        if fresh:
            vectors.write(self._db, number, fresh)

    def purge(self, id: str) -> Touched:
        """Takes the words out of every version, and everything made of them away."""
        row = self._row(id, "purges")
        for version, body in rows(self._db, _SQL["bodies"], (row,)):
            rest = encode_image(ledger.shredded(decode_image(body)))
            self._db.execute(_SQL["shred_version"], (row, version, rest))
        self._db.execute(_SQL["shred_memory"], (row,))
        self._db.execute(_SQL["put_purge"], (row, self._head.number + 1))
        if rows(self._db, _SQL["drop_image"], (row,)):
            self._db.execute(_SQL["put_removed"], (row, self._sequence))
        vectors.erase(self._db, row)
        self._unshredded = 1
        return Touched(id, self._version(id), self._version(id), "")

    def capture(self, capture: Capture) -> Touched:
        """Into quarantine."""
        if rows(self._db, _SQL["capture_of"], (capture.id,)):
            raise StaleWrite(f"there is a capture {capture.id!r} already; make a new id")
        salt, body = os.urandom(SALT_BYTES), encode_capture(capture)
        self._db.execute(_SQL["put_capture"], (capture.id, salt, body))
        return Touched(capture.id, 0, 1, ledger.digest(salt, body))

    def drop(self, id: str) -> Touched:
        """Out of quarantine."""
        if not rows(self._db, _SQL["drop_capture"], (id,)):
            raise NotFound(f"drops: there is no capture {id!r} in quarantine")
        self._unshredded = 1
        return Touched(id, 1, 0, "")

    def weigh(self) -> None:
        """The weight log."""
        log = [weighed(self._row(weight.memory, "weights"), weight) for weight in self._plan.weights]
        self._db.executemany(_SQL["put_weight"], log)

    def close(self, touched: list[Touched], captured: list[Touched]) -> Entry:
        """The ledger's entry, and the new sequence."""
        link = ledger.link(self._plan, self._head, tuple(touched), captures=tuple(captured))
        entry = link.entry
        self._db.execute(_SQL["put_entry"], (entry.number, entry.change, link.canonical, entry.hash))
        self._db.execute(_SQL["set_state"], (self._sequence, self._unshredded))
        return entry

    @property
    def unshredded(self) -> bool:
        """Whether words were purged, by this plan or an earlier one, that may still stand in the log."""
        return bool(self._unshredded)

    def _version(self, id: str) -> int:
        return self._known.get(id, (0, 0))[1]

    def _row(self, id: str, what: str) -> int:
        if id not in self._known:
            raise NotFound(f"{what}: there is no memory {id!r} in this space")
        return self._known[id][0]

    def _next_row(self) -> int:
        self._last_row += 1
        return int(self._last_row)

    def _embedder(self) -> int:
        """The number of the plan's embedder; all its vectors must have one size."""
        sizes = {len(item.vector) for item in self._plan.indexed if item.vector and not item.keep_vector}
        if not sizes:
            return 0
        if len(sizes) > 1:
            raise vectors.wrong_size(self._plan.embedder, max(sizes), min(sizes))
        return vectors.new_embedder(self._db, self._plan.embedder, sizes.pop())


def _named(plan: Plan) -> Iterable[str]:
    """Every memory that the plan names, once."""
    names = dict.fromkeys([memory.id for memory in plan.puts])
    names.update(dict.fromkeys(plan.reads))
    names.update(dict.fromkeys([item.id for item in plan.indexed]))
    names.update(dict.fromkeys(plan.purges))
    names.update(dict.fromkeys([weight.memory for weight in plan.weights]))
    return names


def columns(row: int, memory: Memory) -> tuple[object, ...]:
    """What a memory is listed by."""
    return (
        row,
        memory.id,
        memory.version,
        memory.layer,
        memory.kind,
        memory.status,
        f",{','.join(sorted(memory.marks))}," if memory.marks else "",
        memory.entity_type,
        memory.session,
        micros(memory.created_at),
        memory.access_count,
        None if memory.accessed_at is None else micros(memory.accessed_at),
    )


def weighed(row: int, weight: WeightChange) -> tuple[object, ...]:
    """A line of the weight log as it is stored."""
    factors = write_json(dict(weight.factors))
    return (row, micros(weight.at), weight.old_weight, weight.new_weight, weight.reason, factors)
