"""The six presets: complete, commented, and saying what the design documents say."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping

import pytest

from holdfast.model.actor import Role
from holdfast.profile import load as profiles
from holdfast.profile.build import READERS, TABLES, build, keys_of
from holdfast.profile.ranges import FITS, KEYS, NAMES, OF_KINDS, RANGES
from holdfast.profile.schema import Profile

NAMED = ("assistant", "care", "companion", "entities", "personal", "team")


def written(name):
    return (profiles.PRESETS / f"{name}.toml").read_text(encoding="utf-8")


def flat():
    """Every key of a profile under its dotted name, with its type as the schema writes it."""
    found = {}
    for key, kind in keys_of(Profile).items():
        inner = keys_of(TABLES[key]) if key in TABLES else None
        found |= {f"{key}.{name}": one for name, one in inner.items()} if inner else {key: kind}
    return found


def test_there_are_six_presets():
    assert profiles.presets() == NAMED


@pytest.mark.parametrize("name", NAMED)
def test_a_preset_writes_out_every_key_of_every_table(name):
    table = tomllib.loads(written(name))
    assert table["name"] == name
    assert set(table) == set(keys_of(Profile))
    for key, kind in TABLES.items():
        assert list(table[key]) == list(keys_of(kind)), key


@pytest.mark.parametrize("name", NAMED)
def test_every_figure_of_a_preset_says_where_it_comes_from(name):
    above, inside = "", ""
    for line in written(name).splitlines():
        inside = line.strip("[]") if line.startswith("[") else inside
        figure = "=" in line and not line.startswith("#") and inside not in ("", "kinds")
        assert not figure or "  # " in line or above.startswith("# "), line
        above = line


@pytest.mark.parametrize("name", NAMED)
def test_a_preset_comes_back_from_its_canonical_text(name):
    profile = profiles.load(name)
    again = profiles.parse(profiles.dump(profile))
    assert again == profile
    assert profiles.dump(again) == profiles.dump(profile)


def test_the_defaults_of_the_schema_are_those_of_the_default_profile():
    default = profiles.load("assistant")
    bare = Profile(name=default.name, description=default.description, digest=default.digest)
    assert bare == default


def test_presets_differ_in_their_digests_and_are_read_once():
    assert len({profiles.load(name).digest for name in NAMED}) == len(NAMED)
    assert profiles.load("care") is profiles.load("care")


def test_every_key_has_its_reader_and_every_number_its_bounds():
    keys = flat()
    assert set(keys.values()) <= set(READERS)
    numbers = {name for name, kind in keys.items() if "int" in kind or "float" in kind}
    assert set(RANGES) == numbers
    named = {*NAMES, *KEYS, *OF_KINDS, *(key for key, _, _ in FITS)}
    assert named <= set(keys)


def test_kinds_weigh_as_the_page_says():
    kinds = profiles.load("assistant").kinds
    assert {kinds[kind] for kind in ("identity", "medical")} == {1.5}
    assert {kinds[kind] for kind in ("preference", "relation")} == {1.3}
    assert {kinds[kind] for kind in ("skill", "decision")} == {1.2}
    assert {kinds[kind] for kind in ("fact", "place", "bugfix")} == {1.1}
    assert {kinds[kind] for kind in ("event", "refactor")} == {1.0}
    assert {kinds[kind] for kind in ("interest", "discovery")} == {0.9}
    assert {kinds[kind] for kind in ("temporary", "note")} == {0.8}


def test_entities_rank_by_heat_and_settle_by_confidence():
    profile = profiles.load("entities")
    recall = profile.recall
    assert (recall.ranking, recall.min_confidence, recall.overfetch, recall.limit) == ("heat", 0.7, 2, 5)
    assert (recall.relevance_share, recall.heat_share, recall.fresh_share) == (0.4, 0.3, 0.3)
    assert (recall.heat_full, recall.fresh_days) == (100, 365)
    assert (profile.reconcile.conflict, profile.reconcile.same, profile.reconcile.source_cap) == (
        "confidence",
        0.85,
        0.99,
    )


def test_personal_weighs_with_a_floor_for_each_mode():
    profile = profiles.load("personal")
    assert (profile.salience.formula, profile.recall.ranking) == ("weight", "weight")
    assert (profile.recall.normal_weight, profile.recall.review_weight) == (0.3, 0.01)
    assert profile.reconcile.strategies == {"preference": "version_keep", "interest": "version_keep"}
    assert profile.reconcile.default == "latest_wins"
    assert profile.compress.archive_weight == 0.01


def test_care_grades_agents_lets_people_decide_and_recalls_in_layers():
    profile = profiles.load("care")
    gate = profile.admit
    assert (gate.accept, gate.pending, gate.low, gate.graded, gate.waiting) == (
        0.9,
        0.7,
        "logged",
        ("agent",),
        ("user",),
    )
    assert (gate.waiting_kinds, gate.auto_approved, gate.guard_constitution) == (("medical",), True, True)
    assert {"forget", "negate", "revise"} <= set(profile.denied[Role.AGENT])
    assert profile.reconcile.conflict == "verified"
    recall = profile.recall
    assert (recall.ranking, recall.fallback, recall.vector, recall.words) == ("verified", "layered", 0.7, 0.3)
    assert (recall.min_similarity, recall.good_similarity) == (0.6, 0.7)
    assert (recall.enough, recall.few, recall.latest, recall.session_days) == (3, 2, 3, 7)
    assert (profile.session.hours, profile.session.editable) == (24, False)
    part = profile.context
    assert (part.budget, part.constitution, part.fact, part.session, part.question, part.reserve) == (
        4000,
        500,
        2000,
        500,
        500,
        500,
    )
    salience = profile.salience
    assert (salience.confidence_decay, salience.verify_below, salience.verify_per_day) == (0.95, 0.6, 5)


def test_the_constitution_is_the_same_in_every_preset():
    for name in NAMED:
        rules = profiles.load(name).constitution
        assert (rules.max_entries, rules.max_chars, rules.confirmations) == (20, 200, 3)
        assert (rules.restore_days, rules.recheck_days) == (7, 1)


def test_team_has_a_gate_to_working_memory_and_a_person_before_long_term():
    profile = profiles.load("team")
    gate = profile.session
    assert (gate.min_confidence, gate.min_bytes, gate.consistent, gate.keep, gate.hours) == (
        0.8,
        50,
        True,
        50,
        24,
    )
    assert profile.admit.waiting == ("agent",)
    assert profile.recall.hot == 10
    assert profile.labels.hot["zh"] == "⚡️ 临时上下文"
    assert "temporary context" in profile.labels.hot["en"]
    assert profile.labels.verified == {"zh": "已验证", "en": "verified"}


def test_companion_fades_by_importance_and_episodes_faster():
    profile = profiles.load("companion")
    salience = profile.salience
    assert (salience.formula, profile.recall.ranking) == ("importance", "importance")
    assert (salience.importance, salience.importance_boost, salience.importance_decay) == (1.5, 0.3, 0.95)
    assert (salience.episode_decay, salience.importance_grace_days) == (0.8, 7)
    assert (salience.review_below, salience.delete_below, salience.core_at) == (0.5, 0.3, 3.0)
    assert profile.session.keep == 30


def test_the_default_hides_nothing_for_its_weight_and_loses_nothing_of_an_agent():
    profile = profiles.load("assistant")
    assert profile.recall.normal_weight <= profile.salience.weight_min
    assert (profile.admit.low, profile.admit.pending) == ("pending", 0.0)
    assert profile.admit.accept <= 0.5  # what an agent that says nothing of its confidence has
    assert profile.admit.poison


def test_a_profile_cannot_be_changed():
    profile = profiles.load("assistant")
    with pytest.raises(dataclasses.FrozenInstanceError):
        profile.recall.limit = 9
    for mapping in (profile.kinds, profile.denied, profile.labels.hot, profile.reconcile.strategies):
        assert isinstance(mapping, Mapping)
        with pytest.raises(TypeError):
            mapping["x"] = 1


def test_a_text_of_an_older_version_that_lacks_keys_still_opens():
    profile = build({"name": "old", "recall": {"limit": 7}})
    assert profile.recall.limit == 7
    assert profile.salience == profiles.load("assistant").salience
