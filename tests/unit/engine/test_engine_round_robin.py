"""Schedules in which everybody meets everybody, and groups before a knock-out."""

import itertools

import pytest

from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.errors import BadInput
from tournaments.engine.pairing.round_robin import berger_table, qualifiers, round_robin, serpentine_groups
from tournaments.engine.types import EntryId


def entries(count):
    return [EntryId(n) for n in range(101, 101 + count)]


def test_every_size_to_forty_meets_once_and_nobody_twice_in_a_round():
    for count in range(2, 41):
        schedule = round_robin(entries(count))
        assert len(schedule) == count - 1 + count % 2
        met = [frozenset(pair) for rnd in schedule for pair in rnd.pairs]
        assert sorted(map(sorted, met)) == [list(p) for p in itertools.combinations(entries(count), 2)]
        for rnd in schedule:
            seats = [e for pair in rnd.pairs for e in pair] + (list(rnd.rests))
            assert sorted(seats) == entries(count)
            assert (not rnd.rests) is (count % 2 == 0)


def test_an_odd_field_rests_once_each():
    for count in range(3, 20, 2):
        assert sorted(rnd.rests[0] for rnd in round_robin(entries(count))) == entries(count)


def test_a_double_round_robin_repeats_with_the_sides_changed():
    once, twice = round_robin(entries(6)), round_robin(entries(6), double=True)
    assert [rnd.pairs for rnd in twice[:5]] == [rnd.pairs for rnd in once]
    assert [rnd.pairs for rnd in twice[5:]] == [tuple((b, a) for a, b in rnd.pairs) for rnd in once]
    assert [rnd.number for rnd in twice] == list(range(1, 11))


def test_sides_are_shared_as_evenly_as_can_be():
    for count in range(2, 31, 2):
        first = [a for rnd in berger_table(count) for a, _b in rnd]
        assert all(abs(2 * first.count(n) - (count - 1)) == 1 for n in range(1, count + 1))


def test_serpentine_deals_groups_of_equal_strength():
    assert serpentine_groups(entries(9), 3) == ((101, 106, 107), (102, 105, 108), (103, 104, 109))
    sizes = {len(group) for group in serpentine_groups(entries(14), 4)}
    assert sizes == {3, 4}


@pytest.mark.parametrize("groups", [2, 4, 8, 16])
def test_two_from_each_group_can_only_meet_again_in_the_final(groups):
    tables = [(EntryId(10 * g), EntryId(10 * g + 1), EntryId(10 * g + 2)) for g in range(1, groups + 1)]
    going_on = qualifiers(tables, 2)
    assert sorted(going_on) == sorted(entry for table in tables for entry in table[:2])
    lines = seeded_draw(going_on)
    half = set(lines[: len(lines) // 2])
    assert all((first in half) is not (second in half) for first, second, _third in tables)


def test_qualified_of_an_odd_number_of_groups_takes_each_once():
    tables = [(1, 2), (3, 4), (5, 6)]
    assert qualifiers(tables, 1) == (1, 3, 5)
    assert qualifiers(tables, 2) == (1, 3, 5, 4, 2, 6)


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (lambda: berger_table(5), "round_robin.places_not_even"),
        (lambda: berger_table(0), "round_robin.places_not_even"),
        (lambda: round_robin(entries(1)), "draw.too_few_entries"),
        (lambda: round_robin([1, 2, 1]), "draw.entry_twice"),
        (lambda: serpentine_groups(entries(5), 3), "groups.too_few_entries"),
        (lambda: serpentine_groups(entries(5), 0), "groups.too_few_entries"),
        (lambda: qualifiers([(1, 2), (3,)], 2), "groups.too_few_qualify"),
        (lambda: qualifiers([(1, 2)], 0), "groups.too_few_qualify"),
    ],
)
def test_what_makes_no_schedule_is_refused(ask, code):
    with pytest.raises(BadInput) as refused:
        ask()
    assert refused.value.code == code
