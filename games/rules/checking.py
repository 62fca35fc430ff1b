"""Split the steps of a play into single dice, on boards as the integers of ``generator.py``.

For ``plays.check_play`` only. A way to play is a tuple of (origin, target) pairs, one for each die.
"""

from __future__ import annotations

from faults import Fault
from games.rules.generator import HOME_EDGE, ON_BAR, step
from games.rules.position import BAR, HALF, OFF, WIDTH

StepSequence = tuple[tuple[int, int], ...]


def board_after_single_steps(board: int, steps: StepSequence, dice: tuple[int, ...]) -> int | None:
    """Return the board after the steps in this order, if each is legal with a die of its own, else None.

    None does not prove that the play is illegal. With as many steps as dice each step is one die, so there is
    at most one result.
    """
    dice_left = list(dice)
    for origin, target in steps:
        if not 0 < origin <= BAR:
            return None
        die = origin - target
        if die not in dice_left:
            if target != OFF:
                return None
            die = max(dice_left)  # R26: a higher number may bear off
            if die < origin:
                return None
        next_board = step(board, origin, die)
        if next_board is None:
            return None
        dice_left.remove(die)
        board = next_board
    return board


class StepSearch:
    """All ways to play the steps with the dice, in any order; a step may join several dice.

    `found`: the longest way to play, keyed by the board on which all steps are done. `stuck`: the state
    (board, dice, steps) with the fewest steps left, and as many dice as possible, to explain what is illegal.
    """

    def __init__(self, board: int, steps: StepSequence, dice: tuple[int, ...]) -> None:
        self.board = board
        self.steps = steps
        self.dice = dice
        self.found: dict[int, StepSequence] = {}
        self.stuck_state: tuple[int, tuple[int, ...], StepSequence] = (board, dice, steps)
        self._seen: set[tuple[int, tuple[int, ...], StepSequence]] = set()
        if len(steps) <= len(dice):
            self._search(board, dice, steps, ())

    def found_with_dice(self, count: int) -> dict[int, StepSequence]:
        return {
            board: played_steps for board, played_steps in self.found.items() if len(played_steps) == count
        }

    def _search(
        self, board: int, dice: tuple[int, ...], remaining_steps: StepSequence, played_steps: StepSequence
    ) -> None:
        if not remaining_steps:
            if board not in self.found or len(self.found[board]) < len(played_steps):
                self.found[board] = played_steps
            return
        state = (board, dice, remaining_steps)
        if state in self._seen:
            return
        self._seen.add(state)
        if (len(remaining_steps), -len(dice)) < (len(self.stuck_state[2]), -len(self.stuck_state[1])):
            self.stuck_state = state
        for index, (origin, target) in enumerate(remaining_steps):
            if (origin, target) in remaining_steps[:index]:
                continue
            other_steps = remaining_steps[:index] + remaining_steps[index + 1 :]
            for die in dict.fromkeys(dice):
                landing = max(origin - die, OFF)  # R11: each number is a move of its own
                if landing < target:
                    continue
                next_board = step(board, origin, die)
                if next_board is None:
                    continue
                dice_left = list(dice)
                dice_left.remove(die)
                next_steps = (
                    other_steps
                    if landing == target
                    else (*remaining_steps[:index], (landing, target), *remaining_steps[index + 1 :])
                )
                self._search(next_board, tuple(dice_left), next_steps, (*played_steps, (origin, landing)))


def why_impossible(search: StepSearch) -> Fault:
    """Return the fault with the rule that stops the first impossible step.

    For steps that no order of the dice allows.
    """
    if len(search.steps) > len(search.dice):
        return Fault(
            "play.too_many_steps", rule="R8", params={"steps": len(search.steps), "dice": len(search.dice)}
        )
    board, dice, remaining_steps = search.stuck_state
    # R21: while a checker is on the bar, its fault is decisive.
    remaining_steps = (
        tuple(pair for pair in remaining_steps if board >= ON_BAR and pair[0] == BAR) or remaining_steps
    )
    faults = [_why_not(board, dice, origin, target, search.board) for origin, target in remaining_steps]
    return min(faults, key=lambda fault: _TELLING_CODES.index(fault.code))


# The most informative fault where several steps are impossible.
_TELLING_CODES = (
    "play.backwards",
    "play.bar_first",
    "play.not_rolled",
    "play.no_dice_left",
    "play.blocked",
    "play.stop_blocked",
    "play.not_all_home",
    "play.higher_stands",
    "play.no_checker",
)


def _why_not(board: int, dice: tuple[int, ...], origin: int, target: int, start: int) -> Fault:
    fault_params = {"origin": origin, "target": target}
    distance = origin - target
    if distance <= 0:
        return Fault("play.backwards", rule="R2", params=fault_params)
    if board >= ON_BAR and origin != BAR:
        # R23: one has entered, another is still on the bar.
        has_entered = _checkers_on_bar(board) < _checkers_on_bar(start)
        return Fault("play.bar_first", rule="R23" if has_entered else "R21", params=fault_params)
    if not dice:
        return Fault("play.no_dice_left", rule="R8", params=fault_params)
    if not board >> HALF + WIDTH * origin & 15:
        return Fault("play.no_checker", rule="R12", params=fault_params)
    if target == OFF:
        return _why_not_off(board, dice, fault_params)
    reachable = _dice_sums(dice)
    if distance not in reachable:
        return Fault("play.not_rolled", rule="R12", params=fault_params | {"dice": dice})
    if board >> WIDTH * (BAR - target) & 15 > 1:
        return Fault("play.blocked", rule="R14", params=fault_params)
    return Fault("play.stop_blocked", rule="R11", params=fault_params)


def _why_not_off(board: int, dice: tuple[int, ...], fault_params: dict[str, int]) -> Fault:
    origin = fault_params["origin"]
    if sum(dice) < origin:
        return Fault("play.not_rolled", rule="R25", params=fault_params | {"dice": dice})
    if board - (1 << HALF + WIDTH * origin) >= HOME_EDGE:  # another checker is outside
        return Fault("play.not_all_home", rule="R24", params=fault_params)
    if max(dice) > origin:
        return Fault("play.higher_stands", rule="R27", params=fault_params)
    return Fault("play.stop_blocked", rule="R11", params=fault_params)


def why_too_few(search: StepSearch, played_steps: StepSequence, demanded: int) -> Fault:
    """Return the broken rule (R15 to R18) of legal steps that use fewer or other dice than the roll demands.

    ``demanded``: how many dice can be used.
    """
    params = {"used": len(played_steps), "demanded": demanded}
    if len(search.dice) == 4:
        return Fault("play.more_possible", rule="R18", params=params)
    if len(played_steps) == demanded:
        return Fault("play.higher_first", rule="R16", params=params | {"die": max(search.dice)})
    high, low = search.dice
    if len(played_steps) == 1:
        ((origin, target),) = played_steps
        used_die = low if origin - target == low else high
        other_die = high if used_die == low else low
        if not _is_playable(search.board, other_die):
            return Fault("play.more_possible", rule="R17", params=params | {"die": other_die})
    return Fault("play.more_possible", rule="R15", params=params)


def _is_playable(board: int, die: int) -> bool:
    return any(step(board, origin, die) is not None for origin in range(1, BAR + 1))


def _checkers_on_bar(board: int) -> int:
    return board >> HALF + WIDTH * BAR


def _dice_sums(dice: tuple[int, ...]) -> set[int]:
    """Return every sum of one or more of the dice."""
    sums = {0}
    for die in dice:
        sums |= {partial_sum + die for partial_sum in sums}
    return sums - {0}
