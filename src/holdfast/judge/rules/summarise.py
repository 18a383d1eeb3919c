"""One text that says what several say, in their own words (rows E9, M7).

Sentences that say the same again are put into one group; the fullest speaks for the group, with how often
it was said and when. If not all fit, those that say most of what the others say stay, in their order.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from holdfast.judge.rules import formats
from holdfast.judge.rules.text import fold_aligned, is_chinese, sentences, stem, words
from holdfast.judge.rules.wordclass import look

if TYPE_CHECKING:
    from collections.abc import Sequence

_TIMES = ("date", "time")
_SAME = 0.6  # share of common words (of both together) from which two sentences say the same again
_DENIES = re.compile(r"不|没|別|别|无|未|\b(?:not|never|no|nobody|nothing|none|without)\b|n't\b")
_ENDS = " \t\r\n。.!！?？;；,，、"
_MOST_DATES = 3  # more dates than these are told as the first and the last
_LEAST_TALLY = 2
_MORE = 1  # words that a sentence may say beyond another of few words, and still say the same


@dataclass(slots=True)
class _Group:
    """Sentences that say the same: the fullest of them, all their words, their dates."""

    sentence: str
    words: frozenset[str]
    denies: bool
    exact: frozenset[str]  # codes and numbers, which must be the same
    place: int
    times: int = 1
    dates: list[str] = field(default_factory=list)


def summarise(texts: Sequence[str], limit: int = 200) -> str:
    """At most `limit` characters; blank for nothing."""
    whole = [text for text in texts if text.strip()]
    if not whole or limit <= 0:
        return ""
    chinese = is_chinese("\n".join(whole))
    groups = _grouped(whole)
    lines = {group.place: _line(group, chinese=chinese) for group in groups}
    chosen: list[int] = []
    for group in _by_weight(groups):
        if len(_joined([lines[p] for p in sorted([*chosen, group.place])], chinese=chinese)) <= limit:
            chosen.append(group.place)
    if not chosen:
        return _cut(lines[_by_weight(groups)[0].place], limit)
    return _joined([lines[place] for place in sorted(chosen)], chinese=chinese)


def _grouped(texts: Sequence[str]) -> list[_Group]:
    groups: list[_Group] = []
    for place, sentence in enumerate(sentence for text in texts for sentence in sentences(text)):
        single = _read(sentence.strip(_ENDS), place)
        if not single.sentence:
            continue
        same = next((group for group in groups if _says_again(group, single)), None)
        if same is None:
            groups.append(single)
            continue
        same.times += 1
        same.dates += [date for date in single.dates if date not in same.dates]
        if len(single.words) > len(same.words):
            same.sentence, same.words = single.sentence, single.words
    return groups


def _read(sentence: str, place: int) -> _Group:
    aligned = fold_aligned(sentence)
    forms = [form for form in formats.find(aligned.text) if form.name in _TIMES]
    spans = [aligned.span(form.start, form.end) for form in forms]
    timed = [(form.start, form.end) for form in forms] + look(sentence).of("past_time", "coming_time")
    timed += look(sentence).of("function_word")
    told = [w for w in words(sentence) if not any(a <= w.start and w.end <= b for a, b in timed)]
    dates = [sentence[a:b].strip() for (a, b), form in zip(spans, forms, strict=True) if form.name == "date"]
    return _Group(
        sentence,
        frozenset(stem(word.text) for word in told),
        bool(_DENIES.search(aligned.text)),
        frozenset(word.text for word in told if word.kind in ("code", "number")),
        place,
        dates=dates,
    )


def _says_again(group: _Group, single: _Group) -> bool:
    if group.denies != single.denies or group.exact != single.exact:
        return False
    if not group.words or not single.words:
        return group.sentence == single.sentence
    common = len(group.words & single.words)
    fewer, more = sorted((len(group.words), len(single.words)))
    contained = common == fewer and more - fewer <= max(_MORE, fewer - 1)
    return contained or common / len(group.words | single.words) >= _SAME


def _line(group: _Group, *, chinese: bool) -> str:
    """The sentence of a group, with how often it was said and the dates it does not name itself."""
    if group.times < _LEAST_TALLY:
        return group.sentence
    others = [date for date in group.dates if date not in group.sentence]
    if len(others) > _MOST_DATES:
        others = [f"{group.dates[0]}–{group.dates[-1]}"]
    times = f"{group.times} 次" if chinese else f"{group.times} times"
    told = ("，" if chinese else ", ").join([times, *others])
    return f"{group.sentence}（{told}）" if chinese else f"{group.sentence} ({told})"


def _by_weight(groups: list[_Group]) -> list[_Group]:
    """Heaviest first: what many sentences share, what was said often, what names a day or a number."""
    shared = Counter(word for group in groups for word in group.words)

    def weight(group: _Group) -> float:
        common = sum(shared[word] - 1 for word in group.words) / (len(group.words) or 1)
        return common + group.times - 1 + 0.5 * bool(group.dates) + 0.5 * bool(group.exact)

    return sorted(groups, key=lambda group: (-weight(group), group.place))


def _joined(lines: Sequence[str], *, chinese: bool) -> str:
    return ("；" if chinese else "; ").join(lines)


def _cut(line: str, limit: int) -> str:
    """A line too long by itself: cut at the last pause that fits, or in the middle of a word."""
    if len(line) <= limit:
        return line
    pauses = [match.start() for match in re.finditer(r"[，,；;、。 ]", line[:limit])]
    at = pauses[-1] if pauses and pauses[-1] >= limit // 2 else limit - 1
    return f"{line[:at].rstrip(_ENDS)}…"[:limit]
