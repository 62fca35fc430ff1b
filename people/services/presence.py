"""Who is somewhere just now, for processes that have nothing but the database in common.

Where they share a cache it is kept there. On SQLite there is one web process, whose memory is enough, and a page must not wait for the one who writes.
"""

import logging
from typing import Final

from django.db import DatabaseError, connection
from django.utils import timezone

from people import caching
from people.models import Presence, User
from people.models.presence import PLACE_LIMIT

log = logging.getLogger(__name__)
REWRITE_SECONDS: Final = 60  # seconds until a process writes the same again
MOVE_SECONDS: Final = 10  # seconds until it writes that somebody has gone to another place
_PLACE_KEY: Final = "presence"
_MOVE_KEY: Final = "presence_moved"


def uses_database() -> bool:
    """Whether other processes learn by the database alone who is there."""
    return connection.vendor == "postgresql" and not caching.is_shared_now()


def record_presence(*, user: User, scope: str, place: str) -> None:
    """``user`` is at ``scope``, on a page of it called ``place``.

    At most one row a minute is written by each process, one in ten seconds where somebody goes from page to page. What the database refuses is
    left: no page fails because nobody sees who reads it.
    """
    if caching.cached_value(_PLACE_KEY, [scope, user.pk]) == place:
        return
    if not caching.acquire_lock(_MOVE_KEY, [scope, user.pk], MOVE_SECONDS):
        return
    caching.cache_value(_PLACE_KEY, [scope, user.pk], REWRITE_SECONDS, place)
    row = Presence(user=user, scope=scope, place=place[:PLACE_LIMIT], seen_at=timezone.now())
    try:
        Presence.objects.bulk_create(
            [row],
            update_conflicts=True,
            unique_fields=["scope", "user"],
            update_fields=["place", "seen_at"],
        )
    except DatabaseError as error:
        log.warning("who is there was not written: %s", error)
