"""Search of the site: players, events, clubs, and matches of running events.

Only public data is found: listed players, listed events, clubs without restriction, matches of published
draws. A player without a page is neither found nor named, not even as an opponent; nor is an unlisted event.
At most eight queries, whatever the size. Accents and case of players' names are removed in the database,
those of events and clubs here, for the newest ``MAX_SEARCHED_ROWS`` events and the first
``MAX_SEARCHED_ROWS`` clubs by name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.db.models import Q

from people.models import Club, Player
from tournaments.engine.statuses import DRAW_PUBLIC, OVER, EventStatus
from tournaments.models import EntryPlayer, Event, Match, MatchSlot
from tournaments.selectors.access.visibility import listed_events
from tournaments.selectors.events.clubs import find_players
from tournaments.selectors.text_search import MAX_SEARCHED_ROWS, folded_words, matching_ids

MAX_RESULTS: Final = 8  # of each kind
MAX_MATCH_PLAYERS: Final = 40  # so many players of that name are looked for in matches


@dataclass(frozen=True, slots=True)
class MatchResult:
    """An unfinished match that was found.

    ``sides``: names of the entries, the first side first; None for an entry with an unlisted player.
    """

    public_id: str
    number: int
    sides: tuple[str | None, ...]
    event: str


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The players, events, clubs and matches that were found, at most ``MAX_RESULTS`` of each kind.

    Players and clubs are sorted by name, events newest first.
    """

    players: tuple[Player, ...] = ()
    events: tuple[Event, ...] = ()
    clubs: tuple[Club, ...] = ()
    matches: tuple[MatchResult, ...] = ()


def search_site(text: str) -> SearchResults:
    """Search the site for all words of ``text``, in any order, ignoring accents, case and punctuation.

    Empty if ``text`` contains no letters or digits.
    """
    words = folded_words(text)
    if not words:
        return SearchResults()
    players = list(find_players(text)[:MAX_MATCH_PLAYERS])
    return SearchResults(
        players=tuple(players[:MAX_RESULTS]),
        events=_search_events(words),
        clubs=_search_clubs(words),
        matches=_search_matches([player.pk for player in players]),
    )


def _search_events(words: Sequence[str]) -> tuple[Event, ...]:
    rows = listed_events().order_by("-starts_on", "-pk").values_list("pk", "name", "place", "club__name")
    matched_ids = matching_ids(words, ((pk, " ".join(texts)) for pk, *texts in rows[:MAX_SEARCHED_ROWS]))
    events = listed_events().select_related("club").filter(pk__in=list(islice(matched_ids, MAX_RESULTS)))
    return tuple(events.order_by("-starts_on", "-pk"))


def _search_clubs(words: Sequence[str]) -> tuple[Club, ...]:
    rows = Club.objects.filter(shut="").order_by("name", "pk").values_list("pk", "name", "city")
    matched_ids = matching_ids(words, ((pk, " ".join(texts)) for pk, *texts in rows[:MAX_SEARCHED_ROWS]))
    return tuple(Club.objects.filter(pk__in=list(islice(matched_ids, MAX_RESULTS))).order_by("name", "pk"))


def _search_matches(players: Sequence[int]) -> tuple[MatchResult, ...]:
    """Return the unfinished matches of these players (ids) in listed running events."""
    if not players:
        return ()
    running = listed_events().filter(status=EventStatus.RUNNING)
    entered_players = EntryPlayer.objects.filter(player__in=players, division__event__in=running)
    matches = list(
        Match.objects.filter(
            slots__entry__in=entered_players.values("entry_id"), stage__status__in=DRAW_PUBLIC
        )
        .exclude(status__in=OVER)
        .select_related("stage__division__event")
        .order_by("stage_id", "number")
        .distinct()[:MAX_RESULTS]
    )
    has_unlisted = Q(entry__entry_players__player__listed=False)
    unlisted_slots = set(
        MatchSlot.objects.filter(has_unlisted, match__in=[match.pk for match in matches]).values_list(
            "pk", flat=True
        )
    )
    sides: dict[int, list[str | None]] = {}
    slots = MatchSlot.objects.filter(match__in=[match.pk for match in matches], entry__isnull=False)
    for pk, match, name in slots.order_by("match", "side").values_list("pk", "match_id", "entry__name"):
        sides.setdefault(match, []).append(None if pk in unlisted_slots else name)
    return tuple(
        MatchResult(
            match.public_id, match.number, tuple(sides.get(match.pk, ())), match.stage.division.event.name
        )
        for match in matches
    )
