"""Log lines without secrets: personal links and other keys are removed from URLs.

Django logs the URL of a rejected request (a form without a token, an invalid URL, an error) outside of any
view. With ``LOG_FORMAT=json`` each line is a JSON object. In both formats a line has the id of the request
that caused it, in a worker, too (`people.watched`).
"""

import logging
import re
from typing import Any

from django.http import HttpRequest
from pythonjsonlogger.json import JsonFormatter

from people.visitors import client_address
from people.watched import CURRENT_WORK_STATS

_KEY_PATTERN = re.compile(
    r"(/(?:my|join|registered|claim|invitation|calendar|notices/off|records/held|account/confirm-email|account/password/reset/key)/)"
    r"[^/?&\s\"']+"
)
SERVER_ERROR = 500


def without_keys(text: str) -> str:
    """Return ``text`` without the secret keys in personal and other links; “…” replaces each."""
    return _KEY_PATTERN.sub(r"\1…", text)


class KeylessFormatter(logging.Formatter):
    """Log formatter that removes secret keys from the finished line with its traceback."""

    def format(self, record: logging.LogRecord) -> str:
        return without_keys(super().format(record))


class JsonFormatterWithoutKeys(JsonFormatter):
    """Log formatter of a line as a JSON object, without secret keys.

    Members: ``time``, ``level``, ``logger``, ``message``, fields of `RequestFieldsFilter`.
    """

    def __init__(self) -> None:
        super().__init__(
            ["levelname", "name", "message"],
            rename_fields={"levelname": "level", "name": "logger", "exc_info": "traceback"},
            timestamp="time",
            json_ensure_ascii=False,
        )

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Leave out what is not plain data, such as the request itself."""
        return {
            name: without_keys(value) if isinstance(value, str) else value
            for name, value in log_data.items()
            if name in _DATE_FIELDS or value is None or isinstance(value, str | int | float | bool)
        }


_DATE_FIELDS = {"time"}


class RequesterFilter(logging.Filter):
    """Log filter that adds the requester's address and account to a line about a request.

    Rejected requests (403, 404) lose their traceback: nothing is broken, and a stranger could fill the log
    with them.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        requester = _requester(record)
        current_work = CURRENT_WORK_STATS.get()
        labels = [f"{requester[0]}, user {requester[1] or '-'}"] if requester else []
        labels += (
            [f"request {current_work.request_id}"]
            if current_work is not None and current_work.request_id
            else []
        )
        line = record.getMessage()
        suffix = f" [{', '.join(labels)}]"
        if labels and not line.endswith(suffix):
            record.msg, record.args = line + suffix, ()
        return True


class RequestFieldsFilter(logging.Filter):
    """Log filter that adds the requester's address and account as fields of the record, for JSON."""

    def filter(self, record: logging.LogRecord) -> bool:
        requester = _requester(record)
        current_work = CURRENT_WORK_STATS.get()
        fields = {"address": requester[0], "user": requester[1]} if requester else {}
        if current_work is not None:
            fields |= {
                "request_id": current_work.request_id,
                "route": current_work.route,
                "task": current_work.task,
            }
        record.__dict__.update({name: value for name, value in fields.items() if value})
        return True


def _requester(record: logging.LogRecord) -> tuple[str, Any] | None:
    """Return address and account id of the request of a log line; None if it has none.

    Removes the traceback of a rejected request.
    """
    request = getattr(record, "request", None)
    # Django's development server puts its socket there.
    if not isinstance(request, HttpRequest):
        return None
    if getattr(record, "status_code", SERVER_ERROR) < SERVER_ERROR:
        record.exc_info = record.exc_text = None
    # Only a user who is already loaded: a log line makes no query.
    user = request.__dict__.get("_cached_user")
    return client_address(request), getattr(user, "pk", None)
