"""Who comes into a stage from an earlier one: what can be set, who of a table or of a bracket it means."""

import pytest

from tournaments.engine.brackets.double import GRAND_FINAL, LOWER
from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.pairing.history import PairedMatch, SwissRound
from tournaments.engine.pairing.round_robin import interleave_tables
from tournaments.engine.stages.elimination import (
    BracketSettings,
    bracket_lengths,
    bracket_with_flights,
    check_bracket_settings,
)
from tournaments.engine.stages.feeding import (
    Admission,
    Feeding,
    FeedPart,
    FeedSource,
    check_feed_source,
    feeding_matches,
    incoming_losers,
)
from tournaments.engine.stages.plan import DivisionPlan, Feed, StagePlan, StageSystem, check_plan
from tournaments.engine.standings.qualifying import (
    CutBorder,
    cut_places,
    cut_table,
    place_groups,
    rest_of_places,
    rest_of_table,
)
from tournaments.engine.standings.ranking import Place
from tournaments.engine.standings.table import Crosstable
from tournaments.engine.types import EntryId, ResultKind

SWISS = StagePlan("swiss", StageSystem.SWISS, (5,))
DOUBLE = StagePlan("double", StageSystem.DOUBLE_ELIMINATION, (5,))
SINGLE = StagePlan("single", StageSystem.SINGLE_ELIMINATION, (5,), flights=("consolation",))


def fed(key, *feed, system=StageSystem.SINGLE_ELIMINATION, **more):
    return StagePlan(key, system, (5,), feed=Feed(*feed, **more))


def losers(source, first, last, section=LOWER):
    return {"stage": source, "taken": FeedPart.LOSERS, "count": last, "first": first, "section": section}


def faults(*stages):
    return [(fault.code, fault.field, fault.place) for fault in check_plan(DivisionPlan(stages))]


def test_plans_with_places_the_rest_and_losers_can_be_played():
    assert not faults(
        SWISS,
        fed("main", "swiss", FeedPart.PLACES, 8),
        fed("plate", "swiss", FeedPart.PLACES, 16, first=9),
        fed("others", "swiss", FeedPart.REST, 0),
    )
    chances = [StagePlan("a", StageSystem.SWISS, (5,), feed=Feed(**losers("double", 1, 2)))]
    assert not faults(DOUBLE, *chances, fed("b", **losers("double", 3, 3)))
    assert not faults(SINGLE, fed("late losers", **losers("single", 3, 4, "main")))
    assert not faults(
        SINGLE,
        fed("top", "single", FeedPart.PLACES, 4),
        fed("plate", "single", FeedPart.PLACES, 2, section="consolation"),
        fed("others", "single", FeedPart.REST, 0),
    )
    assert not faults(DOUBLE, fed("top", "double", FeedPart.PLACES, 8))


def also(key, feed, *more):
    return StagePlan(key, StageSystem.SINGLE_ELIMINATION, (5,), feed=feed, also=more)


def test_plan_of_a_last_chance_from_two_sections_and_two_stages_can_be_played():
    both = Feed(**losers("single", 3, 4, "main")), Feed(**losers("single", 1, 2, "consolation"))
    assert not faults(SINGLE, also("chance", *both))
    main, other = fed("main", "swiss", FeedPart.PLACES, 8), fed("consolation", "swiss", FeedPart.REST, 0)
    two = Feed(**losers("main", 1, 2, "main")), Feed(**losers("consolation", 1, 1, "main"))
    assert not faults(SWISS, main, other, also("chance", *two))


def test_plan_of_a_stage_with_several_sources_is_refused_at_the_source_that_is_wrong():
    first = Feed(**losers("single", 1, 2, "main"))

    def wrong(*more):
        return [(code, field) for code, field, _place in faults(SINGLE, SWISS, also("chance", first, *more))]

    assert wrong(first) == [("plan.losers_go_elsewhere", "feed.also.0.stage")]
    assert wrong(Feed("gone", FeedPart.REST, 0)) == [("plan.source_unknown", "feed.also.0.stage")]
    assert wrong(Feed("chance", FeedPart.REST, 0)) == [("plan.source_unknown", "feed.also.0.stage")]
    assert wrong(Feed(**losers("single", 1, 1))) == [("plan.feed_of_no_section", "feed.also.0.section")]
    assert wrong(Feed("single", FeedPart.PLACES, 4, section=LOWER)) == [
        ("plan.feed_of_no_section", "feed.also.0.section")
    ]
    assert wrong(Feed(**losers("swiss", 1, 1, "main"))) == [("plan.feed_does_not_fit", "feed.also.0.stage")]
    assert wrong(Feed("swiss", FeedPart.PLACES, 2, 3), Feed("swiss", FeedPart.PLACES, 0)) == [
        ("plan.feed_turned", "feed.also.0.last"),
        ("plan.feed_of_nothing", "feed.also.1.last"),
    ]
    rest = Feed("swiss", FeedPart.REST, 0)
    assert wrong(rest, rest) == [("plan.rest_goes_elsewhere", "feed.also.1.taken")]
    many = [Feed("swiss", FeedPart.PLACES, number, number) for number in range(1, 5)]
    assert wrong(*many) == [("plan.feed_too_many", "feed.also")]


