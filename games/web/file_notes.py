"""Comments and clock times of a file that is shown without being saved."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from games.records.checking import CheckResult
from games.web.showing import turn_link
from games.web.viewing import RecordView

MAX_COMMENTS: Final = 400  # of each kind: a file may hold thousands


def notes_context(
    check_result: CheckResult, record_view: RecordView | None, context: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the context of ``games/_file_notes.html``; empty if the record cannot be shown.

    ``context``: the context of the viewer.
    """
    if record_view is None:
        return {}
    analysis, places = check_result.analysis, _PlaceLinks(record_view, context)
    comments = [
        {**places.of(comment.game, comment.turn), "words": comment.text}
        for comment in analysis.comments
        if comment.game <= len(record_view.games)
    ]
    clocks = [
        {
            **places.of(clock.game, clock.turn),
            "words": f"{record_view.players[clock.side.column]}: {format_clock(clock.seconds)}",
        }
        for clock in analysis.clocks
        if 1 <= clock.game <= len(record_view.games)
    ]
    return {
        "comments": comments[:MAX_COMMENTS],
        "comments_left": len(comments[MAX_COMMENTS:]),
        "clocks": clocks[:MAX_COMMENTS],
        "clocks_left": len(clocks[MAX_COMMENTS:]),
    }


class _PlaceLinks:
    """Makes labels and addresses of turns in the record."""

    def __init__(self, record_view: RecordView, context: Mapping[str, Any]) -> None:
        self.viewing = record_view
        self.path, self.look = context["path"], context["look"]

    def of(self, game: int, turn: int) -> dict[str, Any]:
        """Return the label and address of a turn; turn 0 is the game as a whole, game 0 the match."""
        if not game:
            return {"where": "", "game": 0, "turn": 0, "url": ""}
        location = _("Game %(number)s") % {"number": self.viewing.game(game).file_number}
        if turn:
            location += ", " + _("turn %(number)s") % {"number": turn}
        shown_turn = max(turn, 1)
        url = turn_link(self.path, self.look, game, shown_turn)
        return {"where": location, "game": game, "turn": shown_turn, "url": url}


def format_clock(seconds: float) -> str:
    """Return a time in seconds as clocks show it.

    >>> format_clock(312), format_clock(3725.4), format_clock(-5)
    ('5:12', '1:02:05', '-0:05')
    """
    total = round(abs(seconds))
    hours, remainder = divmod(total, 3600)
    minutes, last_seconds = divmod(remainder, 60)
    sign = "-" if seconds < 0 and total else ""
    return f"{sign}{hours}:{minutes:02}:{last_seconds:02}" if hours else f"{sign}{minutes}:{last_seconds:02}"
