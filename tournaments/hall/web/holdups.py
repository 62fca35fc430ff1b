"""Delays: one page with everything that waits for a person, and the matches that decide when each stage ends.

Minutes and penalty points change with time, so the page has a new version every minute.
"""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.web.versioned import page_etag, versioned_response
from tournaments.engine.matches.rulings import Penalty
from tournaments.engine.statuses import UPCOMING
from tournaments.engine.types import Side
from tournaments.hall.web.board import board_versions
from tournaments.hall.web.rows import cannot_play_context, match_url_builder, part_and_round_label
from tournaments.models import Event, Stage
from tournaments.selectors.deliveries import NotificationDelivery, notification_deliveries
from tournaments.selectors.draws import DrawnMatch
from tournaments.selectors.events.director import open_objections
from tournaments.selectors.hall.board import EventBoard, load_board
from tournaments.selectors.hall.holdups import Delays, RunningMatch, find_delays
from tournaments.shared.fragments.cards import Context
from tournaments.shared.fragments.since import approximate_time_label, expected_end_message, since_context
from tournaments.shared.frames.access import event_page
from tournaments.shared.frames.director import render_event_page
from tournaments.shared.words.answers import delivery_label, staff_reply_label
from tournaments.shared.words.names import clock_time, deadline_label
from tournaments.shared.words.rulings import points_label

MAX_ROWS = 24


