"""When matches of stages were called, started and confirmed; two queries for any number of stages."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from tournaments.engine.statuses import IN_PROGRESS, MatchStatus
from tournaments.engine.types import ResultKind
from tournaments.models import Match

MAX_LATEST_RESULTS = 24  # results of all stages together


@dataclass(frozen=True, slots=True)
class StageTimes:
    """Times of matches: ``called`` and ``started`` by match id.

    ``latest``: the last results of each stage id, as match id and time, newest first.
    """

    called: Mapping[int, datetime] = field(default_factory=dict)
    started: Mapping[int, datetime] = field(default_factory=dict)
    latest: Mapping[int, list[tuple[int, datetime]]] = field(default_factory=dict)


def stage_times(stages: Collection[int]) -> StageTimes:
    """Return the times of matches under way in these stages (ids), and of their last results.

    At most ``MAX_LATEST_RESULTS`` results of all stages together; byes are left out.
    """
    if not stages:
        return StageTimes()
    under_way = Match.objects.filter(stage__in=stages, status__in=IN_PROGRESS).order_by()
    called: dict[int, datetime] = {}
    started: dict[int, datetime] = {}
    for pk, called_at, started_at in under_way.values_list("pk", "called_at", "started_at"):
        if called_at is not None:
            called[pk] = called_at
        if started_at is not None:
            started[pk] = started_at
    results = Match.objects.filter(stage__in=stages, status=MatchStatus.CONFIRMED)
    results = results.exclude(result_kind=ResultKind.BYE).order_by("-confirmed_at", "-pk")
    latest: dict[int, list[tuple[int, datetime]]] = {}
    for pk, stage, confirmed_at in results.values_list("pk", "stage_id", "confirmed_at")[:MAX_LATEST_RESULTS]:
        if confirmed_at is not None:
            latest.setdefault(stage, []).append((pk, confirmed_at))
    return StageTimes(called, started, latest)
