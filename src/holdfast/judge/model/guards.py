"""What of a model's answer may stand: each takes what was said beside what the rules say of the same. Pure.

A model may add caution and never take any away; it may point at words, and only at words that stand there.
What cannot stand raises ValueError, and the rules answer instead.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from holdfast.judge.model.schemas import SURE
from holdfast.judge.model.shown import COVER
from holdfast.judge.rules.extraction import KINDS
from holdfast.judge.rules.findings import CONFIDENCE
from holdfast.judge.rules.relation import TWO_THINGS
from holdfast.judge.rules.text import fold, is_chinese, language, scripts, words
from holdfast.ports.judge import (
    Classified,
    Finding,
    Named,
    Related,
    Relation,
    Sensitivity,
    Turn,
    Verdict,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Said = dict[str, Any]

WHY_MOST = 200
SECRET = 3  # E14
_LEAST_QUOTE = 4  # characters, as for the rules
_RETIRES = frozenset({Relation.NEGATES, Relation.CORRECTS})
_ONE = _RETIRES | {Relation.DUPLICATE, Relation.REFINES}
# Where the rules see two things, a model that sees one is believed so far: under `judge_confidence` of every
# preset, so that nothing is retired for it and a person is asked, where there is one.
DOUBTED = 0.5
_NUMBER = re.compile(r"\d+(?:[.:/-]\d+)*")
_LINK = re.compile(r"https?://\S+|www\.\S+|\S+@\S+\.\w+")


def reasons(said: Said) -> tuple[str, ...]:
    """Why, on one line that is no longer than a line should be."""
    seen = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in said.get("why", ""))
    why = " ".join(seen.split())
    return (why[:WHY_MOST],) if why else ()


def relation(said: Said, by_rules: Related, texts: tuple[str, str]) -> Related:
    """Two identifiers, or two people, are never one for being alike (A3), whatever a model says."""
    label = Relation(said["label"])
    sure = _share(said)
    if label in _ONE and by_rules.label not in _RETIRES and _two_things(by_rules, texts):
        if label not in _RETIRES:
            raise ValueError("it takes two things for one")
        sure = min(sure, DOUBTED)
    return Related(label, sure, reasons(said), by_rules.slot)


def _two_things(by_rules: Related, texts: tuple[str, str]) -> bool:
    """Whether the rules see two things, or both name codes (RM05-008) and none in common."""
    one, other = ({word.text for word in words(text) if word.kind == "code"} for text in texts)
    return bool(TWO_THINGS.intersection(by_rules.reasons) or (one and other and not one & other))


def extract(said: Said, turns: Sequence[Turn]) -> tuple[Finding, ...]:
    """Only words of the user's turns, each once, in order; what is covered, vague or too short is dropped."""
    found: dict[tuple[int, int], Finding] = {}
    for each in said["findings"]:
        quote = each["quote"].strip()
        at = _stands(quote, turns)
        if at is None or len(quote) < _LEAST_QUOTE or COVER in quote:
            continue
        turn, start = at
        if any(other.turn == turn and quote in other.quote for other in found.values()):
            continue
        kind = each["type"]
        found[turn, start] = Finding(kind, quote, turn, CONFIDENCE[kind], KINDS[kind], ("a model chose it",))
    if said["findings"] and not found:
        raise ValueError("none of its quotes stands in the conversation")
    return tuple(found[place] for place in sorted(found))


def _stands(quote: str, turns: Sequence[Turn]) -> tuple[int, int] | None:
    for number, turn in enumerate(turns):
        if turn.role not in ("assistant", "system", "tool") and (start := turn.text.find(quote)) >= 0:
            return number, start
    return None


def sensitivity(said: Said, by_rules: Sensitivity, text: str) -> Sensitivity:
    """Never lower than the rules found, and with all their spans; a secret only where it points at one."""
    places = {(text.find(quote), len(quote)) for quote in said["quotes"] if quote.strip()}
    named = {(start, start + length, "named by a model") for start, length in places if start >= 0}
    level = said["level"] if named else min(said["level"], SECRET - 1)
    if level <= by_rules.level:
        return by_rules
    told = (*by_rules.reasons, *reasons(said), f"raised from {by_rules.level} by a model")
    return Sensitivity(level, told, tuple(sorted(named | set(by_rules.spans))))


