"""Director's match board: one row for each match of all divisions, with a result form in the row.

The rows are a live region: see ``static/js/board.js`` for what stays in place while they change.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from faults import Missing
from names.folding import search_key
from people.web.access import request_user
from people.web.versioned import page_etag, versioned_response
from tournaments.engine.hall.calling import next_calls
from tournaments.engine.hall.lines import (
    FILTERS,
    NOW_FILTER,
    STATE_FILTERS,
    UNSETTLED_FILTER,
    BoardFilter,
    BoardGroup,
    BoardMatch,
    BoardOrder,
    count_by_filter,
    group_matches,
    is_visible,
)
from tournaments.engine.statuses import OVER, UNSETTLED, EventStatus, MatchStatus, StageStatus
from tournaments.engine.types import TableNo
from tournaments.hall.web.narrowing import (
    BoardQuery,
    board_url,
    has_query,
    query_from_cookie,
    save_query_cookie,
)
from tournaments.hall.web.rows import RowBuilder, cannot_play_context, match_url_builder, part_label
from tournaments.models import Event, Match
from tournaments.selectors.access.versions import club_running_version
from tournaments.selectors.draws import DrawnMatch
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.events.director import find_match, open_objections
from tournaments.selectors.hall.board import EventBoard, load_board
from tournaments.selectors.hall.forecast import forecast_version
from tournaments.shared.fragments.cards import Context
from tournaments.shared.fragments.since import expected_end_message
from tournaments.shared.frames.access import staff_page
from tournaments.shared.frames.director import render_event_page
from tournaments.shared.frames.keys import new_submission_key
from tournaments.shared.frames.presence import PresentStaff, other_staff_present
from tournaments.shared.frames.quick import is_live_request
from tournaments.shared.words.names import clock_time
from tournaments.shared.words.statuses import status_name

# A longer board shows only FIRST_ROWS lines, because each takes 1.4 kB.
MAX_ROWS_AT_ONCE = 150
FIRST_ROWS = 50
FILTER_LABELS: Mapping[BoardFilter, str | Promise] = {
    NOW_FILTER: pgettext_lazy("matches", "All"),
    UNSETTLED_FILTER: gettext_lazy("To confirm"),
    **{board_filter: status_name(status) for status, board_filter in STATE_FILTERS.items()},
}
# Filters with a chip; ATTENTION_FILTER covers all unsettled statuses.
CHIP_FILTERS = tuple(
    board_filter
    for board_filter in FILTERS.values()
    if board_filter not in {STATE_FILTERS[status] for status in UNSETTLED}
)
ALWAYS_VISIBLE_FILTERS = frozenset({NOW_FILTER, UNSETTLED_FILTER})
ORDER_LABELS: Mapping[BoardOrder, str | Promise] = {
    BoardOrder.TABLE: gettext_lazy("by table"),
    BoardOrder.TIME: gettext_lazy("by time"),
    BoardOrder.STATE: gettext_lazy("by status"),
    BoardOrder.DIVISION: gettext_lazy("by division"),
}

# Used on every line, so they are translated once.
ROW_LABELS: Mapping[str, str | Promise] = {
    "call": gettext_lazy("Call"),
    "start": gettext_lazy("Start"),
    "agree": gettext_lazy("Agree"),
    "decide": gettext_lazy("Decide"),
    "result": gettext_lazy("Result"),
    "correct": pgettext_lazy("verb", "Correct"),
    "overdue": gettext_lazy("Overdue"),
    "closed": gettext_lazy("Out of use"),
    "closes": gettext_lazy("out of use after this match"),
    "free": pgettext_lazy("a table", "Free"),
    "reopen": gettext_lazy("Reopen"),
    "close": pgettext_lazy("a table", "Close"),
    "arranged": gettext_lazy("By arrangement"),
}


def board_versions(event: Event, other_staff: Sequence[PresentStaff] = ()) -> list[object]:
    """Return the values that make up the ETag of a page about the hall.

    They cover the event, its club, the players of other events, the forecast, overdue matches, and the other
    staff present.
    """
    staff_versions = [event.notes_version, *((staff.name, staff.place) for staff in other_staff)]
    today = event_today(event)
    return [
        event.version,
        event.club.version,
        club_running_version(event),
        forecast_version(event),
        today,
        staff_versions,
    ]


@staff_page
def board(request: HttpRequest, event: Event) -> HttpResponse:
    """Page with all matches of the published draws.

    The query filters and sorts the matches; without a query, the last one of this browser applies.
    """
    board_query = BoardQuery.from_parameters(request.GET.dict())
    if (
        not has_query(request)
        and not is_live_request(request)
        and (last_query := query_from_cookie(request)).query
    ):
        return redirect(board_url(event, last_query))
    other_staff = other_staff_present(event, request_user(request))
    versions = board_versions(event, other_staff)

    def draw() -> HttpResponse:
        event_board = load_board(event)
        context = {
            **_context(event_board, board_query),
            "others": other_staff,
            "etag": page_etag(request, versions),
        }
        return render_event_page(
            request, "hall/board.html", event, "matches", context, stages=list(event_board.stages)
        )

    response = versioned_response(request, versions, draw)
    # A background window must not change the filter chosen in another one.
    if not is_live_request(request) and query_from_cookie(request) != board_query:
        save_query_cookie(response, event, board_query)
    return response


def _context(event_board: EventBoard, board_query: BoardQuery) -> dict[str, Any]:
    event = event_board.event
    part_matches = [
        match for match in event_board.matches if _is_in_part(event_board, match, board_query.part)
    ]
    search_matches = [match for match in part_matches if _is_search_hit(match, board_query.text)]
    is_search = bool(search_key(board_query.text))
    visible_matches = [
        match for match in search_matches if is_visible(match.status, board_query.shown, searched=is_search)
    ]
    groups = group_matches(_board_lines(event_board, visible_matches), board_query.order)
    limit = (
        len(visible_matches)
        if board_query.shows_all_rows or len(visible_matches) <= MAX_ROWS_AT_ONCE
        else FIRST_ROWS
    )
    tables = table_contexts(event_board)
    ready_ids = {waiting_match.pk for waiting_match in event_board.ready}
    playable = [
        match
        for match in event_board.matches
        if match.pk in ready_ids and not event_board.busy_players_of(match)
    ]
    tableless_count = sum(match.table is None for match in playable)
    vacant_tables = [TableNo(table["number"]) for table in tables if table["state"] == "free"]
    next_tables = next_calls(
        [waiting_match.as_match_to_call for waiting_match in event_board.ready],
        event_board.busy_by_player,
        vacant_tables,
    )
    url = match_url_builder(event)
    return {
        "own_line": True,
        "narrowing": board_query,
        "text": board_query.text,
        "part": board_query.part,
        "parts": part_choices(event_board),
        "chips": _chips(search_matches, board_query),
        "orders": [
            (order.value, label, order is board_query.order)
            for order, label in ORDER_LABELS.items()
            if order is not BoardOrder.DIVISION or len(event_board.parts) > 1
        ],
        "groups": _group_contexts(event_board, groups, limit),
        "count": len(visible_matches),
        "more": max(0, len(visible_matches) - limit),
        "more_url": board_query.link(shows_all_rows=True),
        "all_url": board_query.link(text="", part="", shown=NOW_FILTER),
        "over": sum(match.status is MatchStatus.CONFIRMED for match in event_board.matches),
        "all": len(event_board.matches),
        "key": new_submission_key(),
        "words": {name: str(label) for name, label in ROW_LABELS.items()},
        "objections": [
            {
                "row": objection,
                "when": clock_time(objection.created_at, event),
                "url": url(objection.match.public_id),
            }
            for objection in open_objections(event)
        ],
        "cannot": [
            cannot_play_context(answer, url(answer.match))
            for match_answers in event_board.answers.values()
            for answer in match_answers
            if answer.cannot
        ],
        "at_tables": event_board.has_matches_at_tables,
        "tables": tables,
        "free_tables": len(vacant_tables),
        "callable": len(next_tables),
        "next_call": _next_call(event_board, next_tables),
        "tableless": max(0, tableless_count - len(vacant_tables)),
        "end": expected_end_message(event_board.forecast, event),
        "forecast": event_board.forecast,
        "minutes_a_point": event_board.forecast.seconds_a_point / 60
        if event_board.forecast is not None
        else 0,
        "published": bool(event_board.draws),
        "drawn": any(stage.status == StageStatus.DRAWN for stage in event_board.stages),
        "running": event.status == EventStatus.RUNNING,
    }


def _next_call(event_board: EventBoard, calls: Mapping[int, TableNo]) -> Context | None:
    """Return the template context of the match that the button *Call next match* calls; None without one."""
    for key, table in calls.items():
        match = event_board.matches_by_pk[key]
        names = " – ".join(side.name for side in match.sides)
        return {"number": match.number, "names": names, "table": table}
    return None


def _board_lines(event_board: EventBoard, matches: Sequence[DrawnMatch]) -> list[BoardMatch]:
    """Return the board's rows as values for sorting.

    Ready matches have a position in calling order; matches by arrangement come after them.
    """
    ready = [match for match in matches if match.status is MatchStatus.READY]
    call_order = {waiting_match.pk: position for position, waiting_match in enumerate(event_board.ready)}
    last_position = len(call_order)
    ready.sort(
        key=lambda m: (
            call_order.get(m.pk, last_position),
            event_board.deadlines.get(m.pk, date.max),
            m.number,
        )
    )
    turn_by_match = {match.pk: position for position, match in enumerate(ready)}
    part_positions = {part.key: position for position, part in enumerate(event_board.parts)}
    return [
        BoardMatch(
            match.pk,
            match.status,
            match.number,
            part_positions[event_board.part_of(match).key],
            match.table,
            turn_by_match.get(match.pk),
            event_board.since(match),
        )
        for match in matches
    ]


def _group_contexts(event_board: EventBoard, groups: Sequence[BoardGroup], limit: int) -> list[Context]:
    """Return the template contexts of the first ``limit`` rows.

    They are grouped under headings, each with the size of the whole group.
    """
    row_builder = RowBuilder(event_board)
    order = [line.key for group in groups for line in group.lines][: limit + 1]
    next_keys = dict(pairwise(order))
    keys = frozenset(order[:limit])
    has_divisions = len({part.stage.division_id for part in event_board.parts}) > 1
    contexts: list[Context] = []
    for group in groups:
        lines = [
            row_builder.line(
                event_board.matches_by_pk[line.key],
                event_board.matches_by_pk[next_keys[line.key]].public_id if line.key in next_keys else "",
            )
            for line in group.lines
            if line.key in keys
        ]
        if lines:
            code, title = str(group.of), ""
            if isinstance(group.of, BoardFilter):
                code, title = group.of.code, str(FILTER_LABELS[group.of])
            elif group.of is not None:
                title = part_label(event_board.parts[group.of], with_division=has_divisions)
            contexts.append({"code": code, "title": title, "count": len(group.lines), "lines": lines})
    return contexts


def _chips(matches: Sequence[DrawnMatch], board_query: BoardQuery) -> list[Context]:
    """Return the template contexts of the filters with the number of matches for each.

    Filters without matches are left out, unless selected or always displayed.
    """
    counts = count_by_filter(match.status for match in matches)
    return [
        {
            "code": board_filter.code,
            "words": FILTER_LABELS[board_filter],
            "count": counts[board_filter],
            "url": board_query.link(shown=board_filter, shows_all_rows=False),
            "here": board_filter is board_query.shown,
            "urgent": board_filter is UNSETTLED_FILTER and counts[board_filter],
        }
        for board_filter in CHIP_FILTERS
        if counts[board_filter] or board_filter in ALWAYS_VISIBLE_FILTERS or board_filter is board_query.shown
    ]


def _is_in_part(event_board: EventBoard, match: DrawnMatch, part: str) -> bool:
    return not part or f"{event_board.part_of(match).key}.".startswith(f"{part}.")


def _is_search_hit(match: DrawnMatch, text: str) -> bool:
    """Return whether the words of ``text`` are in a side's name, or ``text`` is the match's number or table.

    True for an empty text.
    """
    words = search_key(text).split()
    if not words:
        return True
    if words == [str(match.number)] or words == [str(match.table)]:
        return True
    return any(all(word in search_key(side.name) for word in words) for side in match.sides)


def part_choices(event_board: EventBoard) -> list[tuple[str, str]]:
    """Return the parts to filter by as pairs of key and label; empty if there is only one.

    They are every part, and whole divisions that have several.
    """
    choices: list[tuple[str, str]] = []
    for part in event_board.parts:
        division = part.stage.division
        siblings = [other for other in event_board.parts if other.stage.division_id == division.pk]
        if len(siblings) > 1 and len(siblings) < len(event_board.parts) and part is siblings[0]:
            choices.append((str(division.position), str(division)))
        choices.append((part.key, part_label(part, with_division=len(siblings) < len(event_board.parts))))
    return choices if len(choices) > 1 else []


def table_contexts(event_board: EventBoard) -> list[Context]:
    """Return the template contexts of all tables of the event.

    ``state``: ``free``, ``closed``, or the status of the match at the table.
    """
    match_by_table = {
        match.table: match
        for match in event_board.matches
        if match.table is not None and match.status not in OVER
    }
    url = match_url_builder(event_board.event)
    reopen_label, close_label = _("Reopen table %(table)s"), _("Close table %(table)s")
    contexts: list[Context] = []
    for number in range(1, event_board.event.tables + 1):
        match, is_closed = match_by_table.get(number), number in event_board.event.closed_tables
        contexts.append(
            {
                "number": number,
                "closed": is_closed,
                "state": str(match.status) if match is not None else "closed" if is_closed else "free",
                "match": match.number if match is not None else None,
                "url": url(match.public_id) if match is not None else "",
                "names": " – ".join(side.name for side in match.sides) if match is not None else "",
                "label": (reopen_label if is_closed else close_label) % {"table": number},
            }
        )
    return contexts


def get_match_or_404(event: Event, public_id: str) -> Match:
    """Return the match of a published draw with this public id; raises ``Missing`` (404) without one."""
    match = find_match(event, public_id)
    if match is None:
        raise Missing("match.unknown")
    return match
