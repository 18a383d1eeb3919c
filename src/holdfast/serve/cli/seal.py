"""The commands of what is sealed (E14): seal what was kept in plain, open a secret, rotate the master key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from holdfast.serve.cli import draw
from holdfast.serve.cli.options import House, moment, spread
from holdfast.serve.cli.read import At, Id
from holdfast.serve.cli.write import tell

if TYPE_CHECKING:
    from holdfast.remember.sealing import Opened


@spread
def seal(
    house: House,
    id: Id,
    *,
    label: Annotated[str | None, typer.Option("--label", help="A name to find it by.")] = None,
    at: At = None,
) -> None:
    """Seal what was kept in plain, under a new id; its plain versions are destroyed for good."""
    with house.entered() as me:
        tell(house, me.seal(id, label=label, at=moment("--at", at)))


@spread
def open_(house: House, id: Id) -> None:
    """Show what is sealed in a memory or a capture; the ledger says who opened it."""
    with house.entered() as me:
        house.tell(me.open(id), _opened)


@spread
def rotate(house: House) -> None:
    """Make a new master key, wrap the keys of all spaces under it, and destroy the old one."""
    with house.keeping("rotate") as hf:
        house.tell({"wrapped": hf.rotate()}, draw.record)


def _opened(plain: Opened) -> Text:
    more = [f"{key}: {value}" for key, value in plain.metadata.items()]
    return Text("\n".join(dict.fromkeys(filter(None, (plain.content, plain.entity_value, *more)))))
