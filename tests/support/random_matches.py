"""Matches nobody played, made by chance through `games.rules` itself: legal from the first roll to the last point."""

from __future__ import annotations

from random import Random

from games.records.boards import mark_hits
from games.records.model import CubeAction, CubeKind, Game, Options, Record, Result, Roll
from games.rules import game as machine
from games.rules.cube import why_no_double
from games.rules.formats import MatchFormat
from games.rules.game import GameEnd, Phase
from games.rules.plays import hit_steps, legal_plays
from games.rules.scoring import WinKind, first_score, score_after
from games.rules.sides import Side

NAMES = ("Ada Point", "Bo Bar")


def random_match(
    rng: Random, form: MatchFormat, *, games: int = 4, names=NAMES, quick: float = 0.02
) -> Record:
    """A whole match, or a session of so many games. `quick`: how likely somebody resigns before a roll."""
    score = first_score(form)
    written: list[Game] = []
    while not score.is_over and (form.length is not None or len(written) < games):
        before = score
        outcome, actions = _one_game(rng, machine.start_game(form, score), quick)
        score = score_after(form, score, outcome.winner, outcome.points)
        written.append(
            Game(
                number=len(written) + 1,
                score_before=before.points,
                actions=tuple(actions),
                result=Result(
                    outcome.winner,
                    outcome.points,
                    resigned=outcome.end is GameEnd.RESIGNED,
                    wins_match=score.is_over,
                ),
                crawford=True if before.is_crawford else None,
            )
        )
    options = Options(crawford=True) if form.length is not None else Options(jacoby=form.jacoby)
    return Record(names, form.length or 0, tuple(written), (), options)


def opened(game, white: int, black: int):
    """R7: one die each, rolled again when equal; the higher starts and plays these two. Records tell only who began."""
    if white == black:
        return game
    return machine.roll_dice(
        machine.give_turn(game, Side.WHITE if white > black else Side.BLACK), (white, black)
    )


def _one_game(rng: Random, game, quick):
    actions: list[Roll | CubeAction] = []
    while game.phase is Phase.OPENING:
        game = opened(game, rng.randint(1, 6), rng.randint(1, 6))
    while True:
        side = game.on_roll
        play = _choose(rng, game)
        actions.append(Roll(side, _shuffled(rng, game.roll), mark_hits(game.position, play.steps)))
        game = machine.play_reading(game, play.result)
        if game.phase is Phase.OVER:
            return game.outcome, actions
        side = game.on_roll
        if rng.random() < quick and len(actions) > 4:
            kind = WinKind.SINGLE if rng.random() < 0.8 else machine.max_loss(game, side)
            return machine.resign(game, side, kind), actions
        game, over = _maybe_double(rng, game, actions)
        if over:
            return game.outcome, actions
        game = machine.roll_dice(game, (rng.randint(1, 6), rng.randint(1, 6)))


def _shuffled(rng, roll):
    return roll if rng.random() < 0.5 else (roll[1], roll[0])


def _choose(rng: Random, game):
    """Any legal play, but one that hits or gets on rather than just any, so that games come to an end."""
    plays = legal_plays(game.position, game.roll)
    if len(plays) == 1:
        return plays[0]
    picked = [rng.choice(plays) for _ in range(3)]
    return max(
        picked,
        key=lambda play: (
            bool(hit_steps(game.position, play.steps)),
            play.result.swap().own_off,
            rng.random(),
        ),
    )


def _maybe_double(rng: Random, game, actions):
    side = game.on_roll
    if rng.random() > 0.06 or game.cube.value >= 64:
        return game, False
    if why_no_double(game.form, game.score, game.cube, side, opening=False, rolls=game.rolls):
        return game, False
    game = machine.double(game)
    actions.append(CubeAction(side, CubeKind.DOUBLE, game.cube.offer.value))
    if game.form.beavers and rng.random() < 0.4:
        game = machine.beaver(game)
        actions.append(CubeAction(side.other, CubeKind.BEAVER, game.cube.offer.value))
        if rng.random() < 0.2:
            actions.append(CubeAction(side, CubeKind.PASS))
            return machine.drop(game), True
        return machine.take(game), False
    if rng.random() < 0.3:
        actions.append(CubeAction(side.other, CubeKind.PASS))
        return machine.drop(game), True
    actions.append(CubeAction(side.other, CubeKind.TAKE))
    return machine.take(game), False
