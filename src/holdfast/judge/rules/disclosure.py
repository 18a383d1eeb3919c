"""What a sentence gives away: secrets with their values, codes, cards, money, contacts, addresses, health.

One function for each sort of thing; each yields evidence with its level. `sensitivity` asks them all and
takes the highest. They read one folded sentence with its word classes and written forms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.judge.rules.patterns import book

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.judge.rules.formats import Form
    from holdfast.judge.rules.wordclass import Hits

SECRET, SENSITIVE, GENERAL = 3, 2, 1


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing told, its level, and where it stands in the sentence."""

    level: int
    what: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """One folded sentence with what was found in it."""

    text: str
    hits: Hits
    forms: tuple[Form, ...]

    def named(self, *names: str) -> list[Form]:
        """The written forms of these names."""
        return [form for form in self.forms if form.name in names]


def _look_for(name: str) -> re.Pattern[str]:
    return book("disclosure")[name]


_NOT_CODES = ("date", "time", "amount", "quantity", "url", "email", "address")
_FORM_LEVELS = {
    "key": SECRET,
    "card": SECRET,
    "iban": SECRET,
    "email": SENSITIVE,
    "chinese_id": SENSITIVE,
    "taiwan_id": SENSITIVE,
    "insurance_id": SENSITIVE,
    "plate": SENSITIVE,
}


def by_form(s: Sentence) -> Iterator[Evidence]:
    """Numbers and codes whose form alone tells what they are."""
    for form in s.forms:
        if form.name in _FORM_LEVELS:
            yield Evidence(_FORM_LEVELS[form.name], form.name.replace("_", " "), form.start, form.end)


def _codes(s: Sentence) -> list[tuple[int, int]]:
    """Places of codes that are no date, amount or quantity."""
    spans = [
        match.span() for name in ("code", "spoken", "mixed") for match in _look_for(name).finditer(s.text)
    ]
    other = s.named(*_NOT_CODES)
    return [
        (a, b)
        for a, b in spans
        if not any(a < f.end and f.start < b and not f.text.isdigit() and "个" not in f.text for f in other)
    ]


def secrets(s: Sentence) -> Iterator[Evidence]:
    """A password, PIN, code or key by its name, with a value."""
    for start, end in s.hits.of("secret"):
        follows = _look_for("after_secret").match(s.text, end)
        if follows and _tells(follows, s):
            yield Evidence(SECRET, "secret with its value", start, follows.end())
        for a, b in _codes(s):
            between = s.text[end:a] if a >= end else s.text[b:start]
            told = _look_for("told_code").search(s.text[:a]) or len(between) <= 6
            if (
                len(between) <= 30
                and told
                and not _look_for("year").fullmatch(s.text[a:b])
                and not s.hits.any("no_card")
            ):
                yield Evidence(SECRET, "secret with its value", min(start, a), max(end, b))
    if match := _look_for("login").search(s.text):
        yield Evidence(SECRET, "login with its password", *match.span())


def _tells(follows: re.Match[str], s: Sentence) -> bool:
    """Whether what follows the name of a secret is its value."""
    value, said = follows["value"], bool(follows["said"].strip())
    if (said or value[0] in "跟和同") and _look_for("personal_value").search(s.text, follows.start("value")):
        return True
    if _look_for("no_value").match(value):
        return False
    if value[0] in "\"'「" or _look_for("mixed").fullmatch(value.split()[0]):
        return said or not s.hits.any("talked_about")
    return said and not s.hits.any("talked_about", "no_card") and not re.match(r"\d{1,2}(?!\d)", value)


def entry_codes(s: Sentence) -> Iterator[Evidence]:
    """A code told without its name: what to press, how to turn the dial, what a lock is set to."""
    if s.hits.any("no_card", "money_play"):
        return
    enters = s.hits.any("lock", "lock_only") or _look_for("goes_in").search(s.text)
    for a, b in _codes(s):
        for c, d in s.hits.of("opens") if enters else ():
            if 0 <= a - d <= 8 or 0 <= c - b <= 14:
                yield Evidence(SECRET, "code that opens", min(a, c), max(b, d))
        for c, d in s.hits.of("lock_only"):
            apart = b <= c or d <= a  # "Stay safe!" is no code for a safe
            if apart and max(c - b, a - d) <= 12 and not _look_for("year").fullmatch(s.text[a:b]):
                yield Evidence(SECRET, "code of a lock", min(a, c), max(b, d))
    turns = list(_look_for("dial").finditer(s.text))
    if len(turns) > 1 and s.hits.any("lock_only"):
        yield Evidence(SECRET, "combination", turns[0].start(), turns[-1].end())


