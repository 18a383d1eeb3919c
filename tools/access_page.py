"""Writes the table of docs/access.md from `model.access`, so that it cannot drift.

`python tools/access_page.py` rewrites what stands between the markers; the prose around it is left alone.
"""

from __future__ import annotations

from pathlib import Path

from holdfast.model.access import HOUSE, KEY_ROLES, VERBS, allowed

PAGE = Path(__file__).resolve().parent.parent / "docs" / "access.md"
BEGIN, END = "<!-- rights: written by tools/access_page.py -->", "<!-- end of rights -->"


def page(text: str) -> str:
    """The page with its tables made anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables()}\n{END}{after}"


def tables() -> str:
    """A row for every verb, a column for every role."""
    head = "| " + " | ".join(["Verb", "Right", *KEY_ROLES]) + " |\n" + "|---" * (len(KEY_ROLES) + 2) + "|\n"
    rows = [_row(verb, f"`{right}`") for verb, right in VERBS.items()]
    house = [_row(verb, "of the house") for verb in HOUSE]
    return head + "\n".join(rows + house) + "\n"


def _row(verb: str, right: str) -> str:
    cells = ["yes" if allowed(role, verb) else "" for role in KEY_ROLES]
    return "| " + " | ".join([f"`{verb}`", right, *cells]) + " |"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
