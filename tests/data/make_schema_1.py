"""Makes `tests/data/schema_1`: a house as the first schema had it, which every later program must open.

Run once (`python tests/data/make_schema_1.py`); what it made is committed and stays as it is. It writes with
the first migration and plain SQL only, so that nothing a later program does finds its way in.
"""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.files import CATALOG, SPACE
from holdfast.model import codec, ledger
from holdfast.model.plan import Touched
from holdfast.testing.samples import Samples

if TYPE_CHECKING:
    from holdfast.model.memory import Memory

HOUSE = Path(__file__).parent / "schema_1"
CONTENTS = ("我喜欢喝咖啡", "奶奶的藥在左邊的抽屜", "The blue folder is on the shelf")
VECTOR_BYTES = 16


def main() -> None:
    shutil.rmtree(HOUSE, ignore_errors=True)
    (HOUSE / "spaces").mkdir(parents=True)
    samples, chance = Samples(1), random.Random(1)
    record = samples.record("家")
    memories = [samples.memory(content=content, kind="preference", session="早上") for content in CONTENTS]
    memories.append(replace(memories[0], version=2, content="我不喜欢喝咖啡了"))
    capture = samples.capture(content="原始输出 raw output")
    head = ledger.Anchor(0, ledger.genesis(record.id))
    space = made(HOUSE / "spaces" / f"{record.id}.db", SPACE)
    insert(space, "state", (1, record.id, record.name, 4, 0))
    captured, salt = codec.encode_capture(capture), chance.randbytes(16)
    insert(space, "quarantine", (capture.id, salt, captured))
    taken = (Touched(capture.id, 0, 1, ledger.digest(salt, captured)),)
    for number, memory in enumerate(memories, 1):
        salt, body = chance.randbytes(16), codec.encode_image(memory)
        row = number if memory.version == 1 else 1
        touched = Touched(memory.id, memory.version - 1, memory.version, ledger.digest(salt, body))
        link = ledger.link(samples.plan(), head, (touched,), captures=taken if number == 1 else ())
        head = ledger.Anchor(number, link.entry.hash)
        at = codec.micros(memory.created_at)
        insert(space, "entry", (number, link.entry.change, link.canonical, link.entry.hash))
        insert(space, "version", (row, memory.version, number, at, salt, body))
        if memory.version == 1:
            insert(space, "memory", columns(row, memory))
            insert(space, "image", (row, number, 1, b"record %d" % row, b"words %d" % row))
    space.execute("UPDATE memory SET version = 2 WHERE row = 1")
    insert(space, "embedder", (0, "old", VECTOR_BYTES))
    insert(space, "vector", (0, bytes(VECTOR_BYTES) + chance.randbytes(VECTOR_BYTES * 15)))
    insert(space, "weight", (1, 1, at, 1.0, 0.5, "mention", '{"C":0.5}'))
    insert(space, "job", ("job-1", "embed", "embed:1", '{"ids":["一"]}', at, 2, None, 0))
    finished(space)
    catalog = made(HOUSE / "catalog.db", CATALOG)
    insert(
        catalog,
        "space",
        (
            record.id,
            record.name,
            "assistant",
            record.profile_text,
            codec.micros(record.created_at),
            4,
            head.hash,
        ),
    )
    finished(catalog)


def made(path: Path, kind) -> apsw.Connection:
    db = apsw.Connection(str(path))
    db.execute(f"PRAGMA page_size = 1024; PRAGMA application_id = {kind.application}")
    _, script = kind.migrations()[0]
    db.execute(script)
    db.execute("PRAGMA user_version = 1")
    return db


def insert(db: apsw.Connection, table: str, values: tuple) -> None:
    db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)


def columns(row: int, memory: Memory) -> tuple:
    at = codec.micros(memory.created_at)
    listed = (str(memory.layer), memory.kind, str(memory.status), "", memory.entity_type, memory.session)
    return (row, memory.id, memory.version, *listed, at, 3, at)


def finished(db: apsw.Connection) -> None:
    db.execute("PRAGMA journal_mode = WAL").fetchall()
    db.close()


if __name__ == "__main__":
    main()
