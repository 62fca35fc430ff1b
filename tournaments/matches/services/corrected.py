"""A corrected copy of a game record: what its rest proves is put right in a copy, and both are kept.

Whoever may hand in a record of the match may have it made, and its directors. It changes no result and settles nothing.
"""

from typing import Final

from faults import Conflict, Missing, NotAllowed
from games.models import StoredRecord
from games.records.checking import Checked
from games.records.repair import Proposal
from games.records.validation import Expected
from games.services import store_record
from games.services.checking import check_bounded
from games.services.repairing import changes_of, copy_name, corrected_copy, proposal_in
from people.actors import Actor
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.trail.matches import RecordCorrected
from tournaments.engine.types import Side
from tournaments.matches.services.reports import locked
from tournaments.models import Entry, Match, MatchSlot, RecordCopy, Report
from tournaments.selectors.access.phones import NO_PHONE, Phone
from tournaments.selectors.events.formats import match_format
from tournaments.selectors.matches.records import record_at_desk, record_of_side
from tournaments.store.lock import changed, require_at_desk
from tournaments.store.phones import heard_from

COPIES_LIMIT: Final = 20  # of one record


def checked_report(report: Report, match: Match) -> Checked:
    """The record that came with a report, read as one of its match."""
    assert report.record is not None
    return check_kept(report.record, match)


def check_kept(stored: StoredRecord, match: Match) -> Checked:
    """A kept record, read by the rules of its match."""
    return check_bounded(
        bytes(stored.content),
        stored.filename,
        match_format(match.stage, match.length),
        Expected(finished=False, slips=match.stage.settings.conduct.slips),
    )


def report_for(*, actor: Actor, match: Match, entry: Entry | None, version: int) -> Report:
    """The report with the record that is to be looked at, for those who may have a copy made; refuses everybody else."""
    event = match.stage.division.event
    if entry is None:
        require_at_desk(actor, event)
        return record_at_desk(match, version)
    return record_of_side(match, _side_of(match, entry), version)


def correct_record(
    *,
    actor: Actor,
    match_id: int,
    entry: Entry | None,
    version: int,
    key: str,
    phone: Phone = NO_PHONE,
) -> tuple[RecordCopy, bool]:
    """Make the copy that the proposal ``key`` describes, of the record of report ``version``; and whether it was made just now.

    Asked for again, it is the one that there is. The record is read and searched before the event is locked.
    """
    match = one_or_none(Match.objects.select_related("stage__division__event__club").filter(pk=match_id))
    if match is None:
        raise Missing("match.unknown")
    report = report_for(actor=actor, match=match, entry=entry, version=version)
    there = RecordCopy.objects.filter(report=report, key=key).first() if "\0" not in key else None
    if there is not None:
        return there, False
    checked = checked_report(report, match)
    proposal = proposal_in(checked, key)
    if proposal is None or checked.record is None:
        raise Conflict("record.no_such_proposal", present=match)
    content, code = corrected_copy(checked.record, proposal)
    return _keep(actor, match_id, entry, report.version, proposal, content, code, phone)


@durable
def _keep(
    actor: Actor,
    match_id: int,
    entry: Entry | None,
    version: int,
    proposal: Proposal,
    content: bytes,
    code: str,
    phone: Phone,
) -> tuple[RecordCopy, bool]:
    event, match, _slots = locked(match_id)
    report = report_for(actor=actor, match=match, entry=entry, version=version)
    number = heard_from(event, entry, phone) if entry is not None else 0
    copies = list(RecordCopy.objects.filter(report=report))
    there = next((copy for copy in copies if copy.key == proposal.key), None)
    if there is not None:
        return there, False
    if len(copies) >= COPIES_LIMIT:
        raise Conflict("record.too_many_copies", present=match, limit=COPIES_LIMIT)
    assert report.record is not None
    copy = RecordCopy.objects.create(
        report=report,
        number=len(copies) + 1,
        record=store_record(
            content=content, filename=copy_name(report.record.filename, code), record_format=code
        ),
        key=proposal.key,
        changes=changes_of(proposal),
    )
    action = RecordCorrected(report=report.version, copy=copy.number, key=proposal.key, phone=number)
    changed(event, actor=actor, action=action, subject=match)
    return copy, True


def _side_of(match: Match, entry: Entry) -> Side:
    slot = MatchSlot.objects.filter(match=match, entry=entry).first()
    if slot is None:
        raise NotAllowed("report.not_your_match")
    return Side(slot.side)
