"""Page of the players table: people by divisions, with check-in, payment and notes, and one save button."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from faults import Conflict, CrawfordError
from people.ids import parse_row_id
from people.messages import describe_all
from people.numbers import external_labels, external_profiles
from people.snapshot import snapshot
from people.web.access import request_actor
from tournaments.engine.limits import LimitComparison
from tournaments.engine.matrix import (
    CHECKED_IN_COLUMN,
    CUSTOM_FIELD_PREFIX,
    NOTE_COLUMN,
    PAID_COLUMN,
    TICKED_STATES,
    Cell,
    CellState,
    CheckState,
)
from tournaments.engine.statuses import EVENT_OVER
from tournaments.matrix.services.saving import save_players_table
from tournaments.matrix.services.taking_back import undo_last_save
from tournaments.matrix.web.form import Ticks, parse_changes, parse_newcomers, parse_ticks, row_state
from tournaments.matrix.web.proposing import proposal_messages, proposed_ticks
from tournaments.models import Event
from tournaments.selectors import matrix as selector
from tournaments.selectors.columns import event_custom_fields
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.matrix import (
    CellDetail,
    DivisionColumn,
    PersonRow,
    PlayersTable,
    last_save,
    load_players_table,
    saved_cell_count,
)
from tournaments.selectors.matrix_limits import Verdicts, division_proposals, table_verdicts
from tournaments.selectors.matrix_undo import undo_exceptions_of_row
from tournaments.shared.frames.access import event_action, is_helper, staff_action, staff_page
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.last_changes import change_contexts
from tournaments.shared.frames.limits import overrule_reason, when_full_choice
from tournaments.shared.words.limits import limit_label, verdict_label
from tournaments.shared.words.names import clock_time

ROWS_PER_PAGE: Final = 128  # per page
MAX_SEARCH_LENGTH: Final = 80

STATE_LABELS: Final = {
    CellState.OUT: "",
    CellState.IN: "",
    CellState.PENDING: gettext_lazy("pending approval"),
    CellState.WAITING: gettext_lazy("waiting"),
    CellState.PENDING_WAITING: gettext_lazy("pending approval, waiting"),
    CellState.WITHDRAWN: gettext_lazy("withdrawn"),
}
LOCK_MESSAGES: Final = {
    selector.LOCKED_TEAM: gettext_lazy("Enter pairs and teams on the Entries page."),
    selector.LOCKED_REENTRY: gettext_lazy("Re-entered: see the Entries page."),
    selector.LOCKED_DRAWN: gettext_lazy("Drawn: withdraw or reinstate the player on the entry’s page."),
    selector.LOCKED_NO_LINE: gettext_lazy("Drawn, with no free line."),
    selector.LOCKED_CUT_OFF: gettext_lazy("Too late to enter: entries have closed."),
    selector.LOCKED_CLOSED: gettext_lazy("Entries are closed for this division. Choose another division."),
}


@staff_page
def players_table(request: HttpRequest, event: Event) -> HttpResponse:
    """Page of the players table."""
    return _render_page(request, event)


@staff_action
def save(request: HttpRequest, event: Event) -> HttpResponse:
    """Save all changes or nothing; after an error, show the page with posted ticks and current values."""
    ticks = parse_ticks(request.POST, [field.pk for field in event_custom_fields(event)])
    try:
        changes = parse_changes(request.POST, ticks)
        newcomers = parse_newcomers(request.POST, event.club)
        result = save_players_table(
            actor=request_actor(request),
            event_id=event.pk,
            changes=changes,
            new=newcomers,
            overrule=overrule_reason(request),
            when_full=when_full_choice(request),
        )
    except CrawfordError as error:
        if error.code == "matrix.stale" or error.status == INVALID_STATUS:
            return _render_page(request, event, ticks, error)
        return render_refused_action(request, error, back=_page_url(request, event))
    if result.moved:
        message = ngettext("%(count)s change saved.", "%(count)s changes saved.", result.moved)
        messages.success(request, message % {"count": result.moved})
    else:
        messages.info(request, _("No changes to save."))
    if result.waits:
        message = _("Added to the waiting list because the division is full: %(names)s.") % {
            "names": ", ".join(result.waits)
        }
        messages.info(request, message)
    return redirect(_page_url(request, event))


@event_action
def undo(request: HttpRequest, event: Event) -> HttpResponse:
    """Undo the last save."""
    audit_id = parse_row_id(request.POST.get("save", ""))
    back_url = _page_url(request, event)
    try:
        _undone, kept_names = undo_last_save(
            actor=request_actor(request), event_id=event.pk, audit_id=audit_id
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url, event=event)
    messages.success(request, _("Changes undone."))
    if kept_names:
        messages.info(request, _not_undone_message(kept_names))
    return redirect(back_url)


def _not_undone_message(names: Collection[str]) -> str:
    """Return the message about players whom an undo leaves unchanged."""
    message = _(
        "Not undone, because these players already know about it (by a message or their link): %(names)s."
    )
    return message % {"names": ", ".join(names)}


def _page_url(request: HttpRequest, event: Event) -> str:
    """Return the address of the page with its current search and page number."""
    url = reverse("director:matrix", args=[event.public_id])
    query_params = {name: value for name in ("q", "page") if (value := _parameter(request, name))}
    return f"{url}?{urlencode(query_params)}" if query_params else url


def _parameter(request: HttpRequest, name: str) -> str:
    return (request.GET.get(name) or request.POST.get(name, "")).replace("\0", "")[:MAX_SEARCH_LENGTH].strip()


@snapshot()
def _render_page(
    request: HttpRequest, event: Event, ticks: Ticks | None = None, error: CrawfordError | None = None
) -> HttpResponse:
    table, as_helper = load_players_table(event), is_helper(request)
    text = _parameter(request, "q")
    people = [person for person in table.people if person.matches_text(text)]
    page, pages = _page_number(_parameter(request, "page"), len(people))
    people_on_page = people[(page - 1) * ROWS_PER_PAGE : page * ROWS_PER_PAGE]
    stale_cells, today = _stale_cells(error), event_today(event)
    verdicts: Verdicts = {} if as_helper else table_verdicts(event, table, people_on_page)
    proposals = division_proposals(table, people_on_page, verdicts) if "propose" in request.GET else {}
    is_proposing = bool(verdicts) and "propose" in request.GET and ticks is None
    if is_proposing:
        ticks = proposed_ticks(table, people_on_page, proposals)
    profiles = {} if as_helper else external_profiles([person.pk for person in people_on_page])
    rows = [
        {
            **_row(event, table, person, ticks or Ticks(), stale_cells, verdicts, as_helper=as_helper),
            "known": list(external_labels(profiles[person.pk], today)) if person.pk in profiles else [],
        }
        for person in people_on_page
    ]
    context = {
        "columns": [_column(event, column) for column in table.columns],
        "rows": rows,
        "total": len(table.people),
        "own": [field.name for field in table.own],
        "text": text,
        "page": page,
        "pages": [
            {
                "number": number,
                "url": f"?{urlencode([('q', text), ('page', number)])}",
                "current": number == page,
            }
            for number in range(1, pages + 1)
        ]
        if pages > 1
        else [],
        "checks_in": table.has_check_in,
        "over": event.status in EVENT_OVER,
        "faults": describe_all(error) if error is not None else [],
        "typed": {"name": request.POST.get("name", ""), "new": request.POST.getlist("new")} if error else {},
        "undo": None if as_helper else _undo_context(event),
        "changes": change_contexts(error.touched, event) if isinstance(error, Conflict) else [],
        "limited": [
            {"name": column.division.name or event.name, "words": label}
            for column in table.columns
            if (label := limit_label(column.division)) and not as_helper
        ],
        "overrule": overrule_reason(request) if error is not None else "",
        "proposed": proposal_messages(people_on_page, proposals) if is_proposing else [],
    }
    status = error.status if error is not None else 200
    return render_event_page(request, "matrix/matrix.html", event, "matrix", context, status=status)


def _page_number(typed: str, people_count: int) -> tuple[int, int]:
    pages = max(1, -(-people_count // ROWS_PER_PAGE))
    number = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 5 else 1
    return min(max(number, 1), pages), pages


def _stale_cells(error: CrawfordError | None) -> frozenset[Cell]:
    cells: Sequence[dict[str, str]] = error.present.get("cells", ()) if isinstance(error, Conflict) else ()
    return frozenset(Cell(cell["player"], cell["column"]) for cell in cells)


def _column(event: Event, column: DivisionColumn) -> dict[str, Any]:
    """Return the context of a division's column head, with a text such as “12 of 16, 3 waiting”."""
    room = column.division.capacity
    text_format = _("%(have)s of %(room)s") if room is not None else "%(have)s"
    parts = [text_format % {"have": column.placed_count, "room": room}]
    if column.waiting:
        parts.append(
            ngettext("%(count)s waiting", "%(count)s waiting", column.waiting) % {"count": column.waiting}
        )
    if column.lines:
        parts.append(
            ngettext(
                "%(count)s free line, drawn at random", "%(count)s free lines, drawn at random", column.lines
            )
            % {"count": column.lines}
        )
    return {
        "key": column.key,
        "name": column.division.name or event.name,
        "counts": ", ".join(parts),
        "full": room is not None and column.placed_count >= room,
        "new": column.division.team_size == 1 and column.in_time and (column.open or bool(column.lines)),
    }


