"""Plans: what can be played, what cannot and why, and what comes out when it is built."""

from dataclasses import replace

import pytest

from tournaments.engine.brackets.consolation import FlightKind
from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.errors import BadInput
from tournaments.engine.stages.feeding import Admission, FeedPart
from tournaments.engine.stages.plan import (
    DivisionPlan,
    Feed,
    StagePlan,
    StageSystem,
    build_bracket,
    check_plan,
    round_lengths,
)
from tournaments.engine.types import EntryId


def lines(count):
    return seeded_draw([EntryId(n) for n in range(1, count + 1)])


def codes(*stages):
    return {(fault.code, fault.place) for fault in check_plan(DivisionPlan(stages))}


MAIN = StagePlan("main", StageSystem.SINGLE_ELIMINATION, (5, 7))
SWISS = StagePlan("swiss", StageSystem.SWISS, (5,))


def consolation(key="consolation", source="main", taken=FeedPart.LOSERS, count=2, **settings):
    system = settings.pop("system", FlightKind.PROGRESSIVE)
    return StagePlan(key, system, (5,), feed=Feed(source, taken, count), **settings)


WEEKEND = DivisionPlan(
    (
        StagePlan("main", StageSystem.SINGLE_ELIMINATION, (7, 9, 11)),
        StagePlan("consolation", FlightKind.PROGRESSIVE, (5, 7), feed=Feed("main", FeedPart.LOSERS, 2)),
        StagePlan(
            "last chance", FlightKind.LAST_CHANCE, (3, 5), feed=Feed("consolation", FeedPart.LOSERS, 1)
        ),
    )
)
GROUPS = StagePlan("groups", StageSystem.ROUND_ROBIN, (7,))
PLANS = [
    DivisionPlan((SWISS,)),
    WEEKEND,
    DivisionPlan((GROUPS,)),
    DivisionPlan((GROUPS, replace(MAIN, feed=Feed("groups", FeedPart.PLACES, 2)))),
    DivisionPlan((StagePlan("double", StageSystem.DOUBLE_ELIMINATION, (5,)),)),
    DivisionPlan((MAIN, consolation(system=FlightKind.FIRST_MATCH, admission=Admission.ALSO_WALKOVERS))),
]


@pytest.mark.parametrize("plan", PLANS)
def test_usual_plans_can_be_played(plan):
    assert check_plan(plan) == ()


@pytest.mark.parametrize(
    ("stages", "expected"),
    [
        ((), {("plan.no_stages", None)}),
        ((MAIN, MAIN), {("plan.key_twice", "main")}),
        ((replace(consolation(), feed=None),), {("plan.feed_missing", "consolation")}),
        ((consolation(),), {("plan.source_unknown", "consolation")}),
        ((consolation(), MAIN), {("plan.source_unknown", "consolation")}),  # fed by a later stage
        ((MAIN, consolation(taken=FeedPart.PLACES)), {("plan.feed_does_not_fit", "consolation")}),
        ((SWISS, consolation(source="swiss")), {("plan.feed_does_not_fit", "consolation")}),
        (
            (SWISS, replace(MAIN, feed=Feed("swiss", FeedPart.LOSERS, 2))),
            {("plan.feed_does_not_fit", "main")},
        ),
        ((MAIN, consolation(count=0)), {("plan.feed_of_nothing", "consolation")}),
        ((MAIN, consolation(), consolation("second")), {("plan.losers_go_elsewhere", "second")}),
        ((replace(MAIN, lengths=(0, 100)),), {("length.too_short", "main"), ("length.too_long", "main")}),
    ],
)
def test_check_plan_names_what_cannot_be_played(stages, expected):
    assert codes(*stages) == expected


def test_a_weekend_is_built_as_one_bracket_with_lengths_counted_back_in_each_stage():
    bracket = build_bracket(WEEKEND, "main", lines(16))
    main, second, last = WEEKEND.stages
    assert list(round_lengths(main, bracket).values()) == [7, 7, 9, 11]
    assert list(round_lengths(second, bracket).values()) == [5, 5, 5, 7]
    assert list(round_lengths(last, bracket).values()) == [3, 5]
    numbers = [n for stage in WEEKEND.stages for n in round_lengths(stage, bracket)]
    assert numbers == [rnd.number for rnd in bracket.rounds]


def test_a_small_field_takes_as_many_rounds_as_it_has():
    bracket = build_bracket(DivisionPlan((MAIN, consolation(count=9))), "main", lines(4))
    assert [rnd.section for rnd in bracket.rounds] == ["main", "main", "consolation", "consolation"]


def test_the_third_place_match_is_as_long_as_the_final_and_so_are_all_last_finals():
    stage = replace(MAIN, third_place=True)
    bracket = build_bracket(DivisionPlan((stage,)), "main", lines(8))
    assert list(round_lengths(stage, bracket).values()) == [5, 5, 7, 7]
    double = StagePlan("double", StageSystem.DOUBLE_ELIMINATION, (5, 7, 9))
    bracket = build_bracket(DivisionPlan((double,)), "double", lines(4))
    assert list(round_lengths(double, bracket).values()) == [7, 9, 7, 9, 9, 9]


def test_first_match_consolation_and_last_chance_are_built_too():
    first = consolation(system=FlightKind.FIRST_MATCH)
    last = consolation("last", "consolation", count=5, system=FlightKind.LAST_CHANCE)
    bracket = build_bracket(DivisionPlan((MAIN, first, last)), "main", lines(16))
    assert {rnd.section for rnd in bracket.rounds} == {"main", "consolation", "last_chance"}


@pytest.mark.parametrize(
    ("plan", "key", "code"),
    [
        (DivisionPlan(()), "main", "plan.no_stages"),
        (PLANS[0], "swiss", "plan.no_elimination"),
        (WEEKEND, "open", "plan.no_elimination"),
    ],
)
def test_what_is_no_elimination_is_not_built(plan, key, code):
    with pytest.raises(BadInput) as refused:
        build_bracket(plan, key, lines(8))
    assert refused.value.code == code
