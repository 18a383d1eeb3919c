"""What a curator may say, a line each, read strictly (C3). Pure.

`[ADD] words`, `[UPDATE:id] words`, `[BOOST:id]`, `[DELETE:id]`, or `[SKIP]` alone. Whatever else a line holds
is malformed: it comes back as such, with the reason, and is never guessed at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

# C3 speaks of one turn; so many changes for one are a runaway answer.
LINES_MOST = 20
WORDS_MOST = 1000  # characters: a statement is a sentence or two
_LINE = re.compile(r"\[(?P<verb>[A-Z]+)(?::(?P<id>[^\[\]\s:]+))?\](?:[ \t]+(?P<words>\S.*))?")


class Verb(StrEnum):
    """What can be asked for."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    BOOST = "BOOST"
    DELETE = "DELETE"
    SKIP = "SKIP"
    MALFORMED = "MALFORMED"


# Verb → (names an id, says words)
_FORMS = {
    Verb.ADD: (False, True),
    Verb.UPDATE: (True, True),
    Verb.BOOST: (True, False),
    Verb.DELETE: (True, False),
    Verb.SKIP: (False, False),
}


@dataclass(frozen=True, slots=True)
class Operation:
    """One line. `why` says what is wrong with a malformed one."""

    verb: Verb
    id: str = ""
    words: str = ""
    why: str = ""


def parse(answer: str) -> tuple[Operation, ...]:
    """Every line that is not blank, in order; what is beyond the last line that counts is one malformed."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    operations = [_operation(line) for line in lines[:LINES_MOST]]
    if len(lines) > LINES_MOST:
        operations.append(_malformed(f"more than {LINES_MOST} lines"))
    if len(operations) > 1:
        operations = [
            _malformed("SKIP beside other lines") if op.verb is Verb.SKIP else op for op in operations
        ]
    return tuple(operations) or (_malformed("no answer"),)


def _operation(line: str) -> Operation:
    match = _LINE.fullmatch(line)
    if match is None or match["verb"] not in [str(verb) for verb in _FORMS]:
        return _malformed("not one of the operations")
    verb, id, words = Verb(match["verb"]), match["id"] or "", (match["words"] or "").strip()
    named, said = _FORMS[verb]
    if bool(id) != named:
        return _malformed(f"{verb} {'names no memory' if named else 'names a memory'}")
    if bool(words) != said:
        return _malformed(f"{verb} {'says nothing' if said else 'says something'}")
    if len(words) > WORDS_MOST:
        return _malformed(f"{verb} says more than {WORDS_MOST} characters")
    return Operation(verb, id, words)


def _malformed(why: str) -> Operation:
    return Operation(Verb.MALFORMED, why=why)
