"""Consents of players in an event, of one player and combined for all players at a table."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Q

from tournaments.engine.consents import (
    NOT_ASKED,
    Consent,
    Replies,
    Reply,
    combine_own_replies,
    combine_replies,
)
from tournaments.engine.statuses import ENTRY_UNCONFIRMED, PLAYERS_BUSY, UNSETTLED
from tournaments.models import Entry, EntryDetail, EntryPlayer, Event, FormerPlayer, Match, MatchSlot
from tournaments.selectors.seats import player_ids_by_seat


@dataclass(frozen=True, slots=True)
class PlayerReplies:
    """A player of an event and their replies to the questions for consent.

    ``agreed_to_hall_name``: whether their name may be shown in the hall; None if they were not asked.
    """

    player: int
    name: str
    minor: bool
    replies: Replies
    agreed_to_hall_name: bool | None = None


@dataclass(frozen=True, slots=True)
class TableReplies:
    """A match that is called or being played, and what all its players together have consented to."""

    number: int
    public_id: str
    table: int | None
    names: tuple[str, str]
    replies: Replies


def replies_in_event(event: Event, players: Collection[int] | None = None) -> Mapping[int, PlayerReplies]:
    """Return the consents in an event, as a dictionary keyed by player id; two queries.

    Covers all players who take part, also those who were replaced by another player; ``players``: only these
    ids. If a player answered several times, the strictest answer counts. Pending entries do not count.
    """
    player_rows = EntryPlayer.objects.filter(division__event=event).exclude(
        entry__status__in=ENTRY_UNCONFIRMED
    )
    if players is not None:
        player_rows = player_rows.filter(player__in=players)
    former_rows = FormerPlayer.objects.filter(
        lineup__entry__division__event=event, lineup__slots__isnull=False
    )
    if players is not None:
        former_rows = former_rows.filter(player__in=players)
    player_fields = ("player__name", "player_id", "player__minor")
    rows = (
        player_rows.order_by()
        .values_list(*player_fields)
        .union(former_rows.order_by().values_list(*player_fields))
        .order_by(*player_fields[:2])
    )
    details_by_player: dict[int, list[EntryDetail]] = {}
    details = EntryDetail.objects.filter(entry__division__event=event).exclude(
        entry__status__in=ENTRY_UNCONFIRMED
    )
    for row in details.select_related("player"):
        details_by_player.setdefault(row.player.merged_into_id or row.player_id, []).append(row)
    return {
        pk: PlayerReplies(
            pk,
            name,
            minor,
            {
                kind: combine_own_replies(getattr(detail, kind) for detail in details_by_player.get(pk, ()))
                for kind in Consent
            },
            next((detail.hall for detail in details_by_player.get(pk, ()) if detail.hall is not None), None),
        )
        for name, pk, minor in rows
    }


def replies_by_event(events: Collection[int], players: Collection[int]) -> Mapping[tuple[int, int], Replies]:
    """Return the consents keyed by (event id, player id), combined as in ``replies_in_event``; one query.

    Players without any answer in an event are left out.
    """
    rows = EntryDetail.objects.filter(
        Q(player__in=players) | Q(player__merged_into__in=players), entry__division__event__in=events
    ).exclude(entry__status__in=ENTRY_UNCONFIRMED)
    answers_by_key: dict[tuple[int, int], list[tuple[str, ...]]] = {}
    key_fields = ("entry__division__event_id", "player_id", "player__merged_into_id")
    for event, player, merged_into, *answers in rows.values_list(*key_fields, *Consent):
        answers_by_key.setdefault((event, merged_into or player), []).append(tuple(answers))
    return {
        event_and_player: {
            kind: combine_own_replies(answers)
            for kind, answers in zip(Consent, zip(*answer_rows, strict=True), strict=True)
        }
        for event_and_player, answer_rows in answers_by_key.items()
    }


def replies_at_match(match: Match) -> list[PlayerReplies]:
    """Return the players of ``match`` with their consents."""
    players = [player for seat in player_ids_by_seat([match.pk]).values() for player in seat]
    replies_by_player = replies_in_event(match.stage.division.event, players)
    return [replies_by_player[pk] for pk in players if pk in replies_by_player]


def combined_replies(player_replies: Collection[PlayerReplies]) -> Replies:
    """Return what all these players together have consented to; ``NOT_ASKED`` if there are no players."""
    return (
        {
            kind: combine_replies(player_reply.replies[kind] for player_reply in player_replies)
            for kind in Consent
        }
        if player_replies
        else NOT_ASKED
    )


def consents_at_tables(event: Event, replies: Mapping[int, PlayerReplies]) -> list[TableReplies]:
    """Return the matches that are called, being played or still hold a table, sorted by table.

    ``replies``: the result of ``replies_in_event`` for the event.
    """
    at_table = Q(status__in=PLAYERS_BUSY) | Q(status__in=UNSETTLED, table__isnull=False)
    matches = Match.objects.filter(at_table, stage__division__event=event)
    rows = MatchSlot.objects.filter(match__in=matches).exclude(entry=None)
    sides: dict[int, list[tuple[int, str]]] = {}
    for match_id, entry_id, name in rows.order_by("side").values_list("match_id", "entry_id", "entry__name"):
        sides.setdefault(match_id, []).append((entry_id, name))
    members: dict[int, list[int]] = {}
    entry_ids = [entry_id for pair in sides.values() for entry_id, _name in pair]
    for entry_id, player in EntryPlayer.objects.filter(entry__in=entry_ids).values_list(
        "entry_id", "player_id"
    ):
        members.setdefault(entry_id, []).append(player)
    tables: list[TableReplies] = []
    for row in matches.order_by("table", "number"):
        pair = sides.get(row.pk, [])
        names = [name for _entry, name in pair] + ["", ""]
        table_replies = [
            replies[player_id]
            for entry_id, _name in pair
            for player_id in members.get(entry_id, ())
            if player_id in replies
        ]
        tables.append(
            TableReplies(
                row.number, row.public_id, row.table, (names[0], names[1]), combined_replies(table_replies)
            )
        )
    return tables


def game_record_reply(match: Match) -> Reply:
    """Return whether all players of ``match`` consent that its game records are published."""
    return combined_replies(replies_at_match(match))[Consent.RECORD]


def event_entries_of_player(entry: Entry, player_id: int) -> list[Entry]:
    """Return all entries of a player in the event of ``entry``, pending and waiting entries included."""
    rows = Entry.objects.filter(division__event=entry.division.event_id, entry_players__player=player_id)
    return list(rows.order_by("pk"))
