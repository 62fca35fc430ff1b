"""The likely identity of players who registered through the registration link with a typed name.

The form does not reveal whether a name is known, so it creates a new player each time. These functions find
the players whom the club knows by that name, for the director who approves entries.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Exists, OuterRef

from people.models import Player, PlayerClub
from people.selectors import players_for_club
from tournaments.engine.statuses import ENTRY_UNCONFIRMED, EntryStatus
from tournaments.models import Entry, EntryPlayer, Event


class ApprovalDoubt(StrEnum):
    """Why an entry is left out when all entries are approved at once; the first reason that applies."""

    ENTERED = "entered"  # the name is entered in this division already
    WITHDREW = "withdrew"  # its entry in this division is withdrawn
    DUPLICATE = "twice"  # another entry by the link with the same name waits for approval
    SEVERAL = "several"  # several players bear the name, or one whom the club does not know


@dataclass(frozen=True, slots=True)
class PlayerCandidate:
    """What is known about the typed name of one new player.

    ``row``: the new player in the pending entry; ``known``: the club's only player of this name, to be used
    on approval; ``players``: all players of this name; ``other``: another entry of this name in the division.
    """

    row: EntryPlayer
    doubt: ApprovalDoubt | None = None
    known: Player | None = None
    players: tuple[Player, ...] = ()
    other: Entry | None = None


def candidates_by_entry(event: Event, entry_ids: Collection[int]) -> dict[int, list[PlayerCandidate]]:
    """Return one candidate for each new player of these pending entries, keyed by entry id; three queries."""
    if not entry_ids:
        return {}
    rows = EntryPlayer.objects.filter(entry__in=entry_ids, is_new=True).select_related("player", "entry")
    new_rows = list(rows.order_by("entry_id", "position"))
    keys = {row.player.search_name for row in new_rows}
    if not keys:
        return {}
    same_name_rows = EntryPlayer.objects.filter(division__event=event, player__search_name__in=keys)
    rows_by_name: dict[tuple[int, str], list[EntryPlayer]] = {}
    for other_row in same_name_rows.select_related("player", "entry").order_by("entry_id"):
        rows_by_name.setdefault((other_row.division_id, other_row.player.search_name), []).append(other_row)
    players_by_name = _known_players(event, keys)
    candidates: dict[int, list[PlayerCandidate]] = {}
    for row in new_rows:
        other_rows = [
            other_row
            for other_row in rows_by_name[row.division_id, row.player.search_name]
            if other_row.entry_id != row.entry_id and other_row.player_id != row.player_id
        ]
        candidates.setdefault(row.entry_id, []).append(
            _build_candidate(row, other_rows, players_by_name.get(row.player.search_name, []))
        )
    return candidates


def doubts_by_entry(event: Event, entries: Iterable[Entry]) -> dict[int, PlayerCandidate]:
    """Return, keyed by entry id, the first doubt about each pending entry that a director has to decide.

    Entries without a doubt are left out.
    """
    candidates = candidates_by_entry(
        event, [entry.pk for entry in entries if entry.status in ENTRY_UNCONFIRMED]
    )
    doubtful = {pk: first_doubt(rows) for pk, rows in candidates.items()}
    return {pk: candidate for pk, candidate in doubtful.items() if candidate is not None}


def first_doubt(candidates: Iterable[PlayerCandidate]) -> PlayerCandidate | None:
    """Return the first of an entry's ``candidates`` that has a doubt, or None."""
    return next((candidate for candidate in candidates if candidate.doubt is not None), None)


def _known_players(event: Event, keys: Iterable[str]) -> Mapping[str, list[tuple[Player, bool]]]:
    """Return the players of these names that the club may read, and whether each belongs to the club.

    Keyed by search name. Players who only exist in pending entries are left out.
    """
    pending = EntryPlayer.objects.filter(player=OuterRef("pk"), is_new=True)
    club_link = PlayerClub.objects.filter(player=OuterRef("pk"), club=event.club_id)
    rows = players_for_club(event.club).filter(~Exists(pending), search_name__in=list(keys))
    players_by_name: dict[str, list[tuple[Player, bool]]] = {}
    for player in rows.annotate(is_own=Exists(club_link)).select_related("home_club").order_by("pk"):
        players_by_name.setdefault(player.search_name, []).append((player, player.is_own))
    return players_by_name


def _build_candidate(
    row: EntryPlayer, other_rows: list[EntryPlayer], known_players: list[tuple[Player, bool]]
) -> PlayerCandidate:
    players = tuple(player for player, _is_own in known_players)
    certain_rows = [
        other_row
        for other_row in other_rows
        if other_row.entry.status not in ENTRY_UNCONFIRMED or not other_row.is_new
    ]
    entered = next(
        (other_row for other_row in certain_rows if other_row.entry.status != EntryStatus.WITHDRAWN), None
    )
    if entered is not None:
        return PlayerCandidate(row, ApprovalDoubt.ENTERED, None, players, entered.entry)
    if certain_rows:
        return PlayerCandidate(row, ApprovalDoubt.WITHDREW, None, players, certain_rows[-1].entry)
    if any(other_row.entry_id < row.entry_id for other_row in other_rows):
        return PlayerCandidate(row, ApprovalDoubt.DUPLICATE, None, players, other_rows[0].entry)
    if len(known_players) == 1 and known_players[0][1]:
        return PlayerCandidate(row, None, known_players[0][0], players)
    return PlayerCandidate(row, ApprovalDoubt.SEVERAL if known_players else None, None, players)
