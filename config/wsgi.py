"""The WSGI application that Granian serves."""
# ruff: noqa: E402 (what has models is imported when Django is set up)

import os
from pathlib import Path

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.environment import patience_of_pages

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Somebody looks at a page: they hear soon that a row is not to be had. Workers and commands wait.
os.environ["CRAWFORD_PATIENCE"] = patience_of_pages(Path(__file__).resolve().parent.parent)

_django = get_wsgi_application()

from config.gate import guarded
from config.shared.languages import in_languages
from config.shared.serve import SharedPages
from config.sqlite import held_open
from config.watch.requests import WatchedSite

_held = held_open(settings.DATABASES["default"])
application = WatchedSite(SharedPages(guarded(in_languages(_django)), settings.SHARED_PAGES_BYTES))
