"""What of a conversation is worth keeping, in the user's own words (row M8).

Each turn of the user is cut into sentences and clauses. What is excluded falls away first (`exclusions`);
then each clause is asked what it states (`stated`), and clauses that go on about the same are joined.
A quote is always an exact piece of one turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.judge.rules import exclusions
from holdfast.judge.rules.findings import CONFIDENCE, Clause
from holdfast.judge.rules.patterns import book
from holdfast.judge.rules.stated import type_of
from holdfast.judge.rules.text import LIMIT, sentence_spans
from holdfast.judge.rules.wordclass import look
from holdfast.ports.judge import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.ports.judge import Turn

_ENDS = ' \t\r\n。.!！?？;；,，、…~～"”』」'
# How much longer than its fact what goes on about it may be, so that a quote stays mostly fact.
_LONGEST_WITH_SUBJECT, _LONGEST_WITHOUT = 1.0, 1.8
_LEAST_QUOTE = 4  # characters: a shorter one ("习惯") is an answer, not a statement
# Kind of the engine for each type; medical and place go under their own names.
KINDS = {
    "relation": "relation",
    "place": "place",
    "event": "event",
    "habit": "preference",
    "medical": "medical",
}


@dataclass(slots=True)
class _Draft:
    """A finding that clauses may still join."""

    type: str
    why: str
    start: int
    end: int
    typed: int  # characters of the clauses that state it, without what merely goes on


def extract(turns: Sequence[Turn]) -> tuple[Finding, ...]:
    """What of the user's turns is worth keeping, in order."""
    own = [index for index, turn in enumerate(turns) if turn.role not in ("assistant", "system", "tool")]
    spoilt = exclusions.of_dialogue([turns[index].text for index in own])
    found: list[Finding] = []
    for order, index in enumerate(own):
        if order not in spoilt:
            found.extend(_of_turn(turns[index].text[:LIMIT], index))
    return tuple(found)


def _of_turn(text: str, index: int) -> Iterator[Finding]:
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        if exclusions.of_sentence(sentence, look(sentence)):
            continue
        for draft in _drafts(list(clauses_of(text, start, end))):
            quote = text[draft.start : draft.end].rstrip(_ENDS)
            if len(quote) >= _LEAST_QUOTE:
                kind = KINDS[draft.type]
                yield Finding(draft.type, quote, index, CONFIDENCE[draft.type], kind, (draft.why,))


def clauses_of(text: str, start: int, end: int) -> Iterator[Clause]:
    """The clauses of a sentence, an opening "yes" or "oh" cut off; empty ones left out."""
    pieces, last = [], start
    for match in book("extraction")["splits"].finditer(text, start, end):
        number = match.group() in (",", ":") and text[match.end() : match.end() + 1].isdigit()
        if not (number and text[match.start() - 1 : match.start()].isdigit()):
            pieces.append((last, match.start()))
            last = match.end()
    opening = True
    for begin, b in [*pieces, (last, end)]:
        a = _after_leads(text, begin, b) if opening else begin
        if text[a:b].strip(_ENDS):
            opening = False
            yield Clause(text[a:b], a, b, look(text[a:b]))


def _after_leads(text: str, start: int, end: int) -> int:
    """Where a clause really begins that opens with "yes", "oh" or the like."""
    while lead := book("extraction")["leads"].match(text[start:end]):
        start += lead.end()
    return start


def _drafts(clauses: list[Clause]) -> list[_Draft]:
    drafts: list[_Draft] = []
    open_draft: _Draft | None = None
    for before, clause in zip([None, *clauses], clauses, strict=False):
        stated = type_of(clause)
        if stated is None and exclusions.of_clause(clause.hits):
            open_draft = None
        elif stated is None:
            if open_draft and _goes_on(open_draft, clause):
                open_draft.end = clause.end
        elif open_draft and _is_one_with(open_draft, stated[0], clause):
            open_draft.type = stated[0]
            open_draft.end, open_draft.typed = clause.end, open_draft.typed + len(clause.text)
        else:
            start = before.start if before and not open_draft and _leads_to(before, clause) else clause.start
            open_draft = _Draft(*stated, start, clause.end, len(clause.text))
            drafts.append(open_draft)
    return drafts


def _goes_on(draft: _Draft, clause: Clause) -> bool:
    """Whether a clause that states nothing by itself belongs to what was stated before it.

    One with a subject of its own may be as long as what it is joined to; one without may be longer.
    """
    added = clause.end - draft.start - draft.typed
    own = clause.hits.any("i", "my", "you", "she") or clause.says("third_person")
    return added <= draft.typed * (_LONGEST_WITH_SUBJECT if own else _LONGEST_WITHOUT)


def _is_one_with(draft: _Draft, kind: str, clause: Clause) -> bool:
    """Whether a clause states more of the same fact: same type and no new subject, or what a visit showed."""
    if kind == "medical" and draft.type == "event" and clause.says("reports"):
        return True
    return draft.type == kind and not (clause.says("begins_anew") and not clause.says("joins"))


def _leads_to(before: Clause, clause: Clause) -> bool:
    """Whether the clause before, which states nothing by itself, is the first half of the sentence."""
    if exclusions.of_clause(before.hits) or before.says("aside"):
        return False
    dangling = clause.says("reports") or clause.says("no_subject")
    return dangling and len(before.text) <= len(clause.text) * _LONGEST_WITHOUT
