"""When matches of an event were called, begun and confirmed: two queries for any number of stages."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from tournaments.engine.statuses import BEGUN, MatchStatus
from tournaments.engine.types import ResultKind
from tournaments.models import Match

LATEST = 24  # results of all stages together


@dataclass(frozen=True, slots=True)
class Moments:
    """By database ids of matches. ``latest``: the last results by stage, the newest first, each with its moment."""

    called: Mapping[int, datetime] = field(default_factory=dict)
    started: Mapping[int, datetime] = field(default_factory=dict)
    latest: Mapping[int, list[tuple[int, datetime]]] = field(default_factory=dict)


def moments_of(stages: Collection[int]) -> Moments:
    """The moments of matches under way in these stages, and of their last results; byes are no results."""
    if not stages:
        return Moments()
    under_way = Match.objects.filter(stage__in=stages, status__in=BEGUN).order_by()
    called: dict[int, datetime] = {}
    started: dict[int, datetime] = {}
    for pk, call, start in under_way.values_list("pk", "called_at", "started_at"):
        if call is not None:
            called[pk] = call
        if start is not None:
            started[pk] = start
    results = Match.objects.filter(stage__in=stages, status=MatchStatus.CONFIRMED)
    results = results.exclude(result_kind=ResultKind.BYE).order_by("-confirmed_at", "-pk")
    latest: dict[int, list[tuple[int, datetime]]] = {}
    for pk, stage, at in results.values_list("pk", "stage_id", "confirmed_at")[:LATEST]:
        if at is not None:
            latest.setdefault(stage, []).append((pk, at))
    return Moments(called, started, latest)
