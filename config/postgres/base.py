"""A server that cannot be reached costs one request now and then its patience, and all others nothing.

A host that is gone says nothing at all, and each try to reach it takes its whole time. So what one thread found out holds for
`AWAY_AFTER` seconds for all of them: they hear at once that there is no database (503); then one tries again, and the others do not wait with it.
Connections that are open are not touched.
"""

from typing import Any, Final

from django.db.backends.postgresql import base

from people.away import CircuitBreaker

AWAY_SECONDS: Final = 1.0


# Until a try has ended; it takes no longer than its timeout.
_SERVER_LINK = CircuitBreaker(AWAY_SECONDS, trying=60)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, with a memory of the last try to reach the server. Behind a pooler (``PATIENCE``: seconds) each transaction says for itself how
    long it waits: another one may have the connection next.
    """

    def _set_autocommit(self, autocommit: bool) -> None:
        super()._set_autocommit(autocommit)  # type: ignore[misc]  # the stubs leave it out
        seconds = self.settings_dict.get("PATIENCE")
        if seconds and not autocommit:
            with self.wrap_database_errors:
                self.connection.execute(
                    f"SET LOCAL lock_timeout = '{int(seconds)}s'; SET LOCAL idle_in_transaction_session_timeout = '60s'"
                )

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not _SERVER_LINK.allows_request():
            message = "PostgreSQL could not be reached a moment ago"
            raise self.Database.OperationalError(message)
        try:
            found = super().get_new_connection(conn_params)
        except BaseException:
            _SERVER_LINK.record_failure()
            raise
        _SERVER_LINK.came()
        return found
