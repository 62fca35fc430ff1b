"""Results of matches: reported, confirmed by the other side or a director, or disputed.

Every result is written here. A report is a permanent version; ``engine.matches.reporting.decide_reports``
decides what all reports of a match together mean. Equal reports confirm the result, different ones make a
dispute. The first to take the lock wins; a later contradiction raises ``Conflict`` with the current state
(409).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from faults import Conflict, Invalid, Missing, NotAllowed
from games.rules.sheets import Row, format_sheet
from games.services import store_record
from people.actors import Actor
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.matches.reporting import (
    ConfirmDecision,
    Decision,
    LiveReport,
    Reporter,
    ReportPolicy,
    claim_winner,
    decide_reports,
)
from tournaments.engine.statuses import (
    STAGE_UNDER_WAY,
    EventStatus,
    MatchStatus,
    may_report,
)
from tournaments.engine.trail.matches import ResultAgreed, ResultReported
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.matches.services.records import RecordEvidence, Upload, read_evidence
from tournaments.models import Entry, Event, Match, MatchSlot, Report
from tournaments.models.report import NOTE_LIMIT
from tournaments.selectors.access.phones import NO_ORIGIN, RequestOrigin
from tournaments.selectors.matches.claims import claim_from_report
from tournaments.store.claims import MAX_REPORTS, check_claim, check_submission_key, validate_sheet
from tournaments.store.event_state import start_stage
from tournaments.store.load import match_from_slots, nearby_slots
from tournaments.store.lock import lock_event_of_match, record_action, require_staff
from tournaments.store.matches import step_match
from tournaments.store.phones import authorize_device
from tournaments.store.reports import save_report, supersede_reports
from tournaments.store.results import confirm_match, current_match_state


@dataclass(frozen=True, slots=True)
class Submission:
    """A report to be written.

    ``entry``: the reporting entry, None for a director; ``key``: submission key; ``sheet``: score after each
    game; ``read``: the checked game record; ``expected_version``: the version of the match that the reporter
    saw; ``number``: the device's number on the personal link; ``is_signed_offline``: part of a result that
    both players signed offline.
    """

    actor: Actor
    entry: Entry | None
    claim: Claim
    key: str
    note: str = ""
    sheet: tuple[Row, ...] = ()
    read: RecordEvidence | None = None
    expected_version: int | None = None
    phone: RequestOrigin = NO_ORIGIN
    number: int = 0
    is_signed_offline: bool = False


@dataclass(frozen=True, slots=True)
class ReportOutcome:
    """Outcome of a report.

    ``decision``: status of the match after the report (confirmed, reported or disputed); ``repeated``: True
    if the report changed nothing because it repeats a stored one.
    """

    match_id: int
    report: Report
    decision: str
    repeated: bool = False


def submit_report(
    *,
    actor: Actor,
    match_id: int,
    entry: Entry | None,
    claim: Claim,
    submission_key: str,
    note: str = "",
    sheet: Sequence[Row] = (),
    played_at: datetime | None = None,
    record: Upload | None = None,
    seen: int | None = None,
    phone: RequestOrigin = NO_ORIGIN,
) -> ReportOutcome:
    """Report how a match ended: as a player of ``entry``, or as a director with ``entry=None``.

    Raises ``Invalid`` (422) with all reasons for impossible scores and records that are not evidence,
    ``Conflict`` (409) if the match cannot be reported now, and ``NotAllowed`` (403) for people who are
    neither its players nor its directors. Idempotent for each ``submission_key``. The record is read before
    the lock is taken. ``seen``: version of the match that the reporter saw; raises ``Conflict`` if it has
    changed and the match is not over. ``sheet``: the score after each game, side a first, stored as given.
    ``phone``: the reporting device; raises ``NotAllowed`` (403, ``phone.other``) if it has no access to the
    entry's link.
    """
    check_submission_key(submission_key)
    rows = validate_sheet(sheet)
    submission = Submission(
        actor, entry, claim, submission_key, note, rows, expected_version=seen, phone=phone
    )
    if record is not None:
        submission = replace(submission, read=_load_evidence(match_id, submission, record))
    return _submit(match_id, submission, played_at)


@durable
def _submit(match_id: int, submission: Submission, played_at: datetime | None) -> ReportOutcome:
    event, match, slots = lock_match(match_id)
    return receive_report(event, match, slots, submission, played_at)


def rule_match_locked(
    *, event: Event, match_id: int, actor: Actor, claim: Claim, submission_key: str
) -> ReportOutcome:
    """Report a result as a director, for services that report many matches in one transaction.

    The caller has locked ``event``.
    """
    matches = Match.objects.select_related("stage__division")
    match = one_or_none(matches.filter(pk=match_id, stage__division__event=event))
    if match is None:
        raise Missing("match.unknown")
    return receive_report(
        event, match, nearby_slots(match.pk), Submission(actor, None, claim, submission_key), None
    )


def receive_report(
    event: Event,
    match: Match,
    slots: Sequence[MatchSlot],
    submission: Submission,
    played_at: datetime | None,
) -> ReportOutcome:
    """Write a report with all its effects on the match and the stage. The caller holds the event's lock.

    ``slots``: the `nearby_slots` of the match. A report with a known submission key returns the stored one.
    """
    side = reporting_side(slots, submission.actor, event, match, submission.entry)
    reports = _reports_of(match)
    existing_report = next((report for report in reports if report.submission_key == submission.key), None)
    if existing_report is not None:
        if existing_report.side != (side or ""):
            raise Conflict("report.key_used", present=current_match_state(match))
        return ReportOutcome(match.pk, existing_report, existing_report.decision, repeated=True)
    submission = _with_phone_number(event, submission)
    reporter = Reporter.DIRECTOR if side is None else Reporter.for_side(side)
    check_claim(match, submission.claim, reporter)
    if match.status == MatchStatus.CONFIRMED:
        return _outcome_after_end(match, submission.claim, reporter)
    _require_open(event, match)
    _require_version(match, submission.expected_version)
    report = _add_report(event, match, slots, side, submission, reports, played_at)
    return _record_in_audit_log(event, match, report, submission, ResultReported)


@durable
def confirm_report(
    *,
    actor: Actor,
    match_id: int,
    entry: Entry | None,
    version: int,
    submission_key: str,
    seen: int | None = None,
    phone: RequestOrigin = NO_ORIGIN,
) -> ReportOutcome:
    """Confirm report ``version`` as the opponent, or as a director with ``entry=None``.

    Raises ``Conflict`` (409) if a later report has replaced the confirmed one. ``seen``: version of the match
    that the user saw; raises ``Conflict`` if it has changed.
    """
    check_submission_key(submission_key)
    event, match, slots = lock_match(match_id)
    side = reporting_side(slots, actor, event, match, entry)
    reports = _reports_of(match)
    existing_report = next((report for report in reports if report.submission_key == submission_key), None)
    if existing_report is not None:
        if existing_report.side != (side or ""):
            raise Conflict("report.key_used", present=current_match_state(match))
        return ReportOutcome(match.pk, existing_report, existing_report.decision, repeated=True)
    opposing_report = next((report for report in reports if report.version == version), None)
    if opposing_report is None:
        raise Missing("report.unknown")
    claim = claim_from_report(opposing_report)
    submission = _with_phone_number(event, Submission(actor, entry, claim, submission_key, phone=phone))
    reporter = Reporter.for_side(side) if side is not None else Reporter.DIRECTOR
    if match.status == MatchStatus.CONFIRMED:
        return _outcome_after_end(match, claim, reporter)
    if opposing_report.state != Report.State.OPEN or opposing_report.side == side:
        raise Conflict("report.replaced", present=current_match_state(match))
    _require_open(event, match)
    _require_version(match, seen)
    check_claim(match, claim, reporter)  # a penalty may have been added before the lock
    report = _add_report(event, match, slots, side, submission, reports, None)
    return _record_in_audit_log(
        event, match, report, submission, ResultReported if side is None else ResultAgreed
    )


def lock_match(match_id: int) -> tuple[Event, Match, list[MatchSlot]]:
    """Lock the event of a match; return the event, the match with its stage, and its `nearby_slots`."""
    event = lock_event_of_match(match_id)
    slots = nearby_slots(match_id)
    return event, match_from_slots(slots, match_id), slots


def _reports_of(match: Match) -> list[Report]:
    """Return all reports of the match, sorted by version. Under the event's lock the list is complete."""
    return list(Report.objects.filter(match=match).order_by("version"))


