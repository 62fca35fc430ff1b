"""Director's page of delays.

It lists everything that waits for a person, and the matches that decide when each stage ends. Minutes and
penalty points change with time, so the page has a new version every minute.
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
from tournaments.shared.fragments.since import (
    approximate_time_label,
    elapsed_time_context,
    expected_end_message,
)
from tournaments.shared.frames.access import event_page
from tournaments.shared.frames.director import render_event_page
from tournaments.shared.words.answers import delivery_label, staff_reply_label
from tournaments.shared.words.names import clock_time, deadline_label
from tournaments.shared.words.rulings import points_label

MAX_ROWS = 24


@event_page
def delays(request: HttpRequest, event: Event) -> HttpResponse:
    """Page of disputes, absent players, long matches, tables, rounds, and of what decides the event's end."""
    now = timezone.now()
    versions = [*board_versions(event), int(now.timestamp()) // 60]

    def draw() -> HttpResponse:
        event_board = load_board(event)
        event_delays = find_delays(event_board, now)
        context = {
            **_context(event_board, event_delays),
            "etag": page_etag(request, versions),
        }
        return render_event_page(
            request, "hall/holdups.html", event, "holdups", context, stages=list(event_board.stages)
        )

    return versioned_response(request, versions, draw)


def _context(event_board: EventBoard, event_delays: Delays) -> dict[str, Any]:
    event = event_board.event
    url = match_url_builder(event)
    deliveries = (
        notification_deliveries([late_match.match.pk for late_match in event_delays.late[:MAX_ROWS]])
        if event_delays.late
        else {}
    )

    def rows(matches: tuple[DrawnMatch, ...], label: str) -> list[Context]:
        return [
            {**_row(event_board, m, url), "since": elapsed_time_context(event_board.since(m), event, label)}
            for m in matches[:MAX_ROWS]
        ]

    return {
        "count": event_delays.count,
        "end": expected_end_message(event_board.forecast, event),
        "objections": [
            {"row": objection, "url": url(objection.match.public_id)} for objection in open_objections(event)
        ],
        "cannot": [
            cannot_play_context(answer, url(answer.match)) for answer in event_delays.cannot[:MAX_ROWS]
        ],
        "disputed": rows(event_delays.disputed, _("Disputed")),
        "reported": [
            _row(event_board, match, url) for match in event_delays.matches_with_reported_messages[:MAX_ROWS]
        ],
        "unanswered": rows(event_delays.unanswered_reports, _("Reported")),
        "overdue": [
            {**_row(event_board, late_match.match, url), "due": deadline_label(late_match.deadline)}
            for late_match in event_delays.overdue[:MAX_ROWS]
        ],
        "overdue_count": len(event_delays.overdue),
        "late": [
            {
                **_row(event_board, late_match.match, url),
                "since": elapsed_time_context(event_board.since(late_match.match), event, _("Called")),
                "penalty": _penalty_label(late_match.penalty),
                "answers": answer_lines(
                    event_board, late_match.match, deliveries.get(late_match.match.pk, ())
                ),
                "late": _penalty_offers(
                    late_match.match, late_match.against, late_match.minutes, late_match.penalty.points
                ),
                "lost": late_match.penalty.lost,
            }
            for late_match in event_delays.late[:MAX_ROWS]
        ],
        "running": [
            {
                **_row(event_board, running_match.match, url),
                "since": elapsed_time_context(running_match.since, event, _("Playing")),
                "penalty": _overtime_label(running_match),
                "may_clock": running_match.can_introduce_clock,
                "clock": clock_time(running_match.clock.at, event) if running_match.clock is not None else "",
                "slow": _penalty_offers(
                    running_match.match, running_match.against, running_match.minutes, running_match.points
                ),
                "expected": clock_time(running_match.expected, event),
            }
            for running_match in event_delays.running[:MAX_ROWS]
        ],
        "without_table": rows(event_delays.matches_without_table, _("Waiting")),
        "without_table_count": len(event_delays.matches_without_table),
        "two_waiting": [
            {"name": player.name, "matches": [_row(event_board, match, url) for match in player.matches]}
            for player in event_delays.players_with_several_ready_matches[:MAX_ROWS]
        ],
        "rounds": [
            {
                "stage": _stage_label(event_board, delay.stage),
                "number": delay.number,
                "next": delay.number + 1,
                "matches": [_row(event_board, match, url) for match in delay.matches],
                "division": delay.stage.division_id,
            }
            for delay in event_delays.rounds
        ],
        "not_drawn": [
            {
                "stage": _stage_label(event_board, delay.stage),
                "after": _stage_label(event_board, delay.after) if delay.after is not None else "",
                "division": delay.stage.division_id,
            }
            for delay in event_delays.undrawn_stages
        ],
        "held": [
            {
                "stage": _stage_label(event_board, delay.stage),
                "lines": delay.lines,
                "urgent": delay.urgent,
                "division": delay.stage.division_id,
            }
            for delay in event_delays.held
        ],
        "paths": [
            {
                "stage": _stage_label(event_board, path.stage),
                "ends": approximate_time_label(path.ends, event),
                "matches": [_path_match_context(event_board, match, url) for match in path.matches],
            }
            for path in event_delays.deciding_paths
        ],
        "minutes_a_point": event_board.forecast.seconds_a_point / 60
        if event_board.forecast is not None
        else 0,
        "learned_from": event_board.forecast.learned_from if event_board.forecast is not None else 0,
    }


def answer_lines(
    event_board: EventBoard, match: DrawnMatch, deliveries: Sequence[NotificationDelivery]
) -> list[str]:
    """Return one line for each side, such as “Ann: at 20:15”: the side's answer to the call.

    Without an answer, it is the delivery state of the notification; sides with neither are left out.
    """
    answers = {answer.entry_id: answer.reply for answer in event_board.answers.get(match.pk, ())}
    notices = {delivery.entry_id: delivery for delivery in deliveries}
    lines = []
    for side in match.sides:
        reply, notice = answers.get(side.entry_id or 0), notices.get(side.entry_id or 0)
        label = (
            staff_reply_label(reply, event_board.event)
            if reply is not None
            else delivery_label(notice, event_board.event)
        )
        if label:
            lines.append(f"{side.name}: {label}")
    return lines


def _row(event_board: EventBoard, match: DrawnMatch, url: Any) -> Context:
    return {
        "public_id": match.public_id,
        "number": match.number,
        "url": url(match.public_id),
        "where": part_and_round_label(event_board, match),
        "names": " – ".join(side.name or "…" for side in match.sides)
        if any(s.name for s in match.sides)
        else "",
        "table": match.table,
        "version": match.version,
        "status": match.status.value,
        "length": match.length,
    }


def _path_match_context(event_board: EventBoard, match: DrawnMatch, url: Any) -> Context:
    """Return the template context of a match that decides the end of a stage, with its expected start."""
    expected_start = event_board.forecast.begins.get(match.pk) if event_board.forecast is not None else None
    is_upcoming = match.status in UPCOMING
    return {
        **_row(event_board, match, url),
        "begins": approximate_time_label(expected_start, event_board.event)
        if is_upcoming and expected_start is not None
        else "",
    }


def _penalty_offers(
    match: DrawnMatch, penalized_sides: Sequence[Side], minutes: int, points: int
) -> list[Context]:
    """Return the template contexts of penalties that a director can award at once, one for each side.

    Each has the penalized side, the minutes and the points for the opponent.
    """
    names = {side: match.sides[0 if side is Side.A else 1].name for side in Side}
    return [
        {
            "side": side.value,
            "name": names[side],
            "minutes": max(minutes, 0),
            "points": points_label(points, names[side.other]),
        }
        for side in penalized_sides
        if names[side] and names[side.other]
    ]


def _overtime_label(running_match: RunningMatch) -> str:
    """Return “25 minutes overdue” for a match that takes unusually long; empty for other matches."""
    if not running_match.over:
        return ""
    if not running_match.minutes:
        return _("Long")
    label = ngettext("%(minutes)s minute overdue", "%(minutes)s minutes overdue", running_match.minutes)
    return label % {"minutes": running_match.minutes}


def _stage_label(event_board: EventBoard, stage: Stage) -> str:
    siblings = [other for other in event_board.stages if other.division_id == stage.division_id]
    names = [stage.division.name] if stage.division.name else []
    if len(siblings) > 1 or not names:
        names.append(str(stage))
    return " · ".join(names)


def _penalty_label(penalty: Penalty) -> str:
    """Return the penalty for lateness as text (rule F15); empty within the grace period."""
    if penalty.lost:
        return _("match forfeited")
    if not penalty.points:
        return ""
    return ngettext("%(count)s penalty point", "%(count)s penalty points", penalty.points) % {
        "count": penalty.points
    }
