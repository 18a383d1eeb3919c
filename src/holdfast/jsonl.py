"""A whole space as lines of JSON, and back: lossless both ways, between engines and machines (B8).

The first line names the space, the last says how many lines there were and their digest; between them stand
the pieces of `ports.dump`. What was sealed stays sealed, its key wrapped. Lines are made and taken singly.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import asdict, fields, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from holdfast.errors import Damaged, InvalidInput
from holdfast.model.codec import decode_entry, micros, moment, write_json
from holdfast.model.plan import Job, WeightChange
from holdfast.model.space import SpaceRecord
from holdfast.ports.dump import Captured, Kept, Link, Parked, Version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from holdfast.ports.dump import Piece
    from holdfast.ports.store import SpaceStore

FORMAT = 1
WAY_OUT = "give all lines of an export, as they are"


def told(store: SpaceStore) -> Iterator[str]:
    """The lines of a space, without line ends, in one snapshot."""
    made, count = sha256(), 0
    for line in _body(store):
        made.update(line.encode() + b"\n")
        count += 1
        yield line
    yield write_json({"end": count, "digest": made.hexdigest()})


def _body(store: SpaceStore) -> Iterator[str]:
    record = store.record  # read before the dump: the anchor may lag, never lead
    space = {**asdict(record), "created_at": micros(record.created_at)}
    yield write_json({"holdfast": FORMAT, "space": space})
    for piece in store.dump():
        name, write, _ = _WAYS[type(piece)]
        yield write_json({name: write(piece)})


def read(lines: Iterable[str], *, name: str, id: str) -> tuple[SpaceRecord, Iterator[Piece]]:
    """The record of a copy and its pieces. The pieces raise where lines are missing, added or changed:
    whoever takes them takes all, or nothing.
    """
    coming = _parsed(lines)
    _, head = next(coming, ("", {}))
    if head.get("holdfast") != FORMAT or not isinstance(head.get("space"), dict):
        raise InvalidInput("line 1", f"is not the head of an export of format {FORMAT}", WAY_OUT)
    known = {f.name for f in fields(SpaceRecord)}
    try:
        told = {key: value for key, value in head["space"].items() if key in known}
        record = SpaceRecord(**{**told, "created_at": moment(told["created_at"])})
    except (TypeError, KeyError, OverflowError) as error:
        raise InvalidInput("line 1", f"does not describe a space ({error})", WAY_OUT) from None
    copy = replace(record, id=id, name=name or record.name, origin=record.lineage)
    return copy, _pieces(coming)


def _parsed(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each line with its number; what is behind the last one, and a last one that does not agree, raise."""
    made, ended = sha256(), False
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        if ended:
            raise InvalidInput(f"line {number}", "stands behind the end", WAY_OUT)
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InvalidInput(f"line {number}", f"is not JSON ({error})", WAY_OUT) from None
        if not isinstance(found, dict):
            raise InvalidInput(f"line {number}", "is no object", WAY_OUT)
        ended = "end" in found
        if ended and (found["end"], found.get("digest")) != (number - 1, made.hexdigest()):
            raise Damaged(f"the lines before line {number} are not those that were exported")
        made.update(text.encode("utf-8", "surrogatepass") + b"\n")
        if not ended:
            yield number, found
    if not ended:
        raise Damaged("the end of the export is missing")


def _pieces(coming: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[Piece]:
    readers = {name: read for name, _, read in _WAYS.values()}
    for number, found in coming:
        name, value = next(iter(found.items()), ("", None))
        if len(found) != 1 or name not in readers:
            raise InvalidInput(f"line {number}", f"tells of {name!r:.80}, which nobody knows", WAY_OUT)
        try:
            yield readers[name](value)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError) as error:
            raise InvalidInput(f"line {number}", f"is no {name} ({error})", WAY_OUT) from None


def _bytes(value: bytes | None) -> str | None:
    return None if value is None else b64encode(value).decode()


def _raw(value: str | None) -> bytes | None:
    return None if value is None else b64decode(value, validate=True)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a {type(value).__name__} stands where text should be")
    return value


def _link(link: Link) -> list[Any]:
    return [link.canonical, link.entry.hash]


def _read_link(value: Any) -> Link:
    canonical, hash = value
    return Link(decode_entry(_text(canonical), _text(hash)), canonical)


def _kept(kept: Kept) -> dict[str, Any]:
    return {
        "id": kept.id,
        "versions": [[v.number, v.entry, micros(v.at), _bytes(v.salt), v.body] for v in kept.versions],
        "access_count": kept.access_count,
        "accessed_at": None if kept.accessed_at is None else micros(kept.accessed_at),
        "weights": [_weight(weight) for weight in kept.weights],
        "index": None if kept.index is None else [_bytes(part) for part in kept.index],
        "vectors": {name: _bytes(vector) for name, vector in kept.vectors.items()},
        "never": kept.never,
    }


def _weight(weight: WeightChange) -> list[Any]:
    return [
        micros(weight.at), weight.old_weight, weight.new_weight, weight.reason, dict(weight.factors)
    ]  # fmt: skip


def _read_kept(value: Mapping[str, Any]) -> Kept:
    id, at, index = value["id"], value["accessed_at"], value["index"]
    return Kept(
        id=_text(id),
        versions=tuple(
            Version(int(number), int(entry), moment(at), _raw(salt), _text(body))
            for number, entry, at, salt, body in value["versions"]
        ),
        access_count=int(value["access_count"]),
        accessed_at=None if at is None else moment(at),
        weights=tuple(
            WeightChange(
                memory=id,
                at=moment(at),
                old_weight=float(old),
                new_weight=float(new),
                reason=_text(reason),
                factors=dict(factors),
            )
            for at, old, new, reason, factors in value["weights"]
        ),
        index=None if index is None else (b64decode(index[0]), b64decode(index[1])),
        vectors={name: b64decode(vector) for name, vector in value["vectors"].items()},
        never=bool(value["never"]),
    )


def _captured(captured: Captured) -> list[Any]:
    return [_bytes(captured.salt), captured.body]


def _read_captured(value: Any) -> Captured:
    salt, body = value
    return Captured(b64decode(salt), _text(body))


def _parked(parked: Parked) -> dict[str, Any]:
    job = parked.job
    told = {f.name: getattr(job, f.name) for f in fields(Job)}
    return {**told, "run_at": micros(job.run_at), "failed": parked.failed}


def _read_parked(value: Mapping[str, Any]) -> Parked:
    told = {f.name: value[f.name] for f in fields(Job)}
    return Parked(Job(**{**told, "run_at": moment(value["run_at"])}), failed=bool(value["failed"]))


# Kind of piece → its name in a line, how it is written, how it is read.
_WAYS: dict[type, tuple[str, Callable[[Any], Any], Callable[[Any], Piece]]] = {
    Link: ("link", _link, _read_link),
    Kept: ("memory", _kept, _read_kept),
    Captured: ("capture", _captured, _read_captured),
    Parked: ("job", _parked, _read_parked),
}
