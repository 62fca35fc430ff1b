"""How each status looks and what a page calls it: one row, for badges, lines of the board and matches of a drawing alike.

What a status *is* stands in ``tournaments.engine.statuses``, its name in ``tournaments.models.choices``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.engine.statuses import EventStatus, MatchStatus
from tournaments.models.choices import EVENT_STATUS, MATCH_STATUS


@dataclass(frozen=True, slots=True)
class Look:
    """``tone``: its colours in the style sheets, ``icon``: a name in `static/img/icons.svg`; ``words``: on a badge, where not its name."""

    tone: str
    icon: str = ""
    words: str | Promise = ""
    is_struck: bool = False


MATCH_LOOKS: Final[Mapping[str, Look]] = {
    MatchStatus.WAITING: Look("hollow"),
    MatchStatus.READY: Look("info"),
    MatchStatus.CALLED: Look("warn", "bell"),
    MatchStatus.PLAYING: Look("live"),
    MatchStatus.REPORTED: Look("plum", "clock"),
    MatchStatus.DISPUTED: Look("bad", "alert"),
    MatchStatus.ADJOURNED: Look("hollow", "clock"),
    MatchStatus.CONFIRMED: Look("good", "check", _("Confirmed")),
    MatchStatus.VOID: Look("hollow", is_struck=True),
}
EVENT_LOOKS: Final[Mapping[str, Look]] = {
    EventStatus.DRAFT: Look("hollow"),
    EventStatus.OPEN: Look("info", words=_("Open")),
    EventStatus.RUNNING: Look("live"),
    EventStatus.FINISHED: Look("good", "check"),
    EventStatus.CANCELLED: Look("bad", is_struck=True),
}
LOOKS: Final[Mapping[str, Look]] = {**MATCH_LOOKS, **EVENT_LOOKS}  # no two of them have the same code
_NAMES: Final[Mapping[str, str | Promise]] = dict((*MATCH_STATUS, *EVENT_STATUS))


def status_name(status: str) -> str | Promise:
    """What the status of a match or an event is called."""
    return _NAMES[status]


def badge_words(status: str) -> str:
    """What stands on its badge."""
    return str(LOOKS[status].words or _NAMES[status])
