"""A file, a function and a parameter list that fit in the head."""

from __future__ import annotations

import ast

FILE_LINES = 300
FUNCTION_LINES = 40
PARAMETERS = 5
POSITIONAL = 3
DOCSTRING_LINES = 8  # six of text, and room for the tree of errors.py, which is exempt below

LONG_DOCSTRINGS = {
    "src/holdfast/errors.py": "draws the whole tree of errors",
}
# dunder methods whose parameters Python sets
FIXED_BY_PYTHON = {"__exit__", "__aexit__"}


def test_no_file_reaches_300_lines(library):
    long = [
        source.at(FILE_LINES, f"has {lines} lines")
        for source in library
        if (lines := source.text.count("\n")) >= FILE_LINES
    ]
    assert not long, "\n".join(long)


def test_no_function_reaches_40_lines(library):
    long = []
    for source in library:
        for function in functions(source.tree):
            lines = function.end_lineno - function.lineno + 1
            if lines >= FUNCTION_LINES:
                long.append(source.at(function, f"{function.name} has {lines} lines"))
    assert not long, "\n".join(long)


def test_no_function_takes_more_than_five_parameters_or_more_than_three_by_position(library):
    wide = []
    for source in library:
        for function in functions(source.tree):
            arguments = function.args
            by_position = [
                a.arg for a in arguments.posonlyargs + arguments.args if a.arg not in ("self", "cls")
            ]
            count = len(by_position) + len(arguments.kwonlyargs)
            if function.name in FIXED_BY_PYTHON:
                continue
            if count > PARAMETERS:
                wide.append(source.at(function, f"{function.name} takes {count} parameters"))
            if len(by_position) > POSITIONAL:
                wide.append(source.at(function, f"{function.name} takes {len(by_position)} by position"))
    assert not wide, "\n".join(wide)


def test_every_module_says_in_a_few_lines_where_it_stands(library):
    wrong = []
    for source in library:
        docstring = ast.get_docstring(source.tree)
        if not docstring and source.tree.body:
            wrong.append(source.at(1, "has no docstring"))
        if docstring and docstring.count("\n") >= DOCSTRING_LINES and source.name not in LONG_DOCSTRINGS:
            wrong.append(source.at(1, f"has a docstring of {docstring.count(chr(10)) + 1} lines"))
    assert not wrong, "\n".join(wrong)


def functions(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
