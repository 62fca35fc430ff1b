"""Current and former players on the sides of matches; the only place that decides it.

A slot that points at a former lineup was played by that lineup; any other by the players of its entry. Pages,
files, the API, consents and the rating ledger all use it. Without former lineups only the players of entries
are read.
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
    """The name of a side in its match, for ``annotate`` and ``values_list`` of slots."""
    return Coalesce(F("former__name"), F("entry__name"), output_field=NameField(max_length=160))


def lineup_names_by_id(lineups: Iterable[int]) -> dict[int, str]:
    """The names of these former lineups by id; no query for none."""
    wanted = set(lineups)
    return dict(FormerLineup.objects.filter(pk__in=wanted).values_list("pk", "name")) if wanted else {}


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Former lineups of an entry. ``names``: of the lineups, in order.

    ``round``: the code of the first round after them, empty while there is none.
    """

    names: tuple[str, ...]
    round: str = ""


def take_overs_by_entry(entries: Iterable[int]) -> dict[int, TakeOver]:
    """Take-overs by entry id, of those of ``entries`` that have former lineups.

    Two queries, none for no entries.
    """
    wanted = list(entries)
    if not wanted:
        return {}
    slots = MatchSlot.objects.filter(entry__in=wanted, match__stage__status__in=DRAW_PUBLIC)
    rows = slots.order_by("entry_id", "match__stage__position", "match__number")
    played: dict[int, list[tuple[int | None, str]]] = {}
    for entry, former, code in rows.values_list("entry_id", "former_id", "match__round__code"):
        played.setdefault(entry, []).append((former, code))
    names = lineup_names_by_id(pk for own in played.values() for pk, _code in own if pk is not None)
    found = {}
    for entry, own in played.items():
        lineups = list(dict.fromkeys(pk for pk, _code in own if pk is not None))
        if lineups:
            last = max(place for place, (pk, _code) in enumerate(own) if pk is not None)
            after = own[last + 1][1] if last + 1 < len(own) else ""
            found[entry] = TakeOver(tuple(dict.fromkeys(names[pk] for pk in lineups)), after)
    return found


def slots_of_players(players: Iterable[int]) -> QuerySet[MatchSlot]:
    """Slots that one of ``players`` (ids) plays or played."""
    ids = list(players)
    every = MatchSlot.objects.order_by()
    now = every.filter(former=None, entry__entry_players__player__in=ids)
    then = every.filter(former__former_players__player__in=ids)
    # Each by its own index; in one condition the database would walk through all slots.
    return every.filter(pk__in=now.values("pk").union(then.values("pk")))


def written_by_q(players: Iterable[int], match: str = "match") -> Q:
    """Filter for rows written by an entry while one of ``players`` (ids) played for it in the match.

    ``match``: the path from the row to its match.
    """
    ids = list(players)
    now = EntryPlayer.objects.filter(player__in=ids).order_by().values("entry")
    then = FormerPlayer.objects.filter(player__in=ids).order_by().values("lineup__entry")
    seat = MatchSlot.objects.filter(match=OuterRef(match), entry=OuterRef("entry")).order_by()
    sat = Q(Exists(seat.filter(former__former_players__player__in=ids)))
    others = Q(Exists(seat.exclude(former=None))) & ~sat
    return Q(entry__in=now) & ~others | Q(entry__in=then) & sat


def events_with_players(players: Iterable[int]) -> QuerySet[Event]:
    """Events in which one of ``players`` (ids) takes part, or did before another player took over."""
    ids = list(players)
    now = EntryPlayer.objects.filter(player__in=ids).order_by().values("division__event")
    then = FormerPlayer.objects.filter(player__in=ids).order_by().values("lineup__entry__division__event")
    return Event.objects.filter(pk__in=now.union(then))


def player_ids_by_seat(matches: Iterable[int]) -> dict[MatchSide, tuple[int, ...]]:
    """Player ids by side of these matches, in order; two queries, three with former lineups."""
    found = players_by_seat(matches)
    return {seat: tuple(player.pk for player in players) for seat, players in found.items()}


def players_by_seat(matches: Iterable[int]) -> dict[MatchSide, tuple[Player, ...]]:
    """Players by side of these matches, with their home clubs."""
    slots = MatchSlot.objects.filter(match__in=list(matches)).exclude(entry=None).order_by()
    rows = slots.values_list("match_id", "side", "entry_id", "former_id")
    return players_in_slots((match, Side(side), entry, former) for match, side, entry, former in rows)


def players_in_slots(
    slots: Iterable[tuple[int, Side, int, int | None]],
) -> dict[MatchSide, tuple[Player, ...]]:
    """Players by side for known slots (match, side, entry, former lineup).

    One statement, two with former lineups.
    """
    rows = list(slots)
    now: dict[int, list[Player]] = {}
    entries = {entry for _match, _side, entry, former in rows if former is None}
    places = EntryPlayer.objects.filter(entry__in=entries).select_related("player__home_club")
    for place in places.order_by("entry_id", "position"):
        now.setdefault(place.entry_id, []).append(place.player)
    then: dict[int, list[Player]] = {}
    if lineups := {former for *_slot, former in rows if former is not None}:
        sat = FormerPlayer.objects.filter(lineup__in=lineups).select_related("player__home_club")
        for row in sat.order_by("lineup_id", "position"):
            then.setdefault(row.lineup_id, []).append(row.player)
    return {
        (match, side): tuple(now.get(entry, ()) if former is None else then.get(former, ()))
        for match, side, entry, former in rows
    }
