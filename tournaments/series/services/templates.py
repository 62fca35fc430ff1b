"""Services for templates of a club: save from an event, change, archive, and create events from them."""

from dataclasses import asdict, replace
from datetime import date
from typing import Final

from faults import Conflict, Fault, Invalid, Missing, raise_faults
from people.actors import Actor
from people.models import Club
from people.permissions import require_director
from people.rows import one_or_none
from people.services import audit
from people.text import clean_line, web_address_faults
from people.transactions import durable
from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.events import EventCopied
from tournaments.engine.trail.series import TemplateChanged, TemplateSaved
from tournaments.events.services.divisions import new_event_division_faults
from tournaments.events.services.events import MAX_NAME_LENGTH, EventDetails, event_faults
from tournaments.events.services.plan_json import plan_from_json, plan_to_json
from tournaments.events.services.plans import EventPlan, create_event_from_plan, move_plan, plan_from_event
from tournaments.events.services.stages import StageDetails
from tournaments.models import ClubTemplate, Event
from tournaments.models.trail import serialize_action
from tournaments.selectors.access.versions import SETTINGS_CHANGED
from tournaments.selectors.copying import event_start_dates
from tournaments.selectors.series import today_in_zone
from tournaments.store.lock import lock_for_director, record_action

MAX_TEMPLATES: Final = 60
MAX_SENTENCE_LENGTH: Final = 200


@durable
def save_template(
    *, actor: Actor, event_id: int, name: str = "", sentence: str = "", replaced_id: int | None = None
) -> ClubTemplate:
    """Save the settings of an event as a template of its club.

    ``replaced_id``: id of a template to replace, which keeps its name and sentence where none is given.
    """
    event = lock_for_director(actor, event_id, called_off=True)
    template = (
        _lock_template(event.club, replaced_id) if replaced_id is not None else ClubTemplate(club=event.club)
    )
    template.name = clean_line(name) or template.name
    template.sentence = clean_line(sentence) or template.sentence
    faults = _text_faults(template)
    if (
        replaced_id is None
        and not faults
        and ClubTemplate.objects.filter(club=event.club).count() >= MAX_TEMPLATES
    ):
        faults = [Fault("template.too_many", "name", {"limit": MAX_TEMPLATES})]
    raise_faults(faults)
    template.plan = plan_to_json(plan_from_event(event))
    template.archived = False
    _save(actor, template, TemplateSaved(name=template.name, of=event.name, again=replaced_id is not None))
    return template


@durable
def update_template(
    *,
    actor: Actor,
    club_id: int,
    template_id: int,
    name: str,
    sentence: str = "",
    archived: bool = False,
    details: EventDetails | None = None,
    seen: int | None = None,
) -> ClubTemplate:
    """Change the name of a template and, with ``details``, the settings of its events, without their dates.

    ``seen``: the version that the user saw; raises ``Conflict`` if it has changed.
    """
    template = _lock_for_director(actor, club_id, template_id, seen)
    before = _as_json(template)
    template.name, template.sentence, template.archived = clean_line(name), clean_line(sentence), archived
    faults = _text_faults(template)
    if details is not None:
        plan = plan_from_json(template.plan)
        dated_details = replace(
            details, name=plan.details.name, starts_on=plan.details.starts_on, ends_on=plan.details.ends_on
        )
        faults += event_faults(dated_details)
        raise_faults(faults)
        template.plan = plan_to_json(replace(plan, details=dated_details))
    raise_faults(faults)
    after = _as_json(template)
    if before != after:
        _save(actor, template, TemplateChanged(name=template.name, before=before, after=after))
    return template


