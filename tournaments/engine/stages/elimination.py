"""An elimination stage as one bracket: the main draw and the flights in which its losers play on.

The director's settings (`BracketSettings`) are stored with the stage; with the entries on the bracket lines
they always give the same bracket, so only the lines are stored of its structure. A *flight* is a section of
the bracket: consolation (first-match losers, or progressive) and the last chance that the consolation feeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from faults import Fault
from tournaments.engine.brackets.consolation import FLIGHT_RULES, FLIGHTS_BY_SOURCE, FlightKind
from tournaments.engine.brackets.double import GRAND_FINAL, LOWER, RECHARGE
from tournaments.engine.brackets.seeding import held_lines
from tournaments.engine.brackets.structure import MAIN, THIRD_PLACE, Bracket, LoserAdmissionRule
from tournaments.engine.errors import BadInput
from tournaments.engine.matches.lengths import check_lengths
from tournaments.engine.stages.feeding import ADMITTED_KINDS, Admission, FeedPart
from tournaments.engine.stages.plan import (
    DivisionPlan,
    Feed,
    StagePlan,
    StageSystem,
    build_bracket,
    round_lengths,
)
from tournaments.engine.types import EntryId, Side

MAX_FED_ROUNDS: Final = 10
MAX_HELD_LINES: Final = 64


class SeparateBy(StrEnum):
    """What players may have in common that keeps them apart in early rounds, strictest first."""

    PARTY = "party"
    CLUB = "club"
    COUNTRY = "country"


@dataclass(frozen=True, slots=True)
class Flight:
    """A section of the bracket in which losers play on.

    `lengths`: match lengths, counted back from its last round; `rounds`: how many rounds (of the main draw,
    or, for a last chance, of the consolation) feed it with losers. First-match losers enter wherever their
    first match was; `rounds` is then ignored. `admission`: which losers may enter.
    """

    kind: FlightKind
    lengths: tuple[int, ...] = (5,)
    rounds: int = 1
    admission: Admission = Admission.PLAYED


@dataclass(frozen=True, slots=True)
class BracketSettings:
    """Settings of an elimination.

    `third_place` and `flights` are for single elimination; `recharge`, `lower_lengths` and `final_length` for
    double elimination. `recharge`: a second final if the winner of the main draw loses the first.
    `lower_lengths` count back from the last match of the lower bracket, `final_length` is that of both
    finals; empty and 0: as in the main draw.

    `apart`: who is kept apart in early rounds. `open_lines`: number of lines of the main draw reserved for
    late entries and re-entries, until they are closed. `buy_back_within`: only a loser of one of the first so
    many matches may re-enter (a bye does not count, rule F17); 0: any loser.
    """

    third_place: bool = False
    recharge: bool = True
    flights: tuple[Flight, ...] = ()
    apart: tuple[SeparateBy, ...] = ()
    lower_lengths: tuple[int, ...] = ()
    final_length: int = 0
    open_lines: int = 0
    buy_back_within: int = 0


def check_bracket_settings(system: str, settings: BracketSettings) -> tuple[Fault, ...]:
    """Return all errors of the settings for this system, each at its field; empty if they are valid."""
    faults: list[Fault] = []
    if system == StageSystem.DOUBLE_ELIMINATION and (settings.flights or settings.third_place):
        faults.append(Fault("flight.not_in_double", "flights"))
    faults += _section_length_faults(system, settings)
    faults += _reentry_faults(system, settings)
    faults += _flight_faults([flight.kind for flight in settings.flights])
    for flight in settings.flights:
        faults += check_lengths(flight.lengths, f"{flight.kind}_lengths")
        if not 1 <= flight.rounds <= MAX_FED_ROUNDS:
            faults.append(Fault("flight.rounds_odd", f"{flight.kind}_rounds", {"limit": MAX_FED_ROUNDS}))
        if FLIGHT_RULES[flight.kind].takes_semifinals and settings.third_place:
            faults.append(Fault("flight.third_place_too", "third_place"))
    return tuple(faults)


def _section_length_faults(system: str, settings: BracketSettings) -> list[Fault]:
    """Return the errors of match lengths that are set for the lower bracket and the final.

    Only a double elimination may set these.
    """
    final = (settings.final_length,) if settings.final_length else ()
    faults: list[Fault] = []
    for name, lengths in (("lower_lengths", settings.lower_lengths), ("final_length", final)):
        if lengths and system != StageSystem.DOUBLE_ELIMINATION:
            faults.append(Fault("double.lengths_alone", name))
        elif lengths:
            faults += check_lengths(lengths, name)
    return faults


def _reentry_faults(system: str, settings: BracketSettings) -> list[Fault]:
    """Return the errors of the settings for reserved lines and re-entry.

    First-match losers enter on the line of a bye, which must be known at the draw, so no lines can be
    reserved.
    """
    faults: list[Fault] = []
    if not 0 <= settings.open_lines <= MAX_HELD_LINES:
        faults.append(Fault("open_lines.odd", "open_lines", {"limit": MAX_HELD_LINES}))
    elif settings.open_lines and any(flight.kind is FlightKind.FIRST_MATCH for flight in settings.flights):
        faults.append(Fault("open_lines.first_match", "open_lines"))
    minimum = 2 if system == StageSystem.DOUBLE_ELIMINATION else 1
    if settings.buy_back_within and not minimum <= settings.buy_back_within <= MAX_FED_ROUNDS:
        faults.append(
            Fault("buy_back_within.odd", "buy_back_within", {"least": minimum, "limit": MAX_FED_ROUNDS})
        )
    return faults


def _flight_faults(kinds: Sequence[FlightKind]) -> list[Fault]:
    """Return the errors of a list of flights: each section once, and after the section that feeds it."""
    faults: list[Fault] = []
    for section in FLIGHTS_BY_SOURCE:
        section_flights = [(index, kind) for index, kind in enumerate(kinds) if kind.section == section]
        if not section_flights:
            continue
        first_index, kind = section_flights[0]
        if kind.source not in (MAIN, *(earlier.section for earlier in kinds[:first_index])):
            faults.append(Fault(FLIGHT_RULES[kind].alone, "flights"))
        if len(section_flights) > 1:
            faults.append(Fault(FLIGHT_RULES[kind].duplicate_code, "flights"))
    return faults


def bracket_plan(system: str, lengths: Sequence[int], settings: BracketSettings) -> DivisionPlan:
    """Return the stage and its flights as a plan; the key of each stage in it is its section code."""
    root = StagePlan(
        MAIN,
        StageSystem(system),
        tuple(lengths),
        third_place=settings.third_place,
        recharge=settings.recharge,
        lower_lengths=settings.lower_lengths,
        final_lengths=(settings.final_length,) if settings.final_length else (),
    )
    flights = (
        StagePlan(
            flight.kind.section,
            flight.kind,
            flight.lengths,
            feed=Feed(flight.kind.source, FeedPart.LOSERS, flight.rounds),
            admission=flight.admission,
        )
        for flight in settings.flights
    )
    return DivisionPlan((root, *flights))


def bracket_with_flights(
    system: str, lengths: Sequence[int], settings: BracketSettings, lines: Sequence[EntryId | None]
) -> Bracket:
    """Return the whole bracket for these lines of the main draw (entries, or None for a bye).

    `open_lines` of its empty lines are reserved. Raises ``BadInput`` if there are too few entries for the
    flights.
    """
    held = held_lines(lines, settings.open_lines)
    return build_bracket(bracket_plan(system, lengths, settings), MAIN, lines, held)


def bracket_lengths(
    system: str, lengths: Sequence[int], settings: BracketSettings, bracket: Bracket
) -> dict[int, int]:
    """Return the match length of each round of the bracket, keyed by round number."""
    lengths_by_round: dict[int, int] = {}
    for stage in bracket_plan(system, lengths, settings).stages:
        lengths_by_round |= round_lengths(stage, bracket)
    return lengths_by_round


def drop_rule(settings: BracketSettings, section: str, code: str) -> LoserAdmissionRule | None:
    """Return the rule by which losers enter a round of the bracket; None for rounds that have no such rule.

    `section`, `code`: those of the round. It is the rule that `bracket_with_flights` sets. Raises
    ``BadInput`` for an unknown section.
    """
    if section == MAIN or code == THIRD_PLACE:
        return None
    if section == LOWER:
        return LoserAdmissionRule()
    if section == GRAND_FINAL:
        return LoserAdmissionRule(side=Side.A) if code == RECHARGE else None
    flight = next((flight for flight in settings.flights if flight.kind.section == section), None)
    if flight is None:
        raise BadInput("bracket.no_such_section", section=section)
    return LoserAdmissionRule(
        ADMITTED_KINDS[flight.admission], first_match_only=FLIGHT_RULES[flight.kind].first_match_only
    )
