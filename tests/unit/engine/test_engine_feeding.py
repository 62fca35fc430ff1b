"""Who comes into a stage from an earlier one: what can be set, who of a table or of a bracket it means."""

import pytest

from tournaments.engine.brackets.double import GRAND_FINAL, LOWER
from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.pairing.history import Meeting, SwissRound
from tournaments.engine.pairing.round_robin import dealt
from tournaments.engine.stages.elimination import (
    BracketSettings,
    check_family,
    family_bracket,
    family_lengths,
)
from tournaments.engine.stages.feeding import (
    Admission,
    Feeding,
    Taken,
    check_feeding,
    feeding_rounds,
    losers_in,
)
from tournaments.engine.stages.plan import DivisionPlan, Feed, StagePlan, System, check_plan
from tournaments.engine.standings.qualifying import Border, cut, rest
from tournaments.engine.standings.table import Book
from tournaments.engine.types import EntryId, ResultKind

SWISS = StagePlan("swiss", System.SWISS, (5,))
DOUBLE = StagePlan("double", System.DOUBLE_ELIMINATION, (5,))
SINGLE = StagePlan("single", System.SINGLE_ELIMINATION, (5,), flights=("consolation",))


def fed(key, *feed, system=System.SINGLE_ELIMINATION, **more):
    return StagePlan(key, system, (5,), feed=Feed(*feed, **more))


def losers(source, first, last, section=LOWER):
    return {"stage": source, "taken": Taken.LOSERS, "count": last, "first": first, "section": section}


def faults(*stages):
    return [(fault.code, fault.field, fault.place) for fault in check_plan(DivisionPlan(stages))]


def test_plans_with_places_the_rest_and_losers_can_be_played():
    assert not faults(
        SWISS,
        fed("main", "swiss", Taken.PLACES, 8),
        fed("plate", "swiss", Taken.PLACES, 16, first=9),
        fed("others", "swiss", Taken.REST, 0),
    )
    chances = [StagePlan("a", System.SWISS, (5,), feed=Feed(**losers("double", 1, 2)))]
    assert not faults(DOUBLE, *chances, fed("b", **losers("double", 3, 3)))
    assert not faults(SINGLE, fed("late losers", **losers("single", 3, 4, "main")))


