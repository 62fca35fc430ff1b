"""The parts of a bracket: one row for each, and one for each way to play on after a loss (a *flight*).

Who needs to know something of a section asks its row. A new flight is a builder (`consolation`), its row here, its words
(`shared/words/names`) and its fields of the form; an unknown code is refused loudly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tournaments.engine.brackets.consolation import (
    CONSOLATION,
    LAST_CHANCE,
    first_match_losers,
    last_chance,
    progressive_consolation,
)
from tournaments.engine.brackets.double import GRAND_FINAL, LOWER
from tournaments.engine.brackets.structure import MAIN, Bracket
from tournaments.engine.types import ResultKind

# (bracket, from how many rounds losers come in, after which kinds of results) → the bracket with one more section
Build = Callable[[Bracket, int, frozenset[ResultKind]], Bracket]


@dataclass(frozen=True, slots=True)
class Section:
    """`fed_by`: the section whose losers come in, None where nobody drops to. `ladder`: the first of those with which it shares places."""

    code: str
    fed_by: str | None
    ladder: str


SECTIONS: Final[Mapping[str, Section]] = {
    section.code: section
    for section in (  # in the order of the draw
        Section(MAIN, None, MAIN),
        Section(CONSOLATION, MAIN, CONSOLATION),
        Section(LAST_CHANCE, CONSOLATION, LAST_CHANCE),
        Section(LOWER, MAIN, MAIN),
        Section(GRAND_FINAL, None, MAIN),
    )
}


class FlightKind(StrEnum):
    FIRST_MATCH = "first_match_consolation"
    PROGRESSIVE = "progressive_consolation"
    LAST_CHANCE = "last_chance"

    @property
    def section(self) -> str:
        return FLIGHTS[self].section

    @property
    def source(self) -> str:
        """The section whose losers come in."""
        return SECTIONS[self.section].fed_by or MAIN


@dataclass(frozen=True, slots=True)
class FlightRow:
    """How a flight is built. `twice`, `alone`: the codes that refuse two of a section, and one without what feeds it."""

    section: str
    build: Build
    twice: str
    alone: str = "plan.source_unknown"
    first_match_only: bool = False  # who has won a match does not come in
    takes_semifinals: bool = (
        False  # it may take losers of the semifinals, so there is no match for third place
    )


FLIGHTS: Final[Mapping[FlightKind, FlightRow]] = {
    FlightKind.FIRST_MATCH: FlightRow(
        CONSOLATION,
        lambda bracket, _rounds, after: first_match_losers(bracket, after=after),
        twice="flight.two_consolations",
        first_match_only=True,
    ),
    FlightKind.PROGRESSIVE: FlightRow(
        CONSOLATION,
        lambda bracket, rounds, after: progressive_consolation(bracket, rounds, after=after),
        twice="flight.two_consolations",
        takes_semifinals=True,
    ),
    FlightKind.LAST_CHANCE: FlightRow(
        LAST_CHANCE,
        lambda bracket, rounds, after: last_chance(bracket, rounds, after=after),
        twice="flight.two_last_chances",
        alone="flight.last_chance_alone",
    ),
}

# The sections that flights play in, each with the ways to play it.
FLIGHTS_OF: Final[Mapping[str, tuple[FlightKind, ...]]] = {
    section: tuple(kind for kind, row in FLIGHTS.items() if row.section == section)
    for section in dict.fromkeys(row.section for row in FLIGHTS.values())
}
