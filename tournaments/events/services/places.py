"""Entry of final places of divisions that finished before a list counted them."""

from collections.abc import Sequence

from django.db import transaction

from rating.models import Fact, FactKind
from tournaments.engine.statuses import StageStatus
from tournaments.models import Event, Stage
from tournaments.store.lock import lock_event
from tournaments.store.places import record_division_places


def record_missing_places(clubs: Sequence[int]) -> int:
    """Record missing places of the finished divisions of these clubs' events.

    Return the number of events read. Used for a list of master points created after them.
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