def _row(
    event: Event,
    table: PlayersTable,
    person: PersonRow,
    ticks: Ticks,
    stale_cells: Collection[Cell],
    verdicts: Verdicts,
    *,
    as_helper: bool,
) -> dict[str, Any]:
    name = person.public_id
    is_posted = name in ticks.sent
    changeable = [
        column.division.pk for column in table.columns if not person.cells[column.division.pk].lock_reason
    ]
    return {
        "id": name,
        "name": person.name,
        "row": row_state(person, changeable, check_in_only=as_helper),
        "cells": [
            {
                **_cell(
                    event,
                    person,
                    column,
                    person.cells[column.division.pk],
                    ticks,
                    stale_cells,
                    as_helper=as_helper,
                ),
                "rating": _rating_label(verdicts, person, column),
            }
            for column in table.columns
        ],
        "here": _tick_context(
            person.check_in_state,
            name in ticks.check_ins if is_posted else None,
            Cell(name, CHECKED_IN_COLUMN) in stale_cells,
        ),
        "paid": _tick_context(
            person.paid, name in ticks.paid if is_posted else None, Cell(name, PAID_COLUMN) in stale_cells
        ),
        "note": ticks.notes.get(name, person.note) if is_posted else person.note,
        "was": person.note,
        "note_stale": Cell(name, NOTE_COLUMN) in stale_cells,
        "own": [
            {
                "pk": column.pk,
                "name": column.name,
                "kind": column.kind,
                "choices": column.choices,
                "was": person.custom_values.get(str(column.pk), ""),
                "value": ticks.own.get(
                    Cell(name, f"{CUSTOM_FIELD_PREFIX}{column.pk}"),
                    person.custom_values.get(str(column.pk), ""),
                ),
                "stale": Cell(name, f"{CUSTOM_FIELD_PREFIX}{column.pk}") in stale_cells,
            }
            for column in table.own
        ],
    }


