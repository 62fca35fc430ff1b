"""Public random numbers for a director: name one, and draw with it once its time has come."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from faults import CrawfordError, Invalid
from tournaments.engine.lots.committed import digest_of
from tournaments.engine.lots.randomness import LABEL_MOST, PASTED_MOST, READ_FROM_MOST, Kind, Naming
from tournaments.models import Event, PublicRandomness, Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.lots import number_public_since
from tournaments.selectors.seeding import entries_to_draw, list_of
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.words.names import day_and_time

_AHEAD: Final = timedelta(minutes=10)
_STAMP: Final = "%Y-%m-%dT%H:%M"
_PAGES: Final = "https://api.drand.sh"


def naming_from(request: HttpRequest, event: Event) -> Naming:
    """What a form names; raises ``Invalid`` where it has no time."""
    kind = Kind.LOTTERY if request.POST.get("kind") == Kind.LOTTERY else Kind.DRAND
    try:
        due_at = datetime.fromisoformat(request.POST.get("due_at", ""))
    except ValueError:
        raise Invalid("randomness.time_odd", field="due_at") from None
    return Naming(
        kind,
        due_at.replace(tzinfo=due_at.tzinfo or ZoneInfo(event.timezone)),
        request.POST.get("label", "")[: LABEL_MOST + 1],
    )


def usual_time(event: Event) -> str:
    """A time in some minutes, as a field for it wants it."""
    return (timezone.now() + _AHEAD).astimezone(ZoneInfo(event.timezone)).strftime(_STAMP)


def randomness_part(
    event: Event, stage: Stage, draw: Draw, named: PublicRandomness | None, typed: Mapping[str, str]
) -> Shape | None:
    """What is named for the next draw of a stage, and what its director can do now; nothing where nothing is named. ``typed``: in the form of this stage."""
    if named is None:
        return None
    try:
        listed = digest_of(list_of(stage, draw, entries_to_draw(stage)))
    except CrawfordError:  # the stage before it is not over any more
        listed = ""
    number = named.round if named.drand is not None else None
    page = f"{_PAGES}/{named.network}/public/{number}" if number is not None else ""
    return {
        "what": what_of(named),
        "due_at": day_and_time(named.due_at, event),
        "due": timezone.now() >= named.due_at,
        "value": named.value,
        "read_from": named.read_from,
        "list_hash": listed,
        "list_changed": listed != named.list_hash,
        "in_time": number_public_since(event, stage, named) is not None,
        "can_be_public": timezone.now() < named.due_at,
        "page": page,
        "fetches": bool(page and settings.DRAND_URL),
        "typed": {
            "number": typed.get("number", "")[:PASTED_MOST],
            "read_from": (typed.get("read_from") or page)[:READ_FROM_MOST],
        },
    }


def what_of(named: PublicRandomness) -> str:
    """The number that is named, in words."""
    if named.drand is None:
        return named.label
    return _("drand network %(network)s, round %(round)s") % {
        "network": named.drand.name,
        "round": named.round,
    }
