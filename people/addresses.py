"""Addresses with a language in front of them: `/de/e/…` is `/e/…`, in German (`docs/decisions/0065`).

`config.shared.languages` takes it off in front of Django and gives it as the prefix of all that `reverse` makes, so pages lead from one to
the next within a language. What leaves the site, on paper, in a mail or in an answer of the API, carries none: whoever opens it is led to their own.
"""

from functools import lru_cache
from typing import NamedTuple

from django.conf import settings


class Address(NamedTuple):
    """A path of this site: the code of its language, empty where there is none, and the rest, which begins with a slash."""

    language: str
    path: str


def split_language(path: str) -> Address:
    """`/de/e/x/` is `("de", "/e/x/")`, `/e/x/` is `("", "/e/x/")`, `/de` is `("de", "/")`."""
    first, _slash, rest = path[1:].partition("/")
    return Address(first, f"/{rest}") if first in _language_codes() else Address("", path)


def without_language(path: str) -> str:
    """The same address without a language."""
    return split_language(path).path


def with_language(language: str, path: str) -> str:
    """The same address in ``language``; ``path`` may have a query, and another language in front."""
    return f"/{language}{without_language(path)}"


@lru_cache(maxsize=1)
def _language_codes() -> frozenset[str]:
    return frozenset(code for code, _name in settings.LANGUAGES)
