"""The garbage collector is at rest only until a process has started."""

import gc

from django.apps import apps
from django.conf import settings


def test_collector_when_the_last_app_is_ready_then_it_works_again_and_leaves_alone_what_was_there():
    assert settings.INSTALLED_APPS[-1] == "config.start.SiteConfig"
    gc.disable()
    try:
        apps.get_app_config("config").ready()
        assert gc.isenabled()
    finally:
        gc.enable()
    assert gc.get_freeze_count() > 100_000
