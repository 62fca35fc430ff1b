"""Clubs for pages and API: a club, its member clubs and its listed players."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from people.models import Club, Player
from people.selectors import listed_players_matching, member_clubs
from tournaments.selectors.events.detail import EventLists, event_lists
from tournaments.selectors.text_search import MAX_SEARCHED_ROWS, folded_words, matching_ids

MAX_PLAYERS = 12


@dataclass(frozen=True, slots=True)
class ClubView:
    """A club with its listed events, its member clubs and the first of its players.

    ``player_count``: number of all its listed players.
    """

    club: Club
    events: EventLists
    member_clubs: tuple[Club, ...]
    players: tuple[Player, ...]
    player_count: int


def club_view(club: Club) -> ClubView:
    """Load a club with its events, its member clubs and the first ``MAX_PLAYERS`` of its listed players.

    Six queries.
    """
    players = players_of_club(club)
    return ClubView(
        club=club,
        events=event_lists(club),
        member_clubs=tuple(member_clubs(club)),
        players=tuple(players[:MAX_PLAYERS]),
        player_count=players.count(),
    )


def all_clubs() -> QuerySet[Club]:
    """Return all clubs that no operator restricted, sorted by name."""
    return Club.objects.filter(shut="").select_related("parent").order_by("name", "pk")


def search_clubs(text: str) -> QuerySet[Club]:
    """Return the public clubs with every word of ``text`` in name or town, sorted by name; all if empty.

    Accents are ignored only among the first ``MAX_SEARCHED_ROWS`` clubs.
    """
    clubs = all_clubs()
    if not text.split():
        return clubs
    as_written = Q()
    for word in text.split():
        as_written &= Q(name__icontains=word) | Q(city__icontains=word)
    words = folded_words(text)
    first_rows = clubs.values_list("pk", "name", "city")[:MAX_SEARCHED_ROWS] if words else ()
    return clubs.filter(
        as_written | Q(pk__in=list(matching_ids(words, ((pk, " ".join(texts)) for pk, *texts in first_rows))))
    )


def players_of_club(club: Club, text: str = "") -> QuerySet[Player]:
    """Return the listed players known to ``club`` with every word of ``text`` in the name, sorted by name."""
    return find_players(text).filter(club_links__club=club)


def find_players(text: str = "") -> QuerySet[Player]:
    """Return the listed players whose name matches ``text``, sorted by name; ignores accents and case."""
    return listed_players_matching(text).select_related("home_club").order_by("name", "pk")
