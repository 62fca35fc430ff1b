"""The stage graph as data: which stages a division has, what each is played as, and who comes from where.

A plan is a frozen value that is checked as a whole (`check_plan`, every fault at once) and built: an elimination with
all that its losers feed becomes one bracket (`build_bracket`). Swiss and round robins have settings of their own
(`stages.swiss`); here they only feed others.

Stages stand in the order in which they begin; a stage is fed by earlier ones only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from faults import Fault
from tournaments.engine.brackets.consolation import ALSO_WALKOVERS, FLIGHTS, OVER_THE_BOARD, FlightKind
from tournaments.engine.brackets.double import DOUBLE_ELIMINATION, GRAND_FINAL, double_elimination
from tournaments.engine.brackets.structure import MAIN, Bracket, single_elimination
from tournaments.engine.errors import BadInput
from tournaments.engine.matches.lengths import check_lengths, lengths_for_rounds
from tournaments.engine.types import EntryId, ResultKind


class System(StrEnum):
    SINGLE_ELIMINATION = "single_elimination"
    DOUBLE_ELIMINATION = "double_elimination"
    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"


class Taken(StrEnum):
    LOSERS = "losers"  # of the first `count` rounds of the other stage
    TOP = "top"  # the first `count` of its table, of each group if there are groups


class Admission(StrEnum):
    """Who of the losers may go on (F17)."""

    PLAYED = "played"
    ALSO_WALKOVERS = "also_walkovers"


@dataclass(frozen=True, slots=True)
class Feed:
    stage: str
    taken: Taken
    count: int


@dataclass(frozen=True, slots=True)
class StagePlan:
    """One stage. Settings that its system does not know stay as they are."""

    key: str
    system: System | FlightKind
    lengths: tuple[int, ...]
    feed: Feed | None = None
    admission: Admission = Admission.PLAYED
    third_place: bool = False  # single elimination
    recharge: bool = True  # double elimination


@dataclass(frozen=True, slots=True)
class DivisionPlan:
    stages: tuple[StagePlan, ...]


# Which systems may be fed by what, and of what systems that must come.
Played = System | FlightKind
ELIMINATIONS: Final = frozenset({System.SINGLE_ELIMINATION, System.DOUBLE_ELIMINATION})
TABLES: Final[frozenset[Played]] = frozenset({System.SWISS, System.ROUND_ROBIN})
_SECTIONS: Final[Mapping[Played, tuple[str, ...]]] = {
    System.SINGLE_ELIMINATION: (MAIN,),
    System.DOUBLE_ELIMINATION: DOUBLE_ELIMINATION,
    **{kind: (kind.section,) for kind in FlightKind},
}
_LOSERS_OF: Final[Mapping[Played, frozenset[Played]]] = {
    kind: frozenset(
        played
        for played, sections in _SECTIONS.items()
        if sections == (kind.source,)  # a double elimination has its losers play on by itself
    )
    for kind in FlightKind
}
ADMITTED: Final[Mapping[Admission, frozenset[ResultKind]]] = {
    Admission.PLAYED: OVER_THE_BOARD,
    Admission.ALSO_WALKOVERS: ALSO_WALKOVERS,
}


def check_plan(plan: DivisionPlan) -> tuple[Fault, ...]:
    """Every fault of a plan at once, its `place` the key of the stage; an empty answer means that it can be played."""
    if not plan.stages:
        return (Fault("plan.no_stages"),)
    faults: list[Fault] = []
    earlier: dict[str, StagePlan] = {}
    fed: set[tuple[str, Taken]] = set()
    for stage in plan.stages:
        if stage.key in earlier:
            faults.append(Fault("plan.key_twice", place=stage.key))
        faults += _feed_faults(stage, earlier)
        if stage.feed is not None and stage.feed.taken is Taken.LOSERS:
            if (stage.feed.stage, stage.feed.taken) in fed:
                faults.append(
                    Fault("plan.losers_go_elsewhere", "fed_by", {"source": stage.feed.stage}, place=stage.key)
                )
            fed.add((stage.feed.stage, stage.feed.taken))
        faults += [replace(fault, place=stage.key) for fault in check_lengths(stage.lengths, "lengths")]
        earlier[stage.key] = stage
    return tuple(faults)


def _feed_faults(stage: StagePlan, earlier: Mapping[str, StagePlan]) -> list[Fault]:
    feed = stage.feed
    wanted = _LOSERS_OF.get(stage.system)
    if feed is None:
        return [Fault("plan.feed_missing", "fed_by", place=stage.key)] if wanted else []
    source = earlier.get(feed.stage)
    if source is None:
        return [Fault("plan.source_unknown", "fed_by", {"source": feed.stage}, place=stage.key)]
    fits = source.system in (wanted or TABLES) and (feed.taken is Taken.LOSERS) is (wanted is not None)
    faults = []
    if not fits:
        faults.append(Fault("plan.feed_does_not_fit", "fed_by", {"source": feed.stage}, place=stage.key))
    if feed.count < 1:
        faults.append(Fault("plan.feed_of_nothing", "takes", place=stage.key))
    return faults


def build_bracket(plan: DivisionPlan, key: str, lines: Sequence[EntryId | None]) -> Bracket:
    """The bracket of an elimination stage over these lines, with everything that its losers feed."""
    if faults := check_plan(plan):
        raise BadInput(faults=faults)
    root = next((stage for stage in plan.stages if stage.key == key), None)
    if root is None or root.system not in ELIMINATIONS:
        raise BadInput("plan.no_elimination", stage=key)
    if root.system is System.DOUBLE_ELIMINATION:
        return double_elimination(lines, recharge=root.recharge)
    bracket = single_elimination(lines, third_place=root.third_place)
    built = {key}
    for stage in plan.stages:
        if stage.feed is None or stage.feed.stage not in built or stage.feed.taken is not Taken.LOSERS:
            continue
        built.add(stage.key)
        kind = FlightKind(stage.system)
        rounds = min(stage.feed.count, len(bracket.section(kind.source)))
        bracket = FLIGHTS[kind].build(bracket, rounds, ADMITTED[stage.admission])
    return bracket


def round_lengths(stage: StagePlan, bracket: Bracket) -> dict[int, int]:
    """The match length of each of the stage's rounds by the round's number, counted back from its last one.

    A third-place match is as long as the final; all finals of a double elimination are as long as each other.
    """
    lengths: dict[int, int] = {}
    for section in _SECTIONS[stage.system]:
        rounds = [rnd for rnd in bracket.rounds if rnd.section == section]
        ladder = bracket.section(section)
        given = lengths_for_rounds(stage.lengths, len(ladder))
        by_number = dict(zip((rnd.number for rnd in ladder), given, strict=True))
        last = given[-1]
        lengths |= {
            rnd.number: last if section == GRAND_FINAL else by_number.get(rnd.number, last) for rnd in rounds
        }
    return lengths
