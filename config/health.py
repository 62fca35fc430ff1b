"""What programs that watch the site ask: `/healthz`, `/readyz` and `/metrics`. They are answered before hosts, HTTPS and sessions are looked
at, so that a probe inside the machine needs to know nothing about the site; and in a bounded time, whatever hangs.

`/healthz`: can this process serve at all? Whoever starts processes anew asks it. `/readyz` says how everything is that an installation needs
(`config.watch.ready`). `/livez` is for a proxy with several web processes: nothing but whether this one answers and goes on answering; who is about
to end it says so before, by a file. `/metrics` gives figures to Prometheus (`config.watch.gauges`), to whoever may see them.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from config.watch.inside import may_watch
from config.watch.life import PATH as LIVEZ
from config.watch.life import life
from config.watch.probes import Hangs
from config.watch.ready import DATABASE, WITHIN, checks, state_of


def answer_healthz(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """In front of everything else."""

    def middleware(request: HttpRequest) -> HttpResponse:
        answer = PAGES.get(request.path)
        if answer is None:
            return get_response(request)
        response = answer(request)
        response["Cache-Control"] = "no-store"
        return response

    return middleware


def _health(_request: HttpRequest) -> HttpResponse:
    try:
        DATABASE.answer(WITHIN)
    except Exception as error:  # noqa: BLE001 (whatever keeps it away)
        status = "database hangs" if isinstance(error, Hangs) else "no database"
        return JsonResponse({"status": status, "release": settings.RELEASE}, status=503)
    return JsonResponse({"status": "ok", "release": settings.RELEASE})


def _life(_request: HttpRequest) -> HttpResponse:
    status, body = life()
    return HttpResponse(body, status=status, content_type="application/json")


def _readiness(_request: HttpRequest) -> HttpResponse:
    found = checks()
    state = state_of(found)
    body = {"status": state, "release": settings.RELEASE, "checks": [asdict(check) for check in found]}
    return JsonResponse(body, status=503 if state == "not ready" else 200)


def _figures(request: HttpRequest) -> HttpResponse:
    if not may_watch(request):
        line = "Figures are for this computer itself, or for who sends METRICS_TOKEN (docs/running.md).\n"
        return HttpResponse(line, status=403, content_type="text/plain; charset=utf-8")
    from config.watch import gauges  # noqa: PLC0415 (with it comes all that counts)

    return HttpResponse(gauges.exposition(), content_type=gauges.MEDIA_TYPE)


PAGES: Mapping[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": _health,
    LIVEZ: _life,
    "/readyz": _readiness,
    "/metrics": _figures,
}