def _load_reporting_side(actor: Actor, event: Event, match: Match, entry: Entry | None) -> Side | None:
    """Return the side of ``entry`` in the match, or None for staff; like `reporting_side`, with a query."""
    return reporting_side(MatchSlot.objects.filter(match=match), actor, event, match, entry)


def reporting_side(
    slots: Iterable[MatchSlot], actor: Actor, event: Event, match: Match, entry: Entry | None
) -> Side | None:
    """Return the side of ``entry`` in the match; with ``entry=None``, None for the event's staff.

    ``slots``: slots that include those of the match. Raises ``NotAllowed`` if the entry does not play in the
    match or the actor is not staff.
    """
    if entry is None:
        require_staff(actor, event)
        return None
    own_sides = (slot.side for slot in slots if (slot.match_id, slot.entry_id) == (match.pk, entry.pk))
    side = next(own_sides, None)
    if side is None:
        raise NotAllowed("report.not_your_match")
    return Side(side)


def _with_phone_number(event: Event, submission: Submission) -> Submission:
    """Return ``submission`` with the number of its device on the personal link.

    Raises ``NotAllowed`` if the device has no access for the entry.
    """
    if submission.entry is None:
        return submission
    return replace(submission, number=authorize_device(event, submission.entry, submission.phone))


