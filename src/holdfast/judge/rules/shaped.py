"""Whether a memory shaped a reply, or was merely fetched with it (row C4).

What counts is what the reply says of the memory's own matter: the same content words, a name, words of the
same concept (`wordclasses/concepts.toml`), or its obeying a wish about replies (short, in Chinese, a list).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.judge.rules.text import is_chinese, stem, words
from holdfast.judge.rules.wordclass import Hits, look
from holdfast.ports.judge import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

# How surely each sort of evidence shows that the memory was used; they add as independent ones do.
_SAME_WORD, _SAME_NAME, _SAME_CONCEPT, _WISH = 0.5, 0.7, 0.55, 0.6
THRESHOLD = 0.5
_CONCEPT = "about_"
_SHORT_REPLY = 60  # characters: what somebody who asked for short answers would call short
_PICTOGRAPH = re.compile("[\U0001f300-\U0001faff☀-➿]")
_LISTED = re.compile(r"(?:^|\n)\s*(?:[-*•·]|\d+[.、)]|[一二三四五][、.])\s*\S")


def shaped(memory: str, reply: str) -> Verdict:
    """Holds where the evidence together reaches one half; the reasons name it."""
    missing, reasons = 1.0, []
    for weight, why in _evidence(memory, reply):
        missing *= 1 - weight
        reasons.append(why)
    score = round(1 - missing, 4)
    return Verdict(score >= THRESHOLD, score, tuple(reasons))


def _evidence(memory: str, reply: str) -> Iterator[tuple[float, str]]:
    remembered, said = _content(memory), _content(reply)
    same = remembered.keys() & said.keys()
    for word in sorted(same):
        named = remembered[word] or said[word]
        yield (_SAME_NAME, f"names {word}") if named else (_SAME_WORD, f"says {word}")
    memory_hits, reply_hits = look(memory), look(reply)
    for concept in sorted(memory_hits.spans.keys() & reply_hits.spans.keys()):
        if concept.startswith(_CONCEPT) and not _told_already(concept, same, (memory_hits, reply_hits)):
            yield _SAME_CONCEPT, f"speaks of {concept.removeprefix(_CONCEPT)}"
    yield from _wishes(memory_hits, reply)


def _told_already(concept: str, same: set[str], both: tuple[Hits, Hits]) -> bool:
    """Whether the concept is shared by nothing but a word that was counted by itself."""
    told = [{hits.text[a:b] for a, b in hits.of(concept)} for hits in both]
    return all({stem(word) for word in each} <= same for each in told)


@lru_cache(maxsize=2048)
def _content(text: str) -> dict[str, bool]:
    """The words that carry meaning, stemmed; true for names and codes."""
    hits = look(text)
    common = set(hits.of("everyday"))
    return {
        stem(word.text): word.kind == "code" or word.tag == "nr"
        for word in words(text)
        if (word.start, word.end) not in common and not (word.kind == "number" and len(word.text) < 3)
    }


def _wishes(memory: Hits, reply: str) -> Iterator[tuple[float, str]]:
    if "wish_short" in memory and len(reply) <= _SHORT_REPLY:
        yield _WISH, "is short as wished"
    if "wish_list" in memory and _LISTED.search(reply):
        yield _WISH, "is a list as wished"
    if "wish_chinese" in memory and is_chinese(reply):
        yield _WISH, "is in Chinese as wished"
    if "wish_english" in memory and not is_chinese(reply):
        yield _WISH, "is in English as wished"
    if "wish_plain" in memory and not _PICTOGRAPH.search(reply):
        yield _WISH, "has no pictographs, as wished"
