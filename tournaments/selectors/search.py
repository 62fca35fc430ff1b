"""What stands on the site under some words: players, events, clubs, and matches of events that are running.

Found is what stands in lists: public players, public events that are no drafts, every club, matches of published draws. A
player without a page is found nowhere and named nowhere, not even as somebody's opponent; nor is an unlisted event.

Six queries, whatever the size. Names of players are folded in the database, of events and clubs here: the newest
`MOST` and the first as many by name are looked through.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.db.models import Q

from people.models import Club, Player
from tournaments.engine.statuses import DRAW_SHOWN, OVER, EventStatus
from tournaments.models import EntryPlayer, Event, Match, MatchSlot
from tournaments.selectors.access.visibility import listed_events
from tournaments.selectors.events.clubs import find_players
from tournaments.selectors.text_search import MOST, fitting, words_of

SHOWN: Final = 8  # of each kind
PLAYERS_IN_MATCHES: Final = 40  # so many players of that name are looked for in matches


@dataclass(frozen=True, slots=True)
class FoundMatch:
    """``sides``: names from the first side on, None for who has no page."""

    public_id: str
    number: int
    sides: tuple[str | None, ...]
    event: str


@dataclass(frozen=True, slots=True)
class Found:
    """What has every word; `SHOWN` of each kind at most, players by name, events newest first."""

    players: tuple[Player, ...] = ()
    events: tuple[Event, ...] = ()
    clubs: tuple[Club, ...] = ()
    matches: tuple[FoundMatch, ...] = ()


def found_by(text: str) -> Found:
    """Everything that has every word of ``text``, in any order; accents, case and signs do not matter."""
    words = words_of(text)
    if not words:
        return Found()
    players = list(find_players(text)[:PLAYERS_IN_MATCHES])
    return Found(
        players=tuple(players[:SHOWN]),
        events=_events(words),
        clubs=_clubs(words),
        matches=_matches([player.pk for player in players]),
    )


def _events(words: Sequence[str]) -> tuple[Event, ...]:
    rows = listed_events().order_by("-starts_on", "-pk").values_list("pk", "name", "place", "club__name")
    found_in = fitting(words, ((pk, " ".join(texts)) for pk, *texts in rows[:MOST]))
    found = listed_events().select_related("club").filter(pk__in=list(islice(found_in, SHOWN)))
    return tuple(found.order_by("-starts_on", "-pk"))


def _clubs(words: Sequence[str]) -> tuple[Club, ...]:
    rows = Club.objects.filter(shut="").order_by("name", "pk").values_list("pk", "name", "city")
    found_in = fitting(words, ((pk, " ".join(texts)) for pk, *texts in rows[:MOST]))
    return tuple(Club.objects.filter(pk__in=list(islice(found_in, SHOWN))).order_by("name", "pk"))


def _matches(players: Sequence[int]) -> tuple[FoundMatch, ...]:
    """Matches of these players that are not over, in listed events that are running."""
    if not players:
        return ()
    running = listed_events().filter(status=EventStatus.RUNNING)
    entered = EntryPlayer.objects.filter(player__in=players, division__event__in=running)
    matches = list(
        Match.objects.filter(slots__entry__in=entered.values("entry_id"), stage__status__in=DRAW_SHOWN)
        .exclude(status__in=OVER)
        .select_related("stage__division__event")
        .order_by("stage_id", "number")
        .distinct()[:SHOWN]
    )
    private = Q(entry__entry_players__player__listed=False)
    hidden = set(
        MatchSlot.objects.filter(private, match__in=[match.pk for match in matches]).values_list(
            "pk", flat=True
        )
    )
    sides: dict[int, list[str | None]] = {}
    slots = MatchSlot.objects.filter(match__in=[match.pk for match in matches], entry__isnull=False)
    for pk, match, name in slots.order_by("match", "side").values_list("pk", "match_id", "entry__name"):
        sides.setdefault(match, []).append(None if pk in hidden else name)
    return tuple(
        FoundMatch(
            match.public_id, match.number, tuple(sides.get(match.pk, ())), match.stage.division.event.name
        )
        for match in matches
    )
