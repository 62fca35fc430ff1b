"""Director's pages to change or withdraw one entry, and actions on several chosen entries."""

from collections.abc import Mapping
from dataclasses import asdict
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError, Invalid, Missing
from people.ids import PUBLIC_ID_LENGTH, parse_row_id
from people.messages import describe_all
from people.web.access import request_actor
from tournaments.engine.new_entry import MARK_LIMITS, EntryMarks
from tournaments.engine.statuses import EVENT_CHANGEABLE
from tournaments.entries.services.details import mark_paid
from tournaments.entries.services.entries import update_entry, withdraw_entry
from tournaments.entries.services.several import move_entries, withdraw_entries
from tournaments.entries.services.spelling import correct_names
from tournaments.entries.services.teams import team_name
from tournaments.entries.web.details import details_forms, save_details_forms
from tournaments.entries.web.links import TICKETS_PER_PAGE
from tournaments.entries.web.members import MAX_NAME_LENGTH, Member, member_contexts, read_members
from tournaments.entries.web.phones import phone_contexts
from tournaments.models import Entry, EntryPlayer, Event
from tournaments.selectors.entries import entry_player_rows, get_entry, ids_by_public_id, travel_groups
from tournaments.selectors.events.director import are_entries_open, linked_stages
from tournaments.shared.frames.access import event_action, event_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.divisions import DivisionSwitch, chosen_division, division_switch
from tournaments.shared.frames.limits import (
    limit_context,
    overrule_reason,
    warn_about_entries,
    when_full_choice,
)


@event_form
def entry(request: HttpRequest, event: Event, entry: str) -> HttpResponse:
    """Show and change an entry: players (until the draw), team name, travel group, spelling, details."""
    loaded_entry = _entry(event, entry)
    stages = linked_stages(event)
    switch = division_switch(loaded_entry.division_id, event, stages)
    return_url = (
        _match_url(request, event) or f"{switch.page_url(event, 'entries')}#e-{loaded_entry.public_id}"
    )
    rows = entry_player_rows(loaded_entry)
    is_open = are_entries_open(switch.stage, event) and loaded_entry.again_of_id is None
    is_team = switch.division.team_size > 1
    data = request.POST if request.method == "POST" else None
    faults: list[str] = []
    members: list[Member] = []
    typed_names = {
        row.player_id: _typed_name(request, position, row) for position, row in enumerate(rows, start=1)
    }
    is_spelling = data is not None and data.get("part") == "spelling"
    is_details = data is not None and data.get("part") == "details"
    detail_forms = details_forms(loaded_entry, rows, data if is_details else None)
    if is_details:
        try:
            if save_details_forms(request, event, loaded_entry, detail_forms):
                messages.success(request, _("%(name)s has been saved.") % {"name": loaded_entry.name})
                return redirect(return_url)
        except CrawfordError as error:
            return render_refused_action(request, error, back=request.get_full_path())
    elif is_spelling:
        try:
            updated_entry = correct_names(
                actor=request_actor(request), event_id=event.pk, entry_id=loaded_entry.pk, names=typed_names
            )
        except CrawfordError as error:
            if error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=switch.page_url(event, "entries"))
            faults = describe_all(error)
        else:
            messages.success(request, _("%(name)s has been saved.") % {"name": updated_entry.name})
            return redirect(return_url)
    elif data is not None:
        members = read_members(request, event, [row.player for row in rows]) if is_open else []
        new_entries = [member.new_entry for member in members if member.new_entry is not None]
        if len(new_entries) < len(members):
            return _render_player_choice(request, event, switch, members)
        try:
            updated_entry = update_entry(
                actor=request_actor(request),
                event_id=event.pk,
                entry_id=loaded_entry.pk,
                marks=_typed_marks(data),
                team=data.get("team", "").replace("\0", "") if is_team else "",
                members=new_entries if is_open else None,
                overrule=overrule_reason(request),
            )
        except CrawfordError as error:
            if error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=switch.page_url(event, "entries"))
            faults = describe_all(error)
        else:
            messages.success(request, _("%(name)s has been saved.") % {"name": updated_entry.name})
            if is_open and [new_entry.player_id for new_entry in new_entries] != [
                row.player_id for row in rows
            ]:
                warn_about_entries(request, event, [updated_entry])
            return redirect(return_url)
    is_main_form = data is not None and not is_spelling and not is_details
    context = {
        "entry": loaded_entry,
        "players": [
            {
                "member": Member(position, members[position - 1].typed if members else row.player.name, None),
                "public_id": "" if members else row.player.public_id,
            }
            for position, row in enumerate(rows, start=1)
        ],
        "details": detail_forms,
        "detailed": is_details,
        "open": is_open,
        "may_return": event.status in EVENT_CHANGEABLE,
        "spelling": [
            {"place": position, "name": typed_names[row.player_id]}
            for position, row in enumerate(rows, start=1)
        ],
        "misspelt": is_spelling,
        "team": is_team,
        "team_name": request.POST.get("team", "") if is_main_form else _chosen_team_name(loaded_entry, rows),
        **asdict(_typed_marks(request.POST) if is_main_form else loaded_entry.marks),
        "parties": travel_groups(loaded_entry.division_id),
        "faults": faults,
        "query": switch.query,
        "back": return_url,
        "phones": phone_contexts(event, loaded_entry),
        **limit_context(request, switch.division),
    }
    status = INVALID_STATUS if faults or any(form.errors for form in detail_forms) else 200
    return render_event_page(
        request, "entries/entry.html", event, "entries", context, stages=stages, status=status
    )


