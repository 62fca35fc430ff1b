"""Late entries into a drawn bracket: new entry or re-entry, and its free line, at random or chosen."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError, Invalid
from people.ids import parse_row_id
from people.messages import describe_all
from people.snapshot import snapshot
from people.web.access import request_actor
from tournaments.engine.types import MatchNo, Side
from tournaments.entries.web.members import Member, member_contexts, public_page_choices, read_members
from tournaments.models import Event, Stage
from tournaments.repairs.services.late_entry import add_late_entry, place_unplaced_entry
from tournaments.repairs.services.reentry import reenter
from tournaments.repairs.web.preview_words import match_label
from tournaments.repairs.web.reinstate import reinstated_message
from tournaments.selectors.entries import find_entry
from tournaments.selectors.events.director import are_entries_open, linked_stages
from tournaments.selectors.repairs.late import (
    FreeLine,
    late_entry_stages,
    reentry_candidates,
    unplaced_entries,
)
from tournaments.selectors.returning import withdrawn_entries
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.divisions import chosen_division, stage_name
from tournaments.shared.frames.limits import limit_context, limit_warnings, overrule_reason, when_full_choice
from tournaments.shared.words.names import date_and_time

AT_RANDOM = "lot"


@event_form
def late_entry(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose a free line and its entry: a new or known player, a re-entry, or an entry without a place."""
    stages = linked_stages(event)
    switch = chosen_division(request, event, stages)
    if request.method != "POST":
        return _page(request, event, [])
    given = request.POST.get("out") or request.POST.get("waiting", "")
    waiting = find_entry(switch.division.pk, given.replace("\0", ""))
    members = [] if waiting else read_members(request, event, [None] * switch.division.team_size)
    wanted = [member.wanted for member in members if member.wanted is not None]
    if len(wanted) < len(members):
        return _page(request, event, members)
    buys = waiting is not None and bool(request.POST.get("out"))
    own = [one.pk for one in stages if one.division_id == switch.division.pk]
    try:
        # A re-entry goes into the division's first stage, even if others are drawn.
        stage_id, line = _line_from_form(request, own[:1] if buys else own)
        at: dict[str, Any] = {"actor": request_actor(request), "event_id": event.pk, **line}
        if waiting is not None and buys:
            made = reenter(**at, entry_id=waiting.pk, overrule=overrule_reason(request))
        elif waiting is not None:
            made = place_unplaced_entry(**at, stage_id=stage_id, entry_id=waiting.pk)
        else:
            entry = replace(wanted[0], partners=tuple(wanted[1:]), overrule=overrule_reason(request))
            made = add_late_entry(**at, stage_id=stage_id, entry=entry, when_full=when_full_choice(request))
    except CrawfordError as error:
        taken = isinstance(error, Conflict) and error.code == "late_entry.taken"
        if not taken and error.status != INVALID_STATUS:
            return render_refused_action(request, error, back=request.get_full_path())
        return _page(request, event, members, error)
    messages.success(request, reinstated_message(made))
    for doubt in limit_warnings(event, [made]):
        messages.warning(request, doubt)
    return redirect("director:board", event.public_id)


def _line_from_form(request: HttpRequest, stages: Collection[int]) -> tuple[int, dict[str, Any]]:
    """Return the stage and the line chosen as “stage.match.side”; “stage.lot”: a random line."""
    stage, _dot, rest = request.POST.get("place", "").partition(".")
    match, _dot, side = rest.partition(".")
    plain = rest == AT_RANDOM or parse_row_id(match)
    if not plain or parse_row_id(stage) not in stages or (rest != AT_RANDOM and side not in set(Side)):
        raise Invalid("late_entry.choose", field="place")
    if rest == AT_RANDOM:
        return int(stage), {}
    return int(stage), {"match": MatchNo(int(match)), "side": Side(side)}


@snapshot()
def _page(
    request: HttpRequest, event: Event, members: list[Member], error: CrawfordError | None = None
) -> HttpResponse:
    stages = linked_stages(event)
    switch = chosen_division(request, event, stages)
    drawn = [one for one in late_entry_stages(event) if one.stage.division_id == switch.division.pk]
    found = [(one.stage, one.places) for one in drawn if one.places]
    asked = member_contexts(members, switch.division) if error is None else []
    context: dict[str, Any] = {
        "divisions": switch.links(event, "late-entry"),
        "public_pages": public_page_choices(request),
        "query": switch.query,
        "until": date_and_time(switch.division.entries_until, event),
        "stages": [
            {
                "name": stage_name(stage, stages),
                "lot": f"{stage.pk}.{AT_RANDOM}",
                "places": [_line_context(stage, place) for place in places],
            }
            for stage, places in found
        ],
        "closing": [{"pk": one.stage.pk, "held": one.held} for one in drawn if one.held],
        "several": len(found) > 1,
        "fed": [
            stage_name(one, stages)
            for one in stages
            if one.division_id == switch.division.pk and one.fed_by_id is not None
        ],
        "withdrawn": withdrawn_entries(switch.division),
        "enters": are_entries_open(switch.stage, event),
        "waiting": unplaced_entries(found[0][0]) if found else [],
        "buying": request.POST.get("out", ""),
        "out": reentry_candidates(switch.division, switch.stage) if found else [],
        "chosen": request.POST.get("place", f"{found[0][0].pk}.{AT_RANDOM}" if found else ""),
        "members": asked,
        "fields": [
            {"number": number, "typed": members[number - 1].typed if members else ""}
            for number in range(1, switch.division.team_size + 1)
        ],
        "faults": describe_all(error) if error is not None else [],
        **limit_context(request, switch.division),
    }
    status = error.status if error is not None else 200
    return render_event_page(
        request, "repairs/late.html", event, "entries", context, stages=stages, status=status
    )


def _line_context(stage: Stage, place: FreeLine) -> dict[str, str]:
    words = {"name": place.opponent, "number": place.waits}
    if place.is_reserved:
        note = (
            _("Reserved for a late entry: %(name)s waits here.")
            if place.opponent
            else _("Reserved for a late entry: no opponent yet.")
        )
    else:
        note = (
            _("%(name)s gives up the bye; the winner of this match goes to match %(number)s.")
            if place.waits
            else ""
        )
    title = match_label(place.match)
    return {
        "value": f"{stage.pk}.{place.match.number}.{place.side}",
        "title": f"{title}: {place.opponent}" if place.opponent else title,
        "note": note % words if note else "",
    }
