"""Find the IP address from which a request comes.

Imports no model: the log uses this module before models are loaded.
"""

import ipaddress
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Return the visitor's IP address, "" if it cannot be read."""
    return address_from_environ(request.META)


def address_from_environ(environ: Mapping[str, Any]) -> str:
    """Return the visitor's IP address from a request's environment, "" if it cannot be read.

    Behind a proxy (``BEHIND_PROXY``) it is the address that the proxy reports.
    """
    forwarded = environ.get("HTTP_X_FORWARDED_FOR", "") if settings.ALLAUTH_TRUSTED_PROXY_COUNT else ""
    address_text = forwarded.rpartition(",")[2] or environ.get("REMOTE_ADDR", "")
    try:
        return str(ipaddress.ip_address(address_text.strip()))
    except ValueError:
        return ""
