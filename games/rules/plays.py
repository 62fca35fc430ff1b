"""The rules of play: which plays a roll allows, and whether a play is allowed (rules R11 to R30).

A *step* is the move of one checker from one place to another in the mover's own numbering: 25 is the bar, 0
is off. A *play* is what a player does with a whole roll. Two plays with the same result count as the same
play here: `legal_plays` returns one for each result, `check_play` accepts every way of writing it. Not here:
who is on roll, the cube, notation (games/records), and the fast calculations (`generator.py`, `checking.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import NamedTuple

from faults import Fault
from games.rules import checking
from games.rules.errors import RuleError
from games.rules.generator import board_for_mover, legal_boards, steps_with
from games.rules.position import BAR, HALF, LOW, OFF, Position

Roll = tuple[int, int]


class Step(NamedTuple):
    """The move of one checker in the mover's own numbering; it may join several dice (24/14 with 6-4)."""

    origin: int
    target: int


Steps = tuple[Step, ...]


class Play(NamedTuple):
    """A legal play: `result` is the position seen by the *next* player, `steps` one way to reach it."""

    position: Position
    roll: Roll
    result: Position

    @property
    def steps(self) -> Steps:
        """Return a way to the result, with a step for each die; () if nothing can be played.

        Computed on use.
        """
        high, low = self.roll
        return _rear_first(self) if high == low else _one_then_other(self)


class Reading(NamedTuple):
    """One meaning of a written play: the result, and the steps of single dice that lead to it."""

    position: Position
    result: Position
    steps: Steps

    @property
    def hits(self) -> tuple[int, ...]:
        """Return the mover's points on which an opponent's checker was hit, in the order of play."""
        return tuple(target for _, target in hit_steps(self.position, self.steps))


class PlayVerdict(NamedTuple):
    """Whether a play is legal, its meanings, and if it is not legal, the rule that it breaks.

    `readings`: every legal meaning, the one with the fewest hits first; `fault`: what is wrong, with its
    rule; `standing`: the position for the next player if the play stands as it was made (rule R42), None if
    it is impossible. `note` is R43 where one die was used for the last checker though both could be.
    """

    position: Position
    roll: Roll
    readings: tuple[Reading, ...]
    fault: Fault | None = None
    standing: Position | None = None
    note: str | None = None

    @property
    def legal(self) -> bool:
        return self.fault is None

    @property
    def result(self) -> Position | None:
        """Return the preferred result of a legal play; None for an illegal one."""
        return self.readings[0].result if self.readings else None


def sort_dice(roll: Roll) -> Roll:
    """Return the roll with the higher die first. Raises `RuleError` for an impossible die."""
    first, second = roll
    if not (0 < first < 7 and 0 < second < 7):
        raise RuleError("roll.impossible", "R8", roll=roll)
    return (first, second) if first >= second else (second, first)


def legal_plays(position: Position, roll: Roll) -> tuple[Play, ...]:
    """Return one play for each distinct legal result; for an unplayable roll the empty play (rule R19).

    The 16 plays of 3-1 from the start:

    >>> len(legal_plays(Position.start(), (3, 1)))
    16
    """
    high, low = roll = sort_dice(roll)
    _, boards = legal_boards(position, high, low)
    # Play(...) without its detour through Python: a fifth of the time of this function.
    fields = zip(repeat(position), repeat(roll), map(Position, boards), strict=False)
    return tuple(map(tuple.__new__, repeat(Play), fields))


def check_play(position: Position, roll: Roll, play: Play | Iterable[tuple[int, int]]) -> PlayVerdict:
    """Return the verdict on a play. All ways to a legal result are legal, in any order and joined.

    `play`: a `Play` or pairs (origin, target). If it uses every die its own steps prove it legal; all plays
    are computed only if it uses fewer.

    >>> check_play(Position.start(), (3, 1), [(8, 5), (6, 5)]).fault is None
    True
    >>> check_play(Position.start(), (6, 5), [(24, 18)]).fault.rule  # 18/13 can be played as well
    'R15'
    """
    high, low = roll = sort_dice(roll)
    steps = play.steps if isinstance(play, Play) else tuple(play)
    board = board_for_mover(position)
    dice = (high, low) if high != low else (high,) * 4  # R8
    if (
        len(steps) == len(dice)
        and (board_after := checking.board_after_single_steps(board, steps, dice)) is not None
    ):
        reading = Reading(position, Position(board_after), tuple(Step(o, t) for o, t in steps))
        return PlayVerdict(position, roll, (reading,))
    for step in steps:
        if not (0 < step[0] <= BAR and OFF <= step[1] < BAR):  # R1 R30
            return _illegal_verdict(
                position, roll, Fault("play.no_such_point", rule="R1", params={"step": tuple(step)}), None
            )
    search = checking.StepSearch(board, steps, dice)
    full_plays = search.found_with_dice(len(dice))
    if full_plays:
        # R43: the last checker, borne off with one die though both could be used; the game is over either way.
        last_checker_plays = {
            board: used_steps for board, used_steps in search.found.items() if not board >> HALF
        }
        readings = _readings(position, full_plays | last_checker_plays)
        note = "R43" if len(readings[0].steps) < len(dice) else None
        return PlayVerdict(position, roll, readings, note=note)
    return _with_fewer_dice(position, roll, steps, search)


