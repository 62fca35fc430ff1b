"""What somebody waits for who has nothing to play: the next round, others, or that the director records a session; and how they
fared before against whom they play next.
"""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from tournaments.engine.statuses import UNDER_WAY, MatchStatus
from tournaments.engine.types import EntryId
from tournaments.models import Entry, Stage
from tournaments.selectors.draws import Draw, draw_of
from tournaments.selectors.matches.meetings import meetings_before
from tournaments.selectors.matches.player import MyEvent, MyMatch
from tournaments.selectors.matches.way import ways_of
from tournaments.selectors.money import is_money
from tournaments.selectors.rounds.deadlines import is_arranged, today_at
from tournaments.selectors.rounds.next import open_matches
from tournaments.selectors.standings.tables import entries_in, in_rounds, lives_of, settings_of
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.fragments.rounds import between_words
from tournaments.shared.fragments.way import meetings_shape, way_shapes
from tournaments.shared.words.names import day_words


def waiting_words(entry: Entry, stages: Iterable[Stage]) -> str:
    """A sentence for a Swiss, a round robin or a points league under way among its ``stages``; nothing for others."""
    for stage in stages:
        if stage.status in UNDER_WAY and is_money(stage):
            return _("The director records your points from each session.")
        if stage.status in UNDER_WAY and in_rounds(stage):
            return _in_round(EntryId(entry.pk), draw_of(stage))
    return ""


def way_and_meetings(entry: Entry, view: MyEvent) -> Shape:
    """``way``: the way of ``entry`` through the draws; ``met``: earlier matches with whom it plays next, as far as everybody may see
    them, or None.
    """
    ahead = next((match for match in (*view.open, *view.waiting) if match.other.name), None)
    found = meetings_before(ahead) if ahead is not None else None
    return {
        "way": way_shapes(ways_of(entry, view.matches)),
        "met": meetings_shape(found, ahead.other.name) if ahead is not None and found is not None else None,
    }


def arranged_shape(match: MyMatch) -> Shape:
    """Whether the two have to find a time themselves, and until when; ``past``: that day is over."""
    deadline = match.match.round.deadline
    return {
        "arranged": match.row.status is MatchStatus.READY and is_arranged(match.match.stage, match.row),
        "deadline": day_words(deadline) if deadline is not None else "",
        "past": deadline is not None and deadline < today_at(match.match.stage.division.event),
    }


def _in_round(mine: EntryId, draw: Draw) -> str:
    if not draw.rounds or mine not in entries_in(draw):
        return ""
    if settings_of(draw.stage).lives and mine not in lives_of(draw):
        return _("You have no lives left. Thank you for playing.")
    if not open_matches(draw):
        return f"{words}." if (words := between_words(draw)) else ""
    last = draw.rounds[-1]
    if str(mine) in last.rests:
        return _("You are sitting out this round.")
    if any(match.is_bye and match.side_of(mine) for match in last.matches):
        return _("You have a bye in this round.")
    return _("Other matches are still in progress.")
