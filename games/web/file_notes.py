"""Comments and clock times of a file that is shown without being saved."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from games.records.checking import CheckResult
from games.web.showing import turn_link
from games.web.viewing import RecordView

MAX_COMMENTS: Final = 400  # of each kind: a file may hold thousands


def notes_context(
    checked: CheckResult, viewing: RecordView | None, context: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the context of ``games/_file_notes.html``; empty if the file has no notes or cannot be shown.

    ``context``: the context of the viewer.
    """
    if viewing is None:
        return {}
    known, places = checked.analysis, _PlaceLinks(viewing, context)
    comments = [
        {**places.of(one.game, one.turn), "words": one.text}
        for one in known.comments
        if one.game <= len(viewing.games)
    ]
    clocks = [
        {
            **places.of(one.game, one.turn),
            "words": f"{viewing.players[one.side.column]}: {format_clock(one.seconds)}",
        }
        for one in known.clocks
        if 1 <= one.game <= len(viewing.games)
    ]
    return {
        "comments": comments[:MAX_COMMENTS],
        "comments_left": len(comments[MAX_COMMENTS:]),
        "clocks": clocks[:MAX_COMMENTS],
        "clocks_left": len(clocks[MAX_COMMENTS:]),
    }


class _PlaceLinks:
    """Labels and addresses of places in the record."""

    def __init__(self, viewing: RecordView, context: Mapping[str, Any]) -> None:
        self.viewing = viewing
        self.path, self.look = context["path"], context["look"]

    def of(self, game: int, turn: int) -> dict[str, Any]:
        """Label and address of a turn; turn 0 is the game as a whole, game 0 the match."""
        if not game:
            return {"where": "", "game": 0, "turn": 0, "url": ""}
        where = _("Game %(number)s") % {"number": self.viewing.game(game).named}
        if turn:
            where += ", " + _("turn %(number)s") % {"number": turn}
        first = max(turn, 1)
        url = turn_link(self.path, self.look, game, first)
        return {"where": where, "game": game, "turn": first, "url": url}


def format_clock(seconds: float) -> str:
    """Return a time as clocks show it.

    >>> format_clock(312), format_clock(3725.4), format_clock(-5)
    ('5:12', '1:02:05', '-0:05')
    """
    whole = round(abs(seconds))
    hours, rest = divmod(whole, 3600)
    minutes, last = divmod(rest, 60)
    sign = "-" if seconds < 0 and whole else ""
    return f"{sign}{hours}:{minutes:02}:{last:02}" if hours else f"{sign}{minutes}:{last:02}"
