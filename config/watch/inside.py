"""Access to metrics: with a token, or from the computer itself."""

import hmac
import ipaddress

from django.conf import settings
from django.http import HttpRequest

# A proxy on this computer has a local address, too, but names its client.
_PROXY_HEADERS = (
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
    "HTTP_FORWARDED",
    "HTTP_VIA",
)


def may_read_metrics(request: HttpRequest) -> bool:
    """Return whether the request has `METRICS_TOKEN` as bearer token, or comes from this computer directly.

    Directly: from a loopback address and not through a proxy.
    """
    kind, _, bearer_token = request.headers.get("Authorization", "").partition(" ")
    token = settings.METRICS_TOKEN
    if (
        token
        and kind.lower() == "bearer"
        and hmac.compare_digest(bearer_token.strip().encode(), token.encode())
    ):
        return True
    if any(name in request.META for name in _PROXY_HEADERS):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
