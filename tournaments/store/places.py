"""Final places of divisions, for rating lists with master points.

They are entered when the last stage of the division is over, and updated by each correction. The first stage
of a division and the stages that it feeds, one after another, decide its places: entries of a later stage
rank before those that did not reach it. A stage beside them (a jackpot, a side event) does not count.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, time

from django.db.models import Max

from faults import Conflict
from rating.formulas.master import division_weight
from rating.services import FinalPlace, PlaceField, are_places_counted, sync_places
from tournaments.engine.standings.finals import final_places
from tournaments.engine.statuses import StageStatus
from tournaments.engine.types import EntryId
from tournaments.models import Division, EntryPlayer, Event, Match, Stage
from tournaments.selectors.events.detail import divisions_with_results
from tournaments.selectors.standings.finals import final_stages, stage_places
from tournaments.selectors.standings.places import division_rank


def record_places(*, event: Event, stage: Stage) -> None:
    """Update the places of the stage's division in the ledger, or remove them while it is not over.

    The caller holds the event's lock. Does nothing where no rating list counts places.
    """
    if are_places_counted(key=_places_key(event, stage.division), club_id=event.club_id):
        record_division_places(event, stage.division)


def record_division_places(event: Event, division: Division) -> None:
    """Enter the division's places in the ledger; remove them while the division is not over or not rated."""
    stages = final_stages(division)
    is_over = bool(stages) and all(stage.status == StageStatus.FINISHED for stage in stages)
    is_counted = is_over and division.team_size == 1 and stages[0].settings.conduct.rated
    places = (
        final_places([stage_places(stage) for stage in stages], _player_by_entry(division))
        if is_counted
        else []
    )
    sync_places(
        field=PlaceField(
            key=_places_key(event, division),
            club_id=event.club_id,
            size=len(places),
            played_at=_last_played_at(event, stages),
            event_key=event.public_id,
            event_weight=float(event.weight),
            division_rank=division_rank(division),
        ),
        places=[FinalPlace(*place) for place in places] if len(places) > 1 else [],
    )


def _places_key(event: Event, division: Division) -> str:
    return f"place:{event.public_id}:{division.pk}"


@contextmanager
def require_same_weights(event: Event) -> Iterator[None]:
    """Raise ``Conflict`` if the block changes the weight of a division with results for master points.

    Facts in the ledger keep the weight with which they were entered.
    """
    weights_before = _division_weights(event)
    yield
    weights_after = _division_weights(event)
    if any(
        weights_after.get(division) != weights_before.get(division)
        for division in divisions_with_results(event)
    ):
        raise Conflict("division.weight_fixed", present=event)


def _division_weights(event: Event) -> dict[int, float]:
    single_divisions = Division.objects.filter(event=event, team_size=1).order_by("position")
    return {division.pk: division_weight(rank) for rank, division in enumerate(single_divisions, start=1)}


def _player_by_entry(division: Division) -> dict[EntryId, int]:
    rows = EntryPlayer.objects.filter(division=division).values_list("entry_id", "player_id")
    return {EntryId(entry): player for entry, player in rows}


def _last_played_at(event: Event, stages: Sequence[Stage]) -> datetime:
    """Return when the last match was played; noon of the event's last day if no match was."""
    last_played = Match.objects.filter(stage__in=stages).aggregate(last=Max("played_at"))["last"]
    return last_played or datetime.combine(event.ends_on, time(12), tzinfo=UTC)
