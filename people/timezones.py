"""The names of time zones that this computer knows: read from some 600 files, once in a process."""

from functools import cache
from typing import Final
from zoneinfo import available_timezones

CONTINENTS: Final = frozenset(
    {"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}
)


@cache
def timezone_names() -> frozenset[str]:
    """Every name that may be chosen."""
    return frozenset(available_timezones())


@cache
def timezones_of_places() -> tuple[str, ...]:
    """Those that are named after places, and UTC, for a list to choose from."""
    return tuple(sorted(name for name in timezone_names() if name == "UTC" or is_place(name)))


def is_place(name: str) -> bool:
    """Whether a zone is named after a place and not after an abbreviation, a country or a distance."""
    return name.partition("/")[0] in CONTINENTS
