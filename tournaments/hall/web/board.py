"""Match board: every match in one line, over all divisions, with a result form in the line.

The lines are a live region: see ``static/js/board.js`` for what stays in place while they change.
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
    ATTENTION_FILTER,
    FILTERS,
    NOW_FILTER,
    STATE_FILTERS,
    BoardFilter,
    BoardLine,
    BoardOrder,
    LineGroup,
    count_by_filter,
    group_lines,
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
from tournaments.selectors.events.director import find_match, open_objections
from tournaments.selectors.hall.board import EventBoard, load_board
from tournaments.selectors.hall.forecast import forecast_version
from tournaments.selectors.rounds.deadlines import event_today
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
    ATTENTION_FILTER: gettext_lazy("To confirm"),
    **{shown: status_name(status) for status, shown in STATE_FILTERS.items()},
}
# Filters with a chip; ATTENTION_FILTER covers all unsettled statuses.
CHIP_FILTERS = tuple(
    shown for shown in FILTERS.values() if shown not in {STATE_FILTERS[status] for status in UNSETTLED}
)
ALWAYS_VISIBLE_FILTERS = frozenset({NOW_FILTER, ATTENTION_FILTER})
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


def board_versions(event: Event, others: Sequence[PresentStaff] = ()) -> list[object]:
    """Return the versions of all that a page about the hall shows.

    These are the event, its club, the players of other events, the forecast, overdue matches, and the other
    staff present.
    """
    here = [event.notes_version, *((one.name, one.place) for one in others)]
    today = event_today(event)
    return [
        event.version,
        event.club.version,
        club_running_version(event),
        forecast_version(event),
        today,
        here,
    ]


@staff_page
def board(request: HttpRequest, event: Event) -> HttpResponse:
    """All matches of the published draws, filtered and ordered by the query or, without one, as last time."""
    narrowing = BoardQuery.from_parameters(request.GET.dict())
    if not has_query(request) and not is_live_request(request) and (last := query_from_cookie(request)).query:
        return redirect(board_url(event, last))
    others = other_staff_present(event, request_user(request))
    versions = board_versions(event, others)

    def draw() -> HttpResponse:
        hall = load_board(event)
        context = {**_context(hall, narrowing), "others": others, "etag": page_etag(request, versions)}
        return render_event_page(
            request, "hall/board.html", event, "matches", context, stages=list(hall.stages)
        )

    response = versioned_response(request, versions, draw)
    # A background window must not change the filter chosen in another one.
    if not is_live_request(request) and query_from_cookie(request) != narrowing:
        save_query_cookie(response, event, narrowing)
    return response


def _context(hall: EventBoard, narrowing: BoardQuery) -> dict[str, Any]:
    event = hall.event
    in_part = [match for match in hall.matches if _is_in_part(hall, match, narrowing.part)]
    found = [match for match in in_part if _is_search_hit(match, narrowing.text)]
    searched = bool(search_key(narrowing.text))
    shown = [match for match in found if is_visible(match.status, narrowing.shown, searched=searched)]
    groups = group_lines(_lines(hall, shown), narrowing.order)
    limit = len(shown) if narrowing.everything or len(shown) <= MAX_ROWS_AT_ONCE else FIRST_ROWS
    tables = table_contexts(hall)
    ready = {waits.pk for waits in hall.ready}
    can_play = [match for match in hall.matches if match.pk in ready and not hall.busy_players_of(match)]
    tableless = sum(match.table is None for match in can_play)
    vacant = [TableNo(table["number"]) for table in tables if table["state"] == "free"]
    calls = next_calls([waits.as_match_to_call for waits in hall.ready], hall.busy, vacant)
    url = match_url_builder(event)
    return {
        "own_line": True,
        "narrowing": narrowing,
        "text": narrowing.text,
        "part": narrowing.part,
        "parts": part_choices(hall),
        "chips": _chips(found, narrowing),
        "orders": [
            (order.value, words, order is narrowing.order)
            for order, words in ORDER_LABELS.items()
            if order is not BoardOrder.DIVISION or len(hall.parts) > 1
        ],
        "groups": _group_contexts(hall, groups, limit),
        "count": len(shown),
        "more": max(0, len(shown) - limit),
        "more_url": narrowing.link(everything=True),
        "all_url": narrowing.link(text="", part="", shown=NOW_FILTER),
        "over": sum(match.status is MatchStatus.CONFIRMED for match in hall.matches),
        "all": len(hall.matches),
        "key": new_submission_key(),
        "words": {name: str(words) for name, words in ROW_LABELS.items()},
        "objections": [
            {
                "row": objection,
                "when": clock_time(objection.created_at, event),
                "url": url(objection.match.public_id),
            }
            for objection in open_objections(event)
        ],
        "cannot": [
            cannot_play_context(one, url(one.match))
            for own in hall.answers.values()
            for one in own
            if one.cannot
        ],
        "at_tables": hall.at_tables,
        "tables": tables,
        "free_tables": len(vacant),
        "callable": len(calls),
        "next_call": _next_call(hall, calls),
        "tableless": max(0, tableless - len(vacant)),
        "end": expected_end_message(hall.forecast, event),
        "forecast": hall.forecast,
        "minutes_a_point": hall.forecast.seconds_a_point / 60 if hall.forecast is not None else 0,
        "published": bool(hall.draws),
        "drawn": any(stage.status == StageStatus.DRAWN for stage in hall.stages),
        "running": event.status == EventStatus.RUNNING,
    }


def _next_call(hall: EventBoard, calls: Mapping[int, TableNo]) -> Context | None:
    """Return the match that *Call next match* calls, with its table."""
    for key, table in calls.items():
        match = hall.matches_by_pk[key]
        names = " – ".join(side.name for side in match.sides)
        return {"number": match.number, "names": names, "table": table}
    return None


def _lines(hall: EventBoard, matches: Sequence[DrawnMatch]) -> list[BoardLine]:
    """Return lines for sorting: ready matches in calling order, then those by arrangement."""
    ready = [match for match in matches if match.status is MatchStatus.READY]
    called = {waits.pk: place for place, waits in enumerate(hall.ready)}
    last = len(called)
    ready.sort(key=lambda m: (called.get(m.pk, last), hall.deadlines.get(m.pk, date.max), m.number))
    turns = {match.pk: place for place, match in enumerate(ready)}
    parts = {part.key: place for place, part in enumerate(hall.parts)}
    return [
        BoardLine(
            match.pk,
            match.status,
            match.number,
            parts[hall.part_of(match).key],
            match.table,
            turns.get(match.pk),
            hall.since(match),
        )
        for match in matches
    ]


def _group_contexts(hall: EventBoard, groups: Sequence[LineGroup], limit: int) -> list[Context]:
    """Return the first ``limit`` lines under their headings, with the size of each group."""
    writer = RowBuilder(hall)
    order = [line.key for group in groups for line in group.lines][: limit + 1]
    below = dict(pairwise(order))
    keys = frozenset(order[:limit])
    several = len({part.stage.division_id for part in hall.parts}) > 1
    shaped: list[Context] = []
    for group in groups:
        lines = [
            writer.line(
                hall.matches_by_pk[line.key],
                hall.matches_by_pk[below[line.key]].public_id if line.key in below else "",
            )
            for line in group.lines
            if line.key in keys
        ]
        if lines:
            code, title = str(group.of), ""
            if isinstance(group.of, BoardFilter):
                code, title = group.of.code, str(FILTER_LABELS[group.of])
            elif group.of is not None:
                title = part_label(hall.parts[group.of], named=several)
            shaped.append({"code": code, "title": title, "count": len(group.lines), "lines": lines})
    return shaped


def _chips(found: Sequence[DrawnMatch], narrowing: BoardQuery) -> list[Context]:
    """Return the filters with counts; empty ones only if selected or always displayed."""
    each = count_by_filter(match.status for match in found)
    return [
        {
            "code": shown.code,
            "words": FILTER_LABELS[shown],
            "count": each[shown],
            "url": narrowing.link(shown=shown, everything=False),
            "here": shown is narrowing.shown,
            "urgent": shown is ATTENTION_FILTER and each[shown],
        }
        for shown in CHIP_FILTERS
        if each[shown] or shown in ALWAYS_VISIBLE_FILTERS or shown is narrowing.shown
    ]


def _is_in_part(hall: EventBoard, match: DrawnMatch, part: str) -> bool:
    return not part or f"{hall.part_of(match).key}.".startswith(f"{part}.")


def _is_search_hit(match: DrawnMatch, text: str) -> bool:
    """Return whether ``text`` matches a name, the number or the table of ``match``."""
    words = search_key(text).split()
    if not words:
        return True
    if words == [str(match.number)] or words == [str(match.table)]:
        return True
    return any(all(word in search_key(side.name) for word in words) for side in match.sides)


def part_choices(hall: EventBoard) -> list[tuple[str, str]]:
    """Return the parts to filter by: whole divisions that have several parts, and every part."""
    choices: list[tuple[str, str]] = []
    for part in hall.parts:
        division = part.stage.division
        siblings = [other for other in hall.parts if other.stage.division_id == division.pk]
        if len(siblings) > 1 and len(siblings) < len(hall.parts) and part is siblings[0]:
            choices.append((str(division.position), str(division)))
        choices.append((part.key, part_label(part, named=len(siblings) < len(hall.parts))))
    return choices if len(choices) > 1 else []


def table_contexts(hall: EventBoard) -> list[Context]:
    """Return all tables of the event.

    ``state``: ``free``, ``closed``, or the status of the match that is played there.
    """
    taken = {
        match.table: match for match in hall.matches if match.table is not None and match.status not in OVER
    }
    url = match_url_builder(hall.event)
    reopen, close = _("Reopen table %(table)s"), _("Close table %(table)s")
    pool: list[Context] = []
    for number in range(1, hall.event.tables + 1):
        match, closed = taken.get(number), number in hall.event.closed_tables
        pool.append(
            {
                "number": number,
                "closed": closed,
                "state": str(match.status) if match is not None else "closed" if closed else "free",
                "match": match.number if match is not None else None,
                "url": url(match.public_id) if match is not None else "",
                "names": " – ".join(side.name for side in match.sides) if match is not None else "",
                "label": (reopen if closed else close) % {"table": number},
            }
        )
    return pool


def get_match_or_404(event: Event, public_id: str) -> Match:
    """Return the match of a published draw, or raise ``Missing`` (404)."""
    found = find_match(event, public_id)
    if found is None:
        raise Missing("match.unknown")
    return found
