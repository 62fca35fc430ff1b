"""Split off and add the language prefix of a page's address: `/de/e/…` is the page `/e/…` in German.

``config.shared.languages`` removes the prefix before Django resolves the address and sets it as the prefix of
all addresses that ``reverse`` returns, so links on a page keep its language. Addresses on paper, in mails and
in API responses have no prefix: the browser's own language decides (`docs/decisions/0065`).
"""

from functools import lru_cache
from typing import NamedTuple

from django.conf import settings


class Address(NamedTuple):
    """A path of this site: its language code ("" if it has none) and the rest, which begins with a slash."""

    language: str
    path: str


def split_language(path: str) -> Address:
    """Split a path: `/de/e/x/` is `("de", "/e/x/")`, `/e/x/` is `("", "/e/x/")`, `/de` is `("de", "/")`."""
    first, _slash, rest = path[1:].partition("/")
    return Address(first, f"/{rest}") if first in _language_codes() else Address("", path)


def without_language(path: str) -> str:
    """Return the address without its language prefix."""
    return split_language(path).path


def with_language(language: str, path: str) -> str:
    """Return ``path`` with the prefix of ``language``, in place of a prefix that it may have.

    A query stays.
    """
    return f"/{language}{without_language(path)}"


@lru_cache(maxsize=1)
def _language_codes() -> frozenset[str]:
    return frozenset(code for code, _name in settings.LANGUAGES)
