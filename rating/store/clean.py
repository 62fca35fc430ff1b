"""Compute a list from the beginning, by the same loop that rates it. Writes nothing."""

from collections.abc import Sequence

from rating.formulas import get_system
from rating.formulas.periods import replay_periods
from rating.formulas.replay import Row, State, Step, rater_for_system
from rating.models import Generation, RatingList
from rating.store.reading import counted_facts, read_extras
from rating.store.writing import StandingRow, periodic_rows, standing_rows


def compute_list(
    rating_list: RatingList, generation: Generation, rows: Sequence[Row]
) -> tuple[list[Step], list[StandingRow]]:
    """Return every step of the history and the final ratings of all players.

    ``rows``: all facts that count in ``generation``, in order.
    """
    system = get_system(rating_list.system)
    parameters, start = system.read(rating_list.parameters), rating_list.start
    extras = read_extras(counted_facts(rating_list, generation.clubs), system)
    if system.is_periodic:
        replay = replay_periods(rows, parameters, start=start, end_period=generation.closed, extras=extras)
        return replay.steps, periodic_rows(replay)
    states: dict[int, State] = {}
    steps = rater_for_system(system, parameters, start=start)(rows, states, extras=extras)
    return steps, standing_rows(states)
