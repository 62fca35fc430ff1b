"""The pages that belong to no app: the API's description, the words of all that it refuses, and whom to tell of a hole."""

from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.renderers import TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.described import describe
from people.messages import every_text


@extend_schema(exclude=True)
class ApiPage(APIView):
    """The description of the API as people read it."""

    renderer_classes = (TemplateHTMLRenderer,)
    permission_classes = (AllowAny,)
    http_method_names = ["get", "head"]  # what else the framework answers has no template

    def get(self, request: Request) -> Response:  # noqa: ARG002 (the framework's signature)
        return Response({"described": describe()}, template_name="api_docs.html")


@extend_schema(exclude=True)
class ProblemPage(APIView):
    """Where the ``type`` of a refusal leads: every code, and what is said with it."""

    renderer_classes = (TemplateHTMLRenderer,)

    def get(self, request: Request) -> Response:  # noqa: ARG002 (the framework's signature)
        return Response({"texts": every_text()}, template_name="problems.html")


SECURITY_TXT_LASTS = timedelta(days=90)  # RFC 9116 wants less than a year


@require_safe
def security_txt(_request: HttpRequest) -> HttpResponse:
    """RFC 9116, from the setting ``SECURITY_CONTACT``; without it there is no such address."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    until = (timezone.now() + SECURITY_TXT_LASTS).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = {
        "Contact": settings.SECURITY_CONTACT,
        "Expires": until.isoformat().replace("+00:00", "Z"),
        "Preferred-Languages": ", ".join(code for code, _name in settings.LANGUAGES),
        "Canonical": settings.SITE_URL + reverse("security-txt"),
    }
    text = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
