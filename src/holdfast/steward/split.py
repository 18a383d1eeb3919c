"""A long text in pieces that overlap (P4), cut at the largest break that fits. Pure."""

from __future__ import annotations

# Paragraphs, lines, sentences (both scripts), clauses, words; where none is left, anywhere.
BREAKS = ("\n\n", "\n", "。", "！", "？", ". ", "! ", "? ", "；", "; ", "，", ", ", " ", "")


def pieces(text: str, size: int = 500, overlap: int = 50) -> list[str]:
    """Pieces of at most `size` characters; each begins with at most `overlap` characters of the one before.
    A text that fits stays whole.
    """
    text = text.strip()
    if len(text) <= size:
        return [text] if text else []
    return _joined(_cut(text, size - overlap, BREAKS), size, overlap)


def _cut(text: str, size: int, breaks: tuple[str, ...]) -> list[str]:
    """Parts of at most `size` characters that are the text when put together."""
    if len(text) <= size:
        return [text]
    mark, *smaller = breaks
    if not mark:
        return [text[at : at + size] for at in range(0, len(text), size)]
    found = text.split(mark)
    parts = [part + mark for part in found[:-1]] + ([found[-1]] if found[-1] else [])
    return [piece for part in parts for piece in _cut(part, size, tuple(smaller))]


def _joined(parts: list[str], size: int, overlap: int) -> list[str]:
    """Neighbours together while they fit; the next begins with the end of the one before."""
    found: list[str] = []
    held = ""
    for part in parts:
        if held and len(held) + len(part) > size:
            found.append(held.strip())
            held = _tail(held, min(overlap, size - len(part)))
        held += part
    return [piece for piece in (*found, held.strip()) if piece]


def _tail(text: str, most: int) -> str:
    """The end of a text, from the beginning of a word where there is one."""
    if most <= 0:
        return ""
    tail = text[-most:]
    cut = tail.find(" ")
    return tail[cut + 1 :] if 0 <= cut < len(tail) - 1 else tail
