"""On the way in: what an image will need of a memory, worked out once and stored beside it.

Which text is embedded and which text is cut into words is decided here and nowhere else, so that an index
can be rebuilt from the truth. Of a secret (sensitivity 3, E14) only its label is worded and nothing is
embedded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.model.layer import Layer, Level
from holdfast.model.plan import Indexed
from holdfast.recall import record, wording, words
from holdfast.recall.fold import simplified
from holdfast.recall.record import SECRET

if TYPE_CHECKING:
    from holdfast.model.memory import Memory


def indexed(memory: Memory, vector: bytes | None, keep_vector: bool = False) -> Indexed:  # noqa: FBT001, FBT002
    """The index row of a memory. `keep_vector`: its embedded text is what it was."""
    return Indexed(memory.id, record.pack(memory), packed_words(memory), vector, keep_vector)


def is_cold(memory: Memory) -> bool:
    """Working memory in cold storage (M6): it keeps its words and is found by its time alone."""
    return memory.layer is Layer.SESSION and memory.level is Level.ARCHIVE


def packed_words(memory: Memory) -> bytes:
    """The words of a memory as its store keeps them; the speaker is no word but a column."""
    if is_cold(memory):
        return wording.pack(None, kind=memory.kind, speaker=memory.speaker)
    if memory.sensitivity >= SECRET:
        cut = words.indexed(memory.label) if memory.label else None
        return wording.pack(cut, kind=memory.kind, speaker="")
    said = memory.valid_from or memory.created_at
    cut = words.indexed(memory.content, said=said, beside=(*_beside(memory), *_new(memory, memory.label)))
    return wording.pack(cut, kind=memory.kind, speaker=memory.speaker)


def worded_text(memory: Memory) -> str:
    """All that a memory says: content, entity and label where they say more, what was attached, who spoke."""
    return "\n".join((memory.content, *_beside(memory), *_new(memory, memory.label, memory.speaker)))


def embedded_text(memory: Memory) -> str:
    """What goes to the embedder: the content, its entity where it says more, and what was attached; in
    simplified characters, as the question is.
    """
    if memory.sensitivity >= SECRET or is_cold(memory):
        return ""
    return simplified("\n".join((memory.content, *_beside(memory))))


def _beside(memory: Memory) -> tuple[str, ...]:
    return _new(memory, memory.entity_value, *(attachment.text for attachment in memory.attachments))


def _new(memory: Memory, *texts: str) -> tuple[str, ...]:
    """Those that say more than the content does."""
    return tuple(text for text in texts if text and text not in memory.content)
