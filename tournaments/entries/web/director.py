"""Director's pages of the entries of a division: the list, adding an entry, registration by link.

Pages of a single entry are in ``entry``.
"""

from dataclasses import asdict, replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError, Missing
from people.messages import describe_all
from people.selectors import open_claims, search_players
from people.snapshot import snapshot
from people.web.access import request_actor
from tournaments.engine.brackets.seeding import MAX_ENTRIES, MIN_ENTRIES
from tournaments.engine.statuses import (
    EVENT_CHANGEABLE,
    EVENT_UPCOMING,
    EntryStatus,
    EventStatus,
    StageStatus,
)
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.teams import team_name
from tournaments.entries.web.applicants import ARRIVED_PARAMETER, applicants_context
from tournaments.entries.web.members import (
    MAX_NAME_LENGTH,
    Member,
    member_contexts,
    player_note,
    public_page_choice,
    public_page_choices,
    read_members,
)
from tournaments.entries.web.showing import (
    COLUMNS,
    FILTERS,
    ListOptions,
    cell_text,
    details_by_row,
    has_list_options,
    hidden_parameters,
    list_options_from,
    remember_options,
    sort_key,
    visible_columns,
)
from tournaments.entries.web.together import bulk_undo_context
from tournaments.events.services.events import renew_registration_link, set_registration
from tournaments.models import Division, Event, Stage
from tournaments.selectors.access.links import join_token
from tournaments.selectors.access.phones import pending_devices
from tournaments.selectors.entries import (
    EntryRow,
    allowed_reentries,
    details_from_row,
    entries_by_division,
    entry_details,
    joinable_divisions,
    latest_status_by_player,
    self_entered_ids,
)
from tournaments.selectors.events.director import are_entries_open, linked_stages
from tournaments.selectors.events.players import last_event_labels
from tournaments.selectors.money import is_money
from tournaments.selectors.standings.tables import is_round_based, is_swiss
from tournaments.shared.fragments.cards import url_builder
from tournaments.shared.fragments.qr import qr_svg
from tournaments.shared.frames.access import event_action, event_page
from tournaments.shared.frames.director import (
    INVALID_STATUS,
    absolute_url,
    render_event_page,
    render_refused_action,
)
from tournaments.shared.frames.divisions import DivisionSwitch, chosen_division
from tournaments.shared.frames.limits import (
    limit_context,
    overrule_reason,
    warn_about_entries,
    when_full_choice,
)
from tournaments.shared.words.names import date_and_time

MIN_ENTRIES_FOR_SEARCH = 13


