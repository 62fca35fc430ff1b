"""Where a request comes from. Knows no model: the log asks, too, before there are any."""

import ipaddress
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The visitor's address, see `client_address`."""
    return address_from_environ(request.META)


def address_from_environ(environ: Mapping[str, Any]) -> str:
    """The visitor's IP address, as the site's own proxy reports it if there is one (``BEHIND_PROXY``); empty if none can be read."""
    forwarded = environ.get("HTTP_X_FORWARDED_FOR", "") if settings.ALLAUTH_TRUSTED_PROXY_COUNT else ""
    named = forwarded.rpartition(",")[2] or environ.get("REMOTE_ADDR", "")
    try:
        return str(ipaddress.ip_address(named.strip()))
    except ValueError:
        return ""
