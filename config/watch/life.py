"""`/livez`: whether this process answers and goes on answering. Nothing is asked of anybody, so a server may answer it in its loop."""

import json
from typing import Final

from django.conf import settings

LIVEZ_PATH: Final = "/livez"


def livez_response() -> tuple[int, bytes]:
    """Status and body. Who is about to end this process says so before, by a file; without a database it has a page to give, and lives."""
    goes = settings.DRAINING_FILE.exists()
    body = {"status": "going away" if goes else "ok", "release": settings.RELEASE}
    return 503 if goes else 200, json.dumps(body).encode()
