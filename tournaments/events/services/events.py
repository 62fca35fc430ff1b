"""Services that create and change events: details, dates, status and registration."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, time
from decimal import Decimal
from typing import Final

from faults import Conflict, Fault, Invalid, Missing, raise_faults
from people.actors import Actor
from people.models import Club
from people.permissions import require_director
from people.rows import one_or_none
from people.text import clean_line, web_address_faults
from people.timezones import timezone_names
from people.transactions import durable
from tournaments.engine.consents import Consent
from tournaments.engine.hall.hours import OpeningHours
from tournaments.engine.hall.near import DEFAULT_MINUTES, MAX_MINUTES
from tournaments.engine.statuses import DRAW_PUBLIC, EventAction, EventStatus
from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.events import (
    EventCancelled,
    EventCreated,
    EventOpened,
    EventRestored,
    EventReturnedToDraft,
    EventUpdated,
    RegistrationClosed,
    RegistrationLinkRenewed,
    RegistrationOpened,
)
from tournaments.events.services.divisions import (
    FIRST_YEAR,
    LAST_YEAR,
    DivisionDetails,
    create_division,
    new_event_division_faults,
)
from tournaments.events.services.limits import rating_list_faults
from tournaments.events.services.stages import StageDetails
from tournaments.models import Event
from tournaments.selectors.access.versions import settings_version
from tournaments.selectors.entries import joinable_divisions
from tournaments.selectors.events.detail import has_results
from tournaments.store.event_state import step_event
from tournaments.store.lock import lock_for_director, record_action, refuse_if_changed
from tournaments.store.tables import assign_free_tables

MAX_NAME_LENGTH = 120
MAX_EVENT_DAYS = 400
MAX_TABLES = 999
MAX_WEIGHT = 10
_HUNDREDTH = Decimal("0.01")
_AUDIT_ACTIONS: Final[Mapping[EventAction, type[AuditAction]]] = {
    EventAction.OPEN: EventOpened,
    EventAction.CLOSE: EventReturnedToDraft,
    EventAction.CANCEL: EventCancelled,
    EventAction.RESTORE: EventRestored,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDetails:
    """Settings of an event.

    ``weight``: factor of its master points, to hundredths; ``requires``: codes of the consents that players
    must give to enter by the registration link (`engine.consents`); ``opens_at``, ``closes_at``: daily hours
    of play; ``word_minutes``: minutes before a match at which its players get an up-next notice, 0 for none.
    """

    name: str
    starts_on: date
    ends_on: date
    place: str = ""
    description: str = ""
    timezone: str = "UTC"
    visibility: str = "public"
    tables: int = 16
    weight: Decimal = Decimal(1)
    requires: Sequence[str] = ()
    opens_at: time | None = None
    closes_at: time | None = None
    break_from: time | None = None
    break_until: time | None = None
    word_minutes: int = DEFAULT_MINUTES


@durable
def create_event(
    *,
    actor: Actor,
    club_id: int,
    details: EventDetails,
    stage: StageDetails | None = None,
    divisions: Sequence[DivisionDetails] = (),
) -> Event:
    """Create an event as a draft and return it; it has ``divisions``, or a single one with ``stage``.

    Raises ``Invalid`` with all errors.
    """
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    planned_divisions = [DivisionDetails(stages=[stage])] if stage is not None else list(divisions)
    list_faults = [
        fault
        for planned_division in planned_divisions
        for fault in rating_list_faults(club, planned_division.limit)
    ]
    raise_faults([*event_faults(details), *new_event_division_faults(planned_divisions), *list_faults])
    event = Event(club=club, created_by=actor.user, status=EventStatus.DRAFT)
    write_event(event, details)
    event.save()
    for position, division in enumerate(planned_divisions, start=1):
        create_division(event, division, position=position)
    record_action(event, actor=actor, action=EventCreated(name=event.name))
    return event


@durable
def update_event(
    *,
    actor: Actor,
    event_id: int,
    details: EventDetails,
    seen: str = "",
    only: Collection[str] = (),
) -> Event:
    """Change the settings of an event and return it; its draws and results stay.

    ``only``: names of the fields of ``details`` to change; empty for all. ``seen``: `event_settings_version`
    of these fields that the director saw.

    Raises ``Conflict`` if the settings have changed since ``seen``, and ``Invalid`` for another weight once
    there are results: facts in the ledger contain the weight and never change.
    """
    faults = event_faults(details)  # computed before the lock, raised after the permission check
    event = lock_for_director(actor, event_id, called_off=True)
    refuse_if_changed(seen, event_settings_version(event, only), event.status, event)
    raise_faults(faults)
    if only:
        details = replace(details_of_event(event), **{name: getattr(details, name) for name in only})
    if details.weight != event.weight and has_results(event):
        raise Invalid("event.weight_fixed", field="weight")
    before = settings_as_text(event)
    write_event(event, details)
    if event.status == EventStatus.RUNNING:
        assign_free_tables(event)
    record_action(event, actor=actor, action=EventUpdated(before=before, after=settings_as_text(event)))
    return event


@durable
def change_event_status(*, actor: Actor, event_id: int, action: EventAction) -> Event:
    """Open a draft for entries, close it again, cancel an event or restore a cancelled one; return the event.

    Starting and finishing follow from the draw and the results. A restored event whose draw is public runs
    again.
    """
    event = lock_for_director(actor, event_id, called_off=True)
    if action not in _AUDIT_ACTIONS:
        raise Invalid("event.action_unknown", action=action)
    step_event(event, action)
    if action is EventAction.RESTORE and event.divisions.filter(stages__status__in=DRAW_PUBLIC).exists():
        # Its draw is public: resume where it was cancelled.
        step_event(event, EventAction.START)
    if event.status != EventStatus.OPEN:
        event.registration_open = False
    record_action(event, actor=actor, action=_AUDIT_ACTIONS[action]())
    return event


@durable
def set_registration(*, actor: Actor, event_id: int, is_open: bool) -> Event:
    """Open or close registration through the link; return the event.

    Opening also opens a draft event for entries.

    While an event runs, registration can be open for divisions that are not drawn.
    """
    event = lock_for_director(actor, event_id)
    if is_open and event.status == EventStatus.DRAFT:
        step_event(event, EventAction.OPEN)
    is_running = event.status == EventStatus.RUNNING and bool(joinable_divisions(event))
    if is_open and event.status != EventStatus.OPEN and not is_running:
        raise Conflict("registration.too_late", present=event)
    event.registration_open = is_open
    record_action(event, actor=actor, action=RegistrationOpened() if is_open else RegistrationClosed())
    return event


@durable
def renew_registration_link(*, actor: Actor, event_id: int) -> Event:
    """Make the event's registration link invalid and create a new one; return the event."""
    event = lock_for_director(actor, event_id)
    event.registration_version += 1
    record_action(event, actor=actor, action=RegistrationLinkRenewed())
    return event


