"""A second opinion on the rules of play: slow, simple, and sharing nothing with the product but the numbers of points
(and, to be compared with it, `dice_demanded`).

A board here is a pair of 26-tuples, own and other, each in own numbering, index 0 being off.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise, permutations

from hypothesis import strategies as st

from games.rules.generator import legal_boards
from games.rules.plays import sort_dice
from games.rules.position import Position

BAR = 25


def board_of(position: Position):
    return position.own, position.other


def position_of(board) -> Position:
    return Position.from_counts(*board)


@cache
def single_moves(board, die):
    """(origin, target, board after) of every move of one die, straight from R13, R14, R21 and R24 to R28."""
    own, other = board
    moves = []
    for origin in range(BAR, 0, -1):
        if not own[origin] or (own[BAR] and origin != BAR):
            continue
        target = origin - die
        if target > 0:
            if other[BAR - target] >= 2:
                continue
        else:
            all_home = not any(own[7:])
            higher = any(own[origin + 1 :])
            if not all_home or (target < 0 and higher):
                continue
            target = 0
        mine, theirs = list(own), list(other)
        mine[origin] -= 1
        mine[target] += 1
        if target and theirs[BAR - target] == 1:
            theirs[BAR - target] = 0
            theirs[BAR] += 1
        moves.append((origin, target, (tuple(mine), tuple(theirs))))
    return moves


def all_ways(board, roll):
    """Every sequence of single moves that goes as far as it can: (dice used, steps, board after)."""
    orders = [(roll[0],) * 4] if roll[0] == roll[1] else list(permutations(roll))
    found = []

    def go_on(here, dice, used, steps):
        moves = single_moves(here, dice[0]) if dice else []
        if not moves:
            found.append((used, steps, here))
        for origin, target, after in moves:
            go_on(after, dice[1:], (*used, dice[0]), (*steps, (origin, target)))

    for dice in orders:
        go_on(board, dice, (), ())
    return found


def legal_ways(board, roll):
    """The ways that R15 to R18 leave: most dice, and the higher one where only one can be played."""
    ways = all_ways(board, roll)
    most = max(len(used) for used, _, _ in ways)
    ways = [way for way in ways if len(way[0]) == most]
    if most == 1 and roll[0] != roll[1] and any(used == (max(roll),) for used, _, _ in ways):
        ways = [way for way in ways if way[0] == (max(roll),)]
    return ways


def legal_results(board, roll):
    """The positions that the next player may see."""
    return {Position.from_counts(after[1], after[0]) for _, _, after in legal_ways(board, roll)}


def dice_demanded(position: Position, roll) -> int:
    """How many numbers of the roll the product wants played: 0 to 2, or to 4 with a double (R15 R18)."""
    return legal_boards(position, *sort_dice(roll))[0]


def counts(points: dict[int, int]):
    return tuple(points.get(place, 0) for place in range(BAR + 1))


def at(own: str, other: str = "24:2 13:5 8:3 6:5") -> Position:
    """`at("24:2 bar:1 6:5", "20:2")`: each side in its own numbering, as players say it."""

    def points(text):
        pairs = (word.split(":") for word in text.split())
        return {BAR if place == "bar" else int(place): int(count) for place, count in pairs}

    return Position.from_points(points(own), points(other))


def steps(text: str):
    """`steps("bar/20 6/4(2) 3/off")` as pairs, in the order written; several stops become several steps."""
    pairs = []
    for word in text.split():
        way, _, times = word.rstrip(")").partition("(")
        places = [BAR if stop == "bar" else 0 if stop == "off" else int(stop) for stop in way.split("/")]
        pairs += list(pairwise(places)) * int(times or 1)
    return tuple(pairs)


@st.composite
def positions(draw, *, most: int = 15, furthest: int = BAR) -> Position:
    """Any position of up to `most` checkers a side, standing up to `furthest`; often with blots, bars and closed points."""
    places = st.lists(st.integers(0, furthest), min_size=0, max_size=most)
    own_places, other_places = draw(places), draw(places)
    if draw(st.booleans()):  # stack some, so that points are made
        own_places = own_places[: len(own_places) // 2] * 2
        other_places = other_places[: len(other_places) // 2] * 2
    own, other = [0] * 26, [0] * 26
    for place in own_places:
        own[place] += 1
    for place in other_places:
        if place in (0, BAR) or not own[BAR - place]:
            other[place] += 1
    return Position.from_counts(own, other)


rolls = st.tuples(st.integers(1, 6), st.integers(1, 6))
