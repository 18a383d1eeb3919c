"""A profile: every number of a memory policy, as data. Formulas and rules are named from closed lists.

Each class is one table of the TOML file and each field one key; an unknown key or name is an error.
The defaults are those of `assistant`. Row numbers are those of docs/behaviour.md: where a figure comes from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Importance I of each kind (behaviour.md, Kind): how much it matters and how slowly it fades.
KINDS: Mapping[str, float] = MappingProxyType(
    {
        "identity": 1.5,
        "medical": 1.5,
        "preference": 1.3,
        "relation": 1.3,
        "skill": 1.2,
        "decision": 1.2,
        "fact": 1.1,
        "place": 1.1,
        "bugfix": 1.1,
        "event": 1.0,
        "refactor": 1.0,
        "interest": 0.9,
        "discovery": 0.9,
        "temporary": 0.8,
        "note": 0.8,
    }
)

# Closed lists: the names a profile may choose from. Each is looked up in one dict where it acts.
WEIGHT_FORMULAS = ("weight", "importance", "none")  # E-rows, C5, always 1
RANKINGS = ("relevance", "heat", "weight", "verified", "importance")  # assistant/team, A4, E13, M11, C5
CONFLICT_RULES = ("strategy", "verified", "confidence")  # E11, M9, A3
STRATEGIES = ("latest_wins", "version_keep", "weight_balance")  # E11
STRATEGY_OF_KIND = MappingProxyType({"preference": "version_keep", "interest": "version_keep"})  # E11
LOW_GRADES = ("logged", "pending", "accepted")
FALLBACKS = ("none", "layered")  # M11


HOT = MappingProxyType({"zh": "⚡️ 临时上下文", "en": "⚡️ temporary context"})  # P6
VERIFIED = MappingProxyType({"zh": "已验证", "en": "verified"})  # P6
UNVERIFIED = MappingProxyType({"zh": "待核实", "en": "needs verification"})  # M4


@dataclass(frozen=True, slots=True, kw_only=True)
class Admit:
    """[admit]: who is graded, who waits for a person, what is turned away (M3, B9)."""

    accept: float = 0.3
    pending: float = 0.0
    low: str = "pending"  # what happens below `pending`
    graded: tuple[str, ...] = ("agent",)  # roles bound by the grades
    waiting: tuple[str, ...] = ()  # roles whose writes always wait
    waiting_kinds: tuple[str, ...] = ()  # kinds that wait when a graded role writes them
    agent_layers: tuple[str, ...] = ("fact", "episode", "session")
    auto_approved: bool = False  # mark what a grade let in without a person
    max_chars: int = 20_000
    classify: bool = True  # ask the judge for the kind where it is unsaid
    poison: bool = True  # ask the judge; what gives orders goes to quarantine (B9)
    guard_constitution: bool = False  # refuse what contradicts the constitution (M9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconcile:
    """[reconcile]: duplicates, conflicts, versions (A2, A3, E8, E11, M9)."""

    related: float = 0.60  # asked of the judge from here (Similarity: about the same thing)
    merge: float = 0.75
    same: float = 0.85  # says the same slot again
    candidates: int = 5
    conflict: str = "strategy"
    default: str = "latest_wins"
    strategies: Mapping[str, str] = field(default_factory=lambda: STRATEGY_OF_KIND)
    uncertain_below: float = 0.5  # a correction less sure than this leaves both alive (weight_balance)
    judge_confidence: float = 0.6  # below it, a relation that retires something becomes a question (pending)
    source_cap: float = 0.99  # noisy-or of independent sources, at most (A2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Salience:
    """[salience]: what time and mentions do to a weight (E1–E8, E11, C5, M4)."""

    formula: str = "weight"
    alpha: float = 0.01
    boost: float = 0.5
    boost_decay: float = 0.05
    penalty_floor: float = 0.3
    penalty_decay: float = 0.01
    negation_drop: float = 0.7
    momentum: float = 0.3
    momentum_rate: float = 0.5
    recent_days: float = 3.0
    frequent_mentions: int = 3
    frequent_hours: float = 24.0
    frequent_boost: float = 0.3
    frequent_momentum: float = 0.2
    weight_min: float = 0.01
    weight_max: float = 2.0
    version_cap: float = 0.2
    user_factor: float = 1.0
    importance: float = 1.5
    importance_boost: float = 0.3
    importance_decay: float = 0.95
    importance_grace_days: float = 7.0
    episode_decay: float = 0.95  # C2: of what is in the episode layer
    core_at: float = 3.0
    review_below: float = 0.5
    delete_below: float = 0.3
    confidence_decay: float = 1.0
    verify_below: float = 0.5
    verify_per_day: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Compress:
    """[compress]: when passive time makes a memory shorter, and what is merged (E9, E15). 0 days: never."""

    summary_days: float = 30.0  # times I
    trace_days: float = 90.0  # times I
    trace_weight: float = 0.3
    archive_days: float = 180.0
    archive_weight: float = 0.25
    general_factor: float = 2.0  # sensitivity 1 compresses at this many times the age (E14)
    keep_from: int = 2  # from this sensitivity on nothing is compressed or merged (E9, E14)
    batch: int = 3  # so many that say the same are summarised (E9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Constitution:
    """[constitution]: what is always there (M1, M2)."""

    max_entries: int = 20
    max_chars: int = 200
    confirmations: int = 3
    restore_days: float = 7.0
    recheck_days: float = 1.0
    token_minutes: float = 60.0  # how long an unfinished change can be confirmed


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """[session]: working memory and its gate (M6, P2)."""

    hours: float = 24.0
    keep: int = 10_000
    min_confidence: float = 0.0
    min_bytes: int = 0
    consistent: bool = False  # ask the judge whether the text contradicts itself
    editable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """[recall]: the way out (A4, E13, M11, P6)."""

    limit: int = 5
    layers: tuple[str, ...] = ("fact", "episode", "session")
    ranking: str = "relevance"
    fallback: str = "none"
    normal_weight: float = 0.01
    review_weight: float = 0.01
    vector: float | None = None  # weights of the two arms where a document names them; None: as measured
    words: float | None = None
    min_similarity: float = 0.0  # of the vector arm (M11)
    good_similarity: float = 0.7
    enough: int = 3
    few: int = 2
    latest: int = 3
    session_days: float = 7.0
    hot: int = 0  # newest of working memory, beside the limit (P6)
    overfetch: int = 2
    min_confidence: float = 0.0
    relevance_share: float = 0.4  # A4
    heat_share: float = 0.3
    heat_full: int = 100
    fresh_share: float = 0.3
    fresh_days: float = 365.0
    salience: float = 0.1  # how far the weight re-orders what is relevant
    verified_boost: float = 0.0  # recently verified first (M11)
    exact_names: bool = True  # layer 1 of M11


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBudget:
    """[context]: tokens of a prompt (M12)."""

    budget: int = 4000
    constitution: int = 500
    fact: int = 2000
    session: int = 500
    question: int = 500
    reserve: int = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """[labels]: what people read beside a hit, per language (P6, M4)."""

    hot: Mapping[str, str] = field(default_factory=lambda: HOT)
    verified: Mapping[str, str] = field(default_factory=lambda: VERIFIED)
    unverified: Mapping[str, str] = field(default_factory=lambda: UNVERIFIED)
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A complete policy. `digest` is kept with every change made under it."""

    name: str
    description: str = ""
    kinds: Mapping[str, float] = field(default_factory=lambda: KINDS)
    default_kind: str = "fact"
    default_layer: str = "fact"
    authors: tuple[str, ...] = ()  # who may author an observation (M10); empty: anyone
    denied: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # role → rights taken away
    admit: Admit = Admit()
    reconcile: Reconcile = Reconcile()
    salience: Salience = Salience()
    compress: Compress = Compress()
    constitution: Constitution = Constitution()
    session: Session = Session()
    recall: Recall = Recall()
    context: ContextBudget = ContextBudget()
    labels: Labels = Labels()
    digest: str = ""
