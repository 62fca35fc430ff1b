"""Corrections of confirmed results, also when later matches depend on them.

All consequences are computed first (``selectors.repairs.corrections``): if nothing later was played, the
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
    """A correction that was made: the match, whether its winner changed, and the repair of later matches."""

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
    ``length``: the right length, if the match was played to a wrong one (rule F9); the result is checked
    against it. ``repair`` may be None if nothing later was played. ``seen``: the version of the preview that
    the user saw; raises ``Conflict`` if it has changed, also by a simultaneous correction. The same
    ``submission_key`` again changes nothing.
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
    repeated_report = Report.objects.filter(match=match, submission_key=submission_key).first()
    if repeated_report is not None:
        if repeated_report.reporter_kind != Report.Reporter.DIRECTOR:
            raise Conflict("report.key_used", present=current_match_state(match))
        return Correction(match, has_winner_changed=False)
    check_correction(match=match, claim=claim, length=length)
    require_published_draw(event, match.stage)
    preview = correction_preview(match, claim, length)
    if seen and seen != preview.version:
        raise Conflict("correction.changed_meanwhile", present=current_match_state(match))
    chosen_repair = _choose_repair(match, preview, repair)
    match_before = current_match_state(match)
    number = MatchNo(match.number)
    loaded_stage = load_stage(match.stage)
    changes: list[StageChange] = [SetLength(number, length)] if length is not None else []
    consequence = preview.repairs[chosen_repair].consequence
    ruling = Ruling(claim, submission_key, note, played_at) if claim is not None else None
    if consequence is not None:
        rulings = {number: ruling} if ruling is not None else {}
        changes.append(change_from_consequence(preview.draw, consequence, rulings))
    else:
        changes.append(SetResult(number, ruling) if ruling is not None else ClearResult(number))
    state_after = loaded_stage.after(*changes, present=match_before)
    corrected = write_correction(
        event, actor, StageRepair(loaded_stage, state_after), match, preview, chosen_repair, note
    )
    return Correction(corrected, preview.does_winner_change, chosen_repair)


def write_correction(
    event: Event,
    actor: Actor,
    repair: StageRepair,
    match: Match,
    preview: CorrectionPreview,
    chosen_repair: Repair,
    note: str = "",
) -> Match:
    """Save the stage after a correction, with an entry in the audit log; return the match.

    Joins the transaction that locked ``event``.
    """
    match_before, number = current_match_state(match), MatchNo(match.number)
    columns_after, consequence = (
        repair.after.match(number).columns,
        preview.repairs[chosen_repair].consequence,
    )
    record_repair(
        event,
        repair,
        actor=actor,
        action=ResultCorrected(
            before=MatchSnapshot(**match_before),
            after=MatchSnapshot(
                match=match.public_id,
                version=match.version + 1,
                status=columns_after.status,
                score_a=columns_after.score_a,
                score_b=columns_after.score_b,
                winner_side=columns_after.winner_side,
            ),
            note=note,
            length=LengthChange(match.length, columns_after.length),
            repair=chosen_repair if preview.does_winner_change else None,
            voided=tuple(consequence.cancelled_matches) if consequence is not None else (),
        ),
        subject=match,
    )
    return repair.loaded_stage.rows[number]


def check_correction(*, match: Match, claim: Claim | None, length: int | None = None) -> None:
    """Check that ``claim`` can replace the result of ``match``; arguments as for ``correct_result``.

    Raises ``Conflict`` (409) if the match has no result, ``Invalid`` (422) for an impossible score.
    """
    check_match_step(match, MatchAction.CORRECT)
    check_length(length if length is not None else match.length)
    if claim is None:
        if length is None or length <= match.length:
            raise Invalid("length.not_longer", field="length", length=match.length)
        return
    match_with_length = copy(match)
    match_with_length.length = length or match.length
    check_claim(match_with_length, claim, Reporter.DIRECTOR)


def _choose_repair(match: Match, preview: CorrectionPreview, repair: Repair | None) -> Repair:
    if repair is None and len(preview.repairs) == 1:
        return next(iter(preview.repairs))
    if repair is None or repair not in preview.repairs:
        voided_numbers = sorted(
            row.number for cascade in preview.repairs.values() for row, _status in cascade.voided_matches
        )
        raise Conflict(
            "correction.choose_repair" if repair is None else "correction.repair_gone",
            present={
                **current_match_state(match),
                "repairs": [str(code) for code in preview.repairs],
                "voided": voided_numbers,
            },
        )
    return repair
