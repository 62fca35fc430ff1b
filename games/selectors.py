"""Read records for pages: files held beside a form, imports of a club with their progress, and analyses."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields

from django.db.models import Case, Count, Q, QuerySet, When
from django.utils import timezone

from faults import Missing
from games.models import (
    HELD_RECORD_LIFETIME,
    AnalysedDecision,
    AnalysedSide,
    HeldRecord,
    ImportedFile,
    RecordAnalysis,
    RecordImport,
)
from games.records.analysis import Chances, CubeEquities, Decision, DecisionKind, RankedPlay
from games.records.model import Step
from games.records.summing import OpeningPlay, SideSum, pool_sides
from games.records.validation import VerdictDecision as Verdict
from games.rules.sides import Side as GameSide
from people.models import Club, Restriction, User
from people.permissions import DIRECTOR_ROLES, may_direct
from people.rows import one_or_none


def held_record(key: str, purpose: str | None = None) -> HeldRecord | None:
    """Return the held file with this secret key, or None if there is none or it is too old.

    ``purpose``: the form that it must be for; None: any, for viewing.
    """
    if not key or len(key) > 40 or "\0" in key:
        return None
    records = HeldRecord.objects.filter(key=key, created_at__gte=timezone.now() - HELD_RECORD_LIFETIME)
    return (records if purpose is None else records.filter(purpose=purpose)).first()


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """How many files of an import are checked, and how many have which verdict.

    ``valid``: without notes; ``noted``: valid with notes, ``faulty``: with errors.
    """

    total: int
    done: int
    valid: int
    noted: int
    doubtful: int
    faulty: int
    unreadable: int

    @property
    def finished(self) -> bool:
        return self.done == self.total


def clubs_of_director(user: User) -> list[Club]:
    """Return the clubs for which ``user`` may import records."""
    clubs = Club.objects.filter(memberships__user=user, memberships__role__in=DIRECTOR_ROLES)
    clubs = clubs.exclude(shut=Restriction.REMOVED)
    return list(clubs.order_by("name", "pk").distinct())


def imports_for(user: User) -> QuerySet[RecordImport]:
    """Return the query for imports of the clubs that the user directs, newest first."""
    return (
        RecordImport.objects.filter(club__in=clubs_of_director(user)).select_related("club").order_by("-pk")
    )


def visible_import(user: User, public_id: str) -> RecordImport:
    """Return the import with this public id. Raises ``Missing`` if the user does not direct its club."""
    batch = one_or_none(RecordImport.objects.select_related("club").filter(public_id=public_id))
    if batch is None or not may_direct(user, batch.club):
        raise Missing("import.unknown")
    return batch


def import_progress(batch: RecordImport) -> ImportProgress:
    """Return the progress of an import; one query."""
    counts = batch.files.aggregate(
        total=Count("pk"),
        done=Count("pk", filter=Q(done=True)),
        valid=Count("pk", filter=Q(decision=Verdict.ACCEPT)),
        noted=Count("pk", filter=Q(decision=Verdict.ACCEPT_WITH_NOTES)),
        doubtful=Count("pk", filter=Q(decision=Verdict.DOUBTFUL)),
        faulty=Count("pk", filter=Q(decision=Verdict.REJECT)),
        unreadable=Count("pk", filter=Q(decision=Verdict.UNREADABLE)),
    )
    return ImportProgress(**counts)


def import_files(batch: RecordImport, decision: str = "") -> QuerySet[ImportedFile]:
    """Return the checked files of an import, in its order; if given, only those with this ``decision``."""
    files = batch.files.filter(done=True).order_by("position")
    return files.filter(decision=decision) if decision else files


def imported_file(batch: RecordImport, position: int) -> ImportedFile:
    """Return the file at this position of an import, with its record. Raises ``Missing``."""
    file = batch.files.select_related("record").filter(position=position).exclude(record=None).first()
    if file is None:
        raise Missing("import.file_unknown")
    return file


def best_analysis(record_id: int) -> RecordAnalysis | None:
    """Return the analysis of a record to be shown, or None.

    A finished one comes before others, the file's own first, then one that is accurate enough for a rating.
    """
    return best_analyses([record_id]).get(record_id)


def best_analyses(record_ids: Collection[int]) -> dict[int, RecordAnalysis]:
    """Return the analysis to be shown of each record that has one, keyed by record id. One query."""
    done_first = Case(When(state=RecordAnalysis.State.DONE, then=0), default=1)
    rows = RecordAnalysis.objects.filter(record__in=record_ids)
    analysis_by_record: dict[int, RecordAnalysis] = {}
    for row in rows.order_by(done_first, "-of_file", "-rates", "-pk"):
        analysis_by_record.setdefault(row.record_id, row)
    return analysis_by_record


def performance_ratings(analyses: Collection[RecordAnalysis]) -> Mapping[tuple[int, GameSide], float]:
    """Return the performance ratings, keyed by (analysis id, side of the file). One query."""
    sums = side_sums([row for row in analyses if row.rates and row.state == RecordAnalysis.State.DONE])
    ratings = {
        (pk, side): pool_sides([side_sum]).rating
        for pk, sides in sums.items()
        for side, side_sum in sides.items()
    }
    return {key: rating for key, rating in ratings.items() if rating is not None}


def side_sums(analyses: Collection[RecordAnalysis]) -> dict[int, dict[GameSide, SideSum]]:
    """Return the totals of both sides, keyed by analysis id, then by side; one query."""
    lengths = {row.pk: row.length for row in analyses}
    names = [field.name for field in fields(SideSum) if field.name not in {"length", "openings"}]
    sums_by_analysis: dict[int, dict[GameSide, SideSum]] = {}
    for row in AnalysedSide.objects.filter(analysis__in=lengths).order_by():
        sums_by_analysis.setdefault(row.analysis_id, {})[GameSide(row.side)] = SideSum(
            length=lengths[row.analysis_id],
            openings=tuple(OpeningPlay(*opening) for opening in row.openings),
            **{name: getattr(row, name) for name in names},
        )
    return sums_by_analysis


def stored_decisions(analysis: RecordAnalysis) -> tuple[Decision, ...]:
    """Return the decisions of a stored analysis as values, in order."""
    return tuple(map(decision_from_row, analysis.decisions.all()))


def decision_from_row(row: AnalysedDecision) -> Decision:
    """Return one stored decision as a value."""
    return Decision(
        row.game,
        row.turn,
        DecisionKind(row.kind),
        GameSide(row.side),
        row.lost,
        row.counts,
        plays=tuple(
            RankedPlay(
                tuple(Step(*step) for step in steps),
                equity,
                Chances(*chances) if chances else None,
                level,
            )
            for steps, equity, chances, level in row.plays
        ),
        played=row.played,
        cube=CubeEquities(*row.cube) if row.cube else None,
        chances=Chances(*row.chances) if row.chances else None,
        luck=row.luck,
    )
