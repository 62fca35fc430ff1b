"""Standings of an event as CSV: places, points and tie-breaks, with the edition of each column."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from people.spreadsheets import BYTE_ORDER_MARK, csv_text
from people.web.versioned import versioned_response
from tournaments.engine.standings.ranking import Place
from tournaments.engine.standings.table import Value
from tournaments.engine.standings.tie_breaks import get_tie_break
from tournaments.selectors.access.versions import names_version
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.events.detail import DivisionView, StageView, division_views
from tournaments.selectors.standings.tables import StandingsTable, is_round_based, standings_tables
from tournaments.shared.frames.public import public_view
from tournaments.shared.words.names import group_name, withdrawn_title
from tournaments.shared.words.tie_breaks import edition_name, tie_break_head


@public_view
def standings_csv(request: HttpRequest, event: str) -> HttpResponse:
    """Download of the standings as CSV: a row for each entry, with the tables of all stages in sequence."""
    visible = visible_event(request.user, event)
    versions = [visible.event.version, names_version()]

    def draw() -> HttpResponse:
        parts = [
            _standings_csv(division, view, table)
            for division in division_views(visible.event)
            for view in division.stages
            if view.draw is not None and is_round_based(view.stage)
            for table in standings_tables(view.draw)
        ]
        text = "\r\n".join(parts or [csv_text([_column_heads()])])  # an event without tables: the header only
        response = HttpResponse(BYTE_ORDER_MARK + text, content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="tables-{visible.event.public_id}.csv"'
        response["X-Robots-Tag"] = "noindex"
        return response

    return versioned_response(request, versions, draw, role=visible.role, everybody=not visible.role)


def _standings_csv(division: DivisionView, view: StageView, table: StandingsTable) -> str:
    codes, names = table.criteria[1:], {entry.pk: withdrawn_title(entry) for entry in division.entries}
    common_cells = [division.division.name, str(view.stage), group_name(table.group) if table.group else ""]
    rows = [
        _column_heads(lives=bool(table.lives_by_entry))
        + [_tie_break_column_head(code, table) for code in codes]
    ]
    for row in table.rows:
        place = str(Place(row.first, row.last, settled=True))
        lives = [str(table.lives_by_entry[row.entry])] if table.lives_by_entry else []
        points = _number_text("points", table.points[row.entry])
        values = [_number_text(code, row.values.get(code)) for code in codes]
        rows.append([*common_cells, place, names[row.entry], *lives, points, *values])
    return csv_text(rows)


def _column_heads(*, lives: bool = False) -> list[str]:
    lives_head = [_("Lives left")] if lives else []
    return [_("Division"), _("Stage"), _("Group"), _("Place"), _("Name"), *lives_head, _("Points")]


def _tie_break_column_head(code: str, table: StandingsTable) -> str:
    """Return a column title such as “Buchholz (FIDE 2026)”.

    Without the edition if no regulation defines the tie-break.
    """
    head = tie_break_head(code)
    return f"{head} ({edition_name(table.edition)})" if get_tie_break(code).articles else head


def _number_text(code: str, value: Value | None) -> str:
    """Return a tie-break value as a plain decimal number; empty if there is no value."""
    if value is None:
        return ""
    number = float(get_tie_break(code).counted(value))
    return str(int(number)) if number.is_integer() else f"{number:.4f}".rstrip("0")
