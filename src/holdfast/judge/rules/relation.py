"""How a new statement stands to a stored one: duplicate, refines, negates, corrects, time_change, distinct.

The pair is laid side by side, its figures are weighed, and the likeliest relation is answered; but a relation
that retires the stored one (negates, corrects) must be likely enough and meet no objection. An abstaining
mistake costs little, a wrongly retired memory much: what is unsure comes out as distinct or time_change.
"""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.judge.rules.about import another_person, handed_on
from holdfast.judge.rules.features import features
from holdfast.judge.rules.lexicon import table
from holdfast.judge.rules.pair import Pair, pair
from holdfast.judge.rules.polarity import clause_signs
from holdfast.judge.rules.slots import kinds
from holdfast.judge.rules.text import LIMIT, fold
from holdfast.judge.rules.weighing import chances, speaking_for
from holdfast.ports.judge import Related, Relation

# How likely a relation that retires something must be. Over eight folds of our own pairs these give
# a precision of 0.92 and 0.97 at a recall of 0.84 and 0.80, before any objection below
# (bench/judgement_pairs/README.md).
SURE = {Relation.NEGATES: 0.63, Relation.CORRECTS: 0.65}
# A correction without any word of change, correction or end says less: it must be likelier.
SURE_UNCUED = 0.75
PLAIN = 0.8  # how likely a relation is held that needs no weighing: one sentence but for a no, or a value
_ALIKE = 0.5  # how far two sentences are word for word the same before a no alone decides
_UNLINKED = 0.45  # calibrated similarity below which two statements are hardly about the same thing
_REASONS = 3

OTHER_CODE = "they are about two identifiers"
OTHER_THING = "they begin with two things of one kind"
OTHER_PERSON = "it is about another person"
TWO_THINGS = frozenset({OTHER_CODE, OTHER_THING, OTHER_PERSON})
"""Objections that say the two statements are not about one thing."""

# Marks that say nothing; those within a number or identifier do (1.5, RM05-008).
_MARKS = re.compile(r"(?<![a-z0-9])[\W_]+|[\W_]+(?![a-z0-9])|(?<=\s)\s+")


@lru_cache(maxsize=4096)
def relation(old: str, new: str, similarity: float | None = None) -> Related:
    """How `new` stands to `old`; `similarity` is the embedder's, calibrated, where the caller has it."""
    a, b = (_MARKS.sub("", fold(text)) for text in (old, new))
    if a == b and (old == new or max(len(old), len(new)) <= LIMIT):
        return Related(Relation.DUPLICATE, 1.0, ("the same words",), _slot(pair(old, new)))
    if not a or not b:
        return Related(Relation.DISTINCT, 1.0, ("one of them says nothing",))
    laid = pair(old, new)
    figures = features(laid, similarity)
    likely = chances(figures)
    if (plain := plainly(figures, laid)) is not None and likely[plain] < PLAIN:
        likely = {each: (PLAIN if each is plain else (1 - PLAIN) * likely[each]) for each in likely}
    label = max(likely, key=likely.__getitem__)
    objection = _objection(label, likely[label], figures, similarity=similarity)
    if objection is None and _of_another(label, laid):
        objection = "it is about another person"
    if objection is None and label is Relation.NEGATES and _said_still(figures, laid):
        objection = "both say it is so"
    if objection is None and label is Relation.CORRECTS and _another_time(figures, laid):
        objection = "it may be told of another time"
    if objection is None:
        return Related(label, round(likely[label], 3), _reasons(figures, label), _slot(laid))
    stands = max((Relation.DISTINCT, Relation.TIME_CHANGE), key=likely.__getitem__)
    return Related(
        stands, round(max(0.5, likely[stands]), 3), (objection, *_reasons(figures, stands)), _slot(laid)
    )


def _slot(laid: Pair) -> str | None:
    return laid.slots[0] if laid.slots else None


def plainly(figures: dict[str, float], laid: Pair) -> Relation | None:
    """The relation of two that are one sentence but for a no, or but for what fills a single-valued slot."""
    others = ("subject_differs", "person_extra", "code_differs", "label_differs", "double_no")
    if any(figures[other] for other in others) or laid.old.cues["past"]:
        return None
    left = (*laid.old_left, *laid.new_left)
    strong = [unit for unit in left if unit.weight >= 1 and not unit.meanings & {"like", "hate"}]
    turned = figures["topic_flip"] or figures["like_to_dislike"] or figures["dislike_to_like"]
    both = figures["both_no"] or figures["both_dislike"]
    values = figures["value_differs"] or figures["value_more"]
    alike = figures["parallel"] >= _ALIKE and not strong and not values and not figures["both_timed"]
    if turned and alike and not both and laid.old.units:
        return Relation.NEGATES
    one_value = {"fixed", "chosen"} & kinds(laid.slots) or "residence" in laid.slots
    moved = "residence" in laid.slots and figures["subject_same"] and figures["name_replaced"]
    near = figures["very_parallel"] or (moved and figures["swap_last"] and figures["parallel"] >= _ALIKE)
    replaced = figures["swap_one"] and near and not figures["swap_first"]
    if one_value and replaced and not turned and not figures["many"]:
        return Relation.CORRECTS
    return None


