"""A year in a minute: every preset lives through three households, and one through a heavy user's."""

from __future__ import annotations

import sys

import pytest

from holdfast.engine import Holdfast
from holdfast.profile.load import presets
from holdfast.settings import EmbedderSettings, Settings
from holdfast.testing.clock import ManualClock
from holdfast.testing.lives import HOUSEHOLDS, heavy
from holdfast.testing.year import START, Year, table
from holdfast.wire import Own


def lived(life, profile, *, looked=5, nights=1):
    clock = ManualClock(START)
    own = Own(settings=Settings(embedder=EmbedderSettings(name="hashing")), clock=clock)
    with Holdfast("memory://", own) as hf:
        year = Year(hf.space("user:ada", profile=profile), life, clock, looked=looked, nights=nights)
        months = year.live()
        sys.stdout.write(table(f"{profile}: {life.name}", months) + "\n")
        return months


@pytest.mark.row("B10")
@pytest.mark.row("C8")
@pytest.mark.parametrize("profile", presets())
def test_a_household_lives_through_a_year(profile):
    life = HOUSEHOLDS[presets().index(profile) % len(HOUSEHOLDS)]
    months = lived(life, profile)
    assert len(months) == 12
    assert months[-1].gone > 0
    assert months[-1].alive > 0


def test_a_heavy_user_lives_through_a_year():
    months = lived(heavy(a_day=1), "assistant", looked=2, nights=7)
    assert months[-1].memories > 300
    assert months[-1].shortened > 100