@pytest.mark.parametrize(
    ("stages", "expected"),
    [
        (
            (SWISS, fed("b", "swiss", FeedPart.PLACES, 8, first=0)),
            ("plan.feed_from_nothing", "feed.first", "b"),
        ),
        ((SWISS, fed("b", "swiss", FeedPart.PLACES, 0)), ("plan.feed_of_nothing", "takes", "b")),
        ((SWISS, fed("b", "swiss", FeedPart.PLACES, 8, first=9)), ("plan.feed_turned", "takes", "b")),
        (
            (SWISS, fed("b", "swiss", FeedPart.REST, 0), fed("c", "swiss", FeedPart.REST, 0)),
            ("plan.rest_goes_elsewhere", "feed.taken", "c"),
        ),
        (
            (DOUBLE, fed("b", "double", FeedPart.REST, 0, section=LOWER)),
            ("plan.feed_of_no_section", "feed.section", "b"),
        ),
        ((SWISS, fed("b", **losers("swiss", 1, 2))), ("plan.feed_does_not_fit", "fed_by", "b")),
        (
            (DOUBLE, fed("b", **losers("double", 1, 2, "main"))),
            ("plan.feed_of_no_section", "feed.section", "b"),
        ),
        ((SINGLE, fed("b", **losers("single", 1, 2))), ("plan.feed_of_no_section", "feed.section", "b")),
        (
            (DOUBLE, fed("b", **losers("double", 1, 2)), fed("c", **losers("double", 2, 3))),
            ("plan.losers_go_elsewhere", "fed_by", "c"),
        ),
    ],
)
def test_plans_that_contradict_themselves_are_refused_at_their_field(stages, expected):
    assert faults(*stages) == [expected]


def test_check_of_the_rest_needs_no_numbers():
    assert check_feed_source(FeedSource(0, FeedPart.REST, first=0, last=0)) == ()


def test_feeding_is_by_result_while_nobody_among_its_sources_has_lost():
    places = Feeding(also=(FeedSource(2, FeedPart.PLACES), FeedSource(3, FeedPart.REST)))
    assert places.by_result
    assert not Feeding(also=(FeedSource(2),)).by_result
    assert places.sources(4) == (FeedSource(0, FeedPart.PLACES, 1, 4), *places.also)


# The winner, the loser of the final, four who share the places after two semi-finalists.
PLACES = {
    EntryId(number): Place(first, last, settled=True)
    for number, (first, last) in enumerate([(1, 1), (2, 2), (3, 4), (3, 4), (5, 8), (5, 8), (5, 8), (5, 8)])
}


def test_places_of_a_bracket_are_cut_by_a_lot_where_they_are_shared_and_it_is_said():
    groups = place_groups(PLACES, 7)
    assert [set(group) for group in groups] == [{0}, {1}, {2, 3}, {4, 5, 6, 7}]
    top = cut_places(groups, 6)
    assert len(top.advancing) == 6
    assert top.advancing[:2] == (0, 1)
    assert (top.below, top.upper_border) == (CutBorder("lot", groups[3]), CutBorder())
    assert top.groups_ordered_by_lot == (groups[2],)
    after = cut_places(groups, 8, first=7)
    assert top.advancing + after.advancing == top.order
    assert after.upper_border == top.below
    assert cut_places(groups, 4).below == CutBorder()
    assert rest_of_places(groups, top.advancing).advancing == after.advancing
    assert rest_of_places(groups, top.advancing).first == 7


def test_lot_of_places_falls_otherwise_with_another_seed_and_stays_when_somebody_leaves():
    orders = {place_groups(PLACES, seed) for seed in range(20)}
    assert len(orders) > 5
    whole = [entry for group in place_groups(PLACES, 7) for entry in group]
    without = [entry for group in place_groups(PLACES, 7, excluded={5}) for entry in group]
    assert without == [entry for entry in whole if entry != 5]


# 1 beats all; 2, 3 and 4 beat each other in a circle; 5 loses to all.
def won(a, b):
    return PairedMatch(EntryId(a), EntryId(b), 2, 0, True, 5, 0, 5)


ROUNDS = ([(1, 4), (2, 3)], [(1, 3), (4, 2)], [(1, 2), (3, 4)], [(1, 5)], [(2, 5)], [(3, 5)], [(4, 5)])
TABLE = Crosstable(range(1, 6), [SwissRound(tuple(won(*pair) for pair in pairs)) for pairs in ROUNDS], seed=3)


