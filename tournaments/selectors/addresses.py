"""Search for players by an e-mail address that directors have stored with their entries."""

from dataclasses import dataclass

from people.models import Club, Player
from tournaments.models import EntryDetail

MAX_PLAYERS = 5  # of one address: a family


@dataclass(frozen=True, slots=True)
class StoredAddress:
    """A player without an account, and the club that stored the address."""

    player: Player
    club: Club


def players_with_address(address: str) -> list[StoredAddress]:
    """Return players without an account for whom ``address`` is stored; at most ``MAX_PLAYERS``.

    The address counts if the player's home club stored it, or any club if the player has no home club.
    """
    rows = EntryDetail.objects.filter(email__iexact=address.strip()).exclude(email="")
    address_by_player: dict[int, StoredAddress] = {}
    for row in rows.select_related("player__merged_into", "entry__division__event__club").order_by("-pk"):
        player, club = row.player, row.entry.division.event.club
        while player.merged_into is not None:
            player = player.merged_into
        if (
            player.user_id is None
            and player.home_club_id in {None, club.pk}
            and player.pk not in address_by_player
        ):
            address_by_player[player.pk] = StoredAddress(player, club)
        if len(address_by_player) == MAX_PLAYERS:
            break
    return list(address_by_player.values())