def _with_fewer_dice(
    position: Position, roll: Roll, steps: tuple[tuple[int, int], ...], search: checking.StepSearch
) -> PlayVerdict:
    """Return the verdict on a play with unused dice or an illegal step.

    The play is compared with all plays of the roll.
    """
    if not search.found:
        fault = checking.why_impossible(search)
        return _illegal_verdict(position, roll, fault, literal_result(position, steps))
    dice_demanded, boards = legal_boards(position, *roll)
    legal_results = {board: used_steps for board, used_steps in search.found.items() if board in boards}
    if legal_results:
        return PlayVerdict(position, roll, _readings(position, legal_results))
    board, used_steps = min(search.found.items(), key=lambda item: _hit_count(position, item[0]))
    return _illegal_verdict(
        position, roll, checking.why_too_few(search, used_steps, dice_demanded), Position(board)
    )


def _illegal_verdict(
    position: Position, roll: Roll, fault: Fault, standing_position: Position | None
) -> PlayVerdict:
    return PlayVerdict(position, roll, (), fault, standing_position)


def _readings(
    position: Position, steps_by_board: dict[int, tuple[tuple[int, int], ...]]
) -> tuple[Reading, ...]:
    ranked = sorted(steps_by_board.items(), key=lambda item: _hit_count(position, item[0]))
    return tuple(
        Reading(position, Position(board), tuple(Step(origin, target) for origin, target in used_steps))
        for board, used_steps in ranked
    )


def _hit_count(position: Position, board: int) -> int:
    return ((board & LOW) >> 4 * BAR) - position.other[BAR]


def literal_result(position: Position, steps: Iterable[tuple[int, int]]) -> Position | None:
    """Return the next player's position after these steps, legal or not (rule R42).

    A single enemy checker at the end of a step is hit. None if a checker is missing or two sides would share
    a point.
    """
    own, other = list(position.own), list(position.other)
    for origin, target in steps:
        if not (0 < origin <= BAR and OFF <= target < BAR) or not own[origin]:
            return None
        own[origin] -= 1
        own[target] += 1
        if target != OFF and other[BAR - target]:
            if other[BAR - target] > 1:
                return None
            other[BAR - target] = 0
            other[BAR] += 1
    return Position.from_counts(other, own)


def hit_steps(position: Position, steps: Iterable[tuple[int, int]]) -> tuple[Step, ...]:
    """Return the steps that hit an enemy checker at their end, in the given order."""
    other = position.other
    blots = {BAR - point for point in range(1, BAR) if other[point] == 1}
    hits = []
    for origin, target in steps:
        if target in blots:
            blots.discard(target)
            hits.append(Step(origin, target))
    return tuple(hits)


def _rear_first(play: Play) -> Steps:
    """Return the steps of a double, from the difference: what is missing from the rear has moved."""
    die = play.roll[0]
    arrived = [0] * (BAR + 1)
    before, after = play.position.own, play.result.other
    steps: list[Step] = []
    for point in range(BAR, 0, -1):
        moved = before[point] + arrived[point] - after[point]
        target = max(point - die, OFF)
        arrived[target] += moved
        steps += [Step(point, target)] * moved
    return tuple(steps)


def _one_then_other(play: Play) -> Steps:
    """Return the steps of a roll of two different dice.

    Both dice if possible, the higher first; else the one that can be played.
    """
    high, low = play.roll
    board = board_for_mover(play.position)
    if play.result == board:
        return ()
    single_step: Steps = ()
    for first, second in ((high, low), (low, high)):
        for origin, middle_board in steps_with(board, first):
            first_step = Step(origin, max(origin - first, OFF))
            if middle_board == play.result:
                single_step = single_step or (first_step,)
            for next_origin, last_board in steps_with(middle_board, second):
                if last_board == play.result:
                    return (first_step, Step(next_origin, max(next_origin - second, OFF)))
    return single_step
