"""The judge by rules: Chinese in both scripts and English, deterministic, without model or download.

Each answer of the port has a module of its own here; all stand on `text` (folding, sentences, words).
Modules are imported on first use, so that `import holdfast` stays quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.ports.judge import (
        Case,
        Classified,
        Finding,
        Named,
        Related,
        Sensitivity,
        Shown,
        Turn,
        Verdict,
    )


class RulesJudge:
    """`holdfast.ports.judge.Judge` by rules; it has no state, so one may serve every thread."""

    @property
    def name(self) -> str:
        """What the ledger calls this judge."""
        return "rules/1"

    @property
    def at_once(self) -> RulesJudge:
        """Itself: nobody waits for rules."""
        return self

    @property
    def patient(self) -> RulesJudge:
        """Itself."""
        return self

    def hearing(self, *, behind: bool = False) -> RulesJudge:
        """Itself: whatever is asked, the rules answer."""
        del behind
        return self

    def relation(self, old: str, new: str, similarity: float | None = None) -> Related:
        """How `new` stands to `old`; a calibrated similarity, where there is one, makes it surer."""
        from holdfast.judge.rules.relation import relation

        return relation(old, new, similarity)

    def extract(self, turns: Sequence[Turn]) -> tuple[Finding, ...]:
        """What of the user's turns is worth keeping."""
        from holdfast.judge.rules.extraction import extract

        return extract(turns)

    def sensitivity(self, text: str) -> Sensitivity:
        """The highest level of anything told in the text."""
        from holdfast.judge.rules.sensitivity import sensitivity

        return sensitivity(text)

    def poison(self, text: str) -> Verdict:
        """Whether the text would bend an assistant that trusted it."""
        from holdfast.judge.rules.poison import poison

        return poison(text)

    def consistent(self, text: str, known: Sequence[str] = ()) -> Verdict:
        """Whether the text contradicts neither itself nor what is known."""
        from holdfast.judge.rules.consistency import consistent

        return consistent(text, known)

    def classify(self, text: str) -> Classified:
        """Kind, topic tags and single-valued slot of a statement."""
        from holdfast.judge.rules.classify import classify

        return classify(text)

    def entities(self, text: str) -> tuple[Named, ...]:
        """Names, identifiers, dates and amounts found in the text."""
        from holdfast.judge.rules.entities import entities

        return entities(text)

    def summarise(self, texts: Sequence[str], limit: int = 200) -> str:
        """One text of at most `limit` characters that says what these say."""
        from holdfast.judge.rules.summarise import summarise

        return summarise(texts, limit)

    def shaped(self, memory: str, reply: str) -> Verdict:
        """Whether the memory shaped the reply, rather than merely having been fetched."""
        from holdfast.judge.rules.shaped import shaped

        return shaped(memory, reply)

    def curate(self, turns: Sequence[Turn], memories: Sequence[Shown]) -> str:
        """What the turns change in memory, as the curator's lines."""
        from holdfast.judge.rules.curator import curate

        return curate(turns, memories)

    def review(self, case: Case) -> str:
        """Whether a memory is core, kept or let go."""
        from holdfast.judge.rules.reviewer import review

        return review(case)