@durable
def update_template_stage(
    *,
    actor: Actor,
    club_id: int,
    template_id: int,
    division: int,
    number: int,
    stage: StageDetails,
    seen: int | None = None,
) -> ClubTemplate:
    """Change the settings of stage ``number`` of division ``division`` of a template, both counted from 1.

    Existing events do not change. ``seen``: the version that the user saw; raises ``Conflict`` if it has
    changed.
    """
    template = _lock_for_director(actor, club_id, template_id, seen)
    plan = plan_from_json(template.plan)
    current_stage = stage_of_plan(plan, division, number)
    stages = list(plan.divisions[division - 1].details.stages)
    stages[number - 1] = replace(stage, conduct=current_stage.conduct, prizes=current_stage.prizes)
    divisions = list(plan.divisions)
    divisions[division - 1] = replace(
        divisions[division - 1], details=replace(divisions[division - 1].details, stages=tuple(stages))
    )
    key = f"division-{division}-stage-{number}-"
    faults = new_event_division_faults([division_plan.details for division_plan in divisions])
    raise_faults([fault.at((fault.field or "").removeprefix(key)) for fault in faults])
    template.plan = plan_to_json(replace(plan, divisions=tuple(divisions)))
    _save(actor, template, TemplateChanged(name=template.name, before={}, after={}))
    return template


@durable
def create_from_template(
    *, actor: Actor, club_id: int, template_id: int, starts_on: date, name: str = ""
) -> Event:
    """Create an event from a template, as a draft that begins on ``starts_on``.

    ``name``: by default that of the template.
    """
    template = _lock_for_director(actor, club_id, template_id, None)
    name = clean_line(name) or template.name
    plan = plan_from_json(template.plan)
    if starts_on < today_in_zone(plan.details.timezone):
        raise Invalid("again.past", field="starts_on", day=starts_on)
    if starts_on in event_start_dates(template.club, name):
        raise Invalid("again.there_already", field="starts_on", day=starts_on, name=name)
    event = create_event_from_plan(move_plan(plan, starts_on, name), actor=actor, club=template.club)
    record_action(event, actor=actor, action=EventCopied(name=event.name, template=template.name))
    return event


def stage_of_plan(plan: EventPlan, division: int, number: int) -> StageDetails:
    """Return stage ``number`` of division ``division``, both counted from 1. Raises ``Missing``."""
    divisions = plan.divisions
    if not 1 <= division <= len(divisions) or not 1 <= number <= len(divisions[division - 1].details.stages):
        raise Missing("stage.unknown")
    return divisions[division - 1].details.stages[number - 1]


def _lock_for_director(
    actor: Actor, club_id: int, template_id: int, expected_version: int | None
) -> ClubTemplate:
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    template = _lock_template(club, template_id)
    if expected_version is not None and expected_version != template.version:
        raise Conflict(SETTINGS_CHANGED, present={"status": ""})
    return template


def _lock_template(club: Club, template_id: int) -> ClubTemplate:
    template = one_or_none(ClubTemplate.objects.select_for_update().filter(pk=template_id, club=club))
    if template is None:
        raise Missing("template.unknown")
    return template


def _text_faults(template: ClubTemplate) -> list[Fault]:
    faults = []
    if not template.name:
        faults.append(Fault("template.name_missing", "name"))
    elif len(template.name) > MAX_NAME_LENGTH:
        faults.append(Fault("template.name_long", "name", {"limit": MAX_NAME_LENGTH}))
    elif (
        not template.archived
        and ClubTemplate.objects.filter(club=template.club_id, name__iexact=template.name, archived=False)
        .exclude(pk=template.pk)
        .exists()
    ):
        faults.append(Fault("template.name_taken", "name", {"name": template.name}))
    faults += web_address_faults(template.name)
    if len(template.sentence) > MAX_SENTENCE_LENGTH:
        faults.append(Fault("template.sentence_long", "sentence", {"limit": MAX_SENTENCE_LENGTH}))
    return faults


def _save(actor: Actor, template: ClubTemplate, action: AuditAction) -> None:
    if template.pk is not None:
        template.version += 1
    template.save()
    audit.record_action(
        actor=actor, action=action.kind, subject=template, club=template.club, data=serialize_action(action)
    )


def _as_json(template: ClubTemplate) -> dict[str, str]:
    details = asdict(plan_from_json(template.plan).details)
    for name in ("name", "starts_on", "ends_on"):
        del details[name]
    values = {"name": template.name, "text": template.sentence, **details, "archived": template.archived}
    return {key: "" if value in (None, ()) else str(value) for key, value in values.items()}
