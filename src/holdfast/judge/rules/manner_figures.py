"""Figures of how a pair speaks: polarity, change, time and slots. `features` gathers them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.judge.rules.align import ANSWERED
from holdfast.judge.rules.pair import Pair, fresh
from holdfast.judge.rules.polarity import Sign, clause_signs
from holdfast.judge.rules.slots import kinds

if TYPE_CHECKING:
    from holdfast.judge.rules.statement import Statement

_CAP = 3  # counts above say no more


def polarity(p: Pair) -> dict[str, float]:
    old, new = p.old.cues, p.new.cues
    b = clause_signs(p.new.text)
    old_denied = any(sign.denied for sign in clause_signs(p.old.text))
    new_denied = any(sign.denied for sign in b)
    on_topic = _on_topic(p, b)
    topic_denied = any(sign.denied for sign in on_topic)
    ended = bool(fresh(p, "cessation"))
    topic_ended = ended and any(sign.ended for sign in on_topic)
    # 打算辞职, then 辞职的念头打消了: the end that both tell of is the topic, and no no of the old one.
    told_again = ended and all(word in p.new.folded for word in old["cessation"])
    old_no = old_denied or bool(old["dislike"]) or bool(old["cessation"] and not told_again)
    new_no = topic_denied or topic_ended or bool(new["dislike"])
    return {
        "old_denied": float(old_denied),
        "new_denied": float(new_denied),
        "new_denied_all": float(bool(b) and all(sign.denied for sign in b)),
        "flip": float(old_denied != new_denied),
        "topic_denied": float(topic_denied),
        "topic_ended": float(topic_ended),
        "topic_flip": float(bool(on_topic) and old_denied != topic_denied),
        "double_no": float(len(new["negation"]) + len(new["negative_verb"]) >= 2 and not new_denied),
        "ended": float(ended),
        "ended_twice": float(len(fresh(p, "cessation")) > 1),
        "old_ended": float(bool(old["cessation"])),
        "never": float(bool(fresh(p, "never"))),
        "like_to_dislike": float(bool(old["like"] and new["dislike"] and not old["dislike"])),
        "dislike_to_like": float(bool(old["dislike"] and new["like"] and not new["dislike"])),
        "both_dislike": float(bool(old["dislike"] and new["dislike"])),
        "both_denied": float(old_denied and new_denied),
        "no_for_yes": float(old_denied and not new_denied),
        "both_no": float(old_no and new_no),
        "turned_no": float(new_no and not old_no),
        "turned_yes": float(old_no and not new_no),
    }


def _on_topic(p: Pair, signs: tuple[Sign, ...]) -> list[Sign]:
    """The clauses of new that speak of what old spoke of, and the one after each (topic put first)."""
    shared_places = [
        unit.start for unit, score in zip(p.new.units, p.alignment.new_best, strict=True) if score >= ANSWERED
    ]
    chosen: list[Sign] = []
    for index, sign in enumerate(signs):
        if any(sign.start <= place < sign.end for place in shared_places):
            chosen.extend(signs[index : index + 2])
    return chosen


def change(p: Pair) -> dict[str, float]:
    answered = zip(p.new.units, p.alignment.new_best, strict=True)
    recalled = any(score >= 0.4 and _said_no_to(p.new.folded, unit.start) for unit, score in answered)
    told = {value.norm for value in p.old.values}
    recalled |= any(v.norm in told and _said_no_to(p.new.folded, v.start) for v in p.new.values)
    return {
        "change": float(bool(fresh(p, "change"))),
        "change_twice": float(len(fresh(p, "change")) > 1),
        "old_change": float(bool(p.old.cues["change"])),
        "correction": float(bool(fresh(p, "correction"))),
        "not_old_value": float(recalled),
        "detail": min(_CAP, len(p.new.cues["detail"])) / _CAP,
        "summary": float(bool(p.new.cues["summary"])),
        "clauses": min(4, len(clause_signs(p.new.text))) / 4,
    }


_NO_TO = re.compile(
    r"(?:不[是叫在姓]|并非|而非|没在|(?:not|n't|never|than|instead of)(?: (?:the|a|an|in|at|on|from|my))?) ?$"
)


def _said_no_to(folded: str, place: int) -> bool:
    """Whether what stands at `place` is said no to by the word before: "not Clover", 不是咪咪."""
    return bool(_NO_TO.search(folded[max(0, place - 16) : place]))


def time(p: Pair) -> dict[str, float]:
    old = {name: bool(found) for name, found in p.old.cues.items()}
    new = {name: bool(found) for name, found in p.new.cues.items()}
    timed = [_timed(p.old), _timed(p.new)]
    turned = (old["bad"] and new["good"]) or (old["good"] and new["bad"])
    return {
        "old_past": float(old["past"]),
        "new_now": float(new["now"]),
        "new_past": float(new["past"]),
        "old_now": float(old["now"]),
        "past_to_now": float(old["past"] and new["now"]),
        "both_timed": float(all(timed) and not old["routine"] and not new["routine"]),
        "old_timed": float(timed[0]),
        "new_timed": float(timed[1]),
        "old_routine": float(old["routine"]),
        "new_routine": float(new["routine"]),
        "old_state": float(old["bad"] or old["good"]),
        "new_state": float(new["bad"] or new["good"]),
        "state_turned": float(turned),
        "both_measured": float(old["measure"] and new["measure"]),
        "both_whereabouts": float(old["whereabouts"] and new["whereabouts"]),
        "old_liked": float(old["like"]),
    }


def _timed(statement: Statement) -> bool:
    """Whether the statement is bound to a time."""
    dated = any(value.sort in {"date", "weekday", "time"} for value in statement.values)
    parts = any("part_of_day" in unit.sorts for unit in statement.units)
    return dated or parts or bool(statement.cues["past"]) or bool(statement.cues["now"])


def slots(p: Pair) -> dict[str, float]:
    found = kinds(p.slots)
    first = kinds(p.slots[:1])
    return {
        "slot_shared": float(bool(p.slots)),
        "slots_shared": min(_CAP, len(p.slots)) / _CAP,
        "slot_only_new": float(not p.slots and bool(p.new.slots)),
        "slot_only_old": float(not p.slots and bool(p.old.slots)),
        "slot_fixed": float("fixed" in found),
        "slot_chosen": float("chosen" in first),
        "slot_placed": float("placed" in first),
        "slot_loose": float("loose" in first),
    }
