"""Pages that are answered with a 304 while nothing on them has changed.

The ETag of a page is a hash of the versions of everything it shows, the language, the viewer (role, account,
audience) and the release. Rendering is skipped if the visitor already has that page; live pages poll this
way. A page for ``everybody`` is the same for all, signed in or not: it contains nothing of the visitor, no
form with a token, no name in its head (`static/js/me.js` inserts that), so one rendering serves all
(``config.shared``).
"""

import hashlib
import json
from collections.abc import Callable, Sequence

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import get_language

from people import audience
from people.addresses import split_language


def page_etag(
    request: HttpRequest, versions: Sequence[object], *, role: str = "", everybody: bool = False
) -> str:
    """Return the weak ETag of a page: a hash of all that its content depends on.

    ``versions``: the version numbers of what the page shows; ``role``: the viewer's role, if the page depends
    on it. ``everybody``: the page is the same for all viewers, signed in or not.
    """
    # The session identifies the account: after a new sign-in, pages have forms with the new session's token.
    viewer = (
        None if everybody or not _is_signed_in(request) else (request.user.pk, request.session.session_key)
    )
    etag_parts = [
        settings.RELEASE,
        get_language(),
        viewer,
        role,
        audience.current_audience(),
        request.get_full_path(),
        [str(v) for v in versions],
    ]
    return f'W/"{hashlib.sha256(json.dumps(etag_parts).encode()).hexdigest()[:24]}"'


def versioned_response(
    request: HttpRequest,
    versions: Sequence[object],
    render: Callable[[], HttpResponse],
    *,
    role: str = "",
    everybody: bool = False,
) -> HttpResponse:
    """Return ``render()`` with an ETag, or a 304 without rendering if the visitor's copy is current.

    ``versions``, ``role`` and ``everybody`` make up the ETag (`page_etag`). A page with a message for this
    visitor is always rendered, because messages are not part of any version.
    """
    has_messages = len(get_messages(request)) > 0
    etag = page_etag(request, versions, role=role, everybody=everybody)
    not_modified = None if has_messages else get_conditional_response(request, etag=etag)
    response = not_modified if not_modified is not None else render()
    if not has_messages and response.status_code in {200, 304}:
        response["ETag"] = etag
    # An address with a language does not depend on the preferred language.
    patch_vary_headers(
        response, ["Cookie"] if split_language(request.path).language else ["Cookie", "Accept-Language"]
    )
    # A display with names for the hall is opened by a key in its address: no shared cache may store it.
    if (not everybody and _is_signed_in(request)) or audience.current_audience() is audience.Audience.HALL:
        patch_cache_control(response, private=True, no_cache=True)
    else:
        # Only one of the two directives: with a value, as in "private=False", caches still read "private".
        patch_cache_control(response, no_cache=True, **{"private" if has_messages else "public": True})
    return response


def _is_signed_in(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    return user is not None and user.is_authenticated
