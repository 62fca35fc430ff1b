"""Pages that belong to no app: the API description, the messages of its error codes, and security.txt."""

from datetime import timedelta
from functools import lru_cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag
from django.utils.safestring import SafeString
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny
from rest_framework.renderers import StaticHTMLRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from config.described import describe_api
from people.messages import message_texts
from people.web.versioned import versioned_response


class _PublicApiPage(APIView):
    """A page about the API that is the same for every visitor; rate limits of the API apply."""

    renderer_classes = (StaticHTMLRenderer,)
    permission_classes = (AllowAny,)
    http_method_names = ["get", "head"]  # the framework's other answers have no template


@extend_schema(exclude=True)
class ApiPage(_PublicApiPage):
    """The description of the API as people read it."""

    def get(self, request: Request) -> HttpResponse:
        body = _api_description(get_language() or settings.LANGUAGE_CODE)
        return versioned_response(
            request, [], lambda: render(request, "api_docs.html", {"body": body}), everybody=True
        )


@lru_cache(maxsize=len(settings.LANGUAGES))
def _api_description(_language: str) -> SafeString:
    """Render the large part of the page in the active language, once per process."""
    return render_to_string("_api_description.html", {"described": describe_api()})


@extend_schema(exclude=True)
class ProblemPage(_PublicApiPage):
    """Page of all error codes of the API with their messages; the ``type`` of a problem links to it."""

    def get(self, request: Request) -> HttpResponse:
        return versioned_response(
            request, [], lambda: render(request, "problems.html", {"texts": message_texts()}), everybody=True
        )


class SchemaView(SpectacularAPIView):
    """The description of the API for programs (OpenAPI), written once for each format and language in a process."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        requested_language = request.query_params.get("lang")
        language = (
            requested_language
            if requested_language in dict(settings.LANGUAGES)
            else get_language() or settings.LANGUAGE_CODE
        )
        renderer = request.accepted_renderer
        etag = quote_etag(f"{settings.RELEASE}-{language}-{renderer.media_type}")
        not_modified = get_conditional_response(request, etag=etag)
        if not_modified is not None:
            return not_modified
        content = _rendered_schema(renderer.media_type, language)
        name = self._get_filename(request, None)  # type: ignore[no-untyped-call]
        headers = {"Content-Disposition": f'inline; filename="{name}"', "ETag": etag}
        response = HttpResponse(content, content_type=renderer.media_type, headers=headers)
        patch_cache_control(response, public=True, no_cache=True)
        return response


@lru_cache(maxsize=4 * len(settings.LANGUAGES))
def _rendered_schema(media_type: str, language: str) -> bytes:
    """Return the schema in one of the formats of `SchemaView`, computed once per process."""
    with override(language):
        generator = SchemaGenerator()  # type: ignore[no-untyped-call]
        schema = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    renderer = next(
        renderer_class
        for renderer_class in SchemaView.renderer_classes
        if renderer_class.media_type == media_type
    )
    content = renderer().render(schema, media_type, {})
    return content if isinstance(content, bytes) else str(content).encode()


SECURITY_TXT_PERIOD = timedelta(days=90)  # RFC 9116 recommends less than a year


@require_safe
def security_txt(_request: HttpRequest) -> HttpResponse:
    """security.txt (RFC 9116) with the setting ``SECURITY_CONTACT``; 404 without it."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires_at = (timezone.now() + SECURITY_TXT_PERIOD).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = {
        "Contact": settings.SECURITY_CONTACT,
        "Expires": expires_at.isoformat().replace("+00:00", "Z"),
        "Preferred-Languages": ", ".join(code for code, _name in settings.LANGUAGES),
        "Canonical": settings.SITE_URL + reverse("security-txt"),
    }
    text = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
