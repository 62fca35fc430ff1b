"""Which servers and programs this run has.

Markers `postgres sqlite redis browser gnubg clients corpus` name what a test needs. Without it the test is skipped with the reason; with
`CI=true` that is a failure, because there everything must be present (the corpus alone may be missing: it is not public).
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from tests.support.lanes import on_postgres
from tools import clients

GNUBG_FOLDERS = "/usr/games:/usr/local/games"


def postgres_url() -> str | None:
    return os.environ.get("DATABASE_URL_POSTGRES") or None


def redis_url() -> str | None:
    return os.environ.get("CELERY_BROKER_URL_REDIS") or None


def chromium_path() -> str | None:
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    # The headless shell is the same browser without the pages that its own window is made of.
    known = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, known)), None)


def whole_chromium_path() -> str | None:
    """The browser with a window (which is not shown): the headless shell has no notices."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def gnubg_path() -> str | None:
    named = os.environ.get("GNUBG")
    return shutil.which(named or "gnubg") or shutil.which("gnubg", path=GNUBG_FOLDERS)


def corpus_folder() -> Path | None:
    named = os.environ.get("CRAWFORD_CORPUS")
    return Path(named) if named and Path(named).is_dir() else None


def required() -> bool:
    return os.environ.get("CI", "").lower() in {"1", "true", "yes"}


def missing(marker: str) -> str | None:
    """Why a test with this marker cannot run here, or None."""
    match marker:
        case "postgres" if postgres_url() is None:
            return "needs PostgreSQL: set DATABASE_URL_POSTGRES (`make services` starts one)"
        case "postgres" if not on_postgres():
            return "runs on PostgreSQL: start pytest with CRAWFORD_TEST_DATABASE=postgres"
        case "sqlite" if on_postgres():
            return "asks SQLite itself"
        case "redis" if redis_url() is None:
            return "needs Redis: set CELERY_BROKER_URL_REDIS (`make services` starts one)"
        case "browser" if chromium_path() is None:
            return "needs Chromium: install it or set CHROMIUM to the program"
        case "gnubg" if gnubg_path() is None:
            return "needs GNU Backgammon: install gnubg or set GNUBG to the program"
        case "clients" if not clients.is_installed():
            return "needs what makes API clients: `make clients` installs it"
        case "corpus" if corpus_folder() is None:
            return "needs the folder of match records: set CRAWFORD_CORPUS"
    return None


MARKERS = ("postgres", "sqlite", "redis", "browser", "gnubg", "clients", "corpus")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in MARKERS:
        reason = missing(marker) if item.get_closest_marker(marker) else None
        if reason is None:
            continue
        if required() and marker not in {"corpus", "sqlite"}:
            pytest.fail(f"CI must have it: {reason}", pytrace=False)
        pytest.skip(reason)


def site_environment(broker_url: str, **more: str) -> dict[str, str]:
    """The environment of a real process (worker, beat, web) that works on this test's own database."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        url = f"sqlite:///{database['NAME']}"
    else:
        server = os.environ["DATABASE_URL_POSTGRES"].partition("?")[0].rpartition("/")[0]
        url = f"{server}/{database['NAME']}"
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": url,
        "CELERY_BROKER_URL": broker_url,
        "EMAIL_URL": "consolemail://",
        "PYTHONPATH": str(settings.BASE_DIR),
        "FILES_FOLDER": str(settings.STORAGES["default"]["OPTIONS"]["location"]),
        **more,
    }


@pytest.fixture(scope="session", autouse=True)
def _leave_nothing_behind() -> Iterator[None]:
    """The run's own folder (database file, broker, keys) goes when the run does."""
    yield
    connection.close()
    shutil.rmtree(settings.VAR, ignore_errors=True)
