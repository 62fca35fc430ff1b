"""The audience of names: decides which name of a player a page, a response or a file contains.

A request has one audience, set from its address (``config.audience``); code outside of requests, and every
page that requires a role, reads full names. Name columns use the audience when their SQL is built
(``people.models.naming``), so no selector, template or order by name can show more than it may.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Final


class Audience(StrEnum):
    """``FULL``: directors, services, tasks. ``HALL``: display, slips, personal links. ``PUBLIC``: others."""

    FULL = "full"
    HALL = "hall"
    PUBLIC = "public"


_audience: ContextVar[Audience] = ContextVar("crawford_audience", default=Audience.FULL)
# Marks a public name of a player who shows none; in an event a number follows.
HIDDEN_MARKER: Final = "\ue000"
# The name of an erased player wherever one is required.
FORMER_PLAYER_NAME: Final = "former player"


def current_audience() -> Audience:
    """Return the audience for which names are read now."""
    return _audience.get()


def activate_audience(audience: Audience) -> None:
    """Read names for ``audience`` from here on, in this request."""
    _audience.set(audience)


@contextmanager
def override_audience(audience: Audience) -> Iterator[None]:
    """Read names for ``audience`` inside of the block."""
    token = _audience.set(audience)
    try:
        yield
    finally:
        _audience.reset(token)


def short_name(name: str) -> str:
    """Return “Omar B.”: the first word and the initial of the last; of a single word only its initial."""
    words = [word for word in name.replace(",", " ").split() if any(letter.isalnum() for letter in word)]
    if "," in name:  # “Bakri, Omar”
        words = [*name.partition(",")[2].split(), *name.partition(",")[0].split()] or words
    if not words:
        return HIDDEN_MARKER
    first, last = words[0], next(letter for letter in words[-1] if letter.isalnum())
    return f"{last}." if len(words) == 1 else f"{first} {last}."
