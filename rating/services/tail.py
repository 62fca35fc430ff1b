"""Replay the end of a list's history, and update the standings."""

from collections.abc import Sequence

from rating.formulas.replay import MOMENT
from rating.models import Generation, RatingList, Standing
from rating.store.reading import Point
from rating.store.tail import Tail, last_moments, rate_tail, tail_rows
from rating.store.writing import RemovedChange, remove_steps, standing_rows, write_standings, write_steps


def replay_from(rating_list: RatingList, generation: Generation, point: Point) -> Tail:
    """Remove the history from ``point`` on and write it anew. The caller holds the list's lock."""
    rows = tail_rows(rating_list, generation, point)
    taken = remove_steps(generation, point)
    tail = rate_tail(rating_list, generation, point, taken, rows)
    write_steps(generation, tail.steps)
    _update_standings(generation, tail, taken)
    return tail


def _update_standings(generation: Generation, tail: Tail, taken: Sequence[RemovedChange]) -> None:
    """Update standings. Players without a match in the tail get their previous last match, if any."""
    present = tail.present
    silent = {change.player for change in taken} - present
    played = {player for step in tail.steps if step[6] for player in (step[2], step[6])}
    idle = (silent | present) - played
    last = last_moments(generation, idle)
    for player, moment in last.items():
        tail.states[player][MOMENT] = moment
    gone = idle - last.keys()
    if gone:
        Standing.objects.filter(generation=generation, player_id__in=gone).delete()
    touched = (present | silent) - gone
    write_standings(generation, standing_rows({player: tail.states[player] for player in touched}))
