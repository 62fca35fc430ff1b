"""Recording of final places in divisions that finished before a list of master points counted them."""

from collections.abc import Sequence

from django.db import transaction

from rating.models import Fact, FactKind
from tournaments.engine.statuses import StageStatus
from tournaments.models import Event, Stage
from tournaments.store.lock import lock_event
from tournaments.store.places import record_division_places


def record_missing_places(clubs: Sequence[int]) -> int:
    """Record the final places of finished divisions in these clubs' events, for a new list of master points.

    ``clubs``: ids. Events with recorded places are skipped. Returns the number of events for which places
    were recorded.
    """
    recorded_places = Fact.objects.filter(club_id__in=clubs, kind=FactKind.PLACE).order_by()
    finished = Stage.objects.filter(status=StageStatus.FINISHED, division__team_size=1).order_by()
    events = (
        Event.objects.filter(club_id__in=clubs, divisions__stages__in=finished)
        .exclude(public_id__in=recorded_places.values("event_key"))
        .order_by("pk")
        .distinct()
    )
    event_ids = list(events.values_list("pk", flat=True))
    for pk in event_ids:
        with transaction.atomic():
            event = lock_event(pk)
            for division in event.divisions.all():
                record_division_places(event, division)
    return len(event_ids)
