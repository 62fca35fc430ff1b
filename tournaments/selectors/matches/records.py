"""The game records submitted for a match, as far as a visitor may see them.

The public sees the game records that prove the result: those of reports that agree with it, if no player
objects. While nothing is confirmed, game records would reveal who reported what, so only directors see them.
If the same file was submitted twice, it is listed once. The record that *counts* is that of the confirmed
report, or else the newest that agrees with the confirmed result.
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
    """A game record, and the report that it was submitted with.

    ``version``: number of the report, which identifies the game record in addresses; ``has_no_problems``,
    ``is_doubtful``, ``contradicts_result``: what the check found: no problems, games that do not fit
    together, another result than reported.
    """

    version: int
    record_id: int
    sha256: str
    format: str
    size: int
    has_no_problems: bool
    is_doubtful: bool
    contradicts_result: bool
    left: Side | None  # side of the left column of the file
    shown: bool | None  # publicly: yes, no, or None: by the players' consent


def visible_records(match: Match, *, can_direct: bool) -> list[SubmittedRecord]:
    """Return the game records of ``match`` that the visitor may see; the one that counts comes first.

    ``can_direct``: the visitor directs the event, and sees all of them.
    """
    reports = Report.objects.filter(match=match).exclude(record=None)
    if not can_direct:
        confirmed = _confirmed_report(match)
        if confirmed is None:
            return []
        reports = _matching_reports(reports, confirmed)
    rows = _records_by_match(reports).get(match.pk, [])
    if can_direct or not rows:
        return rows
    reply = game_record_reply(match)
    return [row for row in rows if is_public(row.shown, reply)]


def _records_by_match(reports: QuerySet[Report]) -> dict[int, list[SubmittedRecord]]:
    """Return the game records of ``reports``, keyed by match id; the one that counts first; one query."""
    records: dict[int, dict[str, tuple[int, SubmittedRecord]]] = {}
    for report in reports.select_related("record").defer("record__content").order_by("-version"):
        if report.record is None:
            continue
        row = SubmittedRecord(
            version=report.version,
            record_id=report.record.pk,
            sha256=report.record.sha256,
            format=report.record.format,
            size=report.record.size,
            has_no_problems=report.record_clean,
            is_doubtful=report.record_doubtful,
            contradicts_result=report.record_differs,
            left=Side(report.record_left) if report.record_left else None,
            shown=report.record_shown,
        )
        rank = _RANKS.get(report.state, 2)
        match_records = records.setdefault(report.match_id, {})
        if row.sha256 not in match_records or rank < match_records[row.sha256][0]:
            match_records[row.sha256] = (rank, row)
    return {
        match: [row for _rank, row in sorted(rows.values(), key=lambda pair: (pair[0], -pair[1].version))]
        for match, rows in records.items()
    }


def counting_records(matches: QuerySet[Match]) -> dict[int, SubmittedRecord]:
    """Return the game record that counts for each confirmed match, keyed by match id; one query.

    It does not matter who may see it. Matches whose records all contradict the result are left out.
    """
    records_by_match = _records_by_match(counting_reports().filter(match__in=matches))
    return {pk: rows[0] for pk, rows in records_by_match.items()}


def counting_reports() -> QuerySet[Report]:
    """Return the reports whose game record agrees with the confirmed result of their match.

    After a correction, game records of the previous result no longer count.
    """
    confirmed = Report.objects.filter(match=OuterRef("match"), state=Report.State.CONFIRMED)
    same_result = confirmed.filter(
        score_a=OuterRef("score_a"), score_b=OuterRef("score_b"), kind=OuterRef("kind")
    )
    rows = Report.objects.filter(
        Exists(same_result), match__status=MatchStatus.CONFIRMED, record_differs=False
    )
    return rows.exclude(record=None)


def stored_file(row: SubmittedRecord) -> StoredRecord:
    """Return the stored file of a game record with its bytes; the caller has to check permission first."""
    return StoredRecord.objects.get(pk=row.record_id)


def earlier_records(match: Match, side: Side, limit: int) -> list[tuple[bytes, str, bool]]:
    """Return the newest small game records of other matches of the single player of a side.

    Each as bytes, file name, and whether the player is in the left column. At most ``limit``, none for a
    team.
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
        (bytes(content), name, left_side == seat)
        for content, name, left_side, seat in rows.values_list(*fields)[:limit]
    ]


