"""Show a form again that was rejected because of the sign-in, with its input, to be sent by another click.

Only for a form that a page of this site sent, by the browser's headers (``can_resubmit``): a form of another
site is rejected without this page, so that no foreign text appears beside a button of this site. Nothing is
sent without a click, and the page names the account.
"""

import re
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.views.decorators.cache import never_cache

_CSRF_FIELD: Final = "csrfmiddlewaretoken"
_SECRET_FIELD: Final = re.compile(r"passw|secret|otp|credential|(^|[_-])codes?$", re.IGNORECASE)
_LONG_VALUE_CHARS: Final = 40  # longer texts can be read and changed on the page


def can_resubmit(request: HttpRequest) -> bool:
    """Return whether the request is a form that a page of this site sent, and not a script."""
    own_origins = {f"{request.scheme}://{request.get_host()}", *settings.CSRF_TRUSTED_ORIGINS}
    headers = request.headers
    return (
        request.method == "POST"
        and headers.get("Origin") in own_origins
        and headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
        and headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
        and "X-Requested-With" not in headers
        and not request.path.startswith("//")
        and any(name != _CSRF_FIELD for name in (*request.POST, *request.FILES))
    )


@never_cache
def render_resubmit_form(request: HttpRequest) -> HttpResponse:
    """Render a page with the form's input, except passwords, codes and files, to be sent again."""
    get_token(request)  # the page needs the cookie, which the browser may lack
    sent_fields = [
        (name, value) for name, values in request.POST.lists() for value in values if name != _CSRF_FIELD
    ]
    public_fields = [(name, value) for name, value in sent_fields if not _SECRET_FIELD.search(name)]
    context = {
        "action": request.get_full_path(),
        "hidden": [(name, value) for name, value in public_fields if not _is_long(value)],
        "texts": [(name, value) for name, value in public_fields if _is_long(value)],
        "files": [
            (name, [str(file.name) for file in files]) for name, files in request.FILES.lists() if files
        ],
        "has_files": request.content_type == "multipart/form-data",
        "has_secrets": len(public_fields) < len(sent_fields),
    }
    return render(request, "send_again.html", context, status=403)


def _is_long(value: str) -> bool:
    return len(value) > _LONG_VALUE_CHARS or "\n" in value
