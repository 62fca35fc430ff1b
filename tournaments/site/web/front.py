"""The front page: what is played, what comes next, who won, and what a club can do here."""

from collections.abc import Sequence
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import date_format

from rating.models import RatingList
from rating.selectors import best_of, site_list
from tournaments.engine.statuses import EventStatus
from tournaments.models import Event
from tournaments.selectors.access.versions import topics_of_clubs, topics_of_lists, version_of
from tournaments.selectors.events.clubs import all_clubs
from tournaments.selectors.events.detail import event_lists
from tournaments.selectors.events.front import entries_end, room_in, winners_in
from tournaments.shared.fragments.cards import Shape, addresses
from tournaments.shared.frames.public import public_page, public_view
from tournaments.site.web.event_rows import ahead_row, is_past, is_soon, live_row, this_hour

CLUBS_SHOWN: Final = 24
WINNERS_OF: Final = 4  # events, the latest first
RATINGS_SHOWN: Final = 5


@public_view
def home(request: HttpRequest) -> HttpResponse:
    """Public events of all clubs: live, of the next seven days, later; the latest winners; the best of the site's rating list."""
    ratings = site_list()

    def context() -> dict[str, Any]:
        lists = event_lists()
        room = room_in(lists.upcoming) if lists.upcoming else {}
        ahead = [
            (event, ahead_row(event, room.get(event.pk))) for event in lists.upcoming if not is_past(event)
        ]
        clubs = list(all_clubs()[: CLUBS_SHOWN + 1])
        finished = [event for event in lists.finished if event.status == EventStatus.FINISHED]
        return {
            "live": [live_row(event) for event in lists.running],
            "soon": [row for event, row in ahead if is_soon(event)],
            "later": [row for event, row in ahead if not is_soon(event)],
            "winners": _winners(finished[:WINNERS_OF]),
            "over": bool(finished),
            "ratings": _ratings(ratings) if ratings is not None else None,
            "clubs": clubs[:CLUBS_SHOWN],
            "more_clubs": len(clubs) > CLUBS_SHOWN,
        }

    versions = [
        version_of(*topics_of_lists(), *topics_of_clubs()),
        this_hour(),
        entries_end(),
        ratings and [ratings.public_id, ratings.version],
    ]
    return public_page(request, "site/public_home.html", context, versions=versions)


def _winners(events: Sequence[Event]) -> list[Shape]:
    url, found = addresses("public:event"), winners_in(events)
    several = [one.event.pk for one in found]
    return [
        {
            "key": f"{one.event.public_id}-{number}",
            "name": one.name,
            "url": url(one.event.public_id),
            "event": one.event.name,
            "division": one.division if several.count(one.event.pk) > 1 else "",
            "when": date_format(one.event.ends_on, "MONTH_DAY_FORMAT"),
        }
        for number, one in enumerate(found)
    ]


def _ratings(found: RatingList) -> Shape:
    url = addresses("public:player")
    return {
        "name": found.name,
        "url": reverse("rating:list", args=[found.public_id]),
        "rows": [
            {
                "name": player.name,
                "url": url(player.public_id),
                "country": country,
                "rating": round(rating),
            }
            for player, country, rating in best_of(found, RATINGS_SHOWN)
        ],
    }
