"""Entries of a division: who takes part, add one, registration by link. What is done with an entry is in ``entry``."""

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
from people.selectors import claims_to_answer, search_players
from people.snapshot import snapshot
from people.web.access import actor_of
from tournaments.engine.brackets.seeding import MAX_ENTRIES, MIN_ENTRIES
from tournaments.engine.statuses import EVENT_AHEAD, EVENT_GOING_ON, EntryStatus, EventStatus, StageStatus
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.teams import team_name
from tournaments.entries.web.applicants import ARRIVED, applicants_shape
from tournaments.entries.web.members import (
    NAME_LIMIT,
    Member,
    members_shape,
    note_of,
    public_page_in,
    public_pages,
    read_members,
)
from tournaments.entries.web.showing import (
    COLUMNS,
    FILTERS,
    Showing,
    cell,
    columns_shown,
    details_by_row,
    hidden_words,
    is_given,
    order_of,
    remember,
    showing_of,
)
from tournaments.entries.web.together import together_shape
from tournaments.events.services.events import renew_registration_link, set_registration
from tournaments.models import Division, Event, Stage
from tournaments.selectors.access.links import join_token
from tournaments.selectors.access.phones import phones_asking
from tournaments.selectors.entries import (
    EntryRow,
    details_in,
    details_of,
    divisions_to_join,
    entries_of,
    may_buy_back,
    own_entries,
    statuses_of,
)
from tournaments.selectors.events.director import entries_are_open, stages_of
from tournaments.selectors.events.players import last_events
from tournaments.selectors.money import is_money
from tournaments.selectors.standings.tables import in_rounds, is_swiss
from tournaments.shared.fragments.cards import addresses
from tournaments.shared.fragments.qr import qr_svg
from tournaments.shared.frames.access import event_action, event_page
from tournaments.shared.frames.director import INVALID, absolute, not_done, show
from tournaments.shared.frames.divisions import Switch, chosen_division
from tournaments.shared.frames.limits import limit_shape, overrule_in, warn_of_entered, when_full_in
from tournaments.shared.words.names import day_and_time

SEARCH_FROM = 13


@event_page
def entries(request: HttpRequest, event: Event) -> HttpResponse:
    """Who takes part; add one, or withdraw one. In the order and with the columns that this director had last."""
    showing = showing_of(request)
    if not is_given(request) and showing.words:
        division = [("division", request.GET["division"])] if "division" in request.GET else []
        return redirect(f"{request.path}?{urlencode([*division, *showing.words])}")
    response = _page(request, event, showing)
    remember(response, event, showing)
    return response