def test_cut_from_a_place_says_what_decided_at_both_borders():
    top, middle = cut_table(TABLE, ["points"], 2), cut_table(TABLE, ["points"], 4, first=3)
    assert top.advancing + middle.advancing == top.order[:4]
    assert middle.upper_border == top.below == CutBorder("lot", (2, 3, 4))
    assert middle.below == CutBorder()
    assert middle.groups_ordered_by_lot == ()


def test_rest_is_everybody_whom_nobody_else_takes_in_the_order_of_the_table():
    top = cut_table(TABLE, ["points"], 2, excluded={4})
    others = rest_of_table(TABLE, ["points"], top.advancing, excluded={4})
    assert (*top.advancing, *others.advancing) == top.order
    assert others.first == 3
    elsewhere = rest_of_table(TABLE, ["points"], {1, 5})
    assert set(elsewhere.advancing) == {2, 3, 4}
    assert elsewhere.groups_ordered_by_lot == ((2, 3, 4),)
    assert rest_of_table(TABLE, ["points"], range(1, 6)).advancing == ()


def test_dealt_takes_groups_of_different_sizes_rank_by_rank():
    assert interleave_tables([(1, 2, 3), (4, 5), (6, 7, 8)]) == (1, 4, 6, 5, 2, 7, 3, 8)
    assert interleave_tables([]) == ()


def double_of(count, **settings):
    lines = seeded_draw([EntryId(number) for number in range(1, count + 1)])
    return bracket_with_flights("double_elimination", (11,), BracketSettings(**settings), lines)


def test_losers_of_lower_rounds_are_those_who_are_out_and_were_beaten_at_the_board():
    bracket, feed = double_of(8), FeedSource(0, FeedPart.LOSERS, 1, 2, LOWER)
    numbers = feeding_matches(bracket, feed)
    assert numbers == tuple(n for rnd in bracket.section(LOWER)[:2] for n in rnd.matches)
    beaten = {number: (EntryId(100 + number), ResultKind.PLAYED) for number in numbers}
    beaten[numbers[1]] = (beaten[numbers[1]][0], ResultKind.WALKOVER)
    last = {entry: number for number, (entry, _kind) in beaten.items()}
    played = [100 + number for number in (numbers[0], *numbers[2:])]
    assert incoming_losers(bracket, feed, beaten, last) == tuple(played)
    also = FeedSource(0, FeedPart.LOSERS, 1, 2, LOWER, Admission.ALSO_WALKOVERS)
    assert incoming_losers(bracket, also, beaten, last) == tuple(100 + number for number in numbers)
    # A correction left the first one where they were: they play on.
    assert incoming_losers(bracket, feed, beaten, {**last, EntryId(100 + numbers[0]): 99}) == tuple(
        played[1:]
    )
    assert incoming_losers(bracket, FeedSource(0, FeedPart.LOSERS, 2, 2, LOWER), beaten, last) == tuple(
        played[1:]
    )


def test_losers_who_drop_into_another_section_do_not_go_on_to_another_stage():
    bracket = double_of(4)
    beaten = {match.number: (EntryId(100 + match.number), ResultKind.PLAYED) for match in bracket.matches}
    last = {entry: number for number, (entry, _kind) in beaten.items()}
    assert incoming_losers(bracket, FeedSource(0, FeedPart.LOSERS, 1, 9), beaten, last) == ()
    assert feeding_matches(bracket, FeedSource(0, FeedPart.LOSERS, 30, 31, LOWER)) == ()


def test_double_elimination_has_lengths_of_its_own_below_and_in_the_final():
    settings = BracketSettings(lower_lengths=(5, 7), final_length=13)
    bracket = double_of(8, lower_lengths=(5, 7), final_length=13)
    lengths = bracket_lengths("double_elimination", (9, 11), settings, bracket)
    by_section = {
        section: [lengths[rnd.number] for rnd in bracket.section(section)]
        for section in ("main", LOWER, GRAND_FINAL)
    }
    assert by_section == {"main": [9, 9, 11], LOWER: [5, 5, 5, 7], GRAND_FINAL: [13, 13]}
    plain = bracket_lengths("double_elimination", (9, 11), BracketSettings(), bracket)
    assert [plain[rnd.number] for rnd in bracket.section(LOWER)] == [9, 9, 9, 11]


@pytest.mark.parametrize(
    ("system", "settings", "expected"),
    [
        ("double_elimination", {"lower_lengths": (0,)}, [("length.too_short", "lower_lengths")]),
        ("double_elimination", {"final_length": 100}, [("length.too_long", "final_length")]),
        ("single_elimination", {"final_length": 9}, [("double.lengths_alone", "final_length")]),
        ("double_elimination", {"lower_lengths": (5, 7), "final_length": 13}, []),
    ],
)
def test_lengths_of_sections_are_checked_each_at_its_field(system, settings, expected):
    assert [
        (f.code, f.field) for f in check_bracket_settings(system, BracketSettings(**settings))
    ] == expected
