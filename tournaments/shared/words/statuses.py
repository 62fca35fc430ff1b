"""Tone, icon and label of each status, for badges, rows of the board and matches of a bracket.

The meaning of a status is defined in ``tournaments.engine.statuses``, its name in
``tournaments.models.choices``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.engine.statuses import EventStatus, MatchStatus
from tournaments.models.choices import EVENT_STATUS_CHOICES, MATCH_STATUS_CHOICES


@dataclass(frozen=True, slots=True)
class StatusStyle:
    """How a status looks.

    ``tone``: name of its colours in the style sheets; ``icon``: a name in `static/img/icons.svg`; ``words``:
    text of the badge if it differs from the name; ``is_struck``: the text is crossed out.
    """

    tone: str
    icon: str = ""
    words: str | Promise = ""
    is_struck: bool = False


MATCH_STATUS_STYLES: Final[Mapping[str, StatusStyle]] = {
    MatchStatus.WAITING: StatusStyle("hollow"),
    MatchStatus.READY: StatusStyle("info"),
    MatchStatus.CALLED: StatusStyle("warn", "bell"),
    MatchStatus.PLAYING: StatusStyle("live"),
    MatchStatus.REPORTED: StatusStyle("plum", "clock"),
    MatchStatus.DISPUTED: StatusStyle("bad", "alert"),
    MatchStatus.ADJOURNED: StatusStyle("hollow", "clock"),
    MatchStatus.CONFIRMED: StatusStyle("good", "check", _("Confirmed")),
    MatchStatus.VOID: StatusStyle("hollow", is_struck=True),
}
EVENT_STATUS_STYLES: Final[Mapping[str, StatusStyle]] = {
    EventStatus.DRAFT: StatusStyle("hollow"),
    EventStatus.OPEN: StatusStyle("info", words=_("Open")),
    EventStatus.RUNNING: StatusStyle("live"),
    EventStatus.FINISHED: StatusStyle("good", "check"),
    EventStatus.CANCELLED: StatusStyle("bad", is_struck=True),
}
STATUS_STYLES: Final[Mapping[str, StatusStyle]] = {
    **MATCH_STATUS_STYLES,
    **EVENT_STATUS_STYLES,
}  # all codes are different
_STATUS_NAMES: Final[Mapping[str, str | Promise]] = dict((*MATCH_STATUS_CHOICES, *EVENT_STATUS_CHOICES))


def status_name(status: str) -> str | Promise:
    """Return the name of a match or event status. Raises ``KeyError`` for any other code."""
    return _STATUS_NAMES[status]


def badge_label(status: str) -> str:
    """Return the text on the badge of a match or event status."""
    return str(STATUS_STYLES[status].words or _STATUS_NAMES[status])
