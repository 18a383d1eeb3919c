"""Between admission and reconciling: looks up what the space knows about a batch, and asks the judge about it.

Equal words and entities come from the image's keys, likeness from one matrix product for the batch; only what is
near is read from the truth, and only what can agree or disagree is shown to the judge. Writes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from holdfast.model.layer import Layer
from holdfast.model.status import Status
from holdfast.ports.judge import Related, Relation
from holdfast.recall import record
from holdfast.remember import likeness
from holdfast.remember.known import LIVE, Case, Near, live
from holdfast.remember.reconcile import comparable
from holdfast.remember.slots import identifier, single_valued

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from holdfast.model.memory import Memory
    from holdfast.recall.frame import Frame
    from holdfast.remember.offer import Offers
    from holdfast.scope import Scope

# Statements of one slot may be worded quite differently; among so many nearest the old one is found (A3).
SLOT_CANDIDATES = 20
# Entities of one type that are alike enough to conflict are few; more than this is a list of something.
ENTITY_CANDIDATES = 50
SAME_WORDS = 0.9999  # of calibrated similarity, where 1.0 is "same words" and rounding takes the rest
CONTRADICTS = frozenset({Relation.NEGATES, Relation.CORRECTS})


@dataclass(slots=True)
class Gathered:
    """What a batch is decided on. `sequence` is the state of the space it was read from."""

    cases: list[Case]
    stored: dict[str, Memory]
    sequence: int
    working: list[str] = field(default_factory=list)  # live working memory, oldest first


def gather(scope: Scope, offers: Offers) -> Gathered:
    """Reads the image once; everything found belongs to its sequence number."""
    frame = scope.image().frame
    entering = [place for place, offer in enumerate(offers.all) if offer.admission.enters]
    same = _holding(frame, frame.content, {place: offers.all[place].words for place in entering})
    named = {place: offers.all[place].entity for place in entering if offers.all[place].entity}
    entities = _holding(frame, frame.entity, named)
    stored = scope.store.get(_joined(same, entities))
    stored |= scope.store.get([m.merged_into for m in stored.values() if m.merged_into])
    new = [place for place in entering if not _stands(stored, (*same[place], *entities.get(place, ())))]
    offers.embed(scope, new)
    near = _Likeness(scope, frame, offers).near(new)
    stored |= scope.store.get(
        list({hit.id for hits in near.values() for hit in hits} - stored.keys() - offers.ids)
    )
    guard = _constitution(scope, frame) if scope.profile.admit.guard_constitution else []
    cases = []
    for place, offer in enumerate(offers.all):
        case = Case(
            id=offer.id,
            admission=offer.admission,
            words=offer.words,
            entity=offer.entity,
            same=tuple(same.get(place, ())),
            entities=tuple(entities.get(place, ())),
            guard=_guarded(offers, place, guard, scope) if offer.admission.enters else (),
            kept=offer.kept,
        )
        cases.append(_judged(case, near.get(place, ()), stored, offers, scope))
    return Gathered(cases, stored, frame.sequence, _working(frame, offers))


def _holding(frame: Frame, column: NDArray[np.uint64], keys: dict[int, int]) -> dict[int, list[str]]:
    """Place in the batch → ids of the memories with that key, oldest first."""
    found: dict[int, list[str]] = {place: [] for place in keys}
    wanted: dict[int, list[int]] = defaultdict(list)
    for place, key in keys.items():
        wanted[key].append(place)
    if not wanted or not len(column):
        return found
    rows = np.flatnonzero(np.isin(column, np.fromiter(wanted, np.uint64, len(wanted))) & (frame.flags != 0))
    for row, key in zip(rows.tolist(), column[rows].tolist(), strict=True):
        for place in wanted[key]:
            found[place].append(frame.ids[row])
    return found


def _joined(*found: dict[int, list[str]]) -> list[str]:
    return list(dict.fromkeys(id for places in found for ids in places.values() for id in ids))


def _stands(stored: dict[str, Memory], ids: Iterable[str]) -> bool:
    """Whether one of them stands, so that this is a mention whatever else is near."""
    return any(live(stored[id]) and stored[id].status is not Status.PENDING for id in ids if id in stored)


def _working(frame: Frame, offers: Offers) -> list[str]:
    """Live working memory, oldest first; looked for only where the batch adds to it."""
    if not any(o.admission.layer is Layer.SESSION and o.admission.enters for o in offers.all):
        return []
    rows = np.flatnonzero(frame.in_status(LIVE, [Layer.SESSION]))
    order = np.argsort(frame.packed(rows)["created"], kind="stable")
    return [frame.ids[row] for row in rows[order].tolist()]


def _constitution(scope: Scope, frame: Frame) -> list[Memory]:
    rows = np.flatnonzero(frame.in_status([Status.ACTIVE, Status.REVIEW], [Layer.CONSTITUTION]))
    return list(scope.store.get([frame.ids[row] for row in rows.tolist()]).values())


def _guarded(offers: Offers, place: int, guard: Sequence[Memory], scope: Scope) -> tuple[str, ...]:
    """Why a statement contradicts the constitution. A turn of a conversation is a record and may say anything."""
    offer = offers.all[place]
    if offer.admission.layer is Layer.SESSION:
        return ()
    for entry in guard:
        related = offers.relation(entry.content, offer.admission.draft.content)
        sure = related.confidence >= scope.profile.reconcile.judge_confidence
        if related.label in CONTRADICTS and sure:
            return related.reasons or (str(related.label),)
    return ()


def _judged(
    case: Case, hits: Sequence[Near], stored: dict[str, Memory], offers: Offers, scope: Scope
) -> Case:
    """The case with what is near and what the judge says of it. What is said again live needs no more asking."""
    near: list[Near] = []
    policy = scope.profile.reconcile
    left = policy.candidates
    for hit in hits:
        related = hit.related
        if related is None:
            old = _told(case, hit.id, stored, offers)
            far = hit.similarity < policy.related
            if old is None or (far and offers.slot(old) != case.admission.slot) or (not far and left <= 0):
                continue
            related = offers.relation(old, case.admission.draft.content)
            left -= not far
        near.append(Near(hit.id, hit.similarity, related))
        known = stored.get(hit.id)
        if related.label is Relation.DUPLICATE and known is not None and live(known):
            break
    return replace(case, near=tuple(near)) if near else case


def _told(case: Case, id: str, stored: dict[str, Memory], offers: Offers) -> str | None:
    """The words of what is near, where it can agree or disagree with the case."""
    known = stored.get(id)
    if known is not None:
        return known.content if comparable(case, known) else None
    return offers.by_id[id].admission.draft.content


class _Likeness:
    """What is near each member of a batch: among the stored facts, and among the earlier members."""

    def __init__(self, scope: Scope, frame: Frame, offers: Offers) -> None:
        self._frame = frame
        self._offers = offers
        self._policy = scope.profile.reconcile
        self._scale = scope.embedder.calibration
        self._facts = frame.in_status(LIVE, [Layer.FACT])

    def near(self, places: Sequence[int]) -> dict[int, list[Near]]:
        """By entity type, since only values of one type can conflict; plain statements are a type of their own."""
        groups: dict[int, list[int]] = defaultdict(list)
        for place in places:
            admission = self._offers.all[place].admission
            if admission.layer is Layer.FACT:
                groups[record.name_key(admission.draft.entity_type)].append(place)
        found: dict[int, list[Near]] = {}
        for key, members in groups.items():
            rows = np.flatnonzero(self._facts & (self._frame.entity_type == np.uint64(key)))
            if key:
                self._of_type(members, rows, found)
            else:
                self._plain(members, rows, found)
        return found

    def _plain(self, places: Sequence[int], rows: NDArray[np.intp], found: dict[int, list[Near]]) -> None:
        """Statements about the same thing, to be shown to the judge."""
        places, batch = self._offers.vectors(places)
        rows = rows[self._frame.columns.has_vector[rows]]
        floor, most = likeness.raw_floor(self._scale, self._policy.related), 2 * self._policy.candidates
        self._add(
            places,
            likeness.near_known(batch, self._frame.columns.vectors, rows, floor=floor, most=most),
            found,
        )
        self._add_members(places, likeness.near_each_other(batch, floor=floor, most=most), found)
        self._slots(places, batch, rows, found)

    def _slots(
        self,
        places: Sequence[int],
        batch: NDArray[np.float32],
        rows: NDArray[np.intp],
        found: dict[int, list[Near]],
    ) -> None:
        """What may fill the same single-valued slot is shown too, however unlike (A3)."""
        slotted = [at for at, place in enumerate(places) if self._offers.all[place].admission.slot]
        known = likeness.nearest_known(
            batch[slotted], self._frame.columns.vectors, rows, most=SLOT_CANDIDATES
        )
        self._add([places[at] for at in slotted], known, found)
        earlier: dict[str, list[int]] = defaultdict(list)
        for at in slotted:
            place = places[at]
            others = earlier[self._offers.all[place].admission.slot]
            pairs = [(other, float(batch[at] @ batch[other])) for other in others[-SLOT_CANDIDATES:]]
            self._add_members([place], [pairs], found, among=places)
            others.append(at)

    def _of_type(self, places: Sequence[int], rows: NDArray[np.intp], found: dict[int, list[Near]]) -> None:
        """Entities of one type: single-valued ones whatever the likeness, others by likeness, identifiers never."""
        singles = [p for p in places if single_valued(self._offers.all[p].admission.draft.entity_type)]
        for at, place in enumerate(singles):
            replaced = Related(Relation.CORRECTS, 1.0, ("a new value of what has one value at a time",))
            found[place] = [Near(self._frame.ids[row], 0.0, replaced) for row in rows.tolist()]
            found[place] += [Near(self._offers.all[other].id, 0.0, replaced) for other in singles[:at]]
        alike = [p for p in places if p not in singles and not self._identifier(p)]
        alike, batch = self._offers.vectors(alike)
        rows = rows[self._frame.columns.has_vector[rows]]
        floor = likeness.raw_floor(self._scale, self._policy.same)
        vectors = self._frame.columns.vectors
        known = likeness.near_known(batch, vectors, rows, floor=floor, most=ENTITY_CANDIDATES)
        self._add(alike, known, found, entity=True)
        members = likeness.near_each_other(batch, floor=floor, most=ENTITY_CANDIDATES)
        self._add_members(alike, members, found, entity=True)

    def _identifier(self, place: int) -> bool:
        draft = self._offers.all[place].admission.draft
        return identifier(draft.entity_type, draft.entity_value or draft.content)

    def _add(
        self,
        places: Sequence[int],
        pairs: likeness.Pairs,
        found: dict[int, list[Near]],
        *,
        entity: bool = False,
    ) -> None:
        for place, hits in zip(places, pairs, strict=True):
            near = [self._near(self._frame.ids[row], cosine, entity=entity) for row, cosine in hits]
            _merge(found.setdefault(place, []), near)

    def _add_members(
        self,
        places: Sequence[int],
        pairs: likeness.Pairs,
        found: dict[int, list[Near]],
        *,
        entity: bool = False,
        among: Sequence[int] | None = None,
    ) -> None:
        members = places if among is None else among
        for place, hits in zip(places, pairs, strict=True):
            near = [
                self._near(self._offers.all[members[at]].id, cosine, entity=entity) for at, cosine in hits
            ]
            _merge(found.setdefault(place, []), near)

    def _near(self, id: str, cosine: float, *, entity: bool) -> Near:
        similarity = self._scale.similarity(cosine)
        if not entity:
            return Near(id, similarity)
        label = Relation.DUPLICATE if similarity >= SAME_WORDS else Relation.CORRECTS
        return Near(id, similarity, Related(label, 1.0, (f"the same type, {similarity:.2f} alike",)))


def _merge(near: list[Near], more: list[Near]) -> None:
    """Each id once, nearest first; members of the batch come after stored ones that are as near."""
    seen = {one.id for one in near}
    near += [one for one in more if one.id not in seen]
    near.sort(key=lambda one: -one.similarity)
