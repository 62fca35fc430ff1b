"""Which results can be rated, as tables (rule F12). PURE.

``RATED_BY_KIND`` states whether a *kind of result* can be rated at all: the ledger never holds a result of
another kind. ``Discipline`` and the length state what a list counts *by default*: a list may choose
otherwise, so such results are in the ledger.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class ResultKind(StrEnum):
    """How a match ended (rule F12)."""

    PLAYED = "played"
    LOST_ON_TIME = "lost_on_time"
    RETIRED = "retired"
    WALK_OVER = "walk_over"
    FORFEIT = "forfeit"
    DOUBLE_WALK_OVER = "double_walk_over"
    BYE = "bye"
    DISQUALIFIED = "disqualified"
    SETTLED = "settled"
    UNFINISHED = "unfinished"
    ADJOURNED = "adjourned"


# F12. A disqualification is one before play; one during play is entered as a retirement. A match with penalty
# points (F10) is *played* unless it became a walkover. An adjourned match is rated when it is finished.
RATED_BY_KIND: Mapping[ResultKind, bool] = MappingProxyType(
    {
        ResultKind.PLAYED: True,
        ResultKind.LOST_ON_TIME: True,
        ResultKind.RETIRED: True,
        ResultKind.WALK_OVER: False,
        ResultKind.FORFEIT: False,
        ResultKind.DOUBLE_WALK_OVER: False,
        ResultKind.BYE: False,
        ResultKind.DISQUALIFIED: False,
        ResultKind.SETTLED: False,
        ResultKind.UNFINISHED: False,
        ResultKind.ADJOURNED: False,
    }
)


def is_rateable(kind: ResultKind) -> bool:
    """Return whether results of this kind enter the ledger (rule F12)."""
    return RATED_BY_KIND[kind]


class Discipline(StrEnum):
    """The kind of play. Only ``STANDARD`` is rated by default (rule F12)."""

    STANDARD = "standard"
    SPEED = "speed"
    TEAM = "team"
    VARIANT = "variant"


DEFAULT_MIN_LENGTH = 2  # F12: 1-point matches are not rated by default; money sessions have no length
MAX_MATCH_LENGTH = 99
