"""A points league of money play on the public pages of its event, and as a CSV file."""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import mark_safe

from faults import Missing
from people.web.versioned import versioned_response
from tournaments.models import Division, Stage
from tournaments.selectors.access.versions import names_version
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.entries import EntryRow, entries_by_division
from tournaments.selectors.money import (
    PointsLeague,
    points_league_settings,
    points_leagues,
    public_money_stages,
)
from tournaments.shared.fragments.cards import Context, player_urls_by_entry
from tournaments.shared.fragments.money import (
    champions,
    points_league_context,
    points_league_rule_rows,
    sessions_context,
)
from tournaments.shared.fragments.money import points_league_csv as csv_of
from tournaments.shared.frames.public import public_view


def money_stage_context(stage: Stage, league: PointsLeague | None, entries: tuple[EntryRow, ...]) -> Context:
    """Return the context of ``site/_money.html``; only the options of the league if ``league`` is None."""
    context = {
        "system": str(stage.get_system_display()),
        "agreed": points_league_rule_rows(points_league_settings(stage)),
    }
    if league is None:
        return context
    pages = player_urls_by_entry(entries)
    return {
        **context,
        "points": points_league_context(league, entries),
        "champions": [
            {"name": entry.name, "url": pages.get(entry.pk, "")} for entry in champions(league, entries)
        ],
    }


def render_sessions(league: PointsLeague, entries: tuple[EntryRow, ...], division: Division) -> str:
    """Return the HTML of the league's table, with the points of each session."""
    context = {
        "key": league.stage.pk,
        "table": points_league_context(league, entries),
        "sessions": sessions_context(league, entries),
        "csv": reverse("public:points-csv", args=[division.event.public_id]),
    }
    return mark_safe(render_to_string("money_play/_money_sessions.html", context))  # noqa: S308 (our own template escapes)


@public_view
def points_csv(request: HttpRequest, event: str) -> HttpResponse:
    """CSV file with the tables of all points leagues of the event, with every session."""
    visible = visible_event(request.user, event)
    stages = public_money_stages(visible.event)
    if not stages:
        raise Missing("stage.unknown")
    versions = [visible.event.version, names_version()]

    def draw() -> HttpResponse:
        leagues = points_leagues(stages)
        entries = entries_by_division([stage.division_id for stage in stages])
        parts = [csv_of(leagues[stage.pk], tuple(entries[stage.division_id])) for stage in stages]
        response = HttpResponse("\ufeff" + "\r\n".join(parts), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="points-{visible.event.public_id}.csv"'
        response["X-Robots-Tag"] = "noindex"
        return response

    return versioned_response(request, versions, draw, role=visible.role, everybody=not visible.role)
