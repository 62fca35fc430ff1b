"""Mail connections with a total deadline.

A server that sends byte by byte would trigger no socket timeout.
"""

import smtplib
import socket
import threading
from contextlib import suppress
from typing import Any, Final

from django.core.mail.backends import smtp

# Seconds from the first byte to the end of the envelope; and for the text, which a server may check for long.
ENVELOPE_SECONDS: Final = 30.0
DATA_SECONDS: Final = 60.0


class _DeadlineSMTP(smtplib.SMTP):
    """An SMTP connection that is closed at its deadline; a read in progress then fails."""

    _timer: threading.Timer | None = None

    def set_deadline(self, seconds: float) -> None:
        """Set the deadline to ``seconds`` from now, replacing the previous one."""
        self._cancel_timer()
        self._timer = threading.Timer(seconds, self._abort)
        self._timer.daemon = True
        self._timer.start()

    def close(self) -> None:
        self._cancel_timer()
        super().close()

    def _get_socket(self, host: str, port: int, timeout: float) -> Any:
        self.set_deadline(ENVELOPE_SECONDS)
        return super()._get_socket(host, port, timeout)  # type: ignore[misc]  # as SMTP_SSL overrides it

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _abort(self) -> None:
        line = self.sock
        if line is None:  # it is being created
            self.set_deadline(1.0)
            return
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)


class _DeadlineSMTPSSL(_DeadlineSMTP, smtplib.SMTP_SSL):
    """An SMTP connection with a deadline, encrypted from the first byte."""


class EmailBackend(smtp.EmailBackend):
    """Django's mail backend over connections with a deadline."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _DeadlineSMTPSSL if self.use_ssl else _DeadlineSMTP


def allow_data_time(connection: smtplib.SMTP) -> None:
    if isinstance(connection, _DeadlineSMTP):
        connection.set_deadline(DATA_SECONDS)
    if connection.sock is not None:
        connection.sock.settimeout(DATA_SECONDS)


def reset_deadline(connection: smtplib.SMTP) -> None:
    if isinstance(connection, _DeadlineSMTP):
        connection.set_deadline(ENVELOPE_SECONDS)
