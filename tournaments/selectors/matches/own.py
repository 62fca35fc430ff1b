"""The events of a signed-in player: current events with the next matches, and past events."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from people.models import Player, Restriction
from tournaments.engine.statuses import ENTRY_LISTED, EVENT_CHANGEABLE, EVENT_OVER, EventStatus
from tournaments.models import Entry, Stage
from tournaments.selectors.check_in import checked_in_since, open_check_in_for
from tournaments.selectors.entries import CONFIRMED_STATUSES, can_change_entries
from tournaments.selectors.events.players import PlayerEvent, events_played
from tournaments.selectors.matches.player import MyMatch, my_event
from tournaments.selectors.waiting import place_in_queue

MAX_PAST_EVENTS = 20
MAX_MARKED_ENTRIES = 60


@dataclass(frozen=True, slots=True)
class OwnEvent:
    """A player's entry in a current event.

    ``unfinished_matches``: its matches that are not over; ``queue_place``: its place on the waiting list, or
    None; ``can_withdraw``: the player can still withdraw; ``is_check_in_open``: a check-in is open;
    ``checked_in_since``: when it was checked in.
    """

    entry: Entry
    unfinished_matches: tuple[MyMatch, ...]
    queue_place: int | None
    can_withdraw: bool
    is_check_in_open: bool = False
    checked_in_at: datetime | None = None


def own_events(player: Player) -> list[OwnEvent]:
    """Return the current events in which ``player`` takes part or waits, earliest first."""
    entries = (
        Entry.objects.filter(
            entry_players__player=player,
            status__in=CONFIRMED_STATUSES,
            division__event__status__in=EVENT_CHANGEABLE,
        )
        .exclude(division__event__status=EventStatus.DRAFT)  # that one is its directors' alone
        .exclude(division__event__shut=Restriction.REMOVED)
        .exclude(division__event__club__shut=Restriction.REMOVED)
        .select_related("division__event__club")
    )
    current_events = []
    for entry in entries.order_by("division__event__starts_on", "pk"):
        own_matches, check_in = my_event(entry), open_check_in_for(entry, timezone.now())
        current_events.append(
            OwnEvent(
                entry,
                own_matches.open + own_matches.waiting,
                place_in_queue(entry),
                can_withdraw(entry),
                check_in is not None,
                checked_in_since(entry, check_in.pk) if check_in is not None else None,
            )
        )
    return current_events


def own_entry_ids(players: Sequence[Player]) -> list[tuple[str, str]]:
    """Return public ids of the players' entries, each with its event's public id, newest entry first.

    Used to mark these entries on pages; at most ``MAX_MARKED_ENTRIES``.
    """
    entries = Entry.objects.filter(entry_players__player__in=players).order_by("-pk")
    entries = entries.exclude(division__event__status=EventStatus.DRAFT)  # its directors' alone
    id_pairs = entries.values_list("public_id", "division__event__public_id").distinct()
    return list(id_pairs[:MAX_MARKED_ENTRIES]) if players else []


def past_events(player: Player) -> list[PlayerEvent]:
    """Return the newest past events of ``player``, unlisted ones included, for the player's own page."""
    entries = (
        Entry.objects.filter(
            entry_players__player=player, status__in=ENTRY_LISTED, division__event__status__in=EVENT_OVER
        )
        .filter(division__event__shut="", division__event__club__shut="")
        .select_related("division__event__club")
    )
    return events_played(list(entries.order_by("-division__event__starts_on", "-pk")[:MAX_PAST_EVENTS]))


def can_withdraw(entry: Entry) -> bool:
    """Return whether the entry's players may withdraw it themselves now.

    They may before the draw and before registration for the division closes.
    """
    stage = Stage.objects.filter(division=entry.division_id).order_by("position").first()
    deadline = entry.division.entries_until
    return (
        stage is not None and can_change_entries(stage) and (deadline is None or deadline >= timezone.now())
    )
