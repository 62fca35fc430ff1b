"""Presence of directors and assistants, tracked by the requests of their pages without extra requests.

Each request of a director's page marks the user as present for three minutes: in the shared cache or, if
there is none or it is away, in the database with at most one row a minute. A person may be missing until the
next request of their page; nothing else depends on it.
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
from people.caching import cache_value, cached_value, cached_values
from people.models import User
from people.selectors import presences_at
from people.services.presence import record_presence, uses_database
from people.snapshot import run_after_snapshot
from tournaments.models import Event
from tournaments.models.trail import audit_scope

PRESENCE_SECONDS: Final = 180  # seconds
_ROSTER_SECONDS: Final = 12 * 60 * 60  # seconds
_CACHE_PREFIX: Final = "at_desk"
# Labels of pages by URL name; for other pages only the event is shown.
PAGE_LABELS: Final[Mapping[str, str | Promise]] = {
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
class PresentStaff:
    """A director or assistant who is present. ``place``: URL name of the page that this person has open."""

    name: str
    place: str

    @property
    def page_label(self) -> str:
        return str(PAGE_LABELS.get(self.place, ""))


def track_presence(request: HttpRequest, event: Event, user: User) -> None:
    """Record that ``user`` has a page of ``event`` open.

    Writes to the cache or, without one, to the database.
    """
    match = request.resolver_match
    place = (match.url_name or "") if match is not None else ""
    present_ids: tuple[int, ...] = cached_value(_CACHE_PREFIX, [event.pk]) or ()
    if user.pk not in present_ids:
        cache_value(_CACHE_PREFIX, [event.pk], _ROSTER_SECONDS, (*present_ids, user.pk))
    previous = cached_value(_CACHE_PREFIX, [event.pk, user.pk])
    # An action is sent from a page, which stays the place.
    current_place = previous.place if previous is not None and request.method == "POST" else place
    cache_value(
        _CACHE_PREFIX,
        [event.pk, user.pk],
        PRESENCE_SECONDS,
        PresentStaff(Actor.of(user).label, current_place),
    )
    if request.method != "POST" and uses_database():
        run_after_snapshot(partial(record_presence, user=user, scope=audit_scope(event), place=place))


def other_staff_present(event: Event, user: User) -> list[PresentStaff]:
    """Return the directors and assistants present now except ``user``, in the order in which they came."""
    if uses_database():
        rows = presences_at(audit_scope(event), timezone.now() - timedelta(seconds=PRESENCE_SECONDS))
        return [PresentStaff(Actor.of(row.user).label, row.place) for row in rows if row.user_id != user.pk]
    other_ids = [pk for pk in cached_value(_CACHE_PREFIX, [event.pk]) or () if pk != user.pk]
    cached = cached_values(_CACHE_PREFIX, [[event.pk, pk] for pk in other_ids]) if other_ids else []
    return [person for person in cached if person is not None]