@pytest.mark.parametrize(
    ("stages", "expected"),
    [
        ((SWISS, fed("b", "swiss", Taken.PLACES, 8, first=0)), ("plan.feed_from_nothing", "feed.first", "b")),
        ((SWISS, fed("b", "swiss", Taken.PLACES, 0)), ("plan.feed_of_nothing", "takes", "b")),
        ((SWISS, fed("b", "swiss", Taken.PLACES, 8, first=9)), ("plan.feed_turned", "takes", "b")),
        (
            (SWISS, fed("b", "swiss", Taken.REST, 0), fed("c", "swiss", Taken.REST, 0)),
            ("plan.rest_goes_elsewhere", "feed.taken", "c"),
        ),
        ((DOUBLE, fed("b", "double", Taken.REST, 0)), ("plan.feed_does_not_fit", "fed_by", "b")),
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


def test_check_feeding_of_the_rest_needs_no_numbers():
    assert check_feeding(Feeding(Taken.REST, first=0), 0) == ()


# 1 beats all; 2, 3 and 4 beat each other in a circle; 5 loses to all.
def won(a, b):
    return Meeting(EntryId(a), EntryId(b), 2, 0, True, 5, 0, 5)


ROUNDS = ([(1, 4), (2, 3)], [(1, 3), (4, 2)], [(1, 2), (3, 4)], [(1, 5)], [(2, 5)], [(3, 5)], [(4, 5)])
TABLE = Book(range(1, 6), [SwissRound(tuple(won(*pair) for pair in pairs)) for pairs in ROUNDS], seed=3)


def test_cut_from_a_place_says_what_decided_at_both_borders():
    top, middle = cut(TABLE, ["points"], 2), cut(TABLE, ["points"], 4, first=3)
    assert top.going_on + middle.going_on == top.order[:4]
    assert middle.above == top.below == Border("lot", (2, 3, 4))
    assert middle.below == Border()
    assert middle.drawn == ()


def test_rest_is_everybody_whom_nobody_else_takes_in_the_order_of_the_table():
    top = cut(TABLE, ["points"], 2, out={4})
    others = rest(TABLE, ["points"], top.going_on, out={4})
    assert (*top.going_on, *others.going_on) == top.order
    assert others.first == 3
    elsewhere = rest(TABLE, ["points"], {1, 5})
    assert set(elsewhere.going_on) == {2, 3, 4}
    assert elsewhere.drawn == ((2, 3, 4),)
    assert rest(TABLE, ["points"], range(1, 6)).going_on == ()


def test_dealt_takes_groups_of_different_sizes_rank_by_rank():
    assert dealt([(1, 2, 3), (4, 5), (6, 7, 8)]) == (1, 4, 6, 5, 2, 7, 3, 8)
    assert dealt([]) == ()


def double_of(count, **settings):
    lines = seeded_draw([EntryId(number) for number in range(1, count + 1)])
    return family_bracket("double_elimination", (11,), BracketSettings(**settings), lines)


def test_losers_of_lower_rounds_are_those_who_are_out_and_were_beaten_at_the_board():
    bracket, feed = double_of(8), Feeding(Taken.LOSERS, 1, LOWER)
    numbers = feeding_rounds(bracket, feed, 2)
    assert numbers == tuple(n for rnd in bracket.section(LOWER)[:2] for n in rnd.matches)
    beaten = {number: (EntryId(100 + number), ResultKind.PLAYED) for number in numbers}
    beaten[numbers[1]] = (beaten[numbers[1]][0], ResultKind.WALKOVER)
    last = {entry: number for number, (entry, _kind) in beaten.items()}
    played = [100 + number for number in (numbers[0], *numbers[2:])]
    assert losers_in(bracket, feed, 2, beaten, last) == tuple(played)
    also = Feeding(Taken.LOSERS, 1, LOWER, Admission.ALSO_WALKOVERS)
    assert losers_in(bracket, also, 2, beaten, last) == tuple(100 + number for number in numbers)
    # A correction left the first one where they were: they play on.
    assert losers_in(bracket, feed, 2, beaten, {**last, EntryId(100 + numbers[0]): 99}) == tuple(played[1:])
    assert losers_in(bracket, Feeding(Taken.LOSERS, 2, LOWER), 2, beaten, last) == tuple(played[1:])


def test_losers_who_drop_into_another_section_do_not_go_on_to_another_stage():
    bracket = double_of(4)
    beaten = {match.number: (EntryId(100 + match.number), ResultKind.PLAYED) for match in bracket.matches}
    last = {entry: number for number, (entry, _kind) in beaten.items()}
    assert losers_in(bracket, Feeding(Taken.LOSERS, 1, "main"), 9, beaten, last) == ()
    assert feeding_rounds(bracket, Feeding(Taken.LOSERS, 30, LOWER), 31) == ()


def test_double_elimination_has_lengths_of_its_own_below_and_in_the_final():
    settings = BracketSettings(lower_lengths=(5, 7), final_length=13)
    bracket = double_of(8, lower_lengths=(5, 7), final_length=13)
    lengths = family_lengths("double_elimination", (9, 11), settings, bracket)
    by_section = {
        section: [lengths[rnd.number] for rnd in bracket.section(section)]
        for section in ("main", LOWER, GRAND_FINAL)
    }
    assert by_section == {"main": [9, 9, 11], LOWER: [5, 5, 5, 7], GRAND_FINAL: [13, 13]}
    plain = family_lengths("double_elimination", (9, 11), BracketSettings(), bracket)
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
    assert [(f.code, f.field) for f in check_family(system, BracketSettings(**settings))] == expected
