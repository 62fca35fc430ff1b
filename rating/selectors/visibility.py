"""Public lists and players, and the search for players by name."""

from faults import Missing
from people.models import Player
from people.rows import one_or_none
from people.selectors import listed_players_matching
from people.versions import ALL_PLAYERS, NAMES, versions_of
from rating.models import RatingList, Standing
from rating.selectors.lists import list_by_public_id

MAX_SUGGESTIONS = 12
_MAX_CANDIDATES = 8  # times as many are read, to include those on the list


def visible_list(public_id: str) -> RatingList:
    """Return the list with this public id. Raises ``Missing`` if it is unknown, archived or restricted."""
    rating_list = list_by_public_id(public_id)
    if rating_list.archived or rating_list.shut or rating_list.club.shut:
        raise Missing("rating.list_unknown")
    return rating_list


def visible_lists(club: str = "") -> list[RatingList]:
    """Return all public lists, or those of the club with this public id."""
    lists = RatingList.objects.public().select_related("club").order_by("pk")
    return list(lists.filter(club__public_id=club) if club else lists)


def visible_player(public_id: str) -> Player:
    """Return the player with this public id, or the player into whom they were merged.

    Raises ``Missing`` if that player has no public page.
    """
    player = one_or_none(
        Player.objects.select_related("merged_into", "home_club").filter(public_id=public_id)
    )
    while player is not None and player.merged_into is not None:
        player = player.merged_into
    if player is None or not player.listed:
        raise Missing("rating.player_unknown")
    return player


def suggested_players(rating_list: RatingList, text: str) -> list[Player]:
    """Return at most 12 public players whose name has all words of ``text``: players on the list first."""
    matching = listed_players_matching(text)
    listed_ids = set(
        Standing.objects.on(rating_list).filter(player__in=matching).values_list("player_id", flat=True)[:500]
    )
    players = sorted(
        matching.select_related("home_club").order_by("name", "pk")[: MAX_SUGGESTIONS * _MAX_CANDIDATES],
        key=lambda player: player.pk not in listed_ids,
    )
    return players[:MAX_SUGGESTIONS]


def names_version() -> str:
    """Return a text for ETags that changes whenever a player is added, renamed, hidden or merged."""
    return ".".join(map(str, versions_of([ALL_PLAYERS, NAMES])))
