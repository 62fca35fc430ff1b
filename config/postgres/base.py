"""PostgreSQL backend with a circuit breaker for a server that cannot be reached.

An unreachable host does not answer, and each attempt takes its whole timeout. After a failed attempt all
threads therefore fail at once (503) for `UNAVAILABLE_SECONDS` seconds; then one thread tries again while the others
do not wait. Open connections are not affected.
"""

from typing import Any, Final

from django.db.backends.postgresql import base

from people.away import CircuitBreaker

UNAVAILABLE_SECONDS: Final = 1.0


# Until a try has ended; it takes no longer than its timeout.
_SERVER_LINK = CircuitBreaker(UNAVAILABLE_SECONDS, trial_seconds=60)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's PostgreSQL wrapper, which fails at once while the server is known to be unavailable.

    Behind a pooler (``EXTRA_SECONDS``: seconds) each transaction sets its own lock timeout, because another client
    may get the connection next.
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
            connection = super().get_new_connection(conn_params)
        except BaseException:
            _SERVER_LINK.record_failure()
            raise
        _SERVER_LINK.record_success()
        return connection
