"""A server that cannot be reached costs one request now and then its patience, and all others nothing.

A host that is gone says nothing at all, and each try to reach it takes its whole time. So what one thread found out holds for
`AWAY` seconds for all of them: they hear at once that there is no database (503); then one tries again, and the others do not wait with it.
Connections that are open are not touched.
"""

import threading
import time
from typing import Any, Final

from django.db.backends.postgresql import base

AWAY: Final = 1.0


class _Server:
    """What this process knows of it, for all its threads."""

    away = False
    asked_again = 0.0
    _alone = threading.Lock()

    @classmethod
    def is_asked_now(cls) -> bool:
        if not cls.away:
            return True
        with cls._alone:
            if time.monotonic() < cls.asked_again:
                return False
            # Until this try has ended; it takes no longer than its timeout.
            cls.asked_again = time.monotonic() + 60
            return True

    @classmethod
    def was(cls, *, away: bool) -> None:
        with cls._alone:
            cls.away, cls.asked_again = away, time.monotonic() + AWAY


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, with a memory of the last try to reach the server."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not _Server.is_asked_now():
            message = "PostgreSQL could not be reached a moment ago"
            raise self.Database.OperationalError(message)
        try:
            found = super().get_new_connection(conn_params)
        except BaseException:
            _Server.was(away=True)
            raise
        _Server.was(away=False)
        return found
