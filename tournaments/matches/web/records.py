"""Game records of a match: replay, download, export. Visible to those who may see the match and its games."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import Missing
from games.messages import describe
from games.models import StoredRecord
from games.records.canonical import canonical
from games.records.checking import CheckResult
from games.records.model import Record
from games.records.registry import FORMATS, WRITABLE, write_record
from games.records.validation import ExpectedMatch
from games.records.writing import WrittenRecord
from games.services.checking import check_with_limits
from games.web.analysed_page import analysis_context
from games.web.showing import viewer_context
from games.web.viewing import build_record_view
from tournaments.engine.types import Side
from tournaments.matches.services.records import can_read_names, redacted_record
from tournaments.matches.web.corrected import copy_context
from tournaments.models import Match
from tournaments.selectors.access.versions import names_version
from tournaments.selectors.access.visibility import VisibleEvent, VisibleMatch, visible_match
from tournaments.selectors.events.formats import match_format
from tournaments.selectors.matches.analyses import public_analysis
from tournaments.selectors.matches.records import (
    SubmittedRecord,
    get_record,
    get_record_copy,
    record_copies,
    visible_records,
)
from tournaments.shared.frames.public import is_listed, public_page, public_view


@public_view
def viewer(request: HttpRequest, match: str, version: int | None = None) -> HttpResponse:
    """Page that replays a game record of the match, at ``?game=`` and ``?turn=``.

    ``version``: report with the record; by default the first visible record. Without a change of the event, a
    browser's copy of the page is confirmed and the record is not checked again.
    """
    visible = visible_match(request.user, match)
    row, is_staff_only = _visible_record(visible, version)
    analysis = None if is_staff_only else public_analysis(visible.match)
    if analysis is not None and analysis.record_id != row.record_id:
        analysis = None

    def context() -> dict[str, Any]:
        stored_record = get_record(visible.match, row.version, can_direct=is_staff_only)[1]
        check_result = _check_record(visible.match, stored_record, row.left)
        record_view, replay = build_record_view(check_result), check_result.verdict.replay
        if record_view is None or check_result.record is None:
            raise Missing("record.unknown")
        viewer_values = viewer_context(request, check_result, record_view)
        if analysis is not None and replay is not None:
            viewer_values |= analysis_context(analysis, replay, record_view, viewer_values, request.GET)
        return {
            **viewer_values,
            "club": visible.event.club,
            "dark": "white" if row.left is Side.A else "black",
            "match_url": reverse("public:match", args=[visible.match.public_id]),
            "match_words": _("Match %(number)s") % {"number": visible.match.number},
            "original_url": _record_url("records:original", visible, row),
            "original_open": can_read_names(visible.match),
            "analysed_url": _record_url("records:analysed", visible, row) if analysis is not None else "",
            "repair_url": reverse(
                "director:record-copies", args=[visible.event.public_id, visible.match.public_id, row.version]
            ),
            "copies": [
                {"number": copy.number, "url": _record_url("records:copy", visible, row, copy.number)}
                for copy in record_copies(visible.match, row.version)
            ],
            "downloads": [
                _download_context(
                    code, check_result.record, _record_url("records:export", visible, row, code)
                )
                for code in WRITABLE
            ],
        }

    content_versions = (row.version, row.sha256, analysis.pk if analysis is not None else 0)
    return _page(request, visible, context, inside=is_staff_only, shows=content_versions)


def _page(
    request: HttpRequest,
    visible: VisibleMatch,
    context: Callable[[], dict[str, Any]],
    *,
    inside: bool,
    shows: tuple[int | str, ...],
) -> HttpResponse:
    """Render the viewer.

    ``shows``: versions of the file and of everything else that changes the page; ``inside``: True if only
    directors may see the page.
    """
    return public_page(
        request,
        "games/viewer.html",
        context,
        versions=[visible.event.version, visible.event.club.version, names_version(), *shows],
        role="director" if inside else "",
        listed=is_listed(VisibleEvent(visible.event, visible.can_direct)),
    )


def _visible_record(visible: VisibleMatch, version: int | None) -> tuple[SubmittedRecord, bool]:
    """Return the public record and False, or else a record that only directors may see and True.

    ``version``: version of the report; None for the first. Raises ``Missing`` if no record is visible.
    """
    if not visible.is_staff_only:
        for row in visible_records(visible.match, can_direct=False):
            if version in {None, row.version}:
                return row, False
    if not visible.can_direct:
        raise Missing("record.unknown")
    return get_record(visible.match, version, can_direct=True)[0], True


@public_view
def copy_viewer(request: HttpRequest, match: str, version: int, number: int) -> HttpResponse:
    """Page that replays a corrected copy, for those who may see its original record."""
    visible = visible_match(request.user, match)
    row, is_staff_only = _visible_record(visible, version)
    record_copy = get_record_copy(visible.match, row.version, number)

    def context() -> dict[str, Any]:
        viewer_values = copy_context(request, visible.match, record_copy)
        return {
            **viewer_values,
            "club": visible.event.club,
            "match_url": reverse("public:match", args=[visible.match.public_id]),
            "match_words": _("Match %(number)s") % {"number": visible.match.number},
            "original_record": _record_url("records:record", visible, row),
            "downloads": [
                _download_context(
                    code,
                    viewer_values["record"],
                    _record_url("records:copy-file", visible, row, number, code),
                )
                for code in WRITABLE
            ],
        }

    return _page(
        request,
        visible,
        context,
        inside=is_staff_only,
        shows=(row.version, number, record_copy.record.sha256),
    )


@public_view
def copy_file(request: HttpRequest, match: str, version: int, number: int, code: str) -> HttpResponse:
    """Download of a corrected copy in the format ``code``."""
    if code not in WRITABLE:
        raise Http404("record.unknown_format")
    visible = visible_match(request.user, match)
    row, _inside = _visible_record(visible, version)
    record_copy = get_record_copy(visible.match, row.version, number)
    check_result = _check_record(visible.match, record_copy.record, row.left)
    if check_result.record is None:
        raise Missing("record.unknown")
    suffix = f"-corrected-{number}{FORMATS[code].suffix}"
    return _file_response(
        _write_canonical(check_result.record, code).data, FORMATS[code].media_type, visible, row, suffix
    )


@public_view
def original(request: HttpRequest, match: str, version: int) -> HttpResponse:
    """Download of the submitted bytes; only for directors and those who may read all names of the match."""
    visible = visible_match(request.user, match)
    if not _can_download_original(visible):
        raise Missing("record.unknown")
    row, stored_record = get_record(visible.match, version, can_direct=visible.can_direct)
    suffix = FORMATS[stored_record.format].suffix if stored_record.format in FORMATS else ".txt"
    return _file_response(bytes(stored_record.content), "application/octet-stream", visible, row, suffix)


@public_view
def export(request: HttpRequest, match: str, version: int, code: str) -> HttpResponse:
    """Download of the record in the format ``code``.

    What this format cannot hold is named in the header ``X-Record-Losses``.
    """
    if code not in WRITABLE:
        raise Http404("record.unknown_format")
    visible = visible_match(request.user, match)
    row, stored_record = get_record(visible.match, version, can_direct=visible.can_direct)
    check_result = _check_record(visible.match, stored_record, row.left)
    if check_result.record is None:
        raise Missing("record.unknown")
    exported = _write_canonical(check_result.record, code)
    response = _file_response(exported.data, FORMATS[code].media_type, visible, row, FORMATS[code].suffix)
    response["X-Record-Losses"] = ", ".join(sorted({loss.code for loss in exported.losses})) or "none"
    return response


def _can_download_original(visible: VisibleMatch) -> bool:
    """Return whether the user may download the unchanged file, which contains the players' names."""
    return visible.can_direct or can_read_names(visible.match)


