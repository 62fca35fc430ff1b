"""Journeys in a real browser: one Chromium for the folder, a fresh context for every person, the site served by the test."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import kombu.pools
import pytest
from django.conf import settings as site_settings
from django.test import override_settings
from playwright.sync_api import Browser, Error, Playwright, sync_playwright

from config.celery import app
from config.environment import broker_settings, marker_cache_settings
from tests.e2e.visitors import House
from tests.support.lanes import on_postgres
from tests.support.servers import chromium_path, redis_url
from tests.support.workers import worker

HOUSE = pytest.StashKey[House]()
SWITCHES = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    # No drawing board in software: a fifth of the time, and nothing here is drawn in three dimensions.
    "--disable-gpu",
    "--disable-software-rasterizer",
    # Nothing outside this machine can be reached, whatever a page tries.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]
EVIDENCE = Path(site_settings.BASE_DIR) / "var" / "e2e"


@pytest.fixture(scope="package")
def browsers() -> Iterator[Playwright]:
    """Playwright keeps an event loop in this thread, and Django then refuses to query: allowed as long as it lives."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        with sync_playwright() as playwright:
            yield playwright


@pytest.fixture(scope="package")
def chromium(browsers: Playwright) -> Iterator[Browser]:
    program = chromium_path()
    assert program is not None
    browser = browsers.chromium.launch(executable_path=program, args=SWITCHES)
    yield browser
    browser.close()


@pytest.fixture
def house(request, chromium, live_server, settings) -> Iterator[House]:
    """The site with its doors open: ``house.visitor("Ann", phone=True)``."""
    settings.SITE_URL = live_server.url
    house = House(chromium, live_server.url)
    request.node.stash[HOUSE] = house
    yield house
    house.closes()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Trouble in any window fails the test; what every window showed is kept in ``var/e2e`` when a test fails."""
    try:
        result = yield
        house = item.stash.get(HOUSE, None)
        if house is not None and (troubles := house.troubles()):
            pytest.fail("Trouble in a browser:\n  " + "\n  ".join(troubles), pytrace=False)
    except BaseException:
        if (house := item.stash.get(HOUSE, None)) is not None:
            try:
                house.keeps_evidence(EVIDENCE, item.name)
            except Error as error:
                item.add_report_section("call", "evidence", f"could not be kept: {error}")
        raise
    return result


@pytest.fixture
def celery_worker(house, tmp_path) -> Iterator[None]:
    """A real worker process on this test's database; the site under test queues its tasks for it.

    Redis beside PostgreSQL, the embedded broker beside SQLite: the two ways Crawford is run.
    """
    url = (on_postgres() and redis_url()) or f"filesystem://{tmp_path / 'broker'}"
    with _queueing_to(url, tmp_path), worker(url, tmp_path):
        yield


@contextmanager
def _queueing_to(url: str, folder: Path) -> Iterator[None]:
    names = ("broker_url", "broker_transport", "broker_transport_options")
    before = {name: app.conf[name] for name in names}
    address, options = broker_settings(url, folder)
    transport = "config.broker:Transport" if address.startswith("filesystem:") else None
    _point_app_to(dict(zip(names, (address, transport, options), strict=True)))
    with override_settings(
        CACHES={**site_settings.CACHES, "waiting": marker_cache_settings(address, options)}
    ):
        yield
    _point_app_to(before)


def _point_app_to(values: dict[str, object]) -> None:
    for name, value in values.items():
        app.conf[name] = value
    # Connections of the earlier broker are forgotten.
    kombu.pools.reset()
    app._after_fork()
