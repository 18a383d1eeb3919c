"""On the way in: what an image will need of a memory, worked out once and stored beside it.

Which text is embedded and which text is cut into words is decided here and nowhere else, so that an index
can be rebuilt from the truth. Of a secret (sensitivity 3, E14) only its label is worded and nothing is
embedded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.model.plan import Indexed
from holdfast.recall import record, wording, words

if TYPE_CHECKING:
    from holdfast.model.memory import Memory

SECRET = 3


def indexed(memory: Memory, vector: bytes | None, keep_vector: bool = False) -> Indexed:  # noqa: FBT001, FBT002
    """The index row of a memory. `keep_vector`: its embedded text is what it was, so the stored vector
    stands.
    """
    return Indexed(memory.id, record.pack(memory), packed_words(memory), vector, keep_vector)


def packed_words(memory: Memory) -> bytes:
    """The words of a memory as its store keeps them."""
    said = memory.valid_from or memory.created_at
    secret = memory.sensitivity >= SECRET
    text = memory.label if secret else worded_text(memory)
    cut = words.indexed(text, said=None if secret else said) if text else None
    return wording.pack(cut, kind=memory.kind, speaker="" if secret else memory.speaker)


def worded_text(memory: Memory) -> str:
    """What is cut into words: the content, entity and label where they say more, and what was attached."""
    return "\n".join(_told(memory))


def embedded_text(memory: Memory) -> str:
    """What goes to the embedder: the content, its entity where it says more, and what was attached."""
    return "" if memory.sensitivity >= SECRET else "\n".join(_told(memory, label=False))


def _told(memory: Memory, *, label: bool = True) -> list[str]:
    told = [memory.content]
    extra = [memory.entity_value, *(attachment.text for attachment in memory.attachments)]
    if label:
        extra += [memory.label, memory.speaker]
    told += [text for text in extra if text and text not in memory.content]
    return told
