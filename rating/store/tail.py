"""Read and rate the end of a list's history without writing: for updates, rebuilds and previews."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Max, Q

from rating.formulas import get_system
from rating.formulas.replay import (
    EXPERIENCE,
    MATCHES,
    STATE_RATING,
    WINS,
    RareAttributes,
    Row,
    State,
    Step,
    rater_for_system,
)
from rating.models import Change, Generation, RatingList, Standing
from rating.store.reading import (
    Point,
    counted_facts,
    effective_facts,
    facts_from_point,
    read_extras,
    read_rows,
)
from rating.store.writing import RemovedChange

BATCH: Final = 10_000  # players in one statement


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of a list's history from ``point`` (moment, ledger number) on, rated again.

    ``rows``: the facts; ``steps``: the changes; ``states``: the players' state afterwards, keyed by player
    id.
    """

    point: Point
    rows: list[Row]
    steps: list[Step]
    states: dict[int, State]

    @property
    def present(self) -> set[int]:
        """Return the ids of the players who have a change in it."""
        return {step[2] for step in self.steps} | {step[6] for step in self.steps if step[6]}


def generation_merges(generation: Generation) -> dict[int, int]:
    return {int(player): survivor for player, survivor in generation.merges.items()}


def tail_rows(rating_list: RatingList, generation: Generation, point: Point) -> list[Row]:
    """Return the effective facts that the list counts from ``point`` on, as rows in rating order.

    ``point``: (moment, ledger number).
    """
    facts = facts_from_point(counted_facts(rating_list, generation.clubs), point)
    return read_rows(effective_facts(facts), merges=generation_merges(generation))


def states_at(
    generation: Generation, removed: Sequence[RemovedChange], players: Iterable[int]
) -> dict[int, State]:
    """Return the state of players just before the first change of ``removed``, keyed by player id.

    These are ``players`` (ids) and all players in ``removed``. A player's first removed change has the state
    before it; the state of players without one is the present one.
    """
    player_ids = set(players) | {change.player for change in removed}
    states: dict[int, State] = {
        player: [rating, experience, matches, wins, moment]
        for player, rating, experience, matches, wins, moment in current_numbers(generation, player_ids)
    }
    reset_players: set[int] = set()
    for change in removed:
        state = states[change.player]
        if change.player not in reset_players:
            reset_players.add(change.player)
            state[STATE_RATING], state[EXPERIENCE] = change.before, change.experience
        if change.won is not None:
            state[MATCHES] -= 1
            state[WINS] -= change.won
    return states


def current_numbers(
    generation: Generation, players: set[int]
) -> Iterable[tuple[int, float, int, int, int, int]]:
    """Yield (player id, rating, experience, matches, wins, moment) of these players, queried in batches."""
    ids = sorted(players)
    for start in range(0, len(ids), BATCH):
        yield from Standing.objects.filter(
            generation=generation, player_id__in=ids[start : start + BATCH]
        ).values_list("player_id", "rating", "experience", "matches", "wins", "moment")


def rate_tail(
    rating_list: RatingList,
    generation: Generation,
    point: Point,
    removed: Sequence[RemovedChange],
    rows: list[Row],
    new_extras: Mapping[int, RareAttributes] | None = None,
) -> Tail:
    """Rate the facts from ``point`` (moment, ledger number) on without writing.

    ``removed``: the changes that are replaced; ``rows``: the facts to be rated; ``new_extras``: rare
    attributes of rows that are not in the ledger, keyed by ledger number.
    """
    system = get_system(rating_list.system)
    rate = rater_for_system(system, system.read(rating_list.parameters), start=rating_list.start)
    states = states_at(generation, removed, {player for row in rows for player in row[3:5] if player})
    facts = facts_from_point(counted_facts(rating_list, generation.clubs), point)
    extras = read_extras(facts, system) if any(row[2] for row in rows) or system.uses_weights else {}
    steps = rate(rows, states, extras={**extras, **new_extras} if new_extras else extras)
    return Tail(point, rows, steps, states)


def last_moments(generation: Generation, players: Iterable[int], before: int | None = None) -> dict[int, int]:
    """Return the time of each player's last match, or else of an opening or place, keyed by player id.

    ``before``: only what was before that moment. Times are in microseconds since 1970.
    """
    changes = Change.objects.of(generation).order_by()
    if before is not None:
        changes = changes.filter(moment__lt=before)
    moments: dict[int, int] = {}
    ids = sorted(players)
    for start in range(0, len(ids), BATCH):
        rows = (
            changes.filter(player_id__in=ids[start : start + BATCH])
            .values_list("player_id")
            .annotate(played=Max("moment", filter=Q(won__isnull=False)), last=Max("moment"))
        )
        moments.update((player, last if played is None else played) for player, played, last in rows)
    return moments


def known_before(generation: Generation, players: set[int], point: Point) -> set[int]:
    """Return which of these players (ids) have a change before ``point`` (moment, ledger number)."""
    moment, number = point
    earlier = Q(moment__lt=moment) | Q(moment=moment, fact_id__lt=number)
    changes = Change.objects.of(generation).filter(earlier, player_id__in=players).order_by()
    return set(changes.values_list("player_id", flat=True).distinct()) if players else set()
