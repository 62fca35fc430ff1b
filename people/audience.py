"""For whom names are read: the one place that decides which name of a player a page, an answer or a file holds.

A request has one audience, set by where it goes (`config.audience`); whatever runs outside of requests, and every page behind a role,
reads names as they are. The columns of names ask here when their SQL is made (`people.models.naming`), so that no selector, no template
and no order by name can show more than it may.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Final


class Audience(StrEnum):
    """``FULL``: directors, services, tasks. ``HALL``: wall, slips and personal links. ``PUBLIC``: everybody."""

    FULL = "full"
    HALL = "hall"
    PUBLIC = "public"


_audience: ContextVar[Audience] = ContextVar("crawford_audience", default=Audience.FULL)
# What stands in a public name for somebody who shows none; the number follows in an event.
HIDDEN_MARKER: Final = "\ue000"
# The name of somebody who was erased, in every place where one must stand.
FORMER_PLAYER_NAME: Final = "former player"


def current_audience() -> Audience:
    """For whom names are read now."""
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
    """“Omar B.”: the first word, and the first letter of the last; a name of one word is its first letter."""
    words = [word for word in name.replace(",", " ").split() if any(letter.isalnum() for letter in word)]
    if "," in name:  # “Bakri, Omar”
        words = [*name.partition(",")[2].split(), *name.partition(",")[0].split()] or words
    if not words:
        return HIDDEN_MARKER
    first, last = words[0], next(letter for letter in words[-1] if letter.isalnum())
    return f"{last}." if len(words) == 1 else f"{first} {last}."
