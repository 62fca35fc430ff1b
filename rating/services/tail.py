"""Write the end of a list's order anew, and the standings that follow from it."""

from collections.abc import Sequence

from rating.formulas.replay import MOMENT
from rating.models import Change, Generation, RatingList, Standing
from rating.store.reading import Point
from rating.store.tail import Tail, rate_tail, tail_rows
from rating.store.writing import TakenChange, standing_rows, take_steps, write_standings, write_steps


def replay_from(rating_list: RatingList, generation: Generation, point: Point) -> Tail:
    """Take the history from ``point`` on away and write it anew. The caller holds the list's lock."""
    rows = tail_rows(rating_list, generation, point)
    taken = take_steps(generation, point)
    tail = rate_tail(rating_list, generation, point, taken, rows)
    write_steps(generation, tail.steps)
    _settle(generation, tail, taken)
    return tail


def _settle(generation: Generation, tail: Tail, taken: Sequence[TakenChange]) -> None:
    """Standings follow. Who has no change left in the tail had their last one before it, or has none at all."""
    present = tail.present
    silent = {change.player for change in taken} - present
    gone = set()
    for player in silent:
        last = (
            Change.objects.of(generation)
            .filter(player_id=player)
            .order_by("-moment", "-fact_id")
            .values_list("moment", flat=True)
            .first()
        )
        if last is None:
            gone.add(player)
        else:
            tail.states[player][MOMENT] = last
    if gone:
        Standing.objects.filter(generation=generation, player_id__in=gone).delete()
    touched = (present | silent) - gone
    write_standings(generation, standing_rows({player: tail.states[player] for player in touched}))
