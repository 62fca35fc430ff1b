"""Generate the boards that a roll can lead to, as integers; used by ``plays.py`` only, for speed.

A board is one integer in the layout of the *next* player: low half the mover's opponent, high half the mover,
each in its own numbering, four bits a place (see ``position.py``). So a finished board is the position that
the next player sees, a move is one addition, and because the mover is in the high half, "no checker above
point p" is a comparison.

``legal_boards`` returns how many dice must be used and the set of distinct resulting boards. It is fast
because the two dice of an ordinary roll are independent, except where one checker or one blot is used by
both: the results are a product of two short lists plus a few corrections. For a double the moves are made
from the rear to the front, which meets every result exactly once.
"""

from __future__ import annotations

from games.rules.position import BAR, HALF, LOW, WIDTH

HOME_EDGE = 1 << HALF + WIDTH * 7  # a board below this has every checker of the mover at home (R24 R29)
ON_BAR = 1 << HALF + WIDTH * BAR
_OUTSIDE = HALF + WIDTH * 7
_HIGHEST_DIE = 6
# One checker so near to home that a single die may bring it there (7 to 12), and nothing else outside.
_ONE_CLOSE_OUTSIDE = frozenset(1 << WIDTH * step for step in range(_HIGHEST_DIE))
_LENGTH = 2 * (BAR + 1)
_OTHER = BAR + 1  # where the opponent begins in the text of a board
_POINTS = range(24, 0, -1)
_DICE = range(7)

# The opponent's single checker on own point q goes to the opponent's bar (R13).
_HIT = [0, *((1 << WIDTH * BAR) - (1 << WIDTH * (BAR - q)) for q in range(1, BAR))]
# MOVE[die][p]: one checker from p; off is not stored.
MOVE = [
    [(1 << HALF + WIDTH * (p - die) if p > die else 0) - (1 << HALF + WIDTH * p) for p in range(BAR + 1)]
    for die in _DICE
]
MOVE_HIT = [
    [MOVE[die][p] + (_HIT[p - die] if 0 < p - die < BAR else 0) for p in range(BAR + 1)] for die in _DICE
]
_BLOT = [15 << WIDTH * (BAR - q) for q in range(BAR)]
_HOLDS = [15 << HALF + WIDTH * p for p in range(BAR + 1)]
_ABOVE = [1 << HALF + WIDTH * (p + 1) for p in range(BAR + 1)]


def board_for_mover(position: int) -> int:
    """Return a position as the integer to which moves are added."""
    return position >> HALF | (position & LOW) << HALF


def step(board: int, origin: int, die: int) -> int | None:
    """Return the board after one checker moves from ``origin`` by ``die``, or None if that is not legal.

    Rules R13 R14 R20 R21 R24 to R28.
    """
    if not board & _HOLDS[origin]:
        return None
    if board >= ON_BAR and origin != BAR:
        return None
    q = origin - die
    if q > 0:
        opposing = board >> WIDTH * (BAR - q) & 15
        if opposing > 1:
            return None
        return board + (MOVE_HIT if opposing else MOVE)[die][origin]
    return board + MOVE[die][origin] if board < (HOME_EDGE if q == 0 else _ABOVE[origin]) else None


def steps_with(board: int, die: int) -> list[tuple[int, int]]:
    """Return (origin, board after it) for every single move of ``die`` (rules R13 R14 R21 R24 to R28)."""
    digits = f"{board:052x}"
    if digits[0] != "0":  # R21 R22: the bar first, and it may hit
        opposing = digits[_OTHER + BAR - die]
        if opposing > "1":
            return []
        return [(BAR, board + (MOVE_HIT if opposing == "1" else MOVE)[die][BAR])]
    plain, hitting = MOVE[die], MOVE_HIT[die]
    results = []
    for p in _POINTS:
        if digits[BAR - p] == "0":
            continue
        q = p - die
        if q > 0:
            opposing = digits[_OTHER + q]
            if opposing == "0":
                results.append((p, board + plain[p]))
            elif opposing == "1":
                results.append((p, board + hitting[p]))
        elif board < (HOME_EDGE if q == 0 else _ABOVE[p]):  # R24 R25, R26 and R27
            results.append((p, board + plain[p]))
    return results


def legal_boards(position: int, high: int, low: int) -> tuple[int, set[int]]:
    """Return how many dice must be used, and every board that can be reached by using them."""
    board = board_for_mover(position)
    if high == low:
        return _doubles(board, high)
    if board >= ON_BAR:
        return _dice_in_turn(board, high, low)  # R21 to R23: at most one checker has a choice
    outside = board >> _OUTSIDE
    if not outside or outside in _ONE_CLOSE_OUTSIDE:
        return _dice_in_turn(board, high, low)
    return _independent_dice(board, high, low)


def _required_boards(
    with_both: set[int], with_high: list[int], with_low: list[int], board: int
) -> tuple[int, set[int]]:
    """Return the number of dice and the boards that rules R15 to R17 and R19 demand.

    Both dice must be used if possible, else the higher, else the lower, else none.
    """
    if with_both:
        return 2, with_both
    if with_high or with_low:
        return 1, set(with_high or with_low)
    return 0, {board}


