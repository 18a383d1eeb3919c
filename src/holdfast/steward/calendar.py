"""When a rule of the calendar is next due: "sunday 02:00" or "03:30", in a time zone. Pure.

An hour that a change of clocks skips is taken at the hour after; one that comes twice, at the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from holdfast.errors import InvalidInput

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class Calendar:
    """Every day at a time, or every week on a day; `weekday` None means every day."""

    hour: int
    minute: int
    weekday: int | None
    zone: ZoneInfo

    def next(self, after: datetime) -> datetime:
        """The first time after that moment, in UTC."""
        local = after.astimezone(self.zone)
        for ahead in range(9):
            day = local.date() + timedelta(days=ahead)
            if self.weekday is not None and day.weekday() != self.weekday:
                continue
            when = datetime(day.year, day.month, day.day, self.hour, self.minute, tzinfo=self.zone)
            found = when.astimezone(UTC)
            if found > after:
                return found
        raise AssertionError("a week has every weekday")


def calendar(field: str, text: str, zone: str) -> Calendar:
    """Reads one; InvalidInput names the setting."""
    way_out = 'write "sunday 02:00" for every week, "03:30" for every day'
    words = text.lower().split()
    day = words[0] if len(words) == 2 else ""
    hour, colon, minute = words[-1].partition(":") if words else ("", "", "")
    numbers = hour.isdecimal() and minute.isdecimal() and int(hour) < 24 and int(minute) < 60
    if not colon or not numbers or len(words) > 2 or (day and day not in WEEKDAYS):
        raise InvalidInput(field, f"is {text!r}", way_out)
    return Calendar(int(hour), int(minute), WEEKDAYS.index(day) if day else None, _zone(zone))


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise InvalidInput(
            "settings.steward.zone", f"is {name!r}", "name one like Asia/Shanghai or Europe/London"
        ) from None


def jitter(space: str, most: timedelta) -> timedelta:
    """So much later is this space's turn, always the same, so that a house of many does not start at once."""
    part = int.from_bytes(blake2b(space.encode(), digest_size=4).digest(), "big") / 2**32
    return most * part
