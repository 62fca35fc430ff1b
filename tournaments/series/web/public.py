"""Public page of a series: dates, winners, and the table by points."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from people import versions
from tournaments.selectors.access.versions import event_list_topics, topics_version
from tournaments.selectors.series import series_view, visible_series
from tournaments.series.web.shapes import day_rows, table_context
from tournaments.shared.frames.public import public_page, public_view
from tournaments.shared.words.names import event_dates_label


@public_view
def series(request: HttpRequest, series: str) -> HttpResponse:
    """Page of a series with listed events and players. Directors can see it before an event is listed."""
    visible = visible_series(request.user, series)
    club = visible.series.club

    def context() -> dict[str, Any]:
        view = series_view(visible.series)
        next_event = view.next
        return {
            "series": visible.series,
            "club": club,
            "next": next_event,
            "next_when": event_dates_label(next_event) if next_event is not None else "",
            "coming": day_rows(view.coming, "public:event"),
            "running": day_rows(view.running, "public:event"),
            "over": day_rows(view.over, "public:event"),
            "table": table_context(view),
        }

    return public_page(
        request,
        "series/public_series.html",
        context,
        versions=[topics_version(*event_list_topics(club), versions.club_topic(club.pk))],
        role="director" if visible.is_staff_only else "",
        listed=not visible.is_staff_only,
    )
