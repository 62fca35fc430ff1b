"""Final places of a division from the places in each of its stages."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tournaments.engine.standings.ranking import Place
from tournaments.engine.types import EntryId


class FinalPlace(NamedTuple):
    """A final place, shared by ``tied`` people; ``who`` is a number of the caller's."""

    who: int
    place: int
    tied: int


def final_places(
    stages: Iterable[Mapping[EntryId, Place]], people: Mapping[EntryId, int]
) -> list[FinalPlace]:
    """Return the places of ``people`` from their entries' places in each stage, the last stage first.

    Each person's best entry counts.
    """
    found: list[FinalPlace] = []
    placed: set[int] = set()
    for places in stages:
        for first in sorted({place.first for place in places.values()}):
            level = {
                people[entry] for entry, place in places.items() if place.first == first and entry in people
            }
            level -= placed
            found += [FinalPlace(who, len(placed) + 1, len(level)) for who in sorted(level)]
            placed |= level
    return found
