"""What kinds of events there are: every system with settings by chance, as a director might set them."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.engine.brackets.consolation import FlightKind
from tournaments.engine.brackets.double import LOWER
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.stages.elimination import BracketSettings, Flight
from tournaments.engine.stages.feeding import Admission, Feeding, Source, Taken
from tournaments.engine.stages.swiss import USUAL_TIE_BREAKS, Clubs, SwissSettings
from tournaments.engine.standings.editions import Edition
from tournaments.events.services.stages import StageDetails
from tournaments.models import Stage

LENGTHS: Final = (1, 3, 5, 7)


@dataclass(frozen=True, slots=True)
class Shape:
    """The stages of each division of an event, and how many entries a division takes. ``room``: it starts by itself with so many.

    ``reentries``: how often one may buy back, None by chance.
    """

    name: str
    stages: tuple[StageDetails, ...]
    least: int
    most: int
    divisions: int = 1
    room: int = 0
    reentries: int | None = None


def shape_of(name: str, rng: random.Random) -> Shape:
    """A shape of that name; its settings are by chance."""
    return _SHAPES[name](rng)


def _stage(system: str, rng: random.Random, **more: object) -> StageDetails:
    lengths = tuple(rng.choice(LENGTHS) for _ in range(rng.randrange(1, 4)))
    how = rng.choice(list(Stage.DrawMethod.values))
    return StageDetails(system=system, lengths=lengths, draw_method=how, **more)  # type: ignore[arg-type]


def _flight(kind: FlightKind, rng: random.Random) -> Flight:
    return Flight(kind, (rng.choice(LENGTHS),), rng.randrange(1, 4), rng.choice(list(Admission)))


def _single(rng: random.Random) -> Shape:
    bracket = BracketSettings(third_place=rng.random() < 0.5)
    return Shape("single elimination", (_stage("single_elimination", rng, bracket=bracket),), 3, 300)


def _consolation(rng: random.Random) -> Shape:
    kind = rng.choice([kind for kind in FlightKind if kind.source == MAIN])
    bracket = BracketSettings(flights=(_flight(kind, rng),))
    return Shape("consolation", (_stage("single_elimination", rng, bracket=bracket),), 3, 300)


def _weekend(rng: random.Random) -> Shape:
    kind = rng.choice([kind for kind in FlightKind if kind.source == MAIN])
    after = [
        Flight(later, (1,), 1, rng.choice(list(Admission)))
        for later in FlightKind
        if later.source == kind.section
    ]
    bracket = BracketSettings(flights=(_flight(kind, rng), *after))
    return Shape("weekend", (_stage("single_elimination", rng, bracket=bracket),), 8, 300)


def _double(rng: random.Random) -> Shape:
    bracket = BracketSettings(recharge=rng.random() < 0.5)
    return Shape("double elimination", (_stage("double_elimination", rng, bracket=bracket),), 3, 200)


# Known to every edition, so that each list goes with each.
_SWISS_BREAKS: Final = (
    USUAL_TIE_BREAKS,
    ("buchholz_cut_1", "sonneborn_berger", "head_to_head", "progressive"),
    ("head_to_head", "strength_of_schedule", "performance_by_length", "lot"),
)


def _swiss(rng: random.Random) -> Shape:
    settings = SwissSettings(
        rounds=rng.randrange(2, 8),
        clubs=rng.choice([Clubs.IGNORE, Clubs.AVOID]),  # all are of one club
        bye_points=rng.choice([1, 2]),
        late_points=rng.choice([0, 1]),
        edition=rng.choice(list(Edition)),
        tie_breaks=rng.choice(_SWISS_BREAKS),
    )
    return Shape("swiss", (_stage("swiss", rng, swiss=settings),), 2, 300)


def _lives(rng: random.Random) -> Shape:
    settings = SwissSettings(lives=rng.randrange(1, 4))
    return Shape("lives", (_stage("swiss", rng, swiss=settings),), 3, 200)


def _round_robin(rng: random.Random) -> Shape:
    settings = SwissSettings(all_at_once=rng.random() < 0.5, edition=rng.choice(list(Edition)))
    system = rng.choice(["round_robin", "double_round_robin"])
    return Shape("round robin", (_stage(system, rng, swiss=settings),), 2, 14)


def _groups(rng: random.Random) -> Shape:
    groups = rng.choice([2, 3, 4])
    settings = SwissSettings(group_count=groups, all_at_once=rng.random() < 0.5)
    first = _stage("round_robin", rng, swiss=settings)
    then = _stage("single_elimination", rng, fed_by=1, takes=rng.choice([1, 2]))
    return Shape("groups", (first, then), 3 * groups, 8 * groups)


def _finals(rng: random.Random) -> Shape:
    """A Swiss or groups, then a bracket for the best and something for all others, at times one for the middle."""
    swiss = rng.random() < 0.6
    groups = 1 if swiss else rng.choice([1, 2, 3])
    settings = SwissSettings(rounds=rng.randrange(2, 5)) if swiss else SwissSettings(group_count=groups)
    first = _stage("swiss" if swiss else "round_robin", rng, swiss=settings)
    best = rng.choice([2, 4]) if groups == 1 else rng.choice([1, 2])
    stages = [
        first,
        _stage(rng.choice(["single_elimination", "double_elimination"]), rng, fed_by=1, takes=best),
    ]
    if rng.random() < 0.3:
        middle = Feeding(first=best + 1)
        stages.append(_stage("single_elimination", rng, fed_by=1, takes=best + 2, feed=middle))
    others = rng.choice(["single_elimination", "single_elimination", "swiss"])
    rounds = SwissSettings(rounds=2)
    stages.append(_stage(others, rng, fed_by=1, feed=Feeding(Taken.REST), swiss=rounds))
    if others == "single_elimination" and rng.random() < 0.5:
        stages.append(_from_both(rng, stages))
    return Shape("finals", tuple(stages), 3 * groups + 3, 60)


def _from_both(rng: random.Random, stages: Sequence[StageDetails]) -> StageDetails:
    """After main draw and consolation: a last chance of who lost early in both, or a last few of who went far in both."""
    main, consolation = 2, len(stages)
    if rng.random() < 0.5:
        best = Source(consolation, Taken.PLACES, 1, rng.choice([1, 2]))
        return _stage(
            "single_elimination", rng, fed_by=main, takes=rng.choice([1, 2, 3]), feed=Feeding(also=(best,))
        )
    section = LOWER if stages[main - 1].system == "double_elimination" else MAIN
    also = Source(consolation, last=rng.choice([1, 2]), admission=rng.choice(list(Admission)))
    feed = Feeding(Taken.LOSERS, section=section, admission=rng.choice(list(Admission)), also=(also,))
    return _stage("single_elimination", rng, fed_by=main, takes=rng.choice([1, 2]), feed=feed)


def _further(rng: random.Random) -> Shape:
    """An elimination whose best, or others, go on to another stage; at times with a last chance from two of its sections."""
    double = rng.random() < 0.3
    flights = () if double or rng.random() < 0.4 else (_flight(FlightKind.PROGRESSIVE, rng),)
    bracket = BracketSettings(flights=flights)
    stages = [_stage("double_elimination" if double else "single_elimination", rng, bracket=bracket)]
    best = rng.choice([2, 3, 4])
    last = rng.choice(["single_elimination", "round_robin", "swiss"])
    rounds = SwissSettings(rounds=2, all_at_once=True)
    stages.append(_stage(last, rng, fed_by=1, takes=best, swiss=rounds))
    if flights and rng.random() < 0.7:
        section = flights[0].kind.section
        late = Source(0, Taken.LOSERS, 1, 2, section, rng.choice(list(Admission)))
        feed = Feeding(Taken.LOSERS, flights[0].rounds + 1, also=(late,))
        stages.append(_stage("single_elimination", rng, fed_by=1, takes=flights[0].rounds + 1, feed=feed))
    if rng.random() < 0.6:
        stages.append(_stage("single_elimination", rng, fed_by=1, feed=Feeding(Taken.REST)))
    return Shape("further", tuple(stages), 6, 60)


def _last_chance(rng: random.Random) -> Shape:
    """A double elimination with lengths of its own below and in the final, and a last chance drawn afresh."""
    bracket = BracketSettings(
        recharge=rng.random() < 0.5,
        lower_lengths=(rng.choice(LENGTHS),),
        final_length=rng.choice([0, *LENGTHS]),
    )
    first = rng.choice([1, 1, 2])
    feed = Feeding(Taken.LOSERS, first, LOWER, rng.choice(list(Admission)))
    chance = rng.choice(["single_elimination", "single_elimination", "swiss"])
    stages = (
        _stage("double_elimination", rng, bracket=bracket),
        _stage(
            chance, rng, fed_by=1, takes=first + rng.randrange(2), feed=feed, swiss=SwissSettings(rounds=2)
        ),
    )
    return Shape("last chance", stages, 6, 60)


def _coming_again(rng: random.Random) -> Shape:
    """An elimination that holds lines open for those who are out and come again."""
    double = rng.random() < 0.3
    flights = () if double or rng.random() < 0.4 else (_flight(FlightKind.PROGRESSIVE, rng),)
    bracket = BracketSettings(
        flights=flights, open_lines=rng.choice([0, 1, 2, 5]), buy_back_within=rng.choice([0, 2, 3])
    )
    system = "double_elimination" if double else "single_elimination"
    return Shape("coming again", (_stage(system, rng, bracket=bracket),), 3, 80, reentries=rng.choice([1, 2]))


def _jackpots(rng: random.Random) -> Shape:
    """Brackets of four or eight, one after the other, each with the entry that makes it full."""
    room = rng.choice([4, 4, 8])
    return Shape("jackpots", (_stage("single_elimination", rng),), 2, room, room=room)


def _league(rng: random.Random) -> Shape:
    settings = SwissSettings(all_at_once=rng.random() < 0.3)
    own_time = rng.random() < 0.7
    stage = _stage("round_robin", rng, swiss=settings, by_arrangement=own_time)
    return Shape("league", (stage,), 3, 10, divisions=2)


_SHAPES: Final[Mapping[str, Callable[[random.Random], Shape]]] = {
    "single": _single,
    "consolation": _consolation,
    "weekend": _weekend,
    "double": _double,
    "swiss": _swiss,
    "lives": _lives,
    "round robin": _round_robin,
    "groups": _groups,
    "league": _league,
    "finals": _finals,
    "last chance": _last_chance,
    "further": _further,
    "jackpots": _jackpots,
    "coming again": _coming_again,
}
NAMES: Final = tuple(_SHAPES)
