"""Fixtures for all tests; which database it runs on is said in ``tests.support.lanes``, what it needs in ``servers``."""

import gc
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import pytest_django
from django.core.cache import cache, caches
from django.db import connection
from django.template.base import Template
from django.template.context import Context
from django.utils import timezone, translation

from config.stack import run_with_deep_stack

if TYPE_CHECKING:
    from tests.support.schema import Tables

pytest_plugins = [
    "tests.support.clock",
    "tests.support.emptying",
    "tests.support.engines",
    "tests.support.lanes",
    "tests.support.schema",
    "tests.support.servers",
    "tests.support.stock",
]

# Until all tests are collected, next to everything that is made stays: looking for garbage would take as long as the work.
gc.disable()

# The same examples in every run, however slow the machine, and more of them in `.ci/long`; `--hypothesis-profile=search` looks for new ones.
SLOW = [hypothesis.HealthCheck.too_slow]
EXAMPLES = 100 if os.environ.get("CRAWFORD_TEST_FULL") == "1" else 40
hypothesis.settings.register_profile("search", deadline=None, suppress_health_check=SLOW)
hypothesis.settings.register_profile(
    "same",
    deadline=None,
    suppress_health_check=SLOW,
    derandomize=True,
    database=None,
    max_examples=EXAMPLES,
)
hypothesis.settings.load_profile("same")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> Any:
    """Tests are deep in the stack: without room for it a twelfth of the time goes into memory that comes and goes."""
    this = config.pluginmanager.get_plugin(__file__)
    rest = config.pluginmanager.subset_hook_caller("pytest_cmdline_main", [this])
    return run_with_deep_stack(lambda: rest(config=config))


def pytest_collection_finish() -> None:
    """The modules and tests loaded by now stay: looking through them for garbage again and again costs a tenth of the run."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def _tells_of_whole_pages(django_test_environment: None) -> None:
    """``response.context`` is that of the page. Django's tests note each of the fifty pieces that it includes, for a twentieth of the time."""
    noting = Template._render

    def render(template: Template, context: Context) -> str:
        whole = context.template is template
        return noting(template, context) if whole else template.nodelist.render(context)

    Template._render = render


@pytest.fixture(autouse=True)
def _own_language() -> Iterator[None]:
    """Every test begins in the site's own language and time zone: a request in German leaves its language in the thread."""
    translation.deactivate()
    timezone.deactivate()
    yield
    translation.deactivate()
    timezone.deactivate()


@pytest.fixture(autouse=True)
def _own_cache() -> None:
    """Every test begins with nothing kept: events, accounts and stages of earlier ones were rolled back, and their numbers come again."""
    cache.clear()
    caches["waiting"].clear()


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None,
    django_db_blocker: pytest_django.DjangoDbBlocker,
    django_db_keepdb: bool,
    tables: "Tables",
) -> None:
    """PostgreSQL's autovacuum sees only what was rolled back: it would count no rows, and a plan made for none takes minutes."""
    from tests.support.schema import count_high

    with django_db_blocker.unblock():
        if connection.vendor == "sqlite" and not django_db_keepdb:
            tables.keep()
        count_high()
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
                )
                for (name,) in cursor.fetchall():
                    cursor.execute(f'ALTER TABLE "{name}" SET (autovacuum_enabled = false)')
