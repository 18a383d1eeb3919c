"""What time and mentions do, seen through the public verbs: the published figures, and who they hide."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import exp

import pytest

from holdfast.engine import Holdfast
from holdfast.model.layer import Decision, Level
from holdfast.model.status import Mark, Status
from holdfast.settings import EmbedderSettings, Settings
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
COFFEE = "我喜欢喝咖啡"
SCRIPTS = [
    pytest.param("我喜欢喝咖啡", "我不喜欢咖啡了", id="simplified"),
    pytest.param("我喜歡喝咖啡", "我不喜歡咖啡了", id="traditional"),
    pytest.param("I like drinking coffee", "I don't like coffee any more", id="english"),
]


def day(count):
    return START + timedelta(days=count)


def hour(count):
    return START + timedelta(hours=count)


@pytest.fixture(params=["memory", "directory"])
def house(request, tmp_path):
    where = "memory://" if request.param == "memory" else tmp_path
    own = Own(settings=Settings(embedder=EmbedderSettings(name="hashing")), clock=ManualClock(START))
    with Holdfast(where, own) as hf:
        yield hf


@pytest.fixture(scope="module")
def well_read():
    """A house with the embedder that users have: near words must be known to be near."""
    with Holdfast("memory://", Own(clock=ManualClock(START))) as hf:
        yield hf


@pytest.fixture
def me(house):
    return house.space("user:ada", profile="personal")


def kept(space, content=COFFEE, at=START, **told):
    out = space.remember(content, **{"kind": "preference", "at": at, **told})
    assert out.decision is Decision.ACCEPTED, out.reasons
    return out.memory


def said_again(space, *times, content=COFFEE, **told):
    for at in times:
        out = space.remember(content, **{"kind": "preference", "at": at, **told})
        assert out.decision is Decision.REINFORCED, out.reasons


def factors(space, at, query=COFFEE, mode="debug"):
    """Every factor of the score of the one memory there is, at a time."""
    (hit,) = space.recall(query, at=at, mode=mode, limit=5).hits
    return hit.explain.factors


def rounded(values, digits=2):
    return [round(value, digits) for value in values]


@pytest.mark.row("E1")
@pytest.mark.parametrize(("kind", "share"), [("identity", 0.4545), ("temporary", 0.3077)])
def test_time_weighs_less_on_what_matters_more(me, kind, share):
    kept(me, kind=kind)
    assert round(factors(me, day(180))["time_weight"], 4) == share


@pytest.mark.row("E2")
def test_a_mention_lifts_for_some_weeks_and_creation_does_not(me):
    kept(me)
    assert factors(me, day(0))["semantic_boost"] == 1.0
    said_again(me, day(2))
    assert rounded(factors(me, day(2 + count))["semantic_boost"] for count in (0, 7, 30)) == [1.5, 1.35, 1.11]


@pytest.mark.row("E3")
def test_a_negation_drops_at_once_and_stays_until_it_is_affirmed(me):
    id = kept(me).id
    me.negate(id, at=day(1))
    assert rounded(factors(me, day(1 + count))["conflict_penalty"] for count in (0, 7, 30, 90)) == [0.3] * 4
    me.affirm(id, at=day(100))
    curve = [factors(me, day(100 + count))["conflict_penalty"] for count in (0, 7, 30, 90)]
    assert rounded(curve) == [0.3, 0.35, 0.48, 0.72]
    assert Mark.NEGATED not in me.get(id).marks


@pytest.mark.row("E4")
def test_many_mentions_carry_up_to_a_limit(me):
    kept(me)
    assert factors(me, day(0))["momentum"] == 1.0
    said_again(me, hour(13), hour(26), hour(39))
    assert round(factors(me, hour(39))["momentum"], 2) == 1.23
    said_again(me, *(hour(100 + count) for count in range(10)))
    assert round(factors(me, hour(109 + 25))["momentum"], 2) == 1.30


@pytest.mark.row("E5")
def test_the_products_come_out_as_published(house):
    mentioned = house.space("mentioned", profile="personal")
    kept(mentioned, at=day(-100))
    said_again(mentioned, day(0))
    assert round(factors(mentioned, day(11))["weight"], 4) == 1.5443
    plain = house.space("plain", profile="personal")
    kept(plain, kind="temporary")
    assert round(factors(plain, day(30))["weight"], 2) == 0.58


@pytest.mark.row("E3")
@pytest.mark.row("E5")
@pytest.mark.parametrize(("liked", "instead"), SCRIPTS)
def test_a_doubt_leaves_both_alive_and_follows_the_published_curve(well_read, liked, instead):
    space = well_read.space(f"user:{liked}", profile="personal")
    old = kept(space, liked)
    out = space.remember(instead, kind="preference", confidence=0.4, at=START)
    assert out.decision is Decision.ACCEPTED, out.reasons
    assert space.get(old.id).status is space.get(out.memory.id).status is Status.ACTIVE
    assert not space.get(old.id).marks

    def of_old(at):
        hits = space.recall(liked, at=at, mode="debug").hits
        return next(hit.explain.factors for hit in hits if hit.memory.id == old.id)

    curve = [of_old(day(count))["conflict_penalty"] for count in (0, 7, 30, 90)]
    assert rounded(curve) == [1.0, 0.95, 0.82, 0.58]
    assert round(of_old(day(60))["weight"], 2) == 0.61


@pytest.mark.row("E8")
@pytest.mark.parametrize(("liked", "instead"), SCRIPTS)
def test_saying_that_it_is_no_longer_so_negates_what_was_known(well_read, liked, instead):
    space = well_read.space(f"changed:{liked}", profile="personal")
    old = kept(space, liked)
    out = space.remember(instead, at=day(9))
    assert out.decision is Decision.SUPERSEDED, out.reasons
    negated = space.get(old.id)
    assert Mark.NEGATED in negated.marks
    assert negated.last_activated_at == START
    assert negated.corrections[-1].content == instead
    assert [hit.memory.id for hit in space.recall(liked, at=day(9)).hits] == [out.memory.id]


@pytest.mark.row("E6")
def test_only_a_mention_moves_the_active_clock(house, me):
    id = kept(me).id
    me.recall(COFFEE, at=day(3))
    me.context(COFFEE, at=day(4))
    house.work(at=day(5))
    me.stats(at=day(5))
    me.revise(id, tags=["drinks"], at=day(6))
    assert me.get(id).last_activated_at == START
    said_again(me, day(15))
    told = me.get(id)
    assert told.last_activated_at == day(15)
    assert told.created_at == START
    me.attach(id, modality="image", reference="photo-1", at=day(20))
    assert me.get(id).last_activated_at == day(20)
    assert me.get(id).created_at == START


@pytest.mark.row("E7")
def test_three_sayings_within_a_day_are_one_decision_and_one_entry(me):
    id = kept(me).id
    first = me.remember(COFFEE, kind="preference", at=hour(1))
    third = me.remember(COFFEE, kind="preference", at=hour(2))
    assert first.memory.id == third.memory.id == id
    assert len(me.list()) == 1
    assert me.get(id).mentions == 3
    found = factors(me, hour(2))
    assert found["semantic_boost"] == pytest.approx(1.3)
    assert found["momentum"] == pytest.approx(1.1896 + 0.2, abs=1e-4)
    assert factors(me, hour(25))["momentum"] == pytest.approx(1.1896, abs=1e-4)
    assert third.reasons != first.reasons


@pytest.mark.row("E7")
def test_a_mention_never_lowers_the_weight(me):
    kept(me, kind="temporary")
    at = START
    for step in (1, 2, 3, 20, 30, 2, 5, 80, 1, 1, 1, 300):
        at += timedelta(hours=step)
        before = factors(me, at)["weight"]
        said_again(me, at, kind="temporary")
        assert factors(me, at)["weight"] >= before * (1 - 1e-12)


@pytest.mark.row("E8")
@pytest.mark.parametrize(("liked", "instead"), SCRIPTS)
def test_a_negated_memory_keeps_its_history_and_leaves_normal_recall(me, liked, instead):
    id = kept(me, liked).id
    out = me.negate(id, instead, at=day(9))
    old, new = me.get(id), out.memory
    assert Mark.NEGATED in old.marks
    assert old.last_activated_at == START
    assert [(step.at, step.content) for step in old.corrections] == [(day(9), instead)]
    assert new.content == instead
    assert new.level is Level.FULL
    found = {hit.memory.id: hit for hit in me.recall(liked, at=day(9), mode="debug").hits}
    assert found[id].explain.factors["conflict_penalty"] == pytest.approx(0.3)
    assert found[new.id].explain.factors["time_weight"] == 1.0
    assert id not in [hit.memory.id for hit in me.recall(liked, at=day(9)).hits]
    assert id in [hit.memory.id for hit in me.recall(liked, at=day(9), mode="review").hits]


@pytest.mark.row("E10")
@pytest.mark.parametrize("modality", ["image", "audio"])
def test_an_image_or_a_recording_joins_its_memory_refreshes_it_and_lifts_it(me, modality):
    id = kept(me).id
    before = factors(me, day(40))["weight"]
    me.attach(id, modality=modality, reference="file-1", digest="ab12", text="一杯拿铁", at=day(40))
    told = me.get(id)
    assert told.modalities == ("text", modality)
    assert told.last_activated_at == day(40)
    assert factors(me, day(40))["weight"] > before
    assert [hit.memory.id for hit in me.recall("拿铁", at=day(40)).hits] == [id]


@pytest.mark.row("E13")
def test_what_has_faded_leaves_normal_recall_then_review_and_stays_for_debug(me):
    """A temporary's W is 0.8 / (1 + 0.0125 t): 0.3 after 133 days, 0.01 after 6320."""
    kept(me, kind="temporary")

    def seen(at):
        return [mode for mode in ("normal", "review", "debug") if me.recall(COFFEE, at=at, mode=mode).hits]

    assert seen(day(133)) == ["normal", "review", "debug"]
    assert seen(day(134)) == ["review", "debug"]
    assert seen(day(6300)) == ["review", "debug"]