@snapshot()
def _page(
    request: HttpRequest,
    event: Event,
    showing: Showing,
    extra: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    stages = stages_of(event)
    switch = chosen_division(request, event, stages)
    stage, division = switch.stage, switch.division
    rows = entries_of([division.pk])[division.pk]
    selves = own_entries(division)
    running = event.status == EventStatus.RUNNING
    until = division.entries_until
    late = until is not None and until < timezone.now()
    out = may_buy_back(stage) if running and division.reentries and not late else set()
    details = {key: details_in(one) for key, one in details_of([division.pk]).items()}
    known = {row.pk: details_by_row(row, details) for row in rows}
    shown = [row for row in rows if showing.is_shown(row, known[row.pk])]
    order = order_of(showing.sort, details, about_words)
    if order is not None:
        shown.sort(key=order)
    columns = columns_shown(showing, details)
    player_url = addresses("public:player")
    entry_url = reverse("director:entry", args=[event.public_id, "entry"]).removesuffix("entry/")

    def row_of(row: EntryRow) -> dict[str, Any]:
        return {
            **_row(row),
            "url": player_url(row.page_of),
            "change": f"{entry_url}{row.public_id}/",
            "self": row.pk in selves,
            "out": row.pk in out,
            "cells": [(name, cell(name, known[row.pk])) for name in columns],
        }

    is_open = entries_are_open(stage, event)
    context = {
        "public_pages": public_pages(request),
        "open": is_open,
        "late": late,
        "may_return": event.status in EVENT_GOING_ON,
        "may_come": is_open or (running and (stage.system in Stage.ELIMINATIONS or bool(division.reentries))),
        "until": day_and_time(until, event),
        "division": division,
        "divisions": switch.links(event, "entries"),
        "query": switch.query,
        "stage": stage,
        "size": range(2, division.team_size + 1),
        "typed": "",
        "typing": "next" in request.GET,
        "arrived": ARRIVED in request.GET,
        "draws": _draw_offer(event, stages, stage, sum(not row.withdrawn for row in rows)),
        "starts": _until_it_starts(division, stage, sum(not row.withdrawn for row in rows)),
        "text": showing.text,
        "searching": len(rows) >= SEARCH_FROM,
        "narrowed": bool(showing.text or showing.only),
        "columns": [
            {"code": name, "name": COLUMNS[name], "url": showing.link(switch.query, sort=name)}
            for name in columns
        ],
        "column_choices": [(name, words, name in columns) for name, words in COLUMNS.items()],
        "filters": [(code, words, code == showing.only) for code, words in FILTERS.items()],
        "sort_urls": {
            name: showing.link(switch.query, sort="" if name == "number" else name)
            for name in ("number", "seed", "name", "about")
        },
        "kept_words": hidden_words(showing, "q"),
        "kept_for_columns": hidden_words(showing, "only", "col", "cols"),
        "all_url": showing.link(switch.query, text="", only=""),
        "total": sum(not row.withdrawn for row in rows),
        "seeded": stage.draw_method == Stage.DrawMethod.SEEDED or any(row.seed for row in rows),
        "sort": showing.sort,
        "movable": (movable := movable_to(switch) if is_open else []),
        "limits_there": any(one.limit_source for one in movable),
        **limit_shape(request, division),
        "rows": [row_of(row) for row in shown if not row.withdrawn],
        "gone": [row_of(row) for row in shown if row.withdrawn],
        "buying": bool(out),
        "joinable": event.status in EVENT_AHEAD or (running and bool(divisions_to_join(event))),
        "join_url": _join_url(request, event) if event.registration_open else "",
        "join_qr": qr_svg(_join_url(request, event)) if event.registration_open else "",
        **applicants_shape(event, division, directs=True),
        **together_shape(event, division, is_open=is_open),
        "asking": phones_asking(event),
        "claims": claims_to_answer(event.club),
        **(extra or {}),
    }
    return show(request, "entries/entries.html", event, "entries", context, stages=stages, status=status)


def _draw_offer(event: Event, stages: list[Stage], stage: Stage, total: int) -> dict[str, Any] | None:
    """The button that draws the division from where its entries are; nothing where there is no draw to make now."""
    open_now = event.status in EVENT_AHEAD or event.status == EventStatus.RUNNING
    if (
        not open_now
        or stage.status != StageStatus.SETUP
        or is_money(stage)
        or not MIN_ENTRIES <= total <= MAX_ENTRIES
    ):
        return None
    if is_swiss(stage):
        words = _("Pair round %(number)s") % {"number": 1}
    else:
        words = _("Draw all rounds") if in_rounds(stage) else _("Make the draw")
    return {"place": stages.index(stage) + 1, "words": words}


def _until_it_starts(division: Division, stage: Stage, total: int) -> str:
    """How many are missing where a division starts by itself when it is full."""
    missing = (division.capacity or 0) - total
    if not division.starts_when_full or stage.status != StageStatus.SETUP or missing < 1:
        return ""
    words = ngettext(
        "The event starts automatically with one more entry.",
        "The event starts automatically with %(count)s more entries.",
        missing,
    )
    return words % {"count": missing}


def movable_to(switch: Switch) -> list[Division]:
    """The other divisions whose entries have as many players."""
    size = switch.division.team_size
    return [one for one in switch.divisions if one.pk != switch.division.pk and one.team_size == size]


def about_words(row: EntryRow) -> str:
    """Country and club of a single player, the players of a team that has a name of its own."""
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
        "about": about_words(row),
        **asdict(row.marks),
    }