def _cell(
    event: Event,
    person: PersonRow,
    column: DivisionColumn,
    detail: CellDetail,
    ticks: Ticks,
    stale_cells: Collection[Cell],
    *,
    as_helper: bool,
) -> dict[str, Any]:
    cell = Cell(person.public_id, column.key)
    is_posted = person.public_id in ticks.sent
    label = str(STATE_LABELS[detail.state])
    if detail.place is not None and detail.state is CellState.WAITING:
        label = _("waiting, no. %(place)s") % {"place": detail.place}
    if detail.team:
        label = f"{detail.team} · {label}" if label else detail.team
    entry_url = (
        reverse("director:entry", args=[event.public_id, detail.public_id]) if detail.public_id else ""
    )
    return {
        "column": column.division.name or event.name,
        "value": f"{cell.player}:{cell.column}",
        "locked": detail.lock_reason != "" or as_helper,
        "why": str(LOCK_MESSAGES.get(detail.lock_reason, "")),
        "in": detail.state in TICKED_STATES,
        "checked": cell in ticks.divisions if is_posted else detail.state in TICKED_STATES,
        "unsaved": is_posted
        and not detail.lock_reason
        and (cell in ticks.divisions) is not (detail.state in TICKED_STATES),
        "lets": detail.state is CellState.WAITING and not detail.lock_reason,
        "let": cell in ticks.admitted_cells,
        "words": label,
        "state": detail.state.value,
        "stale": cell in stale_cells,
        "url": "" if as_helper else entry_url,
    }


def _rating_label(verdicts: Verdicts, person: PersonRow, column: DivisionColumn) -> str:
    """Return a text about a player's rating and the division's limit.

    "" if the rating fits, or is unknown and the player is not entered.
    """
    verdict = verdicts.get(column.division.pk, {}).get(person.pk)
    if verdict is None or (verdict.fit is LimitComparison.INSIDE and not verdict.is_rating_old):
        return ""
    if verdict.fit is LimitComparison.UNKNOWN and person.cells[column.division.pk].state is CellState.OUT:
        return ""
    return verdict_label(verdict)


def _tick_context(state: CheckState, posted: bool | None, is_stale: bool) -> dict[str, Any]:
    return {
        "asked": state is not CheckState.NONE,
        "checked": state is CheckState.YES if posted is None else posted,
        "part": state is CheckState.PART,
        "stale": is_stale,
    }


def _undo_context(event: Event) -> dict[str, Any] | None:
    """Return the context of the last save that can be undone, with the button's label; None without one."""
    row = last_save(event)
    if row is None or event.status in EVENT_OVER:
        return None
    cells = saved_cell_count(row)
    message = ngettext(
        "Undo last save: %(count)s change, %(time)s, %(who)s",
        "Undo last save: %(count)s changes, %(time)s, %(who)s",
        cells,
    )
    return {
        "pk": row.pk,
        "words": message % {"count": cells, "time": clock_time(row.at, event), "who": row.actor_label},
        "stays": _not_undone_message(names)
        if (names := undo_exceptions_of_row(event, row).names.values())
        else "",
    }
