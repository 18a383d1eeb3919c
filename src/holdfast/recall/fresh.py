"""Index rows of an older format, packed anew in memory from the truth, until `repair` writes them anew."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.ports.store import Vectors
from holdfast.recall import indexing, record, wording

if TYPE_CHECKING:
    from holdfast.ports.store import Batch, SpaceStore


def freshened(batch: Batch, store: SpaceStore) -> Batch:
    """The batch with every row in today's format; the same object where nothing is stale."""
    if wording.all_fresh(batch.words) and record.all_fresh(batch.records):
        return batch
    stale = [place for place, packed in enumerate(batch.words) if not wording.all_fresh([packed])]
    stale += [place for place, packed in enumerate(batch.records) if not record.all_fresh([packed])]
    memories = store.get([batch.ids[place] for place in set(stale)])
    records, words = list(batch.records), list(batch.words)
    gone = set()
    for place in set(stale):
        memory = memories.get(batch.ids[place])
        if memory is None:
            gone.add(place)  # purged since the batch was read; the next difference says so too
            continue
        records[place], words[place] = record.pack(memory), indexing.packed_words(memory)
    kept = [place for place in range(len(batch.ids)) if place not in gone]
    return replace(
        batch,
        rows=[batch.rows[place] for place in kept],
        ids=[batch.ids[place] for place in kept],
        records=[records[place] for place in kept],
        words=[words[place] for place in kept],
        vectors=Vectors.of(batch.vectors[place] for place in kept),
        access_counts=[batch.access_counts[place] for place in kept],
        accessed=[batch.accessed[place] for place in kept],
    )
