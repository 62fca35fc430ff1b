"""Where a request comes from. Knows no model: the log asks, too, before there are any."""

import ipaddress

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The address of whoever asks, as the proxy of ours tells it if there is one (``BEHIND_PROXY``); empty if none can be read."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.ALLAUTH_TRUSTED_PROXY_COUNT else ""
    named = forwarded.rpartition(",")[2] or request.META.get("REMOTE_ADDR", "")
    try:
        return str(ipaddress.ip_address(named.strip()))
    except ValueError:
        return ""
