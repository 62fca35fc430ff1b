"""The game and its cube: R8, R10, R31, R32, R35 to R43, F2 to F6, F8."""

import random
from dataclasses import replace

import pytest

from games.rules import game as g
from games.rules.cube import (
    CENTRED,
    HIGHEST_CUBE,
    MAX_CUBE_TURNS,
    OfferKind,
    automatic_cube,
    set_cube,
    why_no_double,
)
from games.rules.errors import RuleError
from games.rules.formats import MatchFormat
from games.rules.game import GameEnd, Phase
from games.rules.plays import check_play, legal_plays
from games.rules.position import Position
from games.rules.scoring import Crawford, WinKind, first_score, score_after
from games.rules.sides import Side
from tests.support.random_matches import opened
from tests.support.rules import at, steps

A, B = Side.WHITE, Side.BLACK
MONEY = MatchFormat()
BEAVERS = MatchFormat(beavers=True, jacoby=True)
RACCOONS = MatchFormat(beavers=True, raccoons=True)


def new(form=MONEY, *points):
    return g.start_game(form, first_score(form, *points))


def turn_of(side, position=None, form=MONEY, points=(0, 0), cube=None):
    return g.set_up(g.start_game(form, first_score(form, *points)), position, on_roll=side, cube=cube)


def play(game, words):
    """The play is legal, and this is the game after it."""
    verdict = check_play(game.position, game.roll, steps(words))
    assert verdict.fault is None
    return g.play_reading(game, verdict.result)


def refusal(verb, *arguments):
    with pytest.raises(RuleError) as caught:
        verb(*arguments)
    return caught.value.rule


def test_f5_equal_opening_dice_double_the_cube_in_the_middle_and_nobody_has_accepted_that():
    game = g.replace_cube(new(BEAVERS), automatic_cube(1))
    assert game == new(BEAVERS)._replace(cube=game.cube)
    assert (game.cube.value, game.cube.owner, game.cube.was_doubled) == (2, None, False)
    lost = g.resign(game, A, WinKind.GAMMON)
    assert (lost.counted, lost.points) == (WinKind.SINGLE, 2)  # R40
    offer = g.double(g.give_turn(game, A)).cube.offer
    assert (offer.value, offer.value_if_passed) == (4, 2)


def test_r35_the_cube_is_not_turned_beyond_what_anybody_would():
    highest = turn_of(A, cube=automatic_cube(MAX_CUBE_TURNS))
    assert highest.cube.value == HIGHEST_CUBE
    assert refusal(g.double, highest) == refusal(g.offer_cube, highest, A) == "R35"
    last = g.double(turn_of(A, form=BEAVERS, cube=automatic_cube(MAX_CUBE_TURNS - 1)))
    assert refusal(g.beaver, last) == refusal(g.raise_offer, last) == "R35"
    assert g.take(last).cube.value == HIGHEST_CUBE


def test_r8_turns_alternate_and_each_sees_the_board_from_the_own_side():
    game = play(opened(new(), 3, 1), "8/5 6/5")
    assert (game.on_roll, game.phase) == (B, Phase.TO_ROLL)
    assert game.position.other[5] == 2
    assert game.seen_by(A).own[5] == 2
    game = g.roll_dice(game, (6, 6))
    assert refusal(g.roll_dice, game, (1, 2)) == "R8"


def test_r42_an_illegal_play_can_be_let_stand():
    game = opened(new(), 3, 1)
    verdict = check_play(game.position, (3, 1), steps("8/3"))
    assert verdict.fault is not None
    after = g.play_reading(game, verdict.standing)  # R42
    assert (after.on_roll, after.position.other[3]) == (B, 1)


def test_r10_a_closed_out_player_need_not_roll():
    shut = at("bar:1 6:5", "1:2 2:2 3:2 4:2 5:2 6:2")
    game = g.skip_closed_out(turn_of(A, shut))
    assert (game.on_roll, game.position) == (B, shut.swap())
    assert refusal(g.skip_closed_out, turn_of(A)) == "R10"
    assert refusal(g.skip_closed_out, turn_of(A, at("6:5", "1:2 2:2 3:2 4:2 5:2 6:2"))) == "R10"


