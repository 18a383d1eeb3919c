"""Between admission and reconciling: looks up what the space knows about a batch, and asks the judge about
it.

Equal words and entities come from the image's keys, likeness from `near`; only what is near is read from the
truth, and only what can agree or disagree is shown to the judge. Writes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from holdfast.model.layer import Layer
from holdfast.model.status import Status
from holdfast.ports.judge import Related, Relation
from holdfast.remember.known import LIVE, Case, Near, lapsed, live
from holdfast.remember.lookup import constitution
from holdfast.remember.lookup import known as stored_now
from holdfast.remember.near import Likeness
from holdfast.remember.reconcile_near import DISAGREES, comparable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from holdfast.model.memory import Memory
    from holdfast.recall.frame import Frame
    from holdfast.remember.admit import Admission
    from holdfast.remember.offer import Offers
    from holdfast.scope import Scope

Found = dict[int, list[str]]  # place in the batch → ids


@dataclass(slots=True)
class Gathered:
    """What a batch is decided on. `sequence` is the state of the space it was read from."""

    cases: list[Case]
    stored: dict[str, Memory]
    sequence: int
    working: list[str]  # live working memory, oldest first


NOTHING_GATHERED = Gathered([], {}, 0, [])
"""Of an empty batch."""


def gather(scope: Scope, offers: Offers) -> Gathered:
    """Reads the image once; everything found belongs to its sequence number."""
    frame = scope.image().frame
    entering = [place for place, offer in enumerate(offers.all) if offer.admission.enters]
    same = _holding(frame, frame.content, {place: offers.all[place].words for place in entering})
    named = {place: offers.all[place].entity for place in entering if offers.all[place].entity}
    entities = _holding(frame, frame.entity, named)
    stored = _known(scope, _joined(same, entities), offers)
    stored |= _known(scope, [m.merged_into for m in stored.values() if m.merged_into], offers)
    told = {place: (*same[place], *entities.get(place, ())) for place in entering}
    new = [place for place in entering if not _stands(stored, told[place], offers.all[place].admission)]
    offers.embed(scope, new)
    near = Likeness(scope, frame, offers).near(new)
    for place in new:
        recorded = _recorded(stored, told[place])
        known = {hit.id for hit in recorded}
        near[place] = recorded + [hit for hit in near.get(place, ()) if hit.id not in known]
    hits = {hit.id for found in near.values() for hit in found}
    stored |= _known(scope, sorted(hits - stored.keys() - offers.by_id.keys()), offers)
    judging = _Judging(scope, offers, stored)
    cases = [
        Case(
            id=offer.id,
            admission=offer.admission,
            words=offer.words,
            entity=offer.entity,
            same=tuple(same.get(place, ())),
            entities=tuple(entities.get(place, ())),
            kept=offer.kept,
        )
        for place, offer in enumerate(offers.all)
    ]
    cases = [judging.judged(case, near.get(place, ())) for place, case in enumerate(cases)]
    if offers.instead.negates or offers.instead.repeats:
        cases[0] = judging.told_so(cases[0])
    offers.hurry()
    return Gathered(cases, stored, frame.sequence, _working(frame, offers))


def _known(scope: Scope, ids: Sequence[str], offers: Offers) -> dict[str, Memory]:
    """What is stored, as it stands when the batch is said."""
    at = max(offer.admission.at for offer in offers.all)
    return {id: lapsed(memory, at) for id, memory in stored_now(scope, ids).items()}


def _holding(frame: Frame, column: NDArray[np.uint64], keys: dict[int, int]) -> Found:
    """Place in the batch → ids of the memories with that key, oldest first."""
    found: Found = {place: [] for place in keys}
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


def _joined(*found: Found) -> list[str]:
    return list(dict.fromkeys(id for places in found for ids in places.values() for id in ids))


def _stands(stored: dict[str, Memory], ids: Iterable[str], admission: Admission) -> bool:
    """Whether one of them stands, so that this is a mention whatever else is near. A turn of a conversation
    is not what is remembered of it.
    """
    found = (stored[id] for id in ids if id in stored)
    return any(
        live(memory) and memory.status is not Status.PENDING and memory.layer is admission.layer
        for memory in found
    )


def _recorded(stored: dict[str, Memory], ids: Iterable[str]) -> list[Near]:
    """What a memory that is said again is known to conflict with, or was replaced by: as near as can be."""
    again = [stored[id] for id in ids if id in stored]
    others = [other for m in again for other in (*m.conflicts_with, m.superseded_by) if other]
    return [Near(id, 1.0, recorded=True) for id in dict.fromkeys(others)]


def _working(frame: Frame, offers: Offers) -> list[str]:
    """Live working memory, oldest first; looked for only where the batch adds to it."""
    if not any(o.admission.layer is Layer.SESSION and o.admission.enters for o in offers.all):
        return []
    rows = np.flatnonzero(frame.in_status(LIVE, [Layer.SESSION]))
    order = np.argsort(frame.packed(rows)["created"], kind="stable")
    return [frame.ids[row] for row in rows[order].tolist()]


class _Judging:
    """Asks the judge what a case is to the constitution and to what is near; each pair once."""

    def __init__(self, scope: Scope, offers: Offers, stored: dict[str, Memory]) -> None:
        self._scope = scope
        self._policy = scope.profile.reconcile
        self._offers = offers
        self._stored = stored
        claims = any(offer.admission.layer is not Layer.SESSION for offer in offers.all)
        guarded = scope.profile.admit.guard_constitution and claims
        self._constitution = constitution(scope) if guarded else []

    def judged(self, case: Case, hits: Sequence[Near]) -> Case:
        """The case with what is near and what the judge says of it."""
        if not case.admission.enters:
            return case
        guard = self._against_constitution(case)
        near = () if guard else self._near(case, hits)
        return replace(case, guard=guard, near=near) if guard or near else case

    def _against_constitution(self, case: Case) -> tuple[str, ...]:
        """Why it contradicts the constitution. A turn of a conversation is a record and may say anything."""
        if case.admission.layer is Layer.SESSION:
            return ()
        for entry in self._constitution:
            related = self._offers.relation(entry.content, case.admission.draft.content)
            if related.label in DISAGREES and related.confidence >= self._policy.judge_confidence:
                return related.reasons or (str(related.label),)
        return ()

    def _near(self, case: Case, hits: Sequence[Near]) -> tuple[Near, ...]:
        """The nearest are asked about, and what fills the same slot; what is said again live ends it."""
        near: list[Near] = []
        against: dict[str, Near] = {}
        left = self._policy.candidates
        for hit in hits:
            related = hit.related
            if related is None:
                old = self._words(case, hit.id)
                far = hit.similarity < self._policy.related
                if old is None or (not far and left <= 0):
                    continue
                if far and self._offers.slot(old) != case.admission.slot:
                    continue
                told = None if hit.recorded else hit.similarity
                related = self._offers.relation(old, case.admission.draft.content, told)
                left -= not far
            near.append(Near(hit.id, hit.similarity, related))
            twin = self._stored.get(hit.id)
            if related.label is Relation.DUPLICATE and twin is not None and live(twin):
                if twin.status is not Status.PENDING:
                    break
                against |= self._waits_against(twin)
        return (*(one for one in near if one.id not in against), *against.values())

    def _waits_against(self, twin: Memory) -> dict[str, Near]:
        """What a pending memory was found to contradict: whoever repeats it in other words does so too."""
        ids = twin.conflicts_with
        self._stored |= _known(self._scope, [id for id in ids if id not in self._stored], self._offers)
        found = {}
        for id in ids:
            label = self._offers.relation(self._stored[id].content, twin.content).label
            label = label if label in DISAGREES else Relation.CORRECTS
            found[id] = Near(id, 1.0, Related(label, 1.0, ("found before",)), recorded=True)
        return found

    def _words(self, case: Case, id: str) -> str | None:
        """The words of what is near, where it can agree or disagree with the case."""
        old = self._stored.get(id)
        if old is not None:
            return old.content if comparable(case, old) else None
        return self._offers.by_id[id].admission.draft.content

    def told_so(self, case: Case) -> Case:
        """The case with what somebody said that it is to a stored memory."""
        told = self._offers.instead
        id = told.negates or told.repeats
        self._stored |= _known(self._scope, [id] if id not in self._stored else [], self._offers)
        if told.repeats:
            return replace(case, again=id)
        negated = Near(id, 1.0, Related(Relation.NEGATES, 1.0, ("taken back",)), explicit=True)
        return replace(case, near=(negated, *(near for near in case.near if near.id != id)))
