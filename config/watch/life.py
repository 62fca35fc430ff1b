"""`/livez`: whether this process answers and will go on answering.

The response needs no database, so the event loop can send it.
"""

import json
from typing import Final

from django.conf import settings

LIVEZ_PATH: Final = "/livez"


def livez_response() -> tuple[int, bytes]:
    """Return status and body of the response: 503 if a file announces the end of this process, else 200.

    Without a database the process still counts as alive, because it can serve an error page.
    """
    is_draining = settings.DRAINING_FILE.exists()
    body = {"status": "going away" if is_draining else "ok", "release": settings.RELEASE}
    return 503 if is_draining else 200, json.dumps(body).encode()
