"""Game records that were handed in for a match, and who may look at which.

Strangers see the records that prove the result: those of reports that say what was confirmed, if nobody who played minds. While nothing
is confirmed the records tell who said what, so they are for the directors alone. The same file handed in twice is listed once.
"""

from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from faults import Missing
from games.models import StoredRecord
from tournaments.engine.consents import Reply
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import Side
from tournaments.models import Match, RecordCopy, Report
from tournaments.selectors.consents import game_record_reply
from tournaments.selectors.seats import player_ids_by_seat, slots_of_players

MAX_SMALL_BYTES: Final = 100_000  # bytes; read in a few milliseconds
_RANKS: dict[str, int] = {Report.State.CONFIRMED: 0, Report.State.OPEN: 1}


@dataclass(frozen=True, slots=True)
class SubmittedRecord:
    """A record and the report it came with; ``version`` is the report's, and the record's name in addresses."""

    version: int
    record_id: int
    sha256: str
    format: str
    size: int
    clean: bool
    doubtful: bool
    differs: bool
    left: Side | None  # whose the left column of the file is
    shown: bool | None  # to everybody: yes, no, or as the players agree


def visible_records(match: Match, *, directs: bool) -> list[SubmittedRecord]:
    """The records of ``match`` that this visitor may see, the one that counts first."""
    reports = Report.objects.filter(match=match).exclude(record=None)
    if not directs:
        final = _confirmed_report(match)
        if final is None:
            return []
        reports = _matching_reports(reports, final)
    rows = _records_by_match(reports).get(match.pk, [])
    if directs or not rows:
        return rows
    reply = game_record_reply(match)
    return [row for row in rows if is_public(row.shown, reply)]


def _records_by_match(reports: QuerySet[Report]) -> dict[int, list[SubmittedRecord]]:
    """The records of these reports by match, in each the one that counts first; one statement."""
    found: dict[int, dict[str, tuple[int, SubmittedRecord]]] = {}
    for report in reports.select_related("record").defer("record__content").order_by("-version"):
        if report.record is None:
            continue
        row = SubmittedRecord(
            version=report.version,
            record_id=report.record.pk,
            sha256=report.record.sha256,
            format=report.record.format,
            size=report.record.size,
            clean=report.record_clean,
            doubtful=report.record_doubtful,
            differs=report.record_differs,
            left=Side(report.record_left) if report.record_left else None,
            shown=report.record_shown,
        )
        rank = _RANKS.get(report.state, 2)
        of_match = found.setdefault(report.match_id, {})
        if row.sha256 not in of_match or rank < of_match[row.sha256][0]:
            of_match[row.sha256] = (rank, row)
    return {
        match: [row for _rank, row in sorted(rows.values(), key=lambda pair: (pair[0], -pair[1].version))]
        for match, rows in found.items()
    }


def counting_records(matches: QuerySet[Match]) -> dict[int, SubmittedRecord]:
    """Of each of these matches that is confirmed the record that counts, by match, whoever may see it; one statement. A match whose records
    say something else than its result has none.
    """
    found = _records_by_match(counting_reports().filter(match__in=matches))
    return {pk: rows[0] for pk, rows in found.items()}


def counting_reports() -> QuerySet[Report]:
    """The reports with records that say how their match ended, where it is confirmed. A result that was corrected leaves behind the records
    that proved the one before.
    """
    final = Report.objects.filter(match=OuterRef("match"), state=Report.State.CONFIRMED)
    same = final.filter(score_a=OuterRef("score_a"), score_b=OuterRef("score_b"), kind=OuterRef("kind"))
    rows = Report.objects.filter(Exists(same), match__status=MatchStatus.CONFIRMED, record_differs=False)
    return rows.exclude(record=None)


def stored_file(row: SubmittedRecord) -> StoredRecord:
    """The file with its bytes, for whoever may see it."""
    return StoredRecord.objects.get(pk=row.record_id)


