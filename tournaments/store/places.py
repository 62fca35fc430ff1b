"""Final places of a division for lists of master points: entered when its last stage is over, put right with every correction.

The first stage of a division and what it feeds, stage after stage, make its places: whoever came into the last stage
stands before those who did not. A stage beside them (a jackpot, a side event) has no part in it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, time

from django.db.models import Max

from faults import Conflict
from rating.formulas.master import division_weight
from rating.services import FieldOf, FinalPlace, places_matter, settle_places
from tournaments.engine.stages.feeding import Taken
from tournaments.engine.standings.ranking import Place
from tournaments.engine.statuses import StageStatus
from tournaments.engine.types import EntryId
from tournaments.models import Division, EntryPlayer, Event, Match, Stage
from tournaments.selectors.draws import draw_of
from tournaments.selectors.events.detail import divisions_with_results
from tournaments.selectors.money import is_money, points_league
from tournaments.selectors.standings.places import division_rank
from tournaments.selectors.standings.tables import places_of


def record_places(*, event: Event, stage: Stage) -> None:
    """Bring the places of the stage's division in the ledger up to date, or take them back while it is not over.

    The caller holds the event's lock. Nothing is done where no list counts places.
    """
    if places_matter(key=_key(event, stage.division), club_id=event.club_id):
        settle_division(event, stage.division)


def settle_division(event: Event, division: Division) -> None:
    """Enter the division's places as they are now; none while it is not over, or where they count for nothing."""
    stages = _ladder(division)
    over = bool(stages) and all(stage.status == StageStatus.FINISHED for stage in stages)
    counts = over and division.team_size == 1 and stages[0].settings.conduct.rated
    places = final_places([_places(stage) for stage in stages], _players(division)) if counts else []
    settle_places(
        field=FieldOf(
            key=_key(event, division),
            club_id=event.club_id,
            size=len(places),
            played_at=_end(event, stages),
            event_key=event.public_id,
            event_weight=float(event.weight),
            division_rank=division_rank(division),
        ),
        places=places if len(places) > 1 else [],
    )


def _key(event: Event, division: Division) -> str:
    return f"place:{event.public_id}:{division.pk}"


@contextmanager
def weights_stay(event: Event) -> Iterator[None]:
    """Refuse what gives a division with results another weight for master points: facts have the one they were entered with."""
    before = _weights(event)
    yield
    after = _weights(event)
    if any(after.get(division) != before.get(division) for division in divisions_with_results(event)):
        raise Conflict("division.weight_fixed", present=event)


def _weights(event: Event) -> dict[int, float]:
    singles = Division.objects.filter(event=event, team_size=1).order_by("position")
    return {division.pk: division_weight(rank) for rank, division in enumerate(singles, start=1)}


def final_places(
    stages: Iterable[Mapping[EntryId, Place]], players: Mapping[EntryId, int]
) -> list[FinalPlace]:
    """Places of players from the places in each stage, the last stage first. A player's best entry counts."""
    found: list[FinalPlace] = []
    placed: set[int] = set()
    for places in stages:
        firsts = sorted({place.first for place in places.values()})
        for first in firsts:
            level = {
                players[entry] for entry, place in places.items() if place.first == first and entry in players
            }
            level -= placed
            found += [FinalPlace(player, len(placed) + 1, len(level)) for player in sorted(level)]
            placed |= level
    return found


def _ladder(division: Division) -> list[Stage]:
    """The division's first stage after all that it feeds: who came furthest is asked first.

    Better places are asked before worse ones, and those before all others. A stage drawn from losers has places of its own.
    """
    stages = sorted(
        (
            one
            for one in division.stages.order_by("position")
            if one.settings.feed.by_result or not one.fed_by_id
        ),
        key=lambda one: (one.settings.feed.taken is Taken.REST, one.settings.feed.first),
    )

    def above(stage: Stage) -> Iterator[Stage]:
        for feed in stages:
            if feed.fed_by_id == stage.pk:
                yield from above(feed)
        yield stage

    first = min(stages, key=lambda one: one.position, default=None)
    return list(above(first)) if first is not None else []


def _places(stage: Stage) -> Mapping[EntryId, Place]:
    return points_league(stage).places() if is_money(stage) else places_of(draw_of(stage))


def _players(division: Division) -> dict[EntryId, int]:
    rows = EntryPlayer.objects.filter(division=division).values_list("entry_id", "player_id")
    return {EntryId(entry): player for entry, player in rows}


def _end(event: Event, stages: Sequence[Stage]) -> datetime:
    """When the last match was played; noon of the event's last day where there are no matches."""
    last = Match.objects.filter(stage__in=stages).aggregate(last=Max("played_at"))["last"]
    return last or datetime.combine(event.ends_on, time(12), tzinfo=UTC)