def test_r31_the_first_to_bear_off_everything_wins():
    game = play(g.roll_dice(turn_of(A, at("1:2", "1:2")), (6, 5)), "1/off(2)")
    assert game.phase is Phase.OVER
    assert (game.outcome.winner, game.outcome.end, game.outcome.points) == (A, GameEnd.BORE_OFF, 1)


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        ("6:14", WinKind.SINGLE),
        ("6:15", WinKind.GAMMON),
        ("18:1 6:14", WinKind.GAMMON),
        ("19:1 6:14", WinKind.BACKGAMMON),
        ("bar:1 6:14", WinKind.BACKGAMMON),
        ("bar:1 6:13", WinKind.SINGLE),
    ],
)
def test_r32_single_gammon_backgammon(other, kind):
    game = play(g.roll_dice(turn_of(B, at("1:1", other), cube=set_cube(2, A)), (6, 5)), "1/off")
    assert (game.outcome.winner, game.outcome.kind, game.outcome.points) == (B, kind, 2 * kind)


def test_r43_is_a_legal_end_of_a_game():
    game = g.roll_dice(turn_of(A, Position.from_id("A5AiujYgAAAAAA")), (6, 1))
    assert play(game, "6/off").outcome.winner is A


def test_r36_the_starter_cannot_double_before_the_opening_roll_nor_anybody_after_rolling():
    assert refusal(g.double, new()) == "R36"
    assert refusal(g.double, opened(new(), 3, 1)) == "R8"
    assert refusal(g.double, g.double(turn_of(A))) == "R36"
    assert refusal(g.double, turn_of(A), B) == "R36"


def test_r37_only_the_owner_may_double_again():
    taken = g.take(g.double(turn_of(A)))
    assert (taken.cube.value, taken.cube.owner, taken.on_roll, taken.phase) == (2, B, A, Phase.TO_ROLL)
    assert refusal(g.double, taken) == "R37"
    again = g.take(g.double(turn_of(B, cube=taken.cube)))
    assert (again.cube.value, again.cube.owner) == (4, A)


def test_r38_a_pass_loses_the_value_before_the_offer():
    offered = g.double(turn_of(A, cube=set_cube(4, A)))
    assert offered.cube.offer.answerer is B
    over = g.drop(offered)
    assert (over.outcome.winner, over.outcome.points, over.outcome.end) == (A, 4, GameEnd.PASSED)
    assert refusal(g.take, turn_of(A)) == "R38"
    assert refusal(g.take, offered, A) == refusal(g.drop, offered, A) == "R38"


def test_r35_the_cube_goes_beyond_64():
    game = turn_of(A)
    for turn in range(12):
        game = g.take(g.double(turn_of((A, B)[turn % 2], cube=game.cube)))
    assert game.cube.value == 4096
    assert game.cube.log2 == 12
    for power in range(200):
        assert set_cube(1 << power).log2 == power
    assert (set_cube(2, A).was_doubled, set_cube(2).was_doubled) == (
        True,
        False,
    )  # who owns it was doubled and took
    assert refusal(set_cube, 6) == "R35"
    assert refusal(set_cube, 0) == "R35"


def test_r33_no_cube_no_double():
    form = MatchFormat(cube=False)
    assert refusal(g.double, turn_of(A, form=form)) == "R33"


def test_f2_nobody_doubles_in_the_crawford_game():
    form = MatchFormat(length=5)
    assert refusal(g.double, turn_of(B, form=form, points=(4, 1))) == "F2"
    assert g.double(turn_of(B, form=form, points=(3, 1))).phase is Phase.OFFERED


def test_f3_after_crawford_the_cube_is_free_unless_holland_asks_for_two_rolls_each():
    for holland, rolls, rule in ((False, (0, 0), None), (True, (2, 1), "F3"), (True, (2, 2), None)):
        form = MatchFormat(length=5, holland=holland)
        score = replace(first_score(form, 4, 1), crawford=Crawford.AFTER)
        fault = why_no_double(form, score, CENTRED, B, opening=False, rolls=rolls)
        assert (fault.rule if fault else None) == rule
    early = first_score(MatchFormat(length=5, holland=True))
    assert (
        why_no_double(MatchFormat(length=5, holland=True), early, CENTRED, B, opening=False, rolls=(0, 0))
        is None
    )


