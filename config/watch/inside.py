"""Who may see figures: whoever has the token, or a program on this very computer."""

import hmac
import ipaddress

from django.conf import settings
from django.http import HttpRequest

# A proxy on this computer comes from this computer: it names whom it asks for.
_PROXY_HEADERS = (
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
    "HTTP_FORWARDED",
    "HTTP_VIA",
)


def may_read_metrics(request: HttpRequest) -> bool:
    """``Authorization: Bearer …`` with `METRICS_TOKEN`; or from a loopback address, past every proxy."""
    kind, _, given = request.headers.get("Authorization", "").partition(" ")
    token = settings.METRICS_TOKEN
    if token and kind.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), token.encode()):
        return True
    if any(name in request.META for name in _PROXY_HEADERS):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
