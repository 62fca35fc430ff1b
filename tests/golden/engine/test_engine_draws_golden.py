"""Draws that must never change: a seed stored years ago has to give the same bracket for ever.

The shuffle is written out here a second time from the description in the docstring of `chance`; the draws are stored.
"""

import hashlib

from tournaments.engine.brackets.avoidance import blind_draw_separated, seeded_draw_separated
from tournaments.engine.brackets.seeding import blind_draw
from tournaments.engine.chance import Chance
from tournaments.engine.types import EntryId


def by_the_book(seed, purpose, count):
    """Fisher-Yates over SHA-256, written out a second time from the description alone."""
    numbers = []
    for block in range(count):
        digest = hashlib.sha256(f"crawford-chance-1|{purpose}|{seed}|{block}".encode()).hexdigest()
        numbers += [int(digest[i : i + 16], 16) for i in range(0, 64, 16)]
    places = list(range(1, count + 1))
    for i in reversed(range(1, count)):
        number = numbers.pop(0)
        while number >= 2**64 - 2**64 % (i + 1):
            number = numbers.pop(0)
        places[i], places[number % (i + 1)] = places[number % (i + 1)], places[i]
    return places


def test_chance_shuffles_as_described():
    for seed in (0, 1, 7, 2**63 - 1):
        assert Chance(seed, "blind draw").shuffled(range(1, 41)) == by_the_book(seed, "blind draw", 40)


def test_chance_leaves_out_numbers_that_would_favour_somebody():
    most = 2**63 + 1  # here nearly half of all numbers have to be left out
    numbers = [
        int.from_bytes(
            hashlib.sha256(f"crawford-chance-1|wide|3|{block}".encode()).digest()[i : i + 8], "big"
        )
        for block in range(10)
        for i in range(0, 32, 8)
    ]
    fair = [number for number in numbers if number < most]
    chance = Chance(3, "wide")
    assert [chance.below(most) for _ in range(10)] == fair[:10]
    assert fair[:10] != numbers[:10]


def test_stored_draws_replay():
    def draw(count, seed):
        return blind_draw([EntryId(n) for n in range(1, count + 1)], seed)

    assert draw(2, 1) == DRAWS[2, 1]
    assert draw(6, 7) == DRAWS[6, 7]
    assert draw(16, 20240229) == DRAWS[16, 20240229]


def drawn_apart(draw):
    """One number for draws of every size with three clubs and four countries."""
    told = []
    for count in range(2, 41):
        club = {EntryId(n): f"club {n % 3}" for n in range(1, count + 1) if n % 5}
        country = {EntryId(n): f"country {n * n % 7 % 4}" for n in range(1, count + 1)}
        told.append(draw([EntryId(n) for n in range(1, count + 1)], [club, country]))
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def test_stored_draws_apart_replay():
    clubs = [{1: "Bern", 2: "Bern", 3: "Bern", 4: "Jena"}]
    six = [EntryId(n) for n in range(1, 7)]
    assert seeded_draw_separated(six, clubs) == SEEDED_APART
    assert blind_draw_separated(six, clubs, seed=7) == BLIND_APART
    assert drawn_apart(seeded_draw_separated) == ALL_SEEDED_APART
    assert (
        drawn_apart(lambda entries, apart: blind_draw_separated(entries, apart, seed=20240229))
        == ALL_BLIND_APART
    )


SEEDED_APART = (1, None, 5, 4, 3, 6, None, 2)
BLIND_APART = (6, None, 5, 1, 2, 4, None, 3)
ALL_SEEDED_APART = "fbcb70fad3165675"
ALL_BLIND_APART = "c700c65b1f9fb566"
DRAWS = {
    (2, 1): (2, 1),
    (6, 7): (5, None, 2, 3, 6, 1, None, 4),
    (16, 20240229): (7, 2, 5, 13, 9, 6, 12, 3, 16, 4, 15, 10, 8, 1, 11, 14),
}
