"""Consolations and double elimination, by hand."""

import pytest

from tournaments.engine.brackets.consolation import (
    CONSOLATION,
    LAST_CHANCE,
    PLAYED_OR_WALKOVER,
    add_first_match_consolation,
    add_last_chance,
    add_progressive_consolation,
)
from tournaments.engine.brackets.double import DOUBLE_ELIMINATION_SECTIONS, double_elimination
from tournaments.engine.brackets.progression import SlotState, advance, opening_state, result_effects
from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.brackets.structure import playable_matches, single_elimination
from tournaments.engine.errors import BadInput
from tournaments.engine.standings.ranking import elimination_places
from tournaments.engine.types import EntryId, Outcome, ResultKind, Side

A, B = Side.A, Side.B
A_WINS, B_WINS = Outcome(A), Outcome(B)
WALKOVER_A = Outcome(A, ResultKind.WALKOVER)
AWAY = Outcome(None, ResultKind.DOUBLE_WALKOVER)


def lines(count):
    return seeded_draw([EntryId(n) for n in range(1, count + 1)])


def drawn(count):
    return single_elimination(lines(count))


def names(state, numbers):
    """Who stands in these matches; None is open, "-" means that nobody comes."""
    return [
        tuple(slot.entry or ("-" if slot.state is SlotState.VACANT else None) for slot in (m.a, m.b))
        for m in (state.matches[n] for n in numbers)
    ]


def places(bracket, results, sections):
    ranking = elimination_places(bracket, results, sections)
    return {entry: (place.first, place.last) for entry, place in ranking.items()}


# Eight entries: 1-8, 5-4, 3-6, 7-2; matches 5 and 6 are the semi-finals, 7 the final.


def test_first_match_losers_of_eight_get_a_consolation_of_four():
    bracket = add_first_match_consolation(drawn(8))
    assert [(r.section, r.code) for r in bracket.rounds[3:]] == [
        (CONSOLATION, "semifinal"),
        (CONSOLATION, "final"),
    ]
    state = advance(bracket, {1: A_WINS, 2: B_WINS, 3: A_WINS, 4: B_WINS})
    assert names(state, (8, 9, 10)) == [(8, 5), (6, 7), (None, None)]
    state = advance(bracket, {1: A_WINS, 2: B_WINS, 3: A_WINS, 4: B_WINS, 5: A_WINS})
    assert names(state, (8, 9)) == [(8, 5), (6, 7)]  # who has won once does not come


def test_f17_first_match_losers_with_byes_take_in_who_loses_after_a_bye():
    bracket = add_first_match_consolation(drawn(6))  # 1 and 2 have byes; match 5 is 1 v winner of 5-4
    results = {2: B_WINS, 3: A_WINS}
    assert names(advance(bracket, results), (8, 9)) == [(None, 5), (6, None)]
    lost_first = advance(bracket, results | {5: B_WINS, 6: B_WINS})
    assert names(lost_first, (8, 9)) == [(1, 5), (6, "-")]  # 1 lost the first match played; 3 had won one
    assert lost_first.matches[9].outcome == Outcome(A, ResultKind.BYE)


def test_first_match_losers_of_three_leaves_the_one_who_loses_alone():
    bracket = add_first_match_consolation(drawn(3))
    state = advance(bracket, {2: A_WINS, 3: B_WINS})
    assert names(state, (4,)) == [(1, 2)]
    assert names(advance(bracket, {2: A_WINS, 3: A_WINS}), (4,)) == [("-", 2)]


def test_who_did_not_come_is_not_admitted_unless_the_director_says_so():
    strict = advance(add_first_match_consolation(drawn(4)), {1: WALKOVER_A, 2: A_WINS})
    assert names(strict, (4,)) == [("-", 2)]
    kind = advance(
        add_first_match_consolation(drawn(4), admitted_kinds=PLAYED_OR_WALKOVER), {1: WALKOVER_A, 2: A_WINS}
    )
    assert names(kind, (4,)) == [(4, 2)]
    nobody = advance(add_first_match_consolation(drawn(4)), {1: AWAY, 2: WALKOVER_A})
    assert names(nobody, (4,)) == [("-", "-")]
    assert nobody.finished