@event_page
def players_json(request: HttpRequest, event: Event) -> HttpResponse:
    """Players for the combobox: those of the club and public ones, and who of them is entered already."""
    text = request.GET.get("q", "")[:NAME_LIMIT]
    division = chosen_division(request, event, stages_of(event)).division
    found = search_players(club=event.club, text=text)
    entered, last = statuses_of(found, division), last_events(found)
    results = [
        {
            "id": player.public_id,
            "text": player.name,
            "note": note_of(player, entered, last.get(player.pk, "")),
            "url": "",
        }
        for player in found
    ]
    return JsonResponse({"results": results})


@event_action
def add(request: HttpRequest, event: Event) -> HttpResponse:
    """Enter a chosen player or team, or those that the typed names mean; ask where that is not certain."""
    switch = chosen_division(request, event, stages_of(event))
    members = read_members(request, event, [None] * switch.division.team_size)
    wanted = [member.wanted for member in members if member.wanted is not None]
    if len(wanted) < len(members):
        return _choose(request, event, switch, members)
    entry = replace(
        wanted[0],
        partners=tuple(wanted[1:]),
        team=request.POST.get("team", "").replace("\0", "")[: 2 * NAME_LIMIT],
        overrule=overrule_in(request),
    )
    back = switch.address(event, "entries")
    try:
        made = add_entry(
            actor=actor_of(request),
            event_id=event.pk,
            division_id=switch.division.pk,
            entry=entry,
            when_full=when_full_in(request),
        )
    except CrawfordError as error:
        if error.status != INVALID:
            return not_done(request, error, back=back)
        extra = {"faults": describe_all(error), "typed": members[0].typed, "mates": members[1:]}
        return _page(request, event, showing_of(request), extra, status=INVALID)
    if made.status == EntryStatus.ACTIVE:
        messages.success(request, _("%(name)s is entered.") % {"name": made.name})
    warn_of_entered(request, event, [made])
    return redirect(f"{back}{'&' if switch.query else '?'}next")


def _choose(request: HttpRequest, event: Event, switch: Switch, members: list[Member]) -> HttpResponse:
    context = {
        "members": members_shape(members, switch.division),
        "team": request.POST.get("team", ""),
        "overrule": overrule_in(request),
        "public_page": public_page_in(request),
        "action": switch.address(event, "add-entry"),
        "back": switch.address(event, "entries"),
    }
    template = "entries/choose_player.html" if len(members) == 1 else "entries/choose_team.html"
    return show(request, template, event, "entries", context)


@event_action
def registration(request: HttpRequest, event: Event) -> HttpResponse:
    """Open or close self-registration, or make its link anew."""
    asked = request.POST.get("do", "")
    actor = actor_of(request)
    back = chosen_division(request, event, stages_of(event)).address(event, "entries")
    try:
        if asked == "renew":
            renew_registration_link(actor=actor, event_id=event.pk)
            words = _("The old registration link no longer works. Here is the new one.")
        elif asked in {"open", "close"}:
            set_registration(actor=actor, event_id=event.pk, is_open=asked == "open")
            words = (
                _("Players can now enter themselves with the link.")
                if asked == "open"
                else _("Registration is closed.")
            )
        else:
            raise Missing("registration.action_unknown")
    except CrawfordError as error:
        return not_done(request, error, back=back)
    messages.success(request, words)
    return redirect(f"{back}#registration")


def _join_url(request: HttpRequest, event: Event) -> str:
    return absolute(request, reverse("player:join", args=[join_token(event)]))
