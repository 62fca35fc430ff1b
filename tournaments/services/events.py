"""Create and change events: what they are called, when and where, their stage's format, whether they are open."""

import zoneinfo
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from django.db import transaction

from games.rules.errors import FormatError, RuleError, UnknownCode
from games.rules.formats import MatchFormat, preset
from people.actors import Actor
from people.errors import Conflict, Fault, Invalid, Missing
from people.models import Club
from people.permissions import require_director
from people.text import one_line
from tournaments.engine.lengths import MAX_LENGTH, check_lengths
from tournaments.engine.lifecycle import EventAction, EventStatus, StageStatus, next_status
from tournaments.engine.pairing.settings import USUAL, SwissSettings, check_settings
from tournaments.engine.reporting import ReportPolicy
from tournaments.models import Division, Event, Stage
from tournaments.services.common import changed, engine_refusals, lock_for_director
from tournaments.services.tables import hand_out_tables

NAME_LIMIT = 120
LONGEST_DAYS = 400
DRAW_SHOWN = (StageStatus.PUBLISHED, StageStatus.RUNNING, StageStatus.FINISHED)
MOST_TABLES = 999


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDetails:
    """What a director says about an event."""

    name: str
    starts_on: date
    ends_on: date
    place: str = ""
    description: str = ""
    timezone: str = "UTC"
    visibility: str = "public"
    tables: int = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class StageDetails:
    """How its one stage is played. ``options`` are switches of the match format that differ from the preset.

    ``swiss`` counts where the system is a Swiss; a round robin takes the tie-breaks from it.
    """

    lengths: Sequence[int]
    system: str = "single_elimination"
    format_preset: str = "match"
    draw_method: str = "blind"
    report_policy: str = "opponent_confirms"
    clean_record_settles: bool = False
    swiss: SwissSettings = USUAL
    options: Mapping[str, Any] | None = None


@transaction.atomic(durable=True)
def create_event(*, actor: Actor, club_id: int, details: EventDetails, stage: StageDetails) -> Event:
    """A new event as a draft, with one division and one stage. Everything wrong with the input is reported at once."""
    club = Club.objects.filter(pk=club_id).first()
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    _refuse([*_event_faults(details), *_stage_faults(stage)])
    event = Event(club=club, created_by=actor.user, status=EventStatus.DRAFT)
    _write_event(event, details)
    event.save()
    division = Division.objects.create(event=event, position=1)
    new_stage = Stage(division=division, position=1, status=StageStatus.SETUP)
    _write_stage(new_stage, stage)
    new_stage.save()
    changed(
        event, actor=actor, action="event.create", data={"name": event.name, "lengths": new_stage.lengths}
    )
    return event


@transaction.atomic(durable=True)
def update_event(*, actor: Actor, event_id: int, details: EventDetails) -> Event:
    """Change what is said about an event; its draw and results stay."""
    event = lock_for_director(actor, event_id)
    _refuse(_event_faults(details))
    before = _as_json(event)
    _write_event(event, details)
    if event.status == EventStatus.RUNNING:
        hand_out_tables(event)
    changed(event, actor=actor, action="event.update", data={"before": before, "after": _as_json(event)})
    return event


@transaction.atomic(durable=True)
def update_stage(*, actor: Actor, event_id: int, stage_id: int, stage: StageDetails) -> Stage:
    """Change how a stage is played; possible until it is drawn (a wrong length after that is a correction)."""
    event = lock_for_director(actor, event_id)
    found = Stage.objects.filter(pk=stage_id, division__event=event).first()
    if found is None:
        raise Missing("stage.unknown")
    if found.status != StageStatus.SETUP:
        raise Conflict("stage.already_drawn", present={"status": found.status})
    _refuse(_stage_faults(stage))
    _write_stage(found, stage)
    found.save()
    changed(event, actor=actor, action="stage.update", subject=found, data={"lengths": found.lengths})
    return found


@transaction.atomic(durable=True)
def move_event(*, actor: Actor, event_id: int, action: EventAction) -> Event:
    """Open, close, cancel or restore an event. Starting and finishing follow from the draw and the results."""
    event = lock_for_director(actor, event_id)
    if action not in {EventAction.OPEN, EventAction.CLOSE, EventAction.CANCEL, EventAction.RESTORE}:
        raise Invalid("event.action_unknown", action=action)
    with engine_refusals({"status": event.status}):
        event.status = next_status(EventStatus(event.status), action)
    if action is EventAction.RESTORE and event.divisions.filter(stages__status__in=DRAW_SHOWN).exists():
        # Its draw is public: it goes on where it was called off.
        event.status = next_status(EventStatus(event.status), EventAction.START)
    if event.status != EventStatus.OPEN:
        event.registration_open = False
    changed(event, actor=actor, action=f"event.{action}")
    return event


@transaction.atomic(durable=True)
def set_registration(*, actor: Actor, event_id: int, is_open: bool) -> Event:
    """Open or close self-registration. Opening it opens a draft event for entries as well."""
    event = lock_for_director(actor, event_id)
    if is_open and event.status == EventStatus.DRAFT:
        event.status = next_status(EventStatus(event.status), EventAction.OPEN)
    if is_open and event.status != EventStatus.OPEN:
        raise Conflict("registration.too_late", present={"status": event.status})
    event.registration_open = is_open
    changed(event, actor=actor, action="registration.open" if is_open else "registration.close")
    return event


