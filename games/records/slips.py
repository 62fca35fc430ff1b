"""Search for the change of one turn with which a broken game record can be replayed further.

A wrong play shows at the turn itself or later, when a checker is missing. So all plays of the turns before
the error are tried, the nearest turn first, and other rolls where the written play is illegal. The candidates
are ranked by how far the rest can be played; ``repair.py`` checks whether the game then ends as recorded.

The effort is limited by the number of checked plays, not by time: the same record gives the same result
everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.records.boards import count_differences, mark_hits, position_from_board, swap_sides
from games.records.model import Game, Roll, RollMark, Step
from games.records.replaying import ReplayedGame
from games.rules.errors import RuleError
from games.rules.plays import Play, Reading, check_play, legal_plays
from games.rules.plays import Roll as Dice
from games.rules.position import Position
from games.rules.sides import Side

MAX_WORK: Final = 1_700  # checked plays for one game: less than 0.1 s
_MAX_TOTAL_WORK: Final = (
    30_000  # including the last change tried; exceeded only in games of thousands of turns
)
_MAX_FORKS: Final = 100  # ambiguous plays on one path
_ROLLS: Final = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


@dataclass(frozen=True, slots=True)
class TurnChange:
    """A corrected turn: the same roll with another play, or the same play with another roll.

    ``turn`` counts from 1 within the game. ``steps`` is the corrected play, with a step for each die;
    ``written`` the recorded one. ``cost``: the number of points or dice that differ.
    """

    turn: int
    side: Side
    written_dice: tuple[int, int]
    dice: tuple[int, int]
    written: tuple[Step, ...]
    steps: tuple[Step, ...]
    cost: int

    @property
    def is_dice_change(self) -> bool:
        return sorted(self.dice) != sorted(self.written_dice)


@dataclass(frozen=True, slots=True)
class _Turn:
    """A roll of the game; ``last``: True if no action follows it."""

    turn: int
    roll: Roll
    last: bool

    @property
    def steps(self) -> list[tuple[int, int]]:
        return [(step.source, step.target) for step in self.roll.steps]


@dataclass(frozen=True, slots=True)
class ChangeOutcome:
    """A change and its effect. ``reach``: the index of the next roll that cannot be played.

    ``after``: the board after the changed turn, as the next roller sees it.
    """

    change: TurnChange
    after: Position
    reach: int


@dataclass(frozen=True, slots=True)
class PartialRepair:
    """A game corrected up to the next roll that cannot be played.

    ``slip``: the index of that roll. ``boards``: the board before each roll up to it, keyed by index.
    ``first_index``: the first roll that may be changed to correct it.
    """

    changes: tuple[TurnChange, ...]
    slip: int
    boards: dict[int, Position]
    first_index: int = 0


class SlipSearch:
    """The search for changes of turns of one game with which the rest of it can be played."""

    def __init__(self, game: Game, replayed_game: ReplayedGame) -> None:
        self.rolls = [
            _Turn(turn, action, turn == len(game.actions))
            for turn, action in enumerate(game.actions, 1)
            if isinstance(action, Roll)
        ]
        self.befores = {state.turn: state.before for state in replayed_game.states}
        self.work = 0
        self._memory: dict[tuple[int, Position], int] = {}

    @property
    def is_exhausted(self) -> bool:
        return self.work > MAX_WORK

    # -- playing on

    def first_unplayable_index(self, index: int, position: Position, forks: int = 0) -> int:
        """Return the index of the first roll from ``index`` on that cannot be played; ``len(rolls)`` if none.

        ``position`` is seen by the player who rolls at ``index``. Of several readings of a play the best
        counts; after ``_MAX_FORKS`` ambiguous plays on one path the first is taken.
        """
        visited_keys: list[tuple[int, Position]] = []
        furthest = index
        while True:
            key = (index, position)
            if key in self._memory:
                furthest = self._memory[key]
                break
            visited_keys.append(key)
            can_continue = index < len(self.rolls) and self.work <= _MAX_TOTAL_WORK
            next_boards = self._boards_after(index, position) if can_continue else []
            if len(next_boards) != 1 and not (next_boards and forks >= _MAX_FORKS):
                boards = dict.fromkeys(next_boards)
                furthest = max(
                    (self.first_unplayable_index(index + 1, board, forks + 1) for board in boards),
                    default=index,
                )
                break
            index, position = index + 1, next_boards[0]
        for key in visited_keys:
            self._memory[key] = furthest
        return furthest

    def path(self, index: int, position: Position) -> dict[int, Position]:
        """Return the boards before each roll from ``index`` on that can be played, keyed by index."""
        boards = {index: position}
        while index < len(self.rolls):
            next_boards = self._boards_after(index, position)
            if not next_boards:
                break
            index, position = (
                index + 1,
                max(next_boards, key=lambda board: self.first_unplayable_index(index + 1, board)),
            )
            boards[index] = position
        return boards

    def _boards_after(self, index: int, board: Position) -> list[Position]:
        """Return the boards to which the written play may lead, as the next roller sees them.

        Empty if the play is illegal.
        """
        entry = self.rolls[index]
        roll = entry.roll
        if roll.mark is not RollMark.PLAYED:
            boards = [board.swap() if roll.mark is RollMark.UNPLAYED else _condoned_board(roll, board)]
        elif not roll.steps and entry.last:
            boards = [board.swap()]  # given up after rolling
        else:
            boards = self._play_results(board, roll.dice, entry.steps)
        return [
            self._seen_by_next_roller(index, position)
            for position in boards
            if self._can_continue(index, position)
        ]

    def _play_results(
        self, board: Position, dice: tuple[int, int], steps: list[tuple[int, int]]
    ) -> list[Position]:
        self.work += 1
        try:
            verdict = check_play(board, dice, steps)
        except RuleError:
            return []
        return [reading.result for reading in verdict.readings]

    def _can_continue(self, index: int, position: Position) -> bool:
        """Return whether the game can go on: not after a player has borne off all checkers (rule R31)."""
        return self.rolls[index].last or not position.other_all_off

    def _seen_by_next_roller(self, index: int, position: Position) -> Position:
        """Return the position as the next roller sees it.

        That is the same player again if the opponent could not enter (rule R10).
        """
        if index + 1 >= len(self.rolls):
            return position
        is_same_side = self.rolls[index + 1].roll.side is self.rolls[index].roll.side
        return position.swap() if is_same_side else position

    # -- changes

    def changes_past_slip(self, partial: PartialRepair) -> list[ChangeOutcome]:
        """Return the changes at or before the wrong roll that carry the game past it, furthest first."""
        outcomes: list[ChangeOutcome] = []
        slip, boards = partial.slip, partial.boards
        for index in range(slip, partial.first_index - 1, -1):
            if self.is_exhausted:
                break
            roll, board = self.rolls[index].roll, boards[index]
            if roll.mark is not RollMark.PLAYED or 0 in roll.dice:
                continue
            other_rolls = self._other_rolls(index, board) if index == slip else ()
            for dice, play in (*other_rolls, *self._other_plays(index, board, slip=slip)):
                if self.is_exhausted or not self._can_continue(index, play.result):
                    continue
                next_board = self._seen_by_next_roller(index, play.result)
                if index < slip and not self._can_help(index, slip, next_board, boards):
                    continue
                reach = self.first_unplayable_index(index + 1, next_board)
                if reach > slip:
                    outcomes.append(ChangeOutcome(self._change(index, board, dice, play), next_board, reach))
        return sorted(
            outcomes, key=lambda outcome: (-outcome.reach, outcome.change.cost, -outcome.change.turn)
        )

    def _other_plays(self, index: int, board: Position, *, slip: int) -> Iterator[tuple[Dice, Play]]:
        """Return the legal plays of the roll except the written one, each with the dice."""
        entry = self.rolls[index]
        dice = entry.roll.dice
        written_results = set() if index == slip else set(self._play_results(board, dice, entry.steps))
        self.work += 2
        return ((dice, play) for play in legal_plays(board, dice) if play.result not in written_results)

    def _other_rolls(self, index: int, board: Position) -> Iterator[tuple[Dice, Reading]]:
        """Yield the rolls with which the written play is legal, each with a reading of the play.

        An opening roll is no double (rule R7).
        """
        entry = self.rolls[index]
        written_dice = sorted(entry.roll.dice, reverse=True)
        for dice in _ROLLS:
            if list(dice) != written_dice and not (index == 0 and dice[0] == dice[1]):
                self.work += 1
                for reading in check_play(board, dice, entry.steps).readings:
                    yield dice, reading

    def _change(self, index: int, board: Position, dice: Dice, play: Play | Reading) -> TurnChange:
        entry = self.rolls[index]
        roll = entry.roll
        if isinstance(play, Play):
            cost = _distance(board, roll.steps, play.result)
        else:
            cost = 2 - max((dice[0] == a) + (dice[1] == b) for a, b in (roll.dice, roll.dice[::-1]))
        steps = mark_hits(board, play.steps)
        return TurnChange(entry.turn, roll.side, roll.dice, dice, roll.steps, steps, cost)

    def _can_help(self, index: int, slip: int, next_board: Position, boards: dict[int, Position]) -> bool:
        """Return whether the illegal play becomes legal if the difference that a change makes persists.

        A cheap filter: most changes move other checkers.
        """
        written_board = boards[index + 1]
        is_same_side = self.rolls[index + 1].roll.side is self.rolls[slip].roll.side
        slip_board = boards[slip] if is_same_side else boards[slip].swap()
        own = [
            now + new - old
            for now, new, old in zip(slip_board.own, next_board.own, written_board.own, strict=True)
        ]
        other = [
            now + new - old
            for now, new, old in zip(slip_board.other, next_board.other, written_board.other, strict=True)
        ]
        if min(own) < 0 or min(other) < 0 or any(own[point] and other[25 - point] for point in range(1, 25)):
            return True  # the point is occupied meanwhile: the replay has to decide
        changed_board = Position.from_counts(own, other)
        return bool(self._boards_after(slip, changed_board if is_same_side else changed_board.swap()))


def _condoned_board(roll: Roll, before: Position) -> Position:
    """Return the recorded board after an illegal play that was accepted, as the next player sees it.

    Programs write it from different views; the board that differs least from the one before is taken.
    """
    if roll.after is None:
        return before.swap()
    positions = [
        position_from_board(board, roll.side.other) for board in (roll.after, swap_sides(roll.after))
    ]
    boards = [position for position in positions if position is not None]
    return min(boards, key=lambda position: count_differences(position, before.swap()), default=before.swap())


def _distance(board: Position, written_steps: tuple[Step, ...], result: Position) -> int:
    """Return the number of points that a play names differently from the written play, at least 1."""
    net = [0] * 26
    for step in written_steps:
        net[step.source] += 1
        net[step.target] -= 1
    counts_after = result.other
    difference = sum(abs(net[point] - (board.own[point] - counts_after[point])) for point in range(26))
    return max(1, (difference + 1) // 2)