@event_page
def entries(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the entries of a division, in the order and with the columns that this director used last."""
    list_options = list_options_from(request)
    if not has_list_options(request) and list_options.words:
        division = [("division", request.GET["division"])] if "division" in request.GET else []
        return redirect(f"{request.path}?{urlencode([*division, *list_options.words])}")
    response = _render_page(request, event, list_options)
    remember_options(response, event, list_options)
    return response


@snapshot()
def _render_page(
    request: HttpRequest,
    event: Event,
    list_options: ListOptions,
    extra_context: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    stages = linked_stages(event)
    switch = chosen_division(request, event, stages)
    stage, division = switch.stage, switch.division
    rows = entries_by_division([division.pk])[division.pk]
    self_entered = self_entered_ids(division)
    is_running = event.status == EventStatus.RUNNING
    until = division.entries_until
    is_late = until is not None and until < timezone.now()
    reentry_ids = allowed_reentries(stage) if is_running and division.reentries and not is_late else set()
    details = {key: details_from_row(detail_row) for key, detail_row in entry_details([division.pk]).items()}
    details_by_entry = {row.pk: details_by_row(row, details) for row in rows}
    visible_rows = [row for row in rows if list_options.is_shown(row, details_by_entry[row.pk])]
    key_function = sort_key(list_options.sort, details, entry_description)
    if key_function is not None:
        visible_rows.sort(key=key_function)
    columns = visible_columns(list_options, details)
    player_url = url_builder("public:player")
    entry_url = reverse("director:entry", args=[event.public_id, "entry"]).removesuffix("entry/")

    def row_of(row: EntryRow) -> dict[str, Any]:
        return {
            **_row(row),
            "url": player_url(row.player_page_id),
            "change": f"{entry_url}{row.public_id}/",
            "self": row.pk in self_entered,
            "out": row.pk in reentry_ids,
            "cells": [(name, cell_text(name, details_by_entry[row.pk])) for name in columns],
        }

    is_open = are_entries_open(stage, event)
    context = {
        "public_pages": public_page_choices(request),
        "open": is_open,
        "late": is_late,
        "may_return": event.status in EVENT_CHANGEABLE,
        "may_come": is_open
        or (is_running and (stage.system in Stage.ELIMINATIONS or bool(division.reentries))),
        "until": date_and_time(until, event),
        "division": division,
        "divisions": switch.links(event, "entries"),
        "query": switch.query,
        "stage": stage,
        "size": range(2, division.team_size + 1),
        "typed": "",
        "typing": "next" in request.GET,
        "arrived": ARRIVED_PARAMETER in request.GET,
        "draws": _draw_offer(event, stages, stage, sum(not row.withdrawn for row in rows)),
        "starts": _missing_entries_message(division, stage, sum(not row.withdrawn for row in rows)),
        "text": list_options.text,
        "searching": len(rows) >= MIN_ENTRIES_FOR_SEARCH,
        "narrowed": bool(list_options.text or list_options.only),
        "columns": [
            {"code": name, "name": COLUMNS[name], "url": list_options.link(switch.query, sort=name)}
            for name in columns
        ],
        "column_choices": [(name, label, name in columns) for name, label in COLUMNS.items()],
        "filters": [(code, label, code == list_options.only) for code, label in FILTERS.items()],
        "sort_urls": {
            name: list_options.link(switch.query, sort="" if name == "number" else name)
            for name in ("number", "seed", "name", "about")
        },
        "kept_words": hidden_parameters(list_options, "q"),
        "kept_for_columns": hidden_parameters(list_options, "only", "col", "cols"),
        "all_url": list_options.link(switch.query, text="", only=""),
        "total": sum(not row.withdrawn for row in rows),
        "seeded": stage.draw_method == Stage.DrawMethod.SEEDED or any(row.seed for row in rows),
        "sort": list_options.sort,
        "movable": (movable := movable_divisions(switch) if is_open else []),
        "limits_there": any(target.limit_source for target in movable),
        **limit_context(request, division),
        "rows": [row_of(row) for row in visible_rows if not row.withdrawn],
        "gone": [row_of(row) for row in visible_rows if row.withdrawn],
        "buying": bool(reentry_ids),
        "joinable": event.status in EVENT_UPCOMING or (is_running and bool(joinable_divisions(event))),
        "join_url": _join_url(request, event) if event.registration_open else "",
        "join_qr": qr_svg(_join_url(request, event)) if event.registration_open else "",
        **applicants_context(event, division, directs=True),
        **bulk_undo_context(event, division, is_open=is_open),
        "asking": pending_devices(event),
        "claims": open_claims(event.club),
        **(extra_context or {}),
    }
    return render_event_page(
        request, "entries/entries.html", event, "entries", context, stages=stages, status=status
    )


def _draw_offer(event: Event, stages: list[Stage], stage: Stage, total: int) -> dict[str, Any] | None:
    """Return the template context of the button that makes the draw; None if no draw can be made now.

    ``place``: number of the stage in the event, from 1; ``total``: number of entries that take part.
    """
    is_open = event.status in EVENT_UPCOMING or event.status == EventStatus.RUNNING
    if (
        not is_open
        or stage.status != StageStatus.SETUP
        or is_money(stage)
        or not MIN_ENTRIES <= total <= MAX_ENTRIES
    ):
        return None
    if is_swiss(stage):
        label = _("Pair round %(number)s") % {"number": 1}
    else:
        label = _("Draw all rounds") if is_round_based(stage) else _("Make the draw")
    return {"place": stages.index(stage) + 1, "words": label}


def _missing_entries_message(division: Division, stage: Stage, total: int) -> str:
    """Return how many entries are missing until a division starts automatically.

    Empty if it does not start automatically or is full. ``total``: number of entries that take part.
    """
    missing = (division.capacity or 0) - total
    if not division.starts_when_full or stage.status != StageStatus.SETUP or missing < 1:
        return ""
    message = ngettext(
        "The event starts automatically with one more entry.",
        "The event starts automatically with %(count)s more entries.",
        missing,
    )
    return message % {"count": missing}


def movable_divisions(switch: DivisionSwitch) -> list[Division]:
    """Return the other divisions of the event to which entries can move: those with the same team size."""
    team_size = switch.division.team_size
    return [
        division
        for division in switch.divisions
        if division.pk != switch.division.pk and division.team_size == team_size
    ]


def entry_description(row: EntryRow) -> str:
    """Return country and club of a single player, or the players' names for a team with a name of its own."""
    players = row.players
    if len(players) == 1:
        return " · ".join(part for part in (players[0].country, players[0].club) if part)
    names = [player.name for player in players]
    return " · ".join(names) if names and row.name != team_name(names) else ""


def _row(row: EntryRow) -> dict[str, Any]:
    return {
        "public_id": row.public_id,
        "number": row.number or "",
        "seed": row.seed or "",
        "name": row.name,
        "about": entry_description(row),
        **asdict(row.marks),
    }


@event_page
def players_json(request: HttpRequest, event: Event) -> HttpResponse:
    """Return players whose names match the typed text as JSON, for the search field of the form.

    They are players of the club and public ones, each with a note that has the entry status in the division.
    """
    text = request.GET.get("q", "")[:MAX_NAME_LENGTH]
    division = chosen_division(request, event, linked_stages(event)).division
    players = search_players(club=event.club, text=text)
    statuses, last_events = latest_status_by_player(players, division), last_event_labels(players)
    results = [
        {
            "id": player.public_id,
            "text": player.name,
            "note": player_note(player, statuses, last_events.get(player.pk, "")),
            "url": "",
        }
        for player in players
    ]
    return JsonResponse({"results": results})


@event_action
def add(request: HttpRequest, event: Event) -> HttpResponse:
    """Enter the players who were chosen or whose names were typed.

    Show a page to choose from if that is not certain.
    """
    switch = chosen_division(request, event, linked_stages(event))
    members = read_members(request, event, [None] * switch.division.team_size)
    new_entries = [member.new_entry for member in members if member.new_entry is not None]
    if len(new_entries) < len(members):
        return _render_player_choice(request, event, switch, members)
    entry = replace(
        new_entries[0],
        partners=tuple(new_entries[1:]),
        team=request.POST.get("team", "").replace("\0", "")[: 2 * MAX_NAME_LENGTH],
        overrule=overrule_reason(request),
    )
    return_url = switch.page_url(event, "entries")
    try:
        created_entry = add_entry(
            actor=request_actor(request),
            event_id=event.pk,
            division_id=switch.division.pk,
            entry=entry,
            when_full=when_full_choice(request),
        )
    except CrawfordError as error:
        if error.status != INVALID_STATUS:
            return render_refused_action(request, error, back=return_url)
        extra_context = {"faults": describe_all(error), "typed": members[0].typed, "mates": members[1:]}
        return _render_page(request, event, list_options_from(request), extra_context, status=INVALID_STATUS)
    if created_entry.status == EntryStatus.ACTIVE:
        messages.success(request, _("%(name)s is entered.") % {"name": created_entry.name})
    warn_about_entries(request, event, [created_entry])
    return redirect(f"{return_url}{'&' if switch.query else '?'}next")


def _render_player_choice(
    request: HttpRequest, event: Event, switch: DivisionSwitch, members: list[Member]
) -> HttpResponse:
    context = {
        "members": member_contexts(members, switch.division),
        "team": request.POST.get("team", ""),
        "overrule": overrule_reason(request),
        "public_page": public_page_choice(request),
        "action": switch.page_url(event, "add-entry"),
        "back": switch.page_url(event, "entries"),
    }
    template = "entries/choose_player.html" if len(members) == 1 else "entries/choose_team.html"
    return render_event_page(request, template, event, "entries", context)


@event_action
def registration(request: HttpRequest, event: Event) -> HttpResponse:
    """Open or close self-registration, or renew its link."""
    requested_action = request.POST.get("do", "")
    actor = request_actor(request)
    return_url = chosen_division(request, event, linked_stages(event)).page_url(event, "entries")
    try:
        if requested_action == "renew":
            renew_registration_link(actor=actor, event_id=event.pk)
            message = _("The old registration link no longer works. Here is the new one.")
        elif requested_action in {"open", "close"}:
            set_registration(actor=actor, event_id=event.pk, is_open=requested_action == "open")
            message = (
                _("Players can now enter themselves with the link.")
                if requested_action == "open"
                else _("Registration is closed.")
            )
        else:
            raise Missing("registration.action_unknown")
    except CrawfordError as error:
        return render_refused_action(request, error, back=return_url)
    messages.success(request, message)
    return redirect(f"{return_url}#registration")


def _join_url(request: HttpRequest, event: Event) -> str:
    return absolute_url(request, reverse("player:join", args=[join_token(event)]))
