"""What is done on the list of the desk: mark, unmark, scan, take back; open, close, leave out."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError, Missing
from people.ids import row_number
from people.messages import describe_all
from people.web.access import actor_of
from tournaments.check_in.services.leaving_out import leave_out_missing
from tournaments.check_in.services.marking import (
    Marked,
    mark_by_code,
    mark_here,
    mark_not_here,
    mark_rest_here,
    take_mark_back,
)
from tournaments.check_in.services.windows import (
    close_check_in,
    open_check_in,
    remove_check_in,
    set_check_in,
)
from tournaments.check_in.web.page import asked_for, check_in_page, moments_of, page_address, typed_times
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.check_in import MOST_TYPED
from tournaments.models import Event
from tournaments.selectors.entries import entry_ids
from tournaments.selectors.events.director import stages_of
from tournaments.shared.frames.access import desk_action
from tournaments.shared.frames.director import INVALID, not_done
from tournaments.shared.frames.divisions import Switch, chosen_division, page_of_division
from tournaments.shared.frames.quick import is_quick

MOST: Final = 4 * MAX_ENTRIES  # entries that a form may name
NAMED: Final = 3


@desk_action
def act(request: HttpRequest, event: Event, action: str) -> HttpResponse:
    """One of `ACTIONS`; a script hears the words and whom it was about, a form goes back to the list."""
    if action not in ACTIONS:
        raise Missing("check_in.action_unknown")
    switch = chosen_division(request, event, stages_of(event))
    back = _back(request, event, switch)
    try:
        words, ids = ACTIONS[action](request, event, switch)
    except CrawfordError as error:
        if action == "set" and error.status == INVALID:
            return check_in_page(request, event, describe_all(error), typed_times(request))
        return not_done(request, error, back=back)
    if is_quick(request):
        return JsonResponse({"message": words, "entries": ids})
    messages.success(request, words)
    return redirect(back)


Done = tuple[str, list[str]]


def _here(request: HttpRequest, event: Event, switch: Switch) -> Done:
    return _marked(
        mark_here(**_where(request, event), entry_ids=_chosen(request, switch), day=asked_for(request))
    )


def _not_here(request: HttpRequest, event: Event, switch: Switch) -> Done:
    mark_not_here(**_where(request, event), entry_ids=_chosen(request, switch), day=asked_for(request))
    return _("Check-in undone."), _named(request)


def _rest(request: HttpRequest, event: Event, switch: Switch) -> Done:
    """All but those who are chosen."""
    known = entry_ids(switch.division.pk, request.POST.getlist("listed")[:MOST])
    but = [pk for name, pk in known.items() if name in set(_named(request))]
    done = mark_rest_here(
        **_where(request, event),
        division_id=switch.division.pk,
        but=but,
        listed=set(known.values()),
        day=asked_for(request),
    )
    return _marked(done)


def _code(request: HttpRequest, event: Event, _switch: Switch) -> Done:
    typed = request.POST.get("code", "").replace("\0", "")[:MOST_TYPED]
    return _marked(mark_by_code(**_where(request, event), text=typed))


def _undo(request: HttpRequest, event: Event, switch: Switch) -> Done:
    take_mark_back(
        **_where(request, event),
        audit_id=row_number(request.POST.get("row", "")),
        division_id=switch.division.pk,
    )
    return _("Undone."), []


def _open(request: HttpRequest, event: Event, switch: Switch) -> Done:
    day = asked_for(request)
    open_check_in(**_where(request, event), division_id=switch.division.pk, day=day)
    return _("Check-in is open."), []


def _close(request: HttpRequest, event: Event, switch: Switch) -> Done:
    close_check_in(**_where(request, event), division_id=switch.division.pk, day=asked_for(request))
    return _("Check-in is closed. You can still check players in."), []


def _set(request: HttpRequest, event: Event, switch: Switch) -> Done:
    day, opens_at, closes_at = moments_of(event, typed_times(request))
    set_check_in(
        **_where(request, event),
        division_id=switch.division.pk,
        day=day,
        opens_at=opens_at,
        closes_at=closes_at,
    )
    return _("Check-in times saved."), []


def _remove(request: HttpRequest, event: Event, switch: Switch) -> Done:
    remove_check_in(**_where(request, event), division_id=switch.division.pk, day=asked_for(request))
    return _("Check-in removed for that date."), []


def _leave_out(request: HttpRequest, event: Event, _switch: Switch) -> Done:
    """From the page of the draw: those whom it named as missing."""
    stages = stages_of(event)
    given = request.POST.get("stage", "")
    place = int(given) if given.isascii() and given.isdecimal() and len(given) < 4 else 0
    if not 1 <= place <= len(stages):
        raise Missing("stage.unknown")
    stage = stages[place - 1]
    known = entry_ids(stage.division_id, request.POST.getlist("absent")[:MOST])
    out = leave_out_missing(**_where(request, event), stage_id=stage.pk, listed=set(known.values()))
    if not out:
        return _("All players are now checked in."), []
    words = ngettext(
        "%(count)s entry is left out. Draw again with the players who are here.",
        "%(count)s entries are left out. Draw again with the players who are here.",
        len(out),
    )
    return words % {"count": len(out)}, []


ACTIONS: Final[Mapping[str, Callable[[HttpRequest, Event, Switch], Done]]] = {
    "here": _here,
    "not-here": _not_here,
    "rest": _rest,
    "code": _code,
    "undo": _undo,
    "open": _open,
    "close": _close,
    "set": _set,
    "remove": _remove,
    "leave-out": _leave_out,
}


def _where(request: HttpRequest, event: Event) -> dict[str, Any]:
    return {"actor": actor_of(request), "event_id": event.pk}


def _back(request: HttpRequest, event: Event, switch: Switch) -> str:
    if "absent" in request.POST:
        return page_of_division(event, "draw", switch.division.pk if switch.several else None)
    return page_address(event, switch, asked_for(request))


def _named(request: HttpRequest) -> list[str]:
    """Whom the form is about: one by its button, or those that are ticked."""
    return request.POST.getlist("chosen" if "many" in request.POST else "entry")[:MOST]


def _chosen(request: HttpRequest, switch: Switch) -> list[int]:
    """The entries that the form names; one that is not of this division is no entry."""
    known = entry_ids(switch.division.pk, _named(request))
    return [known.get(name, 0) for name in dict.fromkeys(_named(request))]


def _marked(done: Marked) -> Done:
    ids = [entry.public_id for entry in (*done.new, *done.before)]
    if not done.new:
        names = ", ".join(dict.fromkeys(entry.name for entry in done.before[:NAMED]))
        return _("Already checked in: %(names)s") % {"names": names}, ids
    if len(done.new) > NAMED:
        words = ngettext("%(count)s entry checked in.", "%(count)s entries checked in.", len(done.new))
        return words % {"count": len(done.new)}, ids
    names = ", ".join(dict.fromkeys(entry.name for entry in done.new))
    return _("Checked in: %(names)s") % {"names": names}, ids
