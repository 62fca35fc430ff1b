"""Ratings by which divisions are limited: of a list of this site, or of somebody else as players and lists brought them."""

from collections.abc import Collection, Mapping

from faults import Missing
from people.models import Club, OutsideRating
from people.numbers import Known, known_of
from rating.selectors import club_lists, list_by_public_id, ratings_for
from tournaments.engine.limits import OWN_LIST, Rating, RatingLimit, Verdict, verdict_on
from tournaments.models import Division, Event
from tournaments.selectors.access.links import today_of

MOST_OFFERED = 40


def sources_of(club: Club) -> list[str]:
    """What can be named as the source of a limit: lists of the club, then whoever else rates its players, by name."""
    others = (
        OutsideRating.objects.filter(player__club_links__club=club)
        .order_by()
        .values_list("source", flat=True)
    )
    names = [one.name for one in club_lists(club.pk)]
    return list(dict.fromkeys([*names, *sorted(others.distinct()[:MOST_OFFERED])]))


def source_meant(club: Club, text: str) -> str:
    """The source as a limit keeps it: a list of the club by its name, else the name of somebody outside."""
    if not text or text.startswith(OWN_LIST):
        return text
    for one in club_lists(club.pk):
        if one.name.casefold() == text.casefold():
            return f"{OWN_LIST}{one.public_id}"
    return text


def is_source(club: Club, source: str) -> bool:
    """Whether there is such a source: a rating list has to be there; of others nobody knows what they rate."""
    if not source.startswith(OWN_LIST):
        return True
    return any(one.public_id == source.removeprefix(OWN_LIST) for one in club_lists(club.pk, archived=True))


def source_name(source: str) -> str:
    """How a source is called; that of a list that is gone is empty."""
    if not source.startswith(OWN_LIST):
        return source
    try:
        return list_by_public_id(source.removeprefix(OWN_LIST)).name
    except Missing:
        return ""


def ratings_by(sources: Collection[str], players: Collection[int]) -> dict[str, dict[int, Rating]]:
    """What these sources rate these players at, by source and player; who has no rating there is left out."""
    found: dict[str, dict[int, Rating]] = {}
    others = {source for source in sources if not source.startswith(OWN_LIST)}
    known = known_of(players) if others else {}
    for source in sources:
        found[source] = _outside(source, known) if source in others else _own(source, players)
    return found


def verdicts_on(limit: RatingLimit, players: Collection[int], event: Event) -> dict[int, Verdict]:
    """How each of these players stands to ``limit`` today, where the event takes place."""
    today = today_of(event)
    ratings = ratings_by([limit.source], players)[limit.source]
    return {pk: verdict_on(limit, ratings.get(pk), today) for pk in players}


def verdicts_in(
    event: Event, divisions: Collection[Division], players: Collection[int]
) -> dict[int, dict[int, Verdict]]:
    """The same for each of ``divisions`` that has a limit, by its id; three queries, and two for each list of this site."""
    limits = {one.pk: limit for one in divisions if (limit := one.limit) is not None}
    if not limits:
        return {}
    today = today_of(event)
    ratings = ratings_by({limit.source for limit in limits.values()}, players)
    return {
        pk: {player: verdict_on(limit, ratings[limit.source].get(player), today) for player in players}
        for pk, limit in limits.items()
    }


def _own(source: str, players: Collection[int]) -> dict[int, Rating]:
    try:
        found = list_by_public_id(source.removeprefix(OWN_LIST))
    except Missing:
        return {}
    return {pk: Rating(value) for pk, value in ratings_for(players, found.pk).items()}


def _outside(source: str, known: Mapping[int, Known]) -> dict[int, Rating]:
    wanted = source.casefold()
    return {
        pk: Rating(one.value, one.on)
        for pk, about in known.items()
        for one in about.present
        if one.source.casefold() == wanted
    }
