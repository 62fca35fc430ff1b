"""Read records for pages: held files, imports of a club with their progress, and analyses."""

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
from games.records.summing import Opening, SideSum, pool_sides
from games.records.validation import Decision as Verdict
from games.rules.sides import Side as GameSide
from people.models import Club, Restriction, User
from people.permissions import DIRECTOR_ROLES, may_direct
from people.rows import one_or_none


def held_record(key: str, purpose: str | None = None) -> HeldRecord | None:
    """Return the file under ``key`` if it exists and is for ``purpose`` (None: any, for viewing), or None."""
    if not key or len(key) > 40 or "\0" in key:
        return None
    records = HeldRecord.objects.filter(key=key, created_at__gte=timezone.now() - HELD_RECORD_LIFETIME)
    return (records if purpose is None else records.filter(purpose=purpose)).first()


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """The progress of an import."""

    total: int
    done: int
    good: int
    noted: int
    doubtful: int
    faulty: int
    unreadable: int

    @property
    def finished(self) -> bool:
        return self.done == self.total


def clubs_of_director(user: User) -> list[Club]:
    """Return the clubs whose records ``user`` may import."""
    clubs = Club.objects.filter(memberships__user=user, memberships__role__in=DIRECTOR_ROLES)
    clubs = clubs.exclude(shut=Restriction.REMOVED)
    return list(clubs.order_by("name", "pk").distinct())


def imports_for(user: User) -> QuerySet[RecordImport]:
    """Return imports of the user's clubs, newest first, without their archives."""
    return (
        RecordImport.objects.filter(club__in=clubs_of_director(user)).select_related("club").order_by("-pk")
    )


def visible_import(user: User, public_id: str) -> RecordImport:
    """Return the import. Raises ``Missing`` if it does not exist or belongs to another club."""
    batch = one_or_none(RecordImport.objects.select_related("club").filter(public_id=public_id))
    if batch is None or not may_direct(user, batch.club):
        raise Missing("import.unknown")
    return batch


def import_progress(batch: RecordImport) -> ImportProgress:
    """Return the progress; one query over its files."""
    counts = batch.files.aggregate(
        total=Count("pk"),
        done=Count("pk", filter=Q(done=True)),
        good=Count("pk", filter=Q(decision=Verdict.ACCEPT)),
        noted=Count("pk", filter=Q(decision=Verdict.ACCEPT_WITH_NOTES)),
        doubtful=Count("pk", filter=Q(decision=Verdict.DOUBTFUL)),
        faulty=Count("pk", filter=Q(decision=Verdict.REJECT)),
        unreadable=Count("pk", filter=Q(decision=Verdict.UNREADABLE)),
    )
    return ImportProgress(**counts)


def import_files(batch: RecordImport, decision: str = "") -> QuerySet[ImportedFile]:
    """Return the finished files of an import, in order; of one ``decision``, if given."""
    files = batch.files.filter(done=True).order_by("position")
    return files.filter(decision=decision) if decision else files


def imported_file(batch: RecordImport, position: int) -> ImportedFile:
    """Return one file of an import with its record. Raises ``Missing``."""
    file = batch.files.select_related("record").filter(position=position).exclude(record=None).first()
    if file is None:
        raise Missing("import.file_unknown")
    return file


def best_analysis(record_id: int) -> RecordAnalysis | None:
    """Return the analysis to show: done before others, the file's own first, then one that rates play."""
    return best_analyses([record_id]).get(record_id)


def best_analyses(record_ids: Collection[int]) -> dict[int, RecordAnalysis]:
    """Return the analysis to show by record, where there is one. One statement."""
    done_first = Case(When(state=RecordAnalysis.State.DONE, then=0), default=1)
    rows = RecordAnalysis.objects.filter(record__in=record_ids)
    analysis_by_record: dict[int, RecordAnalysis] = {}
    for row in rows.order_by(done_first, "-of_file", "-rates", "-pk"):
        analysis_by_record.setdefault(row.record_id, row)
    return analysis_by_record


def performance_ratings(analyses: Collection[RecordAnalysis]) -> Mapping[tuple[int, GameSide], float]:
    """Return the performance ratings by analysis and side of the file. One statement."""
    sums = side_sums([row for row in analyses if row.rates and row.state == RecordAnalysis.State.DONE])
    ratings = {
        (pk, side): pool_sides([side_sum]).rating
        for pk, sides in sums.items()
        for side, side_sum in sides.items()
    }
    return {key: rating for key, rating in ratings.items() if rating is not None}


def side_sums(analyses: Collection[RecordAnalysis]) -> dict[int, dict[GameSide, SideSum]]:
    """Return both sides' sums by analysis, where they exist; one statement."""
    lengths = {row.pk: row.length for row in analyses}
    names = [field.name for field in fields(SideSum) if field.name not in {"length", "openings"}]
    sums_by_analysis: dict[int, dict[GameSide, SideSum]] = {}
    for row in AnalysedSide.objects.filter(analysis__in=lengths).order_by():
        sums_by_analysis.setdefault(row.analysis_id, {})[GameSide(row.side)] = SideSum(
            length=lengths[row.analysis_id],
            openings=tuple(Opening(*opening) for opening in row.openings),
            **{name: getattr(row, name) for name in names},
        )
    return sums_by_analysis


def stored_decisions(analysis: RecordAnalysis) -> tuple[Decision, ...]:
    """Return the decisions of an analysis as values, in order."""
    return tuple(map(decision_from_row, analysis.decisions.all()))


def decision_from_row(row: AnalysedDecision) -> Decision:
    """Return one decision as a value."""
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
