"""Read players, clubs and the audit trail. Views and services of every floor ask here."""

from collections.abc import Iterable
from typing import TypeVar

from django.db.models import Model, Q, QuerySet

from people.errors import Missing
from people.models import Club, Player, search_key

SEARCH_LIMIT = 12
Row = TypeVar("Row", bound=Model)


def fresh(row: Row) -> Row:
    """``row`` itself, as the database has it by now: what a page shows beside a change that came too late."""
    row.refresh_from_db()
    return row


def players_for_club(club: Club) -> QuerySet[Player]:
    """Players that directors of ``club`` may see: its own ones and listed ones, merged duplicates left out."""
    own = Player.objects.filter(club_links__club=club).values("pk")
    return Player.objects.filter(Q(listed=True) | Q(pk__in=own), merged_into=None)


def player_for_club(club: Club, public_id: str, *, own: bool = False) -> Player:
    """A player whom directors of ``club`` may see, or ``Missing``. ``own``: one known to the club itself."""
    players = players_for_club(club).select_related("home_club").filter(public_id=public_id)
    found = (players.filter(club_links__club=club) if own else players).first()
    if found is None:
        raise Missing("player.unknown")
    return found


def player_with_id(pk: int) -> Player | None:
    """The player, whoever may see them: for somebody who was found before."""
    return Player.objects.filter(pk=pk).first()


def player_of_user(user_id: int) -> Player | None:
    """Who somebody who signs in is among the players."""
    return Player.objects.select_related("home_club").filter(user_id=user_id, merged_into=None).first()


def public_id_of(pk: int) -> str:
    """The id that addresses of the player's pages hold."""
    return str(Player.objects.values_list("public_id", flat=True).get(pk=pk))


def search_players(*, club: Club, text: str, limit: int = SEARCH_LIMIT) -> list[Player]:
    """Players matching every word of ``text`` (any order, accents and case ignored); the club's own come first."""
    words = search_key(text).split()
    if not words:
        return []
    found = players_for_club(club)
    for word in words:
        found = found.filter(search_name__contains=word)
    own = set(
        Player.objects.filter(club_links__club=club, search_name__contains=words[0]).values_list(
            "pk", flat=True
        )
    )
    candidates = list(found.select_related("home_club").order_by("name", "pk")[: limit * 8])
    candidates.sort(key=lambda player: player.pk not in own)
    return candidates[:limit]


def players_by_key(*, club: Club, keys: Iterable[str]) -> dict[str, list[Player]]:
    """Players visible to the club whose folded name is exactly one of ``keys``."""
    wanted = list(dict.fromkeys(keys))
    found: dict[str, list[Player]] = {key: [] for key in wanted}
    for start in range(0, len(wanted), 400):
        part = wanted[start : start + 400]
        for player in (
            players_for_club(club).filter(search_name__in=part).select_related("home_club").order_by("pk")
        ):
            found[player.search_name].append(player)
    return found
