"""What is told beside the words of a memory: its source, tags, metadata, attachments, the reason of an edit.

It is kept as it is told and no judge reads it for what it means, so it is searched for secrets here: nothing
of level 3 is kept in plain anywhere (E14).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.errors import InvalidInput
from holdfast.ports.judge import Sensitivity
from holdfast.remember import whole
from holdfast.remember.admit import SAFE_WORDING, SECRET

if TYPE_CHECKING:
    from holdfast.model.draft import Draft
    from holdfast.model.memory import Memory
    from holdfast.ports.judge import Judge

# One plain word tells no secret: "chat", "user", "work-notes". Most sources, speakers and tags are one.
_WORD = re.compile(r"[A-Za-z_-]*")
# A checksum has the form of a private key, and a file's is often told beside it (E10).
_CHECKSUM = re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{64}(?![0-9A-Za-z])")
_COUNT = re.compile(r"tokens$", re.IGNORECASE)  # "prompt_tokens" counts them and is none
# A number is judged by its form alone, since "tokens: 4096" is no key; shorter than this none is a card.
_CARD_LEAST = 10**12
# A longer content is a statement, which speaks for itself and not for its label.
_LABELLED_MOST = 200
WHERE = "the secret is beside its words: in a source, speaker, session, tag, label, entity or metadata"


def told_beside(told: Draft | Memory) -> str:
    """All of it that could hold a secret, a line each, values behind their names; empty for most."""
    lines = [told.source, told.session, told.speaker, told.entity_type, *told.tags, *told.source_ids]
    if told.entity_value:
        lines.append(f"{told.entity_type}: {told.entity_value}")
    if told.label and not told.sealed and len(told.content) <= _LABELLED_MOST:
        lines.append(f"{told.label}: {told.content}")
    lines += _lines("", told.metadata)
    for attachment in getattr(told, "attachments", ()):
        lines += (attachment.reference, attachment.digest)
    lines = [_CHECKSUM.sub("", line) for line in dict.fromkeys(lines) if not _WORD.fullmatch(line)]
    return "\n".join(lines).strip()


def secret_beside(judge: Judge, told: Draft | Memory) -> Sensitivity | None:
    """What the judge found there, where it is a secret."""
    text = told_beside(told)
    found = whole.sensitivity(judge, text) if text else None
    if found is None or found.level < SECRET:
        return None
    return Sensitivity(found.level, (WHERE, *found.reasons), found.spans)


def harmless(field: str, text: str, judge: Judge) -> str:
    """A text that is kept as it is, such as the reason of an edit; InvalidInput where it holds a secret."""
    if text and whole.sensitivity(judge, text).level >= SECRET:
        raise InvalidInput(field, "holds a secret (level 3), which is not kept in plain", SAFE_WORDING)
    return text


def _lines(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from _lines(str(key).replace("_", " "), inner)
    elif isinstance(value, str):
        yield value if _COUNT.search(name) else f"{name}: {value}"
    elif isinstance(value, Sequence):
        for inner in value:
            yield from _lines(name, inner)
    elif isinstance(value, int) and abs(value) >= _CARD_LEAST:
        yield str(value)
