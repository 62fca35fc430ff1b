"""Send push messages to the push service of a browser.

The endpoint comes from a browser and is not trusted: only known services are contacted
(``people.webpush.is_known_endpoint``), only if their name resolves to a public address, and at just that
address. No redirect is followed, the response is read up to a limit, and the whole request has a deadline.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from people.webpush import is_known_endpoint

SOCKET_TIMEOUT_SECONDS: Final = 5.0  # between two bytes
TOTAL_TIMEOUT_SECONDS: Final = 15.0  # for the whole request
_MAX_REPLY_BYTES: Final = 1024
_ACCEPTED_STATUSES: Final = range(200, 300)
_GONE_STATUSES: Final = {404, 410}
_RETRY_STATUSES: Final = {408, 425, 429}
_FIRST_SERVER_ERROR: Final = 500
_MAX_WAIT_SECONDS: Final = 3600


class PushOutcome(StrEnum):
    """How sending ended. ``TAKEN``: accepted; ``LATER``: try again; ``GONE``: the subscription has ended.

    ``REFUSED``: the service rejects the message.
    """

    TAKEN = "taken"
    GONE = "gone"
    LATER = "later"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class PushResult:
    """The outcome of sending, with a short ``reason`` and the seconds to ``wait`` before a retry (0.

    Unknown).
    """

    outcome: PushOutcome
    reason: str = ""
    wait: int = 0


PushSender = Callable[[str, bytes, Mapping[str, str]], PushResult]


class _AddressRefused(Exception):
    """The name of the push service does not resolve to public addresses only."""


def send_push(
    endpoint: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    allowed: Callable[[str], bool] = lambda address: ipaddress.ip_address(address).is_global,
    context: ssl.SSLContext | None = None,
) -> PushResult:
    """Send ``body`` to the push service at ``endpoint``. Never raises: failures are results, too.

    ``allowed``: whether an IP address may be contacted; ``context``: the trusted certificates. Both arguments
    are for a private push service.
    """
    if not is_known_endpoint(endpoint):
        return PushResult(PushOutcome.GONE, "not a push service that the site knows")
    parts = urlsplit(endpoint)
    host, port = parts.hostname or "", parts.port or 443
    connection = _PinnedConnection(host, port, allowed, context or ssl.create_default_context())
    cut_timer = threading.Timer(TOTAL_TIMEOUT_SECONDS, connection.cut)
    cut_timer.daemon = True
    cut_timer.start()
    try:
        connection.request(
            "POST", parts.path + (f"?{parts.query}" if parts.query else ""), body, dict(headers)
        )
        response = connection.getresponse()
        response.read(_MAX_REPLY_BYTES)
        return _outcome(response.status, response.headers.get("Retry-After", ""))
    except _AddressRefused:
        return PushResult(PushOutcome.REFUSED, "its name leads to no public address")
    except (OSError, http.client.HTTPException) as error:
        return PushResult(PushOutcome.LATER, type(error).__name__)
    finally:
        cut_timer.cancel()
        connection.close()


def _outcome(status: int, wait: str) -> PushResult:
    if status in _ACCEPTED_STATUSES:
        return PushResult(PushOutcome.TAKEN)
    if status in _GONE_STATUSES:
        return PushResult(PushOutcome.GONE, str(status))
    if status in _RETRY_STATUSES or status >= _FIRST_SERVER_ERROR:
        seconds = int(wait) if wait.isascii() and wait.isdecimal() and len(wait) < 6 else 0
        return PushResult(PushOutcome.LATER, str(status), min(seconds, _MAX_WAIT_SECONDS))
    return PushResult(PushOutcome.REFUSED, str(status))


class _PinnedConnection(http.client.HTTPSConnection):
    """A connection to the addresses that were checked: the name is not resolved again, as it might differ."""

    def __init__(self, host: str, port: int, allowed: Callable[[str], bool], context: ssl.SSLContext) -> None:
        super().__init__(host, port, timeout=SOCKET_TIMEOUT_SECONDS, context=context)
        self._allowed, self._ssl_context = allowed, context

    def connect(self) -> None:
        address_infos = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        addresses = [str(info[4][0]) for info in address_infos]
        if not addresses or not all(map(self._allowed, addresses)):
            raise _AddressRefused
        raw_socket = socket.create_connection((addresses[0], self.port), SOCKET_TIMEOUT_SECONDS)
        try:
            self.sock = self._ssl_context.wrap_socket(raw_socket, server_hostname=self.host)
        except BaseException:
            raw_socket.close()
            raise

    def cut(self) -> None:
        """Close the connection because its deadline has passed; a read in progress then fails."""
        line = self.sock
        if line is not None:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
