"""Authentication by ``Authorization: Link <token>``: access to the entry of a personal link only."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from faults import Missing
from people.messages import describe
from tournaments.models import Entry
from tournaments.selectors.access.links import entry_from_token

KEYWORD = "link"


def entry_from_header(header: str) -> Entry | None:
    """Return the entry whose personal link is in ``header``, the value of the header ``Authorization``.

    None if the header has another scheme than ``Link``. Raises ``Missing`` if the link is not valid.
    """
    keyword, _blank, token = header.partition(" ")
    return entry_from_token(token.strip()) if keyword.lower() == KEYWORD else None


class LinkAuthentication(BaseAuthentication):
    """Authentication by a personal link, which sets ``request.auth`` to the entry of the link.

    ``request.user`` stays anonymous, because a link has no account.
    """

    def authenticate(self, request: Request) -> tuple[AnonymousUser, Entry] | None:
        try:
            entry = entry_from_header(request.headers.get("Authorization", ""))
        except Missing as missing:
            raise AuthenticationFailed(describe(missing), code=missing.code) from missing
        return None if entry is None else (AnonymousUser(), entry)

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 (the framework's signature)
        return 'Link realm="crawford"'


def linked_entry(request: Request) -> Entry | None:
    """Return the entry whose personal link authenticated the request, or None."""
    auth: Any = request.auth
    return auth if isinstance(auth, Entry) else None


class LinkOrSession(BasePermission):
    """Permission for requests with a personal link and for signed-in users."""

    def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002
        return linked_entry(request) is not None or bool(request.user and request.user.is_authenticated)


class LinkOnly(BasePermission):
    """Permission for requests with a personal link only: players confirm and dispute results themselves."""

    def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002
        return linked_entry(request) is not None


class LinkScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Description of the authentication by personal link in the OpenAPI document."""

    target_class = "tournaments.shared.api.auth.LinkAuthentication"
    name = "personalLink"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:  # noqa: ARG002
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": (
                "“Link ” followed by the token of a personal link, which is the end of its address after `/my/`. It is"
                " valid for its entry only, and until the director renews it."
            ),
        }
