"""Entries by the registration link become those of the players they mean, when they are approved.

A typed name made a new player; of the club's own player of that name the entry is from now on theirs, and the new one is gone. A name about which
there is a doubt (`selectors.doubts`) needs a director's word.
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
    """Make the players of ``rows`` those whom the typed names mean; gives ids of players that are gone, with those who took their place.

    ``who``: a director's word on one entry, `NEW_PLAYER` or the public id of a player. Without it a doubtful name is refused (409
    ``entry.doubtful``). Joins the transaction of whoever approves.
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
    """Remove players who were made with an entry that is gone, or is another player's; who is in another entry stays."""
    Player.objects.filter(
        pk__in=players, entry_players__isnull=True, user=None, merged__isnull=True, version=1
    ).delete()


def _resolve_candidate(one: Candidate, who: str, *, doubtful: bool) -> Player | None:
    """The player whom a typed name means; None: somebody new. Of a team the word is about those of whom there is a doubt, if of any."""
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
    """The place of an entry is that of a known player, with what was said in the form; minors agree to nothing by themselves."""
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
