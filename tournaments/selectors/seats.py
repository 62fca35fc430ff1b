"""Current and former players on the sides of matches; the only place that decides who played a match.

A side that refers to a former lineup was played by that lineup; any other side by the players of its entry.
Pages, files, the API, consents and the rating ledger all use this. Without former lineups only the players of
entries are read.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from people.models import Player
from people.models.naming import NameField
from tournaments.engine.statuses import DRAW_PUBLIC
from tournaments.engine.types import Side
from tournaments.models import EntryPlayer, Event, FormerLineup, FormerPlayer, MatchSlot

MatchSide = tuple[int, Side]  # a match by its database id, and a side of it


def side_name() -> Coalesce:
    """Return an expression for the name of a side in its match, for queries of match slots."""
    return Coalesce(F("former__name"), F("entry__name"), output_field=NameField(max_length=160))


def lineup_names_by_id(lineups: Iterable[int]) -> dict[int, str]:
    """Return the names of these former lineups, keyed by lineup id; no query if there are none."""
    lineup_ids = set(lineups)
    return (
        dict(FormerLineup.objects.filter(pk__in=lineup_ids).values_list("pk", "name")) if lineup_ids else {}
    )


@dataclass(frozen=True, slots=True)
class TakeOver:
    """The former lineups of an entry that other players have taken over.

    ``names``: names of these lineups in order; ``round``: code of the first round after them, empty while
    there is none.
    """

    names: tuple[str, ...]
    round: str = ""


def take_overs_by_entry(entries: Iterable[int]) -> dict[int, TakeOver]:
    """Return the former lineups of those ``entries`` (ids) that have any, keyed by entry id.

    Two queries, none for no entries.
    """
    entry_ids = list(entries)
    if not entry_ids:
        return {}
    slots = MatchSlot.objects.filter(entry__in=entry_ids, match__stage__status__in=DRAW_PUBLIC)
    rows = slots.order_by("entry_id", "match__stage__position", "match__number")
    seats_by_entry: dict[int, list[tuple[int | None, str]]] = {}
    for entry, lineup_id, code in rows.values_list("entry_id", "former_id", "match__round__code"):
        seats_by_entry.setdefault(entry, []).append((lineup_id, code))
    names = lineup_names_by_id(
        pk for entry_seats in seats_by_entry.values() for pk, _code in entry_seats if pk is not None
    )
    take_overs = {}
    for entry, entry_seats in seats_by_entry.items():
        lineups = list(dict.fromkeys(pk for pk, _code in entry_seats if pk is not None))
        if lineups:
            last_former = max(position for position, (pk, _code) in enumerate(entry_seats) if pk is not None)
            next_round_code = entry_seats[last_former + 1][1] if last_former + 1 < len(entry_seats) else ""
            take_overs[entry] = TakeOver(tuple(dict.fromkeys(names[pk] for pk in lineups)), next_round_code)
    return take_overs


def slots_of_players(players: Iterable[int]) -> QuerySet[MatchSlot]:
    """Return the match slots that one of ``players`` (ids) plays, or played before being replaced."""
    ids = list(players)
    all_slots = MatchSlot.objects.order_by()
    current_slots = all_slots.filter(former=None, entry__entry_players__player__in=ids)
    former_slots = all_slots.filter(former__former_players__player__in=ids)
    # Each by its own index; in one condition the database would walk through all slots.
    return all_slots.filter(pk__in=current_slots.values("pk").union(former_slots.values("pk")))


def written_by_q(players: Iterable[int], match: str = "match") -> Q:
    """Return a filter for rows that an entry wrote while one of ``players`` (ids) played for it in the match.

    ``match``: the lookup path from the row to its match.
    """
    ids = list(players)
    current_entries = EntryPlayer.objects.filter(player__in=ids).order_by().values("entry")
    former_entries = FormerPlayer.objects.filter(player__in=ids).order_by().values("lineup__entry")
    seat = MatchSlot.objects.filter(match=OuterRef(match), entry=OuterRef("entry")).order_by()
    seated_then = Q(Exists(seat.filter(former__former_players__player__in=ids)))
    other_seated = Q(Exists(seat.exclude(former=None))) & ~seated_then
    return Q(entry__in=current_entries) & ~other_seated | Q(entry__in=former_entries) & seated_then


def events_with_players(players: Iterable[int]) -> QuerySet[Event]:
    """Return the events in which one of ``players`` (ids) takes part, or did before being replaced."""
    ids = list(players)
    current_events = EntryPlayer.objects.filter(player__in=ids).order_by().values("division__event")
    former_events = (
        FormerPlayer.objects.filter(player__in=ids).order_by().values("lineup__entry__division__event")
    )
    return Event.objects.filter(pk__in=current_events.union(former_events))


def player_ids_by_seat(matches: Iterable[int]) -> dict[MatchSide, tuple[int, ...]]:
    """Return the ids of the players who played these matches, keyed by match id and side.

    Two queries, three with former lineups.
    """
    by_seat = players_by_seat(matches)
    return {seat: tuple(player.pk for player in players) for seat, players in by_seat.items()}


def players_by_seat(matches: Iterable[int]) -> dict[MatchSide, tuple[Player, ...]]:
    """Return the players who played these matches, with their home clubs, keyed by match id and side."""
    slots = MatchSlot.objects.filter(match__in=list(matches)).exclude(entry=None).order_by()
    rows = slots.values_list("match_id", "side", "entry_id", "former_id")
    return players_in_slots((match, Side(side), entry, former) for match, side, entry, former in rows)


def players_in_slots(
    slots: Iterable[tuple[int, Side, int, int | None]],
) -> dict[MatchSide, tuple[Player, ...]]:
    """Return the players who played on these sides, keyed by match id and side.

    ``slots``: match id, side, entry id, and id of the former lineup or None. One query, two with former
    lineups.
    """
    rows = list(slots)
    current_players: dict[int, list[Player]] = {}
    entries = {entry for _match, _side, entry, former in rows if former is None}
    player_rows = EntryPlayer.objects.filter(entry__in=entries).select_related("player__home_club")
    for player_row in player_rows.order_by("entry_id", "position"):
        current_players.setdefault(player_row.entry_id, []).append(player_row.player)
    former_players: dict[int, list[Player]] = {}
    if lineups := {former for *_slot, former in rows if former is not None}:
        former_rows = FormerPlayer.objects.filter(lineup__in=lineups).select_related("player__home_club")
        for row in former_rows.order_by("lineup_id", "position"):
            former_players.setdefault(row.lineup_id, []).append(row.player)
    return {
        (match, side): tuple(
            current_players.get(entry, ()) if former is None else former_players.get(former, ())
        )
        for match, side, entry, former in rows
    }
