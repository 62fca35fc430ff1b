"""Events as their rounds alone, by chance: Swiss and round robins with everything that tie-breaks stumble over.

Byes, rounds asked off for half a point, for nothing, or for a point, late entries, withdrawals, walk-overs of one and of both,
matches left unfinished. Pairs of a Swiss are drawn at random: tie-breaks do not ask how they came about.
"""

from dataclasses import dataclass
from random import Random

from tournaments.engine.pairing.history import (
    FULL_POINT,
    HALF_POINT,
    ZERO_POINTS,
    PairedMatch,
    RestingEntry,
    SwissRound,
)
from tournaments.engine.pairing.round_robin import round_robin
from tournaments.engine.types import EntryId


@dataclass(frozen=True)
class PlayedEvent:
    """``fixed``: a round robin; ``legs``: how often each pair of it meets. ``ratings``: of everybody."""

    entries: tuple[EntryId, ...]
    rounds: tuple[SwissRound, ...]
    fixed: bool
    legs: int
    ratings: dict[EntryId, float]

    @property
    def most(self) -> int:
        """How many points one entry can have."""
        return (len(self.entries) - 1) * self.legs if self.fixed else len(self.rounds)


def random_event(seed: int) -> PlayedEvent:
    """The event of this seed, always the same."""
    chance = Random(seed)
    fixed = seed % 3 == 0
    entries = tuple(
        EntryId(10 + number) for number in range(chance.randint(3, 8) if fixed else chance.randint(4, 17))
    )
    legs = 2 if fixed and chance.random() < 0.25 else 1
    rounds = _robin(chance, entries, legs) if fixed else _swiss(chance, entries)
    ratings = {entry: float(chance.randint(1200, 2200)) for entry in entries}
    return PlayedEvent(entries, tuple(rounds), fixed, legs, ratings)


def _robin(chance: Random, entries: tuple[EntryId, ...], legs: int) -> list[SwissRound]:
    rounds = [rnd for _leg in range(legs) for rnd in round_robin(list(entries))]
    return [SwissRound(tuple(_meeting(chance, a, b) for a, b in rnd.pairs)) for rnd in rounds]


def _swiss(chance: Random, entries: tuple[EntryId, ...]) -> list[SwissRound]:
    count, rounds = chance.randint(2, 9), []
    comes = {entry: chance.randint(1, count) if chance.random() < 0.1 else 0 for entry in entries}
    leaves = {entry: chance.randint(1, count) if chance.random() < 0.12 else count for entry in entries}
    late = chance.choice((ZERO_POINTS, ZERO_POINTS, HALF_POINT, FULL_POINT))
    bye = chance.choice((FULL_POINT, FULL_POINT, FULL_POINT, HALF_POINT))
    for number in range(count):
        rests, there = [], []
        for entry in entries:
            if number < comes[entry]:
                rests.append(RestingEntry(entry, late))
            elif number >= leaves[entry]:
                rests.append(RestingEntry(entry, ZERO_POINTS))
            elif chance.random() < 0.06:
                rests.append(
                    RestingEntry(entry, chance.choice((ZERO_POINTS, HALF_POINT, HALF_POINT, FULL_POINT)))
                )
            else:
                there.append(entry)
        chance.shuffle(there)
        if len(there) % 2:
            rests.append(RestingEntry(there.pop(), bye, is_allotted=True))
        pairs = zip(there[::2], there[1::2], strict=True)
        rounds.append(SwissRound(tuple(_meeting(chance, a, b) for a, b in pairs), tuple(rests)))
    return rounds


def _meeting(chance: Random, a: EntryId, b: EntryId) -> PairedMatch:
    length, lot = chance.choice((3, 5, 7)), chance.random()
    if lot < 0.06:
        return PairedMatch(a, b, FULL_POINT, ZERO_POINTS, False, length, 0, length)
    if lot < 0.09:
        return PairedMatch(a, b, ZERO_POINTS, ZERO_POINTS, False, 0, 0, length)
    if lot < 0.14:
        return PairedMatch(
            a, b, HALF_POINT, HALF_POINT, True, chance.randrange(length), chance.randrange(length), length
        )
    loser = chance.randrange(length)
    return (
        PairedMatch(a, b, FULL_POINT, ZERO_POINTS, True, length, loser, length)
        if lot < 0.6
        else PairedMatch(a, b, ZERO_POINTS, FULL_POINT, True, loser, length, length)
    )