def pending_record(match: Match, side: Side) -> tuple[StoredRecord, Side | None] | None:
    """Return the game record with a side's unconfirmed report, and the side in its left column, or None.

    The other side looks at it before confirming the result.
    """
    rows = Report.objects.filter(match=match, side=side, state=Report.State.OPEN).exclude(record=None)
    report = rows.select_related("record").order_by("-version").first()
    if report is None or report.record is None:
        return None
    return report.record, Side(report.record_left) if report.record_left else None


def is_public(is_shown: bool | None, reply: Reply) -> bool:
    """Return whether a game record is public.

    ``is_shown``: what was set for this game record; ``reply``: the combined consent of the match's players. A
    refusal by a player decides first, then what was set for the record, then the consent of all.
    """
    if reply is Reply.NO or is_shown is False:
        return False
    return bool(is_shown) or reply is Reply.YES


def record_for_side(match: Match, side: Side, version: int) -> Report:
    """Return the report of this version with its game record, for a player of ``side``.

    Allowed are reports of that side, unconfirmed reports of the other side, and those that agree with the
    confirmed result. Raises ``Missing`` for any other.
    """
    rows = Report.objects.filter(match=match, version=version).exclude(record=None).select_related("record")
    report = rows.filter(Q(side=side) | Q(side=side.other, state=Report.State.OPEN)).first()
    if report is None and (confirmed := _confirmed_report(match)) is not None:
        report = _matching_reports(rows, confirmed).first()
    if report is None:
        raise Missing("record.unknown")
    return report


def record_for_director(match: Match, version: int) -> Report:
    """Return the report of this version with its game record; raise ``Missing`` if it has none."""
    rows = Report.objects.filter(match=match, version=version).exclude(record=None).select_related("record")
    report = rows.first()
    if report is None:
        raise Missing("record.unknown")
    return report


def record_copies(match: Match, version: int | None = None) -> list[RecordCopy]:
    """Return the corrected copies of the game records of ``match``, without their bytes.

    ``version``: only copies of the game record of this report.
    """
    rows = RecordCopy.objects.filter(report__match=match).select_related("report", "record")
    if version is not None:
        rows = rows.filter(report__version=version)
    return list(rows.defer("record__content").order_by("report__version", "number"))


def get_record_copy(match: Match, version: int, number: int) -> RecordCopy:
    """Return one corrected copy of a game record with its bytes; raise ``Missing`` if there is none.

    Visible to everyone who may see the original.
    """
    rows = RecordCopy.objects.filter(report__match=match, report__version=version, number=number)
    record_copy = rows.select_related("report", "record").first()
    if record_copy is None:
        raise Missing("record.unknown")
    return record_copy


def _confirmed_report(match: Match) -> Report | None:
    """Return the confirmed report of the match, or None."""
    if match.status != MatchStatus.CONFIRMED:
        return None
    return Report.objects.filter(match=match, state=Report.State.CONFIRMED).first()


def _matching_reports(reports: QuerySet[Report], confirmed: Report) -> QuerySet[Report]:
    """Return those ``reports`` with the result of ``confirmed`` and a game record that agrees with it."""
    return reports.filter(
        score_a=confirmed.score_a, score_b=confirmed.score_b, kind=confirmed.kind, record_differs=False
    )


def get_record(
    match: Match, version: int | None, *, can_direct: bool
) -> tuple[SubmittedRecord, StoredRecord]:
    """Return a game record of ``match`` and its stored file; without ``version``, the one that counts.

    ``can_direct``: the visitor directs the event. Raises ``Missing`` if the visitor may not see it.
    """
    rows = visible_records(match, can_direct=can_direct)
    row = next((row for row in rows if version is None or row.version == version), None)
    if row is None:
        raise Missing("record.unknown")
    return row, StoredRecord.objects.get(pk=row.record_id)
