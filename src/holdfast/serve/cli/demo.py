"""`holdfast demo`: a small household on a throw-away directory. `story` holds the scenes."""

from __future__ import annotations

import tempfile
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from holdfast.serve.cli import draw, output
from holdfast.serve.cli.options import House, spread

if TYPE_CHECKING:
    from rich.console import RenderableType

    from holdfast.engine import Holdfast
    from holdfast.model.plan import Outcome


class Stage:
    """Where the scenes play: a house, a day to start from, and a place to print."""

    def __init__(self, hf: Holdfast, today: datetime, pace: float) -> None:
        self.hf = hf
        self.today = today
        self._pace = pace
        self._scene = 0

    def scene(self, title: str, said: str) -> None:
        """Begins a scene."""
        if self._scene:
            time.sleep(self._pace)
        self._scene += 1
        output.console().print()
        output.console().print(Rule(Text(f"{self._scene}  {title}", style="bold"), align="left", style="dim"))
        output.console().print(Text(said, style="italic"))
        output.console().print()

    def code(self, line: str) -> None:
        """The line of Python that is about to run."""
        output.console().print(Text(f"  >>> {line}", style="cyan"))

    def show(self, picture: RenderableType) -> None:
        """What came of it."""
        output.draw(Padding(picture, (0, 0, 0, 6), expand=False))

    def outcome(self, result: Outcome) -> None:
        """What became of a write, in one or two lines."""
        line = Text(str(result.decision), style=draw.COLOURS.get(result.decision, ""))
        if result.memory is not None:
            line.append("  ").append_text(draw.one(result.memory))
        self.show(line)
        for reason in result.reasons:
            self.show(draw.words(f"· {reason}", draw.DIM))


@spread
def demo(
    house: House,
    *,
    pace: Annotated[float, typer.Option("--pace", help="Seconds to wait between scenes.", min=0)] = 0.0,
) -> None:
    """Watch a small household remember, in Chinese and English, on a throw-away directory."""
    del house  # the demo has one of its own
    from holdfast.engine import Holdfast
    from holdfast.serve.cli.story import SCENES

    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="holdfast-demo-") as place, Holdfast(place) as hf:
        output.console().print(Text(f"A house in {place}, gone when the demo ends.", style=draw.DIM))
        stage = Stage(hf, datetime.now(UTC).replace(microsecond=0), pace)
        for scene in SCENES:
            scene(stage)
    output.console().print()
    taken = time.monotonic() - started
    output.console().print(
        Text(f"That was all of it, in {taken:.0f} seconds. `holdfast --help` lists the commands.")
    )
