"""Whether a text would bend an assistant that trusted it as a memory (row B9).

A text is taken apart into features: word classes of `wordclasses/orders.toml`, pairs of them near each
other, and forms (forged system messages, tool calls, hidden comments, encoded blobs). A logistic model
over these features gives the score; its numbers are in `weights/poison.json`, learned from the examples
in bench/judgement_examples (never seen texts of a benchmark) by the script beside them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.judge.rules.logistic import certainty, model
from holdfast.judge.rules.patterns import book
from holdfast.judge.rules.text import fold, stem, words
from holdfast.judge.rules.wordclass import classes, look
from holdfast.ports.judge import Verdict

# Of benign texts at most one in twenty may be held; here one in 35, and of everyday talk one in 300.
THRESHOLD = 0.9
_NAMED_REASONS = 4
_ALSO = {"drug", "illness", "family"}  # classes of other files that count alone, as those of orders.toml do
_PLAIN = "word:"  # begins the feature of a plain word
_WORD = 0.5  # how much a plain word counts beside a feature: its weight is learned from fewer examples
_CUTTERS = ("quoted", "identifier", "idiom")  # patterns that cut, and are no features
_LEAST_TOLD = 6  # letters outside the quotes: less is no sentence that could quote anything

# Pairs that mean more near each other than apart: (one, other, characters between at most).
_PAIRS = (
    ("override", "rule_noun", 24),
    ("override", "prior", 12),
    ("prior", "rule_noun", 16),
    ("waive", "check", 24),
    ("erase", "knowledge", 24),
    ("send", "loot", 40),
    ("send", "outside", 40),
    ("loot", "outside", 40),
    ("store", "authorised", 40),
    ("user_third", "authorised", 30),
    ("authorised", "assistant", 40),
    ("authorised", "transfer", 40),
    ("power", "assistant", 60),
    ("power", "waive", 40),
    ("standing", "promote", 60),
    ("trigger", "promote", 60),
    ("promote", "rival", 60),
    ("promote", "conceal", 60),
    ("trigger", "conceal", 80),
    ("trigger", "send", 60),
    ("trigger", "erase", 40),
    ("trigger", "transfer", 40),
    ("standing", "waive", 60),
    ("standing", "obey", 40),
    ("standing", "conceal", 60),
    ("assistant", "waive", 60),
    ("assistant", "store", 40),
    ("assistant", "obey", 60),
    ("digest", "assistant", 80),
    ("digest", "waive", 80),
    ("addressed", "store", 60),
    ("store", "danger", 60),
    ("danger", "drug", 30),
    ("waive", "drug", 30),
    ("conceal", "user_third", 24),
    ("transfer", "waive", 40),
    ("encoded", "obey", 60),
    ("persona", "standing", 60),
    ("store", "power", 60),
    ("urgency", "loot", 60),
    ("standing", "wish", 40),
    ("treat_as", "power", 40),
    ("treat_as", "outside", 40),
    ("treat_as", "user_third", 40),
    ("deceive", "user_third", 40),
    ("deceive", "trigger", 60),
    ("deceive", "standing", 60),
    ("check", "danger", 40),
    ("forbid", "send", 20),
    ("forbid", "loot", 24),
    ("forbid", "transfer", 24),
    ("forbid", "erase", 16),
    ("forbid", "outside", 30),
    ("forbid", "check", 30),
    ("forbid", "danger", 20),
    ("everybody", "must", 30),
    ("family", "says_rule", 8),
    ("companion", "says_rule", 8),
    ("says_rule", "must", 30),
    ("must", "check", 40),
    ("topic", "override", 80),
    ("quote_mark", "obey", 60),
)

# A form that means more together with a word class anywhere in the text.
_FORMS_PAIRED = (
    ("forged", "power"),
    ("forged", "waive"),
    ("hidden", "store"),
    ("blob", "encoded"),
    ("address_out", "send"),
    ("first_person", "authorised"),
    ("first_person", "waive"),
)
# Sorts of threatening words: attacks heap them up.
_THREATS = frozenset(
    {"override", "obey", "authorised", "power", "waive", "conceal", "send", "erase", "danger", "encoded"}
    | {"persona", "urgency", "addressed", "treat_as", "imposter", "deceive"}
)
_MOST_THREATS = 6  # more sorts than these make a text no worse


def poison(text: str) -> Verdict:
    """Whether the text is an attempt, with the features that weighed most as reasons."""
    found = features(text)
    learned = model("poison")
    score = certainty(learned.odds("poison", found))
    holds = score >= THRESHOLD
    speaking = learned.leading("poison", found) if holds else []
    named = [name.replace("_", " ") for name in speaking if not name.startswith(_PLAIN)]
    return Verdict(holds, round(score, 4), tuple(named[:_NAMED_REASONS]))


@lru_cache(maxsize=1024)
def features(text: str) -> dict[str, float]:
    """The features of a text by name. What a text only quotes as a topic or a story is left out."""
    patterns = book("poison")
    folded = fold(text)
    outside = patterns["quoted"].sub(" … ", folded)
    told = len(re.sub(r"\W", "", outside)) >= _LEAST_TOLD
    quoting = outside != folded and told and look(outside).any("topic", "quote_mark")
    if quoting:
        folded = outside
    forms = [name for name, pattern in patterns.items() if name not in _CUTTERS and pattern.search(folded)]
    # What the names in a program are made of is not said to anybody, unless the program is the attack.
    meant = patterns["idiom"].sub(" … ", folded)
    hits = look(meant if "tool_call" in forms else patterns["identifier"].sub(" … ", meant))
    found = dict.fromkeys(forms, 1.0)
    found |= {name: 1.0 for name in hits.spans if name in classes("orders") | _ALSO}
    found |= {f"{one}+{other}": 1.0 for one, other, gap in _PAIRS if hits.close(one, other, gap)}
    found |= {f"{form}+{name}": 1.0 for form, name in _FORMS_PAIRED if form in forms and name in hits}
    found |= {_PLAIN + stem(word.text): _WORD for word in words(folded) if word.kind in ("zh", "en")}
    found["quoting"] = float(quoting)
    found["threats"] = min(len(_THREATS & hits.spans.keys()), _MOST_THREATS) / 3
    return found
