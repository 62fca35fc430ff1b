"""Future rounds of a Swiss with lives, simulated: survivors are paired round by round until one is left.

Entries with the same number of lives meet, as in the pairing by points; either side wins with equal chance,
as in `plays`. The number of rounds differs from run to run and has no formula: 64 entries with 3 lives need
12.8 on average.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tournaments.engine.hall.forecast import ForecastMatch
from tournaments.engine.types import MatchNo

MAX_ROUNDS: Final = 400  # no field that fits into a division takes so many


def future_pair_counts(
    lives: Sequence[int], pending: Sequence[tuple[int, int]] = (), *, seed: int, runs: int
) -> NDArray[np.intp]:
    """Return the number of matches in each future round: a row for each run, a column for each round.

    The number is 0 if the simulated run is over by then. ``lives``: the lives that each entry has left;
    ``pending``: pairs that still play the present round, as indices in ``lives``; ``runs``: how many runs.
    The same ``seed`` gives the same runs.
    """
    chance = np.random.default_rng(seed)
    lives_left = np.tile(np.array(lives, dtype=np.int16), (runs, 1))
    rows = np.arange(runs)
    for a, b in pending:
        lives_left[rows, np.where(chance.random(runs) < 0.5, a, b)] -= 1
    rounds: list[NDArray[np.intp]] = []
    while len(rounds) < MAX_ROUNDS:
        pairs = (lives_left > 0).sum(axis=1) // 2
        if not pairs.any():
            break
        rounds.append(pairs)
        # Most lives first, random within their group; entries that are out come last.
        order = np.argsort(-(np.maximum(lives_left, 0) + chance.random(lives_left.shape)), axis=1)
        max_pairs = int(pairs.max())
        first, second = order[:, 0 : 2 * max_pairs : 2], order[:, 1 : 2 * max_pairs : 2]
        losers = np.where(chance.random(first.shape) < 0.5, first, second)
        lives_left[rows[:, None], losers] -= np.arange(max_pairs) < pairs[:, None]
    return np.stack(rounds, axis=1) if rounds else np.zeros((runs, 0), dtype=np.intp)


def future_rounds(
    lives: Sequence[int],
    pending: Sequence[tuple[int, int]],
    length_for_round: Callable[[int], int],
    numbers: Iterator[int],
    *,
    predecessors: tuple[MatchNo, ...],
    seed: int,
    runs: int,
) -> list[list[ForecastMatch]]:
    """Return the future rounds, each as the moment at which it begins and all matches that it has in any run.

    ``length_for_round``: gives the match length of a round, 1 being the next one; ``numbers``: yields numbers for
    new matches and moments; ``predecessors``: what has to be over before the next round. The other arguments
    are those of `future_pair_counts`.
    """
    pairs = future_pair_counts(lives, pending, seed=seed, runs=runs)
    rounds: list[list[ForecastMatch]] = []
    for nth in range(pairs.shape[1]):
        begin = ForecastMatch(MatchNo(next(numbers)), 0, predecessors)
        matches = [
            ForecastMatch(
                MatchNo(next(numbers)),
                length_for_round(nth + 1),
                (begin.number,),
                run_mask=bytes((pairs[:, nth] > place).tolist()),
            )
            for place in range(int(pairs[:, nth].max()))
        ]
        rounds.append([begin, *matches])
        predecessors = tuple(match.number for match in matches)
    return rounds
