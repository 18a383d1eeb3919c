"""A profile: every number of a memory policy, as data. Formulas and rules are named from closed lists.

Each class is one table of the TOML file and each field one key, with its meaning behind it (docs/profiles.md
is made of these comments); an unknown key or name is an error.
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
HEARD_AS = ("speaker", "agent")  # M3, M7


HOT = MappingProxyType({"zh": "⚡️ 临时上下文", "en": "⚡️ temporary context"})  # P6
VERIFIED = MappingProxyType({"zh": "已验证", "en": "verified"})  # P6
UNVERIFIED = MappingProxyType({"zh": "待核实", "en": "needs verification"})  # M4


@dataclass(frozen=True, slots=True, kw_only=True)
class Admit:
    """[admit]: who is graded, who waits for a person, what is turned away (M3, B9)."""

    accept: float = 0.3  # from this confidence on a graded role is believed (M3)
    pending: float = 0.0  # from here on it waits for a person (M3)
    low: str = "pending"  # what happens below `pending` (M3)
    graded: tuple[str, ...] = ("agent",)  # roles bound by the grades (M3)
    waiting: tuple[str, ...] = ()  # roles whose writes to long term always wait for a person (M3, P4)
    waiting_kinds: tuple[str, ...] = ()  # kinds that wait when a graded role writes them (M3)
    agent_layers: tuple[str, ...] = ("fact", "episode", "session")  # layers an agent may write to (M1, M14)
    auto_approved: bool = False  # mark what a grade let in without a person (M3)
    max_chars: int = 20_000  # the longest content
    classify: bool = True  # ask the judge for the kind where it is unsaid
    poison: bool = True  # ask the judge; what gives orders goes to quarantine (B9)
    guard_constitution: bool = False  # refuse what contradicts the constitution (M9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconcile:
    """[reconcile]: duplicates, conflicts, versions (A2, A3, E8, E11, M9)."""

    related: float = 0.60  # asked of the judge from here on: about the same thing (Similarity)
    merge: float = 0.75  # may be merged (E9, Similarity)
    same: float = 0.85  # says the same slot again (A3, Similarity)
    candidates: int = 5  # how many near ones the judge is asked about
    conflict: str = "strategy"  # who settles a conflict (E11, M9, A3)
    default: str = "latest_wins"  # the strategy of kinds not named below (E11)
    strategies: Mapping[str, str] = field(default_factory=lambda: STRATEGY_OF_KIND)  # kind → strategy (E11)
    uncertain_below: float = 0.5  # a correction less sure than this leaves both alive: weight_balance (E11)
    judge_confidence: float = 0.6  # a judge less sure than this retires nothing: it becomes a question (B10)
    source_cap: float = 0.99  # noisy-or of independent sources, at most (A2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Salience:
    """[salience]: what time and mentions do to a weight (E1–E8, E11, C5, M4)."""

    formula: str = "weight"  # how the weight is worked out (E1–E5, C5)
    alpha: float = 0.01  # how fast w_time falls (E1)
    boost: float = 0.5  # height of S at a mention (E2)
    boost_decay: float = 0.05  # how fast it falls, a day (E2)
    penalty_floor: float = 0.3  # where C of a doubt ends (E3)
    penalty_decay: float = 0.01  # how fast C moves, a day (E3)
    negation_drop: float = 0.7  # what a negation takes from C (E3, E8)
    momentum: float = 0.3  # what mentions add to M, at most (E4)
    momentum_rate: float = 0.5  # how fast they add it, a mention (E4)
    recent_days: float = 3.0  # how long a mention counts towards M (E4)
    frequent_mentions: int = 3  # so many sayings within the window are merged (E7)
    frequent_hours: float = 24.0  # the window (E7)
    frequent_boost: float = 0.3  # in place of boost (E7)
    frequent_momentum: float = 0.2  # added to M while the window lasts (E7)
    weight_min: float = 0.01  # W is never below
    weight_max: float = 2.0  # W is never above
    version_cap: float = 0.2  # W of a kept version, at most (E11)
    user_factor: float = 1.0  # U: 0.8 forgets slowly, 1.3 quickly; a space may have its own (E18)
    importance: float = 1.5  # where importance starts (C5)
    importance_boost: float = 0.3  # what shaping a reply adds (C4)
    importance_decay: float = 0.95  # what is left of importance, a day after the grace (C5)
    importance_grace_days: float = 7.0  # days without access before it fades (C2, C5)
    episode_decay: float = 0.95  # in place of importance_decay, for episodes (C2)
    core_at: float = 3.0  # from here on importance never fades (C5)
    review_above: float = 2.5  # reaching it from below is a reason to look at it: is it core? (C6)
    review_below: float = 0.5  # looked at again (C5, C6)
    delete_below: float = 0.3  # deleted, softly (C5)
    confidence_decay: float = 1.0  # what is left of confidence, a day since verified (M4)
    verify_below: float = 0.5  # needs verification (M4)
    verify_per_day: int = 5  # what a person is asked to verify in a day, at most (M4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compress:
    """[compress]: when passive time makes a memory shorter, and what is merged (E9, E15). 0 days: never."""

    summary_days: float = 30.0  # full → summary after so many days, times I (E15)
    trace_days: float = 90.0  # summary → trace, times I (E15)
    trace_weight: float = 0.3  # and W below this (E15)
    archive_days: float = 180.0  # trace → archive (E15)
    archive_weight: float = 0.25  # and W at or below this (E15)
    general_factor: float = 2.0  # sensitivity 1 compresses at this many times the age (E14)
    keep_from: int = 2  # from this sensitivity on nothing is compressed or merged (E9, E14)
    batch: int = 3  # so many that say the same are summarised (E9)
    summary_chars: int = 200  # the longest summary
    trace_chars: int = 60  # the longest trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """[retention]: when what was deleted or put away is gone for good (E16)."""

    deleted_days: float = 30.0  # what was forgotten can be restored for so long (E16)
    archived_days: float = 365.0  # an archived memory is kept at least so long (E16)
    delete_archived: bool = False  # whether it is deleted then; a space must ask for it (E16)
    expired_days: float = 30.0  # what expired is archived after so many days; 0: never (M3)
    episode_days: float = 0.0  # an episode nobody touched for so long is deleted, softly; 0: never (C2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """[review]: the weekly review by use (A6). 0 days: never."""

    idle_days: float = 0.0  # older than this and hardly used: archived (A6)
    idle_accesses: int = 3  # hardly used: at most so many accesses (A6)
    spared_days: float = 30.0  # unless touched within so many days (A6)
    kept_accesses: int = 10  # above so many accesses it is never archived (A6)
    stale_days: float = 0.0  # not updated for so long, but in use: a person should look (A6)


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefRules:
    """[brief]: the insights of a week's quarantine, and what is promoted (P4)."""

    weekly: bool = False  # whether the steward writes one every week (P4)
    days: float = 7.0  # how far back it looks (P4)
    least: int = 5  # insights, where there is so much to say (P4)
    most: int = 10  # insights (P4)
    piece: int = 500  # characters of a promoted piece, at most (P4)
    overlap: int = 50  # characters it shares with the one before (P4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Constitution:
    """[constitution]: what is always there (M1, M2)."""

    max_entries: int = 20  # so many entries (M1)
    max_chars: int = 200  # of so many characters (M1)
    confirmations: int = 3  # for every change (M2)
    restore_days: float = 7.0  # a deleted entry can be restored (M2)
    recheck_days: float = 1.0  # a new or changed entry falls due (M2)
    token_minutes: float = 60.0  # how long an unfinished change can be confirmed (M2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """[session]: working memory and its gate (M6, P2)."""

    hours: float = 24.0  # how long an entry lives (M6, P2)
    keep: int = 10_000  # the newest so many live (P2, C1)
    min_confidence: float = 0.0  # where one is stated (P2)
    min_bytes: int = 0  # of UTF-8 (P2)
    consistent: bool = False  # ask the judge whether the text contradicts itself (P2)
    editable: bool = True  # whether an entry can be revised (M6)
    cold: bool = True  # its end: cold storage; else it is removed (M6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Converse:
    """[converse]: what becomes of what is said in a conversation (C1, C3, M7, P1, A11)."""

    episodes: bool = True  # what session.keep lets go is told in an episode before it leaves (C1)
    episode_chars: int = 400  # of the words of an episode, and of the summary at the end (C1, M7)
    curate: bool = False  # a curator looks at every reply (C3)
    entities: bool = False  # entities in what is said are stored (A11)
    capture: bool = False  # every turn goes to quarantine as well (P1)
    heard_as: str = "speaker"  # as whose word what is extracted counts (M3, M7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """[recall]: the way out (A4, E13, M11, P6)."""

    limit: int = 5  # hits, where nobody says
    layers: tuple[str, ...] = ("fact", "episode", "session")  # layers searched, where nobody says
    ranking: str = "relevance"  # what orders the hits (A4, E13, M11, C5)
    fallback: str = "none"  # what is tried when little is found (M11)
    normal_weight: float = 0.01  # the least W that normal mode sees (E13)
    review_weight: float = 0.01  # the least W that review mode sees (E13)
    vector: float | None = None  # weight of the vector arm; none: as measured (M11)
    words: float | None = None  # weight of the word arm; none: as measured (M11)
    min_similarity: float = 0.0  # of the vector arm (M11)
    good_similarity: float = 0.7  # the best hit must be above it to be enough (M11)
    enough: int = 3  # hits that need no fallback (M11)
    few: int = 2  # hits that need no latest facts (M11)
    latest: int = 3  # latest facts added at the last step (M11)
    session_days: float = 7.0  # how far back session summaries are looked at (M11)
    hot: int = 0  # newest of working memory, beside the limit (P6)
    overfetch: int = 2  # times the limit that are fetched before filtering (A4)
    min_confidence: float = 0.0  # what is less sure is not retrieved (A4)
    relevance_share: float = 0.4  # of the heat score (A4)
    heat_share: float = 0.3  # of the heat score (A4)
    heat_full: int = 100  # so many accesses are full heat (A4)
    fresh_share: float = 0.3  # of the heat score (A4)
    fresh_days: float = 365.0  # freshness ends after so many days (A4)
    salience: float = 0.05  # how far the weight re-orders what is relevant
    verified_boost: float = 0.0  # how far a recent verification lifts (M11)
    exact_names: bool = True  # names, places and drugs found exactly come first (M11)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBudget:
    """[context]: tokens of a prompt (M12)."""

    budget: int = 4000  # tokens in all (M12)
    constitution: int = 500  # of these, at first (M12)
    fact: int = 2000  # of these, at first (M12)
    session: int = 500  # of these, at first (M12)
    question: int = 500  # of these (M12)
    reserve: int = 500  # of these (M12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """[labels]: what people read beside a hit, per language (P6, M4)."""

    hot: Mapping[str, str] = field(default_factory=lambda: HOT)  # of working memory (P6)
    verified: Mapping[str, str] = field(default_factory=lambda: VERIFIED)  # of what a person verified (P6)
    unverified: Mapping[str, str] = field(default_factory=lambda: UNVERIFIED)  # of what has faded (M4)
    language: str = "en"  # which of them people see


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A complete policy. `digest` is kept with every change made under it."""

    name: str  # what it is called
    description: str = ""  # one line for people
    kinds: Mapping[str, float] = field(default_factory=lambda: KINDS)  # kind → importance I (Words; E1)
    default_kind: str = "fact"  # where neither writer nor judge says
    default_layer: str = "fact"  # where the writer does not say
    authors: tuple[str, ...] = ()  # who may author an observation; empty: anyone (M10)
    denied: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # role → rights taken away
    admit: Admit = Admit()
    reconcile: Reconcile = Reconcile()
    salience: Salience = Salience()
    compress: Compress = Compress()
    retention: Retention = Retention()
    review: Review = Review()
    brief: BriefRules = BriefRules()
    constitution: Constitution = Constitution()
    session: Session = Session()
    converse: Converse = Converse()
    recall: Recall = Recall()
    context: ContextBudget = ContextBudget()
    labels: Labels = Labels()
    digest: str = ""
