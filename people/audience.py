"""The audience of names: it decides which form of a player's name a page, response or file contains.

A request has one audience, set from its address (``config.audience``); code outside of requests, and every
page that requires a role, reads full names. Name columns depend on the audience when their SQL is built
(``people.models.naming``), so no selector, template or sorting by name can reveal more than the audience may
see.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Final


class Audience(StrEnum):
    """Who will read the names. ``FULL``: directors, services, tasks. ``PUBLIC``: everyone.

    ``HALL``: the display in the hall, score slips, personal links.
    """

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
    """Read names for ``audience`` from now on, until the end of this request."""
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
    """Return “Omar B.”, the first word and the initial of the last word; for a single word only its initial.

    Returns ``HIDDEN_MARKER`` for a name without letters and digits.
    """
    words = [word for word in name.replace(",", " ").split() if any(letter.isalnum() for letter in word)]
    if "," in name:  # “Bakri, Omar”
        words = [*name.partition(",")[2].split(), *name.partition(",")[0].split()] or words
    if not words:
        return HIDDEN_MARKER
    first, last = words[0], next(letter for letter in words[-1] if letter.isalnum())
    return f"{last}." if len(words) == 1 else f"{first} {last}."
