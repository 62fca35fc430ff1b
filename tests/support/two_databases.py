"""A site on another database than the one of the run, in the same process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.db import connections
from django.db.utils import ConnectionHandler
from environ import Env

from config import environment


@contextmanager
def site_on(url: str) -> Iterator[None]:
    """Everything asks the database at this address; nothing is kept in the cache from another."""
    usual = connections["default"]
    usual.close()
    chosen = environment.database_settings(dict(Env().db_url_config(url)), Path(settings.BASE_DIR))
    connections["default"] = ConnectionHandler({"default": chosen})["default"]
    cache.clear()
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"] = usual
        cache.clear()
