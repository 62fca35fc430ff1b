"""A process starts with the garbage collector at rest: what is made until all apps are there stays, and is never looked through.

That is a quarter of the time that every command, worker and web process takes to start, and what a worker's children share
with it stays shared.
"""

import gc

from django.apps import AppConfig

from config import imprint

gc.disable()


class Started(AppConfig):
    """The last of the installed apps. It brings the checks of `manage.py check --deploy` with it."""

    name = "config"
    checks = (imprint.imprint_is_there,)

    def ready(self) -> None:
        gc.freeze()
        gc.enable()
