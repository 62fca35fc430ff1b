"""Report errors to a service with Sentry's protocol (Sentry, GlitchTip, Bugsink …), if `SENTRY_DSN` is set.

Sent: class of the exception with lines of code, name of the URL, release, id of the request. Not sent: text
of the exception (a database quotes values), variables, bodies, queries, cookies, headers, addresses and
accounts; keys are removed from the remaining text. The log has everything under the same id.
"""

import re
from collections.abc import MutableMapping
from typing import Any, Final

from config.log import without_keys
from people.watched import CURRENT_WORK_STATS

_REQUEST_FIELDS: Final = {"method", "url"}
# The suffix that `config.log.RequesterFilter` adds to a line.
_REQUESTER_PATTERN: Final = re.compile(r" \[(?:[^\[\]]*, user [^\[\]]*|request [^\[\]]*)\]$")
_REMOVED_FIELDS: Final = ("user", "breadcrumbs", "extra", "modules", "server_name")


def sentry_options(dsn: str, release: str, environment: str) -> dict[str, Any]:
    """Return the options for Sentry's client."""
    return {
        "dsn": dsn,
        "release": release,
        "environment": environment,
        "include_local_variables": False,
        "max_request_body_size": "never",
        "max_breadcrumbs": 0,
        "traces_sample_rate": 0.0,
        "auto_session_tracking": False,
        "server_name": "",
        "before_send": remove_personal_data,
    }


def remove_personal_data(event: MutableMapping[str, Any], _hint: Any = None) -> MutableMapping[str, Any]:
    """Return an error report without personal data and secret keys; called before it is sent."""
    for name in _REMOVED_FIELDS:
        event.pop(name, None)
    request = event.get("request")
    if isinstance(request, dict):
        request_fields = {name: value for name, value in request.items() if name in _REQUEST_FIELDS}
        event["request"] = {**request_fields, "url": str(request_fields.get("url", "")).partition("?")[0]}
    for exception in (event.get("exception") or {}).get("values") or ():
        exception["value"] = ""
    if isinstance(event.get("logentry"), dict):
        message_text = str(event["logentry"].get("message", ""))
        event["logentry"] = {"message": _REQUESTER_PATTERN.sub("", message_text)}
    current_work = CURRENT_WORK_STATS.get()
    contexts = event.get("contexts") or {}
    event["contexts"] = {name: value for name, value in contexts.items() if name in {"trace", "runtime"}}
    if current_work is not None:
        tags = {"request_id": current_work.request_id, "route": current_work.route, "task": current_work.task}
        event["tags"] = {**event.get("tags", {}), **{name: value for name, value in tags.items() if value}}
        if current_work.route:
            event["transaction"] = current_work.route
    cleaned: MutableMapping[str, Any] = _without_keys(event)
    return cleaned


def _without_keys(value: Any) -> Any:
    if isinstance(value, str):
        return without_keys(value)
    if isinstance(value, dict):
        return {name: _without_keys(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_keys(item) for item in value]
    return value


def start_reporting(dsn: str, release: str, environment: str) -> None:
    """Start reporting errors, in web processes, workers and commands alike."""
    import sentry_sdk  # noqa: PLC0415 (a tenth of a second, where nobody reports)

    sentry_sdk.init(**sentry_options(dsn, release, environment))
