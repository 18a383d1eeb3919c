"""What fits into a prompt (M12): sections with shares of a budget, leftovers flowing on. Pure.

The constitution is never cut: what it needs beyond its share it takes from the reserve first, then from the
others. What is left out is named with the reason. Tokens are counted by whatever counter is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from holdfast.model.hit import Section

if TYPE_CHECKING:
    from holdfast.model.memory import Memory
    from holdfast.profile.schema import ContextBudget

Count = Callable[[str], int]
SECTIONS = ("constitution", "fact", "session", "question", "reserve")
_CUT = "…"


@dataclass(frozen=True, slots=True)
class Piece:
    """One memory as the line that would stand for it."""

    memory: Memory
    line: str


@dataclass(frozen=True, slots=True)
class Parts:
    """What there is to pack. `titles` by section; the pieces of a section in order of preference."""

    preface: str
    titles: dict[str, str]
    constitution: Sequence[Piece]
    fact: Sequence[Piece]
    session: Sequence[Piece]
    question: str


@dataclass(frozen=True, slots=True)
class Packed:
    """The text, and how it came about."""

    text: str
    sections: tuple[Section, ...]
    left_out: tuple[tuple[str, str], ...]
    used: int


def shares(profile: ContextBudget, budget: int) -> dict[str, int]:
    """The profile's shares, in proportion, of another budget; what rounding leaves goes to the facts."""
    scaled = {name: int(getattr(profile, name) * budget / profile.budget) for name in SECTIONS}
    scaled["fact"] += max(0, budget - sum(scaled.values()))
    return scaled


def pack(parts: Parts, budget: int, profile: ContextBudget, *, count: Count) -> Packed:
    """Sections in the document's order; one with nothing in it has neither title nor text."""
    packing = _Packing(parts, shares(profile, budget), count)
    packing.whole()
    packing.filled("fact", parts.fact)
    packing.filled("session", parts.session)
    packing.asked()
    return packing.packed(budget)


@dataclass(slots=True)
class _Packing:
    """A text in the making. `open` is what each section may still spend, `carried` what the last one left."""

    parts: Parts
    open: dict[str, int]
    count: Count
    carried: int = 0
    inside: dict[str, list[Piece]] = field(default_factory=dict)
    rooms: dict[str, int] = field(default_factory=dict)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    said: set[str] = field(default_factory=set)
    question: str = ""

    def whole(self) -> None:
        """The constitution, all of it; beyond its share it draws on the others."""
        self.overdraw(self.count(self.parts.preface) + 1)
        self.inside["constitution"] = list(self.parts.constitution)
        self.said |= {piece.memory.content for piece in self.parts.constitution}
        needed = self._tokens("constitution", self.parts.constitution)
        self.rooms["constitution"] = max(needed, self.open["constitution"])
        self.carried = self.open["constitution"] - needed
        if self.carried < 0:
            self.overdraw(-self.carried)
            self.carried = 0

    def overdraw(self, tokens: int) -> None:
        """From the reserve first, then from what comes least close to the question."""
        for section in ("reserve", "session", "fact", "question"):
            taken = min(tokens, self.open[section])
            self.open[section] -= taken
            tokens -= taken

    def filled(self, name: str, pieces: Sequence[Piece]) -> None:
        """One line after the other as long as there is room; a shorter one may fit where a longer did not."""
        room = self.rooms[name] = self.open[name] + self.carried
        inside = self.inside[name] = []
        used = self._tokens(name, ()) if pieces else 0
        for piece in pieces:
            id, content = piece.memory.id, piece.memory.content
            needed = self.count(piece.line) + 1
            if content in self.said:
                self.left_out.append((id, "says what stands there already"))
            elif used + needed > room:
                self.left_out.append((id, f"needs {needed} tokens, {max(0, room - used)} are left in {name}"))
            else:
                used += needed
                self.said.add(content)
                inside.append(piece)
        self.carried = room - used if inside else room

    def asked(self) -> None:
        """The question, with what all before it left, and the reserve; what does not fit is cut off its
        end.
        """
        room = self.rooms["question"] = self.open["question"] + self.carried + self.open["reserve"]
        room -= self.count(self.parts.titles["question"]) + 1
        text = self.parts.question
        if self.count(text) > room:
            low, high = 0, len(text)
            while low < high:
                middle = (low + high + 1) // 2
                low, high = (middle, high) if self.count(text[:middle] + _CUT) <= room else (low, middle - 1)
            self.left_out.append(("question", f"cut to {low:,} of {len(text):,} characters"))
            text = text[:low] + _CUT if low else ""
        self.question = text

    def packed(self, budget: int) -> Packed:
        """All together. Counters need not add up: what the joining itself costs is taken off the end."""
        text = self._text()
        while self.count(text) > budget:
            name = next((name for name in ("session", "fact") if self.inside[name]), "")
            if not name:
                break
            self.left_out.append((self.inside[name].pop().memory.id, "no room once all is joined"))
            text = self._text()
        sections = tuple(self._section(name) for name in SECTIONS)
        return Packed(text, sections, tuple(self.left_out), self.count(text))

    def _section(self, name: str) -> Section:
        if name == "reserve":
            left = max(0, self.rooms["question"] - self.count(self._block("question")))
            return Section(name, "", (), left, 0, "")
        text = self._block(name)
        memories = tuple(piece.memory for piece in self.inside.get(name, ()))
        title = self.parts.titles[name].lstrip("# ")
        return Section(name, title, memories, self.rooms[name], self.count(text) if text else 0, text)

    def _block(self, name: str) -> str:
        lines = [self.question] if name == "question" else [piece.line for piece in self.inside[name]]
        return "\n".join([self.parts.titles[name], *lines]) if any(lines) else ""

    def _text(self) -> str:
        blocks = [self._block(name) for name in SECTIONS if name != "reserve"]
        return "\n\n".join(block for block in (self.parts.preface, *blocks) if block)

    def _tokens(self, name: str, pieces: Sequence[Piece]) -> int:
        """Of a title and some lines, each with its line break."""
        lines = [self.parts.titles[name], *(piece.line for piece in pieces)]
        return sum(self.count(text) + 1 for text in lines)
