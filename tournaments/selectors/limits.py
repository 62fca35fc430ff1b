"""Ratings that are compared with the rating limits of divisions.

They come from a rating list of this site, or are outside ratings stored with players.
"""

from collections.abc import Collection, Mapping

from faults import Missing
from people.models import Club, OutsideRating
from people.numbers import ExternalProfile, external_profiles
from rating.selectors import club_lists, list_by_public_id, ratings_for
from tournaments.engine.limits import OWN_LIST_PREFIX, LimitVerdict, Rating, RatingLimit, limit_verdict
from tournaments.models import Division, Event
from tournaments.selectors.event_dates import event_today

MAX_SOURCES = 40


def rating_sources(club: Club) -> list[str]:
    """Return possible sources of a limit: names of the club's lists, then outside sources of its players."""
    outside_sources = (
        OutsideRating.objects.filter(player__club_links__club=club)
        .order_by()
        .values_list("source", flat=True)
    )
    names = [rating_list.name for rating_list in club_lists(club.pk)]
    return list(dict.fromkeys([*names, *sorted(outside_sources.distinct()[:MAX_SOURCES])]))


def normalize_source(club: Club, text: str) -> str:
    """Return the stored form of a source: the prefixed id of the club's list of this name, else the text."""
    if not text or text.startswith(OWN_LIST_PREFIX):
        return text
    for rating_list in club_lists(club.pk):
        if rating_list.name.casefold() == text.casefold():
            return f"{OWN_LIST_PREFIX}{rating_list.public_id}"
    return text


def is_known_source(club: Club, source: str) -> bool:
    """Return whether the source exists; an outside source always counts as known."""
    if not source.startswith(OWN_LIST_PREFIX):
        return True
    return any(
        rating_list.public_id == source.removeprefix(OWN_LIST_PREFIX)
        for rating_list in club_lists(club.pk, archived=True)
    )


def source_name(source: str) -> str:
    """Return the display name of a stored source; empty for a rating list that was deleted."""
    if not source.startswith(OWN_LIST_PREFIX):
        return source
    try:
        return list_by_public_id(source.removeprefix(OWN_LIST_PREFIX)).name
    except Missing:
        return ""


def ratings_by_source(sources: Collection[str], players: Collection[int]) -> dict[str, dict[int, Rating]]:
    """Return the players' ratings: source to a dictionary of player id to rating.

    Players without a rating are left out.
    """
    ratings: dict[str, dict[int, Rating]] = {}
    outside_sources = {source for source in sources if not source.startswith(OWN_LIST_PREFIX)}
    profiles = external_profiles(players) if outside_sources else {}
    for source in sources:
        ratings[source] = (
            _outside_ratings(source, profiles)
            if source in outside_sources
            else _list_ratings(source, players)
        )
    return ratings


def limit_verdicts(limit: RatingLimit, players: Collection[int], event: Event) -> dict[int, LimitVerdict]:
    """Return how each player's rating compares with ``limit`` today, keyed by player id.

    Today is the date in the event's time zone.
    """
    today = event_today(event)
    ratings = ratings_by_source([limit.source], players)[limit.source]
    return {pk: limit_verdict(limit, ratings.get(pk), today) for pk in players}


def verdicts_by_division(
    event: Event, divisions: Collection[Division], players: Collection[int]
) -> dict[int, dict[int, LimitVerdict]]:
    """Return ``limit_verdicts`` for each division with a limit, keyed by division id.

    Three queries, and two for each rating list of this site.
    """
    limits = {division.pk: limit for division in divisions if (limit := division.limit) is not None}
    if not limits:
        return {}
    today = event_today(event)
    ratings = ratings_by_source({limit.source for limit in limits.values()}, players)
    return {
        pk: {player: limit_verdict(limit, ratings[limit.source].get(player), today) for player in players}
        for pk, limit in limits.items()
    }


def _list_ratings(source: str, players: Collection[int]) -> dict[int, Rating]:
    try:
        rating_list = list_by_public_id(source.removeprefix(OWN_LIST_PREFIX))
    except Missing:
        return {}
    return {pk: Rating(value) for pk, value in ratings_for(players, rating_list.pk).items()}


def _outside_ratings(source: str, profiles: Mapping[int, ExternalProfile]) -> dict[int, Rating]:
    folded_source = source.casefold()
    return {
        pk: Rating(outside_rating.value, outside_rating.on)
        for pk, profile in profiles.items()
        for outside_rating in profile.present
        if outside_rating.source.casefold() == folded_source
    }
