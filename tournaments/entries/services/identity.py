"""Assignment of entries from the registration page to known players, when the entries are approved.

A typed name created a new player. If the name means a player known to the club, the entry becomes theirs and
the new player is deleted. A doubtful name (`selectors.doubts`) needs a director's decision.
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
from tournaments.selectors.doubts import PlayerCandidate, candidates_by_entry

NEW_PLAYER: Final = "new"  # a director's word: another person than all who are known by that name


def resolve_names(event: Event, rows: Sequence[Entry], player_choice: str = "") -> dict[int, int]:
    """Assign the entries ``rows`` to the players whom their typed names mean.

    Returns the ids of players that were replaced, each with the id of the known player. A name is doubtful if
    several players may be meant or it is entered twice; then ``player_choice`` is needed: a director's
    decision on one entry, `NEW_PLAYER` or a player's public id. Raises ``Conflict`` (``entry.doubtful``)
    without a decision. Joins the transaction of the approving service.
    """
    replaced_ids: dict[int, int] = {}
    entry_candidates = candidates_by_entry(
        event, [entry.pk for entry in rows if entry.status in ENTRY_UNCONFIRMED]
    )
    all_candidates = [candidate for candidates in entry_candidates.values() for candidate in candidates]
    if player_choice not in {"", NEW_PLAYER} and not any(
        player.public_id == player_choice for candidate in all_candidates for player in candidate.players
    ):
        raise Missing("player.unknown")
    for entry in rows:
        candidates = entry_candidates.get(entry.pk, [])
        doubtful = any(candidate.doubt is not None for candidate in candidates)
        for candidate in candidates:
            player = _resolve_candidate(candidate, player_choice, doubtful=doubtful)
            if player is not None:
                replaced_ids[candidate.row.player_id] = player.pk
                _assign_player(event, entry, candidate.row, player)
    return replaced_ids


def delete_unused_players(player_ids: Sequence[int]) -> None:
    """Delete the players with these ids, who were created with an entry that is gone or now another player's.

    Players with another entry, an account, merged duplicates or later changes stay.
    """
    Player.objects.filter(
        pk__in=player_ids, entry_players__isnull=True, user=None, merged__isnull=True, version=1
    ).delete()


def _resolve_candidate(candidate: PlayerCandidate, player_choice: str, *, doubtful: bool) -> Player | None:
    """Return the known player whom a typed name means; None for a new player.

    ``doubtful``: whether any name of the team is doubtful; ``player_choice`` then applies to the doubtful
    names only.
    """
    if player_choice == NEW_PLAYER and (candidate.doubt is not None or not doubtful):
        return None
    chosen_player = next((player for player in candidate.players if player.public_id == player_choice), None)
    if chosen_player is not None:
        if EntryPlayer.objects.filter(division=candidate.row.division_id, player=chosen_player).exists():
            raise Conflict("entry.twice", present=candidate.row.entry, name=chosen_player)
        return chosen_player
    if candidate.doubt is not None:
        present = {"doubt": candidate.doubt.value, "entry": candidate.row.entry.public_id}
        raise Conflict("entry.doubtful", present=present, name=candidate.row.player)
    return candidate.known


def _assign_player(event: Event, entry: Entry, row: EntryPlayer, player: Player) -> None:
    """Replace the player created from a typed name by a known one, with the details from the form.

    Consents are cleared for minors. The created player is deleted if unused.
    """
    typed_player = row.player
    entry_players = list(EntryPlayer.objects.filter(entry=entry).select_related("player"))
    names_before = [entry_player.player.name for entry_player in entry_players]
    row.player, row.is_new = player, False
    row.save(update_fields=["player", "is_new"])
    if entry.name == team_name(names_before):
        names = [
            player.name if entry_player.pk == row.pk else entry_player.player.name
            for entry_player in entry_players
        ]
        entry.name = clean_team_name("", names)
        entry.save(update_fields=["name"])
    details = EntryDetail.objects.filter(entry=entry, player=typed_player)
    cleared_replies = dict.fromkeys([kind.value for kind in Consent], "") if player.minor else {}
    details.update(player=player, **cleared_replies)
    link_players_to_club(players=[player], club=event.club)
    delete_unused_players([typed_player.pk])
