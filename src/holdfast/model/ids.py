"""Ids: UUIDv7, ordered by time. Made here of a time and a chance, which a clock supplies."""

from __future__ import annotations


def uuid7(tick: int, chance: int) -> str:
    """The text of a UUIDv7 (RFC 9562, method 3); `tick` is milliseconds since 1970 times 4096.

    62 bits of `chance` are used.
    """
    high = (tick >> 12) << 16 | 0x7000 | tick & 0xFFF
    low = chance & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    text = f"{high:016x}{low:016x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
