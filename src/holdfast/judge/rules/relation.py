"""How a new statement stands to a stored one: duplicate, refines, negates, corrects, time_change, distinct.

The pair is laid side by side, its figures are weighed, and the likeliest relation is answered; but a relation
that retires the stored one (negates, corrects) must be likely enough and meet no objection. An abstaining
mistake costs little, a wrongly retired memory much: what is unsure comes out as distinct or time_change.
"""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.judge.rules.features import features
from holdfast.judge.rules.lexicon import table
from holdfast.judge.rules.pair import Pair, pair
from holdfast.judge.rules.text import fold
from holdfast.judge.rules.weights import chances, speaking_for
from holdfast.ports.judge import Related, Relation

# How likely a relation that retires something must be. Over eight folds of our own pairs these give a precision
# of 0.94 and 0.96 at a recall of 0.85 and 0.79 (bench/judgement_pairs/README.md).
SURE = {Relation.NEGATES: 0.6, Relation.CORRECTS: 0.62}
# A correction without any word of change, correction or end says less: it must be likelier.
SURE_UNCUED = 0.75
_UNLINKED = 0.45  # calibrated similarity below which two statements are hardly about the same thing
_REASONS = 3

_BETWEEN = re.compile(r"[\W_]+")


@lru_cache(maxsize=4096)
def relation(old: str, new: str, similarity: float | None = None) -> Related:
    """How `new` stands to `old`; `similarity` is the embedder's, calibrated, where the caller has it."""
    a, b = (_BETWEEN.sub("", fold(text)) for text in (old, new))
    if a == b:
        return Related(Relation.DUPLICATE, 1.0, ("the same words",), _slot(pair(old, new)))
    if not a or not b:
        return Related(Relation.DISTINCT, 1.0, ("one of them says nothing",))
    laid = pair(old, new)
    figures = features(laid, similarity)
    likely = chances(figures)
    label = max(likely, key=likely.__getitem__)
    objection = _objection(label, likely[label], figures, similarity=similarity)
    if objection is None:
        return Related(label, round(likely[label], 3), _reasons(figures, label), _slot(laid))
    stands = max((Relation.DISTINCT, Relation.TIME_CHANGE), key=likely.__getitem__)
    return Related(
        stands, round(max(0.5, likely[stands]), 3), (objection, *_reasons(figures, stands)), _slot(laid)
    )


def _slot(laid: Pair) -> str | None:
    return laid.slots[0] if laid.slots else None


def _objection(
    label: Relation, chance: float, figures: dict[str, float], *, similarity: float | None
) -> str | None:
    """Why the relation must not be answered though the figures say so; nothing where it may be."""
    if label in {Relation.DUPLICATE, Relation.REFINES}:
        return _other_thing(figures, exact=label is Relation.DUPLICATE)
    if label not in SURE:
        return None
    cued = any(figures[cue] for cue in ("correction", "change", "ended", "topic_flip", "turned_no", "turned_yes"))
    if chance < (SURE[label] if cued else SURE_UNCUED):
        return f"too unsure to say it {label}"
    if figures["label_differs"] or (figures["topic_contrast"] and not cued):
        return "they begin with two things of one kind"
    if not _linked(figures) and (similarity is None or similarity < _UNLINKED):
        return "nothing links the two"
    if label is Relation.NEGATES and not _says_no(figures):
        return "nothing in it takes the old one back"
    return None


def _other_thing(figures: dict[str, float], *, exact: bool) -> str | None:
    """Identifiers are compared exactly (row A3): likeness makes no two of them one."""
    if figures["label_differs"] or (figures["code_differs"] and not figures["code_same"]):
        return "they are about two identifiers"
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
