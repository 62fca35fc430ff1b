"""Drops into the lower bracket keep players apart who have met: measured, at every size from 8 to 256."""

import pytest

from tournaments.engine.brackets.consolation import add_first_match_consolation, add_progressive_consolation
from tournaments.engine.brackets.double import LOWER, double_elimination
from tournaments.engine.brackets.progression import advance
from tournaments.engine.brackets.seeding import blind_draw
from tournaments.engine.brackets.structure import SourceKind, single_elimination
from tournaments.engine.chance import Chance
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import EntryId, Outcome, Side


def lines(count, seed):
    return blind_draw([EntryId(n) for n in range(1, count + 1)], seed)


def rematches(bracket, seed, sections):
    """Plays by coin-flip in the order of the numbers; gives the rounds (by position in their section) of rematches."""
    chance, met, slots, again = Chance(seed, "coin"), set(), {}, []
    rounds = {
        rnd.number: (section, place)
        for section in sections
        for place, rnd in enumerate(bracket.section(section))
    }
    for match in bracket.matches:
        a, b = (s.entry if s.match is None else slots[s.match, s.kind] for s in (match.a, match.b))
        section, place = rounds.get(match.round, (None, 0))
        if a and b:
            if frozenset((a, b)) in met and section is not None:
                again.append(place)
            met.add(frozenset((a, b)))
            if chance.below(2):
                a, b = b, a
        elif b:
            a, b = b, a
        slots[match.number, SourceKind.WINNER_OF], slots[match.number, SourceKind.LOSER_OF] = a, b
    return again


@pytest.mark.parametrize(
    ("count", "events"), [(8, 150), (16, 120), (24, 80), (32, 60), (64, 30), (128, 15), (256, 8)]
)
def test_a_double_elimination_has_about_one_rematch_before_its_final(count, events):
    played = [rematches(double_elimination(lines(count, seed)), seed, [LOWER]) for seed in range(events)]
    assert sum(map(len, played)) / events < 1.3
    # nobody meets again in the first two drops from 16 entries on: the first lower rounds are 0, 1 (drop), 2, 3 (drop)
    if count >= 16:
        assert not any(place < 2 for again in played for place in again)


def test_in_a_small_draw_drops_never_meet_those_they_had_just_beaten():
    for seed in range(40):
        assert all(
            place > 1
            for place in rematches(
                add_progressive_consolation(single_elimination(lines(8, seed)), 2), seed, ["consolation"]
            )
        )


@pytest.mark.parametrize("count", [5, 8, 13, 32, 100])
def test_a_consolation_of_first_match_losers_has_no_rematch_at_all(count):
    for seed in range(20):
        bracket = add_first_match_consolation(single_elimination(lines(count, seed)))
        assert rematches_of_the_admitted(bracket, seed) == []


def rematches_of_the_admitted(bracket, seed):
    """Played through the engine, which leaves out who has won before."""
    chance, results, met, again = Chance(seed, "coin"), {}, set(), []
    while ready := [m for m in advance(bracket, results).matches.values() if m.status is MatchStatus.READY]:
        for match in ready:
            pair = frozenset((match.a.entry, match.b.entry))
            if pair in met:
                again.append(match.number)
            met.add(pair)
            results[match.number] = Outcome((Side.A, Side.B)[chance.below(2)])
    return again
