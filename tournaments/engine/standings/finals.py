"""Final places of a division from the places in each of its stages."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tournaments.engine.standings.ranking import Place
from tournaments.engine.types import EntryId


class FinalPlace(NamedTuple):
    """A person's final place in a division.

    ``person``: a number by which the caller knows the person; ``tied``: how many people share the place.
    """

    person: int
    place: int
    tied: int


def final_places(
    stages: Iterable[Mapping[EntryId, Place]], people: Mapping[EntryId, int]
) -> list[FinalPlace]:
    """Return the final places of people, from the places of their entries in each stage.

    ``stages``: the places in each stage, the last stage first: people with a place in a later stage are above
    all who have none. ``people``: the person of each entry; each person's best entry counts.
    """
    results: list[FinalPlace] = []
    placed: set[int] = set()
    for places in stages:
        for first in sorted({place.first for place in places.values()}):
            tied_people = {
                people[entry] for entry, place in places.items() if place.first == first and entry in people
            }
            tied_people -= placed
            results += [
                FinalPlace(person, len(placed) + 1, len(tied_people)) for person in sorted(tied_people)
            ]
            placed |= tied_people
    return results
