"""Data files as cases: what is stored, in order, and what is asked of it. One reader a format.

A case is one space. `locomo`: a conversation a line. `memdaily`: a trajectory a line, or one file pooled.
`households`: constitution, facts, sessions. `plain`: {"id", "profile", "memories": [{"id", "content", …}],
"queries": [{"q", "expect": [ids], "group", "at"}]}, for data of one's own.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from holdfast.errors import InvalidInput
from holdfast.profile.schema import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Query:
    """One question: keys of what answers it, the group it is counted in, and when it is asked."""

    text: str
    expect: tuple[str, ...]
    group: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One space's worth: (key, fields for remember) in order, and the queries."""

    name: str
    profile: str
    items: tuple[tuple[str, Mapping[str, Any]], ...]
    queries: tuple[Query, ...]
    constitution: tuple[str, ...] = ()
    at: datetime | None = None


@dataclass(slots=True)
class _Pool:
    items: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    queries: list[Query] = field(default_factory=list)


def read(path: Path, form: str, *, pool: bool = False) -> list[Case]:
    """The cases of a file; InvalidInput where it cannot be read as that format."""
    readers: dict[str, Callable[[Iterable[dict[str, Any]]], Iterator[Case]]] = {
        "locomo": _locomo,
        "memdaily": _memdaily_pooled if pool else _memdaily,
        "households": _households,
        "plain": _plain,
    }
    if form not in readers:
        raise InvalidInput("format", f"is {form!r}", f"give one of {', '.join(readers)}")
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        cases = list(readers[form](lines))
    except OSError as error:
        raise InvalidInput("data", f"{path} cannot be read ({error.strerror})", "name a JSONL file") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(
            "data", f"{path} is no {form} file ({error!r:.200})", "see docs/benchmarks.md"
        ) from None
    if not any(case.queries for case in cases):
        raise InvalidInput(
            "data", f"{path} holds no question that names its answer", "see docs/benchmarks.md"
        )
    return cases


# --- LoCoMo ------------------------------------------------------------------------------------------
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


def _locomo(lines: Iterable[dict[str, Any]]) -> Iterator[Case]:
    for number, line in enumerate(lines, 1):
        talk = line["conversation"]
        items: list[tuple[str, Mapping[str, Any]]] = []
        end = datetime(1970, 1, 1, tzinfo=UTC)
        for session in _sessions(talk):
            start = _began(talk.get(f"{session}_date_time"), end)
            for place, turn in enumerate(talk[session]):
                end = start + timedelta(seconds=30 * place)
                said = _turn(turn, session, end)
                if said["content"].strip():
                    items.append((turn["dia_id"], said))
        keys = {key for key, _ in items}
        queries = tuple(_questions(line["qa"], keys, end + timedelta(days=1)))
        yield Case(str(line.get("sample_id", number)), "assistant", tuple(items), queries)


