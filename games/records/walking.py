"""The best walk through a game: which reading of joined steps explains most, and which plays were written down wrongly.

A joined step that can be read two ways (`24/14` over a blot or past it) is read without the hit; if later turns can only be
understood the other way, the game is walked again with the other one.

One wrong digit makes many plays impossible: the checker that it moved elsewhere is missing from then on. So after a play
that cannot be, two things are tried: that it stands as written (R42), and every legal play of the roll. If the rest of the
game goes on much longer with one of these than as written, the play was written down wrongly: it is one finding, what it made
impossible later is counted in it, and the game goes on from that play. Plays that nothing explains are one finding
too, at the first of them, as long as they follow each other closely. A play that stands and after which all goes well is what R42 means.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from games.records.ending import EndingCalculator
from games.records.findings import SEVERITIES, Finding, Severity, finding
from games.records.model import Game
from games.records.replay import AssumedFormat, GameWalk, ImpossiblePlay
from games.records.replaying import Ending
from games.rules.plays import legal_plays
from games.rules.position import Position
from games.rules.scoring import Score

_MAX_READINGS = 12  # how often a game is read again before the first reading is kept
_CLOSE_TURNS = (
    12  # turns of both sides: what cannot be so soon after another play that cannot be has the same cause
)
_PLAY_CODES = {"play.illegal", "play.illegal_stands", "play.unplayed"}
# What only the board speaks against: nothing to hold against a game whose board is not known any more.
_BOARD_CODES = {
    *("result.winner", "turn.after_end", "play.last_checker", "resign.oversized"),
    *("star.false", "star.missing"),
}


class WalkBudget:
    """How many turns may still be walked in search of explanations, for the whole record: a file may be wrong everywhere."""

    def __init__(self, turns: int = 10_000) -> None:
        self.turns = turns


class WalkedGame(NamedTuple):
    """A game walked to its end. `findings` are those of the walk and of its end, follow-ups folded."""

    walk: GameWalk
    ending: Ending
    findings: tuple[Finding, ...]


class LostPoint(NamedTuple):
    """Where the game was lost sight of: the turn that is missing (0: none is), and the first play that cannot be because of it (0: never).

    Nobody knows the board from there on, so whatever cannot be later in this game follows from it.
    """

    missing: int = 0
    since: int = 0


class _Fit(NamedTuple):
    """How well a board after a play explains the rest: the turn to which it carries, then the end, then the stars."""

    turn_reached: int
    ends_well: bool
    stars: int
    like: int  # how many checkers stand elsewhere than as written, negative


def walk_game(
    game: Game,
    index: int,
    assumed: AssumedFormat,
    score: Score,
    *,
    following: tuple[int, int] | None,
    is_last: bool,
    starred: bool,
    effort: WalkBudget,
) -> WalkedGame:
    """The game walked as well as it can be. `following`: the score written before the next game."""
    walk = best_reading(GameWalk(game, index, assumed, score, is_last=is_last, choices={}, starred=starred))
    if not walk.broken:
        return _finish_walk(walk, following, {}, LostPoint())
    meant: dict[int, Position] = {}
    more: dict[int, int] = {}
    at = standing = 0
    lost = LostPoint()
    while (broken := next((one for one in walk.broken if one.turn > at), None)) is not None:
        at = broken.turn
        if missing := _missing_turn_before(walk, at, _CLOSE_TURNS):
            lost = LostPoint(missing, at)  # what was done in that turn explains it, and nobody knows it
            break
        board = _explaining_board(walk, broken, following, effort)
        if board is not None:
            meant[at] = board
            without = walk
            walk = _walk_with_boards(walk, meant)
            more[at] = _count_later_faults(without, at, walk)
        elif standing and at - standing <= _CLOSE_TURNS:
            lost = LostPoint(_missing_turn_before(walk, standing), standing)
            break
        standing = at if board is None else 0
    return _finish_walk(walk, following, more, lost)


def best_reading(best: GameWalk) -> GameWalk:
    """The first walk, unless another reading of a joined step explains more of the game."""
    best.walk()
    tries = 0
    tried: set[tuple[tuple[int, int], ...]] = set()
    improved = True
    while best.first_illegal and improved and tries < _MAX_READINGS:
        improved = False
        before = [fork for fork in best.forks if fork[0] < best.first_illegal]
        for turn, count in reversed(before[-4:]):
            for choice in range(count):
                choices = {**best.choices, turn: choice}
                key = tuple(sorted(choices.items()))
                if key in tried or tries >= _MAX_READINGS:
                    continue
                tried.add(key)
                tries += 1
                other = _walk_with_boards(best, {}, choices)
                if not other.first_illegal or other.first_illegal > best.first_illegal:
                    best, improved = other, True
                    break
            if improved:
                break
    return best


def _walk_with_boards(
    walk: GameWalk, boards: dict[int, Position], choices: dict[int, int] | None = None
) -> GameWalk:
    return GameWalk(
        walk.game,
        walk.index,
        walk.assumed,
        walk.score,
        is_last=walk.is_last,
        choices=walk.choices if choices is None else choices,
        boards=dict(boards),
        starred=walk.starred,
    ).walk()


# -- what a play that cannot be was meant to be


def _explaining_board(
    walk: GameWalk, broken: ImpossiblePlay, following: tuple[int, int] | None, effort: WalkBudget
) -> Position | None:
    """The board after a legal play with which the rest goes on much further than as it was written."""
    last = len(walk.game.actions) + 1
    if not walk.has_play_continued(broken.turn, broken.roll.side):
        return None
    as_written = _measure_fit(walk, broken, broken.board_after, following, effort)
    if as_written.turn_reached == last and as_written.ends_well:
        return None
    best, found = as_written, None
    for play in legal_plays(broken.game.position, broken.roll.dice):
        if effort.turns <= 0:
            return None
        if play.result == broken.board_after:
            continue
        fit = _measure_fit(walk, broken, play.result, following, effort)
        if fit > best:
            best, found = fit, play.result
    far = best.turn_reached == last or best.turn_reached - broken.turn > _CLOSE_TURNS
    return found if far and best[:2] > as_written[:2] else None


def _measure_fit(
    walk: GameWalk,
    broken: ImpossiblePlay,
    board: Position,
    following: tuple[int, int] | None,
    effort: WalkBudget,
) -> _Fit:
    tried = walk.attempt(broken, board)
    reach = tried.first_illegal or tried.stopped or len(walk.game.actions) + 1
    effort.turns -= reach - broken.turn
    like = -sum(
        abs(one - two)
        for one, two in zip(
            (*board.own, *board.other), (*broken.board_after.own, *broken.board_after.other), strict=True
        )
    )
    if reach <= len(walk.game.actions):
        return _Fit(reach, ends_well=False, stars=0, like=like)
    reckoning = EndingCalculator(tried, following)
    reckoning.end()
    wrong = any(SEVERITIES[found.code][0] is Severity.REJECT for found in reckoning.findings)
    return _Fit(reach, ends_well=not wrong, stars=-len(tried.stars), like=like)


def _count_later_faults(walk: GameWalk, turn: int, other: GameWalk) -> int:
    """How many plays cannot be after this turn in one walk that are no longer wrong in the other."""
    still = {one.turn for one in other.broken}
    return sum(one.turn > turn and one.turn not in still for one in walk.broken)


# -- the findings of a walk


def _finish_walk(
    walk: GameWalk, following: tuple[int, int] | None, more: dict[int, int], lost: LostPoint
) -> WalkedGame:
    """Each play that cannot be once, with the number of what follows from it; then the end."""
    reckoning = EndingCalculator(walk, following, believe_result=bool(lost.since))
    ending = reckoning.end()
    later = sum(one.turn >= lost.since for one in walk.broken)
    findings: list[Finding] = []
    for found in [*walk.findings, *_first_of_each_code(walk.stars), *reckoning.findings]:
        of_a_play = found.code in _PLAY_CODES
        follows = 0 < lost.since <= found.turn and (of_a_play or found.code in _BOARD_CODES)
        if found.code == "turn.missing" and found.turn == lost.missing:
            findings.append(_as_doubt(found, "turn.lost", later))
        elif of_a_play and found.turn == lost.since and not lost.missing:
            findings.append(_as_doubt(found, "play.unfitting", later - 1))
        elif not follows:
            slipped = of_a_play and found.turn in more
            findings.append(_as_doubt(found, "play.slip", more[found.turn]) if slipped else found)
    return WalkedGame(walk, ending, tuple(findings))


def _missing_turn_before(walk: GameWalk, turn: int, most: int = 10**6) -> int:
    """The first turn that is missing, at most so many turns before this one; 0 if there is none."""
    missing = (found.turn for found in walk.findings if found.code == "turn.missing")
    return next((one for one in missing if one <= turn <= one + most), 0)


def _as_doubt(found: Finding, code: str, more: int) -> Finding:
    """The same place and play as a doubt, with the number of findings that follow from it."""
    if found.code == "play.unplayed":
        code = "play.lost"
    made = finding(code, rule=found.rule, game=found.game, turn=found.turn, place=found.place)
    return replace(made, params={**found.params, "more": more})


def _first_of_each_code(stars: list[Finding]) -> list[Finding]:
    """Of each kind the first of the game, with the number of the others."""
    counted: dict[str, list[Finding]] = {}
    for found in stars:
        counted.setdefault(found.code, []).append(found)
    return [replace(all_[0], params={**all_[0].params, "more": len(all_) - 1}) for all_ in counted.values()]
