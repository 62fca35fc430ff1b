"""Rate the end of a list's history again, and update the present ratings."""

from collections.abc import Sequence

from rating.formulas.replay import MOMENT
from rating.models import Generation, RatingList, Standing
from rating.store.reading import Point
from rating.store.tail import Tail, last_moments, rate_tail, tail_rows
from rating.store.writing import RemovedChange, remove_steps, standing_rows, write_standings, write_steps


def replay_from(rating_list: RatingList, generation: Generation, point: Point) -> Tail:
    """Delete the history from ``point`` on, rate its facts again, and write the result, which is returned.

    ``point``: (moment, ledger number) in the rating order. The caller holds the list's lock.
    """
    rows = tail_rows(rating_list, generation, point)
    removed = remove_steps(generation, point)
    tail = rate_tail(rating_list, generation, point, removed, rows)
    write_steps(generation, tail.steps)
    _update_standings(generation, tail, removed)
    return tail


def _update_standings(generation: Generation, tail: Tail, removed: Sequence[RemovedChange]) -> None:
    """Write the present ratings of all players whose history was removed or written.

    Players without a match in the new end of the history get the time of their previous last match; without
    any history they leave the list.
    """
    present_ids = tail.present
    absent_ids = {change.player for change in removed} - present_ids
    played_ids = {player for step in tail.steps if step[6] for player in (step[2], step[6])}
    idle_ids = (absent_ids | present_ids) - played_ids
    last_by_player = last_moments(generation, idle_ids)
    for player, moment in last_by_player.items():
        tail.states[player][MOMENT] = moment
    unlisted_ids = idle_ids - last_by_player.keys()
    if unlisted_ids:
        Standing.objects.filter(generation=generation, player_id__in=unlisted_ids).delete()
    touched_ids = (present_ids | absent_ids) - unlisted_ids
    write_standings(generation, standing_rows({player: tail.states[player] for player in touched_ids}))
