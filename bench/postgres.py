"""A house on PostgreSQL, against a bare pgvector query for the same vector and filter, in one run.

`python -m bench postgres [--data FOLDER]`: warm and cold recall in a space of 1,000 among many, what the
index finds of the exact top 10 in a large space of real texts, and whether writes survive a killed server.
A server of its own is started and ended; it does not sync to the disk, which no figure here is about.
"""

from __future__ import annotations

import argparse
import json
import threading
from pathlib import Path
from random import Random as Dice
from time import perf_counter, sleep

import numpy as np
import psycopg
from psycopg_pool import ConnectionPool

from bench.cost import Random, Silent, drafts, queries, vectors
from holdfast import Holdfast, Settings
from holdfast.adapters.postgres import PostgresStore
from holdfast.bench.scores import percentile
from holdfast.errors import HoldfastError
from holdfast.model.plan import Listing
from holdfast.ports.index import Filter, Point
from holdfast.testing.clock import ManualClock
from holdfast.testing.samples import Samples
from holdfast.testing.servers.postgres import PostgresServer
from holdfast.wire import Own

EACH = 1_000
BEST = 5  # memories asked for
EVERY = Listing(limit=20)
WITHIN = 20  # spaces that are asked in
OPERATIONS = 20_000
TABLES = ("memory", "version", "image", "vector", "embedder", "entry")
SERVER = {"shared_buffers": "1GB", "max_wal_size": "8GB", "maintenance_work_mem": "1GB"}


def main() -> None:
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--spaces", type=int, default=1_000)
    asking.add_argument("--large", type=int, default=100_000)
    asking.add_argument("--operations", type=int, default=OPERATIONS)
    asking.add_argument("--data", type=Path, default=None)
    options = asking.parse_args()
    with PostgresServer(SERVER) as server:
        measured = {"crowd": crowd(server, options.spaces)}
        if options.data is not None and options.data.is_dir():
            measured["large"] = large(server, options.data, options.large)
        measured["killed"] = killed(server, options.operations)
    print(json.dumps(measured))


