"""A line to a mail server that has its time in all: one that sends a byte now and then never lets a socket's own timeout come."""

import smtplib
import socket
import threading
from contextlib import suppress
from typing import Any, Final

from django.core.mail.backends import smtp

# Seconds from the first byte to the end of the envelope; and for the text, which a server may think about.
ENVELOPE: Final = 30.0
TEXT: Final = 60.0


class _Bounded(smtplib.SMTP):
    """Cut when its time is over: whoever reads from it then finds it closed."""

    _end: threading.Timer | None = None

    def lasts(self, seconds: float) -> None:
        """From now on so long; what was said before no longer counts."""
        self._no_end()
        self._end = threading.Timer(seconds, self._cut)
        self._end.daemon = True
        self._end.start()

    def close(self) -> None:
        self._no_end()
        super().close()

    def _get_socket(self, host: str, port: int, timeout: float) -> Any:
        self.lasts(ENVELOPE)
        return super()._get_socket(host, port, timeout)  # type: ignore[misc]  # as SMTP_SSL overrides it

    def _no_end(self) -> None:
        if self._end is not None:
            self._end.cancel()

    def _cut(self) -> None:
        line = self.sock
        if line is None:  # it is being made
            self.lasts(1.0)
            return
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)


class _BoundedSsl(_Bounded, smtplib.SMTP_SSL):
    """The same, encrypted from the first byte."""


class EmailBackend(smtp.EmailBackend):
    """Django's, over such lines."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _BoundedSsl if self.use_ssl else _Bounded


def give_time_for_the_text(line: smtplib.SMTP) -> None:
    if isinstance(line, _Bounded):
        line.lasts(TEXT)
    if line.sock is not None:
        line.sock.settimeout(TEXT)


def give_time_for_the_next(line: smtplib.SMTP) -> None:
    if isinstance(line, _Bounded):
        line.lasts(ENVELOPE)
