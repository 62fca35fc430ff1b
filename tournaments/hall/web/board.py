"""The matches board: every match in one line, over all divisions; a result is typed where it stands.

The lines are a live region: see ``static/js/board.js`` for what keeps its place while they change.
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
from people.web.access import user_of
from people.web.versioned import page_etag, versioned
from tournaments.engine.hall.calling import next_calls
from tournaments.engine.hall.lines import (
    ASKS,
    NOW,
    SHOWN,
    STATES,
    Group,
    Line,
    Order,
    Shown,
    counts,
    in_order,
    is_shown,
)
from tournaments.engine.statuses import OVER, UNSETTLED, EventStatus, MatchStatus, StageStatus
from tournaments.engine.types import TableNo
from tournaments.hall.web.narrowing import Narrowing, board_address, is_given, remember, remembered
from tournaments.hall.web.rows import Writer, addresses_of, cannot_shape, part_words
from tournaments.models import Event, Match
from tournaments.selectors.access.versions import club_in_play_version
from tournaments.selectors.draws import DrawnMatch
from tournaments.selectors.events.director import match_of_event, open_objections
from tournaments.selectors.hall.board import Hall, hall_of
from tournaments.selectors.hall.forecast import shown_forecast
from tournaments.selectors.rounds.deadlines import today_at
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.fragments.since import end_words
from tournaments.shared.frames.access import desk_page
from tournaments.shared.frames.director import show
from tournaments.shared.frames.keys import new_key
from tournaments.shared.frames.presence import AtDesk, others_at_desk
from tournaments.shared.frames.quick import is_live
from tournaments.shared.words.names import clock_time
from tournaments.shared.words.statuses import status_name

# So many lines stand at once; of more only the first ROWS, for each is 1.4 kB.
AT_ONCE = 150
ROWS = 50
SHOWN_WORDS: Mapping[Shown, str | Promise] = {
    NOW: pgettext_lazy("matches", "All"),
    ASKS: gettext_lazy("To confirm"),
    **{shown: status_name(status) for status, shown in STATES.items()},
}
# Those that one narrows to; what needs the director is one of them, whoever spoke.
CHIPS = tuple(shown for shown in SHOWN.values() if shown not in {STATES[status] for status in UNSETTLED})
ALWAYS = frozenset({NOW, ASKS})
ORDER_WORDS: Mapping[Order, str | Promise] = {
    Order.TABLE: gettext_lazy("by table"),
    Order.TIME: gettext_lazy("by time"),
    Order.STATE: gettext_lazy("by status"),
    Order.DIVISION: gettext_lazy("by division"),
}

# On every line, so they are looked up once.
ROW_WORDS: Mapping[str, str | Promise] = {
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


def board_versions(event: Event, others: Sequence[AtDesk] = ()) -> list[object]:
    """All that a page about the hall shows: the event, its club, who plays in other events, the forecast, what is overdue, and who else is at
    the desk.
    """
    here = [event.notes_version, *((one.name, one.place) for one in others)]
    today = today_at(event)
    return [
        event.version,
        event.club.version,
        club_in_play_version(event),
        shown_forecast(event),
        today,
        here,
    ]


@desk_page
def board(request: HttpRequest, event: Event) -> HttpResponse:
    """All matches of the published draws, narrowed and ordered as the address says, or as they were the last time."""
    narrowing = Narrowing.parse(request.GET.dict())
    if not is_given(request) and not is_live(request) and (last := remembered(request)).query:
        return redirect(board_address(event, last))
    others = others_at_desk(event, user_of(request))
    versions = board_versions(event, others)

    def draw() -> HttpResponse:
        hall = hall_of(event)
        context = {**_context(hall, narrowing), "others": others, "etag": page_etag(request, versions)}
        return show(request, "hall/board.html", event, "matches", context, stages=list(hall.stages))

    response = versioned(request, versions, draw)
    # A window in the background must not change what another one chose.
    if not is_live(request) and remembered(request) != narrowing:
        remember(response, event, narrowing)
    return response


def _context(hall: Hall, narrowing: Narrowing) -> dict[str, Any]:
    event = hall.event
    in_part = [match for match in hall.matches if _in_part(hall, match, narrowing.part)]
    found = [match for match in in_part if _fits(match, narrowing.text)]
    searched = bool(search_key(narrowing.text))
    shown = [match for match in found if is_shown(match.status, narrowing.shown, searched=searched)]
    groups = in_order(_lines(hall, shown), narrowing.order)
    limit = len(shown) if narrowing.everything or len(shown) <= AT_ONCE else ROWS
    tables = table_pool(hall)
    ready = {waits.pk for waits in hall.ready}
    can_play = [match for match in hall.matches if match.pk in ready and not hall.busy_in(match)]
    tableless = sum(match.table is None for match in can_play)
    vacant = [TableNo(table["number"]) for table in tables if table["state"] == "free"]
    calls = next_calls([waits.to_call for waits in hall.ready], hall.busy, vacant)
    url = addresses_of(event)
    return {
        "own_line": True,
        "narrowing": narrowing,
        "text": narrowing.text,
        "part": narrowing.part,
        "parts": part_choices(hall),
        "chips": _chips(found, narrowing),
        "orders": [
            (order.value, words, order is narrowing.order)
            for order, words in ORDER_WORDS.items()
            if order is not Order.DIVISION or len(hall.parts) > 1
        ],
        "groups": _written(hall, groups, limit),
        "count": len(shown),
        "more": max(0, len(shown) - limit),
        "more_url": narrowing.link(everything=True),
        "all_url": narrowing.link(text="", part="", shown=NOW),
        "over": sum(match.status is MatchStatus.CONFIRMED for match in hall.matches),
        "all": len(hall.matches),
        "key": new_key(),
        "words": {name: str(words) for name, words in ROW_WORDS.items()},
        "objections": [
            {
                "row": objection,
                "when": clock_time(objection.created_at, event),
                "url": url(objection.match.public_id),
            }
            for objection in open_objections(event)
        ],
        "cannot": [
            cannot_shape(one, url(one.match)) for own in hall.answers.values() for one in own if one.cannot
        ],
        "at_tables": hall.at_tables,
        "tables": tables,
        "free_tables": len(vacant),
        "callable": len(calls),
        "next_call": _next_call(hall, calls),
        "tableless": max(0, tableless - len(vacant)),
        "end": end_words(hall.forecast, event),
        "forecast": hall.forecast,
        "minutes_a_point": hall.forecast.seconds_a_point / 60 if hall.forecast is not None else 0,
        "published": bool(hall.draws),
        "drawn": any(stage.status == StageStatus.DRAWN for stage in hall.stages),
        "running": event.status == EventStatus.RUNNING,
    }


def _next_call(hall: Hall, calls: Mapping[int, TableNo]) -> Shape | None:
    """The match that *Call next match* calls, with its table."""
    for key, table in calls.items():
        match = hall.by_pk[key]
        names = " – ".join(side.name for side in match.sides)
        return {"number": match.number, "names": names, "table": table}
    return None


def _lines(hall: Hall, matches: Sequence[DrawnMatch]) -> list[Line]:
    """What the order needs of them; ready ones in the order in which they are called, then those by arrangement."""
    ready = [match for match in matches if match.status is MatchStatus.READY]
    called = {waits.pk: place for place, waits in enumerate(hall.ready)}
    last = len(called)
    ready.sort(key=lambda m: (called.get(m.pk, last), hall.deadlines.get(m.pk, date.max), m.number))
    turns = {match.pk: place for place, match in enumerate(ready)}
    parts = {part.key: place for place, part in enumerate(hall.parts)}
    return [
        Line(
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


def _written(hall: Hall, groups: Sequence[Group], limit: int) -> list[Shape]:
    """The first ``limit`` lines under their headings, with how many the group has."""
    writer = Writer(hall)
    order = [line.key for group in groups for line in group.lines][: limit + 1]
    below = dict(pairwise(order))
    keys = frozenset(order[:limit])
    several = len({part.stage.division_id for part in hall.parts}) > 1
    shaped: list[Shape] = []
    for group in groups:
        lines = [
            writer.line(
                hall.by_pk[line.key], hall.by_pk[below[line.key]].public_id if line.key in below else ""
            )
            for line in group.lines
            if line.key in keys
        ]
        if lines:
            code, title = str(group.of), ""
            if isinstance(group.of, Shown):
                code, title = group.of.code, str(SHOWN_WORDS[group.of])
            elif group.of is not None:
                title = part_words(hall.parts[group.of], named=several)
            shaped.append({"code": code, "title": title, "count": len(group.lines), "lines": lines})
    return shaped


def _chips(found: Sequence[DrawnMatch], narrowing: Narrowing) -> list[Shape]:
    """What the board can be narrowed to with one press, each with its count; of empty ones those that are always there."""
    each = counts(match.status for match in found)
    return [
        {
            "code": shown.code,
            "words": SHOWN_WORDS[shown],
            "count": each[shown],
            "url": narrowing.link(shown=shown, everything=False),
            "here": shown is narrowing.shown,
            "urgent": shown is ASKS and each[shown],
        }
        for shown in CHIPS
        if each[shown] or shown in ALWAYS or shown is narrowing.shown
    ]


def _in_part(hall: Hall, match: DrawnMatch, part: str) -> bool:
    return not part or f"{hall.part_of(match).key}.".startswith(f"{part}.")


def _fits(match: DrawnMatch, text: str) -> bool:
    """Whether a name, the number or the table of ``match`` is what was looked for."""
    words = search_key(text).split()
    if not words:
        return True
    if words == [str(match.number)] or words == [str(match.table)]:
        return True
    return any(all(word in search_key(side.name) for word in words) for side in match.sides)


def part_choices(hall: Hall) -> list[tuple[str, str]]:
    """What the board can be narrowed to: whole divisions where they have several parts, and every part."""
    choices: list[tuple[str, str]] = []
    for part in hall.parts:
        division = part.stage.division
        siblings = [other for other in hall.parts if other.stage.division_id == division.pk]
        if len(siblings) > 1 and len(siblings) < len(hall.parts) and part is siblings[0]:
            choices.append((str(division.position), str(division)))
        choices.append((part.key, part_words(part, named=len(siblings) < len(hall.parts))))
    return choices if len(choices) > 1 else []


def table_pool(hall: Hall) -> list[Shape]:
    """All tables of the event. ``state``: ``free``, ``closed``, or the status of the match that is played there."""
    taken = {
        match.table: match for match in hall.matches if match.table is not None and match.status not in OVER
    }
    url = addresses_of(hall.event)
    reopen, close = _("Reopen table %(table)s"), _("Close table %(table)s")
    pool: list[Shape] = []
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


def match_or_missing(event: Event, public_id: str) -> Match:
    """The match of a published draw, or a 404."""
    found = match_of_event(event, public_id)
    if found is None:
        raise Missing("match.unknown")
    return found
