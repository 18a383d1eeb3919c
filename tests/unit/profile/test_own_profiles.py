"""Profiles of one's own: extending, finding, and what is said when one is wrong."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import InvalidInput, ProfileError
from holdfast.profile import load as profiles
from holdfast.profile.ranges import RANGES


def own(tmp_path, text, name="mine.toml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_profile_extends_a_preset_and_changes_a_few_keys(tmp_path):
    text = 'extends = "care"\n[recall]\nlimit = 7\n[kinds]\npet = 1.4\n'
    text += '[reconcile.strategies]\npet = "version_keep"\n'
    profile = profiles.load(own(tmp_path, text))
    care = profiles.load("care")
    assert profile.name == "mine"
    assert profile.recall.limit == 7
    assert profile.recall.vector == care.recall.vector
    assert profile.kinds == {**care.kinds, "pet": 1.4}
    assert profile.reconcile.strategies["pet"] == "version_keep"
    assert profile.reconcile.strategies["preference"] == "version_keep"
    assert profile.admit == care.admit
    assert profile.digest != care.digest


def test_a_profile_is_found_by_path_by_text_of_a_path_and_by_name_in_a_folder(tmp_path):
    path = own(tmp_path, 'extends = "care"\n')
    by_path = profiles.load(path)
    assert (
        profiles.load(str(path))
        == profiles.load("mine", tmp_path)
        == profiles.load("mine", str(tmp_path))
        == by_path
    )
    assert set(profiles.available(tmp_path)) == {*profiles.presets(), "mine"}
    assert set(profiles.available()) == set(profiles.presets())


def test_a_profile_may_extend_another_of_the_folder_or_one_beside_it(tmp_path):
    own(tmp_path, 'extends = "care"\n[recall]\nlimit = 7\n', "house.toml")
    own(tmp_path, 'extends = "house"\n[recall]\nfew = 1\n', "room.toml")
    own(tmp_path, 'extends = "house.toml"\n[recall]\nfew = 0\n', "attic.toml")
    room = profiles.load("room", tmp_path)
    assert (room.recall.limit, room.recall.few) == (7, 1)
    attic = profiles.load(tmp_path / "attic.toml")
    assert (attic.recall.limit, attic.recall.few) == (7, 0)


def test_profiles_that_extend_each_other_are_refused(tmp_path):
    own(tmp_path, 'extends = "b"\n', "a.toml")
    own(tmp_path, 'extends = "a"\n', "b.toml")
    with pytest.raises(ProfileError, match="extends: goes round or too deep"):
        profiles.load("a", tmp_path)


def test_equal_numbers_have_equal_digests_whatever_the_order_comments_or_name():
    one = profiles.parse('name = "one"\n[recall]\nlimit = 7\nfew = 1\n[salience]\nalpha = 0.02\n')
    other = profiles.parse(
        'name = "other" # mine\n[salience]\nalpha = 2e-2\n\n[recall]\nfew = 1 # few\nlimit = 7\n'
    )
    assert one.digest == other.digest
    assert profiles.digest_of(other) == other.digest
    assert profiles.parse('name = "one"\n[recall]\nlimit = 8\nfew = 1\n').digest != one.digest


WRONG = [
    ("[salience]\nboots = 1", "salience.boots: is not a key of a profile; did you mean boost?"),
    ("[salliance]\nboost = 1", "salliance: is not a key of a profile; did you mean salience?"),
    ('digest = "x"', "digest: is not a key of a profile"),
    ('[recall]\nranking = "heet"', "recall.ranking: is 'heet'; did you mean heat?"),
    ('[admit]\ngraded = ["agnt"]', "admit.graded: is 'agnt'; did you mean agent?"),
    ('[admit]\nagent_layers = ["constitution"]', "admit.agent_layers: is 'constitution'"),
    ('[admit]\nwaiting_kinds = ["medcal"]', "admit.waiting_kinds: names the kind 'medcal'"),
    ('[reconcile.strategies]\npet = "version_keep"', "reconcile.strategies: names the kind 'pet'"),
    ('[reconcile.strategies]\nfact = "newest"', "reconcile.strategies: is 'newest'"),
    ('default_kind = "fcat"', "default_kind: names the kind 'fcat', which [kinds] lacks; did you mean fact?"),
    ('[denied]\nagnet = ["forget"]', "denied.agnet: is not a key of a profile; did you mean agent?"),
    ('[denied]\nagent = ["forgett"]', "denied: is 'forgett'; did you mean forget?"),
    ('[labels.hot]\nfr = "chaud"', "labels.hot.fr: is not a key of a profile"),
    ("[recall]\nlimit = 2.5", "recall.limit: is a float; give a whole number"),
    ("[recall]\nlimit = true", "recall.limit: is a bool; give a whole number"),
    ("[recall]\nlimit = 0", "recall.limit: is 0; give a number from 1 to 1000"),
    ("[salience]\nalpha = nan", "salience.alpha: is nan"),
    ("[salience]\nalpha = inf", "salience.alpha: is inf"),
    ('[salience]\nalpha = "much"', "salience.alpha: is a str; give a number from 0 to 10"),
    ("[salience]\nalpha = " + "9" * 400, "salience.alpha: is 999"),
    ("[salience]\nalpha = " + "9" * 5000, "is not TOML"),
    ("[admit]\npoison = 1", "admit.poison: is a int; give true or false"),
    ('[admit]\nwaiting = "user"', "admit.waiting: is a str; give a list of strings"),
    ("admit = 3", "admit: is a int; write it as a table"),
    ("[kinds]\nfact = 0", "kinds: is 0; give a number from 0.1 to 10"),
    ("default_layer = 4", "default_layer: is a int; give a string"),
    ("[admit]\naccept = 0.2\npending = 0.4", "admit.pending: must not be above admit.accept"),
    ("[recall]\nvector = 0.7", "recall.vector: and recall.words must both be numbers"),
    ("[context]\nbudget = 10", "context.budget: must be at least the sum"),
    ("[salience]\nweight_min = 3.0", "salience.weight_min: must not be above salience.weight_max"),
    (
        '[labels]\nhot = { en = "hot" }\nlanguage = "zh"',
        "labels.language: must be a language that every label is written in",
    ),
    ('extends = "car"', "profile: there is none named 'car'; did you mean care?"),
    ("extends = 3", "extends: is a int"),
    ('description = "\\u0000"', "description: holds a NUL character"),
    ("[recall\n", "profile: is not TOML"),
]


@pytest.mark.parametrize(("text", "says"), WRONG)
def test_what_is_wrong_is_named_with_what_is_near(text, says):
    with pytest.raises(ProfileError) as caught:
        profiles.parse(f'name = "mine"\n{text}')
    assert says in str(caught.value)
    assert isinstance(caught.value, InvalidInput)


def test_a_text_without_a_name_is_refused():
    with pytest.raises(ProfileError, match="name: is missing"):
        profiles.parse("[recall]\nlimit = 7")


def test_a_profile_named_as_a_preset_is_refused(tmp_path):
    with pytest.raises(ProfileError, match="'care' is a preset; choose another name"):
        profiles.load(own(tmp_path, 'name = "care"\n'))


def test_a_profile_that_names_no_other_extends_the_default(tmp_path):
    profile = profiles.load(own(tmp_path, "[kinds]\npet = 1.4\n"))
    assert profile.kinds == {**profiles.load("assistant").kinds, "pet": 1.4}


def test_two_profiles_of_one_name_are_refused(tmp_path):
    own(tmp_path, 'name = "mine"\n', "a.toml")
    own(tmp_path, 'name = "mine"\n', "b.toml")
    with pytest.raises(ProfileError, match=r"'mine' is in .*b\.toml and elsewhere"):
        profiles.available(tmp_path)


def test_an_unknown_name_says_what_there_is(tmp_path):
    own(tmp_path, 'extends = "care"\n', "grandmother.toml")
    with pytest.raises(ProfileError, match="none named 'granmother'; did you mean grandmother"):
        profiles.load("granmother", tmp_path)
    with pytest.raises(ProfileError, match="there is assistant, care, companion, entities, personal, team"):
        profiles.load("zzz")


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ProfileError, match=r"nothing.toml cannot be read"):
        profiles.load(tmp_path / "nothing.toml")
    (tmp_path / "bytes.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(ProfileError, match=r"bytes.toml cannot be read"):
        profiles.load(tmp_path / "bytes.toml")
    with pytest.raises(ProfileError, match="cannot be read"):
        profiles.load(str(tmp_path) + "/")


def test_a_file_written_on_windows_is_read(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b'\xef\xbb\xbfextends = "care"\r\n[recall]\r\nlimit = 7\r\n')
    assert profiles.load(path).recall.limit == 7


def test_any_text_a_profile_may_hold_comes_back_from_the_canonical_form():
    label = 'quo"te \\ back\x7f\t\n⚡️ 臨時 🌸'
    plain = profiles.load("care")
    labels = replace(plain.labels, hot={"zh": label})
    profile = profiles.parse(
        profiles.dump(replace(plain, labels=labels, kinds={**plain.kinds, "宠物 x": 1.25}))
    )
    assert profile.labels.hot == {"zh": label}
    assert profile.kinds["宠物 x"] == 1.25
    assert profiles.parse(profiles.dump(profile)) == profile


@given(st.data())
def test_any_number_within_its_bounds_is_kept_exactly(data):
    key = data.draw(
        st.sampled_from(["salience.alpha", "salience.boost", "session.hours", "recall.fresh_days"])
    )
    low, high = RANGES[key]
    value = data.draw(st.floats(low, high))
    table, name = key.split(".")
    profile = profiles.parse(f'name = "mine"\n[{table}]\n{name} = {value!r}\n')
    assert getattr(getattr(profile, table), name) == value
    assert profiles.parse(profiles.dump(profile)) == profile


@given(st.text(max_size=200))
def test_no_text_whatever_does_more_than_raise_a_profile_error(text):
    try:
        profile = profiles.parse(text)
    except ProfileError:
        return
    assert profiles.parse(profiles.dump(profile)) == profile


def test_loading_a_preset_loads_nothing_heavy():
    program = (
        "import sys; from holdfast.profile.load import load; load('care'); print('numpy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_weighing_one_memory_loads_no_numpy():
    program = (
        "import sys; from datetime import datetime, UTC\n"
        "from holdfast.profile.load import load; from holdfast.model.memory import Memory\n"
        "from holdfast.steward.salience import weight, mentioned\n"
        "t = datetime(2026, 1, 1, tzinfo=UTC)\n"
        "m = Memory(id='m', space='s', content='c', created_at=t, updated_at=t, last_activated_at=t)\n"
        "weight(mentioned(m, t, load('personal')), t, load('companion')); print('numpy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