def test_f4_a_dead_cube_may_be_turned():
    form = MatchFormat(length=5)
    assert g.double(turn_of(A, form=form, points=(3, 0), cube=set_cube(2, A))).phase is Phase.OFFERED


def test_f5_cube_limit():
    form = MatchFormat(cube_limit=4)
    assert refusal(g.double, turn_of(A, form=form, cube=set_cube(4, A))) == "F5"
    assert g.double(turn_of(A, form=form, cube=set_cube(2, A))).cube.offer.value == 4
    limited = MatchFormat(beavers=True, cube_limit=2)
    assert refusal(g.beaver, g.double(turn_of(A, form=limited))) == "F5"
    enough = MatchFormat(beavers=True, cube_limit=4)
    assert g.beaver(g.double(turn_of(A, form=enough))).cube.offer.value == 4


def test_r41_a_beaver_turns_the_cube_further_and_keeps_it():
    beavered = g.beaver(g.double(turn_of(A, form=BEAVERS)))
    assert (beavered.cube.offer.answerer, beavered.cube.offer.kind, beavered.cube.offer.value) == (
        A,
        OfferKind.BEAVER,
        4,
    )
    on = g.take(beavered)
    assert (on.cube.value, on.cube.owner, on.on_roll, on.cube.was_doubled) == (4, B, A, True)


def test_r41_a_refused_beaver_loses_the_doubled_value():
    over = g.drop(g.beaver(g.double(turn_of(A, form=BEAVERS))))
    assert (over.outcome.winner, over.outcome.points) == (B, 2)


def test_r41_no_beavers_unless_the_format_has_them():
    assert refusal(g.beaver, g.double(turn_of(A))) == "R41"
    assert refusal(g.beaver, g.double(turn_of(A, form=MatchFormat(length=7)))) == "R41"
    assert refusal(g.beaver, g.beaver(g.double(turn_of(A, form=BEAVERS)))) == "R41"
    assert refusal(g.beaver, g.double(turn_of(A, form=BEAVERS)), A) == "R41"
    assert refusal(g.beaver, turn_of(A, form=BEAVERS)) == "R41"


def test_f5_a_raccoon_answers_a_beaver_and_leaves_the_cube_there():
    raccooned = g.raccoon(g.beaver(g.double(turn_of(A, form=RACCOONS))))
    assert raccooned.cube.offer.answerer is B
    on = g.take(raccooned)
    assert (on.cube.value, on.cube.owner, on.on_roll) == (8, B, A)
    assert g.drop(raccooned).outcome.points == 4
    assert refusal(g.raccoon, g.beaver(g.double(turn_of(A, form=BEAVERS)))) == "F5"
    assert refusal(g.raccoon, g.double(turn_of(A, form=RACCOONS))) == "F5"
    assert refusal(g.raccoon, raccooned) == "F5"


def test_r40_jacoby_over_a_whole_game():
    won = at("1:1", "6:15")
    plain = play(g.roll_dice(turn_of(A, won, form=BEAVERS), (2, 1)), "1/off")
    assert (plain.outcome.kind, plain.outcome.counted, plain.outcome.points) == (
        WinKind.GAMMON,
        WinKind.SINGLE,
        1,
    )
    doubled = g.take(g.double(turn_of(A, won, form=BEAVERS)))
    assert play(g.roll_dice(doubled, (2, 1)), "1/off").outcome.points == 4


@pytest.mark.parametrize("kind", WinKind)
def test_f8_an_accepted_resignation_ends_the_game_at_any_moment(kind):
    game = g.roll_dice(turn_of(A, cube=set_cube(2, A)), (3, 1))
    outcome = g.resign(game, B, kind)
    assert (outcome.winner, outcome.end, outcome.points) == (A, GameEnd.RESIGNED, 2 * kind)
    offered = g.double(turn_of(A))
    assert g.resign(offered, A, kind).points == kind
    assert refusal(g.resign, g.drop(offered), B, kind) == "F8"


def test_f8_with_jacoby_and_an_unturned_cube_a_resignation_is_worth_one():
    assert g.resign(turn_of(A, form=BEAVERS), A, WinKind.BACKGAMMON).points == 1