def _objection(
    label: Relation, chance: float, figures: dict[str, float], *, similarity: float | None
) -> str | None:
    """Why the relation must not be answered though the figures say so; nothing where it may be."""
    if label in {Relation.DUPLICATE, Relation.REFINES}:
        return _other_thing(figures, exact=label is Relation.DUPLICATE)
    if label not in SURE:
        return None
    cued = any(
        figures[cue] for cue in ("correction", "change", "ended", "topic_flip", "turned_no", "turned_yes")
    )
    if chance < (SURE[label] if cued else SURE_UNCUED):
        return f"too unsure to say it {label}"
    if figures["label_differs"] or (figures["topic_contrast"] and not cued):
        return OTHER_THING
    if figures["subject_stranger"] and not (label is Relation.CORRECTS and figures["slot_chosen"]):
        return OTHER_PERSON
    if not _linked(figures) and (similarity is None or similarity < _UNLINKED):
        return "nothing links the two"
    if label is Relation.NEGATES and not _says_no(figures):
        return "nothing in it takes the old one back"
    return None


def _of_another(label: Relation, laid: Pair) -> bool:
    """Whether the relation would join what is said of two persons."""
    if label in {Relation.DISTINCT, Relation.TIME_CHANGE}:
        return False
    return another_person(laid) and not (label is Relation.CORRECTS and handed_on(laid))


# What is still so where it is said again, whatever else may not be done: 青霉素不能打，一打就过敏.
_TROUBLES = (
    (re.compile(r"过敏|\ballerg"), re.compile(r"过敏|\ballerg")),
    (
        re.compile(r"坏|故障|\bbroken\b|\bout of order\b"),
        re.compile(r"坏|故障|[用开动转亮响]不[了成]|\bbroken\b|\bout of order\b|(?:n't|not) work"),
    ),
)


def _said_still(figures: dict[str, float], laid: Pair) -> bool:
    """Whether both tell of one trouble, so that a no in the new one takes nothing back."""
    if any(figures[cue] for cue in ("never", "correction", "dislike_to_like")):
        return False
    return any(_holds(old, laid.old.text) and _holds(new, laid.new.text) for old, new in _TROUBLES)


def _holds(trouble: re.Pattern[str], text: str) -> bool:
    """Whether a clause tells of the trouble and denies neither it nor that it lasts."""
    folded = fold(text)
    return any(
        (found := trouble.search(folded, sign.start, sign.end)) is not None
        and ("不" in found[0] or "not" in found[0] or "n't" in found[0] or not (sign.denied or sign.ended))
        for sign in clause_signs(text)
    )


_STANDING = re.compile(r"是|为|\b(?:is|are|was)\b")
_DONE = re.compile(r"\b(?:lasted|took|ran)\b|[开跑走睡用花讲聊]了")
_CUES = ("correction", "change", "ended", "topic_flip", "turned_no", "turned_yes", "new_now")


def _another_time(figures: dict[str, float], laid: Pair) -> bool:
    """Whether another figure is only another reading (血压130, 血压145) or another doing (跑了5公里)."""
    done = figures["number_differs"] and all(_DONE.search(each.folded) for each in (laid.old, laid.new))
    placed = figures["slot_fixed"] or figures["slot_chosen"] or figures["slot_placed"]
    if not figures["value_differs"] or any(figures[cue] for cue in _CUES):
        return False
    if placed:
        return bool(done) and not figures["slot_fixed"]
    return bool(figures["both_measured"]) or not _STANDING.search(laid.old.folded)


def _other_thing(figures: dict[str, float], *, exact: bool) -> str | None:
    """Identifiers are compared exactly (row A3): likeness makes no two of them one."""
    if figures["label_differs"] or (figures["code_differs"] and not figures["code_same"]):
        return OTHER_CODE
    if exact and figures["value_differs"]:
        return "they give two values"
    if exact and figures["swap_one"] and figures["one_for_one"] and figures["very_parallel"]:
        return "they differ in one thing"
    return None


def _linked(figures: dict[str, float]) -> bool:
    """Whether the two have content, a value or a slot in common that makes them about one thing."""
    slot = (
        figures["slot_fixed"]
        or figures["slot_chosen"]
        or (figures["slot_placed"] and figures["subject_same"])
    )
    return bool(figures["strong_kept"] or figures["value_same"] or slot)


def _says_no(figures: dict[str, float]) -> bool:
    signs = (
        "turned_no",
        "turned_yes",
        "ended",
        "never",
        "flip",
        "topic_flip",
        "like_to_dislike",
        "correction",
    )
    return any(figures[sign] for sign in signs)


def _reasons(figures: dict[str, float], label: Relation) -> tuple[str, ...]:
    """The figures that speak loudest for the relation, in words."""
    phrases = table("reasons")
    spoken = [phrases[name] for name in speaking_for(figures, label) if name in phrases]
    return tuple(dict.fromkeys(spoken))[:_REASONS]
