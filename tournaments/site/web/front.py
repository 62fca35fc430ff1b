"""Front page of the site: live and upcoming events, latest winners, and an introduction for clubs."""

from collections.abc import Sequence
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import date_format

from rating.models import RatingList
from rating.selectors import site_list, top_players
from tournaments.engine.statuses import EventStatus
from tournaments.models import Event
from tournaments.selectors.access.versions import club_list_topics, event_list_topics, topics_version
from tournaments.selectors.events.clubs import all_clubs
from tournaments.selectors.events.detail import event_lists
from tournaments.selectors.events.front import event_winners, next_entry_deadline, open_places_by_event
from tournaments.shared.fragments.cards import Context, url_builder
from tournaments.shared.frames.public import public_page, public_view
from tournaments.site.web.event_rows import current_hour_key, is_past, is_soon, live_row, upcoming_row

CLUBS_SHOWN: Final = 24
WINNER_EVENTS: Final = 4  # events, the latest first
RATINGS_SHOWN: Final = 5


@public_view
def home(request: HttpRequest) -> HttpResponse:
    """Page of public events of all clubs (live, soon, later), latest winners, and top of the rating list."""
    ratings = site_list()

    def context() -> dict[str, Any]:
        lists = event_lists()
        open_places = open_places_by_event(lists.upcoming) if lists.upcoming else {}
        upcoming = [
            (event, upcoming_row(event, open_places.get(event.pk)))
            for event in lists.upcoming
            if not is_past(event)
        ]
        clubs = list(all_clubs()[: CLUBS_SHOWN + 1])
        finished = [event for event in lists.finished if event.status == EventStatus.FINISHED]
        return {
            "live": [live_row(event) for event in lists.running],
            "soon": [row for event, row in upcoming if is_soon(event)],
            "later": [row for event, row in upcoming if not is_soon(event)],
            "winners": _winner_rows(finished[:WINNER_EVENTS]),
            "over": bool(finished),
            "ratings": _ratings_context(ratings) if ratings is not None else None,
            "clubs": clubs[:CLUBS_SHOWN],
            "more_clubs": len(clubs) > CLUBS_SHOWN,
        }

    versions = [
        topics_version(*event_list_topics(), *club_list_topics()),
        current_hour_key(),
        next_entry_deadline(),
        ratings and [ratings.public_id, ratings.version],
    ]
    return public_page(request, "site/public_home.html", context, versions=versions)


def _winner_rows(events: Sequence[Event]) -> list[Context]:
    url, winners = url_builder("public:event"), event_winners(events)
    event_ids = [winner.event.pk for winner in winners]
    return [
        {
            "key": f"{winner.event.public_id}-{number}",
            "name": winner.name,
            "url": url(winner.event.public_id),
            "event": winner.event.name,
            "division": winner.division if event_ids.count(winner.event.pk) > 1 else "",
            "when": date_format(winner.event.ends_on, "MONTH_DAY_FORMAT"),
        }
        for number, winner in enumerate(winners)
    ]


def _ratings_context(rating_list: RatingList) -> Context:
    url = url_builder("public:player")
    return {
        "name": rating_list.name,
        "url": reverse("rating:list", args=[rating_list.public_id]),
        "rows": [
            {
                "name": player.name,
                "url": url(player.public_id),
                "country": country,
                "rating": round(rating),
            }
            for player, country, rating in top_players(rating_list, RATINGS_SHOWN)
        ],
    }
