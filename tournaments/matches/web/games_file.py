"""Export of games: a zip with the files of matches and a table of all matches.

The columns are those that the Backgammon Masters Awarding Body and its organisers ask for: event, day,
length, both players, the file of the match, and the performance. That body analyses matches itself, with
eXtreme Gammon, and takes matches that were chosen before they were played (https://bgmastersab.com/about), so
the table has all played matches, also those without a file.
"""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from faults import Invalid, Missing
from games.models import StoredRecord
from games.records.canonical import canonical
from games.records.registry import FORMATS, write_record
from games.services.checking import check_with_limits
from games.web.analysed import PR_MARGIN, engine_label
from people.audience import Audience, override_audience
from people.selectors import player_of_user
from people.spreadsheets import BYTE_ORDER_MARK, csv_text
from people.web.access import page_view, render_refusal, request_user
from tournaments.engine.types import Side
from tournaments.matches.services.records import redacted_record
from tournaments.models import Event
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.event_dates import event_date
from tournaments.selectors.events.formats import match_format
from tournaments.selectors.matches.games_out import (
    MAX_MATCHES,
    ExportedMatch,
    exported_matches_of_entry,
    exported_matches_of_event,
    exported_matches_of_player,
    iter_with_files,
)
from tournaments.shared.frames.access import event_page
from tournaments.shared.frames.player import add_private_headers, is_rate_limited, secret_view
from tournaments.shared.words.names import result_kind_note, round_name_in_section
from tournaments.shared.words.rulings import match_clock_label

SHEET_FILENAME: Final = "matches.csv"
EXPORT_FORMAT: Final = "mat"  # if the submitted file itself may not be exported
MAX_DOWNLOADS, PERIOD_SECONDS = 30, 600


@secret_view
@require_safe
def entry_games_file(request: HttpRequest, token: str) -> HttpResponse:
    """Zip with the own matches of an entry in its event, by personal link."""
    entry = entry_from_token(token)
    if is_rate_limited(request, "games-file", limit=MAX_DOWNLOADS, seconds=PERIOD_SECONDS):
        return _too_many_downloads(request)
    return _zip_response(exported_matches_of_entry(entry), f"matches-{entry.division.event.public_id}")


@page_view
def player_games_file(request: HttpRequest) -> HttpResponse:
    """Zip with the signed-in player's own matches in a period; without dates, all of them.

    The period is ``?first=2026-01-01&last=2026-12-31``.
    """
    player = player_of_user(request_user(request).pk)
    if player is None:
        raise Missing("player.unknown")
    if is_rate_limited(request, "games-file", limit=MAX_DOWNLOADS, seconds=PERIOD_SECONDS):
        return _too_many_downloads(request)
    try:
        first, last = (_parse_day(request, name) for name in ("first", "last"))
    except Invalid as error:
        return add_private_headers(render_refusal(request, error, back_url=reverse("player:me")))
    return add_private_headers(_zip_response(exported_matches_of_player(player, first, last), "matches"))


@event_page
def event_games(request: HttpRequest, event: Event) -> HttpResponse:  # noqa: ARG001 (the frame hands it over)
    """Zip with all matches of the event for a director, under public names and with public games only."""
    with override_audience(Audience.PUBLIC):
        return add_private_headers(
            _zip_response(exported_matches_of_event(event), f"matches-{event.public_id}")
        )


def _too_many_downloads(request: HttpRequest) -> HttpResponse:
    reason = _("You have downloaded many files in a short time. Try again in a few minutes.")
    return add_private_headers(render(request, "shared/gone.html", {"reason": reason}, status=429))


def _parse_day(request: HttpRequest, name: str) -> date | None:
    """Return the date in a query parameter; None if empty. Raises ``Invalid`` if it is not a date."""
    text = request.GET.get(name, "")[:20]
    try:
        day = parse_date(text) if text else None
    except ValueError:
        day = None
    if text and day is None:
        raise Invalid("games.day_odd", field=name, value=text.replace("\0", ""))
    return day


def _zip_response(rows: Sequence[ExportedMatch], name: str) -> HttpResponse:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        lines = [_sheet_header()]
        for row, stored_record in iter_with_files(rows):
            path, content = _match_file(row, stored_record)
            if path:
                archive.writestr(path, content)
            lines.append(_sheet_row(row, path))
        if len(rows) == MAX_MATCHES:
            lines.append(
                [
                    _(
                        "Only the latest %(number)s matches are included. Choose a shorter period for the others."
                    )
                    % {"number": MAX_MATCHES}
                ]
            )
        archive.writestr(SHEET_FILENAME, BYTE_ORDER_MARK + csv_text(lines))
    response = HttpResponse(file.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{name}.zip"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _match_file(row: ExportedMatch, stored_record: StoredRecord | None) -> tuple[str, bytes]:
    """Return name and content of a match's file in the zip; both empty if no file may be exported."""
    if stored_record is None:
        return "", b""
    name = f"{_played_on(row).isoformat()}-{row.match.public_id}"
    content = bytes(stored_record.content)
    if row.can_export_unchanged:
        suffix = FORMATS[stored_record.format].suffix if stored_record.format in FORMATS else ".txt"
        return name + suffix, content
    check_result = check_with_limits(
        content, stored_record.filename, match_format(row.match.stage, row.match.length)
    )
    if check_result.record is None:
        return "", b""
    record = replace(redacted_record(row.match, check_result.record, row.left), tags=())
    return name + FORMATS[EXPORT_FORMAT].suffix, write_record(canonical(record), EXPORT_FORMAT).data


def _played_on(row: ExportedMatch) -> date:
    """Return the date of the match in the event's time zone; the event's first day if none is known."""
    event, played_at = row.match.stage.division.event, row.match.played_at
    return event_date(event, played_at) if played_at is not None else event.starts_on


def _sheet_header() -> list[str]:
    return [
        *(
            _("Event"),
            _("Club"),
            pgettext("of an event", "Place"),
            _("Date"),
            _("Division"),
            _("Round"),
            _("Match length"),
        ),
        *(_("Player %(number)s") % {"number": 1}, _("Player %(number)s") % {"number": 2}),
        *(
            _("Points %(number)s") % {"number": 1},
            _("Points %(number)s") % {"number": 2},
            pgettext("to a result", "Note"),
        ),
        *(_("Clock"), _("PR %(number)s") % {"number": 1}, _("PR %(number)s") % {"number": 2}, _("PR source")),
        _("File"),
    ]


def _sheet_row(row: ExportedMatch, path: str) -> list[str]:
    match = row.match
    division = match.stage.division
    event = division.event
    points = {Side.A: match.score_a, Side.B: match.score_b}
    sides = (row.own, row.own.other)
    return [
        *(event.name, event.club.name, event.place, _played_on(row).isoformat(), division.name),
        *(round_name_in_section(match.round.section, match.round.code), str(match.length)),
        *(row.names.get(side, "") for side in sides),
        *("" if points[side] is None else str(points[side]) for side in sides),
        *(
            result_kind_note(match.result_kind) if match.result_kind != "played" else "",
            match_clock_label(match),
        ),
        *(f"{row.ratings[side]:.2f}" if side in row.ratings else "" for side in sides),
        _rating_source(row),
        path,
    ]


def _rating_source(row: ExportedMatch) -> str:
    """Return the source of the rating as text; an estimate is marked as such, with its margin."""
    if row.analysis is None or not row.ratings:
        return ""
    if row.analysis.of_file:
        return engine_label(row.analysis)
    return _("estimate ±%(margin)s, %(engine)s") % {"margin": PR_MARGIN, "engine": engine_label(row.analysis)}