def _began(written: str | None, before: datetime) -> datetime:
    """When a session began; a day after the one before it where that is not written."""
    try:
        return datetime.strptime(str(written), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        return before + timedelta(days=1)


def _sessions(talk: Mapping[str, Any]) -> list[str]:
    names = [name for name in talk if re.fullmatch(r"session_\d+", name) and talk[name]]
    return sorted(names, key=lambda name: int(name.split("_")[1]))


def _turn(turn: Mapping[str, Any], session: str, at: datetime) -> dict[str, Any]:
    caption = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return {
        "content": (turn.get("text") or "") + caption,
        "speaker": turn["speaker"],
        "session": session,
        "at": at,
        "layer": "episode",
        "kind": "event",
    }


def _questions(qa: Iterable[Mapping[str, Any]], keys: set[str], at: datetime) -> Iterator[Query]:
    for item in qa:
        named = [re.sub(r"^D:?(\d+):(\d+)$", r"D\1:\2", key) for key in _evidence(item.get("evidence"))]
        expect = tuple(dict.fromkeys(key for key in named if key in keys))
        if expect and item.get("question"):
            group = CATEGORIES.get(item.get("category", 0), str(item.get("category")))
            yield Query(item["question"], expect, group, at)


def _evidence(evidence: Any) -> list[str]:
    """Ids of turns, from a list or a text; some are written together, some wrongly."""
    return re.findall(r"D:?\d+:\d+", evidence if isinstance(evidence, str) else json.dumps(evidence))


# --- MemDaily ----------------------------------------------------------------------------------------
def _memdaily(lines: Iterable[dict[str, Any]]) -> Iterator[Case]:
    for line in lines:
        pool = _Pool()
        _trajectory(line, pool)
        yield Case(line["id"], "assistant", tuple(pool.items), tuple(pool.queries))


def _memdaily_pooled(lines: Iterable[dict[str, Any]]) -> Iterator[Case]:
    pools: dict[str, _Pool] = {}
    for line in lines:
        _trajectory(line, pools.setdefault(line["id"].split("/")[0], _Pool()))
    for name, pool in pools.items():
        yield Case(name, "assistant", tuple(pool.items), tuple(pool.queries))


def _trajectory(line: Mapping[str, Any], pool: _Pool) -> None:
    name = line["id"]
    keys: set[str] = set()
    for message in line["message_list"]:
        said = {
            "content": message["message"],
            "session": name,
            "at": _written(message.get("time")),
            "layer": "episode",
            "kind": "event",
            "metadata": {"place": message.get("place") or ""},
        }
        if said["content"].strip():
            keys.add(f"{name}#{message['mid']}")
            pool.items.append((f"{name}#{message['mid']}", said))
    for asked in line["question_list"]:
        named = [f"{name}#{mid}" for mid in asked.get("target_step_id") or ()]
        expect = tuple(key for key in dict.fromkeys(named) if key in keys)
        if expect and asked.get("question"):
            at = _written(asked.get("time"))
            pool.queries.append(Query(asked["question"], expect, name.split("/")[0], at))


def _written(time: Any) -> datetime | None:
    """None where no time is written, or none that there is."""
    try:
        return datetime(*[int(part) for part in re.findall(r"\d+", str(time))[:5]], tzinfo=UTC)  # type: ignore[misc,arg-type]
    except (TypeError, ValueError):
        return None


# --- households --------------------------------------------------------------------------------------
def _households(lines: Iterable[dict[str, Any]]) -> Iterator[Case]:
    for line in lines:
        now = datetime.fromisoformat(line["now"]).replace(tzinfo=UTC)
        items = [(fact["id"], _fact(fact, now)) for fact in line["facts"]]
        items += [(session["id"], _summary(session, now)) for session in line["sessions"]]
        items.sort(key=lambda item: item[1]["at"])
        queries = tuple(
            Query(asked["q"], expect, f"{line['lang']}", now)
            for asked in line["queries"]
            if (expect := tuple(key for key in asked["expect"] if not re.fullmatch(r"c\d+", key)))
            and asked["layer"] in ("fact", "session", "mixed")
        )
        yield Case(line["id"], "care", tuple(items), queries, tuple(line.get("constitution", ())), now)


def _fact(fact: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    at = now - timedelta(days=fact["days_ago"])
    kind = {"kind": fact["kind"]} if fact.get("kind") in KINDS else {}  # else the judge says
    return {"content": fact["content"], "at": at, "layer": "fact", **kind}


def _summary(session: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    hour, minute = (int(part) for part in session["time"].split(":"))
    day = now - timedelta(days=session["days_ago"])
    return {
        "content": session["summary"],
        "kind": "event",
        "at": min(now, day.replace(hour=hour, minute=minute)),
        "layer": "episode",
    }


# --- one's own ---------------------------------------------------------------------------------------
def _plain(lines: Iterable[dict[str, Any]]) -> Iterator[Case]:
    for number, line in enumerate(lines, 1):
        items = tuple((str(m["id"]), {k: v for k, v in m.items() if k != "id"}) for m in line["memories"])
        queries = tuple(
            Query(q["q"], tuple(map(str, q["expect"])), str(q.get("group", "all")), _moment(q.get("at")))
            for q in line["queries"]
        )
        name = str(line.get("id", number))
        constitution = tuple(line.get("constitution", ()))
        yield Case(name, line.get("profile", "assistant"), items, queries, constitution)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