@event_action
def withdraw(request: HttpRequest, event: Event) -> HttpResponse:
    """Withdraw an entry before the draw. The entry stays on the list and can be reinstated."""
    loaded_entry = _entry(event, request.POST.get("entry", ""))
    return_url = division_switch(loaded_entry.division_id, event, linked_stages(event)).page_url(
        event, "entries"
    )
    try:
        withdrawn_entry = withdraw_entry(
            actor=request_actor(request), event_id=event.pk, entry_id=loaded_entry.pk
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=return_url)
    messages.success(request, _("%(name)s is withdrawn.") % {"name": withdrawn_entry.name})
    return redirect(return_url)


@event_action
def bulk_action(request: HttpRequest, event: Event) -> HttpResponse:
    """Carry out the chosen action on several entries: withdraw, mark as paid, move, or print their links."""
    switch = chosen_division(request, event, linked_stages(event))
    return_url = switch.page_url(event, "entries")
    public_ids = [
        public_id.replace("\0", "")[:MAX_NAME_LENGTH] for public_id in request.POST.getlist("chosen")
    ]
    action = request.POST.get("action", "")
    if action == "print" and public_ids:
        query_params = {"entry": public_ids[:TICKETS_PER_PAGE], "division": switch.division.pk}
        return redirect(
            f"{reverse('director:sheet', args=[event.public_id])}?{urlencode(query_params, doseq=True)}"
        )
    pk_by_public_id = ids_by_public_id(switch.division.pk, public_ids)
    chosen_pks = [
        pk_by_public_id[public_id] for public_id in dict.fromkeys(public_ids) if public_id in pk_by_public_id
    ]
    target_id = request.POST.get("to", "")
    try:
        if action == "withdraw":
            changed_entries = withdraw_entries(
                actor=request_actor(request), event_id=event.pk, entry_ids=chosen_pks
            )
            message = ngettext(
                "%(count)s entry is withdrawn.", "%(count)s entries are withdrawn.", len(changed_entries)
            )
        elif action in {"paid", "unpaid"}:
            changed_entries = mark_paid(
                actor=request_actor(request), event_id=event.pk, entry_ids=chosen_pks, paid=action == "paid"
            )
            message = (
                ngettext(
                    "%(count)s entry marked as paid.",
                    "%(count)s entries marked as paid.",
                    len(changed_entries),
                )
                if action == "paid"
                else ngettext(
                    "%(count)s entry marked as unpaid.",
                    "%(count)s entries marked as unpaid.",
                    len(changed_entries),
                )
            )
        elif action == "move":
            changed_entries = move_entries(
                actor=request_actor(request),
                event_id=event.pk,
                entry_ids=chosen_pks,
                division_id=parse_row_id(target_id),
                overrule=overrule_reason(request),
                when_full=when_full_choice(request),
            )
            message = ngettext("%(count)s entry moved.", "%(count)s entries moved.", len(changed_entries))
        elif action == "print":
            raise Invalid("entry.none_chosen", field="chosen")
        else:
            raise Missing("entry.action_unknown")
    except CrawfordError as error:
        return render_refused_action(request, error, back=return_url)
    messages.success(request, message % {"count": len(changed_entries)})
    if action == "move":
        warn_about_entries(request, event, changed_entries)
    return redirect(return_url)


def _render_player_choice(
    request: HttpRequest, event: Event, switch: DivisionSwitch, members: list[Member]
) -> HttpResponse:
    context = {
        "members": member_contexts(members, switch.division),
        "team": request.POST.get("team", ""),
        "marks": asdict(_typed_marks(request.POST)),
        "overrule": overrule_reason(request),
        "action": request.path,
        "back": switch.page_url(event, "entries"),
    }
    return render_event_page(request, "entries/choose_team.html", event, "entries", context)


def _typed_name(request: HttpRequest, position: int, row: EntryPlayer) -> str:
    """Return the corrected name of the player at ``position`` as typed.

    The present name if the field is missing.
    """
    return request.POST.get(f"spelling_{position}", row.player.name).replace("\0", "")[:MAX_NAME_LENGTH]


def _typed_marks(data: Mapping[str, str]) -> EntryMarks:
    return EntryMarks(*(data.get(name, "").replace("\0", "") for name in MARK_LIMITS))


def _match_url(request: HttpRequest, event: Event) -> str:
    """Return the address of the match page from which the director opened the entry, to return there.

    Empty if the entry was opened from elsewhere.
    """
    match = request.GET.get("match", "")
    if len(match) == PUBLIC_ID_LENGTH and match.isascii() and match.isalnum():
        return reverse("director:match", args=[event.public_id, match])
    return ""


def _chosen_team_name(entry: Entry, rows: list[EntryPlayer]) -> str:
    """Return the name that a team has chosen; empty if the entry's name is made of its players' names."""
    return "" if entry.name == team_name([row.player.name for row in rows]) else entry.name


def _entry(event: Event, public_id: str) -> Entry:
    return get_entry(event, public_id.replace("\0", "")[:MAX_NAME_LENGTH])
