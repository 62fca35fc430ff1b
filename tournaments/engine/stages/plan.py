"""The plan of a division: which stages it has, the system of each, and where its players come from.

A plan is a frozen value that is checked as a whole (`check_plan`, all errors at once) and built: an
elimination and all that its losers feed becomes one bracket (`build_bracket`). Swiss and round robins have
their own settings (`stages.swiss`); here they only feed others.

Stages are in the order in which they begin; a stage is fed by earlier ones only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from faults import Fault
from tournaments.engine.brackets.consolation import FLIGHT_RULES, FlightKind
from tournaments.engine.brackets.double import (
    DOUBLE_ELIMINATION_SECTIONS,
    GRAND_FINAL,
    LOWER,
    double_elimination,
)
from tournaments.engine.brackets.sections import SECTIONS
from tournaments.engine.brackets.structure import MAIN, Bracket, single_elimination
from tournaments.engine.errors import BadInput
from tournaments.engine.matches.lengths import check_lengths, lengths_for_rounds
from tournaments.engine.stages.feeding import (
    ADMITTED_KINDS,
    MAX_EXTRA_SOURCES,
    Admission,
    FeedPart,
    FeedSource,
    check_feed_source,
)
from tournaments.engine.types import EntryId


class StageSystem(StrEnum):
    SINGLE_ELIMINATION = "single_elimination"
    DOUBLE_ELIMINATION = "double_elimination"
    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"


@dataclass(frozen=True, slots=True)
class Feed:
    """One source of a stage's players.

    `stage`: the key of the stage that they come from; `taken`: which part of its players; `first`, `count`:
    the first and the last place, or round whose losers come; `section`: the section of that stage's bracket.
    """

    stage: str
    taken: FeedPart
    count: int
    first: int = 1
    section: str = MAIN


@dataclass(frozen=True, slots=True)
class StagePlan:
    """One stage of a plan; settings that its system does not use are ignored.

    `key`: names the stage in the plan; `feed`: where its players come from, None if all entries play; `also`:
    further sources. `flights`: sections of its bracket that its settings create and that are no stages of the
    plan. `lower_lengths`, `final_lengths`: match lengths in the lower bracket and the finals of a double
    elimination, if they differ from the main draw.
    """

    key: str
    system: StageSystem | FlightKind
    lengths: tuple[int, ...]
    feed: Feed | None = None
    admission: Admission = Admission.PLAYED
    third_place: bool = False  # single elimination
    recharge: bool = True  # double elimination
    lower_lengths: tuple[int, ...] = ()
    final_lengths: tuple[int, ...] = ()
    flights: tuple[str, ...] = ()
    also: tuple[Feed, ...] = ()


@dataclass(frozen=True, slots=True)
class DivisionPlan:
    stages: tuple[StagePlan, ...]


# Which kinds of stages may feed which.
StageKind = StageSystem | FlightKind
ELIMINATION_SYSTEMS: Final = frozenset({StageSystem.SINGLE_ELIMINATION, StageSystem.DOUBLE_ELIMINATION})
TABLE_SYSTEMS: Final[frozenset[StageKind]] = frozenset({StageSystem.SWISS, StageSystem.ROUND_ROBIN})
_SECTIONS_BY_KIND: Final[Mapping[StageKind, tuple[str, ...]]] = {
    StageSystem.SINGLE_ELIMINATION: (MAIN,),
    StageSystem.DOUBLE_ELIMINATION: DOUBLE_ELIMINATION_SECTIONS,
    **{kind: (kind.section,) for kind in FlightKind},
}
_LOSER_SOURCES: Final[Mapping[StageKind, frozenset[StageKind]]] = {
    kind: frozenset(
        system
        for system, sections in _SECTIONS_BY_KIND.items()
        if sections == (kind.source,)  # a double elimination feeds its own losers
    )
    for kind in FlightKind
}


def check_plan(plan: DivisionPlan) -> tuple[Fault, ...]:
    """Return all errors of a plan; empty if it can be played.

    The attribute `place` of an error is the key of the stage.
    """
    if not plan.stages:
        return (Fault("plan.no_stages"),)
    faults: list[Fault] = []
    earlier: dict[str, StagePlan] = {}
    earlier_feeds: list[Feed] = []
    for stage in plan.stages:
        if stage.key in earlier:
            faults.append(Fault("plan.key_twice", place=stage.key))
        if len(stage.also) > MAX_EXTRA_SOURCES:
            faults.append(
                Fault("plan.feed_too_many", "feed.also", {"limit": MAX_EXTRA_SOURCES}, place=stage.key)
            )
        for feed, index in _feeds(stage):
            feed_faults = [*_feed_faults(stage, feed, earlier), *_duplicate_feed_faults(feed, earlier_feeds)]
            faults += [
                replace(fault, field=_feed_field(fault.field or "", index), place=stage.key)
                for fault in feed_faults
            ]
            if feed is not None:
                earlier_feeds.append(feed)
        faults += [replace(fault, place=stage.key) for fault in check_lengths(stage.lengths, "lengths")]
        earlier[stage.key] = stage
    return tuple(faults)


def _feeds(stage: StagePlan) -> Iterator[tuple[Feed | None, int | None]]:
    """Yield each source of the stage with its index in `also`, None for the first source."""
    yield stage.feed, None
    if stage.feed is not None:
        yield from ((feed, index) for index, feed in enumerate(stage.also))


# Field names of the first source; further sources are one value each.
_FIRST_FEED_FIELDS: Final = {
    "stage": "fed_by",
    "last": "takes",
    "taken": "feed.taken",
    "first": "feed.first",
    "section": "feed.section",
}


def _feed_field(name: str, index: int | None) -> str:
    return _FIRST_FEED_FIELDS[name] if index is None else f"feed.also.{index}.{name}"


def _feed_faults(stage: StagePlan, feed: Feed | None, earlier: Mapping[str, StagePlan]) -> list[Fault]:
    loser_sources = _LOSER_SOURCES.get(stage.system)
    if feed is None:
        return [Fault("plan.feed_missing", "stage")] if loser_sources else []
    source = earlier.get(feed.stage)
    if source is None:
        return [Fault("plan.source_unknown", "stage", {"source": feed.stage})]
    faults = []
    if not _can_feed(feed, source, loser_sources):
        faults.append(Fault("plan.feed_does_not_fit", "stage", {"source": feed.stage}))
    elif loser_sources is None and feed.section not in _source_sections(source, feed.taken):
        faults.append(Fault("plan.feed_of_no_section", "section", {"source": feed.stage}))
    feed_source = FeedSource(taken=feed.taken, first=feed.first, last=feed.count)
    return [*faults, *check_feed_source(feed_source)]


def _can_feed(feed: Feed, source: StagePlan, loser_sources: frozenset[StageKind] | None) -> bool:
    if loser_sources is not None:
        return feed.taken is FeedPart.LOSERS and source.system in loser_sources
    return source.system in ELIMINATION_SYSTEMS or (
        feed.taken is not FeedPart.LOSERS and source.system in TABLE_SYSTEMS
    )


def _source_sections(source: StagePlan, taken: FeedPart) -> tuple[str, ...]:
    if taken is FeedPart.LOSERS:
        return sections_with_losers(source)
    return (
        sections_with_places(source) if source.system in ELIMINATION_SYSTEMS else tuple(SECTIONS)
    )  # a table has none


def _duplicate_feed_faults(feed: Feed | None, earlier_feeds: Sequence[Feed]) -> list[Fault]:
    """Return the error that an earlier source takes the same rest, or losers of the same rounds, if so."""
    if feed is None:
        return []
    same_source = [other for other in earlier_feeds if (other.stage, other.taken) == (feed.stage, feed.taken)]
    if feed.taken is FeedPart.REST and same_source:
        return [Fault("plan.rest_goes_elsewhere", "taken", {"source": feed.stage})]
    if feed.taken is FeedPart.LOSERS and any(
        other.section == feed.section and other.first <= feed.count and feed.first <= other.count
        for other in same_source
    ):
        return [Fault("plan.losers_go_elsewhere", "stage", {"source": feed.stage})]
    return []


def sections_with_places(stage: StagePlan) -> tuple[str, ...]:
    """Return the sections of an elimination stage that have places of their own.

    A double elimination ranks all sections together.
    """
    return (MAIN,) if stage.system is StageSystem.DOUBLE_ELIMINATION else (MAIN, *stage.flights)


def sections_with_losers(stage: StagePlan) -> tuple[str, ...]:
    """Return the sections whose losers may feed another stage: all whose losers do not play on anyway."""
    if stage.system is StageSystem.DOUBLE_ELIMINATION:
        return (LOWER,)
    return (MAIN, *stage.flights)


def build_bracket(
    plan: DivisionPlan, key: str, lines: Sequence[EntryId | None], held: Collection[int] = ()
) -> Bracket:
    """Return the bracket of an elimination stage for these lines, with everything that its losers feed.

    `key`: the key of the stage; `lines`: the lines of its main draw, entries or None for a bye; `held`: the
    reserved empty lines, counted from 0. Raises ``BadInput`` if the plan has errors or no such stage.
    """
    if faults := check_plan(plan):
        raise BadInput(faults=faults)
    root = next((stage for stage in plan.stages if stage.key == key), None)
    if root is None or root.system not in ELIMINATION_SYSTEMS:
        raise BadInput("plan.no_elimination", stage=key)
    if root.system is StageSystem.DOUBLE_ELIMINATION:
        return double_elimination(lines, recharge=root.recharge, held=held)
    bracket = single_elimination(lines, third_place=root.third_place, held=held)
    built_stages = {key}
    for stage in plan.stages:
        if (
            stage.feed is None
            or stage.feed.stage not in built_stages
            or stage.feed.taken is not FeedPart.LOSERS
        ):
            continue
        built_stages.add(stage.key)
        kind = FlightKind(stage.system)
        rounds = min(stage.feed.count, len(bracket.section(kind.source)))
        bracket = FLIGHT_RULES[kind].build(bracket, rounds, ADMITTED_KINDS[stage.admission])
    return bracket


def round_lengths(stage: StagePlan, bracket: Bracket) -> dict[int, int]:
    """Return the match length of each of the stage's rounds, keyed by round number.

    Lengths are counted back from the last round. A third-place match is as long as the final; both finals of
    a double elimination have the same length.
    """
    lengths: dict[int, int] = {}
    for section in _SECTIONS_BY_KIND[stage.system]:
        rounds = [rnd for rnd in bracket.rounds if rnd.section == section]
        ladder = bracket.section(section)
        ladder_lengths = lengths_for_rounds(_section_lengths(stage, section), len(ladder))
        by_number = dict(zip((rnd.number for rnd in ladder), ladder_lengths, strict=True))
        last = ladder_lengths[-1]
        lengths |= {
            rnd.number: last if section == GRAND_FINAL else by_number.get(rnd.number, last) for rnd in rounds
        }
    return lengths


def _section_lengths(stage: StagePlan, section: str) -> tuple[int, ...]:
    section_lengths = {LOWER: stage.lower_lengths, GRAND_FINAL: stage.final_lengths}.get(section, ())
    return section_lengths or stage.lengths
