"""A whole space of the reference store: proved, told as pieces, and made of pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.reference.rows import Row, Rows, Version, Waiting, fits
from holdfast.model import codec, ledger
from holdfast.ports import dump

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def verified(rows: Rows, lineage: str, anchor: ledger.Anchor) -> ledger.ChainReport:
    """Recomputes the chain, and every after-image that it speaks of."""
    chain = ledger.Chain(ledger.Anchor(0, ledger.genesis(lineage)), anchor)
    versions = 0
    for entry in chain.follow((e, codec.encode_entry(e).encode()) for e in rows.entries):
        for touched in entry.touched:
            if touched.before != touched.after:
                versions += 1
                history = rows.history.get(touched.id, ())[touched.after - 1 : touched.after]
                version = history[0] if history else None
                body = codec.encode_image(version.memory) if version else None
                chain.image(entry, touched, salt=version.salt if version else None, body=body)
        for touched in entry.captures:
            if touched.after and touched.id in rows.quarantine:
                capture, salt = rows.quarantine[touched.id]
                chain.image(entry, touched, salt=salt, body=codec.encode_capture(capture))
    return chain.report(_left_over(rows, versions))


def _left_over(rows: Rows, versions: int) -> Iterator[str]:
    """What stands in no entry."""
    stored = sum(len(history) for history in rows.history.values())
    if stored != versions:
        yield f"there are {stored:,} versions of memories, the ledger tells of {versions:,}"
    kept = {touched.id: touched.after for entry in rows.entries for touched in entry.captures}
    if set(rows.quarantine) != {id for id, after in kept.items() if after}:
        yield f"there are {len(rows.quarantine):,} captures in quarantine, the ledger tells of others"


def dumped(rows: Rows) -> list[dump.Piece]:
    """Everything, in the order of `ports.dump`."""
    links = [dump.Link(entry, codec.encode_entry(entry)) for entry in rows.entries]
    made = {
        (touched.id, touched.after): entry.number
        for entry in rows.entries
        for touched in entry.touched
        if touched.before != touched.after
    }
    kept = [_kept(rows, id, made) for id in sorted(rows.numbers, key=rows.numbers.__getitem__)]
    captured = [
        dump.Captured(salt, codec.encode_capture(capture))
        for _, (capture, salt) in sorted(rows.quarantine.items())
    ]
    parked = [dump.Parked(waiting.job, waiting.failed) for _, waiting in sorted(rows.jobs.items())]
    return [*links, *kept, *captured, *parked]


def _kept(rows: Rows, id: str, made: dict[tuple[str, int], int]) -> dump.Kept:
    row, (count, at) = rows.index.get(id), rows.accesses[id]
    return dump.Kept(
        id=id,
        versions=tuple(
            dump.Version(
                number, made[id, number], version.at, version.salt, codec.encode_image(version.memory)
            )
            for number, version in enumerate(rows.history[id], 1)
        ),
        access_count=count,
        accessed_at=at,
        weights=tuple(weight for weight in rows.weights if weight.memory == id),
        index=(row.record, row.words) if row else None,
        vectors=row.vectors if row else {},
        never=row is not None and row.never,
    )


def loaded(pieces: Iterable[dump.Piece]) -> Rows:
    """What the pieces tell, its sequence anew."""
    rows = Rows(sequence=1)
    for piece in pieces:
        match piece:
            case dump.Link():
                rows.entries += (piece.entry,)
            case dump.Kept():
                _keep(rows, piece)
            case dump.Captured():
                capture = codec.decode_capture(piece.body)
                rows.quarantine[capture.id] = (capture, piece.salt)
            case dump.Parked():
                rows.jobs[piece.job.id] = Waiting(piece.job, failed=piece.failed)
    return rows


def _keep(rows: Rows, kept: dump.Kept) -> None:
    id, number = kept.id, len(rows.numbers) + 1
    rows.numbers[id] = number
    rows.accesses[id] = (kept.access_count, kept.accessed_at)
    rows.history[id] = tuple(Version(codec.decode_image(v.body), v.at, v.salt) for v in kept.versions)
    rows.weights += kept.weights
    if kept.index:
        for embedder, vector in kept.vectors.items():
            fits(rows, embedder, vector)
        record, words = kept.index
        rows.index[id] = Row(number, rows.sequence, record, words, dict(kept.vectors), kept.never)