def earlier_records(match: Match, side: Side, most: int) -> list[tuple[bytes, str, bool]]:
    """The newest small records that count of other matches of the single player of a side: bytes, name of the file, and whether that
    player is its left column. Nothing of a team.
    """
    players = player_ids_by_seat([match.pk]).get((match.pk, side), ())
    if len(players) != 1:
        return []
    rows = (
        Report.objects.filter(
            match__slots__in=slots_of_players(players),
            match__status=MatchStatus.CONFIRMED,
            record__size__lte=MAX_SMALL_BYTES,
            record_differs=False,
        )
        .exclude(match=match)
        .exclude(record_left="")
        .order_by("-match__played_at", "-pk")
    )
    fields = ("record__content", "record__filename", "record_left", "match__slots__side")
    return [
        (bytes(content), name, left == seat) for content, name, left, seat in rows.values_list(*fields)[:most]
    ]


def pending_record(match: Match, side: Side) -> tuple[StoredRecord, Side | None] | None:
    """What came with the word of a side that waits for its answer, and whose its left column is: the other side looks at it before it
    agrees.
    """
    rows = Report.objects.filter(match=match, side=side, state=Report.State.OPEN).exclude(record=None)
    report = rows.select_related("record").order_by("-version").first()
    if report is None or report.record is None:
        return None
    return report.record, Side(report.record_left) if report.record_left else None


def is_public(shown: bool | None, reply: Reply) -> bool:
    """Whether everybody may read a record: a no of one player counts most, then what was settled about this record, then a yes of all."""
    if reply is Reply.NO or shown is False:
        return False
    return bool(shown) or reply is Reply.YES


def record_for_side(match: Match, side: Side, version: int) -> Report:
    """The report of this version with its record, for a player of ``side``: their own, what waits for their answer, and what proves the
    result. ``Missing`` for any other.
    """
    rows = Report.objects.filter(match=match, version=version).exclude(record=None).select_related("record")
    report = rows.filter(Q(side=side) | Q(side=side.other, state=Report.State.OPEN)).first()
    if report is None and (final := _confirmed_report(match)) is not None:
        report = _matching_reports(rows, final).first()
    if report is None:
        raise Missing("record.unknown")
    return report


def record_for_director(match: Match, version: int) -> Report:
    """The report of this version with its record, for those who direct; ``Missing`` where none came with it."""
    rows = Report.objects.filter(match=match, version=version).exclude(record=None).select_related("record")
    report = rows.first()
    if report is None:
        raise Missing("record.unknown")
    return report


def record_copies(match: Match, version: int | None = None) -> list[RecordCopy]:
    """The corrected copies of the records of ``match``, without their bytes; of those of one report, if it is named."""
    rows = RecordCopy.objects.filter(report__match=match).select_related("report", "record")
    if version is not None:
        rows = rows.filter(report__version=version)
    return list(rows.defer("record__content").order_by("report__version", "number"))


def get_record_copy(match: Match, version: int, number: int) -> RecordCopy:
    """One corrected copy with its bytes. Whoever may see the record that it is of may see it."""
    rows = RecordCopy.objects.filter(report__match=match, report__version=version, number=number)
    found = rows.select_related("report", "record").first()
    if found is None:
        raise Missing("record.unknown")
    return found


def _confirmed_report(match: Match) -> Report | None:
    """What was confirmed."""
    if match.status != MatchStatus.CONFIRMED:
        return None
    return Report.objects.filter(match=match, state=Report.State.CONFIRMED).first()


def _matching_reports(reports: QuerySet[Report], final: Report) -> QuerySet[Report]:
    """Those that say what was confirmed."""
    return reports.filter(score_a=final.score_a, score_b=final.score_b, kind=final.kind, record_differs=False)


def get_record(match: Match, version: int | None, *, directs: bool) -> tuple[SubmittedRecord, StoredRecord]:
    """One record of ``match`` with its bytes; without a version the one that counts. ``Missing`` if not for this visitor."""
    rows = visible_records(match, directs=directs)
    row = next((row for row in rows if version is None or row.version == version), None)
    if row is None:
        raise Missing("record.unknown")
    return row, StoredRecord.objects.get(pk=row.record_id)