@pytest.mark.row("E17")
def test_the_weight_log_tells_old_new_delta_reason_and_every_factor(me):
    id = kept(me, at=day(-102) - timedelta(hours=9)).id
    said_again(me, day(0))
    line = me.weights(id)[-1]
    assert line.memory == id
    assert line.at == day(0)
    assert line.old_weight == 0.7273
    assert line.new_weight == 2.0  # 1.3 · 1.5 · 1.118, clamped
    assert line.delta == pytest.approx(1.2727)
    assert line.reason
    assert line.factors == {
        "time_weight": 1.0,
        "semantic_boost": 1.5,
        "conflict_penalty": 1.0,
        "importance": 1.3,
        "momentum": 1.118,
    }


@pytest.mark.row("E17")
def test_a_negation_is_a_line_of_the_weight_log_too(me):
    id = kept(me).id
    me.negate(id, at=day(11))
    line = me.weights(id)[-1]
    assert line.new_weight == pytest.approx(line.old_weight * 0.3, abs=1e-4)
    assert line.factors["conflict_penalty"] == 0.3


@pytest.mark.row("E18")
@pytest.mark.parametrize(("factor", "share"), [(0.8, 0.5102), (1.0, 0.4545), (1.3, 0.3906)])
def test_each_space_forgets_at_its_own_pace(house, factor, share):
    space = house.space("user:own", profile="personal", user_factor=factor)
    kept(space, kind="identity")
    assert round(factors(space, day(180))["time_weight"], 4) == share
    assert round(factors(house.space("user:own"), day(180))["weight"] / 1.5, 4) == share


