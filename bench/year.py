"""A year of every preset: the households of the tests and of the data, and a heavy user, night by night.

`python -m bench year [--data FOLDER]`. Each day must keep what `holdfast.testing.year` promises; the tables
show how the memories grew and shrank.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from holdfast import Holdfast, Settings
from holdfast.profile.load import presets
from holdfast.settings import EmbedderSettings
from holdfast.testing.clock import ManualClock
from holdfast.testing.lives import HOUSEHOLDS, heavy
from holdfast.testing.year import START, Life, Said, Year, table
from holdfast.wire import Own

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = "judgement/households.jsonl"
APART = 3  # days from one fact of the data to the next


def lives(data: Path) -> Iterator[Life]:
    """Those that are made up, and those of the data where there are any."""
    yield from HOUSEHOLDS
    file = data / DATA
    if file.is_file():
        for line in file.read_text(encoding="utf-8").splitlines():
            yield _household(json.loads(line))
    yield heavy(a_day=5)


def _household(line: dict) -> Life:
    """Its facts, one every few days, its sessions between them; one in four is asked for every two months."""
    said = [
        Said(
            day=1 + place * APART,
            words=fact["content"],
            asked=tuple(range(60, 365, 60)) if place % 4 == 0 else (),
        )
        for place, fact in enumerate(line["facts"])
        if 1 + place * APART < 365
    ]
    told = [
        Said(day=2 + place * APART, words=session["summary"], layer="session")
        for place, session in enumerate(line["sessions"])
        if session.get("summary")
    ]
    return Life(name=line["id"], said=tuple(said + told))


def main(data: Path) -> dict[str, dict[str, float]]:
    """Lives every life under every preset; a promise that breaks ends it."""
    seconds: dict[str, dict[str, float]] = {}
    for life in lives(data):
        for profile in presets():
            clock, start = ManualClock(START), process_time()
            own = Own(settings=Settings(embedder=EmbedderSettings(name="hashing")), clock=clock)
            with Holdfast("memory://", own) as hf:
                months = Year(hf.space("one", profile=profile), life, clock).live()
            sys.stderr.write(table(f"\n{profile}: {life.name}", months) + "\n")
            seconds.setdefault(life.name, {})[profile] = round(process_time() - start, 1)
    return seconds


if __name__ == "__main__":
    json.dump(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".")), sys.stdout, ensure_ascii=False)