def test_f8_what_is_possible_is_judged_by_checkers_borne_off():
    assert g.max_loss(turn_of(A, at("6:14", "6:15")), A) is WinKind.SINGLE
    assert g.max_loss(turn_of(A, at("6:14", "6:15")), B) is WinKind.BACKGAMMON


def test_a_game_does_not_begin_after_the_match_is_won():
    form = MatchFormat(length=3)
    assert refusal(g.start_game, form, first_score(form, 3, 0)) == "F1"


def test_f16_a_board_that_is_put_up_is_played_on_by_whoever_acts_first():
    shut = at("6:15", "6:15")
    joined = g.set_up(new(), shut)
    assert joined.phase is Phase.JOINED
    assert g.take(g.double(joined, B)).phase is Phase.JOINED
    assert g.give_turn(joined, B).position == shut
    assert g.set_up(turn_of(B), cube=set_cube(2, A)).on_roll is B
    assert g.set_up(g.double(turn_of(B)), shut).phase is Phase.OFFERED
    assert g.set_up(g.double(turn_of(B)), shut, cube=CENTRED).phase is Phase.TO_ROLL


def test_r42_what_nobody_may_and_both_went_on_from_stands():
    opening = new()
    taken = g.take(g.offer_cube(opening, B))
    assert (taken.phase, taken.cube.owner) == (Phase.OPENING, A)
    assert g.withdraw(g.double(turn_of(A))) == turn_of(A)
    assert g.raise_offer(g.offer_cube(turn_of(A), A)).cube.offer.kind is OfferKind.BEAVER
    left = at("6:15", "8:15")
    passed = g.end_turn(turn_of(A), left)
    assert (passed.on_roll, passed.rolls, passed.phase) == (B, (1, 0), Phase.TO_ROLL)
    assert (passed.position, g.give_turn(passed, A).position) == (left, left.swap())
    assert g.end_turn(g.roll_dice(turn_of(B), (2, 1)), Position.start()).rolls == (0, 1)


def test_every_verb_is_refused_in_every_phase_that_is_not_its_own():
    opening = new()
    to_play = opened(opening, 3, 1)
    to_roll = g.play_reading(to_play, legal_plays(to_play.position, (3, 1))[0].result)
    offered = g.double(to_roll)
    over = g.drop(offered)
    verbs = {
        "throw": (lambda game: g.roll_dice(game, (2, 1)), {Phase.TO_ROLL}),
        "reading": (lambda game: g.play_reading(game, Position.start()), {Phase.TO_PLAY}),
        "double": (g.double, {Phase.TO_ROLL}),
        "take": (g.take, {Phase.OFFERED}),
        "drop": (g.drop, {Phase.OFFERED}),
        "resign": (
            lambda game: g.resign(game, A, WinKind.SINGLE),
            {Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY, Phase.OFFERED},
        ),
    }
    for name, (verb, allowed) in verbs.items():
        for game in (opening, to_play, to_roll, offered, over):
            if game.phase in allowed:
                assert verb(game) is not game, name
            else:
                with pytest.raises(RuleError):
                    verb(game)


@pytest.mark.parametrize("seed", range(6))
def test_whole_matches_of_chance_come_to_their_end(seed):
    chance = random.Random(seed)
    die = lambda: chance.randint(1, 6)  # noqa: E731
    form = MatchFormat(length=5)
    score, played = first_score(form), []
    while not score.is_over:
        game = g.start_game(form, score)
        while game.outcome is None:
            if game.phase is Phase.OPENING:
                game = opened(game, die(), die())
            elif game.phase is Phase.TO_PLAY:
                game = g.play_reading(game, chance.choice(legal_plays(game.position, game.roll)).result)
            elif game.phase is Phase.OFFERED:
                game = g.take(game) if chance.random() < 0.7 else g.drop(game)
            elif chance.random() < 0.05 and not score.is_crawford and game.cube.is_available(game.on_roll):
                game = g.double(game)
            else:
                game = g.roll_dice(game, (die(), die()))
        played.append(game.outcome.points)
        score = score_after(form, score, game.outcome.winner, game.outcome.points)
        assert sum(score.points) == sum(played)
    assert score.of(score.winner) >= 5 > score.of(score.winner.other)