def poison(said: Said, by_rules: Verdict) -> Verdict:
    """Held where either holds it."""
    if by_rules.holds or not said["holds"]:
        return by_rules
    return Verdict(True, max(by_rules.score, _share(said)), reasons(said) or ("a model says so",))


def consistent(said: Said) -> Verdict:
    """`score` is how sure the text is consistent, as the rules give it."""
    sure = _share(said)
    return Verdict(said["holds"], round(sure if said["holds"] else 1 - sure, 3), reasons(said))


def shaped(said: Said) -> Verdict:
    return Verdict(said["holds"], _share(said) if said["holds"] else 1 - _share(said), reasons(said))


def classify(said: Said, by_rules: Classified) -> Classified:
    """What the rules call medical stays so, since a person has to see it (M3); slots are compared by name, so
    the rules name them.
    """
    if by_rules.kind == "medical" and said["kind"] != "medical":
        return by_rules
    tags = tuple(sorted({*said["tags"], *(tag for tag in by_rules.tags if tag == "promise")}))
    return replace(by_rules, kind=said["kind"], tags=tags, confidence=_share(said), reasons=())


def entities(said: Said, by_rules: Sequence[Named], text: str) -> tuple[Named, ...]:
    """What the rules found, and what else stands there; where two overlap the rules' stands."""
    found = list(by_rules)
    for each in said["entities"]:
        value = each["value"].strip()
        start = text.find(value)
        end = start + len(value)
        if not value or start < 0 or COVER in value:
            continue
        if all(end <= other.start or other.end <= start for other in found):
            found.append(Named(each["type"], value, start, end))
    return tuple(sorted(found, key=lambda one: one.start))


def summary(said: Said, texts: Sequence[str], limit: int) -> str:
    """In the language of what it sums up, no longer than asked, with no number or address of its own."""
    told = " ".join(said["summary"].split())
    if not told or len(told) > limit:
        raise ValueError(f"its summary has {len(told)} characters")
    like(told, texts, counted=len(texts))
    return told


def like(said: str, sources: Sequence[str], *, counted: int = 0) -> None:
    """ValueError where words say what their sources do not: in another language or script, a number, an
    address, something covered.
    """
    whole = "\n".join(sources)
    if COVER in said:
        raise ValueError("it repeats what was covered")
    if is_chinese(said) != is_chinese(whole):
        raise ValueError("it is in another language")
    traditional, simplified = scripts(said)
    if is_chinese(whole) and (simplified if language(whole) == "zh-Hant" else traditional):
        raise ValueError("it is in another script")
    known = {fold(number) for number in _NUMBER.findall(fold(whole))} | {str(counted)}
    known |= {part for number in known for part in re.findall(r"\d+", number)}
    for number in _NUMBER.findall(fold(said)):
        if number not in known:
            raise ValueError("it holds a number that nobody said")
    for link in _LINK.findall(said):
        if link not in whole:
            raise ValueError("it holds an address that nobody said")


def operations(said: Said, ids: Sequence[str], sources: Sequence[str]) -> str:
    """A line each. Short names become the ids that were shown; one that was not stays as it is, to be refused
    by whoever carries them out.
    """
    lines = list(_lines(said, ids, sources))
    if said["operations"] and not lines:
        raise ValueError("nothing of its operations can stand")
    return "\n".join(lines) or "[SKIP]"


def _lines(said: Said, ids: Sequence[str], sources: Sequence[str]) -> Iterator[str]:
    shown = {f"m{place}": id for place, id in enumerate(ids, 1)}
    for each in said["operations"]:
        told = " ".join(each["words"].split())
        id = shown.get(each["id"], " ".join(each["id"].split()))
        if each["op"] in ("boost", "delete"):
            yield f"[{each['op'].upper()}:{id}]"
            continue
        try:
            like(told or COVER, sources)
        except ValueError:
            continue
        yield f"[ADD] {told}" if each["op"] == "add" else f"[UPDATE:{id}] {told}"


def decision(said: Said) -> str:
    """The reason, which can give no order of its own, and the decision."""
    why = " ".join(reasons(said)).translate({ord("["): "(", ord("]"): ")"})
    wanted = " ".join(said["words"].split()).translate({ord("["): "(", ord("]"): ")"})[:WHY_MOST]
    if said["decision"] == "search":
        if not wanted:
            raise ValueError("it searches for nothing")
        return f"[SEARCH:{wanted}]"
    return f"{why}\n[{said['decision'].upper()}]".strip()


def _share(said: Said) -> float:
    return SURE[said["confidence"]]
