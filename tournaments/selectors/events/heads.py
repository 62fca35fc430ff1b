"""Summaries of an event's divisions without their draws, to list them cheaply beside the displayed one."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from tournaments.engine.statuses import DRAW_PUBLIC, PLAYERS_BUSY, MatchStatus, StageStatus
from tournaments.engine.types import ResultKind
from tournaments.models import Division, Event, Match, Stage
from tournaments.selectors.entries import active_entry_counts
from tournaments.selectors.events.detail import DivisionView, all_stages, views_of_stages


@dataclass(frozen=True, slots=True)
class DivisionSummary:
    """A division, its stages and counts. ``entries``: active entries; ``playing``: matches at tables.

    ``played``: matches with a result, byes excluded. All counts are 0 if the event has only one division.
    """

    division: Division
    stages: tuple[Stage, ...]
    entries: int = 0
    played: int = 0
    playing: int = 0

    @property
    def shown(self) -> tuple[Stage, ...]:
        """The division's stages with a public draw."""
        return tuple(stage for stage in self.stages if stage.status in DRAW_PUBLIC)

    @property
    def is_over(self) -> bool:
        return all(stage.status == StageStatus.FINISHED for stage in self.stages)


def division_summaries(event: Event) -> tuple[DivisionSummary, ...]:
    """Return summaries of the divisions of ``event`` in order; three queries, one for a single division."""
    stages: dict[int, list[Stage]] = {}
    for stage in all_stages(event):
        stages.setdefault(stage.division_id, []).append(stage)
    has_several = len(stages) > 1
    entry_counts = active_entry_counts(event) if has_several else {}
    match_counts = _match_counts(event) if has_several else {}
    return tuple(
        DivisionSummary(
            division_stages[0].division,
            tuple(division_stages),
            entry_counts.get(pk, 0),
            *match_counts.get(pk, (0, 0)),
        )
        for pk, division_stages in stages.items()
    )


def views_of_summaries(summaries: Sequence[DivisionSummary]) -> tuple[DivisionView, ...]:
    """Load these divisions with draws and entries; the number of queries does not depend on their number."""
    return views_of_stages([stage for summary in summaries for stage in summary.stages])


def _match_counts(event: Event) -> dict[int, tuple[int, int]]:
    """Return the numbers of played matches and of matches at tables, keyed by division id."""
    is_played = Q(status=MatchStatus.CONFIRMED) & ~Q(result_kind=ResultKind.BYE)
    rows = Match.objects.filter(stage__division__event=event).order_by().values_list("stage__division")
    count_rows = rows.annotate(
        played=Count("pk", filter=is_played), playing=Count("pk", filter=Q(status__in=PLAYERS_BUSY))
    )
    return {division: (played, playing) for division, played, playing in count_rows}
