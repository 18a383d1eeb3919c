"""The weights of the recipe by which the arms are put together: measured, and open to a profile. Pure data.

Each figure names what was measured: R@10 on LoCoMo (English, turn by turn, one conversation a space), R@10
on MemDaily pooled (Chinese), hit@5 on households (Chinese in both scripts, English). docs/retrieval.md has
the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field

# Half of the relevance: between what an average row and a plain answer score.
HALF_WAY = 8.0


@dataclass(frozen=True, slots=True)
class Kernel:
    """What a row is lent: a share of the row before it in its session, of the row after, of those two away.

    LoCoMo without lending .763, with .849; .5/.3/.2 .844, .6/.4/.3 .843. Without sessions nothing is lent.
    """

    previous: float = 0.6
    next: float = 0.4
    two_away: float = 0.2


@dataclass(frozen=True, slots=True)
class Saturation:
    """BM25: how soon repeats of a word stop counting, and how much a long text is held against it.

    LoCoMo: k1 .6 / .9 / 1.6 .845 / .847 / .839; b .15 / .3 / .5 within .002 of each other.
    """

    k1: float = 0.9
    b: float = 0.3


@dataclass(frozen=True, slots=True)
class Blend:
    """How much each arm counts. `words` and `vectors` are shares of each other (care: .3 and .7)."""

    words: float = 0.5
    vectors: float = 0.5
    # A row's share of the question's words, beside how far it stands above others: without it one chance
    # word in a short question outweighs everything (households .93 to .96; more than 5 costs LoCoMo .004 a
    # step of 2).
    coverage: float = 5.0
    # Everyday concepts (lexicon/concepts.toml): households .79 without, .97 with; above .5 LoCoMo loses .005.
    concepts: float = 0.5
    # The best row of a session lends to its other rows: LoCoMo +.002; where the question has several clauses,
    # one of which may have found the conversation that another is about, MemDaily with sessions .714 to .752.
    session: float = 0.2
    compound_session: float = 0.6
    # Said by a speaker whom the question names: LoCoMo +.010.
    speaker: float = 2.5
    # Within, or near, the time that the question names: LoCoMo +.003.
    time: float = 1.5
    # Of a kind that answers such a question: households with three fifths of the lexicon taken away .82
    # without it, .86 with 2, .87 with 3; the ten queries of M16 40 of 40 with it.
    kind: float = 3.0
    # A dated summary, where it is asked what happened; and against one, where it is not (households +.02).
    recounted: float = 3.0
    unasked: float = 0.6
    # Against a row that only asks something (LoCoMo +.008).
    asks: float = 0.8
    # For longer rows, by the logarithm of their words: they say more (LoCoMo +.004, MemDaily within .002).
    length: float = 0.5
    # For the rare words that a row shares with the best one (MemDaily +.016, LoCoMo within .002), so many
    # of them.
    feedback: float = 3.0
    feedback_terms: int = 12
    # Up to so many rows each is weighed exactly; of a larger space the best so many by a rough scan.
    all_rows: int = 2048
    candidates: int = 256
    kernel: Kernel = field(default_factory=Kernel)
    saturation: Saturation = field(default_factory=Saturation)
