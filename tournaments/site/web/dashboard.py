"""Overview of an event for its director, and actions on the event's status: open, close, cancel, restore."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import CrawfordError
from people.web.access import request_actor
from people.web.versioned import page_etag, versioned_response
from tournaments.engine.statuses import (
    DRAW_PUBLIC,
    EVENT_HAS_RESULTS,
    EVENT_OVER,
    EventAction,
    EventStatus,
    StageStatus,
    allowed_actions,
)
from tournaments.events.services.events import change_event_status
from tournaments.hall.web.attention import entry_rows, match_rows, objection_rows, progress_rows, table_map
from tournaments.hall.web.board import board_versions
from tournaments.models import Event, Stage
from tournaments.selectors.events.counts import event_counts
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.hall.board import load_board
from tournaments.selectors.hall.forecast import load_end_forecast
from tournaments.selectors.hall.holdups import find_delays
from tournaments.selectors.match_counts import match_counts_in
from tournaments.selectors.money import is_money
from tournaments.shared.fragments.since import expected_end_message
from tournaments.shared.frames.access import event_action, event_form, event_page
from tournaments.shared.frames.director import render_event_page, render_refused_action
from tournaments.shared.frames.divisions import stage_contexts
from tournaments.site.web.next_step import next_step
from tournaments.site.web.trail import latest_changes

_DONE_MESSAGES = {
    EventAction.OPEN: gettext_lazy("The event is now open for entries."),
    EventAction.CLOSE: gettext_lazy("The event is now a draft."),
    EventAction.CANCEL: gettext_lazy("The event has been cancelled."),
    EventAction.RESTORE: gettext_lazy("The event has been restored."),
}


@event_page
def dashboard(request: HttpRequest, event: Event) -> HttpResponse:
    """Overview of an event: what needs attention, what is next, latest changes, progress.

    While the event is running, the page has a new version every minute.
    """
    is_running = event.status == EventStatus.RUNNING
    now = timezone.now()
    # While it runs, lateness and long matches depend on the minute.
    versions = [*board_versions(event), int(now.timestamp()) // 60 if is_running else 0]

    def draw() -> HttpResponse:
        stages = linked_stages(event)
        counts = event_counts(event)
        board = load_board(event, stages) if is_running else None
        done_count, to_play = board.played() if board is not None else match_counts_in(stages)
        attention = [*objection_rows(event), *entry_rows(event, counts)]
        context: dict[str, Any] = {}
        if board is not None and to_play:
            attention = [*match_rows(board, find_delays(board, now)), *attention]
            context = {
                "progress": progress_rows(board),
                **(table_map(board) if board.has_matches_at_tables else {}),
            }
        context |= {
            "attention": attention,
            "done": done_count,
            "to_play": to_play,
            "etag": page_etag(request, versions),
            "end": expected_end_message(load_end_forecast(event), event),
            "step": next_step(event, stages, counts),
            "latest": latest_changes(event),
            "can": {action.value for action in allowed_actions(EventStatus(event.status))},
            "how": stage_contexts(stages),
            "trail": _progress_steps(event, stages, counts.entries),
        }
        return render_event_page(
            request, "site/event.html", event, "overview", context, stages=stages, counts=counts
        )

    return versioned_response(request, versions, draw)


def _progress_steps(event: Event, stages: list[Stage], entries: int) -> list[dict[str, object]]:
    """Return the steps of an event and whether each is done in all divisions. A points league has no draw.

    ``now``: the first step that is not done.
    """
    has_begun = event.status in EVENT_HAS_RESULTS
    is_over = event.status == EventStatus.FINISHED
    first_statuses = [StageStatus(stage.status) for stage in stages if stage.fed_by_id is None]
    any_drawn = any(status is not StageStatus.SETUP for status in first_statuses)
    all_drawn = is_over or all(status is not StageStatus.SETUP for status in first_statuses)
    all_published = is_over or (has_begun and all(status in DRAW_PUBLIC for status in first_statuses))
    url_args = [event.public_id]
    steps = [(_("Entries"), reverse("director:entries", args=url_args), any_drawn or has_begun, entries >= 2)]
    if all(is_money(stage) for stage in stages):
        money_url = reverse("director:money", args=url_args)
        steps += [
            (_("Start"), money_url, has_begun, has_begun),
            (_("Sessions"), money_url, is_over, has_begun),
        ]
    else:
        steps += [
            (_("Draw"), reverse("director:draw", args=url_args), all_drawn, all_drawn),
            (_("Publish"), reverse("director:draw", args=url_args), all_published, has_begun),
            (_("Play"), reverse("director:board", args=url_args), is_over, has_begun),
        ]
    rows: list[dict[str, object]] = []
    current_found = event.status == EventStatus.CANCELLED
    for name, url, is_done, _started in steps:
        is_current = not is_done and not current_found
        current_found = current_found or is_current
        rows.append({"name": name, "url": url, "done": is_done, "now": is_current})
    return rows


@event_action
def open_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Make a draft public, so that players can enter."""
    return _change_status(request, event, EventAction.OPEN)


@event_action
def close_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Make an event that is open for entries a draft again."""
    return _change_status(request, event, EventAction.CLOSE)


@event_form
def cancel_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Page to confirm a cancellation; a POST cancels the event."""
    if request.method == "POST":
        return _change_status(request, event, EventAction.CANCEL)
    if event.status in EVENT_OVER:
        return redirect("director:event", event.public_id)
    return render_event_page(request, "site/cancel.html", event, "again", {"restoring": False})


@event_form
def restore_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Page to confirm a restoration; a POST restores a cancelled event."""
    if request.method == "POST":
        return _change_status(request, event, EventAction.RESTORE)
    if event.status != EventStatus.CANCELLED:
        return redirect("director:event", event.public_id)
    return render_event_page(request, "site/cancel.html", event, "again", {"restoring": True})


def _change_status(request: HttpRequest, event: Event, action: EventAction) -> HttpResponse:
    back_url = reverse("director:event", args=[event.public_id])
    try:
        change_event_status(actor=request_actor(request), event_id=event.pk, action=action)
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    messages.success(request, _DONE_MESSAGES[action])
    return redirect(back_url)
