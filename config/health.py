"""`/healthz`: is this process able to serve? It answers before hosts, HTTPS and sessions are looked at, so that a probe inside
the machine needs to know nothing about the site.
"""

from collections.abc import Callable

from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, JsonResponse

PATH = "/healthz"


def answer_healthz(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        return _health() if request.path == PATH else get_response(request)

    return middleware


def _health() -> HttpResponse:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return JsonResponse({"status": "no database", "release": settings.RELEASE}, status=503)
    response = JsonResponse({"status": "ok", "release": settings.RELEASE})
    response["Cache-Control"] = "no-store"
    return response
