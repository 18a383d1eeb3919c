"""`holdfast export` and `holdfast import`: a whole space out to a file of lines, and in again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdfast.errors import InvalidInput
from holdfast.serve.cli import draw
from holdfast.serve.cli.options import House, spread

if TYPE_CHECKING:
    from collections.abc import Iterator


@spread
def export(
    house: House,
    file: Annotated[str, typer.Argument(help="Where to write, or - for standard output.")] = "-",
) -> None:
    """Write a whole space as lines of JSON: every version, the ledger, quarantine, vectors, queue."""
    with house.opened() as hf:
        lines = hf.export(house.named())
        if file == "-":
            for line in lines:
                sys.stdout.write(line + "\n")
            return
        path = Path(file).expanduser()
        if path.exists():
            raise InvalidInput("FILE", f"{file} is there already", "name another, or move it away")
        half = path.with_name(path.name + ".part")
        try:
            with half.open("w", encoding="utf-8") as opened:
                half.chmod(0o600)  # it holds all the words
                count = sum(opened.write(line + "\n") and 1 for line in lines)
            half.rename(path)
        except OSError as error:
            raise InvalidInput("FILE", f"cannot be written ({error})", "name another file") from None
        house.tell({"file": file, "lines": count}, lambda _: draw.words(f"{count} lines in {file}"))


@spread
def import_(
    house: House,
    file: Annotated[str, typer.Argument(help="An export, or - for standard input.", show_default=False)],
    *,
    name: Annotated[str, typer.Option("--name", help="What the space is called here; else as it was.")] = "",
) -> None:
    """Make a space of an export, whole or not at all."""
    with house.keeping("import_space") as hf:
        record = hf.import_space(_lines(file), name=name)
        house.tell(
            record, lambda _: draw.words(f"{record.name} is there, with {record.anchor_number} entries")
        )


def _lines(file: str) -> Iterator[str]:
    try:
        if file == "-":
            yield from sys.stdin
            return
        with Path(file).expanduser().open(encoding="utf-8", newline="\n") as opened:
            yield from opened
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("FILE", f"cannot be read ({error})", "name an export, or -") from None
