"""What is wrong in a directory: files without a space, spaces without a file, files that are torn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.files import SPACE, opened
from holdfast.adapters.sqlite.statements import rows, statements
from holdfast.errors import HoldfastError
from holdfast.ports.store import Drift

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from holdfast.adapters.sqlite.files import Options
    from holdfast.model.space import SpaceRecord

_SQL = statements("space.sql")


def examined(directory: Path, spaces: Sequence[SpaceRecord], options: Options) -> list[Drift]:
    """One line for each thing found, in the order of the files."""
    known = {record.id: record for record in spaces}
    found: list[Drift] = []
    for path in sorted((directory / "spaces").glob("*.db")):
        found += _file(path, known.pop(path.stem, None), options)
    for id, record in known.items():
        if record.anchor_number:
            found.append(
                Drift("missing", id, f"the file of {record.name!r} is gone; restore it from a backup")
            )
    for path in sorted((directory / "spaces").glob(".*.db.*")):
        found.append(Drift("left over", path.name, "a file that was never finished; delete it"))
    return found


def _file(path: Path, record: SpaceRecord | None, options: Options) -> Iterator[Drift]:
    try:
        db = opened(path, SPACE, options)
    except HoldfastError as error:
        yield Drift("does not open", path.stem, str(error))
        return
    try:
        space, name, number = rows(db, _SQL["whose"])[0]
        torn = [str(line) for (line,) in rows(db, "PRAGMA quick_check(3)") if line != "ok"]
    except apsw.Error as error:
        space, name, number, torn = path.stem, "", record.anchor_number if record else 0, [str(error)]
    finally:
        db.close()
    if torn:
        yield Drift("damaged", path.stem, f"{'; '.join(torn)}; restore it from a backup")
    if record is None:
        yield Drift(
            "orphan", path.stem, f"no space of the catalog has this file, which was made for {name!r}"
        )
    elif space != path.stem:
        yield Drift("orphan", path.stem, f"this is the file of another space, {name!r} ({space})")
    elif number < record.anchor_number:
        behind = (
            f"its ledger ends at entry {number}, {record.anchor_number} were anchored; it is an older copy"
        )
        yield Drift("behind", path.stem, behind)
