"""`/livez`: whether this process answers and will go on answering.

It needs nothing else, so the loop can answer it.
"""

import json
from typing import Final

from django.conf import settings

LIVEZ_PATH: Final = "/livez"


def livez_response() -> tuple[int, bytes]:
    """Return status and body.

    A file announces the end of this process. Without a database it still counts as alive, because it can
    serve an error page.
    """
    is_draining = settings.DRAINING_FILE.exists()
    body = {"status": "going away" if is_draining else "ok", "release": settings.RELEASE}
    return 503 if is_draining else 200, json.dumps(body).encode()
