"""What type of fact a clause states, weighed: the rules of `findings` with everything else that is seen.

The verdict of the rules, word classes, forms and plain words are features of a linear model
(`weights/extraction.json`), which was learned from the dialogues in bench/judgement_examples.
"""

from __future__ import annotations

from functools import cache

from holdfast.judge.rules import exclusions
from holdfast.judge.rules.findings import Clause, by_rule
from holdfast.judge.rules.logistic import model
from holdfast.judge.rules.patterns import book
from holdfast.judge.rules.text import is_chinese, stem, words
from holdfast.judge.rules.wordclass import classes

NOTHING = "nothing"
# A clause is kept where one type alone has this share: on our examples nine in ten of the dialogues
# with nothing to keep stay empty.
LEAST_SHARE = 0.5

_FILES = ("people", "health", "work", "places", "happenings", "talk", "identity")
_CUTTERS = ("splits", "leads")  # patterns that cut, and are no features
_RULE = 1.5  # the rules' verdict counts more than a class
_WORD = 0.5
_SHORT = {True: 5, False: 14}  # characters of Chinese and of English that hardly make a statement


@cache
def _classes() -> frozenset[str]:
    return frozenset().union(*(classes(file) for file in _FILES))


def type_of(clause: Clause) -> tuple[str, str] | None:
    """(type, why) of what the clause states, or None."""
    found = features(clause)
    shares = model("extraction").shares(found)
    leading = max(shares, key=lambda label: shares[label])
    if leading == NOTHING or shares[leading] < LEAST_SHARE:
        return None
    rule = by_rule(clause)
    if rule and rule[0] == leading:
        return rule
    named = [
        name
        for name in model("extraction").leading(leading, found)
        if not name.startswith(("word:", "rule:"))
    ]
    return leading, ", ".join(name.replace("_", " ") for name in named[:2])


def features(clause: Clause) -> dict[str, float]:
    """What is seen of a clause, by name."""
    text = clause.hits.text
    found = {name: 1.0 for name in clause.hits.spans if name in _classes()}
    patterns = book("extraction").items()
    found |= {f"form:{name}": 1.0 for name, form in patterns if name not in _CUTTERS and form.search(text)}
    if book("extraction")["named_relative"].search(clause.text):
        found["form:named_relative"] = 1.0  # by its capitals, which folding takes away
    if clause.dated():
        found["dated"] = 1.0
    rule = by_rule(clause)
    found[f"rule:{rule[0] if rule else NOTHING}"] = _RULE
    if rule:
        found[f"rule:{rule[0]}: {rule[1]}"] = 1.0
    if excluded := exclusions.of_clause(clause.hits):
        found[f"excluded: {excluded}"] = 1.0
    if clause.text.endswith(("!", "！")):
        found["exclaims"] = 1.0
    if len(text) < _SHORT[is_chinese(text)]:
        found["short"] = 1.0
    return found | {f"word:{stem(word.text)}": _WORD for word in words(text) if word.kind in ("zh", "en")}
