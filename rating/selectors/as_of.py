"""Ratings of a list at a past time, read from its history: exactly those of a replay up to that time."""

from collections.abc import Collection
from dataclasses import dataclass

from rating.formulas import get_system
from rating.formulas.glicko2 import Glicko, grow_deviation
from rating.formulas.periods import DAY_MICROSECONDS, period_number
from rating.formulas.replay import EXPERIENCE, MATCHES, MOMENT, STATE_RATING, State
from rating.models import Generation, RatingList, Standing
from rating.selectors.periods import standings_before
from rating.store.reading import Point, changes_from
from rating.store.tail import known_before, last_moments, states_at
from rating.store.writing import RemovedChange, sort_changes

_BATCH = 5000


@dataclass(frozen=True, slots=True)
class PastRating:
    """A player's rating and counts at a past time; ``player`` is an id.

    ``moment``: the time of the last match or opening, in microseconds since 1970.
    """

    player: int
    rating: float
    deviation: float | None
    experience: int
    matches: int
    moment: int


def ratings_at(rating_list: RatingList, moment: int) -> list[PastRating]:
    """Return the ratings and counts of all players just before ``moment``, sorted by player id.

    ``moment`` is in microseconds since 1970. The list has to be up to date. On a list whose ratings change at
    the end of a period, the values are those at the last end of a period before ``moment``.
    """
    generation = rating_list.generation
    if generation is None:
        return []
    system = get_system(rating_list.system)
    if not system.is_periodic:
        return [
            PastRating(
                player, float(s[STATE_RATING]), None, int(s[EXPERIENCE]), int(s[MATCHES]), int(s[MOMENT])
            )
            for player, s in sorted(_states_at(rating_list, generation, moment).items())
        ]
    days: int = system.read(rating_list.parameters)["period_days"]
    period = min(period_number(moment, days), generation.closed)
    states = _states_at(rating_list, generation, period * days * DAY_MICROSECONDS)
    player_numbers = []
    before = standings_before(generation, states, period=period, days=days)
    for player, state in sorted(states.items()):
        standing = before[player]
        glicko: Glicko = grow_deviation(standing.glicko, period - 1 - standing.period)
        numbers = (int(state[EXPERIENCE]), int(state[MATCHES]), int(state[MOMENT]))
        player_numbers.append(PastRating(player, glicko.rating, glicko.deviation, *numbers))
    return player_numbers


def _states_at(rating_list: RatingList, generation: Generation, moment: int) -> dict[int, State]:
    """Return the state of each player who was on the list before ``moment``, keyed by player id."""
    point: Point = (moment, 0)
    changes = changes_from(rating_list, point).order_by()
    fields = changes.values_list("fact_id", "moment", "player_id", "won", "before", "experience")
    removed_changes = sort_changes([RemovedChange(*values) for values in fields])
    reset_states = states_at(generation, removed_changes, ())
    # An opening rating discards what was before it, so experience is read from the change, like the rating.
    known_ids = known_before_in_batches(generation, set(reset_states), point)
    last_by_player = last_moments(generation, known_ids, before=moment)
    states: dict[int, State] = {}
    for player, *state in (
        Standing.objects.filter(generation=generation)
        .values_list("player_id", "rating", "experience", "matches", "wins", "moment")
        .iterator(chunk_size=_BATCH)
    ):
        if player not in reset_states:
            states[player] = state
        elif player in known_ids:
            states[player] = [*reset_states[player][:MOMENT], last_by_player[player]]
    return states


def known_before_in_batches(generation: Generation, players: Collection[int], point: Point) -> set[int]:
    """Return which of these players (ids) have a change before ``point`` (moment, ledger number).

    Makes several queries if needed.
    """
    ids, known_ids = sorted(players), set[int]()
    for start in range(0, len(ids), _BATCH):
        known_ids |= known_before(generation, set(ids[start : start + _BATCH]), point)
    return known_ids
