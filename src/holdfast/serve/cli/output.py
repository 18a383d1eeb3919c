"""Where output goes: JSON in one stable form, or Rich on a terminal (plain where there is none, or NO_COLOR).

What comes out of a memory is never taken for markup or for orders to the terminal.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

from rich.console import Console

from holdfast.serve import told

if TYPE_CHECKING:
    from rich.console import RenderableType

    from holdfast.model.hit import Answer

PIPED_WIDTH = 160  # what a pipe reads should not be cut at the 80 columns of no terminal
# C0 but tab and newline, DEL, and C1: a terminal obeys them.
_ORDERS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)), "�")


@cache
def console() -> Console:
    """Standard output."""
    return _made(width=None if sys.stdout.isatty() else PIPED_WIDTH)


@cache
def aside() -> Console:
    """Standard error: progress, prompts and errors, so that what is piped stays clean."""
    return _made(stderr=True, soft_wrap=True)


def _made(**settings: Any) -> Console:
    """Rich keeps bold under NO_COLOR; whoever sets it wants no escape at all."""
    made = Console(markup=False, highlight=False, emoji=False, **settings)
    if made.no_color:
        return Console(markup=False, highlight=False, emoji=False, color_system=None, **settings)
    return made


def draw(picture: RenderableType | None) -> None:
    """Prints what a drawing function made; in a pipe without the spaces that fill a line on a terminal."""
    if picture is None:
        return
    if console().is_terminal:
        console().print(picture)
        return
    with console().capture() as captured:
        console().print(picture)
    sys.stdout.write("\n".join(line.rstrip() for line in captured.get().split("\n")))


def print_text(text: str) -> None:
    """The text itself, unwrapped, for whatever reads the pipe."""
    sys.stdout.write((safe(text) if sys.stdout.isatty() else text) + "\n")


def print_aside(text: str) -> None:
    """A line on standard error."""
    sys.stderr.write(safe(text) + "\n")


def flush() -> None:
    """What was printed goes to whoever waits for it."""
    sys.stdout.flush()


def print_json(value: object) -> None:
    """One JSON document, Chinese readable, on standard output."""
    sys.stdout.write(as_json(value) + "\n")


def as_json(value: object) -> str:
    """The stable form: keys as the library names them, times in ISO 8601, sets sorted."""
    return json.dumps(told.plain(value), ensure_ascii=False, indent=2, allow_nan=False)


def with_reasons(answer: Answer) -> Any:
    """The answer as JSON knows it, each hit with its explanation."""
    return told.plain(told.with_reasons(answer))


def safe(text: str) -> str:
    """The text without characters that a terminal would obey."""
    return text.translate(_ORDERS)
