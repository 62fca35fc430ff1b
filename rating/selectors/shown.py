"""Texts for ratings and players' names, so that they look the same everywhere."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext

from names.folding import search_key
from people.models import Player, PlayerClub
from rating.formulas import get_system
from rating.models import RatingList
from rating.store.reading import merged_players


def number_text(value: float, digits: int = 2) -> str:
    """Return ``value`` rounded to ``digits`` decimals, in the active language.

    Django's own function truncates floats.
    """
    return number_format(f"{value:.{digits}f}", digits)


def number_label(rating_list: RatingList) -> str:
    """Return what the numbers of the list are called: "Points" or "Rating"."""
    return gettext("Points") if get_system(rating_list.system).is_points_system else gettext("Rating")


def is_provisional(rating_list: RatingList, experience: int) -> bool:
    """Return whether a rating with this experience is provisional. Points that are only earned never are."""
    return not get_system(rating_list.system).is_points_system and experience < rating_list.provisional_below


def rating_text(rating: float) -> str:
    return number_text(rating)


class DeviationMixin:
    """Adds the text of ``deviation`` (Glicko-2) to a class; None on lists of other systems."""

    __slots__ = ()
    deviation: float | None

    @property
    def deviation_text(self) -> str:
        return "" if self.deviation is None else rating_text(self.deviation)


class ListRowMixin(DeviationMixin):
    """Adds the rating's text and the address of the player's page to a row of a list."""

    __slots__ = ()
    player: "PlayerName"
    rating: float
    list_id: str

    @property
    def rating_text(self) -> str:
        return rating_text(self.rating)

    @property
    def url(self) -> str:
        return self.player.url(self.list_id)


def delta_text(delta: float) -> str:
    """Return a rating change as text with its sign; without a sign if it rounds to zero."""
    if abs(delta) < 0.005:
        return number_text(0.0)
    return ("+" if delta > 0 else "\N{MINUS SIGN}") + number_text(abs(delta))


def sign_of(delta: float) -> int:
    return 0 if abs(delta) < 0.005 else 1 if delta > 0 else -1


def percent_text(chance: float) -> str:
    return gettext("%(number)s %%") % {"number": number_text(100.0 * chance, 1)}


@dataclass(frozen=True, slots=True)
class PlayerName:
    """A player's name as visible to the public; ``public_id`` is empty if the player is not listed."""

    name: str
    public_id: str = ""

    def url(self, list_public_id: str) -> str:
        return reverse("rating:player", args=[list_public_id, self.public_id]) if self.public_id else ""


def player_names(player_ids: Iterable[int], *, club_id: int | None = None) -> dict[int, PlayerName]:
    """Return the names that the public may see, keyed by player id; unlisted players are "Private player".

    ``club_id``: for directors of this club, players known to the club have their names, too.
    """
    ids = sorted(set(player_ids))
    own_ids: set[int] = set()
    if club_id is not None:
        club_links = PlayerClub.objects.filter(club_id=club_id, player__listed=False)
        own_ids = set(club_links.values_list("player_id", flat=True))
    return {
        pk: PlayerName(name, public_id) if listed or pk in own_ids else PlayerName(gettext("Private player"))
        for start in range(0, len(ids), 5000)
        for pk, name, public_id, listed in Player.objects.filter(
            pk__in=ids[start : start + 5000]
        ).values_list("pk", "name", "public_id", "listed")
    }


def players_by_name(text: str, candidates: QuerySet[Player]) -> QuerySet[Player, Any] | None:
    """Return a query of the ids of those ``candidates`` who have every word of ``text`` in their name.

    None if ``text`` has no words. Ids of players merged into them are included. A merged player's own name
    finds nothing: the remaining player may have hidden it.
    """
    words = search_key(text).split()
    if not words:
        return None
    matching = candidates.filter(merged_into=None)
    for word in words:
        matching = matching.filter(search_name__contains=word)
    merged = merged_players()
    surviving_ids = (
        set(matching.filter(pk__in=set(merged.values())).values_list("pk", flat=True)) if merged else set()
    )
    merged_ids = [pk for pk, survivor in merged.items() if survivor in surviving_ids]
    return Player.objects.filter(Q(pk__in=matching.values("pk")) | Q(pk__in=merged_ids)).values("pk")