def test_a_consolation_has_places_of_its_own():
    bracket = add_first_match_consolation(drawn(8))
    results = {
        1: A_WINS,
        2: B_WINS,
        3: A_WINS,
        4: B_WINS,
        5: A_WINS,
        6: B_WINS,
        7: A_WINS,
        8: A_WINS,
        9: A_WINS,
    }
    assert places(bracket, results, [CONSOLATION]) == {6: (1, 2), 8: (1, 2), 5: (3, 4), 7: (3, 4)}
    assert places(bracket, results | {10: B_WINS}, [CONSOLATION]) == {
        6: (1, 1),
        8: (2, 2),
        5: (3, 4),
        7: (3, 4),
    }
    assert places(bracket, results, ["main"])[8] == (5, 8)


def test_progressive_consolation_of_eight_takes_in_round_by_round():
    bracket = add_progressive_consolation(drawn(8), last_round=2)
    assert [(r.code, len(r.matches)) for r in bracket.section(CONSOLATION)] == [
        ("round_1", 2),
        ("round_2", 2),
        ("final", 1),
    ]
    results = {1: A_WINS, 2: B_WINS, 3: A_WINS, 4: B_WINS, 5: A_WINS, 6: B_WINS, 8: A_WINS, 9: B_WINS}
    state = advance(bracket, results)
    assert names(state, (8, 9)) == [(8, 5), (6, 7)]
    assert names(state, (10, 11)) == [(8, 3), (7, 4)]  # the losers of the semi-finals cross over
    assert bracket.match(7).loser_to is None


def test_progressive_consolation_fed_by_the_first_round_only_is_a_plain_one():
    bracket = add_progressive_consolation(drawn(8), last_round=1)
    assert [r.code for r in bracket.section(CONSOLATION)] == ["round_1", "final"]


def test_last_chance_takes_the_losers_of_the_consolation():
    bracket = add_last_chance(add_first_match_consolation(drawn(16)), rounds=2)
    assert [(r.code, len(r.matches)) for r in bracket.section(LAST_CHANCE)] == [
        ("quarterfinal", 4),
        ("semifinal", 2),
        ("final", 1),
    ]
    results = dict.fromkeys(range(1, 16), A_WINS) | dict.fromkeys(range(16, 23), A_WINS)
    state = advance(bracket, results)
    coming = [n for pair in names(state, bracket.section(LAST_CHANCE)[0].matches) for n in pair]
    beaten_there = [
        state.matches[n].loser().entry for r in bracket.section(CONSOLATION)[:2] for n in r.matches
    ]
    assert sorted(n for n in coming if n != "-") == sorted(beaten_there)


@pytest.mark.parametrize("count", [16, 24, 64])
def test_last_chance_puts_who_was_beaten_in_another_part_than_who_beat_them(count):
    """Never in the same quarter, and three of four in the other half."""
    bracket = add_last_chance(add_first_match_consolation(drawn(count)), rounds=2)
    first = bracket.section(LAST_CHANCE)[0]
    lines = [source.match for n in first.matches for source in (bracket.match(n).a, bracket.match(n).b)]
    meet = [
        (lines.index(later) ^ lines.index(source.match)).bit_length()
        for later in bracket.section(CONSOLATION)[1].matches
        for source in (bracket.match(later).a, bracket.match(later).b)
        if source.match in lines
    ]
    final = len(lines).bit_length() - 1
    assert min(meet) >= final - 1
    assert meet.count(final) * 4 >= len(meet) * 3


@pytest.mark.parametrize("count", range(8, 129))
def test_last_chance_is_played_whatever_the_number_of_entries(count):
    for consolation in (
        add_progressive_consolation(drawn(count), 2),
        add_first_match_consolation(drawn(count)),
    ):
        bracket = add_last_chance(consolation)
        played = playable_matches(bracket)
        assert any(number in played for rnd in bracket.section(LAST_CHANCE) for number in rnd.matches)


@pytest.mark.parametrize(("count", "rounds"), [(24, 2), (26, 2), (28, 1), (32, 1), (19, 3)])
def test_last_chance_takes_the_losers_through_the_first_consolation_round_that_is_mostly_played(
    count, rounds
):
    bracket = add_last_chance(add_progressive_consolation(drawn(count), 2))
    for place, rnd in enumerate(bracket.section(CONSOLATION)):
        leads = {bracket.match(number).loser_to is not None for number in rnd.matches}
        assert leads == {place < rounds}


def test_last_chance_waits_for_nobody_who_has_a_bye_in_the_consolation():
    """Of 10 the losers of 9-16 have byes below: who loses 17 to 20 is through before those are played."""
    bracket = add_last_chance(add_progressive_consolation(drawn(10), 2))
    first = bracket.section(LAST_CHANCE)[0]
    opened = advance(bracket, {})
    assert all(
        SlotState.VACANT in (opened.matches[n].a.state, opened.matches[n].b.state) for n in first.matches
    )
    results = {}
    while ready := [n for n, m in advance(bracket, results).matches.items() if m.status == "ready"]:
        step = result_effects(advance(bracket, results).matches, ready[0], A_WINS)
        results[ready[0]] = A_WINS
        after = advance(bracket, results).matches
        assert {s.match for s in step.settled} <= {n for n, m in after.items() if m.settled}
    assert advance(bracket, results).finished


