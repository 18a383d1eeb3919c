"""What a pair of statements shows, in figures: the evidence the relation is judged by.

A figure is 0 when the pair shows nothing of it; most are 0 or 1, shares lie between. `pair` lays the two
texts side by side, `content_figures`, `told_figures` and `manner_figures` look at one side of them each,
and the figures at the end of this file are what two of those say only together. Which figure speaks for
which relation is learnt (`weights/relation.json`, written by bench/judgement_pairs/train_relation.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.judge.rules import content_figures, manner_figures, told_figures

if TYPE_CHECKING:
    from holdfast.judge.rules.pair import Pair

_GROUPS = (
    content_figures.words,
    content_figures.contrasts,
    content_figures.swaps,
    told_figures.values,
    told_figures.persons,
    manner_figures.polarity,
    manner_figures.change,
    manner_figures.time,
    manner_figures.slots,
)


def features(p: Pair, similarity: float | None = None) -> dict[str, float]:
    """Every figure of the pair by name; `similarity` is calibrated, and may be unknown."""
    figures: dict[str, float] = {}
    for group in _GROUPS:
        figures.update(group(p))
    figures.update(_cues_together(figures))
    figures.update(_values_together(figures))
    figures.update(_meaning(figures, similarity))
    return figures


def _cues_together(f: dict[str, float]) -> dict[str, float]:
    past_now, changed = f["past_to_now"], max(f["change"], f["correction"])
    stranger = max(f["subject_new"], f["subject_gone"])
    return {
        "ended_no_change": f["ended"] * (1 - f["change"]),
        "ended_and_change": f["ended"] * f["change"],
        "ended_on_topic": f["topic_ended"] * f["strong_kept"],
        "flip_on_topic": f["topic_flip"] * f["strong_kept"],
        "flip_no_past": f["topic_flip"] * (1 - past_now),
        "flip_no_state": f["topic_flip"] * (1 - f["old_state"]),
        "state_in_time": f["state_turned"] * past_now,
        "timed_state": f["both_timed"] * max(f["old_state"], f["new_state"], f["both_measured"]),
        "stranger_no_cue": stranger * (1 - f["change"]) * (1 - f["correction"]),
        "stranger_kept": stranger * f["old_covered"],
        "change_in_slot": f["change"] * f["slot_shared"],
        "change_same_subject": f["change"] * (1 - f["subject_differs"]),
        "one_and_cue": f["one_for_one"] * max(changed, f["new_now"]) * (1 - past_now),
        "name_and_cue": f["other_name"] * f["topic_kept"] * max(changed, f["new_now"]),
        "longer_covering": max(0.0, f["longer"]) * f["old_covered"],
        "covering_plain": f["old_covered"] * (1 - f["ended"]) * (1 - f["change"]) * (1 - f["topic_flip"]),
    }


def _values_together(f: dict[str, float]) -> dict[str, float]:
    past_now, changed = f["past_to_now"], max(f["change"], f["correction"])
    uncued = (1 - f["change"]) * (1 - f["correction"])
    other = max(f["same_sort"], f["other_name"])
    return {
        "timed_value": f["both_timed"] * f["number_differs"],
        "time_and_value": past_now * f["value_differs"],
        "value_in_slot": f["value_differs"] * f["slot_shared"] * (1 - past_now),
        "value_no_change": f["value_differs"] * uncued,
        "correction_value": f["correction"] * max(f["value_differs"], other, f["not_old_value"]),
        "sort_and_change": other * changed,
        "sort_no_change": max(f["same_sort"], f["same_tail"]) * uncued * (1 - f["ended"]),
        "swap_no_cue": f["swap_one"] * uncued * (1 - past_now),
        "same_both_ways": f["old_covered"] * f["new_covered"],
        "unlike": (1 - f["old_covered"]) * (1 - f["new_covered"]),
        "differs_parallel": f["subject_differs"] * f["parallel"],
        "code_parallel": f["code_differs"] * f["parallel"],
        "one_in_slot": f["one_for_one_late"] * f["slot_shared"] * (1 - f["many"]),
        "name_replaced": f["other_name"] * f["topic_kept"] * (1 - f["many"]),
        "many_and_sort": f["many"] * max(f["same_sort"], f["one_for_one"]),
        "contrast_no_cue": f["topic_contrast"] * uncued,
        "not_old_and_new": f["not_old_value"] * float(f["new_left"] >= 1),
        "added_covering": f["value_added"] * f["old_covered"],
    }


# Of calibrated similarity (behaviour.md): below, hardly about the same thing; above, the same slot again.
_FAR, _NEAR = 0.45, 0.85


def _meaning(f: dict[str, float], similarity: float | None) -> dict[str, float]:
    if similarity is None:
        return dict.fromkeys(("near_known", "near", "far", "very_near", "near_parallel"), 0.0)
    return {
        "near_known": 1.0,
        "near": similarity,
        "far": float(similarity < _FAR),
        "very_near": float(similarity > _NEAR),
        "near_parallel": similarity * f["parallel"],
    }
