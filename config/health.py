"""Monitoring URLs: `/healthz`, `/livez`, `/readyz` and `/metrics`.

They are answered before hosts, HTTPS and sessions are checked, so that a probe on the machine needs no
configuration, and within a bounded time. `/healthz`: whether this process can serve, for a supervisor that
restarts processes. `/readyz`: state of everything that an installation needs (`config.watch.ready`).
`/livez`: for a proxy with several web processes, whether this process will go on answering; a file announces
its end. `/metrics`: metrics for Prometheus (`config.watch.gauges`), for authorized clients.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from config.watch.inside import may_read_metrics
from config.watch.life import LIVEZ_PATH as LIVEZ
from config.watch.life import livez_response
from config.watch.probes import ProbeTimeout
from config.watch.ready import DATABASE_PROBE, MAX_SECONDS, overall_state, run_checks


def answer_health_checks(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Return middleware that answers the monitoring URLs before any other middleware."""

    def middleware(request: HttpRequest) -> HttpResponse:
        answer = HEALTH_PAGES.get(request.path)
        if answer is None:
            return get_response(request)
        response = answer(request)
        response["Cache-Control"] = "no-store"
        return response

    return middleware


def _healthz(_request: HttpRequest) -> HttpResponse:
    try:
        DATABASE_PROBE.answer(MAX_SECONDS)
    except Exception as error:  # noqa: BLE001 (whatever keeps it away)
        status = "database hangs" if isinstance(error, ProbeTimeout) else "no database"
        return JsonResponse({"status": status, "release": settings.RELEASE}, status=503)
    return JsonResponse({"status": "ok", "release": settings.RELEASE})


def _livez(_request: HttpRequest) -> HttpResponse:
    status, body = livez_response()
    return HttpResponse(body, status=status, content_type="application/json")


def _readyz(_request: HttpRequest) -> HttpResponse:
    checks = run_checks()
    state = overall_state(checks)
    body = {"status": state, "release": settings.RELEASE, "checks": [asdict(check) for check in checks]}
    return JsonResponse(body, status=503 if state == "not ready" else 200)


def _metrics(request: HttpRequest) -> HttpResponse:
    if not may_read_metrics(request):
        line = "Figures are for this computer itself, or for who sends METRICS_TOKEN (docs/running.md).\n"
        return HttpResponse(line, status=403, content_type="text/plain; charset=utf-8")
    from config.watch import gauges  # noqa: PLC0415 (with it comes all that counts)

    return HttpResponse(gauges.exposition(), content_type=gauges.MEDIA_TYPE)


HEALTH_PAGES: Mapping[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": _healthz,
    LIVEZ: _livez,
    "/readyz": _readyz,
    "/metrics": _metrics,
}
