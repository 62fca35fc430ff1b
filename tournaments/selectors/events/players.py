"""The events on a player's public page, with the player's places."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from people.models import Player
from tournaments.engine.standings.ranking import Place
from tournaments.engine.statuses import ENTRY_LISTED
from tournaments.engine.types import EntryId
from tournaments.models import Entry, EntryPlayer, Event, FormerLineup, FormerPlayer, Stage
from tournaments.selectors.access.visibility import events_on_player_page, listed_events
from tournaments.selectors.events.detail import places_by_stage

MAX_EVENTS = 20
NO_REPLACED_ENTRIES: Final[Mapping[int, str]] = {}


@dataclass(frozen=True, slots=True)
class PlayerEvent:
    """An event in which a player took part.

    ``place``: None while the draw is not public; ``name``: name of the entry while the player was in it;
    ``is_taken_over``: another player took over the entry, and has its place.
    """

    event: Event
    division: str
    entry: Entry
    place: Place | None
    is_taken_over: bool = False
    name: str = ""


def public_entries_of_player(player: Player) -> QuerySet[Entry]:
    """Return the entries of ``player`` in the events on the player's page, newest event first.

    Includes entries that another player has taken over since.
    """
    current_entries = EntryPlayer.objects.filter(player=player).order_by().values("entry")
    former_entries = (
        FormerPlayer.objects.filter(player=player, lineup__slots__isnull=False)
        .order_by()
        .values("lineup__entry")
    )
    return (
        Entry.objects.filter(
            pk__in=current_entries.union(former_entries),
            status__in=ENTRY_LISTED,
            division__event__in=events_on_player_page(player),
        )
        .select_related("division__event__club")
        .order_by("-division__event__starts_on", "-pk")
    )


def last_event_labels(players: Collection[Player]) -> dict[int, str]:
    """Return name and year of each player's newest listed event, keyed by player id; one query.

    Only for players with a public page.
    """
    label_by_player: dict[int, str] = {}
    rows = EntryPlayer.objects.filter(
        player__in=[player.pk for player in players if player.listed],
        entry__status__in=ENTRY_LISTED,
        division__event__in=listed_events(),
    ).order_by("division__event__starts_on", "pk")
    for pk, name, day in rows.values_list("player_id", "division__event__name", "division__event__starts_on"):
        label_by_player[pk] = f"{name} {day.year}"
    return label_by_player


@dataclass(frozen=True, slots=True)
class PlayerEvents:
    """The newest events of a player, and the number of all their events."""

    newest: tuple[PlayerEvent, ...]
    count: int


def player_events(player: Player) -> PlayerEvents:
    """Return the newest listed events in which ``player`` took part, and the number of all."""
    entries = public_entries_of_player(player)
    newest = list(entries[:MAX_EVENTS])
    return PlayerEvents(tuple(events_played(newest, _replaced_entry_names(player, newest))), entries.count())


def _replaced_entry_names(player: Player, entries: Sequence[Entry]) -> dict[int, str]:
    """Return the former names of those entries that another player took over, keyed by entry id.

    No query if no entry was taken over.
    """
    changed_ids = [entry.pk for entry in entries if entry.changed_hands]
    if not changed_ids:
        return {}
    still_playing = EntryPlayer.objects.filter(entry__in=changed_ids, player=player).values("entry")
    former_lineups = FormerLineup.objects.filter(
        entry__in=changed_ids, former_players__player=player, slots__isnull=False
    )
    return dict(
        former_lineups.exclude(entry__in=still_playing).order_by("pk").values_list("entry_id", "name")
    )


def events_played(
    entries: Sequence[Entry], replaced_names: Mapping[int, str] = NO_REPLACED_ENTRIES
) -> list[PlayerEvent]:
    """Return ``entries`` with their places; two queries if all places are cached, else five.

    ``replaced_names``: entry id to former name, for entries that another player took over; they get no place.
    """
    stages = Stage.objects.filter(division__in={entry.division_id for entry in entries}).select_related(
        "division__event"
    )
    first_stages: dict[int, Stage] = {}
    for stage in stages.order_by("position", "pk"):
        first_stages.setdefault(stage.division_id, stage)
    places = places_by_stage(first_stages.values())
    played_events = []
    for entry in entries:
        entry_stage = first_stages.get(entry.division_id)
        place = places.get(entry_stage.pk, {}).get(EntryId(entry.pk)) if entry_stage is not None else None
        is_replaced = entry.pk in replaced_names
        name = replaced_names.get(entry.pk, entry.name)
        played_events.append(
            PlayerEvent(
                entry.division.event,
                entry.division.name,
                entry,
                None if is_replaced else place,
                is_replaced,
                name,
            )
        )
    return played_events
