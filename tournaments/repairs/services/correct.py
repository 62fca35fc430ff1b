"""Corrections of confirmed results, whatever depends on them.

What depends on it is computed first (``selectors.repairs.corrections``): if nothing later was played, the
right entry takes the place. Otherwise the director chooses: later results are cancelled, or all entries keep
their places.
"""

from copy import copy
from dataclasses import dataclass
from datetime import datetime

from faults import Conflict, Invalid
from people.actors import Actor
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.brackets.correction import Repair
from tournaments.engine.changes.next_state import ClearResult, Ruling, SetLength, SetResult, StageChange
from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.statuses import MatchAction
from tournaments.engine.trail.action import LengthChange, MatchSnapshot
from tournaments.engine.trail.repairs import ResultCorrected
from tournaments.engine.types import Claim, MatchNo, ResultKind
from tournaments.models import Event, Match, Report
from tournaments.models.report import NOTE_LIMIT
from tournaments.selectors.repairs.corrections import CorrectionPreview, correction_preview
from tournaments.store.claims import check_claim, check_length, check_submission_key
from tournaments.store.load import load_stage
from tournaments.store.lock import lock_for_director
from tournaments.store.matches import check_match_step
from tournaments.store.repairs import (
    StageRepair,
    change_from_consequence,
    record_repair,
    require_published_draw,
)
from tournaments.store.results import current_match_state


@dataclass(frozen=True, slots=True)
class Correction:
    """Outcome of a correction: the match, whether its winner changed, and the repair."""

    match: Match
    has_winner_changed: bool
    repair: Repair = Repair.REPLACE


@durable
def correct_result(
    *,
    actor: Actor,
    event_id: int,
    match_id: int,
    claim: Claim | None,
    submission_key: str,
    note: str = "",
    played_at: datetime | None = None,
    repair: Repair | None = None,
    seen: str = "",
    length: int | None = None,
) -> Correction:
    """Replace a confirmed result and repair what depends on it, in one step that can be undone.

    ``claim``: the new result; None if the match was too short and is played on, which cancels its result.
    ``length``: the right length, if the match was played to a wrong one (F9); the claim is checked against
    it. ``repair`` may be None if nothing later was played. ``seen``: version of the preview, and so of all
    that it is based on: of two simultaneous corrections the second raises ``Conflict``.
    """
    check_submission_key(submission_key)
    if len(note.strip()) > NOTE_LIMIT:
        raise Invalid("report.note_long", field="note", limit=NOTE_LIMIT)
    event = lock_for_director(actor, event_id)
    match = one_or_none(
        Match.objects.select_related("stage").filter(pk=match_id, stage__division__event=event)
    )
    if match is None or match.result_kind == ResultKind.BYE:
        raise Conflict("correction.no_result", present={})
    repeated = Report.objects.filter(match=match, submission_key=submission_key).first()
    if repeated is not None:
        if repeated.reporter_kind != Report.Reporter.DIRECTOR:
            raise Conflict("report.key_used", present=current_match_state(match))
        return Correction(match, has_winner_changed=False)
    check_correction(match=match, claim=claim, length=length)
    require_published_draw(event, match.stage)
    found = correction_preview(match, claim, length)
    if seen and seen != found.version:
        raise Conflict("correction.changed_meanwhile", present=current_match_state(match))
    chosen = _choose_repair(match, found, repair)
    before = current_match_state(match)
    number = MatchNo(match.number)
    hand = load_stage(match.stage)
    changes: list[StageChange] = [SetLength(number, length)] if length is not None else []
    done = found.repairs[chosen].consequence
    ruling = Ruling(claim, submission_key, note, played_at) if claim is not None else None
    if done is not None:
        rulings = {number: ruling} if ruling is not None else {}
        changes.append(change_from_consequence(found.draw, done, rulings))
    else:
        changes.append(SetResult(number, ruling) if ruling is not None else ClearResult(number))
    after = hand.after(*changes, present=before)
    corrected = write_correction(event, actor, StageRepair(hand, after), match, found, chosen, note)
    return Correction(corrected, found.does_winner_change, chosen)


def write_correction(
    event: Event,
    actor: Actor,
    repair: StageRepair,
    match: Match,
    found: CorrectionPreview,
    chosen: Repair,
    note: str = "",
) -> Match:
    """Write the stage after a correction, and its audit row. Joins the transaction that locked ``event``."""
    before, number = current_match_state(match), MatchNo(match.number)
    now, done = repair.after.match(number).columns, found.repairs[chosen].consequence
    record_repair(
        event,
        repair,
        actor=actor,
        action=ResultCorrected(
            before=MatchSnapshot(**before),
            after=MatchSnapshot(
                match=match.public_id,
                version=match.version + 1,
                status=now.status,
                score_a=now.score_a,
                score_b=now.score_b,
                winner_side=now.winner_side,
            ),
            note=note,
            length=LengthChange(match.length, now.length),
            repair=chosen if found.does_winner_change else None,
            voided=tuple(done.voided) if done is not None else (),
        ),
        subject=match,
    )
    return repair.hand.rows[number]


def check_correction(*, match: Match, claim: Claim | None, length: int | None = None) -> None:
    """Check that ``claim`` can replace the result.

    Raises ``Conflict`` without a result (409), ``Invalid`` for the score (422).
    """
    check_match_step(match, MatchAction.CORRECT)
    check_length(length if length is not None else match.length)
    if claim is None:
        if length is None or length <= match.length:
            raise Invalid("length.not_longer", field="length", length=match.length)
        return
    as_appointed = copy(match)
    as_appointed.length = length or match.length
    check_claim(as_appointed, claim, Reporter.DIRECTOR)


def _choose_repair(match: Match, found: CorrectionPreview, repair: Repair | None) -> Repair:
    if repair is None and len(found.repairs) == 1:
        return next(iter(found.repairs))
    if repair is None or repair not in found.repairs:
        later = sorted(row.number for cascade in found.repairs.values() for row, _status in cascade.voided)
        raise Conflict(
            "correction.choose_repair" if repair is None else "correction.repair_gone",
            present={
                **current_match_state(match),
                "repairs": [str(code) for code in found.repairs],
                "voided": later,
            },
        )
    return repair
