"""Two directors at one form of settings: the second who saves sees what stands there now beside what they typed."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import HttpRequest

from faults import Conflict, CrawfordError
from people.messages import describe_all
from people.web.differences import saved_differences
from tournaments.selectors.access.versions import SETTINGS_CHANGED
from tournaments.shared.fragments.cards import Context
from tournaments.shared.frames.director import INVALID_STATUS

MAX_VERSION_LENGTH = 64
CONFLICT_STATUS = Conflict.status


def expected_version_from(request: HttpRequest) -> str:
    """The version of the settings that a form was filled in over; nothing where none was sent."""
    return request.POST.get("seen", "")[:MAX_VERSION_LENGTH]


def is_settings_conflict(error: CrawfordError) -> bool:
    """Whether it is the settings themselves that somebody else has saved."""
    return error.code == SETTINGS_CHANGED


def conflict_context(
    request: HttpRequest,
    error: CrawfordError,
    form: forms.Form,
    version: str,
    changes: Sequence[Context] = (),
) -> dict[str, Any]:
    """For ``_saved_by_another.html``: ``form`` is what was typed over what is saved now, which ``version`` names; ``changes``: who saved
    it when (`last_changes.last_saved_settings`).
    """
    return {
        "sentences": describe_all(error),
        "differences": saved_differences(form),
        "changes": changes,
        "here": request.path,
        "seen": version,
    }


def response_status(context: Mapping[str, Any], *shown: forms.Form) -> int:
    """Of the answer that shows ``shown``: saved by somebody else, wrong, or neither."""
    if "differences" in context:
        return CONFLICT_STATUS
    return INVALID_STATUS if any(form.errors for form in shown) else 200
