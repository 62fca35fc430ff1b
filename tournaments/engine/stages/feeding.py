"""Where a stage gets its players from: places of earlier stages, all others, or losers of rounds.

One value describes every way. The feeding stage and its last place or round are stored beside the value;
further sources (`Feeding.also`) name their own stage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from faults import Fault
from tournaments.engine.brackets.consolation import PLAYED_KINDS, PLAYED_OR_WALKOVER
from tournaments.engine.brackets.structure import MAIN, Bracket
from tournaments.engine.types import EntryId, MatchNo, ResultKind


class FeedPart(StrEnum):
    """Which players a stage takes from the stage that feeds it."""

    PLACES = "places"  # of its table, or of each group; of a section of its bracket
    REST = "rest"  # all of those places that no other stage takes
    LOSERS = "losers"  # who lost in some rounds of a section of its bracket


class Admission(StrEnum):
    """After which results losers are admitted: played matches only, or also walkovers (rule F17)."""

    PLAYED = "played"
    ALSO_WALKOVERS = "also_walkovers"


ADMITTED_KINDS: Final[Mapping[Admission, frozenset[ResultKind]]] = {
    Admission.PLAYED: PLAYED_KINDS,
    Admission.ALSO_WALKOVERS: PLAYED_OR_WALKOVER,
}


MAX_EXTRA_SOURCES: Final = 3  # sources of a stage beside its first one


@dataclass(frozen=True, slots=True)
class FeedSource:
    """A group of players that a stage takes from an earlier stage.

    `stage`: the number of that stage in the division, 0 for the stage that feeds this one; `taken`: which
    part of its players; `first`, `last`: from which to which place or round. `section`: the section of its
    bracket whose places or losers are meant. `admission` (rule F17): which losers, excluding those still
    playing in the bracket. `FeedPart.REST` needs no numbers.
    """

    stage: int = 0
    taken: FeedPart = FeedPart.LOSERS
    first: int = 1
    last: int = 1
    section: str = MAIN
    admission: Admission = Admission.PLAYED

    @property
    def by_result(self) -> bool:
        """Whether these players come in the order of a table or of places; losers come in no order."""
        return self.taken is not FeedPart.LOSERS


@dataclass(frozen=True, slots=True)
class Feeding:
    """Where the players of a stage come from.

    `first`: the first place or round; the last one is the stage's own `takes`. `section` and `admission` as
    in `FeedSource`. `also`: further sources, from the same stage or others.
    """

    taken: FeedPart = FeedPart.PLACES
    first: int = 1
    section: str = MAIN
    admission: Admission = Admission.PLAYED
    also: tuple[FeedSource, ...] = ()

    @property
    def by_result(self) -> bool:
        """Whether all players come in the order of results, so that they are seeded by it.

        If losers are among them, the draw is random.
        """
        return self.taken is not FeedPart.LOSERS and all(source.by_result for source in self.also)

    def sources(self, last: int) -> tuple[FeedSource, ...]:
        """Return all sources in order, the first one with `last` as its last place or round."""
        return (FeedSource(0, self.taken, self.first, last, self.section, self.admission), *self.also)


DEFAULT_FEEDING: Final = Feeding()


def check_feed_source(source: FeedSource) -> tuple[Fault, ...]:
    """Return all errors in the numbers of one source, each at its field; empty if they are valid."""
    if source.taken is FeedPart.REST:
        return ()
    if source.first < 1:
        return (Fault("plan.feed_from_nothing", "first"),)
    if source.last < 1:
        return (Fault("plan.feed_of_nothing", "last"),)
    return (Fault("plan.feed_turned", "last", {"first": source.first}),) if source.last < source.first else ()


def feeding_matches(bracket: Bracket, source: FeedSource) -> tuple[MatchNo, ...]:
    """Return the numbers of the matches whose losers are taken.

    Who these are is known once all the matches are over. Empty if the bracket has no such rounds.
    """
    rounds = bracket.section(source.section)[source.first - 1 : source.last]
    return tuple(number for rnd in rounds for number in rnd.matches)


def incoming_losers(
    bracket: Bracket,
    source: FeedSource,
    losers_by_match: Mapping[MatchNo, tuple[EntryId, ResultKind]],
    last_match: Mapping[EntryId, MatchNo],
) -> tuple[EntryId, ...]:
    """Return the losers whom the source brings, round by round from the first.

    `losers_by_match`: for each match its loser and result kind; `last_match`: for each entry its last match
    in the bracket. An entry that plays on there is left out: in a third-place match or consolation, or where
    a correction left it.
    """
    admitted = ADMITTED_KINDS[source.admission]
    losers: list[EntryId] = []
    for number in feeding_matches(bracket, source):
        entry, kind = losers_by_match.get(number, (None, None))
        is_out = bracket.match(number).loser_to is None
        if entry is not None and kind in admitted and is_out and last_match.get(entry) == number:
            losers.append(entry)
    return tuple(losers)
