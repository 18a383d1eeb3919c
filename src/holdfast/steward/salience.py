"""What time and mentions do to a memory: the face of this room's salience. Pure throughout.

`formulas` are the curves, `weighing` the weight at a time, `transitions` what a mention, a doubt or a
correction changes, `matrix` which of them happens.
"""

from __future__ import annotations

from holdfast.steward.decay import Fate, fate
from holdfast.steward.formulas import NEVER, days_since
from holdfast.steward.matrix import (
    MATRIX,
    Action,
    State,
    Trigger,
    decide,
    next_level,
    on_batch,
    on_correction,
    on_mention,
    on_negation,
    on_time,
    strategy,
)
from holdfast.steward.transitions import (
    balanced,
    boosted,
    correct,
    is_frequent,
    kept,
    mentioned,
    negate,
    reaffirm,
    version_kept,
)
from holdfast.steward.verify import to_verify
from holdfast.steward.weighing import (
    FORMULAS,
    Traces,
    confidence_now,
    heat,
    importance_now,
    is_protected,
    kind_weight,
    needs_verification,
    traces,
    weigh,
    weight,
    weight_change,
)

__all__ = [
    "FORMULAS",
    "MATRIX",
    "NEVER",
    "Action",
    "Fate",
    "State",
    "Traces",
    "Trigger",
    "balanced",
    "boosted",
    "confidence_now",
    "correct",
    "days_since",
    "decide",
    "fate",
    "heat",
    "importance_now",
    "is_frequent",
    "is_protected",
    "kept",
    "kind_weight",
    "mentioned",
    "needs_verification",
    "negate",
    "next_level",
    "on_batch",
    "on_correction",
    "on_mention",
    "on_negation",
    "on_time",
    "reaffirm",
    "strategy",
    "to_verify",
    "traces",
    "version_kept",
    "weigh",
    "weight",
    "weight_change",
]
