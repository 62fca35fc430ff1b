"""Matches and sessions: F1, F2, F10 to F12, R34."""

import random

import pytest

from games.rules import game as g
from games.rules.errors import RuleError
from games.rules.formats import MatchFormat
from games.rules.game import Phase
from games.rules.match import MatchEnd, award_points, conclude, next_game, start_match, with_game
from games.rules.plays import legal_plays
from games.rules.scoring import WinKind
from games.rules.sides import Side

A, B = Side.WHITE, Side.BLACK


def resigned(match, loser, kind=WinKind.SINGLE):
    match = next_game(match)
    return with_game(match, g.accept_resignation(g.resign(match.game, loser, kind)))


def refusal(verb, *arguments):
    with pytest.raises(RuleError) as caught:
        verb(*arguments)
    return caught.value.code


def test_f1_a_match_ends_when_the_length_is_reached():
    match = resigned(start_match(MatchFormat(length=3)), B, WinKind.GAMMON)
    assert not match.is_over
    assert match.score.is_crawford
    match = resigned(match, B, WinKind.BACKGAMMON)
    assert (match.outcome.winner, match.outcome.end) == (A, MatchEnd.LENGTH_REACHED)
    assert match.score.points == (5, 0)
    assert len(match.played) == 2
    assert refusal(next_game, match) == "match.is_over"
    assert refusal(award_points, match, A, 1) == "match.is_over"


def test_a_game_is_played_to_its_end_before_the_next_begins():
    match = next_game(start_match(MatchFormat(length=3)))
    assert refusal(next_game, match) == "match.game_going_on"
    assert refusal(award_points, match, A, 1) == "match.game_going_on"
    moved = with_game(match, g.open_roll(match.game, 3, 1))
    assert moved.game.phase is Phase.TO_PLAY
    assert refusal(with_game, start_match(MatchFormat()), match.game) == "match.no_game"


def test_f10_points_without_a_game_may_decide_a_match():
    match = award_points(start_match(MatchFormat(length=3), 0, 1), A, 2)
    assert match.score.is_crawford
    match = award_points(match, A, 1)
    assert (match.outcome.winner, match.outcome.end) == (A, MatchEnd.PENALTY_POINTS)
    assert start_match(MatchFormat(length=3), 0, 3).outcome.winner is B


def test_r34_a_session_ends_when_it_is_closed_and_only_then():
    match = start_match(MatchFormat())
    for _ in range(10):
        match = resigned(match, A, WinKind.BACKGAMMON)
    assert match.score.points == (0, 30)
    closed = conclude(match, None, MatchEnd.SESSION_CLOSED)
    assert closed.outcome.winner is None
    assert (
        refusal(conclude, start_match(MatchFormat(length=3)), None, MatchEnd.SESSION_CLOSED)
        == "match.not_a_session"
    )
    assert refusal(conclude, next_game(match), None, MatchEnd.SESSION_CLOSED) == "match.not_a_session"


@pytest.mark.parametrize(
    "end", [MatchEnd.LOST_ON_TIME, MatchEnd.RETIRED, MatchEnd.FORFEITED, MatchEnd.SETTLED]
)
def test_f11_f12_a_decision_ends_a_match_at_any_time(end):
    over = conclude(next_game(start_match(MatchFormat(length=7))), B, end)
    assert (over.outcome.winner, over.outcome.end, over.game) == (B, end, None)
    assert over.score.points == (0, 0)


def test_f12_an_end_by_points_cannot_be_decreed():
    match = start_match(MatchFormat(length=7))
    assert refusal(conclude, match, A, MatchEnd.LENGTH_REACHED) == "match.wrong_end"
    assert refusal(conclude, match, None, MatchEnd.RETIRED) == "match.wrong_end"
    assert conclude(match, None, MatchEnd.SETTLED).outcome.winner is None


@pytest.mark.parametrize("seed", range(6))
def test_whole_matches_of_chance_come_to_their_end(seed):
    chance = random.Random(seed)
    die = lambda: chance.randint(1, 6)  # noqa: E731
    match = start_match(MatchFormat(length=5))
    while not match.is_over:
        match = next_game(match)
        game = match.game
        while game.outcome is None:
            if game.phase is Phase.OPENING:
                game = g.open_roll(game, die(), die())
            elif game.phase is Phase.TO_PLAY:
                game = g.play(game, chance.choice(legal_plays(game.position, game.roll)))
            elif game.phase is Phase.OFFERED:
                game = g.take(game) if chance.random() < 0.7 else g.drop(game)
            elif (
                chance.random() < 0.05
                and not match.score.is_crawford
                and game.cube.is_available(game.on_roll)
            ):
                game = g.double(game)
            else:
                game = g.throw(game, (die(), die()))
        match = with_game(match, game)
        assert match.score.points[0] + match.score.points[1] == sum(
            outcome.points for outcome in match.played
        )
    winner = match.outcome.winner
    assert match.score.of(winner) >= 5 > match.score.of(winner.other)