def _dice_in_turn(board: int, high: int, low: int) -> tuple[int, set[int]]:
    """Return the result of playing the dice one after the other in both orders (rule R12).

    Used where bearing off or entering is possible.
    """
    with_high = [next_board for _, next_board in steps_with(board, high)]
    with_low = [next_board for _, next_board in steps_with(board, low)]
    with_both = {last_board for next_board in with_high for _, last_board in steps_with(next_board, low)}
    with_both.update(
        [last_board for next_board in with_low for _, last_board in steps_with(next_board, high)]
    )
    return _required_boards(with_both, with_high, with_low, board)


def _independent_dice(board: int, high: int, low: int) -> tuple[int, set[int]]:
    """Return the result of playing both dice independently of each other.

    There must be no checker on the bar, and bearing off must be out of reach.
    """
    digits = f"{board:052x}"
    other_digits = digits[_OTHER:]
    own_points = [p for p, count in zip(_POINTS, digits[1:BAR], strict=True) if count != "0"]
    after_high = {}
    after_low = {}
    hits = "1" in other_digits
    for p in own_points:
        if p > high:
            landing = other_digits[p - high]
            if landing == "0":
                after_high[p] = MOVE[high][p]
            elif landing == "1":
                after_high[p] = MOVE_HIT[high][p]
        if p > low:
            landing = other_digits[p - low]
            if landing == "0":
                after_low[p] = MOVE[low][p]
            elif landing == "1":
                after_low[p] = MOVE_HIT[low][p]
    low_changes = list(after_low.values())
    with_both = {
        first + second
        for first in [board + change for change in after_high.values()]
        for second in low_changes
    }
    # A single checker cannot leave its point twice, and a blot cannot be hit twice.
    for p, change in after_high.items():
        if p in after_low and digits[BAR - p] == "1":
            with_both.discard(board + change + after_low[p])
        if hits and other_digits[p - high] == "1":
            q = p - high + low
            if q in after_low:
                with_both.discard(board + change + after_low[q])
                with_both.add(board + change + MOVE[low][q])
        # The same checker moves on (R11), from a point where the mover had no other checker.
        stop = p - high
        end = stop - low
        if end > 0 and digits[BAR - stop] == "0" and other_digits[end] < "2":
            with_both.add(board + change + (MOVE if other_digits[end] == "0" else MOVE_HIT)[low][stop])
    for p, change in after_low.items():  # R17: the higher die may be playable only now
        stop = p - low
        end = stop - high
        if end > 0 and digits[BAR - stop] == "0" and other_digits[end] < "2":
            with_both.add(board + change + (MOVE if other_digits[end] == "0" else MOVE_HIT)[high][stop])
    if with_both:
        return 2, with_both
    with_high = [board + change for change in after_high.values()]
    with_low = [board + change for change in low_changes]
    return _required_boards(with_both, with_high, with_low, board)


def _doubles(board: int, die: int) -> tuple[int, set[int]]:
    """Return the result of up to four equal moves (rules R8 R18).

    The moves are made from the rear to the front, so that no board is met twice.
    """
    digits = f"{board:052x}"
    other_digits = digits[_OTHER:]
    plain, hitting = MOVE[die], MOVE_HIT[die]
    boards_by_count: list[list[int]] = [[board], [], [], [], []]
    bar_checkers = min(int(digits[0], 16), 4)
    if bar_checkers:  # R21: only the board with as many checkers entered as possible is continued
        landing = other_digits[BAR - die]
        if landing > "1":
            return 0, {board}
        boards_by_count[0].clear()
        first = (hitting if landing == "1" else plain)[BAR]
        boards_by_count[bar_checkers].append(board + first + (bar_checkers - 1) * plain[BAR])
        if bar_checkers == 4:
            return 4, set(boards_by_count[4])
    none, one, two, three, four = boards_by_count
    reached = {BAR - die} if bar_checkers else set()
    for p in _POINTS:
        if digits[BAR - p] == "0" and p not in reached:
            continue
        q = p - die
        holds = _HOLDS[p]
        change = plain[p]
        if q > 0:
            landing = other_digits[q]
            if landing > "1":
                continue
            reached.add(q)
            if landing == "1":
                blot, hit = _BLOT[q], hitting[p]
                one += [z + (hit if z & blot else change) for z in none if z & holds]
                two += [z + (hit if z & blot else change) for z in one if z & holds]
                three += [z + (hit if z & blot else change) for z in two if z & holds]
                four += [z + (hit if z & blot else change) for z in three if z & holds]
                continue
            edge = 0
        else:
            edge = HOME_EDGE if q == 0 else _ABOVE[p]
        if edge:
            one += [z + change for z in none if z < edge and z & holds]
            two += [z + change for z in one if z < edge and z & holds]
            three += [z + change for z in two if z < edge and z & holds]
            four += [z + change for z in three if z < edge and z & holds]
        else:
            one += [z + change for z in none if z & holds]
            two += [z + change for z in one if z & holds]
            three += [z + change for z in two if z & holds]
            four += [z + change for z in three if z & holds]
    for count in (4, 3, 2, 1):
        if boards_by_count[count]:
            return count, set(boards_by_count[count])
    return 0, {board}
