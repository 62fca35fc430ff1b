"""Publish the pages of new players when a draw that includes them becomes public.

These players have ``Player.listed_with_draw``.
"""

from typing import Final

from django.db.models import Exists, F, OuterRef, Q

from people.models import Player, ShownAs
from people.services.versions import raise_versions
from people.versions import club_players_topic
from tournaments.engine.statuses import DRAW_PUBLIC, EVENT_HAS_RESULTS, EntryStatus
from tournaments.engine.trail.action import AuditAction, RepairAuditAction
from tournaments.engine.trail.draws import DrawPublished, RoundPublished
from tournaments.engine.trail.entries import (
    EntriesAdded,
    EntriesApproved,
    EntryMovedUp,
    EntryReentered,
    EntryReturned,
    EntryUpdated,
)
from tournaments.engine.trail.events import EventRestored, EventUpdated
from tournaments.engine.trail.matrix import PlayersTableSaved
from tournaments.engine.trail.money import MoneyOpened
from tournaments.models import EntryPlayer, Event, Stage
from tournaments.selectors.access.visibility import is_listed

# Actions that publish a draw, make an event public, or bring a player into a public draw.
_PUBLISHING_ACTIONS: Final = (
    *(
        DrawPublished,
        RoundPublished,
        MoneyOpened,
        EventUpdated,
        EventRestored,
        RepairAuditAction,
        PlayersTableSaved,
    ),
    *(EntryReentered, EntriesAdded, EntriesApproved, EntryMovedUp, EntryReturned, EntryUpdated),
)


def list_drawn_players(event: Event, action: AuditAction) -> None:
    """Make players public who wait for a public draw of ``event``, if ``action`` can have published one.

    A draw is public where the event is: not a draft, not unlisted, not hidden by an operator. Joins the
    caller's transaction, which holds the event's lock.
    """
    if (
        not is_listed(event)
        or event.status not in EVENT_HAS_RESULTS
        or not isinstance(action, _PUBLISHING_ACTIONS)
    ):
        return
    public_stages = Stage.objects.filter(division=OuterRef("division"), status__in=DRAW_PUBLIC)
    drawn_players = EntryPlayer.objects.filter(
        Exists(public_stages),
        player=OuterRef("pk"),
        entry__division__event=event,
        entry__status=EntryStatus.ACTIVE,
    )
    is_nameless = Q(shown_as=ShownAs.HIDDEN) | Q(minor=True) | ~Q(shut="")
    waiting_players = Player.objects.filter(
        Exists(drawn_players), listed_with_draw=True, merged_into=None
    ).exclude(is_nameless)
    if waiting_players.update(listed=True, listed_with_draw=False, version=F("version") + 1):
        raise_versions([club_players_topic(event.club_id)])
