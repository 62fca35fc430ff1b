"""The codec of a stage's settings: what is kept comes back, what is odd is told all at once, what is older is lifted."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faults import Fault
from games.rules.policies import CorrectedUntil, MovesPolicy, SlipRules
from tournaments.engine.matches.rulings import (
    DEFAULT_MATCH_CONDITIONS,
    ClockRule,
    ClockUse,
    LatenessRule,
    MatchConditions,
    SlowPlayRule,
)
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind, SeparateBy
from tournaments.engine.stages.feeding import Admission
from tournaments.engine.stages.settings import StageSettings
from tournaments.engine.stages.swiss import AvoidancePolicy, SwissSettings
from tournaments.engine.standings.editions import Edition
from tournaments.engine.standings.money import MoneySettings
from tournaments.engine.standings.prizes import Prize, PrizeUnit, SectionPrizes, prizes_from_amounts
from tournaments.engine.types import ResultKind
from tournaments.models import Stage
from tournaments.models.settings import (
    VERSION,
    UnreadableSettings,
    from_json,
    settings_from_json,
    settings_to_json,
    to_json,
)

SWISS = StageSettings(SwissSettings(), DEFAULT_MATCH_CONDITIONS)

numbers = st.integers(0, 90)
clubs = st.sampled_from(AvoidancePolicy)
swiss = st.builds(
    SwissSettings,
    rounds=numbers,
    tie_breaks=st.lists(st.text(max_size=8)).map(tuple),
    bye_points=numbers,
    late_points=numbers,
    clubs=clubs,
    parties=clubs,
    lives=numbers,
    group_count=numbers,
    all_at_once=st.booleans(),
    edition=st.sampled_from(Edition),
)
flights = st.builds(
    Flight, st.sampled_from(FlightKind), st.lists(numbers).map(tuple), numbers, st.sampled_from(Admission)
)
brackets = st.builds(
    BracketSettings,
    third_place=st.booleans(),
    recharge=st.booleans(),
    flights=st.lists(flights, max_size=3).map(tuple),
    apart=st.lists(st.sampled_from(SeparateBy)).map(tuple),
)
amounts = st.decimals(0, 10**9, places=2)
sections = st.builds(
    SectionPrizes,
    st.sampled_from(["main", "consolation"]),
    st.sampled_from(PrizeUnit),
    st.lists(st.builds(Prize, amounts, st.text(max_size=5)), max_size=3).map(tuple),
    st.none() | amounts,
    st.none() | amounts,
    amounts,
)
money = st.builds(
    MoneySettings,
    st.booleans(),
    st.booleans(),
    st.booleans(),
    automatic_doubles=numbers,
    min_sessions=numbers,
)
lateness = st.builds(
    LatenessRule,
    numbers,
    st.integers(1, 60),
    numbers,
    st.sampled_from([ResultKind.WALKOVER, ResultKind.FORFEIT]),
)
conduct = st.builds(
    MatchConditions,
    lateness,
    st.none() | st.builds(ClockRule, numbers, numbers, numbers, numbers),
    st.booleans(),
    st.sampled_from(ClockUse),
    st.builds(SlowPlayRule, numbers, st.integers(1, 60), numbers),
    slips=st.builds(
        SlipRules,
        st.sampled_from(MovesPolicy),
        st.sampled_from(CorrectedUntil),
        st.sampled_from(CorrectedUntil),
    ),
)
whole = st.one_of(
    st.tuples(st.just("swiss"), swiss),
    st.tuples(st.just("double_round_robin"), swiss),
    st.tuples(st.just("double_elimination"), brackets),
    st.tuples(st.just("money"), money),
)


def faults_of(system, stored):
    with pytest.raises(UnreadableSettings) as refused:
        settings_from_json(system, stored)
    return refused.value.faults


@given(whole, conduct, st.lists(sections, max_size=3).map(tuple))
def test_settings_when_kept_as_json_then_they_come_back_the_same(of_system, rules, prizes):
    system, own = of_system
    stored = json.loads(json.dumps(settings_to_json(StageSettings(own, rules, prizes))))
    assert settings_from_json(system, stored) == StageSettings(own, rules, prizes)
    assert stored["v"] == VERSION


@pytest.mark.parametrize("system", Stage.System.values)
def test_settings_when_nothing_was_ever_kept_then_they_are_as_usual(system):
    found = settings_from_json(system, {})
    assert found == StageSettings(type(found.own)(), DEFAULT_MATCH_CONDITIONS)
    assert (found.swiss, found.bracket, found.money) == (SwissSettings(), BracketSettings(), MoneySettings())


def test_settings_when_a_row_is_older_than_a_key_then_the_key_is_as_usual():
    stored = settings_to_json(SWISS)
    del stored["own"]["lives"], stored["conduct"]["clocks"]
    assert settings_from_json("swiss", stored) == SWISS
    assert settings_from_json("swiss", {"v": 1, "own": {"rounds": 3}}).swiss == SwissSettings(rounds=3)


def test_settings_when_version_1_had_whole_prizes_then_they_are_the_amounts_of_the_main_part():
    old = {"v": 1, "own": {"rounds": 3, "prizes": [300, 150, 0]}, "conduct": {}}
    assert settings_from_json("swiss", old) == StageSettings(
        SwissSettings(rounds=3), prizes=prizes_from_amounts((300, 150, 0))
    )
    assert settings_from_json("single_elimination", {"v": 1, "own": {"prizes": []}}).prizes == ()
    assert faults_of("swiss", {"v": 1, "own": {"prizes": 5}}) == (
        "invalid type, expected a list @ $.own.prizes",
    )
    assert faults_of("swiss", {"v": 1, "own": {"prizes": [-5]}})
    assert faults_of("swiss", {"v": 2, "own": {"prizes": [5]}})


@pytest.mark.parametrize("text", ["", "1e3", "-1", "NaN", "1,5", "1.", " 1", "1" * 30, 5, 5.5, None])
def test_settings_when_an_amount_is_no_plain_decimal_text_then_it_is_refused(text):
    prizes = [{"places": [{"value": text}]}]
    assert faults_of("swiss", {"v": 2, "own": {}, "prizes": prizes})


def test_settings_when_a_newer_release_wrote_a_key_or_version_then_they_are_refused():
    newer = {"v": 2, "own": {"points_for_style": 3}, "conduct": {}}
    assert faults_of("swiss", newer) == ("extra fields found (points_for_style) @ $.own",)
    assert faults_of("swiss", {**settings_to_json(SWISS), "weather": {}}) == (
        "extra fields found (weather) @ $",
    )
    assert len(faults_of("swiss", {**settings_to_json(SWISS), "v": VERSION + 1})) == 1
    assert len(faults_of("swiss", {**settings_to_json(SWISS), "v": "1"})) == 1


def test_settings_when_several_things_are_wrong_then_all_are_told_with_their_path():
    own = {
        "recharge": 1,
        "flights": [{"kind": "last_chance", "rounds": "3"}, {"kind": "sideways", "lengths": 5}],
        "apart": "club",
        "prizes": [10, 2.5, True],
    }
    told = faults_of("single_elimination", {"v": 1, "own": own, "conduct": {"lateness": {"step": 0}}})
    assert [fault.rpartition(" @ ")[2] for fault in told] == [
        "$.own.recharge",
        "$.own.flights[0].rounds",
        "$.own.flights[1].kind",
        "$.own.flights[1].lengths",
        "$.own.apart",
        "$.conduct.lateness",
        "$.prizes[0].places[1].value",
        "$.prizes[0].places[2].value",
    ]


def test_settings_when_somebody_sent_them_then_each_fault_is_at_its_field_and_says_what_belongs_there():
    sent = {
        "third_place": 1,
        "flights": [{"kind": "sideways", "lengths": [5, "7"]}, {"rounds": 2}, 3],
        "apart": "club",
        "colour": "red",
    }
    with pytest.raises(UnreadableSettings) as refused:
        from_json(BracketSettings, sent)
    assert [(fault.code, fault.field) for fault in refused.value.found] == [
        ("field.truth", "third_place"),
        ("field.choice", "flights.0.kind"),
        ("field.whole", "flights.0.lengths.1"),
        ("field.required", "flights.1.kind"),
        ("field.not_a_dict", "flights.2"),
        ("field.not_a_list", "apart"),
        ("field.unknown", None),
    ]
    assert refused.value.found[-1].params == {
        "name": "colour",
        "allowed": "third_place, recharge, flights, apart, lower_lengths, final_length, open_lines, buy_back_within",
    }
    with pytest.raises(UnreadableSettings) as refused:
        from_json(BracketSettings, [])
    assert refused.value.found == (Fault("field.not_a_dict"),)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (SwissSettings, {"rounds": "3"}),
        (SwissSettings, {"rounds": 3.0}),
        (SwissSettings, {"all_at_once": "false"}),
        (SwissSettings, {"tie_breaks": "lot"}),
        (SwissSettings, {"clubs": None}),
        (MoneySettings, {"jacoby": 0}),
        (MoneySettings, {"stake": 5}),
        (Flight, {}),
        (MoneySettings, []),
    ],
)
def test_value_when_it_is_of_another_kind_then_it_is_not_guessed(kind, data):
    with pytest.raises(UnreadableSettings):
        from_json(kind, data)


def test_value_when_written_then_its_keys_stand_in_the_order_of_its_fields():
    assert list(to_json(BracketSettings())) == [
        "third_place",
        "recharge",
        "flights",
        "apart",
        "lower_lengths",
        "final_length",
        "open_lines",
        "buy_back_within",
    ]
    assert type(to_json(SwissSettings(clubs=AvoidancePolicy.NEVER))["clubs"]) is str


def test_stage_when_its_settings_are_asked_for_again_then_they_are_read_once():
    stage = Stage(system="swiss")
    stage.settings = StageSettings(SwissSettings(rounds=3))
    first = stage.settings
    assert first.swiss.rounds == 3
    assert stage.settings is first


def test_stage_when_its_settings_or_system_are_changed_then_they_are_read_anew():
    stage = Stage(system="swiss")
    assert stage.settings.swiss == SwissSettings()
    stage.settings = StageSettings(SwissSettings(lives=2))
    assert stage.settings.swiss.lives == 2
    stage.kept_settings = {}
    stage.system = "money"
    assert stage.settings.own == MoneySettings()
