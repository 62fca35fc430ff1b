"""Fields of request bodies, actors, and the mapping of faults to body fields, for API views."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from rest_framework.request import Request
from rest_framework.serializers import CharField, ChoiceField

from faults import Fault, Invalid, NotAllowed
from people.actors import Actor
from people.audience import Audience, activate_audience
from people.models import Club
from people.permissions import require_director
from tournaments.engine.limits import MAX_REASON_LENGTH
from tournaments.engine.new_entry import WhenFull
from tournaments.models import Division, Event, Stage
from tournaments.selectors.access.visibility import is_event_staff
from tournaments.selectors.events.detail import divisions_in, stages_by_number


class SubmissionKeyField(CharField):
    """The optional ``submission_key`` of a request body, which makes repeated requests one.

    `config.repeats` treats the key like the header ``Idempotency-Key``; the view must set ``key_in_body``.
    """

    def __init__(self) -> None:
        super().__init__(
            required=False,
            allow_blank=True,
            max_length=64,
            help_text="Your own key, the same for every repetition; you can send the header Idempotency-Key instead.",
        )


class OverruleField(CharField):
    """The optional ``overrule`` of a request body: why an entry outside the rating limit is accepted.

    The limits are checked in `entries.services.limits`.
    """

    def __init__(self, help_text: str) -> None:
        super().__init__(
            required=False,
            allow_blank=True,
            default="",
            max_length=2 * MAX_REASON_LENGTH,
            help_text=help_text,
        )


_WHEN_FULL_HELP: Final = (
    "If no place is free or others are waiting: `ask` rejects the entry with 409 `entry.full` and the numbers"
    " of places and entries; `add` adds a place beyond the limit; `wait` adds the entry to the end of the"
    " waiting list, before the draw."
)


class WhenFullField(ChoiceField):
    """The optional ``when_full`` of a request body: what to do if the division has no free place.

    The values are applied by `store.waiting.allocate_places`.
    """

    def __init__(self, help_text: str = _WHEN_FULL_HELP) -> None:
        super().__init__(
            choices=[choice.value for choice in WhenFull],
            required=False,
            default=WhenFull.ASK.value,
            help_text=help_text,
        )


def director_actor(request: Request, club: Club) -> Actor:
    """Return the signed-in user as actor, and make the response show full names.

    Raises ``NotAllowed`` unless the user is signed in and a director of ``club``.
    """
    if not request.user.is_authenticated:
        raise NotAllowed("people.not_director")
    actor = Actor.of(request.user)
    require_director(actor, club)
    activate_audience(Audience.FULL)
    return actor


def helper_actor(request: Request, event: Event) -> Actor:
    """Return the signed-in user as actor, and make the response show full names.

    Raises ``NotAllowed`` unless the user is signed in and a director or an assistant of ``event``.
    """
    if not request.user.is_authenticated or not is_event_staff(request.user, event):
        raise NotAllowed("people.not_director")
    activate_audience(Audience.FULL)
    return Actor.of(request.user)


def division_by_number(event: Event, number: int, field: str = "division") -> Division:
    """Return the division of ``event`` at position ``number``, counted from 1.

    Raises ``Invalid`` at the body field ``field`` if there is none, because a 404 is for the address itself.
    """
    divisions = divisions_in(event)
    if not 0 < number <= len(divisions):
        raise Invalid("division.unknown", field=field)
    return divisions[number - 1]


def stage_by_number(event: Event, division: int, stage: int) -> Stage:
    """Return the stage at position ``stage`` of the division at position ``division``, both counted from 1.

    Raises ``Invalid`` at the body field ``stage`` if there is none.
    """
    stage_row = stages_by_number(event).get((division, stage))
    if stage_row is None:
        raise Invalid("stage.unknown", field="stage")
    return stage_row


@contextmanager
def map_fault_fields(body_fields: Mapping[str, str]) -> Iterator[None]:
    """Context manager that renames the fields of ``Invalid`` errors, from form fields to request body fields.

    ``body_fields``: a dictionary of form fields and their body fields. ``#`` stands for a number that forms
    count from 1 and bodies from 0: ``{"name-#": "columns.#.name"}``. Fields that it does not contain are
    unchanged.
    """
    try:
        yield
    except Invalid as invalid:
        raise Invalid(faults=[_to_body_field(fault, body_fields) for fault in invalid.faults]) from invalid


def _to_body_field(fault: Fault, body_fields: Mapping[str, str]) -> Fault:
    for form_field, body_field in body_fields.items():
        match = re.fullmatch(re.escape(form_field).replace(r"\#", "([0-9]+)"), fault.field or "")
        if match is not None:
            head, *tail = body_field.split("#")
            numbered = zip(match.groups(), tail, strict=True)
            return fault.at(head + "".join(f"{int(number) - 1}{rest}" for number, rest in numbered))
    return fault
