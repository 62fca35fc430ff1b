"""Draws with clubs apart: by hand, and against what is possible at best."""

import pytest

from tournaments.engine.brackets.avoidance import blind_draw_separated, seeded_draw_separated
from tournaments.engine.brackets.seeding import bye_count, seeded_draw, standard_lines
from tournaments.engine.chance import Chance
from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId


def entries(count):
    return [EntryId(n) for n in range(1, count + 1)]


def clubs(count, number, seed):
    """Clubs of very different sizes; one entry in five has none."""
    chance = Chance(seed, "clubs")
    return {
        e: f"club {min(chance.below(number), chance.below(number))}"
        for e in entries(count)
        if chance.below(5)
    }


def crowding(lines, club):
    """For each round from the last backwards: the most of one club in one part of the draw."""
    members = {}
    for line, entry in enumerate(lines):
        if entry in club:
            members.setdefault(club[entry], []).append(line)
    return members


def test_a_seeded_draw_without_clashes_is_the_standard_one():
    for count in range(2, 70):
        assert seeded_draw_separated(entries(count), [{}]) == seeded_draw(entries(count))
        assert seeded_draw_separated(entries(count), []) == seeded_draw(entries(count))


def test_a_seeded_draw_changes_places_inside_a_band_only():
    # standard: 1-8, 5-4, 3-6, 7-2; 8 is of the first seed's club and changes with somebody of 5-8
    lines = seeded_draw_separated(entries(8), [{1: "Bern", 8: "Bern"}])
    assert [line for line, entry in enumerate(lines) if entry in (1, 8)] != [0, 1]
    assert (lines[0], lines[-1]) == (1, 2)
    assert {lines[2], lines[3]} & {3, 4}
    half = set(lines[:4])
    assert (1 in half) is not (8 in half)


def test_bands_and_byes_are_kept_at_every_size():
    for count in range(2, 130):
        club = clubs(count, 6, count)
        lines = seeded_draw_separated(entries(count), [club])
        standard = standard_lines(len(lines))
        byes = bye_count(count)
        assert sorted(e for e in lines if e) == entries(count)
        for entry, seed in zip(lines, standard, strict=True):
            if entry is None:
                assert seed > count
            else:
                assert (entry - 1).bit_length() == (seed - 1).bit_length()
                assert (entry <= byes) is (seed <= byes)


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 16, 31, 47, 64, 100, 128, 300, 1000, 1024])
def test_in_a_blind_draw_no_part_holds_more_of_a_club_than_it_must(count):
    for seed in range(3 if count < 300 else 1):
        club = clubs(count, max(2, count // 8), seed)
        lines = blind_draw_separated(entries(count), [club], seed)
        assert sorted(e for e in lines if e) == entries(count)
        for members in crowding(lines, club).values():
            parts = 2
            while parts <= len(lines):
                size = len(lines) // parts
                most = max(sum(line // size == part for line in members) for part in range(parts))
                assert most <= -(-len(members) // parts)  # rounded up: as even as can be
                parts *= 2


def test_the_more_important_level_comes_first():
    family = {1: "Meier", 2: "Meier"}
    club = dict.fromkeys((1, 3), "Bern") | dict.fromkeys((2, 4), "Basel")
    for seed in range(20):
        lines = blind_draw_separated(entries(4), [family, club], seed)
        half = set(lines[:2])
        assert (1 in half) is not (2 in half)
        assert (1 in half) is not (3 in half)


def test_a_blind_draw_apart_replays_and_leaves_the_rest_to_chance():
    club = dict.fromkeys((1, 2, 3), "Bern")
    draws = [blind_draw_separated(entries(8), [club], seed) for seed in range(200)]
    assert draws[7] == blind_draw_separated(entries(8)[::-1], [club], 7)
    for entry in entries(8):
        lines = [draw.index(entry) for draw in draws]
        assert all(10 < lines.count(line) < 45 for line in range(8))  # 25 expected


def test_an_entry_twice_is_refused():
    for ask in (
        lambda: seeded_draw_separated([1, 1], []),
        lambda: blind_draw_separated([1, 1], [], 1),
    ):
        with pytest.raises(BadInput) as refused:
            ask()
        assert refused.value.code == "draw.entry_twice"
