"""What is wrong in a database as a whole: spaces without their state, ledgers shorter than their anchor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres.pool import NO_SPACE
from holdfast.ports.store import Drift

if TYPE_CHECKING:
    from holdfast.adapters.postgres.pool import Pool

_CATALOG = statements(__package__, "catalog.sql")
_SPACE = statements(__package__, "space.sql")


def examined(pool: Pool) -> list[Drift]:
    """One line for each thing found, by the id of the space."""
    stateless = pool.read(NO_SPACE, lambda db: db.plain(_CATALOG["stateless"]))
    found = [
        Drift("missing", id, f"the state of {name!r} is gone; restore it from a backup")
        for id, name in stateless
    ]
    for number, id, anchored in pool.read(NO_SPACE, lambda db: db.plain(_CATALOG["numbers"])):
        ((last, *_),) = pool.read(number, lambda db: db.rows(_SPACE["head"]))
        if last < anchored:
            told = f"its ledger ends at entry {last}, {anchored} were anchored; it is an older copy"
            found.append(Drift("behind", id, told))
    return sorted(found, key=lambda drift: drift.id)
