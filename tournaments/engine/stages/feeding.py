"""Who comes into a stage from an earlier one: places of its table, all others, or who lost in some of its rounds.

One value for every way in which a stage can be fed; which stage it is, and the last place or round, stand beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from faults import Fault
from tournaments.engine.brackets.consolation import ALSO_WALKOVERS, OVER_THE_BOARD
from tournaments.engine.brackets.structure import MAIN, Bracket
from tournaments.engine.types import EntryId, MatchNo, ResultKind


class Taken(StrEnum):
    """What a stage takes of the one that feeds it."""

    PLACES = "places"  # of its table, of each group if there are groups
    REST = "rest"  # everybody of its table whom no other stage takes
    LOSERS = "losers"  # who lost in some rounds of one section of its bracket


class Admission(StrEnum):
    """Who of the losers may go on (F17)."""

    PLAYED = "played"
    ALSO_WALKOVERS = "also_walkovers"


ADMITTED: Final[Mapping[Admission, frozenset[ResultKind]]] = {
    Admission.PLAYED: OVER_THE_BOARD,
    Admission.ALSO_WALKOVERS: ALSO_WALKOVERS,
}


@dataclass(frozen=True, slots=True)
class Feeding:
    """`first`: the first place, or the first round; the last one is the stage's own `takes`.

    `section` and `admission` (F17) say which losers; who still plays on in the bracket is none of them.
    """

    taken: Taken = Taken.PLACES
    first: int = 1
    section: str = MAIN
    admission: Admission = Admission.PLAYED

    @property
    def by_result(self) -> bool:
        """Whether those who come are in the order of a table, by which they are seeded; losers are drawn afresh."""
        return self.taken is not Taken.LOSERS


BEST: Final = Feeding()


def check_feeding(feeding: Feeding, last: int) -> tuple[Fault, ...]:
    """Everything that is wrong with it by itself, with `last` as the last place or round."""
    if feeding.taken is Taken.REST:
        return ()
    if feeding.first < 1:
        return (Fault("plan.feed_from_nothing", "feed.first"),)
    if last < 1:
        return (Fault("plan.feed_of_nothing", "takes"),)
    return (Fault("plan.feed_turned", "takes", {"first": feeding.first}),) if last < feeding.first else ()


def feeding_rounds(bracket: Bracket, feeding: Feeding, last: int) -> tuple[MatchNo, ...]:
    """The matches whose losers come in; it can be drawn when all of them are over. None where there are no such rounds."""
    rounds = bracket.section(feeding.section)[feeding.first - 1 : last]
    return tuple(number for rnd in rounds for number in rnd.matches)


def losers_in(
    bracket: Bracket,
    feeding: Feeding,
    last: int,
    beaten: Mapping[MatchNo, tuple[EntryId, ResultKind]],
    last_match: Mapping[EntryId, MatchNo],
) -> tuple[EntryId, ...]:
    """Who comes in, round by round from the top.

    `beaten`: by match who lost it, and how; `last_match`: of everybody in the bracket. Who plays on there is none of them, as
    by a match for third place, a consolation, or because a correction left them where they were.
    """
    admitted = ADMITTED[feeding.admission]
    found: list[EntryId] = []
    for number in feeding_rounds(bracket, feeding, last):
        entry, kind = beaten.get(number, (None, None))
        out = bracket.match(number).loser_to is None
        if entry is not None and kind in admitted and out and last_match.get(entry) == number:
            found.append(entry)
    return tuple(found)