@pytest.mark.row("E18")
def test_the_pace_of_one_space_is_not_that_of_another(house):
    slow = house.space("slow", profile="personal", user_factor=0.8)
    quick = house.space("quick", profile="personal", user_factor=1.3)
    for space in (slow, quick):
        kept(space)
    assert factors(slow, day(90))["weight"] > factors(quick, day(90))["weight"]


@pytest.mark.row("E20")
def test_a_profile_of_ones_own_changes_the_figures_and_stays_with_its_space(house, tmp_path):
    path = tmp_path / "forgetful.toml"
    path.write_text('extends = "personal"\n[salience]\nalpha = 0.1\n[kinds]\ndish = 1.0\n', encoding="utf-8")
    space = house.space("user:own", profile=str(path))
    kept(space, kind="dish")
    assert factors(space, day(10))["time_weight"] == 0.5
    path.write_text('extends = "personal"\n', encoding="utf-8")
    assert factors(house.space("user:own"), day(10))["time_weight"] == 0.5
    assert space.ledger()[-1].profile == space.profile.digest


FIGURES = [
    ("boost = 0.2", "semantic_boost", 1.2),
    ("boost_decay = 0.0", "semantic_boost", 1.5),
    ("momentum = 0.0", "momentum", 1.0),
    ("momentum_rate = 1.0", "momentum", 1 + 0.3 * (1 - exp(-1))),
    ("recent_days = 0.5", "momentum", 1.0),
    ("user_factor = 2.0", "time_weight", 1 / (1 + 0.01 * 2.0 / 1.3)),
]


