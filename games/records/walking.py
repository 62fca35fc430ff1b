"""Find the replay of a game that explains most of the record.

A joined step with two readings (``24/14`` over a blot or past it) is read without the hit; if later turns fit
only the other reading, the game is replayed with that.

One wrong digit makes many plays illegal, because the checker is missing from then on. So after an illegal
play two hypotheses are compared: it was played as written (R42), or one of the legal plays of the roll was.
If the game continues much longer with one of those, the play was written down wrongly: that is one finding,
which counts the later plays that it made illegal, and the replay continues from that play. Unexplained
illegal plays close to each other are one finding at the first of them. An illegal play after which all is
well is condoned (R42).
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

_MAX_READINGS = 12  # how often a game is read again at most
_CLOSE_TURNS = 12  # turns of both sides: an illegal play so soon after another one has the same cause
_PLAY_CODES = {"play.illegal", "play.illegal_stands", "play.unplayed"}
# Findings that depend on the board: dropped once the board of the game is unknown.
_BOARD_CODES = {
    *("result.winner", "turn.after_end", "play.last_checker", "resign.oversized"),
    *("star.false", "star.missing"),
}


class WalkBudget:
    """Number of turns that may still be replayed in search of explanations, for the whole record."""

    def __init__(self, turns: int = 10_000) -> None:
        self.turns = turns


class WalkedGame(NamedTuple):
    """A game replayed to its end.

    ``findings``: those of the replay and of the end, with consequences merged into their cause.
    """

    walk: GameWalk
    ending: Ending
    findings: tuple[Finding, ...]


class LostPoint(NamedTuple):
    """Where the board becomes unknown: the missing turn, if any, and the first illegal play (0: none).

    Later illegal plays of the game are consequences.
    """

    missing: int = 0
    since: int = 0


class _Fit(NamedTuple):
    """How well a board explains the rest of a game: the turn reached, then the ending, then the hit marks."""

    turn_reached: int
    ends_well: bool
    stars: int
    like: int  # minus the number of checkers placed differently from the written play


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
    """Replay a game with the best explanation of its faults.

    ``following``: the recorded score before the next game, if any. ``effort`` limits the turns replayed.
    """
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
            lost = LostPoint(missing, at)  # the missing turn explains it, but its play is unknown
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
    """Return the first walk, or one with other readings of joined steps if it reaches further."""
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


# -- explanations of an illegal play


def _explaining_board(
    walk: GameWalk, broken: ImpossiblePlay, following: tuple[int, int] | None, effort: WalkBudget
) -> Position | None:
    """The board after the legal play that lets the rest go on much further than as written, or None."""
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
    """Number of illegal plays after ``turn`` in ``walk`` that are legal in ``other``."""
    still = {one.turn for one in other.broken}
    return sum(one.turn > turn and one.turn not in still for one in walk.broken)


# -- the findings of a walk


def _finish_walk(
    walk: GameWalk, following: tuple[int, int] | None, more: dict[int, int], lost: LostPoint
) -> WalkedGame:
    """Merge the findings: each illegal play with the number of its consequences, then those of the end."""
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
    """The first missing turn at most ``most`` turns before ``turn``; 0 if there is none."""
    missing = (found.turn for found in walk.findings if found.code == "turn.missing")
    return next((one for one in missing if one <= turn <= one + most), 0)


def _as_doubt(found: Finding, code: str, more: int) -> Finding:
    """The finding as a doubt at the same place, with the number of findings that follow from it."""
    if found.code == "play.unplayed":
        code = "play.lost"
    made = finding(code, rule=found.rule, game=found.game, turn=found.turn, place=found.place)
    return replace(made, params={**found.params, "more": more})


def _first_of_each_code(stars: list[Finding]) -> list[Finding]:
    """The first finding of each code, with the number of the others."""
    counted: dict[str, list[Finding]] = {}
    for found in stars:
        counted.setdefault(found.code, []).append(found)
    return [replace(all_[0], params={**all_[0].params, "more": len(all_) - 1}) for all_ in counted.values()]