@event_page
def delays(request: HttpRequest, event: Event) -> HttpResponse:
    """Disputes, absent players, long matches, tables and rounds; and what decides the end of the event."""
    now = timezone.now()
    versions = [*board_versions(event), int(now.timestamp()) // 60]

    def draw() -> HttpResponse:
        hall = load_board(event)
        found = find_delays(hall, now)
        context = {
            **_context(hall, found),
            "etag": page_etag(request, versions),
        }
        return render_event_page(
            request, "hall/holdups.html", event, "holdups", context, stages=list(hall.stages)
        )

    return versioned_response(request, versions, draw)


def _context(hall: EventBoard, found: Delays) -> dict[str, Any]:
    event = hall.event
    url = match_url_builder(event)
    states = notification_deliveries([late.match.pk for late in found.late[:MAX_ROWS]]) if found.late else {}

    def rows(matches: tuple[DrawnMatch, ...], label: str) -> list[Context]:
        return [
            {**_row(hall, m, url), "since": since_context(hall.since(m), event, label)}
            for m in matches[:MAX_ROWS]
        ]

    return {
        "count": found.count,
        "end": expected_end_message(hall.forecast, event),
        "objections": [
            {"row": objection, "url": url(objection.match.public_id)} for objection in open_objections(event)
        ],
        "cannot": [cannot_play_context(one, url(one.match)) for one in found.cannot[:MAX_ROWS]],
        "disputed": rows(found.disputed, _("Disputed")),
        "reported": [_row(hall, match, url) for match in found.reported[:MAX_ROWS]],
        "unanswered": rows(found.unanswered, _("Reported")),
        "overdue": [
            {**_row(hall, late.match, url), "due": deadline_label(late.deadline)}
            for late in found.overdue[:MAX_ROWS]
        ],
        "overdue_count": len(found.overdue),
        "late": [
            {
                **_row(hall, late.match, url),
                "since": since_context(hall.since(late.match), event, _("Called")),
                "penalty": _penalty_label(late.penalty),
                "answers": answer_lines(hall, late.match, states.get(late.match.pk, ())),
                "late": _penalty_offers(late.match, late.against, late.minutes, late.penalty.points),
                "lost": late.penalty.lost,
            }
            for late in found.late[:MAX_ROWS]
        ],
        "running": [
            {
                **_row(hall, running.match, url),
                "since": since_context(running.since, event, _("Playing")),
                "penalty": _overtime_label(running),
                "may_clock": running.may_clock,
                "clock": clock_time(running.clock.at, event) if running.clock is not None else "",
                "slow": _penalty_offers(running.match, running.against, running.minutes, running.points),
                "expected": clock_time(running.expected, event),
            }
            for running in found.running[:MAX_ROWS]
        ],
        "without_table": rows(found.without_table, _("Waiting")),
        "without_table_count": len(found.without_table),
        "two_waiting": [
            {"name": two.name, "matches": [_row(hall, match, url) for match in two.matches]}
            for two in found.two_waiting[:MAX_ROWS]
        ],
        "rounds": [
            {
                "stage": _stage_label(hall, waits.stage),
                "number": waits.number,
                "next": waits.number + 1,
                "matches": [_row(hall, match, url) for match in waits.matches],
                "division": waits.stage.division_id,
            }
            for waits in found.rounds
        ],
        "not_drawn": [
            {
                "stage": _stage_label(hall, waits.stage),
                "after": _stage_label(hall, waits.after) if waits.after is not None else "",
                "division": waits.stage.division_id,
            }
            for waits in found.not_drawn
        ],
        "held": [
            {
                "stage": _stage_label(hall, waits.stage),
                "lines": waits.lines,
                "urgent": waits.urgent,
                "division": waits.stage.division_id,
            }
            for waits in found.held
        ],
        "paths": [
            {
                "stage": _stage_label(hall, path.stage),
                "ends": approximate_time_label(path.ends, event),
                "matches": [_path_match_context(hall, match, url) for match in path.matches],
            }
            for path in found.paths
        ],
        "minutes_a_point": hall.forecast.seconds_a_point / 60 if hall.forecast is not None else 0,
        "learned_from": hall.forecast.learned_from if hall.forecast is not None else 0,
    }


def answer_lines(hall: EventBoard, match: DrawnMatch, states: Sequence[NotificationDelivery]) -> list[str]:
    """Return “Ann: at 20:15” per side; without a reply, the delivery state of the notice."""
    answers = {one.entry_id: one.reply for one in hall.answers.get(match.pk, ())}
    notices = {one.entry_id: one for one in states}
    found = []
    for side in match.sides:
        reply, notice = answers.get(side.entry_id or 0), notices.get(side.entry_id or 0)
        words = (
            staff_reply_label(reply, hall.event) if reply is not None else delivery_label(notice, hall.event)
        )
        if words:
            found.append(f"{side.name}: {words}")
    return found


def _row(hall: EventBoard, match: DrawnMatch, url: Any) -> Context:
    return {
        "public_id": match.public_id,
        "number": match.number,
        "url": url(match.public_id),
        "where": part_and_round_label(hall, match),
        "names": " – ".join(side.name or "…" for side in match.sides)
        if any(s.name for s in match.sides)
        else "",
        "table": match.table,
        "version": match.version,
        "status": match.status.value,
        "length": match.length,
    }


def _path_match_context(hall: EventBoard, match: DrawnMatch, url: Any) -> Context:
    """Return a match on the way to the end, with its expected start."""
    begins = hall.forecast.begins.get(match.pk) if hall.forecast is not None else None
    ahead = match.status in UPCOMING
    return {
        **_row(hall, match, url),
        "begins": approximate_time_label(begins, hall.event) if ahead and begins is not None else "",
    }


def _penalty_offers(match: DrawnMatch, against: Sequence[Side], minutes: int, points: int) -> list[Context]:
    """Return penalties that a director can award at once, with side, minutes and points."""
    names = {side: match.sides[0 if side is Side.A else 1].name for side in Side}
    return [
        {
            "side": side.value,
            "name": names[side],
            "minutes": max(minutes, 0),
            "points": points_label(points, names[side.other]),
        }
        for side in against
        if names[side] and names[side.other]
    ]


def _overtime_label(running: RunningMatch) -> str:
    """Return “25 minutes overdue” for a match that takes unusually long."""
    if not running.over:
        return ""
    if not running.minutes:
        return _("Long")
    words = ngettext("%(minutes)s minute overdue", "%(minutes)s minutes overdue", running.minutes)
    return words % {"minutes": running.minutes}


def _stage_label(hall: EventBoard, stage: Stage) -> str:
    siblings = [other for other in hall.stages if other.division_id == stage.division_id]
    words = [stage.division.name] if stage.division.name else []
    if len(siblings) > 1 or not words:
        words.append(str(stage))
    return " · ".join(words)


def _penalty_label(penalty: Penalty) -> str:
    """Return what F15 awards to the side that is present; empty within the grace period."""
    if penalty.lost:
        return _("match forfeited")
    if not penalty.points:
        return ""
    return ngettext("%(count)s penalty point", "%(count)s penalty points", penalty.points) % {
        "count": penalty.points
    }