def test_playable_are_the_matches_that_are_played_when_nobody_stays_away():
    for count in (5, 9, 13, 19, 24):
        bracket = add_last_chance(add_progressive_consolation(drawn(count), 2))
        results = {}
        while ready := [n for n, m in advance(bracket, results).matches.items() if m.status == "ready"]:
            results |= dict.fromkeys(ready, A_WINS)
        assert playable_matches(bracket) == set(results)


@pytest.mark.parametrize(
    ("build", "code"),
    [
        (lambda: add_first_match_consolation(drawn(2)), "consolation.too_few_entries"),
        (lambda: add_progressive_consolation(drawn(2), 1), "consolation.too_few_entries"),
        (lambda: add_progressive_consolation(drawn(8), 4), "consolation.no_such_round"),
        (lambda: add_last_chance(drawn(8)), "consolation.no_such_round"),
        (lambda: add_last_chance(add_first_match_consolation(drawn(4))), "consolation.too_few_entries"),
        (
            lambda: add_first_match_consolation(add_first_match_consolation(drawn(8))),
            "bracket.losers_go_elsewhere",
        ),
        (lambda: double_elimination(lines(2)), "draw.too_few_entries"),
    ],
)
def test_what_cannot_be_built_is_refused(build, code):
    with pytest.raises(BadInput) as refused:
        build()
    assert refused.value.code == code


# Double elimination of four: 1-4, 3-2; 3 the main final; lower 4, 5; final 6, again 7.


def test_double_elimination_of_four_when_the_main_winner_wins_the_final_then_it_is_over():
    bracket = double_elimination(lines(4))
    assert [r.code for r in bracket.rounds] == [
        "semifinal", "upper_final", "round_1", "lower_final", "grand_final", "recharge",
    ]  # fmt: skip
    results = {1: A_WINS, 2: B_WINS, 3: A_WINS, 4: A_WINS, 5: B_WINS, 6: A_WINS}
    state = advance(bracket, results)
    assert names(state, (4, 5, 6, 7)) == [(4, 3), (4, 2), (1, 2), ("-", 1)]
    assert state.finished
    assert places(bracket, results, DOUBLE_ELIMINATION_SECTIONS) == {
        1: (1, 1),
        2: (2, 2),
        4: (3, 3),
        3: (4, 4),
    }


def test_double_elimination_when_the_main_winner_loses_the_final_then_it_is_played_again():
    bracket = double_elimination(lines(4))
    results = {1: A_WINS, 2: B_WINS, 3: A_WINS, 4: A_WINS, 5: B_WINS, 6: B_WINS}
    state = advance(bracket, results)
    assert names(state, (7,)) == [(1, 2)]
    assert not state.finished
    assert places(bracket, results, DOUBLE_ELIMINATION_SECTIONS)[1] == (1, 2)
    won = results | {7: A_WINS}
    assert places(bracket, won, DOUBLE_ELIMINATION_SECTIONS) == {1: (1, 1), 2: (2, 2), 4: (3, 3), 3: (4, 4)}
    step = result_effects(advance(bracket, {n: o for n, o in results.items() if n != 6}).matches, 6, B_WINS)
    assert step.ready == (7,)


def test_double_elimination_without_recharge_ends_with_one_final():
    bracket = double_elimination(lines(4), recharge=False)
    results = {1: A_WINS, 2: B_WINS, 3: A_WINS, 4: A_WINS, 5: B_WINS, 6: B_WINS}
    assert advance(bracket, results).finished
    assert places(bracket, results, DOUBLE_ELIMINATION_SECTIONS)[2] == (1, 1)


def test_double_elimination_while_running_says_what_is_safe():
    bracket = double_elimination(lines(8))
    ranking = places(bracket, {1: A_WINS}, DOUBLE_ELIMINATION_SECTIONS)
    assert ranking[1] == (1, 6)  # through to round 2: losing it leaves the second lower round
    assert ranking[8] == (1, 8)
    assert ranking[5] == (1, 8)


def test_opening_of_a_double_elimination_resolves_byes_in_both_brackets():
    state = opening_state(double_elimination(lines(5)))
    assert names(state, (8, 9)) == [("-", None), ("-", "-")]
