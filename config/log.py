"""Log lines that give no key away: in an address, what opens a page by itself is left out.

Django writes the address of a refused request into its log (a form without a token, an address with something wrong
behind it, a fault of ours), long before or after a page of ours could have a say. With ``LOG_FORMAT=json`` each line is one
object of JSON. Either way it carries the id of the request by which it came about, in a worker, too (`people.watched`).
"""

import logging
import re
from typing import Any

from django.http import HttpRequest
from pythonjsonlogger.json import JsonFormatter

from people.visitors import client_address
from people.watched import CURRENT_WORK

_KEY_PATTERN = re.compile(
    r"(/(?:my|join|registered|claim|invitation|calendar|notices/off|records/held|account/confirm-email|account/password/reset/key)/)"
    r"[^/?&\s\"']+"
)
SERVER_ERROR = 500


def without_keys(text: str) -> str:
    """Without personal links, links to register, to take a player or a role and to a calendar, and without the keys of e-mails."""
    return _KEY_PATTERN.sub(r"\1…", text)


class KeylessFormatter(logging.Formatter):
    """The finished line, traceback and all, without keys."""

    def format(self, record: logging.LogRecord) -> str:
        return without_keys(super().format(record))


class JsonFormatterWithoutKeys(JsonFormatter):
    """A line as one object: ``time``, ``level``, ``logger``, ``message``, and what the filter `RequestFieldsFilter` found."""

    def __init__(self) -> None:
        super().__init__(
            ["levelname", "name", "message"],
            rename_fields={"levelname": "level", "name": "logger", "exc_info": "traceback"},
            timestamp="time",
            json_ensure_ascii=False,
        )

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """What is not plain data is left out: the request itself, for one."""
        return {
            name: without_keys(value) if isinstance(value, str) else value
            for name, value in log_data.items()
            if name in _DATE_FIELDS or value is None or isinstance(value, str | int | float | bool)
        }


_DATE_FIELDS = {"time"}


class RequesterFilter(logging.Filter):
    """A line about a request says from which address it came and who was signed in. What is refused (403, 404) has no
    traceback: nothing is broken, and a stranger could fill the log with them.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        asker = _requester(record)
        now = CURRENT_WORK.get()
        known = [f"{asker[0]}, user {asker[1] or '-'}"] if asker else []
        known += [f"request {now.request_id}"] if now is not None and now.request_id else []
        line = record.getMessage()
        words = f" [{', '.join(known)}]"
        if known and not line.endswith(words):
            record.msg, record.args = line + words, ()
        return True


class RequestFieldsFilter(logging.Filter):
    """The same as fields of the record, for lines of JSON."""

    def filter(self, record: logging.LogRecord) -> bool:
        asker = _requester(record)
        now = CURRENT_WORK.get()
        known = {"address": asker[0], "user": asker[1]} if asker else {}
        if now is not None:
            known |= {"request_id": now.request_id, "route": now.route, "task": now.task}
        record.__dict__.update({name: value for name, value in known.items() if value})
        return True


def _requester(record: logging.LogRecord) -> tuple[str, Any] | None:
    """Address and account of whoever made the request that the line is about. Takes the traceback of a refusal away."""
    request = getattr(record, "request", None)
    # Django's development server hangs its socket there.
    if not isinstance(request, HttpRequest):
        return None
    if getattr(record, "status_code", SERVER_ERROR) < SERVER_ERROR:
        record.exc_info = record.exc_text = None
    # Who was looked up already; a log line asks no database.
    user = request.__dict__.get("_cached_user")
    return client_address(request), getattr(user, "pk", None)