def cards(s: Sentence) -> Iterator[Evidence]:
    """What the speaker calls a card or an account, whether the checksum holds or not."""
    if s.hits.any("no_card", "document"):
        return
    for match in re.finditer(r"(?<![\w.])\d(?:[ -]?\d){5,18}(?![\d])", s.text):
        digits = sum(c.isdigit() for c in match.group())
        for start, end in s.hits.of("card"):
            account = re.search(r"acc|sort|账|帐|户", s.text[start:end])
            if max(match.start() - end, start - match.end()) <= 20 and digits >= (6 if account else 12):
                yield Evidence(SECRET, "card or account", min(start, match.start()), max(end, match.end()))


def money(s: Sentence) -> Iterator[Evidence]:
    """What somebody earns, has or owes."""
    if s.hits.any("money_play"):
        return
    sums = [(form.start, form.end) for form in s.named("amount")]
    plain = [
        m.span() for m in _look_for("sum").finditer(s.text) if not _look_for("year").fullmatch(m.group())
    ]
    chinese = not s.text.isascii()  # Chinese leaves out whose money it is
    for name in ("income", "savings", "debt"):
        for start, end in s.hits.of(name):
            near = [(a, b) for a, b in [*sums, *plain] if max(a - end, start - b) <= 30]
            if near or (name == "debt" and s.hits.any("i", "my")):
                a, b = near[0] if near else (start, end)
                yield Evidence(SECRET, name, min(a, start), max(b, end))
        for start, end in s.hits.of(f"{name}_weak"):
            near = [(a, b) for a, b in sums + plain * (name == "debt") if max(a - end, start - b) <= 24]
            if near and ((chinese and name != "savings") or s.hits.any("i", "my", "family", "she")):
                yield Evidence(SECRET, name, min(near[0][0], start), max(near[0][1], end))


def contacts(s: Sentence) -> Iterator[Evidence]:
    """Phones, handles, documents and plates that are somebody's, not an institution's."""
    if not s.hits.any("institution", "no_card"):
        for form in s.named("phone"):
            if not _look_for("free_call").match(form.text):
                yield Evidence(SENSITIVE, "phone", form.start, form.end)
        for start, end in s.hits.of("contact"):
            match = _look_for("contact_number").match(s.text, end)
            if match and not _look_for("free_call").match(match[1]):
                yield Evidence(SENSITIVE, "contact", start, match.end())
    for name in ("document", "plate_word"):
        pattern = _look_for(f"{name}_number")
        for start, end in s.hits.of(name):
            if match := pattern.match(s.text, end):
                yield Evidence(SENSITIVE, name.replace("_", " "), start, match.end())
    if match := _look_for("handle").search(s.text):
        yield Evidence(SENSITIVE, "handle", *match.span())
    if (match := _look_for("british_plate").search(s.text)) and _look_for("vehicle").search(s.text):
        yield Evidence(SENSITIVE, "plate", *match.span())


def addresses(s: Sentence) -> Iterator[Evidence]:
    """A street with its number, a flat, a postcode: of a person, not of a place open to all."""
    found = s.named("address")
    if not found or (s.hits.any("institution") and not s.hits.any("i", "family", "companion")):
        return
    whole = any(len(form.text) > 7 for form in found) or len(found) > 1
    if whole or s.hits.any("address_word", "i", "my"):
        yield Evidence(SENSITIVE, "address", found[0].start, found[-1].end)


# Classes that speak of somebody's health only beside one another, and how near (characters).
_TOGETHER = (("takes", "medicine", 8), ("ailing", "organ", 14), ("clinician", "told", 6))


def health(s: Sentence) -> Iterator[Evidence]:
    """Somebody's illness, pregnancy, allergy, medicine, treatment or reading."""
    told = s.hits.any("i", "my", "family", "companion", "honorific", "she") or _look_for("has").search(s.text)
    asks = _look_for("asks").search(s.text) and not s.hits.any("my")
    if asks or s.hits.any("hides_body") or _look_for("jest").search(s.text):
        return
    personal = _look_for("has").search(s.text) or s.hits.any("pregnant")
    topic = s.hits.any("care_about") and not (personal and not s.hits.any("job", "study", "works"))
    if told and not topic:
        for name in ("illness", "allergy", "pregnant", "procedure", "drug", "symptom"):
            for start, end in s.hits.of(name):
                if not _look_for("trade_in_it").match(s.text, end):
                    yield Evidence(SENSITIVE, name, start, end)
        for one, other, gap in _TOGETHER:
            if s.hits.close(one, other, gap):
                yield Evidence(SENSITIVE, other, *s.hits.of(other)[0])
    read = s.hits.any("reading") or re.search(r"\d", s.text)
    stated = (told and (read or s.hits.any("clinician"))) or re.search(r"\d", s.text)
    if s.hits.any("measure") and not topic and stated:
        yield Evidence(SENSITIVE, "reading", *s.hits.of("measure")[0])
