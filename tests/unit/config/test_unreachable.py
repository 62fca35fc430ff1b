"""A database that cannot be reached: one who asks waits for it, all others hear so at once."""

import socket
import time
from collections.abc import Iterator

import pytest
from psycopg import OperationalError

from config.postgres import base
from config.postgres.base import _SERVER_LINK, DatabaseWrapper


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[DatabaseWrapper]:
    """A connection to a port where somebody listens and never says a word."""
    monkeypatch.setattr(_SERVER_LINK, "lost", False)
    monkeypatch.setattr(_SERVER_LINK, "asked_again", 0.0)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(50)
        yield DatabaseWrapper(
            {
                "NAME": "x",
                "USER": "x",
                "PASSWORD": "",
                "HOST": "127.0.0.1",
                "PORT": listening.getsockname()[1],
                "OPTIONS": {"connect_timeout": 2},
                "AUTOCOMMIT": True,
                "CONN_MAX_AGE": 60,
                "CONN_HEALTH_CHECKS": True,
                "TIME_ZONE": None,
            }
        )


def seconds_to_refuse(connection: DatabaseWrapper) -> float:
    began = time.monotonic()
    with pytest.raises(OperationalError):
        connection.get_new_connection(connection.get_connection_params())
    return time.monotonic() - began


def test_server_when_it_says_nothing_then_the_first_waits_and_others_hear_at_once(
    silent: DatabaseWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seconds_to_refuse(silent) > 1
    assert max(seconds_to_refuse(silent) for _ in range(50)) < 0.3
    # When the moment is over one asks again; whoever comes meanwhile does not wait with it.
    monkeypatch.setattr(_SERVER_LINK, "asked_again", 0.0)
    assert _SERVER_LINK.allows_request()
    assert not _SERVER_LINK.allows_request()
    _SERVER_LINK.record_success()
    assert _SERVER_LINK.allows_request()
    assert base.UNAVAILABLE_SECONDS < 5, "a site that waits longer than its Retry-After is not back in time"
