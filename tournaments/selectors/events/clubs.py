"""Clubs for pages and API: the club itself, its member clubs, its listed players."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from people.models import Club, Player
from people.selectors import listed_with_words, member_clubs
from tournaments.selectors.events.detail import EventLists, event_lists

PLAYERS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class ClubView:
    """A club with what belongs to it."""

    club: Club
    events: EventLists
    member_clubs: tuple[Club, ...]
    players: tuple[Player, ...]
    player_count: int


def club_view(club: Club) -> ClubView:
    """``club`` in six queries, with the first of its listed players by name."""
    players = players_of_club(club)
    return ClubView(
        club=club,
        events=event_lists(club),
        member_clubs=tuple(member_clubs(club)),
        players=tuple(players[:PLAYERS_SHOWN]),
        player_count=players.count(),
    )


def all_clubs() -> QuerySet[Club]:
    """Every public club, by name."""
    return Club.objects.filter(shut="").select_related("parent").order_by("name", "pk")


def clubs_with(text: str) -> QuerySet[Club]:
    """Clubs with every word of ``text`` in name or town, by name."""
    clubs = all_clubs()
    for word in text.split():
        clubs = clubs.filter(Q(name__icontains=word) | Q(city__icontains=word))
    return clubs


def players_of_club(club: Club, text: str = "") -> QuerySet[Player]:
    """Listed players known to ``club``, by name; every word of ``text`` must be in the name."""
    return find_players(text).filter(club_links__club=club)


def find_players(text: str = "") -> QuerySet[Player]:
    """Listed players by name; accents and case do not matter."""
    return listed_with_words(text).select_related("home_club").order_by("name", "pk")
