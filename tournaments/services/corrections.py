"""Correct a confirmed result, as long as nothing has been played on top of it.

The score may change at any time. The winner may change while the match that the winner went on to has not begun; a
correction that reaches further needs the director to choose what becomes of the later matches, and is refused here.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from people.actors import Actor
from people.errors import Conflict
from rating.services import record_result, replace_result, void_result
from tournaments.engine.lifecycle import MatchAction, MatchStatus, next_status
from tournaments.engine.reporting import Reporter, outcome_of
from tournaments.engine.types import Claim, MatchNo, Outcome, ResultKind, Side
from tournaments.models import Event, Match, MatchSlot, Report
from tournaments.services.common import changed, engine_refusals, lock_for_director
from tournaments.services.reports import check_claim, check_key
from tournaments.services.results import ledger_facts, ledger_key, present_of, write_result

NOT_BEGUN = (MatchStatus.WAITING, MatchStatus.READY)


@dataclass(frozen=True, slots=True)
class Correction:
    """What a correction did: the match, and whether another entry now stands in the next match."""

    match: Match
    winner_changed: bool


@transaction.atomic(durable=True)
def correct_result(
    *,
    actor: Actor,
    event_id: int,
    match_id: int,
    claim: Claim,
    submission_key: str,
    note: str = "",
    played_at: datetime | None = None,
    seen: int | None = None,
) -> Correction:
    """Put another result in the place of the confirmed one: report, slots, ledger and audit in one step.

    ``seen`` is the version of the match that the director looked at: of two who correct at once the second is told.
    """
    check_key(submission_key)
    event = lock_for_director(actor, event_id)
    match = Match.objects.select_related("stage").filter(pk=match_id, stage__division__event=event).first()
    if match is None or match.result_kind == ResultKind.BYE:
        raise Conflict("correction.no_result", present={})
    repeated = Report.objects.filter(match=match, submission_key=submission_key).first()
    if repeated is not None:
        if repeated.reporter_kind != Report.Reporter.DIRECTOR:
            raise Conflict("report.key_used", present=present_of(match))
        return Correction(match, winner_changed=False)
    if seen is not None and seen != match.version:
        raise Conflict("correction.changed_meanwhile", present=present_of(match))
    check_correction(match=match, claim=claim)
    outcome = outcome_of(match.length, claim)
    before = present_of(match)
    winner_changed = (outcome.winner or "") != match.winner_side
    if winner_changed:
        _replace_in_next(match, outcome)
    old = Report.objects.get(match=match, state=Report.State.CONFIRMED)
    old_facts = ledger_facts(event, match)
    report = _replace_report(actor, match, old, claim, submission_key, note)
    write_result(match, claim, outcome, played_at=played_at or match.played_at or timezone.now())
    _replace_in_ledger(event, match, old, report, had_facts=old_facts is not None)
    changed(
        event,
        actor=actor,
        action="match.correct",
        subject=match,
        data={"before": before, "after": present_of(match), "note": note},
    )
    return Correction(match, winner_changed=winner_changed)


def check_correction(*, match: Match, claim: Claim) -> None:
    """Refuse a claim that cannot take the place of the match's result: no result yet (409), impossible score (422)."""
    with engine_refusals(present_of(match)):
        next_status(MatchStatus(match.status), MatchAction.CORRECT)
    check_claim(match, claim, Reporter.DIRECTOR)


def _replace_in_next(match: Match, outcome: Outcome) -> None:
    """The other side goes on instead; refused once the next match has begun, or when nobody would go on."""
    entries = dict(MatchSlot.objects.filter(match=match).values_list("side", "entry_id"))
    for feed in MatchSlot.objects.select_related("match").filter(source_match=match):
        if outcome.winner is None or feed.match.status not in NOT_BEGUN:
            raise Conflict(
                "correction.later_match_begun",
                match=feed.match.number,
                present={**present_of(feed.match), "number": MatchNo(feed.match.number)},
            )
        goes_on = feed.source_kind == MatchSlot.SourceKind.WINNER_OF
        side = outcome.winner if goes_on else outcome.winner.other
        feed.entry_id = entries[Side(side)]
        feed.save(update_fields=["entry"])
        feed.match.version += 1
        feed.match.save(update_fields=["version"])


def _replace_report(
    actor: Actor, match: Match, old: Report, claim: Claim, submission_key: str, note: str
) -> Report:
    old.state = Report.State.SUPERSEDED
    old.save(update_fields=["state"])
    last = Report.objects.filter(match=match).aggregate(last=Max("version"))["last"] or 0
    return Report.objects.create(
        match=match,
        version=last + 1,
        submission_key=submission_key,
        reporter_kind=Report.Reporter.DIRECTOR,
        user=actor.user,
        score_a=claim.score_a,
        score_b=claim.score_b,
        kind=claim.kind,
        winner_side=claim.winner or "",
        state=Report.State.CONFIRMED,
        decision="confirmed",
        note=note.strip(),
    )


def _replace_in_ledger(event: Event, match: Match, old: Report, new: Report, *, had_facts: bool) -> None:
    facts = ledger_facts(event, match)
    if had_facts and facts is not None:
        # The ledger takes club and event of a replacement from the fact it replaces.
        same = {
            key: value for key, value in facts.items() if key not in {"club_id", "event_key", "event_name"}
        }
        replace_result(source_key=ledger_key(match, new), replaces=ledger_key(match, old), **same)
    elif had_facts:
        void_result(source_key=ledger_key(match, old))
    elif facts is not None:
        record_result(source_key=ledger_key(match, new), **facts)