def crowd(server: PostgresServer, most: int) -> dict:
    """Recall in spaces of 1,000, with a tenth of all spaces there and with all."""
    url, embedder = server.fresh(), Random()
    own = Own(embedder=embedder, judge=Silent(), settings=Settings(image_mib=4096))
    measured = {}
    with Holdfast(url, own) as hf:
        hf.space("s0", profile="assistant").remember_many(drafts(EACH, 1))
        there = 1
        for count in (max(most // 10, WITHIN * 2), most):
            copied(server, url, there, count)
            there = count
            measured[f"{count} spaces"] = asked(hf, url, embedder, count)
    return measured


def copied(server: PostgresServer, url: str, there: int, count: int) -> None:
    """More spaces like the first; its rows under other numbers, and once more for the bare query."""
    superuser = server.url(url.rpartition("/")[2], user="postgres")
    with psycopg.connect(superuser, autocommit=True) as db:
        db.execute("SET search_path = public, holdfast")
        (first,) = db.execute("SELECT number FROM space WHERE name = 's0'").fetchone()
        db.execute(
            "CREATE TABLE IF NOT EXISTS public.bare "
            "(space bigint, id bigint, content text, v vector(512) STORAGE PLAIN)"
        )
        for number in range(there, count):
            (new,) = db.execute(
                "INSERT INTO space (id, name, profile, profile_text, created_at, user_factor, embedder) "
                "SELECT id || %s, 's' || %s, profile, profile_text, created_at, user_factor, embedder "
                "FROM space WHERE number = %s RETURNING number",
                (f"-{number}", str(number), first),
            ).fetchone()
            db.execute(
                "INSERT INTO state SELECT %s, sequence, 0, '' FROM state WHERE space = %s", (new, first)
            )
            for table in TABLES:
                alike(db, table, first, new)
        rows = vectors(np.random.default_rng(5), EACH)
        with db.cursor() as cursor:
            cursor.execute("CREATE TEMP TABLE one (id bigint, content text, v vector(512))")
            said = [draft["content"] for draft in drafts(EACH, 1)]
            cursor.executemany(
                "INSERT INTO one VALUES (%s, %s, %s)",
                [(place, *both) for place, both in enumerate(zip(said, map(told, rows), strict=True))],
            )
        db.execute(
            f"INSERT INTO public.bare SELECT space, one.* FROM generate_series({there}, {count}) space, one"
        )
        db.execute("CREATE INDEX IF NOT EXISTS bare_space ON public.bare (space)")
        db.execute("GRANT SELECT ON public.bare TO PUBLIC")
        db.execute("VACUUM ANALYZE")


def alike(db: psycopg.Connection, table: str, first: int, new: int) -> None:
    """The rows of one space once more, under the number of another."""
    columns = "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 ORDER BY attnum"
    names = [name for (name,) in db.execute(columns, (f"holdfast.{table}",))]
    rest = ", ".join(names[1:])
    db.execute(
        f"INSERT INTO holdfast.{table} (space, {rest}) "
        f"SELECT {new}, {rest} FROM holdfast.{table} WHERE space = {first}"
    )


def told(row: np.ndarray) -> str:
    return f"[{','.join(map(str, row.tolist()))}]"


def asked(hf: Holdfast, url: str, embedder: Random, count: int) -> dict:
    """Bare, warm and cold in turn, so that a busy moment hits all. Both sides take a pooled connection
    of the same user and hand out what the best memories say; the bare query's vector is written beforehand.
    """
    texts, dice = queries(embedder), Dice(3)
    numbers = dice.sample(range(1, count), WITHIN)
    bare, warm, cold = [], [], []
    with ConnectionPool(url, min_size=1, kwargs={"autocommit": True}) as pool:
        spaces = [hf.space(f"s{number}") for number in numbers]
        for space in spaces:
            text = dice.choice(texts)
            cold.append(timed(lambda space=space, text=text: space.recall(text, limit=BEST)))
        for _ in range(15):
            for number, space in zip(numbers, spaces, strict=True):
                text = dice.choice(texts)
                vector = told(embedder.of[text])
                bare.append(timed(lambda n=number, vector=vector: found(pool, n, vector)))
                warm.append(timed(lambda space=space, text=text: space.recall(text, limit=BEST)))
    bar = percentile(bare, 0.5)
    return {
        "bare p50 ms": round(bar, 3),
        "warm p50 ms": round(percentile(warm, 0.5), 3),
        "warm / bare": round(percentile(warm, 0.5) / bar, 2),
        "cold p50 ms": round(percentile(cold, 0.5), 1),
        "cold / bare": round(percentile(cold, 0.5) / bar, 1),
        "memories": count * EACH,
    }


def found(pool: ConnectionPool, space: int, vector: str) -> list:
    """The bare query: what an application writes that keeps texts and vectors in one table."""
    find = "SELECT id, content FROM bare WHERE space = %s ORDER BY v <=> %s::vector LIMIT %s"
    with pool.connection() as db:
        return db.execute(find, (space, vector, BEST)).fetchall()


def timed(action) -> float:
    start = perf_counter()
    action()
    return (perf_counter() - start) * 1000


def large(server: PostgresServer, data: Path, size: int) -> dict:
    """How many of the exact top 10 the index finds among real texts, and how fast."""
    from holdfast.adapters.embed.use import UseEmbedder
    from holdfast.ports.embedder import IDENTITY

    lines = texts_of(data, size + 200)
    rows = UseEmbedder(IDENTITY).embed(lines).astype("<f4")
    held, wanted = rows[: len(rows) - 200], rows[-200:]
    when, store = ManualClock().now(), PostgresStore(server.fresh())
    store.create(Samples(1).record("large"))
    id = store.spaces()[0].id
    plain = {"stamp": 1, "layer": "fact", "kind": "fact", "created_at": when, "updated_at": when}
    points = (
        Point(id=f"{n:07}", vector=row.tobytes(), status="active" if n % 4 else "archived", **plain)
        for n, row in enumerate(held)
    )
    start = perf_counter()
    store.index.feed(id, "use", puts=points, gone=(), sequence=1)
    fed = perf_counter() - start
    active, times, found, filtered = np.arange(len(held)) % 4 != 0, [], 0, 0
    for one in wanted:
        near = held @ one
        exact = {f"{n:07}" for n in np.argsort(-near)[:10]}
        among = {f"{n:07}" for n in np.flatnonzero(active)[np.argsort(-near[active])[:10]]}
        vector, only = one.tobytes(), Filter(statuses=frozenset({"active"}))
        start = perf_counter()
        got = store.index.search(id, "use", vector=vector, limit=10)
        times.append((perf_counter() - start) * 1000)
        found += len(exact & {hit.id for hit in got})
        got = store.index.search(id, "use", vector=vector, limit=10, filter=only)
        filtered += len(among & {hit.id for hit in got})
    store.close()
    return {
        "memories": len(held),
        "fed a second": round(len(held) / fed),
        "of the exact top 10": round(found / 10 / len(wanted), 4),
        "of the exact top 10 under a filter": round(filtered / 10 / len(wanted), 4),
        "p50 ms": round(percentile(times, 0.5), 2),
    }


def texts_of(data: Path, most: int) -> list[str]:
    """Texts of the benchmarks, each once; then pairs and threes of neighbours, until there are enough."""
    plain: dict[str, None] = {}
    for file in sorted((data / "retrieval").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            collect(json.loads(line), plain)
    lines = list(plain)
    for width in (2, 3, 4, 5):
        lines += [" ".join(lines[at : at + width]) for at in range(len(plain) - width)]
        if len(lines) >= most:
            break
    Dice(1).shuffle(lines)
    return lines[:most]


def collect(value: object, into: dict[str, None]) -> None:
    if isinstance(value, str):
        if 12 <= len(value) <= 2_000:
            into[value] = None
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            collect(one, into)


def killed(server: PostgresServer, operations: int) -> dict:
    """A mixed load of threads in several spaces, the server killed and started again and again meanwhile."""
    store = PostgresStore(server.fresh())
    records = Samples(9)
    spaces = [store.open(store.create(records.record(f"k{n}"))) for n in range(4)]
    kept: list[dict[str, None]] = [{} for _ in spaces]
    lost, kills, over = [], 0, threading.Event()

    def load(number: int) -> None:
        samples, space = Samples(100 + number), spaces[number]
        for step in range(operations // len(spaces)):
            try:
                if step % 3 == 2:
                    strangers = [
                        m.id
                        for m in space.list(EVERY)
                        if m.content and not m.content.startswith(f"{number}:")
                    ]
                    lost.extend(strangers)
                    continue
                memory = samples.memory(content=f"{number}: {step}")
                space.apply(samples.plan(memory))
            except HoldfastError:
                sleep(0.02)
            else:
                kept[number][memory.id] = None

    threads = [threading.Thread(target=load, args=(number,)) for number in range(len(spaces))]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        over.wait(2.0)
        server.kill()
        server.start()
        kills += 1
    missing = sum(len(known) - len(space.get(list(known))) for known, space in zip(kept, spaces, strict=True))
    chains = [space.verify().ok for space in spaces]
    store.close()
    return {
        "operations": operations,
        "kills": kills,
        "acknowledged": sum(map(len, kept)),
        "lost": missing,
        "of another space": len(lost),
        "chains hold": all(chains),
    }


if __name__ == "__main__":
    main()
