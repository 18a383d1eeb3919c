"""SQL by name: every statement is found, used, and understood by its engine."""

from __future__ import annotations

import re
from pathlib import Path

import apsw
import psycopg
import pytest

import holdfast.adapters.postgres
import holdfast.adapters.sqlite
from holdfast.adapters import headings
from holdfast.adapters.sqlite.files import CATALOG, SPACE, migrate
from holdfast.adapters.sqlite.statements import statements

FOLDER = Path(holdfast.adapters.sqlite.__file__).parent
CODE = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
SERVER = "holdfast.adapters.postgres"
SERVER_FOLDER = Path(holdfast.adapters.postgres.__file__).parent
SERVER_CODE = "".join(path.read_text(encoding="utf-8") for path in SERVER_FOLDER.glob("*.py"))
SERVER_NAMES = [
    (path.name, name)
    for path in sorted(SERVER_FOLDER.glob("*.sql"))
    if path.name != "schema.sql"
    for name in headings.statements(SERVER, path.name)
]
FILES = {"space.sql": SPACE, "catalog.sql": CATALOG}
NAMES = [(file, name) for file in FILES for name in statements(file)]


@pytest.mark.parametrize(("file", "name"), NAMES)
def test_every_statement_is_used_somewhere(file, name):
    assert is_used(name, CODE)


@pytest.mark.parametrize(("file", "name"), SERVER_NAMES)
def test_every_statement_of_the_server_is_used_somewhere(file, name):
    assert is_used(name, SERVER_CODE)


def is_used(name, code):
    spelled = re.sub(r"_(layers|kinds|statuses|entity_type|session|since|until)$", r"_{", name)
    return f'"{name}"' in code or f"'{name}'" in code or spelled in code


def test_every_statement_of_the_server_is_understood(postgres_house):
    with psycopg.connect(postgres_house, autocommit=True) as db:
        for file, name in SERVER_NAMES:
            statement = headings.statements(SERVER, file)[name]
            if name.startswith("where_"):
                statement = f"SELECT FROM holdfast.memory WHERE {statement.replace('?', '$1')}"
            if name == "list":
                statement = f"WITH found AS (SELECT * FROM holdfast.memory) {statement}"
            statement = statement.replace("{dimensions}", "8").replace("{conditions}", "")
            db.execute(f"PREPARE told AS {statement}")
            db.execute("DEALLOCATE told")


@pytest.mark.parametrize(("file", "name"), NAMES)
def test_every_statement_is_understood(file, name):
    db = apsw.Connection(":memory:")
    migrate(db, FILES[file])
    statement = statements(file)[name]
    asked = f"SELECT 1 FROM memory WHERE {statement}" if name.startswith("where_") else statement
    count = max((int(number) for number in re.findall(r"\?(\d+)", asked)), default=0)
    names = dict.fromkeys(re.findall(r":(\w+)", asked), "[]")
    db.execute(f"EXPLAIN {asked}", names or (None,) * count).fetchall()
    db.close()


def test_no_name_is_given_twice():
    for path in FOLDER.glob("*.sql"):
        names = re.findall(r"^-- name: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(names) == len(set(names)) == len(statements(path.name))


def test_migrations_are_numbered_from_one_without_a_gap():
    for kind in (SPACE, CATALOG):
        names = [name for name, _ in kind.migrations()]
        assert [int(name.split()[0]) for name in names] == list(range(1, len(names) + 1))
