"""Lists that must stay whole: names that can be imported, errors, keys of a profile, rows and their tests."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import re
import sys
from typing import get_args

import pytest

import holdfast
from holdfast import errors
from holdfast.profile import schema


def test_all_names_are_listed_sorted_and_importable():
    assert holdfast.__all__ == sorted(holdfast.__all__)
    assert set(holdfast.__all__) == set(holdfast._HOME)
    for name in holdfast.__all__:
        assert getattr(holdfast, name) is not None
    assert set(holdfast.__all__) <= set(dir(holdfast))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Holdfst'"):
        _ = holdfast.Holdfst


def by_sort_and_name(name):
    """Constants, then classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_every_list_of_names_is_sorted_and_true(library):
    for source in library:
        for node in source.tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                names = ast.literal_eval(node.value)
                orders = (sorted(names), sorted(names, key=by_sort_and_name))
                assert list(names) in orders, source.at(node, "is not sorted")
                module = importlib.import_module(source.module)
                missing = [name for name in names if not hasattr(module, name)]
                assert not missing, source.at(node, f"lists {missing}, which it does not have")


def test_every_error_is_raised_somewhere(library):
    raised = {
        ast.unparse(node.exc.func if isinstance(node.exc, ast.Call) else node.exc).split(".")[-1]
        for source in library
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Raise) and node.exc
    }
    known = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.HoldfastError)
    }
    assert len(known) <= 12
    assert known - raised - {"HoldfastError"} == set(), "never raised"


def test_the_docstring_draws_every_error():
    drawn = errors.__doc__ or ""
    missing = [
        n for n, v in vars(errors).items() if isinstance(v, type) and v.__module__ == "holdfast.errors"
    ]
    assert [name for name in missing if name not in drawn] == []


def test_the_page_of_errors_names_every_error(root):
    page = (root / "docs" / "errors.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `(\w+)`", page, re.MULTILINE))
    kinds = {n for n, v in vars(errors).items() if isinstance(v, type) and v.__module__ == "holdfast.errors"}
    assert rows == kinds - {"HoldfastError"}


def tables() -> dict[str, type]:
    """The tables of a profile by name: section → dataclass."""
    namespace = vars(schema)
    fields = {f.name: namespace.get(str(f.type)) for f in dataclasses.fields(schema.Profile)}
    return {name: kind for name, kind in fields.items() if dataclasses.is_dataclass(kind)}


def test_every_key_of_a_profile_is_read_somewhere(library):
    """Read is `.key` in a file that handles its section, or its name where that file uses getattr."""
    chains: set[tuple[str, str]] = set()
    for source in library:
        if source.name.startswith("src/holdfast/profile/"):
            continue
        handled = {section for section, kind in tables().items() if kind.__name__ in source.text}
        handled |= {
            node.attr
            for node in ast.walk(source.tree)
            if isinstance(node, ast.Attribute) and node.attr in tables()
        }
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                chains |= {(section, node.attr) for section in handled}
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "getattr(" in source.text:
                chains |= {(section, node.value) for section in handled}
    unread = [
        f"[{section}] {key.name}"
        for section, kind in tables().items()
        for key in dataclasses.fields(kind)
        if (section, key.name) not in chains
    ]
    assert not unread, "no code reads: " + ", ".join(unread)


def test_every_mark_names_a_row_of_the_page(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tools"))
    rows = importlib.import_module("rows")
    try:
        strays = [f"{mark} names row {mark.row}" for mark in rows.marks() if mark.row not in rows.promises()]
        assert not strays, "\n".join(strays)
        assert rows.spread("A1-A3, E21 M1–M2") == ["A1", "A2", "A3", "E21", "M1", "M2"]
    finally:
        sys.modules.pop("rows", None)


def test_every_row_stands_once_on_the_page(root):
    text = (root / "docs" / "behaviour.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z]\d+) \|", text, re.MULTILINE)
    assert len(rows) == len(set(rows))
    counts = {letter: sum(row[0] == letter for row in rows) for letter in "AEMPCB"}
    assert counts == {"A": 11, "E": 21, "M": 17, "P": 7, "C": 8, "B": 11}


def test_closed_lists_of_a_profile_hold_their_defaults():
    assert schema.Salience().formula in schema.WEIGHT_FORMULAS
    assert schema.Recall().ranking in schema.RANKINGS
    assert schema.Reconcile().conflict in schema.CONFLICT_RULES
    assert schema.Reconcile().default in schema.STRATEGIES
    assert get_args(schema.Recall.__annotations__["limit"]) == ()
