"""Vectors that are made after the memory was kept: for what was written while no embedder answered, and for
another embedder than the one it was written with (B7). What is stored is never made again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.recall.indexing import embedded_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.model.memory import Memory
    from holdfast.scope import Scope

BATCH = 256  # texts embedded at once: a fifth of a second of the default embedder


def waiting(scope: Scope) -> list[Memory]:
    """The next memories that have no vector of the scope's embedder."""
    return scope.store.unembedded(scope.embedder.name, BATCH)


def embed(scope: Scope, memories: Sequence[Memory]) -> int:
    """Embeds them and returns how many; those whose words changed meanwhile are left for the next round."""
    embedder = scope.embedder
    rows = embedder.embed([embedded_text(memory) for memory in memories])
    vectors = {memory.id: row.tobytes() for memory, row in zip(memories, rows, strict=True)}
    versions = {memory.id: memory.version for memory in memories}
    with scope.store.turn():  # else whoever decides meanwhile would have to decide again
        return scope.store.store_vectors(embedder.name, vectors, versions)
