"""Objections of players to a confirmed result, and their settlement by a director."""

from django.utils import timezone

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.permissions import require_director
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.statuses import MatchStatus, can_request_correction
from tournaments.engine.trail.matches import CorrectionRequested, CorrectionRequestSettled
from tournaments.engine.types import ResultKind
from tournaments.matches.services.reports import lock_match, reporting_side
from tournaments.models import Entry, Objection
from tournaments.models.report import NOTE_LIMIT
from tournaments.selectors.access.phones import NO_ORIGIN, RequestOrigin
from tournaments.store.lock import lock_unless_removed, record_action
from tournaments.store.phones import authorize_device
from tournaments.store.results import current_match_state


@durable
def object_to_result(
    *, actor: Actor, match_id: int, entry: Entry, text: str, phone: RequestOrigin = NO_ORIGIN
) -> Objection:
    """Save a player's objection to a confirmed result. The director is notified; the result does not change.

    While an earlier objection of this entry is not settled, that objection is returned and nothing is
    written.
    """
    event, match, slots = lock_match(match_id)
    if reporting_side(slots, actor, event, match, entry) is None:
        raise NotAllowed("report.not_your_match")
    if not can_request_correction(MatchStatus(match.status)) or match.result_kind == ResultKind.BYE:
        raise Conflict("objection.not_confirmed", present=current_match_state(match))
    text = text.strip()
    if len(text) > NOTE_LIMIT:
        raise Invalid("report.note_long", field="text", limit=NOTE_LIMIT)
    phone_number = authorize_device(event, entry, phone)
    objection, is_new = Objection.objects.get_or_create(
        match=match, entry=entry, settled_at=None, defaults={"text": text}
    )
    if is_new:
        record_action(
            event, actor=actor, action=CorrectionRequested(text=text, phone=phone_number), subject=match
        )
    return objection


@durable
def settle_objection(*, actor: Actor, objection_id: int) -> Objection:
    """Mark an objection as settled, whether the result was corrected or stays as it is. Idempotent."""
    objection = one_or_none(
        Objection.objects.select_related("match__stage__division").filter(pk=objection_id)
    )
    if objection is None:
        raise Missing("objection.unknown")
    event = lock_unless_removed(objection.match.stage.division.event_id)
    require_director(actor, event.club)
    objection.refresh_from_db()
    if objection.settled_at is None:
        objection.settled_at = timezone.now()
        objection.settled_by = actor.user
        objection.save(update_fields=["settled_at", "settled_by"])
        record_action(event, actor=actor, action=CorrectionRequestSettled(), subject=objection.match)
    return objection