def write_event(event: Event, details: EventDetails) -> None:
    """Write details that are already validated into ``event``, without saving it."""
    event.name = clean_line(details.name)
    event.place = clean_line(details.place)
    event.description = details.description.strip()
    event.starts_on = details.starts_on
    event.ends_on = details.ends_on
    event.timezone = details.timezone
    event.visibility = details.visibility
    event.tables = details.tables
    event.weight = details.weight.quantize(_HUNDREDTH)
    event.opens_at, event.closes_at = details.opens_at, details.closes_at
    event.break_from, event.break_until = details.break_from, details.break_until
    event.word_minutes = details.word_minutes
    event.requires = [kind.value for kind in Consent if kind in details.requires]


def event_settings_version(event: Event, field_names: Collection[str] = ()) -> str:
    """Return the version (a hash) of the settings of ``event``.

    ``field_names``: names of the fields, empty for all.
    """
    return settings_version(
        {
            name: text
            for name, text in settings_as_text(event).items()
            if not field_names or name in field_names
        }
    )


def event_faults(details: EventDetails) -> list[Fault]:
    """Return all errors in the settings of an event."""
    faults = []
    name = clean_line(details.name)
    if not name:
        faults.append(Fault("event.name_missing", "name"))
    elif len(name) > MAX_NAME_LENGTH:
        faults.append(Fault("event.name_long", "name", {"limit": MAX_NAME_LENGTH}))
    faults += web_address_faults(name)
    faults += [
        Fault("event.day_odd", field, {"first": FIRST_YEAR, "last": LAST_YEAR})
        for field, day in (("starts_on", details.starts_on), ("ends_on", details.ends_on))
        if not FIRST_YEAR <= day.year <= LAST_YEAR
    ]
    if details.ends_on < details.starts_on:
        faults.append(Fault("event.ends_before_start", "ends_on"))
    elif (details.ends_on - details.starts_on).days > MAX_EVENT_DAYS:
        faults.append(Fault("event.too_long", "ends_on", {"limit": MAX_EVENT_DAYS}))
    if details.timezone not in timezone_names():
        faults.append(Fault("event.timezone_unknown", "timezone", {"timezone": details.timezone}))
    if details.visibility not in Event.Visibility.values:
        faults.append(Fault("event.visibility_unknown", "visibility", {"value": details.visibility}))
    if not 1 <= details.tables <= MAX_TABLES:
        faults.append(Fault("event.tables_odd", "tables", {"limit": MAX_TABLES}))
    weight = details.weight
    if not (weight.is_finite() and 0 <= weight <= MAX_WEIGHT and weight == round(weight, 2)):
        faults.append(Fault("event.weight_odd", "weight", {"limit": MAX_WEIGHT}))
    if not set(details.requires) <= set(Consent):
        faults.append(Fault("event.requires_odd", "requires"))
    faults += hours_faults(
        OpeningHours(details.opens_at, details.closes_at, details.break_from, details.break_until)
    )
    if not 0 <= details.word_minutes <= MAX_MINUTES:
        faults.append(Fault("event.word_minutes_odd", "word_minutes", {"limit": MAX_MINUTES}))
    return faults


def hours_faults(hours: OpeningHours) -> list[Fault]:
    """Return the errors in the hours of play, at the fields of an event."""
    faults = []
    if OpeningHours(opens=hours.opens, closes=hours.closes).are_invalid:
        faults.append(Fault("event.hours_odd", "closes_at"))
    if OpeningHours(break_from=hours.break_from, break_until=hours.break_until).are_invalid:
        faults.append(Fault("event.break_odd", "break_until"))
    return faults


def details_of_event(event: Event) -> EventDetails:
    """Return the settings of an existing event as details, from which another event could be created."""
    return EventDetails(
        name=event.name,
        starts_on=event.starts_on,
        ends_on=event.ends_on,
        place=event.place,
        description=event.description,
        timezone=event.timezone,
        visibility=event.visibility,
        tables=event.tables,
        weight=event.weight,
        requires=event.requires,
        opens_at=event.opens_at,
        closes_at=event.closes_at,
        break_from=event.break_from,
        break_until=event.break_until,
        word_minutes=event.word_minutes,
    )


def settings_as_text(event: Event) -> dict[str, str]:
    """Return the settings of an event as text for the audit log, keyed by field.

    None becomes an empty text.
    """
    parts = asdict(details_of_event(event)) | {"requires": ", ".join(event.requires)}
    return {key: "" if value is None else str(value) for key, value in parts.items()}