def _check_record(match: Match, stored_record: StoredRecord, left: Side | None) -> CheckResult:
    """Check a stored record; in the result, only those names remain that the user may see."""
    check_result = check_with_limits(
        bytes(stored_record.content),
        stored_record.filename,
        match_format(match.stage, match.length),
        ExpectedMatch(finished=False, slips=match.stage.settings.conduct.slips),
    )
    if check_result.record is None:
        return check_result
    return replace(check_result, record=redacted_record(match, check_result.record, left))


def _write_canonical(record: Record, code: str) -> WrittenRecord:
    return write_record(canonical(record), code)


def _download_context(code: str, record: Record, url: str) -> dict[str, Any]:
    losses = _write_canonical(record, code).losses
    return {
        "name": FORMATS[code].suffix,
        "url": url,
        "losses": list(dict.fromkeys(describe(loss) for loss in losses)),
    }


def _record_url(name: str, visible: VisibleMatch, row: SubmittedRecord, *extra_args: str | int) -> str:
    return reverse(name, args=[visible.match.public_id, row.version, *extra_args])


def _file_response(
    data: bytes, media_type: str, visible: VisibleMatch, row: SubmittedRecord, suffix: str
) -> HttpResponse:
    """Return a download with a generated name, because the sender's file name may contain private data."""
    response = HttpResponse(data, content_type=media_type)
    name = f"match-{visible.match.public_id}-{row.version}{suffix}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, no-cache"
    return response