@pytest.mark.row("E20")
@pytest.mark.parametrize(("line", "factor", "figure"), FIGURES)
def test_each_figure_of_a_weight_is_a_key_of_the_profile(house, tmp_path, line, factor, figure):
    path = tmp_path / "own.toml"
    path.write_text(f'extends = "personal"\n[salience]\n{line}\n', encoding="utf-8")
    space = house.space("user:own", profile=str(path))
    kept(space, at=day(-40))
    said_again(space, day(0))
    later = day(0) if line == "boost = 0.2" else day(1)
    assert factors(space, later)[factor] == pytest.approx(figure)
    plain = house.space("user:plain", profile="personal")
    kept(plain, at=day(-40))
    said_again(plain, day(0))
    assert factors(plain, later)[factor] != pytest.approx(figure)


@pytest.mark.row("E20")
def test_what_a_negation_takes_away_is_a_key_of_the_profile(house, tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('extends = "personal"\n[salience]\nnegation_drop = 0.4\n', encoding="utf-8")
    space = house.space("user:own", profile=str(path))
    space.negate(kept(space).id, at=day(1))
    assert factors(space, day(1))["conflict_penalty"] == pytest.approx(0.6)


@pytest.mark.row("E21")
@pytest.mark.parametrize(
    ("kind", "confidence", "status", "effect"),
    [
        ("place", 0.9, Status.EXPIRED, "latest_wins"),
        ("preference", 0.9, Status.SUPERSEDED, "version_keep"),
        ("place", 0.4, Status.ACTIVE, "weight_balance"),
    ],
)
def test_what_is_said_leads_to_what_the_matrix_says(well_read, kind, confidence, status, effect):
    """Mention, frequent mentions, negation, and correction each way; time and batches are the steward's."""
    space = well_read.space(f"user:{effect}", profile="personal")
    home = "I live in Beijing"
    id = kept(space, home, kind=kind).id
    said_again(space, hour(1), content=home, kind=kind)
    assert "a mention of what is known" in space.remember(home, kind=kind, at=hour(30)).reasons[0]
    said_again(space, hour(31), content=home, kind=kind)
    third = space.remember(home, kind=kind, at=hour(32))
    assert "one entry in place of several" in third.reasons[0]
    out = space.remember("I live in Shanghai now", kind=kind, confidence=confidence, at=day(3))
    assert id in out.touched, out.reasons
    old = space.get(id)
    assert old.status is status
    assert (old.weight_cap is not None) == (effect == "version_keep")
    assert (old.uncertain_since is not None) == (effect == "weight_balance")
    space.negate(out.memory.id, at=day(4))
    assert Mark.NEGATED in space.get(out.memory.id).marks


@pytest.mark.row("M4")
def test_faded_confidence_changes_the_label_and_not_whether_it_is_recalled(house):
    space = house.space("home:lin", profile="care")
    id = kept(space, "奶奶的降压药在左边的抽屉", kind="fact", confidence=0.9).id

    def shown(at):
        (hit,) = space.recall("降压药", at=at).hits
        trust = hit.explain.trust
        return hit.memory.id, hit.label, round(trust["confidence_now"], 4), trust["needs_verification"]

    assert shown(day(7)) == (id, "", 0.6285, False)
    assert shown(day(8)) == (id, "待核实", 0.5971, True)
    assert shown(day(400))[0] == id
    sure = house.space("home:wu", profile="care")
    kept(sure, "奶奶的降压药在左边的抽屉", kind="fact", confidence=1.0)
    assert [bool(sure.to_verify(at=day(count))) for count in (9, 10)] == [False, True]


@pytest.mark.row("M4")
def test_a_caregiver_is_asked_about_five_a_day_the_most_used_first_and_confirms_them_at_once(house):
    space = house.space("home:lin", profile="care")
    dishes = ["豆腐", "Noodles", "藕片", "Dumplings", "白粥", "Tofu soup", "茄子"]
    ids = [kept(space, f"她周{count}吃 {dish}", confidence=0.9).id for count, dish in enumerate(dishes)]
    for _ in range(3):
        space.recall("茄子", at=day(1), limit=1)
    assert space.to_verify(at=day(7)) == []
    asked = [memory.id for memory in space.to_verify(at=day(8))]
    assert len(asked) == 5
    assert asked[0] == ids[-1]
    space.approve(*asked, at=day(8))
    assert space.get(asked[0]).confidence == 1.0
    assert space.to_verify(at=day(8)) == []
    assert {memory.id for memory in space.to_verify(at=day(9))} == set(ids) - set(asked)


@pytest.mark.row("C5")
def test_importance_fades_by_the_day_once_nobody_touches_it(house):
    space = house.space("companion:li", profile="companion")
    kept(space)
    weights = [round(factors(space, day(count))["weight"], 4) for count in (7, 15, 45)]
    assert weights == [
        1.5,
        round(1.5 * 0.95**8, 4),
        round(1.5 * 0.95**38, 4),
    ]  # a debugger's look is no access
    assert space.recall(COFFEE, at=day(15)).hits
    assert round(factors(space, day(22))["weight"], 4) == 1.5
    assert round(factors(space, day(23))["weight"], 4) == 1.425


@pytest.mark.row("C5")
def test_what_is_core_never_fades_and_what_is_due_to_go_is_no_longer_recalled(house):
    space = house.space("companion:li", profile="companion")
    core = kept(space, "主人的生日是三月三日", kind="identity", importance=3.0)
    small = kept(space, "主人今天想吃拉面", kind="temporary")
    normal = [hit.memory.id for hit in space.recall("主人", at=day(40), limit=5).hits]
    assert core.id in normal
    assert small.id not in normal
    late = {hit.memory.id: hit for hit in space.recall("主人", at=day(40), limit=5, mode="review").hits}
    assert late[core.id].explain.factors["weight"] == 3.0
    assert round(late[small.id].explain.factors["weight"], 4) == round(1.5 * 0.95**33, 4)
    assert space.get(small.id).importance == 1.5  # computed, not stored


@pytest.mark.row("A4")
def test_entities_come_by_relevance_use_and_freshness(house):
    space = house.space("team:buyers", profile="entities")
    ids = [
        space.store_entity("part_number", value, confidence=0.9, at=START).memory.id
        for value in ("RM05-008", "RM05-009", "RM05-010")
    ]
    low = space.store_entity("part_number", "RM05-011", confidence=0.6, at=START).memory.id
    for _ in range(3):
        space.retrieve_entities("RM05-010", limit=1, at=day(1))
    found = space.retrieve_entities("RM05", at=day(2))
    assert low not in [hit.memory.id for hit in found]
    assert {hit.memory.id for hit in found} == set(ids)
    for hit in found:
        told = hit.explain.factors
        heat = 0.4 * told["relevance"] + 0.3 * min(hit.memory.access_count / 100, 1)
        assert hit.score == pytest.approx(heat + 0.3 * (1 - 2 / 365), abs=0.004)
