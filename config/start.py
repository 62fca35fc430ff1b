"""A process starts with the garbage collector at rest: what is made until all apps are there stays, and is never looked through.

That is a quarter of the time that every command, worker and web process takes to start, and what a worker's children share
with it stays shared. From then on it looks after 50,000 things that are new, not after 700: a page of a large event makes ten thousands that
all go by themselves, and a third of its time was spent on looking at them.
"""

import gc

from django.apps import AppConfig
from django.conf import settings

from config import checks as site_checks
from config import imprint
from config.watch import reporting

gc.disable()


class SiteConfig(AppConfig):
    """The last of the installed apps. It brings the checks of `manage.py check --deploy` with it."""

    name = "config"
    checks = (imprint.check_imprint, site_checks.check_catalogues)

    def ready(self) -> None:
        if settings.SENTRY_DSN:
            reporting.start_reporting(settings.SENTRY_DSN, settings.RELEASE, settings.CRAWFORD_ENV)
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        gc.enable()
