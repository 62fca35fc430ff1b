"""Every draw from 2 to 1,024 entries, one by one."""

import pytest

from tournaments.engine.brackets.seeding import (
    MAX_ENTRIES,
    MIN_ENTRIES,
    blind_draw,
    bracket_size,
    bye_count,
    round_count,
    seeded_draw,
    standard_lines,
    with_held_lines,
)
from tournaments.engine.chance import Chance
from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId

ALL_COUNTS = range(MIN_ENTRIES, MAX_ENTRIES + 1)


def entries(count):
    return [EntryId(number) for number in range(1, count + 1)]


def pairs(lines):
    return list(zip(lines[::2], lines[1::2], strict=True))


def test_bracket_size_is_the_smallest_power_of_two_that_holds_all():
    for count in ALL_COUNTS:
        size = bracket_size(count)
        assert size & (size - 1) == 0
        assert size // 2 < count <= size
        assert bye_count(count) == size - count


def test_rounds_when_lines_are_held_open_are_those_of_the_draw_that_is_made():
    for count in (2, 3, 5, 8, 12, 16):
        for wanted in range(36):
            lines = with_held_lines(seeded_draw(entries(count)), wanted)
            assert 2 ** round_count(count, wanted) == len(lines), (count, wanted)


@pytest.mark.parametrize(
    ("count", "code"),
    [(0, "draw.too_few_entries"), (1, "draw.too_few_entries"), (1025, "draw.too_many_entries")],
)
def test_bracket_size_when_nobody_could_play_or_nobody_could_look_on_then_refuses(count, code):
    with pytest.raises(BadInput) as refused:
        bracket_size(count)
    assert refused.value.code == code
    assert refused.value.params["count"] == count


def test_standard_lines_of_eight_and_sixteen_stand_as_on_paper():
    assert standard_lines(2) == (1, 2)
    assert standard_lines(4) == (1, 4, 3, 2)
    assert standard_lines(8) == (1, 8, 5, 4, 3, 6, 7, 2)
    assert standard_lines(16) == (1, 16, 9, 8, 5, 12, 13, 4, 3, 14, 11, 6, 7, 10, 15, 2)


@pytest.mark.parametrize("size", [0, 1, 3, 6, 100])
def test_standard_lines_refuses_what_is_no_power_of_two(size):
    with pytest.raises(BadInput):
        standard_lines(size)


@pytest.mark.parametrize("size", [2**n for n in range(1, 11)])
def test_standard_lines_when_the_better_seed_always_wins_then_every_round_is_standard(size):
    seeds = list(standard_lines(size))
    assert sorted(seeds) == list(range(1, size + 1))
    assert (seeds[0], seeds[-1]) == (1, 2)
    while len(seeds) > 1:
        assert all(a + b == len(seeds) + 1 for a, b in pairs(seeds))  # so 1 and 2 meet in the final only
        seeds = [min(pair) for pair in pairs(seeds)]
    assert seeds == [1]


def test_seeded_draw_of_every_size_gives_byes_to_the_top_seeds_and_never_two_in_one_match():
    for count in ALL_COUNTS:
        lines = seeded_draw(entries(count))
        assert sorted(entry for entry in lines if entry) == entries(count)
        byes = {a or b for a, b in pairs(lines) if a is None or b is None}
        assert byes == set(
            range(1, bye_count(count) + 1)
        )  # each bye has exactly one entry opposite, a top seed
        assert lines.count(None) == len(byes)


def test_seeded_draw_of_every_size_keeps_the_first_two_in_different_halves():
    for count in ALL_COUNTS:
        lines = seeded_draw(entries(count))
        half = len(lines) // 2
        assert 1 in lines[:half]
        assert 2 in lines[half:]


def test_seeded_draw_when_an_entry_stands_twice_then_refuses():
    with pytest.raises(BadInput) as refused:
        seeded_draw([EntryId(1), EntryId(2), EntryId(1)])
    assert refused.value.code == "draw.entry_twice"


def test_blind_draw_of_every_size_places_all_once_and_never_lets_two_byes_meet():
    for count in ALL_COUNTS:
        lines = blind_draw(entries(count), seed=count)
        assert sorted(entry for entry in lines if entry) == entries(count)
        assert (None, None) not in pairs(lines)
        assert len(lines) == bracket_size(count)


def test_blind_draw_replays_from_its_seed_whatever_order_the_entries_come_in():
    for count in (2, 3, 7, 12, 100, 1024):
        first = blind_draw(entries(count), seed=42)
        assert blind_draw(entries(count)[::-1], seed=42) == first
        assert count == 2 or blind_draw(entries(count), seed=43) != first


def test_blind_draw_leaves_every_line_and_every_bye_to_chance():
    draws = [blind_draw(entries(6), seed) for seed in range(300)]
    for entry in entries(6):
        assert {draw.index(entry) for draw in draws} == {0, 2, 3, 4, 5, 7}
        with_bye = sum(entry in (draw[0], draw[-1]) for draw in draws)
        assert 60 < with_bye < 140  # a third of 300, give or take five standard deviations


def test_chance_is_even_enough_and_streams_of_one_seed_are_apart():
    throws = Chance(1, "dice")
    counts = [0] * 6
    for _ in range(6000):
        counts[throws.below(6)] += 1
    assert all(850 < count < 1150 for count in counts)
    assert [Chance(1, "a").below(1000) for _ in range(3)] != [Chance(1, "b").below(1000) for _ in range(3)]
    assert Chance(1, "a").shuffled([]) == []
