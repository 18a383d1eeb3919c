"""A batch on its way in: admissions with their ids, keys and vectors, and every answer of the judge so far.

Asked once, kept for the whole call: when a write turns out stale and the batch is decided again, no text is
embedded and no pair is judged a second time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from holdfast.errors import InvalidInput, Unavailable
from holdfast.recall.fold import simplified

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from holdfast.model.draft import Draft
    from holdfast.ports.judge import Judge, Related
    from holdfast.remember.admit import Admission
    from holdfast.scope import Scope


@dataclass(frozen=True, slots=True)
class Offer:
    """One draft with what was decided at the gate. `kept` is what quarantine keeps where it is not the
    words.
    """

    id: str
    admission: Admission
    words: int
    entity: int
    kept: str = ""


@dataclass(frozen=True, slots=True)
class Instead:
    """What somebody said a single statement is to a stored memory, so that nobody need be asked."""

    negates: str = ""
    repeats: str = ""


UNSAID = Instead()


class Offers:
    """The batch. `instead` speaks of its first member."""

    def __init__(
        self,
        offers: Sequence[Offer],
        given: dict[int, NDArray[np.float32]],
        judge: Judge,
        *,
        instead: Instead = UNSAID,
    ) -> None:
        self.instead = instead
        self.all = offers
        self.by_id = {offer.id: offer for offer in offers}
        self.late = ""  # why there are no vectors yet
        self._vectors = given
        self._judge = judge
        self._relations: dict[tuple[str, str], Related] = {}
        self._slots: dict[str, str] = {}

    def hurry(self) -> None:
        """From now on nobody waits for a judge: whoever decides again keeps all other writers waiting."""
        self._judge = self._judge.at_once

    def relation(self, old: str, new: str, similarity: float | None = None) -> Related:
        """What the judge says of the pair, asked once."""
        related = self._relations.get((old, new))
        if related is None:
            related = self._relations[old, new] = self._judge.relation(old, new, similarity)
        return related

    def slot(self, words: str) -> str:
        """The single-valued slot that a statement fills, if any."""
        if words not in self._slots:
            self._slots[words] = self._judge.classify(words).slot or ""
        return self._slots[words]

    def embed(self, scope: Scope, places: Sequence[int]) -> None:
        """Vectors for these members, in one call. An embedder that cannot be reached leaves them for
        later.
        """
        missing = [p for p in places if p not in self._vectors and not self.all[p].admission.draft.sealed]
        if not missing or self.late:
            return
        try:
            rows = scope.embedder.embed([told(self.all[place].admission.draft) for place in missing])
        except Unavailable as error:
            self.late = str(error)
            return
        self._vectors |= zip(missing, rows, strict=True)

    def vectors(self, places: Sequence[int]) -> tuple[list[int], NDArray[np.float32]]:
        """Those of the places that have a vector, and their rows."""
        having = [place for place in places if place in self._vectors]
        if not having:
            return [], np.empty((0, 0), np.float32)
        return having, np.stack([self._vectors[place] for place in having])

    def vector(self, place: int) -> bytes | None:
        if self.all[place].admission.draft.sealed:
            return b""  # a secret has none (E14)
        row = self._vectors.get(place)
        return None if row is None else row.tobytes()


def told(draft: Draft) -> str:
    """The text that is embedded of a new memory: what `recall.indexing.embedded_text` says of it."""
    value = draft.entity_value
    return simplified(draft.content if not value or value in draft.content else f"{draft.content}\n{value}")


def given_vectors(drafts: Sequence[Draft], dimensions: int) -> dict[int, NDArray[np.float32]]:
    """The ready vectors of a batch by place, of unit length; InvalidInput names the first that is not one."""
    places = [place for place, draft in enumerate(drafts) if draft.vector is not None]
    rows = {place: _row(drafts, place, dimensions) for place in places}
    if not rows:
        return {}
    matrix = np.stack(list(rows.values()))
    lengths = np.linalg.norm(matrix, axis=1)
    for place, length in zip(places, lengths.tolist(), strict=True):
        if not np.isfinite(length) or length == 0.0:
            raise InvalidInput(
                _field(drafts, place), "is not a finite vector with a direction", "embed it again"
            )
    return dict(zip(places, np.asarray(matrix / lengths[:, None], np.float32), strict=True))


def _row(drafts: Sequence[Draft], place: int, dimensions: int) -> NDArray[np.float32]:
    try:
        row = np.asarray(drafts[place].vector, np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidInput(
            _field(drafts, place), f"is not made of numbers ({error})", "give floats"
        ) from None
    if row.shape != (dimensions,):
        sizes = "×".join(map(str, row.shape))
        raise InvalidInput(
            _field(drafts, place), f"has size {sizes}", f"this space's embedder makes {dimensions}"
        )
    return row


def _field(drafts: Sequence[Draft], place: int) -> str:
    return f"items[{place}].vector" if len(drafts) > 1 else "vector"
