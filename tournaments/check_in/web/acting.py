"""Actions on the staff's list: check in, undo, scan, open, close, withdraw missing players."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError, Missing
from people.ids import parse_row_id
from people.messages import describe_all
from people.web.access import request_actor
from tournaments.check_in.services.leaving_out import withdraw_missing
from tournaments.check_in.services.marking import (
    CheckInResult,
    check_in_by_code,
    check_in_entries,
    check_in_others,
    uncheck_entries,
    undo_check_in_action,
)
from tournaments.check_in.services.windows import (
    close_check_in,
    open_check_in,
    remove_check_in,
    set_check_in,
)
from tournaments.check_in.web.page import (
    check_in_url,
    parse_times,
    render_check_in,
    requested_date,
    typed_times,
)
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.check_in import MAX_TYPED_LENGTH
from tournaments.models import Event
from tournaments.selectors.entries import ids_by_public_id
from tournaments.selectors.events.director import linked_stages
from tournaments.shared.frames.access import staff_action
from tournaments.shared.frames.director import INVALID_STATUS, render_refused_action
from tournaments.shared.frames.divisions import DivisionSwitch, chosen_division, division_page_url
from tournaments.shared.frames.quick import is_script_request

MAX_FORM_ENTRIES: Final = 4 * MAX_ENTRIES  # maximum number of entries in a form
MAX_LISTED_NAMES: Final = 3


@staff_action
def check_in_action(request: HttpRequest, event: Event, action: str) -> HttpResponse:
    """Do the action of this name (`ACTIONS`).

    A script gets the message and the entries' public ids as JSON, a form is redirected to the list.
    """
    if action not in ACTIONS:
        raise Missing("check_in.action_unknown")
    switch = chosen_division(request, event, linked_stages(event))
    back_url = _return_url(request, event, switch)
    try:
        message, ids = ACTIONS[action](request, event, switch)
    except CrawfordError as error:
        if action == "set" and error.status == INVALID_STATUS:
            return render_check_in(request, event, describe_all(error), typed_times(request))
        return render_refused_action(request, error, back=back_url)
    if is_script_request(request):
        return JsonResponse({"message": message, "entries": ids})
    messages.success(request, message)
    return redirect(back_url)


ActionResult = tuple[str, list[str]]


def _check_in_chosen(request: HttpRequest, event: Event, switch: DivisionSwitch) -> ActionResult:
    return _check_in_result(
        check_in_entries(
            **_service_arguments(request, event),
            entry_ids=_chosen_entries(request, switch),
            day=requested_date(request),
        )
    )


def _uncheck_chosen(request: HttpRequest, event: Event, switch: DivisionSwitch) -> ActionResult:
    uncheck_entries(
        **_service_arguments(request, event),
        entry_ids=_chosen_entries(request, switch),
        day=requested_date(request),
    )
    return _("Check-in undone."), _posted_entry_ids(request)


def _check_in_others(request: HttpRequest, event: Event, switch: DivisionSwitch) -> ActionResult:
    """Check in all listed entries except the chosen ones."""
    id_by_public_id = ids_by_public_id(switch.division.pk, request.POST.getlist("listed")[:MAX_FORM_ENTRIES])
    excluded = [pk for name, pk in id_by_public_id.items() if name in set(_posted_entry_ids(request))]
    result = check_in_others(
        **_service_arguments(request, event),
        division_id=switch.division.pk,
        but=excluded,
        listed=set(id_by_public_id.values()),
        day=requested_date(request),
    )
    return _check_in_result(result)


def _check_in_by_code(request: HttpRequest, event: Event, _switch: DivisionSwitch) -> ActionResult:
    typed_code = request.POST.get("code", "").replace("\0", "")[:MAX_TYPED_LENGTH]
    return _check_in_result(check_in_by_code(**_service_arguments(request, event), text=typed_code))


def _undo(request: HttpRequest, event: Event, switch: DivisionSwitch) -> ActionResult:
    undo_check_in_action(
        **_service_arguments(request, event),
        audit_id=parse_row_id(request.POST.get("row", "")),
        division_id=switch.division.pk,
    )
    return _("Undone."), []


def _open(request: HttpRequest, event: Event, switch: DivisionSwitch) -> ActionResult:
    day = requested_date(request)
    open_check_in(**_service_arguments(request, event), division_id=switch.division.pk, day=day)
    return _("Check-in is open."), []


def _close(request: HttpRequest, event: Event, switch: DivisionSwitch) -> ActionResult:
    close_check_in(
        **_service_arguments(request, event), division_id=switch.division.pk, day=requested_date(request)
    )
    return _("Check-in is closed. You can still check players in."), []


def _set(request: HttpRequest, event: Event, switch: DivisionSwitch) -> ActionResult:
    day, opens_at, closes_at = parse_times(event, typed_times(request))
    set_check_in(
        **_service_arguments(request, event),
        division_id=switch.division.pk,
        day=day,
        opens_at=opens_at,
        closes_at=closes_at,
    )
    return _("Check-in times saved."), []


def _remove(request: HttpRequest, event: Event, switch: DivisionSwitch) -> ActionResult:
    remove_check_in(
        **_service_arguments(request, event), division_id=switch.division.pk, day=requested_date(request)
    )
    return _("Check-in removed for that date."), []


def _withdraw_missing(request: HttpRequest, event: Event, _switch: DivisionSwitch) -> ActionResult:
    """Withdraw the entries that the draw page reported as not checked in."""
    stages = linked_stages(event)
    posted = request.POST.get("stage", "")
    place = int(posted) if posted.isascii() and posted.isdecimal() and len(posted) < 4 else 0
    if not 1 <= place <= len(stages):
        raise Missing("stage.unknown")
    stage = stages[place - 1]
    id_by_public_id = ids_by_public_id(stage.division_id, request.POST.getlist("absent")[:MAX_FORM_ENTRIES])
    withdrawn = withdraw_missing(
        **_service_arguments(request, event), stage_id=stage.pk, listed=set(id_by_public_id.values())
    )
    if not withdrawn:
        return _("All players are now checked in."), []
    message = ngettext(
        "%(count)s entry is left out. Draw again with the players who are here.",
        "%(count)s entries are left out. Draw again with the players who are here.",
        len(withdrawn),
    )
    return message % {"count": len(withdrawn)}, []


ACTIONS: Final[Mapping[str, Callable[[HttpRequest, Event, DivisionSwitch], ActionResult]]] = {
    "here": _check_in_chosen,
    "not-here": _uncheck_chosen,
    "rest": _check_in_others,
    "code": _check_in_by_code,
    "undo": _undo,
    "open": _open,
    "close": _close,
    "set": _set,
    "remove": _remove,
    "leave-out": _withdraw_missing,
}


def _service_arguments(request: HttpRequest, event: Event) -> dict[str, Any]:
    return {"actor": request_actor(request), "event_id": event.pk}


def _return_url(request: HttpRequest, event: Event, switch: DivisionSwitch) -> str:
    if "absent" in request.POST:
        return division_page_url(event, "draw", switch.division.pk if switch.has_several_divisions else None)
    return check_in_url(event, switch, requested_date(request))


def _posted_entry_ids(request: HttpRequest) -> list[str]:
    """Return the public id that belongs to the pressed button, or those of the selected entries."""
    return request.POST.getlist("chosen" if "many" in request.POST else "entry")[:MAX_FORM_ENTRIES]


def _chosen_entries(request: HttpRequest, switch: DivisionSwitch) -> list[int]:
    """Return the database ids of the chosen entries; 0 for an entry that is not of this division."""
    id_by_public_id = ids_by_public_id(switch.division.pk, _posted_entry_ids(request))
    return [id_by_public_id.get(name, 0) for name in dict.fromkeys(_posted_entry_ids(request))]


def _check_in_result(result: CheckInResult) -> ActionResult:
    ids = [entry.public_id for entry in (*result.new, *result.before)]
    if not result.new:
        names = ", ".join(dict.fromkeys(entry.name for entry in result.before[:MAX_LISTED_NAMES]))
        return _("Already checked in: %(names)s") % {"names": names}, ids
    if len(result.new) > MAX_LISTED_NAMES:
        message = ngettext("%(count)s entry checked in.", "%(count)s entries checked in.", len(result.new))
        return message % {"count": len(result.new)}, ids
    names = ", ".join(dict.fromkeys(entry.name for entry in result.new))
    return _("Checked in: %(names)s") % {"names": names}, ids