def _require_open(event: Event, match: Match) -> None:
    is_under_way = match.stage.status in STAGE_UNDER_WAY
    if event.status != EventStatus.RUNNING or not is_under_way or not may_report(MatchStatus(match.status)):
        raise Conflict("report.not_open", present=current_match_state(match))


def _require_version(match: Match, expected_version: int | None) -> None:
    if expected_version not in {None, match.version}:
        raise Conflict("match.changed_meanwhile", present=current_match_state(match))


def _outcome_after_end(match: Match, claim: Claim, reporter: Reporter) -> ReportOutcome:
    """Return the outcome of a report on a confirmed match, if it repeats the result; nothing is written.

    Raises ``Conflict`` with the current state if it contradicts the result.
    """
    final = Report.objects.filter(match=match, state=Report.State.CONFIRMED).first()
    if final is None:  # a bye has no report
        raise Conflict("report.not_open", present=current_match_state(match))
    is_same = _comparable_claim(match, claim) == _comparable_claim(match, claim_from_report(final))
    if not is_same:
        code = "report.use_correction" if reporter is Reporter.DIRECTOR else "report.already_confirmed"
        raise Conflict(code, present=current_match_state(match))
    return ReportOutcome(match.pk, final, "confirmed", repeated=True)


def _comparable_claim(match: Match, claim: Claim) -> tuple[int, int, ResultKind, Side | None]:
    return claim.score_a, claim.score_b, claim.kind, claim_winner(match.length, claim)


def _load_evidence(match_id: int, submission: Submission, record: Upload) -> RecordEvidence:
    """Read the game record as evidence, before any lock.

    Raises ``Invalid`` if a director's reported result differs from the record that they attached.
    """
    match = one_or_none(Match.objects.select_related("stage__division__event__club").filter(pk=match_id))
    if match is None:
        raise Missing("match.unknown")
    _load_reporting_side(submission.actor, match.stage.division.event, match, submission.entry)
    evidence = read_evidence(match, record)
    is_different = evidence.has_reliable_score and _comparable_claim(
        match, evidence.claim
    ) != _comparable_claim(match, submission.claim)
    if submission.entry is None and is_different:
        raise Invalid(
            "record.differs", field="record", score=f"{evidence.claim.score_a}–{evidence.claim.score_b}"
        )
    return evidence


