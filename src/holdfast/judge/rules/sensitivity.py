"""How much harm a text does in the wrong hands: 0 public, 1 general, 2 sensitive, 3 secret (row E14).

Every sentence is asked for what it gives away (`disclosure`) and for who somebody is (below); the highest
level counts. Numbers are judged by form and checksum (`formats`), everything else by word classes that
stand near each other. To teach it a word, add the word to its class in the folder `wordclasses`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.judge.rules import disclosure, formats
from holdfast.judge.rules.disclosure import GENERAL, SENSITIVE, Evidence, Sentence
from holdfast.judge.rules.patterns import book
from holdfast.judge.rules.text import CJK, fold_aligned
from holdfast.judge.rules.wordclass import look
from holdfast.ports.judge import Sensitivity

if TYPE_CHECKING:
    from collections.abc import Iterator

# Sentences end more carefully here than elsewhere: "Passport no. 1", "Demo!2024" are one thing.
_END = re.compile(rf"[。;；\n]+|[!?]+(?=\s|$|[{CJK}])|(?<!\bno)\.+(?=\s|$)")


def who_somebody_is(s: Sentence) -> Iterator[Evidence]:
    """Work, schooling, family make-up, home town, age: who somebody is, without what reaches him."""
    forms = book("disclosure")
    for start, end in s.hits.of("staff_number"):
        if re.search(r"\d", s.text):
            yield Evidence(GENERAL, "staff number", start, end)
    if not s.hits.any("i", "my", "family", "she") or s.hits.any("money_play"):
        return
    for name in ("works", "study", "origin", "kinship", "age"):
        for start, end in s.hits.of(name):
            yield Evidence(GENERAL, name, start, end)
    for start, end in s.hits.of("town_mark"):  # 我是柳州人
        if "是" in s.text[max(0, start - 6) : start] and forms["townsman"].match(s.text, end):
            yield Evidence(GENERAL, "origin", start, end)
    for start, end in s.hits.of("job"):
        if not s.text.isascii() or forms["is_a"].search(s.text[:start]):
            yield Evidence(GENERAL, "job", start, end)
    trade = forms["trade"].search(s.text)
    if trade and trade.span("trade") not in s.hits.of("no_trade"):
        yield Evidence(GENERAL, "trade", *trade.span("trade"))
    if match := forms["i_do"].search(s.text):
        yield Evidence(GENERAL, "trade", *match.span())
    if not s.hits.any("pet") and (s.hits.near("i", "called", 10) or s.hits.near("my", "called", 10)):
        yield Evidence(GENERAL, "name", *s.hits.of("called")[0])
    told = forms["family_has"].search(s.text) or forms["family_is"].search(s.text)
    if s.hits.any("family") and told:
        yield Evidence(GENERAL, "family", *s.hits.of("family")[0])


_RULES = (
    disclosure.by_form,
    disclosure.secrets,
    disclosure.entry_codes,
    disclosure.cards,
    disclosure.money,
    disclosure.contacts,
    disclosure.addresses,
    disclosure.health,
    who_somebody_is,
)


def sensitivity(text: str) -> Sensitivity:
    """The highest level of anything told in the text; spans are given from level 2 up."""
    aligned = fold_aligned(text)
    level, reasons, spans = 0, [], []
    for evidence in _evidence(aligned.text):
        level = max(level, evidence.level)
        reasons.append(f"{evidence.what} (level {evidence.level})")
        if evidence.level >= SENSITIVE:
            spans.append((*aligned.span(evidence.start, evidence.end), evidence.what))
    return Sensitivity(level, tuple(dict.fromkeys(reasons)), tuple(dict.fromkeys(sorted(spans))))


@lru_cache(maxsize=2048)
def _evidence(folded: str) -> tuple[Evidence, ...]:
    found: list[Evidence] = []
    start = 0
    for end in [*(match.end() for match in _END.finditer(folded)), len(folded)]:
        piece = folded[start:end]
        sentence = Sentence(piece, look(piece), formats.find(piece))
        for rule in _RULES:
            found.extend(Evidence(e.level, e.what, start + e.start, start + e.end) for e in rule(sentence))
        start = end
    return tuple(found)
