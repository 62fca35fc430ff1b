"""Texts and template contexts for a player without a match to play: next round, path, earlier meetings."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from tournaments.engine.statuses import STAGE_UNDER_WAY, MatchStatus
from tournaments.engine.types import EntryId
from tournaments.models import Entry, Stage
from tournaments.selectors.draws import Draw, load_draw
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.matches.meetings import head_to_head
from tournaments.selectors.matches.player import MyEvent, MyMatch
from tournaments.selectors.matches.way import stage_paths
from tournaments.selectors.money import is_money
from tournaments.selectors.rounds.deadlines import is_arranged
from tournaments.selectors.rounds.next import open_match_count
from tournaments.selectors.standings.tables import (
    drawn_entries,
    is_round_based,
    lives_by_entry,
    rounds_settings,
)
from tournaments.shared.fragments.cards import Context
from tournaments.shared.fragments.rounds import between_rounds_message
from tournaments.shared.fragments.way import meetings_context, path_contexts
from tournaments.shared.words.names import date_label


def waiting_message(entry: Entry, stages: Iterable[Stage]) -> str:
    """Return a sentence that says what the player waits for in a Swiss, round robin or points league.

    Empty if none of ``stages`` is such a stage under way, or there is nothing to wait for.
    """
    for stage in stages:
        if stage.status in STAGE_UNDER_WAY and is_money(stage):
            return _("The director records your points from each session.")
        if stage.status in STAGE_UNDER_WAY and is_round_based(stage):
            return _round_message(EntryId(entry.pk), load_draw(stage))
    return ""


def path_and_meetings(entry: Entry, view: MyEvent) -> Context:
    """Return the template context with the entry's path through the draws and earlier meetings.

    ``way``: the path; ``met``: public meetings with the next opponent, or None.
    """
    next_match = next((match for match in (*view.open, *view.waiting) if match.other.name), None)
    meetings = head_to_head(next_match) if next_match is not None else None
    return {
        "way": path_contexts(stage_paths(entry, view.matches)),
        "met": meetings_context(meetings, next_match.other.name)
        if next_match is not None and meetings is not None
        else None,
    }


def arranged_context(match: MyMatch) -> Context:
    """Return the template context of an arranged match.

    ``arranged``: both sides agree on the time themselves; ``deadline``: date of the round; ``past``: the
    deadline is over.
    """
    deadline = match.match.round.deadline
    return {
        "arranged": match.row.status is MatchStatus.READY and is_arranged(match.match.stage, match.row),
        "deadline": date_label(deadline) if deadline is not None else "",
        "past": deadline is not None and deadline < event_today(match.match.stage.division.event),
    }


def _round_message(own_entry_id: EntryId, draw: Draw) -> str:
    if not draw.rounds or own_entry_id not in drawn_entries(draw):
        return ""
    if rounds_settings(draw.stage).lives and own_entry_id not in lives_by_entry(draw):
        return _("You have no lives left. Thank you for playing.")
    if not open_match_count(draw):
        return f"{message}." if (message := between_rounds_message(draw)) else ""
    last_round = draw.rounds[-1]
    if str(own_entry_id) in last_round.rests:
        return _("You are sitting out this round.")
    if any(match.is_bye and match.side_of(own_entry_id) for match in last_round.matches):
        return _("You have a bye in this round.")
    return _("Other matches are still in progress.")
