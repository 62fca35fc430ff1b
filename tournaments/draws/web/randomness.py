"""Public random numbers on the director's page of draws: choose one, and draw with it when it is due."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from faults import CrawfordError, Invalid
from tournaments.engine.lots.committed import MIN_PUBLIC_TIME, is_briefly_public, json_digest
from tournaments.engine.lots.randomness import (
    MAX_LABEL_LENGTH,
    MAX_PASTED_LENGTH,
    MAX_READ_FROM_LENGTH,
    RandomnessChoice,
    RandomnessKind,
)
from tournaments.models import Event, PublicRandomness, Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.lots import number_public_since
from tournaments.selectors.seeding import draw_participants, next_draw_list
from tournaments.shared.fragments.cards import Context
from tournaments.shared.words.names import date_and_time

_DEFAULT_DELAY: Final = MIN_PUBLIC_TIME + timedelta(minutes=5)
_INPUT_FORMAT: Final = "%Y-%m-%dT%H:%M"
_DRAND_URL: Final = "https://api.drand.sh"


def randomness_choice_from_form(request: HttpRequest, event: Event) -> RandomnessChoice:
    """Return the choice of a public number from a form. Raises ``Invalid`` if the form has no valid time."""
    kind = (
        RandomnessKind.LOTTERY if request.POST.get("kind") == RandomnessKind.LOTTERY else RandomnessKind.DRAND
    )
    try:
        due_at = datetime.fromisoformat(request.POST.get("due_at", ""))
    except ValueError:
        raise Invalid("randomness.time_odd", field="due_at") from None
    return RandomnessChoice(
        kind,
        due_at.replace(tzinfo=due_at.tzinfo or ZoneInfo(event.timezone)),
        request.POST.get("label", "")[: MAX_LABEL_LENGTH + 1],
    )


def default_due_time(event: Event) -> str:
    """Return the default for field ``due_at``: a time a few minutes from now, in the event's time zone."""
    return (timezone.now() + _DEFAULT_DELAY).astimezone(ZoneInfo(event.timezone)).strftime(_INPUT_FORMAT)


def randomness_context(
    event: Event, stage: Stage, draw: Draw, randomness: PublicRandomness | None, typed: Mapping[str, str]
) -> Context | None:
    """Return the template context of the public number chosen for the stage's next draw; None without one.

    ``typed``: submitted values of this stage's form.
    """
    if randomness is None:
        return None
    try:
        list_hash = json_digest(next_draw_list(stage, draw, draw_participants(stage)))
    except CrawfordError:  # the previous stage was reopened
        list_hash = ""
    public_since = number_public_since(event, stage, randomness)
    drand_round = randomness.round if randomness.drand is not None else None
    page = f"{_DRAND_URL}/{randomness.network}/public/{drand_round}" if drand_round is not None else ""
    return {
        "what": randomness_label(randomness),
        "due_at": date_and_time(randomness.due_at, event),
        "due": timezone.now() >= randomness.due_at,
        "value": randomness.value,
        "read_from": randomness.read_from,
        "list_hash": list_hash,
        "list_changed": list_hash != randomness.list_hash,
        "in_time": public_since is not None,
        "is_briefly_public": is_briefly_public(public_since, randomness.due_at),
        "can_be_public": timezone.now() < randomness.due_at,
        "page": page,
        "fetches": bool(page and settings.DRAND_URL),
        "typed": {
            "number": typed.get("number", "")[:MAX_PASTED_LENGTH],
            "read_from": (typed.get("read_from") or page)[:MAX_READ_FROM_LENGTH],
        },
    }


def randomness_label(randomness: PublicRandomness) -> str:
    """Return the name of the chosen number: the lottery's description, or drand network and round."""
    if randomness.drand is None:
        return randomness.label
    return _("drand network %(network)s, round %(round)s") % {
        "network": randomness.drand.name,
        "round": randomness.round,
    }
