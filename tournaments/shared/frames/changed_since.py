"""Conflicts between two directors who edit the same settings.

The second to save sees the settings saved in the meantime beside the values typed.
"""

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
    """Return the version of the settings that the submitted form was rendered with.

    Empty if the form has none.
    """
    return request.POST.get("seen", "")[:MAX_VERSION_LENGTH]


def is_settings_conflict(error: CrawfordError) -> bool:
    """Return whether the error means that another person has saved the settings in the meantime."""
    return error.code == SETTINGS_CHANGED


def conflict_context(
    request: HttpRequest,
    error: CrawfordError,
    form: forms.Form,
    version: str,
    changes: Sequence[Context] = (),
) -> dict[str, Any]:
    """Return the context for ``_saved_by_another.html``, which shows the typed values beside the saved ones.

    ``form``: bound to the typed values, with the saved ones as initial values; ``version``: version of the
    saved settings; ``changes``: who saved them and when (`last_changes.last_saved_settings`).
    """
    return {
        "sentences": describe_all(error),
        "differences": saved_differences(form),
        "changes": changes,
        "here": request.path,
        "seen": version,
    }


def response_status(context: Mapping[str, Any], *rendered_forms: forms.Form) -> int:
    """Return the HTTP status of a page with forms: 409 after a conflict, 422 if a form is invalid, or 200."""
    if "differences" in context:
        return CONFLICT_STATUS
    return INVALID_STATUS if any(form.errors for form in rendered_forms) else 200