@transaction.atomic(durable=True)
def renew_registration_link(*, actor: Actor, event_id: int) -> Event:
    """Make the old registration link worthless and a new one good."""
    event = lock_for_director(actor, event_id)
    event.registration_version += 1
    changed(event, actor=actor, action="registration.renew_link")
    return event


def match_format(stage: Stage, length: int) -> MatchFormat:
    """The cube rules a match of ``stage`` to ``length`` points is played by."""
    return preset(stage.format_preset).format(length)


def _write_event(event: Event, details: EventDetails) -> None:
    event.name = one_line(details.name)
    event.place = one_line(details.place)
    event.description = details.description.strip()
    event.starts_on = details.starts_on
    event.ends_on = details.ends_on
    event.timezone = details.timezone
    event.visibility = details.visibility
    event.tables = details.tables


def _write_stage(stage: Stage, details: StageDetails) -> None:
    stage.system = details.system
    stage.format_preset = details.format_preset
    stage.lengths = list(details.lengths)
    stage.draw_method = details.draw_method
    stage.report_policy = details.report_policy
    stage.clean_record_settles = details.clean_record_settles
    stage.options = details.swiss.stored() if details.system in Stage.IN_ROUNDS else {}


def _event_faults(details: EventDetails) -> list[Fault]:
    faults = []
    name = one_line(details.name)
    if not name:
        faults.append(Fault("event.name_missing", "name"))
    elif len(name) > NAME_LIMIT:
        faults.append(Fault("event.name_long", "name", {"limit": NAME_LIMIT}))
    if details.ends_on < details.starts_on:
        faults.append(Fault("event.ends_before_start", "ends_on"))
    elif (details.ends_on - details.starts_on).days > LONGEST_DAYS:
        faults.append(Fault("event.too_long", "ends_on", {"limit": LONGEST_DAYS}))
    if details.timezone not in zoneinfo.available_timezones():
        faults.append(Fault("event.timezone_unknown", "timezone", {"timezone": details.timezone}))
    if details.visibility not in Event.Visibility.values:
        faults.append(Fault("event.visibility_unknown", "visibility", {"value": details.visibility}))
    if not 1 <= details.tables <= MOST_TABLES:
        faults.append(Fault("event.tables_odd", "tables", {"limit": MOST_TABLES}))
    return faults


def _stage_faults(stage: StageDetails) -> list[Fault]:
    faults = [
        Fault(f.code, "lengths", {"position": f.position, "length": f.length})
        for f in check_lengths(tuple(stage.lengths))
    ]
    if stage.system not in Stage.System.values:
        faults.append(Fault("stage.system_unknown", "system", {"value": stage.system}))
    if stage.draw_method not in Stage.DrawMethod.values:
        faults.append(Fault("stage.draw_unknown", "draw_method", {"value": stage.draw_method}))
    if stage.report_policy not in list(ReportPolicy):
        faults.append(Fault("stage.policy_unknown", "report_policy", {"value": stage.report_policy}))
    if stage.system in Stage.IN_ROUNDS:
        faults += [Fault(f.code, f.field, f.params) for f in check_settings(stage.swiss)]
    faults += _format_faults(stage)
    return faults


def _format_faults(stage: StageDetails) -> list[Fault]:
    """R40 R41 F2 F5 F14: a match to N points has Crawford, no Jacoby and no beavers; the format itself refuses others."""
    length = next((n for n in stage.lengths if 0 < n <= MAX_LENGTH), 1)
    try:
        form = preset(stage.format_preset).format(length)
        form = replace(form, **dict(stage.options or {}))
    except UnknownCode:
        return [Fault("stage.format_unknown", "format_preset", {"value": stage.format_preset})]
    except FormatError as error:
        return [Fault(f.code, "format_preset", {**f.params, "rule": f.rule}) for f in error.faults]
    except RuleError:
        return [Fault("stage.format_without_length", "format_preset", {"value": stage.format_preset})]
    except TypeError:
        return [
            Fault(
                "stage.option_unknown", "format_preset", {"options": ", ".join(sorted(stage.options or {}))}
            )
        ]
    if not form.crawford:
        return [Fault("stage.without_crawford", "format_preset", {"rule": "F2"})]
    if form != preset(stage.format_preset).format(length):
        return [
            Fault(
                "stage.option_unknown", "format_preset", {"options": ", ".join(sorted(stage.options or {}))}
            )
        ]
    return []


def _refuse(faults: list[Fault]) -> None:
    if faults:
        raise Invalid(faults=faults)


def _as_json(event: Event) -> dict[str, str]:
    details = EventDetails(
        name=event.name,
        starts_on=event.starts_on,
        ends_on=event.ends_on,
        place=event.place,
        description=event.description,
        timezone=event.timezone,
        visibility=event.visibility,
        tables=event.tables,
    )
    return {key: str(value) for key, value in asdict(details).items()}
