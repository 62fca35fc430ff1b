"""The WSGI application that Granian serves."""
# ruff: noqa: E402 (what has models is imported when Django is set up)

import os
from pathlib import Path

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.environment import page_lock_timeout

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Web processes wait only briefly for a lock; workers and commands wait long.
os.environ["CRAWFORD_PATIENCE"] = page_lock_timeout(Path(__file__).resolve().parent.parent)

_django = get_wsgi_application()

from config.gate import reject_malformed
from config.shared.languages import with_address_language
from config.shared.serve import SharedPages
from config.sqlite import open_idle_connection
from config.watch.requests import MonitoredSite

_held_connection = open_idle_connection(settings.DATABASES["default"])
application = MonitoredSite(
    SharedPages(reject_malformed(with_address_language(_django)), settings.SHARED_PAGES_BYTES)
)
