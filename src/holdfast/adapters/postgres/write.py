"""A plan into rows: everything that `SpaceStore.apply` does between BEGIN and COMMIT.

The space is locked first; what the plan relies on is checked, then all is written, the ledger's entry and
its anchor last. Whatever is raised on the way rolls everything back.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres import queue, vectors
from holdfast.adapters.postgres.index import known
from holdfast.errors import NotFound, StaleWrite
from holdfast.model import ledger
from holdfast.model.codec import decode_image, encode_capture, encode_image, micros, write_json
from holdfast.model.ledger import SALT_BYTES
from holdfast.model.plan import Touched

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.adapters.postgres.pool import Db
    from holdfast.model.memory import Capture, Memory
    from holdfast.model.plan import Entry, Plan, WeightChange

_SQL = statements(__package__, "space.sql")


def apply(db: Db, plan: Plan, space: str) -> Entry:
    """Writes the plan; the transaction is the caller's."""
    writing = Writing(db, plan, space)
    writing.check()
    touched = writing.put()
    writing.index()
    touched += [writing.purge(id) for id in plan.purges]
    captured = [writing.capture(capture) for capture in plan.captures]
    captured += [writing.drop(id) for id in plan.drops]
    writing.weigh()
    queue.enqueue(db, plan.jobs)
    return writing.close(touched, captured)


class Writing:
    """One plan on its way into the tables."""

    def __init__(self, db: Db, plan: Plan, space: str) -> None:
        self._db = db
        self._plan = plan
        # After the lock, so that what the others wrote is seen.
        locked, head = db.send(_SQL["lock"]), db.send(_SQL["head"])
        changed = db.send(_SQL["change"], plan.change)
        self._known = known(db, _named(plan))
        ((self._seen,),) = locked.fetchall()
        ((number, hash, self._last_row),) = head.fetchall()
        self._applied = bool(changed.fetchall())
        self._head = ledger.Anchor(number, hash) if number else ledger.Anchor(0, ledger.genesis(space))
        self._sequence = self._seen + bool(plan.puts or plan.indexed or plan.purges)
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
        if self._applied:
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
        self._db.many(_SQL["put_memory"], listed)
        self._db.many(_SQL["put_version"], versions)
        return touched

    def index(self) -> None:
        """The index rows, and their vectors: those of a row that changed are gone, whoever made them."""
        number = self._embedder()
        images, rows, bare = [], [], []
        fresh: dict[int, bytes] = {}
        for item in self._plan.indexed:
            row = self._row(item.id, "indexed")
            never = item.vector == b"" and not item.keep_vector
            images.append((row, self._sequence, never, item.record, item.words, item.keep_vector))
            rows.append(row)
            if not item.keep_vector:
                fresh.pop(row, None)
                if item.id in self._before:
                    bare.append(row)
                if item.vector:
                    fresh[row] = item.vector
        if rows:
            self._db.many(_SQL["put_image"], images)
            self._db.send(_SQL["put_back"], rows)
        if bare:
            self._db.send(_SQL["erase_vectors"], bare)
        if fresh:
            vectors.write(self._db, number, fresh)

    def purge(self, id: str) -> Touched:
        """Takes the words out of every version, and everything made of them away."""
        row = self._row(id, "purges")
        for version, body in self._db.rows(_SQL["bodies"], row):
            rest = encode_image(ledger.shredded(decode_image(body)))
            self._db.send(_SQL["shred_version"], row, version, rest)
        self._db.send(_SQL["shred_memory"], row)
        self._db.send(_SQL["put_purge"], row, self._head.number + 1)
        if self._db.rows(_SQL["drop_image"], row):
            self._db.send(_SQL["put_removed"], row, self._sequence)
        self._db.send(_SQL["erase_vectors"], [row])
        return Touched(id, self._version(id), self._version(id), "")

    def capture(self, capture: Capture) -> Touched:
        """Into quarantine."""
        if self._db.rows(_SQL["has_capture"], capture.id):
            raise StaleWrite(f"there is a capture {capture.id!r} already; make a new id")
        salt, body = os.urandom(SALT_BYTES), encode_capture(capture)
        self._db.send(_SQL["put_capture"], capture.id, salt, body)
        return Touched(capture.id, 0, 1, ledger.digest(salt, body))

    def drop(self, id: str) -> Touched:
        """Out of quarantine."""
        if not self._db.rows(_SQL["drop_capture"], id):
            raise NotFound(f"drops: there is no capture {id!r} in quarantine")
        return Touched(id, 1, 0, "")

    def weigh(self) -> None:
        """The weight log."""
        number = self._head.number + 1
        self._db.many(
            _SQL["put_weight"],
            [
                (self._row(weight.memory, "weights"), number, place, *weighed(weight))
                for place, weight in enumerate(self._plan.weights)
            ],
        )

    def close(self, touched: list[Touched], captured: list[Touched]) -> Entry:
        """The ledger's entry, its anchor, and the new sequence."""
        link = ledger.link(self._plan, self._head, tuple(touched), captures=tuple(captured))
        entry = link.entry
        self._db.send(_SQL["put_entry"], entry.number, entry.change, link.canonical, entry.hash)
        self._db.send(_SQL["set_state"], self._sequence, entry.number, entry.hash)
        return entry

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
            return vectors.NOBODY
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
        str(memory.layer),
        memory.kind,
        str(memory.status),
        [str(mark) for mark in sorted(memory.marks)],
        memory.entity_type,
        memory.session,
        micros(memory.created_at),
        memory.access_count,
        None if memory.accessed_at is None else micros(memory.accessed_at),
    )


def weighed(weight: WeightChange) -> tuple[object, ...]:
    """A line of the weight log as it is stored."""
    factors = write_json(dict(weight.factors))
    return (micros(weight.at), weight.old_weight, weight.new_weight, weight.reason, factors)
