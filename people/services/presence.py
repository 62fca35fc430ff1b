"""Record which users view an event at present, where processes share nothing but the database.

Where processes share a cache, presence is stored there instead. On SQLite there is one web process, whose
memory suffices, and a page must not wait for the writer's lock.
"""

import logging
from typing import Final

from django.db import DatabaseError, connection
from django.utils import timezone

from people import caching
from people.models import Presence, User
from people.models.presence import PLACE_LIMIT

log = logging.getLogger(__name__)
REWRITE_SECONDS: Final = 60  # until a process writes the same again
MOVE_SECONDS: Final = 10  # until it writes that a user has moved to another page
_PLACE_KEY: Final = "presence"
_MOVE_KEY: Final = "presence_moved"


def uses_database() -> bool:
    """Return whether presence has to be stored in the database, as processes share nothing else."""
    return connection.vendor == "postgresql" and not caching.is_shared_now()


def record_presence(*, user: User, scope: str, place: str) -> None:
    """Record that ``user`` views the event of ``scope``, on the page named ``place``.

    Each process writes at most one row a minute, and one in ten seconds while a user moves between pages.
    Database errors are only logged, so that no page fails.
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
