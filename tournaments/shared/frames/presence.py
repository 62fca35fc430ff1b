"""Who is at the desk now, by what their pages ask for anyway: no request is made for it.

Each request of a director's page says that its reader is there, for three minutes: in the cache that all processes share, or where there is none
(or it is away), in the database, a row a minute at most. Somebody may be missing until their page asks the next time: nothing else follows from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from people.actors import Actor
from people.caching import remember, remembered, remembered_each
from people.models import User
from people.selectors import present_at
from people.services.presence import is_in_database, note_in_database
from people.snapshot import after_snapshot
from tournaments.models import Event
from tournaments.models.trail import scope_of

HERE: Final = 180  # seconds
_ROSTER: Final = 12 * 60 * 60  # seconds
_NAME: Final = "at_desk"
# Where somebody is, by the names of addresses; what is not here is the event and no more.
PLACES: Final[Mapping[str, str | Promise]] = {
    "board": _("Matches"),
    "match": _("Matches"),
    "holdups": _("Delays"),
    "entries": _("Entries"),
    "entry": _("Entries"),
    "expected": _("Pending approval"),
    "check-in": _("Check-in"),
    "draw": _("Draw"),
    "settings": _("Settings"),
    "prizes": _("Prizes"),
}


@dataclass(frozen=True, slots=True)
class AtDesk:
    """Somebody who is there, and where: the name of an address."""

    name: str
    place: str

    @property
    def place_words(self) -> str:
        return str(PLACES.get(self.place, ""))


def note_presence(request: HttpRequest, event: Event, user: User) -> None:
    """``user`` has a page of ``event`` open."""
    match = request.resolver_match
    place = (match.url_name or "") if match is not None else ""
    known: tuple[int, ...] = remembered(_NAME, [event.pk]) or ()
    if user.pk not in known:
        remember(_NAME, [event.pk], _ROSTER, (*known, user.pk))
    before = remembered(_NAME, [event.pk, user.pk])
    # What is done is done from a page, which is where they are.
    kept = before.place if before is not None and request.method == "POST" else place
    remember(_NAME, [event.pk, user.pk], HERE, AtDesk(Actor.of(user).label, kept))
    if request.method != "POST" and is_in_database():
        after_snapshot(partial(note_in_database, user=user, scope=scope_of(event), place=place))


def others_at_desk(event: Event, user: User) -> list[AtDesk]:
    """Who else is there now, in the order in which they came."""
    if is_in_database():
        rows = present_at(scope_of(event), timezone.now() - timedelta(seconds=HERE))
        return [AtDesk(Actor.of(row.user).label, row.place) for row in rows if row.user_id != user.pk]
    others = [pk for pk in remembered(_NAME, [event.pk]) or () if pk != user.pk]
    found = remembered_each(_NAME, [[event.pk, pk] for pk in others]) if others else []
    return [one for one in found if one is not None]
