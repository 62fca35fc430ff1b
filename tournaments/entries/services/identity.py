"""Assignment of entries by the registration link to known players when they are approved.

A typed name created a new player. If it means a player known to the club, the entry becomes theirs and the
new player is deleted. A doubtful name (`selectors.doubts`) needs a director's decision.
"""

from collections.abc import Sequence
from typing import Final

from faults import Conflict, Missing
from people.models import Player
from people.services.players import link_players_to_club
from tournaments.engine.consents import Consent
from tournaments.engine.statuses import ENTRY_UNCONFIRMED
from tournaments.entries.services.teams import clean_team_name, team_name
from tournaments.models import Entry, EntryDetail, EntryPlayer, Event
from tournaments.selectors.doubts import Candidate, candidates_by_entry

NEW_PLAYER: Final = "new"  # a director's word: another person than all who are known by that name


def resolve_names(event: Event, rows: Sequence[Entry], who: str = "") -> dict[int, int]:
    """Assign ``rows`` to the players whom the typed names mean.

    Return replacements by the ids of deleted players. ``who``: a director's decision on one entry,
    `NEW_PLAYER` or a player's public id. Raises ``Conflict`` (``entry.doubtful``) for a doubtful name without
    it. Joins the transaction of the approving service.
    """
    became: dict[int, int] = {}
    found = candidates_by_entry(event, [entry.pk for entry in rows if entry.status in ENTRY_UNCONFIRMED])
    every = [one for candidates in found.values() for one in candidates]
    if who not in {"", NEW_PLAYER} and not any(
        player.public_id == who for one in every for player in one.players
    ):
        raise Missing("player.unknown")
    for entry in rows:
        candidates = found.get(entry.pk, [])
        doubtful = any(one.doubt is not None for one in candidates)
        for one in candidates:
            player = _resolve_candidate(one, who, doubtful=doubtful)
            if player is not None:
                became[one.row.player_id] = player.pk
                _assign_player(event, entry, one.row, player)
    return became


def delete_unused_players(players: Sequence[int]) -> None:
    """Delete players created with an entry that is gone or reassigned. Players with another entry stay."""
    Player.objects.filter(
        pk__in=players, entry_players__isnull=True, user=None, merged__isnull=True, version=1
    ).delete()


def _resolve_candidate(one: Candidate, who: str, *, doubtful: bool) -> Player | None:
    """Return the player whom a typed name means; None for a new one.

    In a team, ``who`` applies to the doubtful names, if any.
    """
    if who == NEW_PLAYER and (one.doubt is not None or not doubtful):
        return None
    chosen = next((player for player in one.players if player.public_id == who), None)
    if chosen is not None:
        if EntryPlayer.objects.filter(division=one.row.division_id, player=chosen).exists():
            raise Conflict("entry.twice", present=one.row.entry, name=chosen)
        return chosen
    if one.doubt is not None:
        present = {"doubt": one.doubt.value, "entry": one.row.entry.public_id}
        raise Conflict("entry.doubtful", present=present, name=one.row.player)
    return one.known


def _assign_player(event: Event, entry: Entry, row: EntryPlayer, player: Player) -> None:
    """Assign the place in the entry to a known player, with the details from the form.

    Consents of minors are dropped.
    """
    new = row.player
    places = list(EntryPlayer.objects.filter(entry=entry).select_related("player"))
    before = [one.player.name for one in places]
    row.player, row.is_new = player, False
    row.save(update_fields=["player", "is_new"])
    if entry.name == team_name(before):
        names = [player.name if one.pk == row.pk else one.player.name for one in places]
        entry.name = clean_team_name("", names)
        entry.save(update_fields=["name"])
    details = EntryDetail.objects.filter(entry=entry, player=new)
    silent = dict.fromkeys([kind.value for kind in Consent], "") if player.minor else {}
    details.update(player=player, **silent)
    link_players_to_club(players=[player], club=event.club)
    delete_unused_players([new.pk])
