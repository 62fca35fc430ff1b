"""A database of an earlier release, brought to today once for all tests here; what a test does in it is taken back."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from tests.upgrades.packed import connected_to, drop, of_this_run, upgraded


@pytest.fixture(scope="session", params=of_this_run())
def _brought_to_today(
    request, tmp_path_factory, django_db_setup, django_db_blocker
) -> Iterator[tuple[str, str]]:
    with django_db_blocker.unblock():
        name = upgraded(request.param, tmp_path_factory.mktemp("upgrades"))
        yield request.param, name
        drop(name)


@pytest.fixture(scope="module")
def release(_brought_to_today, django_db_blocker) -> Iterator[str]:
    """The release whose database the tests of this file find."""
    name_of_release, name = _brought_to_today
    cache.clear()  # what is kept by event and version is of other events here
    with django_db_blocker.unblock(), connected_to(name):
        yield name_of_release
    cache.clear()
