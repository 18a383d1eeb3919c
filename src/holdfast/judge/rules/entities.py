"""Names, identifiers, dates, amounts, places and drugs in a text, and what is meant to be done (row A11).

Written forms come first (`formats`), then codes and part numbers, drugs, persons and places; where two
overlap the first stands. Card numbers and keys are no entities: what is secret is kept in no index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.judge.rules import formats
from holdfast.judge.rules.patterns import book
from holdfast.judge.rules.text import fold_aligned, is_chinese, sentence_spans, words
from holdfast.judge.rules.wordclass import classes, look
from holdfast.ports.judge import Named

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from holdfast.judge.rules.wordclass import Hits

# Forms that are entities, and the type each is.
_FORM_TYPES = {
    "url": "url",
    "email": "email",
    "phone": "phone",
    "chinese_id": "id_number",
    "taiwan_id": "id_number",
    "insurance_id": "id_number",
    "plate": "plate",
    "date": "date",
    "time": "time",
    "address": "address",
    "amount": "amount",
    "quantity": "quantity",
}
_INTENT = "intent_"  # begins the name of a class of intent words
_SECRET_FORMS = ("key", "card", "iban")
_ENGLISH_PERSONS = ("titled_person", "kin_person", "full_name", "subject_person", "met_person")  # surer first
_LEAST_DIGITS = 2  # a part number has at least so many

Found = tuple[str, int, int]


def entities(text: str) -> tuple[Named, ...]:
    """Every entity in order of place; `value` is as written."""
    aligned = fold_aligned(text)
    taken: list[Found] = []
    hidden = [(f.start, f.end) for f in formats.find(aligned.text) if f.name in _SECRET_FORMS]
    for name, start, end in _candidates(text, aligned.text):
        free = not any(start < b and a < end for a, b in hidden)
        if free and not any(start < b and a < end for _, a, b in taken):
            taken.append((name, start, end))
    intents = _intents(aligned.text)
    found = []
    for name, start, end in sorted(taken, key=lambda each: each[1]):
        begin, stop = aligned.span(start, start + len(aligned.text[start:end].rstrip()))
        found.append(Named(name, text[begin:stop], begin, stop, _intent_at(intents, start)))
    return tuple(found)


def _candidates(text: str, folded: str) -> Iterator[Found]:
    for form in formats.find(folded):
        if form.name in _FORM_TYPES:
            yield _FORM_TYPES[form.name], form.start, form.end
    for match in book("entities")["code"].finditer(folded):
        yield from _code(match)
    hits = look(text)
    yield from (("drug", start, end) for start, end in _longest(hits.of("drug")))
    yield from _persons(text, folded, hits)
    yield from _places(text, folded, hits)
    for name in classes("intents"):
        yield from (("intent", start, end) for start, end in hits.of(name))


def _code(match: re.Match[str]) -> Iterator[Found]:
    code = match.group()
    if book("entities")["version"].fullmatch(code):
        yield "version", *match.span()
    elif book("entities")["part_number"].fullmatch(code) and sum(c.isdigit() for c in code) >= _LEAST_DIGITS:
        yield "part_number", *match.span()
    elif not book("entities")["measure"].fullmatch(code):
        yield "code", *match.span()


def _longest(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans that lie in no other."""
    return [s for s in spans if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in spans)]


def _persons(text: str, folded: str, hits: Hits) -> Iterator[Found]:
    forms = book("entities")
    if is_chinese(text):
        yield from (("person", *match.span()) for match in forms["chinese_person"].finditer(folded))
        yield from (
            ("person", word.start, word.end)
            for word in words(text)
            if word.tag == "nr" and len(word.text) > 1
        )
    else:
        written = _as_written(text, folded)
        places = {start for start, _ in hits.of("town_mark")}
        for name in _ENGLISH_PERSONS:
            for match in forms[name].finditer(written):
                start, end = match.span(match.lastgroup or 0)
                if start not in places:
                    yield "person", start, end
    yield from (("person", start, end) for start, end in _longest(hits.of("family")))


def _places(text: str, folded: str, hits: Hits) -> Iterator[Found]:
    if is_chinese(text):
        yield from (("place", word.start, word.end) for word in words(text) if word.tag == "ns")
        yield from (("place", start, end) for start, end in hits.of("town_mark") if end - start > 1)
        return
    written = _as_written(text, folded)
    for start, end in _longest(hits.of("town_mark")):
        if written[start].isupper():
            yield "place", start, end
    for match in book("entities")["english_place"].finditer(written):
        yield "place", *match.span("name")


def _as_written(text: str, folded: str) -> str:
    """The text with its capitals, in step with the folded one."""
    aligned = fold_aligned(text)
    pairs = zip(folded, aligned.starts, strict=False)
    return "".join(text[at] if text[at].lower() == low else low for low, at in pairs)


def _intents(folded: str) -> list[tuple[int, int, int, str]]:
    """(sentence start, sentence end, place, intent) of every word of intent."""
    found = []
    for start, end in sentence_spans(folded):
        hits = look(folded[start:end])
        for name in sorted(classes("intents")):
            found += [(start, end, start + at, name.removeprefix(_INTENT)) for at, _ in hits.of(name)]
    return found


def _intent_at(intents: list[tuple[int, int, int, str]], place: int) -> str | None:
    """The intent said nearest to a place in its sentence."""
    near = [(abs(at - place), intent) for start, end, at, intent in intents if start <= place < end]
    return min(near)[1] if near else None
