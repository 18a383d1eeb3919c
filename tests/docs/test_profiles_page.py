"""docs/profiles.md says what the schema, the bounds and the presets say, and its examples hold."""

from __future__ import annotations

import importlib
import re

from holdfast.profile import load as profiles
from holdfast.profile.build import TABLES, keys_of
from holdfast.profile.schema import Profile


def tool(monkeypatch, rootpath):
    monkeypatch.syspath_prepend(str(rootpath / "tools"))
    return importlib.import_module("profile_page")


def text(rootpath):
    return (rootpath / "docs" / "profiles.md").read_text(encoding="utf-8")


def test_the_tables_of_the_page_are_up_to_date(monkeypatch, pytestconfig):
    page = tool(monkeypatch, pytestconfig.rootpath).page(text(pytestconfig.rootpath))
    assert page == text(pytestconfig.rootpath), "run python tools/profile_page.py"


def test_every_key_and_every_preset_is_on_the_page(pytestconfig):
    written = text(pytestconfig.rootpath)
    keys = {key for kind in (Profile, *TABLES.values()) for key in keys_of(kind)} - set(TABLES)
    missing = sorted(key for key in keys - {"name", "description"} if f"| `{key}` |" not in written)
    assert not missing
    assert all(f"`{name}`" in written for name in profiles.presets())


def test_the_profile_of_ones_own_on_the_page_loads_and_says_what_it_claims(tmp_path, pytestconfig):
    (example,) = re.findall(r"```toml\n(.*?)```", text(pytestconfig.rootpath), re.DOTALL)
    (tmp_path / "grandmother.toml").write_text(example, encoding="utf-8")
    profile = profiles.load("grandmother", tmp_path)
    care = profiles.load("care")
    assert profile.name == "grandmother"
    assert profile.salience.verify_per_day == 10
    assert profile.kinds == {**care.kinds, "dish": 1.4}
    assert profile.reconcile.strategies == {**care.reconcile.strategies, "dish": "version_keep"}
    assert profile.admit == care.admit
