"""Corrected copies of game records: errors that the rest of a record reveals are corrected in the copy.

The original and the copy are both stored. Those who may submit a record of the match, and its directors, can
make a copy. A copy changes no result.
"""

from typing import Final

from faults import Conflict, Missing, NotAllowed
from games.models import StoredRecord
from games.records.checking import CheckResult
from games.records.repair import Proposal
from games.records.validation import ExpectedMatch
from games.services import store_record
from games.services.checking import check_with_limits
from games.services.repairing import changes_as_json, copy_name, corrected_copy, find_proposal
from people.actors import Actor
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.trail.matches import RecordCorrected
from tournaments.engine.types import Side
from tournaments.matches.services.reports import lock_match
from tournaments.models import Entry, Match, MatchSlot, RecordCopy, Report
from tournaments.selectors.access.phones import NO_ORIGIN, RequestOrigin
from tournaments.selectors.events.formats import match_format
from tournaments.selectors.matches.records import record_for_director, record_for_side
from tournaments.store.lock import record_action, require_staff
from tournaments.store.phones import authorize_device

MAX_COPIES: Final = 20  # per record


def check_report_record(report: Report, match: Match) -> CheckResult:
    """Check the game record of a report by the rules of its match."""
    assert report.record is not None
    return check_stored_record(report.record, match)


def check_stored_record(stored_record: StoredRecord, match: Match) -> CheckResult:
    """Check a stored game record by the rules of ``match``; the result has the problems found."""
    return check_with_limits(
        bytes(stored_record.content),
        stored_record.filename,
        match_format(match.stage, match.length),
        ExpectedMatch(finished=False, slips=match.stage.settings.conduct.slips),
    )


def permitted_report(*, actor: Actor, match: Match, entry: Entry | None, version: int) -> Report:
    """Return the report with number ``version`` of the match, if the actor may have its record copied.

    ``entry``: the player's entry, or None for staff. Raises ``NotAllowed`` otherwise.
    """
    event = match.stage.division.event
    if entry is None:
        require_staff(actor, event)
        return record_for_director(match, version)
    return record_for_side(match, _side_of(match, entry), version)


def correct_record(
    *,
    actor: Actor,
    match_id: int,
    entry: Entry | None,
    version: int,
    key: str,
    phone: RequestOrigin = NO_ORIGIN,
) -> tuple[RecordCopy, bool]:
    """Store a corrected copy of the game record of report ``version``; return the copy and whether it is new.

    ``key`` identifies the proposed correction. Idempotent: an existing copy for this key is returned. Raises
    ``Conflict`` if there is no such proposal or there are too many copies. The record is parsed before the
    event is locked.
    """
    match = one_or_none(Match.objects.select_related("stage__division__event__club").filter(pk=match_id))
    if match is None:
        raise Missing("match.unknown")
    report = permitted_report(actor=actor, match=match, entry=entry, version=version)
    existing_copy = RecordCopy.objects.filter(report=report, key=key).first() if "\0" not in key else None
    if existing_copy is not None:
        return existing_copy, False
    check_result = check_report_record(report, match)
    proposal = find_proposal(check_result, key)
    if proposal is None or check_result.record is None:
        raise Conflict("record.no_such_proposal", present=match)
    content, code = corrected_copy(check_result.record, proposal)
    return _save_copy(actor, match_id, entry, report.version, proposal, content, code, phone)


@durable
def _save_copy(
    actor: Actor,
    match_id: int,
    entry: Entry | None,
    version: int,
    proposal: Proposal,
    content: bytes,
    code: str,
    phone: RequestOrigin,
) -> tuple[RecordCopy, bool]:
    event, match, _slots = lock_match(match_id)
    report = permitted_report(actor=actor, match=match, entry=entry, version=version)
    phone_number = authorize_device(event, entry, phone) if entry is not None else 0
    copies = list(RecordCopy.objects.filter(report=report))
    existing_copy = next((copy for copy in copies if copy.key == proposal.key), None)
    if existing_copy is not None:
        return existing_copy, False
    if len(copies) >= MAX_COPIES:
        raise Conflict("record.too_many_copies", present=match, limit=MAX_COPIES)
    assert report.record is not None
    copy = RecordCopy.objects.create(
        report=report,
        number=len(copies) + 1,
        record=store_record(
            content=content, filename=copy_name(report.record.filename, code), record_format=code
        ),
        key=proposal.key,
        changes=changes_as_json(proposal),
    )
    action = RecordCorrected(report=report.version, copy=copy.number, key=proposal.key, phone=phone_number)
    record_action(event, actor=actor, action=action, subject=match)
    return copy, True


def _side_of(match: Match, entry: Entry) -> Side:
    slot = MatchSlot.objects.filter(match=match, entry=entry).first()
    if slot is None:
        raise NotAllowed("report.not_your_match")
    return Side(slot.side)
