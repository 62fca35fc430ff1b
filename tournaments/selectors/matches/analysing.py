"""Progress of the analyses of an event's matches, for the director: counts and states, no content."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import QuerySet

from games.models import RecordAnalysis
from games.selectors import best_analyses
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import ResultKind
from tournaments.models import Event, Match, Stage
from tournaments.selectors.matches.records import counting_records

State = RecordAnalysis.State


@dataclass(frozen=True, slots=True)
class AnalysisProgress:
    """Counts of matches: ``played``, ``with_games`` (a game record counts), and by state of the analysis."""

    played: int = 0
    with_games: int = 0
    done: int = 0
    working: int = 0
    waiting: int = 0
    failed: int = 0
    behind: int = 0  # of those that wait: asked for with others, so that they can be called off

    @property
    def open(self) -> int:
        """Number of matches with a game record whose analysis was not requested."""
        return self.with_games - self.done - self.working - self.waiting - self.failed

    @property
    def coming(self) -> int:
        return self.waiting + self.working

    def __add__(self, other: "AnalysisProgress") -> "AnalysisProgress":
        return AnalysisProgress(
            *(getattr(self, name) + getattr(other, name) for name in AnalysisProgress.__dataclass_fields__)
        )


def analysis_progress(event: Event) -> dict[int, AnalysisProgress]:
    """Return the progress of analyses, keyed by stage id, for stages with played matches; three queries."""
    matches = _played_matches(event)
    stages = dict(matches.order_by().values_list("pk", "stage_id"))
    records = counting_records(matches)
    best_by_record = best_analyses({row.record_id for row in records.values()}) if records else {}
    counts: dict[int, Counter[str]] = {}
    for match, stage in stages.items():
        count = counts.setdefault(stage, Counter())
        count["played"] += 1
        if match not in records:
            continue
        count["with_games"] += 1
        row = best_by_record.get(records[match].record_id)
        if row is not None:
            count[row.state] += 1
            count["behind"] += row.state == State.WAITING and row.behind
    return {stage: AnalysisProgress(**count) for stage, count in counts.items()}


def records_to_request(event: Event, *, stage: Stage | None = None, match: Match | None = None) -> list[int]:
    """Return the ids of the game records that count for the event's played matches.

    ``stage``, ``match``: only of this stage or match.
    """
    matches = _played_matches(event)
    if stage is not None:
        matches = matches.filter(stage=stage)
    if match is not None:
        matches = matches.filter(pk=match.pk)
    return sorted({row.record_id for row in counting_records(matches).values()})


def _played_matches(event: Event) -> QuerySet[Match]:
    confirmed = Match.objects.filter(stage__division__event=event, status=MatchStatus.CONFIRMED)
    return confirmed.exclude(result_kind=ResultKind.BYE)
