"""Who asks for a change, what was sent, and where in it something is wrong."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rest_framework.request import Request
from rest_framework.serializers import CharField, ChoiceField

from faults import Fault, Invalid, NotAllowed
from people.actors import Actor
from people.audience import Audience, activate_audience
from people.models import Club
from people.permissions import require_director
from tournaments.engine.limits import MAX_REASON_LENGTH
from tournaments.engine.new_entry import PublicPage, WhenFull
from tournaments.models import Division, Event, Stage
from tournaments.selectors.access.visibility import is_event_staff
from tournaments.selectors.events.detail import divisions_in, stages_by_place


class SubmissionKeyField(CharField):
    """``submission_key`` in a body: what `config.repeats` takes like the header. Its view says ``key_in_body``."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            allow_blank=True,
            max_length=64,
            help_text="Your own key, the same for every repetition; you can send the header Idempotency-Key instead.",
        )


class OverruleField(CharField):
    """``overrule`` in a body: why an entry is accepted despite the division's rating limits (`entries.services.limits`)."""

    def __init__(self, help_text: str) -> None:
        super().__init__(
            required=False,
            allow_blank=True,
            default="",
            max_length=2 * MAX_REASON_LENGTH,
            help_text=help_text,
        )


class WhenFullField(ChoiceField):
    """``when_full`` in a body: what is done in a full division (`store.waiting.allocate_places`)."""

    def __init__(self) -> None:
        super().__init__(
            choices=[one.value for one in WhenFull],
            required=False,
            default=WhenFull.ASK.value,
            help_text=(
                "If no place is free or others are waiting: `ask` rejects the entry with 409 `entry.full` and the numbers"
                " of places and entries; `add` adds a place beyond the limit; `wait` adds the entry to the end of the"
                " waiting list, before the draw."
            ),
        )


class PublicPageField(ChoiceField):
    """``public_page`` of a new player in a body: since when they have one."""

    def __init__(self) -> None:
        super().__init__(
            choices=[one.value for one in PublicPage],
            required=False,
            default=PublicPage.WITH_DRAW.value,
            help_text=(
                "For a new player: `with_draw` once a draw with them is public; `now` if they agreed to it; `none` if"
                " their name should only appear in draws and tables."
            ),
        )


def director_actor(request: Request, club: Club) -> Actor:
    """Who asks, for the services; the answer names players as they are. Raises ``NotAllowed`` for anybody but a director of ``club``
    who is signed in.
    """
    if not request.user.is_authenticated:
        raise NotAllowed("people.not_director")
    actor = Actor.of(request.user)
    require_director(actor, club)
    activate_audience(Audience.FULL)
    return actor


def helper_actor(request: Request, event: Event) -> Actor:
    """As `director_actor`, for those who help with ``event``, too."""
    if not request.user.is_authenticated or not is_event_staff(request.user, event):
        raise NotAllowed("people.not_director")
    activate_audience(Audience.FULL)
    return Actor.of(request.user)


def division_by_number(event: Event, number: int, field: str = "division") -> Division:
    """The division of ``event`` with this number. Raises ``Invalid`` at its ``field`` of the body: 404 is for the address itself."""
    divisions = divisions_in(event)
    if not 0 < number <= len(divisions):
        raise Invalid("division.unknown", field=field)
    return divisions[number - 1]


def stage_by_number(event: Event, division: int, stage: int) -> Stage:
    """The stage of ``event`` by the number of its division and its own in there, as `division_by_number`."""
    found = stages_by_place(event).get((division, stage))
    if found is None:
        raise Invalid("stage.unknown", field="stage")
    return found


@contextmanager
def map_fault_fields(ways: Mapping[str, str]) -> Iterator[None]:
    """Faults of a service at the fields of the body. Services name the fields of the forms on pages; ``ways`` says which is which, with ``#`` for
    a number that forms count from 1 and bodies from 0: ``{"name-#": "columns.#.name"}``. What it does not name stays.
    """
    try:
        yield
    except Invalid as invalid:
        raise Invalid(faults=[_to_body_field(fault, ways) for fault in invalid.faults]) from invalid


def _to_body_field(fault: Fault, ways: Mapping[str, str]) -> Fault:
    for form, body in ways.items():
        found = re.fullmatch(re.escape(form).replace(r"\#", "([0-9]+)"), fault.field or "")
        if found is not None:
            head, *tail = body.split("#")
            numbered = zip(found.groups(), tail, strict=True)
            return fault.at(head + "".join(f"{int(number) - 1}{rest}" for number, rest in numbered))
    return fault
