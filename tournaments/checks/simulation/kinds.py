"""Formats of simulated events: every system, with random settings that a director might choose."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.engine.brackets.consolation import FlightKind
from tournaments.engine.brackets.double import LOWER
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.stages.elimination import BracketSettings, Flight
from tournaments.engine.stages.feeding import Admission, Feeding, FeedPart, FeedSource
from tournaments.engine.stages.swiss import DEFAULT_TIE_BREAKS, AvoidancePolicy, SwissSettings
from tournaments.engine.standings.editions import Edition
from tournaments.events.services.stages import StageDetails
from tournaments.models import Stage

MATCH_LENGTHS: Final = (1, 3, 5, 7)


@dataclass(frozen=True, slots=True)
class EventFormat:
    """The stages of each division of a simulated event, and how many entries a division takes.

    ``min_entries`` and ``max_entries``: the smallest and largest number of entries. ``auto_start_size``: the
    number of entries with which a division starts automatically; 0: it does not. ``reentries``: how often a
    player may re-enter, None for a random number.
    """

    name: str
    stages: tuple[StageDetails, ...]
    min_entries: int
    max_entries: int
    divisions: int = 1
    auto_start_size: int = 0
    reentries: int | None = None


def random_format(name: str, rng: random.Random) -> EventFormat:
    """Return the format of this name, with random settings."""
    return _FORMATS[name](rng)


def _random_stage(system: str, rng: random.Random, **extra_settings: object) -> StageDetails:
    lengths = tuple(rng.choice(MATCH_LENGTHS) for _ in range(rng.randrange(1, 4)))
    draw_method = rng.choice(list(Stage.DrawMethod.values))
    return StageDetails(system=system, lengths=lengths, draw_method=draw_method, **extra_settings)  # type: ignore[arg-type]


def _random_flight(kind: FlightKind, rng: random.Random) -> Flight:
    return Flight(kind, (rng.choice(MATCH_LENGTHS),), rng.randrange(1, 4), rng.choice(list(Admission)))


def _single_elimination(rng: random.Random) -> EventFormat:
    bracket = BracketSettings(third_place=rng.random() < 0.5)
    return EventFormat(
        "single elimination", (_random_stage("single_elimination", rng, bracket=bracket),), 3, 300
    )


def _consolation(rng: random.Random) -> EventFormat:
    kind = rng.choice([kind for kind in FlightKind if kind.source == MAIN])
    bracket = BracketSettings(flights=(_random_flight(kind, rng),))
    return EventFormat("consolation", (_random_stage("single_elimination", rng, bracket=bracket),), 3, 300)


def _weekend(rng: random.Random) -> EventFormat:
    kind = rng.choice([kind for kind in FlightKind if kind.source == MAIN])
    later_flights = [
        Flight(later_kind, (1,), 1, rng.choice(list(Admission)))
        for later_kind in FlightKind
        if later_kind.source == kind.section
    ]
    bracket = BracketSettings(flights=(_random_flight(kind, rng), *later_flights))
    return EventFormat("weekend", (_random_stage("single_elimination", rng, bracket=bracket),), 8, 300)


def _double_elimination(rng: random.Random) -> EventFormat:
    bracket = BracketSettings(recharge=rng.random() < 0.5)
    return EventFormat(
        "double elimination", (_random_stage("double_elimination", rng, bracket=bracket),), 3, 200
    )


# Known to every edition, so that each list fits each edition.
_SWISS_TIE_BREAKS: Final = (
    DEFAULT_TIE_BREAKS,
    ("buchholz_cut_1", "sonneborn_berger", "head_to_head", "progressive"),
    ("head_to_head", "strength_of_schedule", "performance_by_length", "lot"),
)


def _swiss(rng: random.Random) -> EventFormat:
    settings = SwissSettings(
        rounds=rng.randrange(2, 8),
        clubs=rng.choice([AvoidancePolicy.IGNORE, AvoidancePolicy.AVOID]),  # all are of one club
        bye_points=rng.choice([1, 2]),
        late_points=rng.choice([0, 1]),
        edition=rng.choice(list(Edition)),
        tie_breaks=rng.choice(_SWISS_TIE_BREAKS),
    )
    return EventFormat("swiss", (_random_stage("swiss", rng, swiss=settings),), 2, 300)


def _lives(rng: random.Random) -> EventFormat:
    settings = SwissSettings(lives=rng.randrange(1, 4))
    return EventFormat("lives", (_random_stage("swiss", rng, swiss=settings),), 3, 200)


def _round_robin(rng: random.Random) -> EventFormat:
    settings = SwissSettings(all_at_once=rng.random() < 0.5, edition=rng.choice(list(Edition)))
    system = rng.choice(["round_robin", "double_round_robin"])
    return EventFormat("round robin", (_random_stage(system, rng, swiss=settings),), 2, 14)


def _groups(rng: random.Random) -> EventFormat:
    groups = rng.choice([2, 3, 4])
    settings = SwissSettings(group_count=groups, all_at_once=rng.random() < 0.5)
    first_stage = _random_stage("round_robin", rng, swiss=settings)
    second_stage = _random_stage("single_elimination", rng, fed_by=1, takes=rng.choice([1, 2]))
    return EventFormat("groups", (first_stage, second_stage), 3 * groups, 8 * groups)


def _finals(rng: random.Random) -> EventFormat:
    """Return a Swiss or groups, a bracket for the best, a stage for the others, and sometimes one between."""
    starts_with_swiss = rng.random() < 0.6
    groups = 1 if starts_with_swiss else rng.choice([1, 2, 3])
    settings = (
        SwissSettings(rounds=rng.randrange(2, 5)) if starts_with_swiss else SwissSettings(group_count=groups)
    )
    first_stage = _random_stage("swiss" if starts_with_swiss else "round_robin", rng, swiss=settings)
    top_places = rng.choice([2, 4]) if groups == 1 else rng.choice([1, 2])
    stages = [
        first_stage,
        _random_stage(
            rng.choice(["single_elimination", "double_elimination"]), rng, fed_by=1, takes=top_places
        ),
    ]
    if rng.random() < 0.3:
        middle_feed = Feeding(first=top_places + 1)
        stages.append(
            _random_stage("single_elimination", rng, fed_by=1, takes=top_places + 2, feed=middle_feed)
        )
    other_system = rng.choice(["single_elimination", "single_elimination", "swiss"])
    swiss_settings = SwissSettings(rounds=2)
    stages.append(
        _random_stage(other_system, rng, fed_by=1, feed=Feeding(FeedPart.REST), swiss=swiss_settings)
    )
    if other_system == "single_elimination" and rng.random() < 0.5:
        stages.append(_stage_from_flights(rng, stages))
    return EventFormat("finals", tuple(stages), 3 * groups + 3, 60)


def _stage_from_flights(rng: random.Random, stages: Sequence[StageDetails]) -> StageDetails:
    """Return a stage fed by main draw and consolation.

    A last chance of early losers, or a final of the best.
    """
    main, consolation = 2, len(stages)
    if rng.random() < 0.5:
        best_source = FeedSource(consolation, FeedPart.PLACES, 1, rng.choice([1, 2]))
        return _random_stage(
            "single_elimination",
            rng,
            fed_by=main,
            takes=rng.choice([1, 2, 3]),
            feed=Feeding(also=(best_source,)),
        )
    section = LOWER if stages[main - 1].system == "double_elimination" else MAIN
    losers_source = FeedSource(consolation, last=rng.choice([1, 2]), admission=rng.choice(list(Admission)))
    feed = Feeding(
        FeedPart.LOSERS, section=section, admission=rng.choice(list(Admission)), also=(losers_source,)
    )
    return _random_stage("single_elimination", rng, fed_by=main, takes=rng.choice([1, 2]), feed=feed)


def _elimination_that_feeds(rng: random.Random) -> EventFormat:
    """Return an elimination that feeds another stage, sometimes also a last chance from two sections."""
    is_double = rng.random() < 0.3
    flights = () if is_double or rng.random() < 0.4 else (_random_flight(FlightKind.PROGRESSIVE, rng),)
    bracket = BracketSettings(flights=flights)
    stages = [
        _random_stage("double_elimination" if is_double else "single_elimination", rng, bracket=bracket)
    ]
    top_places = rng.choice([2, 3, 4])
    last_system = rng.choice(["single_elimination", "round_robin", "swiss"])
    swiss_settings = SwissSettings(rounds=2, all_at_once=True)
    stages.append(_random_stage(last_system, rng, fed_by=1, takes=top_places, swiss=swiss_settings))
    if flights and rng.random() < 0.7:
        section = flights[0].kind.section
        losers_source = FeedSource(0, FeedPart.LOSERS, 1, 2, section, rng.choice(list(Admission)))
        feed = Feeding(FeedPart.LOSERS, flights[0].rounds + 1, also=(losers_source,))
        stages.append(
            _random_stage("single_elimination", rng, fed_by=1, takes=flights[0].rounds + 1, feed=feed)
        )
    if rng.random() < 0.6:
        stages.append(_random_stage("single_elimination", rng, fed_by=1, feed=Feeding(FeedPart.REST)))
    return EventFormat("further", tuple(stages), 6, 60)


def _last_chance(rng: random.Random) -> EventFormat:
    """Return a double elimination with other lengths in lower bracket and final, and a last chance."""
    bracket = BracketSettings(
        recharge=rng.random() < 0.5,
        lower_lengths=(rng.choice(MATCH_LENGTHS),),
        final_length=rng.choice([0, *MATCH_LENGTHS]),
    )
    first = rng.choice([1, 1, 2])
    feed = Feeding(FeedPart.LOSERS, first, LOWER, rng.choice(list(Admission)))
    chance = rng.choice(["single_elimination", "single_elimination", "swiss"])
    stages = (
        _random_stage("double_elimination", rng, bracket=bracket),
        _random_stage(
            chance, rng, fed_by=1, takes=first + rng.randrange(2), feed=feed, swiss=SwissSettings(rounds=2)
        ),
    )
    return EventFormat("last chance", stages, 6, 60)


def _re_entries(rng: random.Random) -> EventFormat:
    """Return an elimination with places reserved for re-entries."""
    is_double = rng.random() < 0.3
    flights = () if is_double or rng.random() < 0.4 else (_random_flight(FlightKind.PROGRESSIVE, rng),)
    bracket = BracketSettings(
        flights=flights, open_lines=rng.choice([0, 1, 2, 5]), buy_back_within=rng.choice([0, 2, 3])
    )
    system = "double_elimination" if is_double else "single_elimination"
    return EventFormat(
        "coming again", (_random_stage(system, rng, bracket=bracket),), 3, 80, reentries=rng.choice([1, 2])
    )


def _jackpots(rng: random.Random) -> EventFormat:
    """Return brackets of four or eight, one after the other; each starts with the entry that fills it."""
    room = rng.choice([4, 4, 8])
    return EventFormat("jackpots", (_random_stage("single_elimination", rng),), 2, room, auto_start_size=room)


def _league(rng: random.Random) -> EventFormat:
    settings = SwissSettings(all_at_once=rng.random() < 0.3)
    by_arrangement = rng.random() < 0.7
    stage = _random_stage("round_robin", rng, swiss=settings, by_arrangement=by_arrangement)
    return EventFormat("league", (stage,), 3, 10, divisions=2)


_FORMATS: Final[Mapping[str, Callable[[random.Random], EventFormat]]] = {
    "single": _single_elimination,
    "consolation": _consolation,
    "weekend": _weekend,
    "double": _double_elimination,
    "swiss": _swiss,
    "lives": _lives,
    "round robin": _round_robin,
    "groups": _groups,
    "league": _league,
    "finals": _finals,
    "last chance": _last_chance,
    "further": _elimination_that_feeds,
    "jackpots": _jackpots,
    "coming again": _re_entries,
}
FORMAT_NAMES: Final = tuple(_FORMATS)
