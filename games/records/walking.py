"""Find the replay of a game that explains most of the record.

A joined step with two readings (``24/14`` over a blot or past it) is read without the hit; if later turns fit
only the other reading, the game is replayed with that.

One wrong digit makes many plays illegal, because the checker is missing from then on. So after an illegal
play two hypotheses are compared: it was played as written (rule R42), or one of the legal plays of the roll
was. If the game continues much longer with one of those, the play was written down wrongly: that is one
finding, which counts the later plays that it made illegal, and the replay continues from that play.
Unexplained illegal plays close to each other are one finding at the first of them. An illegal play after
which all is well is accepted (rule R42).
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
    """The number of turns that may still be replayed in search of explanations, for the whole record."""

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

    missing_turn: int = 0
    since: int = 0


class _Fit(NamedTuple):
    """How well a board explains the rest of a game; the fields are compared in their order.

    ``likeness``: minus the number of checkers that stand elsewhere than after the written play.
    """

    turn_reached: int
    ends_well: bool
    stars: int
    likeness: int  # minus the number of checkers placed differently from the written play


def walk_game(
    game: Game,
    index: int,
    assumed: AssumedFormat,
    score: Score,
    *,
    next_score: tuple[int, int] | None,
    is_last: bool,
    starred: bool,
    budget: WalkBudget,
) -> WalkedGame:
    """Replay a game with the best explanation of its errors.

    ``next_score``: the recorded score before the next game, if any. ``budget`` limits the turns replayed.
    """
    walk = best_reading(
        GameWalk(game, index, assumed, score, is_last=is_last, choices={}, marks_hits=starred)
    )
    if not walk.broken:
        return _finish_walk(walk, next_score, {}, LostPoint())
    corrected_boards: dict[int, Position] = {}
    later_counts: dict[int, int] = {}
    current_turn = standing_turn = 0
    lost_point = LostPoint()
    while (
        impossible_play := next((play for play in walk.broken if play.turn > current_turn), None)
    ) is not None:
        current_turn = impossible_play.turn
        if missing_turn := _missing_turn_before(walk, current_turn, _CLOSE_TURNS):
            lost_point = LostPoint(
                missing_turn, current_turn
            )  # the missing turn explains it, but its play is unknown
            break
        board = _explaining_board(walk, impossible_play, next_score, budget)
        if board is not None:
            corrected_boards[current_turn] = board
            previous_walk = walk
            walk = _walk_with_boards(walk, corrected_boards)
            later_counts[current_turn] = _count_later_faults(previous_walk, current_turn, walk)
        elif standing_turn and current_turn - standing_turn <= _CLOSE_TURNS:
            lost_point = LostPoint(_missing_turn_before(walk, standing_turn), standing_turn)
            break
        standing_turn = current_turn if board is None else 0
    return _finish_walk(walk, next_score, later_counts, lost_point)


def best_reading(best: GameWalk) -> GameWalk:
    """Run the replay ``best`` and return it, or one with other readings of joined steps.

    Another replay is returned if it reaches further before its first illegal play.
    """
    best.walk()
    try_count = 0
    tried_keys: set[tuple[tuple[int, int], ...]] = set()
    is_improved = True
    while best.first_illegal and is_improved and try_count < _MAX_READINGS:
        is_improved = False
        earlier_forks = [fork for fork in best.ambiguous_turns if fork[0] < best.first_illegal]
        for turn, count in reversed(earlier_forks[-4:]):
            for choice in range(count):
                choices = {**best.choices, turn: choice}
                key = tuple(sorted(choices.items()))
                if key in tried_keys or try_count >= _MAX_READINGS:
                    continue
                tried_keys.add(key)
                try_count += 1
                other_walk = _walk_with_boards(best, {}, choices)
                if not other_walk.first_illegal or other_walk.first_illegal > best.first_illegal:
                    best, is_improved = other_walk, True
                    break
            if is_improved:
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
        marks_hits=walk.marks_hits,
    ).walk()


# -- explanations of an illegal play


def _explaining_board(
    walk: GameWalk, impossible_play: ImpossiblePlay, next_score: tuple[int, int] | None, budget: WalkBudget
) -> Position | None:
    """Return the board after the legal play with which the rest goes on much further, or None.

    ``impossible_play``: the written play with which it is compared.
    """
    end_turn = len(walk.game.actions) + 1
    if not walk.has_play_continued(impossible_play.turn, impossible_play.roll.side):
        return None
    written_fit = _measure_fit(walk, impossible_play, impossible_play.board_after, next_score, budget)
    if written_fit.turn_reached == end_turn and written_fit.ends_well:
        return None
    best_fit, best_board = written_fit, None
    for play in legal_plays(impossible_play.game.position, impossible_play.roll.dice):
        if budget.turns <= 0:
            return None
        if play.result == impossible_play.board_after:
            continue
        fit = _measure_fit(walk, impossible_play, play.result, next_score, budget)
        if fit > best_fit:
            best_fit, best_board = fit, play.result
    goes_far = (
        best_fit.turn_reached == end_turn or best_fit.turn_reached - impossible_play.turn > _CLOSE_TURNS
    )
    return best_board if goes_far and best_fit[:2] > written_fit[:2] else None


def _measure_fit(
    walk: GameWalk,
    impossible_play: ImpossiblePlay,
    board: Position,
    next_score: tuple[int, int] | None,
    budget: WalkBudget,
) -> _Fit:
    trial_walk = walk.replay_from(impossible_play, board)
    turn_reached = trial_walk.first_illegal or trial_walk.stopped or len(walk.game.actions) + 1
    budget.turns -= turn_reached - impossible_play.turn
    likeness = -sum(
        abs(left - right)
        for left, right in zip(
            (*board.own, *board.other),
            (*impossible_play.board_after.own, *impossible_play.board_after.other),
            strict=True,
        )
    )
    if turn_reached <= len(walk.game.actions):
        return _Fit(turn_reached, ends_well=False, stars=0, likeness=likeness)
    calculator = EndingCalculator(trial_walk, next_score)
    calculator.end()
    is_rejected = any(SEVERITIES[item.code][0] is Severity.REJECT for item in calculator.findings)
    return _Fit(turn_reached, ends_well=not is_rejected, stars=-len(trial_walk.stars), likeness=likeness)


def _count_later_faults(walk: GameWalk, turn: int, other_walk: GameWalk) -> int:
    """Return the number of illegal plays after ``turn`` in ``walk`` that are legal in ``other_walk``."""
    other_turns = {play.turn for play in other_walk.broken}
    return sum(play.turn > turn and play.turn not in other_turns for play in walk.broken)


# -- the findings of a walk


def _finish_walk(
    walk: GameWalk, next_score: tuple[int, int] | None, later_counts: dict[int, int], lost_point: LostPoint
) -> WalkedGame:
    """Return the replayed game with its ending and all findings.

    Each illegal play gets the number of its consequences (``later_counts``, keyed by turn), which are left
    out.
    """
    calculator = EndingCalculator(walk, next_score, believe_result=bool(lost_point.since))
    ending = calculator.end()
    later_count = sum(play.turn >= lost_point.since for play in walk.broken)
    findings: list[Finding] = []
    for item in [*walk.findings, *_first_of_each_code(walk.stars), *calculator.findings]:
        is_play_finding = item.code in _PLAY_CODES
        is_consequence = 0 < lost_point.since <= item.turn and (is_play_finding or item.code in _BOARD_CODES)
        if item.code == "turn.missing" and item.turn == lost_point.missing_turn:
            findings.append(_as_doubt(item, "turn.lost", later_count))
        elif is_play_finding and item.turn == lost_point.since and not lost_point.missing_turn:
            findings.append(_as_doubt(item, "play.unfitting", later_count - 1))
        elif not is_consequence:
            is_slip = is_play_finding and item.turn in later_counts
            findings.append(_as_doubt(item, "play.slip", later_counts[item.turn]) if is_slip else item)
    return WalkedGame(walk, ending, tuple(findings))


def _missing_turn_before(walk: GameWalk, turn: int, max_turns: int = 10**6) -> int:
    """Return the first missing turn at most ``max_turns`` turns before ``turn``; 0 if there is none."""
    missing_turns = (item.turn for item in walk.findings if item.code == "turn.missing")
    return next(
        (missing_turn for missing_turn in missing_turns if missing_turn <= turn <= missing_turn + max_turns),
        0,
    )


def _as_doubt(item: Finding, code: str, later_count: int) -> Finding:
    """Return the finding as a doubt at the same place, with the number of findings that follow from it."""
    if item.code == "play.unplayed":
        code = "play.lost"
    doubt = finding(code, rule=item.rule, game=item.game, turn=item.turn, place=item.place)
    return replace(doubt, params={**item.params, "more": later_count})


def _first_of_each_code(stars: list[Finding]) -> list[Finding]:
    """Return the first finding of each code, with the number of the others."""
    by_code: dict[str, list[Finding]] = {}
    for item in stars:
        by_code.setdefault(item.code, []).append(item)
    return [
        replace(same_code[0], params={**same_code[0].params, "more": len(same_code) - 1})
        for same_code in by_code.values()
    ]
