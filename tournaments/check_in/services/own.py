"""Self check-in of players by link or account, with the hall code from a display, while check-in is open."""

from django.utils import timezone
from django.utils.crypto import constant_time_compare

from faults import Conflict, Invalid
from people.actors import Actor
from people.transactions import durable
from tournaments.check_in.services.marking import CheckInResult, check_in_player
from tournaments.engine.check_in import CheckInMethod, CheckInState, normalize_code
from tournaments.entries.services.own import own_entry
from tournaments.models import CheckIn, Entry, Event
from tournaments.selectors.access.phones import RequestOrigin, link_actor
from tournaments.selectors.check_in import accepted_codes, check_in_on, open_check_ins
from tournaments.selectors.event_dates import event_today
from tournaments.store.lock import lock_unless_removed
from tournaments.store.phones import authorize_device, require_current_link


@durable
def check_in_by_link(*, entry: Entry, code: str, phone: RequestOrigin) -> CheckInResult:
    """Check in by personal link with the hall code, in all open divisions in which the player plays alone.

    Raises ``Conflict`` if there is no check-in or it is not open, ``Invalid`` (``check_in.code_wrong``) for a
    wrong code, ``NotAllowed`` for a device without access. The page limits attempts (`is_rate_limited`),
    because a wrong code changes nothing in the event.
    """
    event = lock_unless_removed(entry.division.event_id)
    require_current_link(entry)
    check_in = _open_check_in_for(event, entry, code)
    phone_number = authorize_device(event, entry, phone)
    return check_in_player(
        link_actor(entry), event, entry, check_in.day, CheckInMethod.PHONE, phone=phone_number
    )


@durable
def check_in_by_account(*, actor: Actor, public_id: str, code: str) -> CheckInResult:
    """Check in as `check_in_by_link` does, by the account of the player or of a minor's guardian.

    Raises ``Missing`` if the entry is not theirs or not approved.
    """
    event = lock_unless_removed(own_entry(actor, public_id).division.event_id)
    entry = own_entry(actor, public_id)  # reloaded under the lock
    check_in = _open_check_in_for(event, entry, code)
    return check_in_player(actor, event, entry, check_in.day, CheckInMethod.PHONE)


def _open_check_in_for(event: Event, entry: Entry, code: str) -> CheckIn:
    """Return the open check-in of this entry.

    Raises ``Conflict`` if there is none, ``Invalid`` if ``code`` is not the hall code.
    """
    now = timezone.now()
    open_rows = [row for row in open_check_ins(event, now) if row.division_id == entry.division_id]
    check_in = open_rows[-1] if open_rows else check_in_on(entry.division, None, event_today(event))
    if check_in is None:
        raise Conflict("check_in.none", present=event, division=str(entry.division))
    state = check_in.stand(now)
    if state is not CheckInState.OPEN:
        fault_code = "check_in.not_yet" if state is CheckInState.NOT_OPEN_YET else "check_in.closed"
        raise Conflict(fault_code, present=event)
    normalized = normalize_code(code)
    if not normalized:
        raise Invalid("check_in.code_lacking", field="code")
    if not any(constant_time_compare(normalized, accepted) for accepted in accepted_codes(check_in, now)):
        raise Invalid("check_in.code_wrong", field="code")
    return check_in
