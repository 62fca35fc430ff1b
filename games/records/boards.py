"""Boards as files show them, and what a play does to one whether or not it was legal.

Whether it was legal, `games.rules` says; here is the carpentry around it: letters and signed counts to a board, a board to
a position, hits marked, checkers put where a record puts them.
"""

from __future__ import annotations

from typing import Any

from games.records.model import Board, Setup, Step
from games.rules.errors import RuleError
from games.rules.position import Position
from games.rules.sides import Side


def board_from_letters(letters: str) -> Board | None:
    """26 letters: opponent's bar, points 1–24, own bar; capitals are the own side, here White."""
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
    """26 signed counts: the other's bar (negative), own points 1–24, the own bar."""
    own, other = [0] * 26, [0] * 26
    for index, count in enumerate(counts):
        if count > 0 and index:
            own[index] = count
        elif count < 0 and index < 25:
            other[25 - index] = -count
    if sum(own) > 15 or sum(other) > 15:
        return None
    own[0], other[0] = 15 - sum(own), 15 - sum(other)
    mine, theirs = tuple(own), tuple(other)
    return Board(mine, theirs) if viewer is Side.WHITE else Board(theirs, mine)


def board_from_signed(counts: list[int], viewer: Side) -> Board | None:
    """26 signed counts: first and last are the two bars, the points between are by the viewer's own numbering.

    The viewer's checkers are positive. A Snowie line begins with the viewer's bar, other programs with the
    opponent's; the sign of a bar is not relied on, its place is (Snowie) or its sign tells (others).
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
    mine, theirs = tuple(own), tuple(other)
    return Board(mine, theirs) if viewer is Side.WHITE else Board(theirs, mine)


def is_usual_start(setup: Setup) -> bool:
    """A set-up that says what every game begins with anyway (R3)."""
    usual = setup.board is None or position_from_board(setup.board, Side.WHITE) == Position.start()
    return usual and setup.cube in (None, 1) and setup.owner is None


def swap_sides(board: Board) -> Board:
    """The board with the sides exchanged."""
    return Board(board.black, board.white)


def count_differences(one: Position, two: Position) -> tuple[int, int]:
    """How many checkers of the next player, who has not moved, stand elsewhere; then how many of both."""
    own = sum(abs(first - second) for first, second in zip(one.own, two.own, strict=True))
    return own, own + sum(abs(first - second) for first, second in zip(one.other, two.other, strict=True))


def position_from_board(board: Board, viewer: Side) -> Position | None:
    """A recorded board as this side sees it; None where no such board can stand (two colours on a point)."""
    own, other = (board.white, board.black) if viewer is Side.WHITE else (board.black, board.white)
    try:
        return Position.from_counts(own, other)
    except RuleError:
        return None


def mark_hits(before: Position, steps: tuple[Any, ...]) -> tuple[Step, ...]:
    """The steps with every hit marked, whether or not the writer did."""
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
    """The next player's board after those of the steps that can be made at all: something has to stand there."""
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
