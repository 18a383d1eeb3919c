"""What is near each member of a batch: among the stored facts, and among the earlier members.

Plain statements are compared with plain statements, entities with their own type, since only values of one
type can conflict. Identifiers are compared exactly and never by likeness (A3).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from holdfast.model.layer import Layer
from holdfast.ports.judge import Related, Relation
from holdfast.recall import record
from holdfast.remember import likeness
from holdfast.remember.known import LIVE, Near
from holdfast.remember.slots import identifier, single_valued

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from holdfast.recall.frame import Frame
    from holdfast.remember.offer import Offers
    from holdfast.scope import Scope

# Statements of one slot may be worded quite differently; among so many nearest the old one is found (A3).
SLOT_CANDIDATES = 20
# Entities of one type that are alike enough to conflict are few; more than this is a list of something.
ENTITY_CANDIDATES = 50
SAME_WORDS = 0.9999  # of calibrated similarity, where 1.0 is "same words" and rounding takes the rest
REPLACED = Related(Relation.CORRECTS, 1.0, ("a new value of what has one value at a time",))


@dataclass(frozen=True, slots=True)
class _Group:
    """Members that are compared with each other and with the same rows."""

    places: list[int]
    batch: NDArray[np.float32]
    rows: NDArray[np.intp]
    entity: bool = False


class Likeness:
    """One look at the space for one batch."""

    def __init__(self, scope: Scope, frame: Frame, offers: Offers) -> None:
        self._frame = frame
        self._offers = offers
        self._policy = scope.profile.reconcile
        self._scale = scope.embedder.calibration
        self._found: dict[int, list[Near]] = {}

    def near(self, places: Sequence[int]) -> dict[int, list[Near]]:
        """Place → what is near it, nearest first; for facts only."""
        groups: dict[int, list[int]] = defaultdict(list)
        for place in places:
            admission = self._offers.all[place].admission
            if admission.layer is Layer.FACT:
                groups[record.name_key(admission.draft.entity_type)].append(place)
        facts = self._frame.in_status(LIVE, [Layer.FACT]) if groups else np.zeros(0, np.bool_)
        for key, members in groups.items():
            rows = np.flatnonzero(facts & (self._frame.entity_type == np.uint64(key)))
            if key:
                self._of_type(members, rows)
            else:
                self._plain(members, rows)
        return self._found

    def _group(self, places: Sequence[int], rows: NDArray[np.intp], *, entity: bool) -> _Group:
        having, batch = self._offers.vectors(places)
        return _Group(having, batch, rows[self._frame.columns.has_vector[rows]], entity)

    def _plain(self, places: Sequence[int], rows: NDArray[np.intp]) -> None:
        """Statements about the same thing, to be shown to the judge; more than it is asked about, since some
        turn out to be of another speaker.
        """
        group = self._group(places, rows, entity=False)
        self._alike(group, self._policy.related, 2 * self._policy.candidates)
        slotted = [at for at, place in enumerate(group.places) if self._offers.all[place].admission.slot]
        if slotted:
            self._slots(group, slotted)

    def _slots(self, group: _Group, slotted: list[int]) -> None:
        """What may fill the same single-valued slot is shown too, however unlike (A3)."""
        vectors = self._frame.columns.vectors
        known = likeness.nearest_known(group.batch[slotted], vectors, group.rows, most=SLOT_CANDIDATES)
        for at, hits in zip(slotted, known, strict=True):
            self._add(group.places[at], self._stored(hits, entity=False))
        earlier: dict[str, list[int]] = defaultdict(list)
        for at in slotted:
            others = earlier[self._offers.all[group.places[at]].admission.slot]
            hits = [
                (other, float(group.batch[at] @ group.batch[other])) for other in others[-SLOT_CANDIDATES:]
            ]
            self._add(group.places[at], self._members(hits, group))
            others.append(at)

    def _of_type(self, places: Sequence[int], rows: NDArray[np.intp]) -> None:
        """Values of one entity type: single-valued ones whatever the likeness, the others by likeness."""
        singles = [p for p in places if single_valued(self._offers.all[p].admission.draft.entity_type)]
        for at, place in enumerate(singles):
            known = [Near(self._frame.ids[row], 0.0, REPLACED) for row in rows.tolist()]
            self._add(place, known + [Near(self._offers.all[p].id, 0.0, REPLACED) for p in singles[:at]])
        alike = [] if singles else [place for place in places if not self._identifier(place)]
        self._alike(self._group(alike, rows, entity=True), self._policy.same, ENTITY_CANDIDATES)

    def _identifier(self, place: int) -> bool:
        draft = self._offers.all[place].admission.draft
        return identifier(draft.entity_type, draft.entity_value or draft.content)

    def _alike(self, group: _Group, wanted: float, most: int) -> None:
        """Everything at least so similar, of what is stored and of the batch."""
        if not group.places:
            return
        floor = likeness.raw_floor(self._scale, wanted)
        vectors = self._frame.columns.vectors
        known = likeness.near_known(group.batch, vectors, group.rows, floor=floor, most=most)
        members = likeness.near_each_other(group.batch, floor=floor, most=most)
        for place, stored, earlier in zip(group.places, known, members, strict=True):
            if stored or earlier:
                self._add(place, self._stored(stored, entity=group.entity) + self._members(earlier, group))

    def _stored(self, hits: list[tuple[int, float]], *, entity: bool) -> list[Near]:
        return [self._near(self._frame.ids[row], cosine, entity=entity) for row, cosine in hits]

    def _members(self, hits: list[tuple[int, float]], group: _Group) -> list[Near]:
        ids = [self._offers.all[group.places[at]].id for at, _ in hits]
        return [self._near(id, hit[1], entity=group.entity) for id, hit in zip(ids, hits, strict=True)]

    def _near(self, id: str, cosine: float, *, entity: bool) -> Near:
        similarity = self._scale.similarity(cosine)
        if not entity:
            return Near(id, similarity)
        label = Relation.DUPLICATE if similarity >= SAME_WORDS else Relation.CORRECTS
        return Near(id, similarity, Related(label, 1.0, (f"the same type, {similarity:.2f} alike",)))

    def _add(self, place: int, more: list[Near]) -> None:
        """Each id once, nearest first; of equally near ones what was stored comes first."""
        near = self._found.setdefault(place, [])
        seen = {one.id for one in near}
        near += [one for one in more if one.id not in seen]
        near.sort(key=lambda one: -one.similarity)
