"""What must not stand in the source: promises to finish later, registries, names that say nothing."""

from __future__ import annotations

import re
import subprocess

# Written with a stroke within, so that this file does not find itself.
LATER = [
    word.replace("|", "")
    for word in (
        "TO|DO", "FIX|ME", "XX|X", "HA|CK", "NotImplemented|Error", "mark.sk|ip", "mark.xf|ail",
        "pytest.sk|ip", "pytest.xf|ail", "importor|skip", "pragma: no |cover", "not yet |implemented",
    )
]  # fmt: skip
REGISTRIES = [
    host.replace("|", "")
    for host in (
        "pypi|.org", "python|hosted.org", "npm|js.org", "npm|js.com", "deb.|debian.org", "crates|.io",
        "registry.|yarnpkg", "conda|.anaconda.org", "docker|.io",
    )
]  # fmt: skip
EMPTY_NAMES = {
    "util",
    "utils",
    "helper",
    "helpers",
    "common",
    "manager",
    "factory",
    "impl",
    "misc",
    "base",
    "core",
}
WORDY = (".py", ".sql", ".toml", ".md", ".cfg", ".ini", ".yml", ".yaml", ".json", ".txt", "Makefile", "run")


def tracked(root):
    """Files of the project as git knows them, and those it would add."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()
    return [root / name for name in sorted(names) if (root / name).is_file()]


def found(paths, root, words):
    pattern = re.compile("|".join(rf"\b{re.escape(word)}" for word in words))
    return [
        f"{path.relative_to(root)}:{number} says {match.group()}"
        for path in paths
        if path.name.endswith(WORDY)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (match := pattern.search(line))
    ]


def test_nothing_is_left_for_later(root):
    code = [path for path in tracked(root) if path.suffix in (".py", ".sql")]
    assert not (offenders := found(code, root, LATER)), "\n".join(offenders)


def test_no_registry_is_named(root):
    assert not (offenders := found(tracked(root), root, REGISTRIES)), "\n".join(offenders)


def test_modules_are_named_by_their_subject(library):
    offenders = [
        source.at(1, "has a name that says nothing") for source in library if source.path.stem in EMPTY_NAMES
    ]
    assert not offenders, "\n".join(offenders)


def test_tests_are_sentences(root, everything):
    offenders = [
        source.at(number, f"{match.group(1)} is no sentence")
        for source in everything
        if source.path.is_relative_to(root / "tests")
        for number, line in enumerate(source.text.splitlines(), 1)
        if (match := re.match(r"\s*(?:async )?def (test_\w+)", line)) and match.group(1).count("_") < 3
    ]
    assert not offenders, "\n".join(offenders)
