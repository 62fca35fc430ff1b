"""Boards as files write them, and the effect of a play on a board, legal or not.

Whether plays are legal is decided by ``games.rules``; here letters and signed counts become a board, a board
becomes a position, hits are marked, and checkers are moved as recorded.
"""

from __future__ import annotations

from typing import Any

from games.records.model import Board, Setup, Step
from games.rules.errors import RuleError
from games.rules.position import Position
from games.rules.sides import Side


def board_from_letters(letters: str) -> Board | None:
    """Return the board that 26 letters describe: opponent's bar, points 1–24, own bar; None if impossible.

    Letters count checkers (A is one); capitals are the own side, here White.
    """
    own, other = [0] * 26, [0] * 26
    for index, letter in enumerate(letters):
        if letter == "-":
            continue
        count = ord(letter.lower()) - ord("a") + 1
        if letter.isupper():
            own[index] = count
        else:
            other[25 - index] = count
    if sum(own) > 15 or sum(other) > 15 or own[0] or other[0]:
        return None
    own[0], other[0] = 15 - sum(own), 15 - sum(other)
    return Board(tuple(own), tuple(other))


def board_from_view(counts: tuple[int, ...], viewer: Side) -> Board | None:
    """Return the board that 26 signed counts describe, as ``viewer`` sees it; None if impossible.

    The opponent's bar (negative), points 1–24 in the viewer's numbering, the own bar; own checkers are
    positive.
    """
    own, other = [0] * 26, [0] * 26
    for index, count in enumerate(counts):
        if count > 0 and index:
            own[index] = count
        elif count < 0 and index < 25:
            other[25 - index] = -count
    if sum(own) > 15 or sum(other) > 15:
        return None
    own[0], other[0] = 15 - sum(own), 15 - sum(other)
    own_counts, other_counts = tuple(own), tuple(other)
    return Board(own_counts, other_counts) if viewer is Side.WHITE else Board(other_counts, own_counts)


def board_from_signed(counts: list[int], viewer: Side) -> Board | None:
    """Return the board that 26 signed counts describe; None if impossible.

    First and last are the two bars, in between the points in the viewer's own numbering; the viewer's
    checkers are positive. A Snowie text begins with the viewer's bar, other programs with the opponent's; a
    bar's side is found by its position (Snowie) or its sign (others).
    """
    own, other = [0] * 26, [0] * 26
    own[25], other[25] = abs(counts[0]), abs(counts[25])
    for point in range(1, 25):
        count = counts[point]
        if count > 0:
            own[point] = count
        elif count < 0:
            other[25 - point] = -count
    if sum(own) > 15 or sum(other) > 15:
        return None
    own[0], other[0] = 15 - sum(own), 15 - sum(other)
    own_counts, other_counts = tuple(own), tuple(other)
    return Board(own_counts, other_counts) if viewer is Side.WHITE else Board(other_counts, own_counts)


def is_usual_start(setup: Setup) -> bool:
    """Return whether a set-up only states the position that every game begins with (rule R3)."""
    is_start_board = setup.board is None or position_from_board(setup.board, Side.WHITE) == Position.start()
    return is_start_board and setup.cube in (None, 1) and setup.owner is None


def swap_sides(board: Board) -> Board:
    """Return the board with White's and Black's checkers exchanged."""
    return Board(board.black, board.white)


def count_differences(left: Position, right: Position) -> tuple[int, int]:
    """Return how many checkers differ between two positions: of the player on roll, and of both players.

    The player on roll has not moved in the play that led to these positions.
    """
    own_difference = sum(abs(first - second) for first, second in zip(left.own, right.own, strict=True))
    return own_difference, own_difference + sum(
        abs(first - second) for first, second in zip(left.other, right.other, strict=True)
    )


def position_from_board(board: Board, viewer: Side) -> Position | None:
    """Return the board as a position seen by ``viewer``; None if impossible (two colours on a point)."""
    own, other = (board.white, board.black) if viewer is Side.WHITE else (board.black, board.white)
    try:
        return Position.from_counts(own, other)
    except RuleError:
        return None


def mark_hits(before: Position, steps: tuple[Any, ...]) -> tuple[Step, ...]:
    """Return the steps with every hit marked, whether or not the file marks it."""
    other = before.other
    if not steps or 1 not in other[1:25]:
        return tuple(Step(step[0], step[1]) for step in steps)
    blots = {25 - point for point in range(1, 25) if other[point] == 1}
    marked = []
    for step in steps:
        target = step[1]
        hit = target in blots and target != 0
        if hit:
            blots.discard(target)
        marked.append(Step(step[0], target, hit))
    return tuple(marked)


def apply_possible_steps(before: Position, steps: tuple[Step, ...]) -> Position:
    """Return the position after those steps that are possible, as the next player sees it.

    A step is impossible without a checker where it begins, or with its end blocked.
    """
    own, other = list(before.own), list(before.other)
    for source, target, _ in steps:
        if not own[source] or not 0 <= target < source or (target and other[25 - target] > 1):
            continue
        own[source] -= 1
        own[target] += 1
        if target and other[25 - target] == 1:
            other[25 - target] = 0
            other[25] += 1
    return Position.from_counts(other, own)