def _add_report(
    event: Event,
    match: Match,
    slots: Sequence[MatchSlot],
    side: Side | None,
    submission: Submission,
    reports: Sequence[Report],
    played_at: datetime | None,
) -> Report:
    """Write the next report version with all its effects on match and stage.

    It replaces the reporter's earlier unconfirmed reports. ``slots``: the `nearby_slots` of the match;
    ``reports``: all earlier reports of the match.
    """
    if len(submission.note.strip()) > NOTE_LIMIT:
        raise Invalid("report.note_long", field="note", limit=NOTE_LIMIT)
    # Versions are small integers and records stay stored, so reports are limited.
    if (
        submission.entry is not None
        and sum(r.entry_id == submission.entry.pk for r in reports) >= MAX_REPORTS
    ):
        raise Conflict("report.too_many", present=current_match_state(match))
    report = _build_report(match, side, submission, version=reports[-1].version + 1 if reports else 1)
    open_reports = [r for r in reports if r.state == Report.State.OPEN]
    superseded = [r for r in open_reports if (r.side, r.reporter_kind) == (report.side, report.reporter_kind)]
    supersede_reports(r.pk for r in superseded)
    other_reports = [r for r in open_reports if r not in superseded]
    decision = _decide(match, [*other_reports, report])
    if isinstance(decision, ConfirmDecision):
        supersede_reports(r.pk for r in other_reports)
        report.state, report.decision = Report.State.CONFIRMED, "confirmed"
        save_report(report)
        played_at = played_at or (reports[0] if reports else report).created_at
        confirm_match(
            event=event,
            stage=match.stage,
            match=match,
            slots=slots,
            claim=decision.claim,
            report=report,
            played_at=played_at,
        )
        return report
    start_stage(event, match.stage)
    step_match(match, decision.action)
    report.decision = match.status
    save_report(report)
    return report


def _build_report(match: Match, side: Side | None, submission: Submission, *, version: int) -> Report:
    """Build a report with its game record; the record is stored, the report is not saved."""
    report = Report(
        match=match,
        version=version,
        submission_key=submission.key,
        reporter_kind=Report.Reporter.DIRECTOR if submission.entry is None else Report.Reporter.ENTRY,
        user=submission.actor.user,
        entry=submission.entry,
        side=side or "",
        score_a=submission.claim.score_a,
        score_b=submission.claim.score_b,
        kind=submission.claim.kind,
        winner_side=submission.claim.winner or "",
        device=submission.phone.device,
        note=submission.note.strip(),
        sheet=[list(row) for row in submission.sheet],
        decision="",
    )
    if submission.read is not None:
        evidence = submission.read
        is_same = _comparable_claim(match, evidence.claim) == _comparable_claim(match, submission.claim)
        report.record = store_record(
            content=evidence.upload.content, filename=evidence.upload.filename, record_format=evidence.format
        )
        report.record_left = evidence.left
        report.record_differs = evidence.has_reliable_score and not is_same
        report.record_clean = is_same and evidence.is_clean
        report.record_doubtful = evidence.is_doubtful
    return report


def _decide(match: Match, open_reports: Iterable[Report]) -> Decision:
    live_reports = [
        LiveReport(
            version=report.version,
            by=Reporter.for_side(Side(report.side)) if report.side else Reporter.DIRECTOR,
            claim=claim_from_report(report),
            clean_record=report.record_clean,
            record_differs=report.record_differs,
            record_doubtful=report.record_doubtful,
        )
        for report in open_reports
    ]
    return decide_reports(
        live_reports,
        ReportPolicy(match.stage.report_policy),
        length=match.length,
        clean_record_settles=match.stage.clean_record_settles,
    )


def _record_in_audit_log(
    event: Event,
    match: Match,
    report: Report,
    submission: Submission,
    kind: type[ResultReported] | type[ResultAgreed],
) -> ReportOutcome:
    action = kind(
        claim=submission.claim,
        by=Reporter(report.side or Reporter.DIRECTOR),
        version=report.version,
        decision=MatchStatus(report.decision),
        record=report.record.sha256 if report.record is not None else "",
        phone=submission.number,
        handed_over=submission.is_signed_offline,
    )
    if isinstance(action, ResultReported):
        action = replace(action, doubtful=report.record_doubtful, sheet=format_sheet(submission.sheet))
    record_action(event, actor=submission.actor, action=action, subject=match)
    return ReportOutcome(match.pk, report, report.decision)
