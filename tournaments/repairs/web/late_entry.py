"""Pages for late entries into a drawn bracket.

New entry or re-entry, and its free place, random or chosen.
"""

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
    """Page to choose a free place in a draw and the entry that takes the place.

    The entry is a late entry of a new or known player, a re-entry, or an entry without a place.
    """
    stages = linked_stages(event)
    switch = chosen_division(request, event, stages)
    if request.method != "POST":
        return _page(request, event, [])
    entry_id = request.POST.get("out") or request.POST.get("waiting", "")
    known_entry = find_entry(switch.division.pk, entry_id.replace("\0", ""))
    members = [] if known_entry else read_members(request, event, [None] * switch.division.team_size)
    new_entries = [member.new_entry for member in members if member.new_entry is not None]
    if len(new_entries) < len(members):
        return _page(request, event, members)
    is_reentry = known_entry is not None and bool(request.POST.get("out"))
    stage_ids = [stage.pk for stage in stages if stage.division_id == switch.division.pk]
    try:
        # A re-entry goes into the division's first stage, even if others are drawn.
        stage_id, line = _line_from_form(request, stage_ids[:1] if is_reentry else stage_ids)
        service_kwargs: dict[str, Any] = {"actor": request_actor(request), "event_id": event.pk, **line}
        if known_entry is not None and is_reentry:
            placed_entry = reenter(
                **service_kwargs, entry_id=known_entry.pk, overrule=overrule_reason(request)
            )
        elif known_entry is not None:
            placed_entry = place_unplaced_entry(**service_kwargs, stage_id=stage_id, entry_id=known_entry.pk)
        else:
            entry = replace(
                new_entries[0], partners=tuple(new_entries[1:]), overrule=overrule_reason(request)
            )
            placed_entry = add_late_entry(
                **service_kwargs, stage_id=stage_id, entry=entry, when_full=when_full_choice(request)
            )
    except CrawfordError as error:
        is_taken = isinstance(error, Conflict) and error.code == "late_entry.taken"
        if not is_taken and error.status != INVALID_STATUS:
            return render_refused_action(request, error, back=request.get_full_path())
        return _page(request, event, members, error)
    messages.success(request, reinstated_message(placed_entry))
    for warning in limit_warnings(event, [placed_entry]):
        messages.warning(request, warning)
    return redirect("director:board", event.public_id)


def _line_from_form(request: HttpRequest, stages: Collection[int]) -> tuple[int, dict[str, Any]]:
    """Return the stage id and the keyword arguments that name the chosen place: ``match`` and ``side``.

    The form sends “stage.match.side”, or “stage.lot” for a random place, which has no arguments. Raises
    ``Invalid`` for any other text.
    """
    stage, _dot, remainder = request.POST.get("place", "").partition(".")
    match, _dot, side = remainder.partition(".")
    is_valid = remainder == AT_RANDOM or parse_row_id(match)
    if (
        not is_valid
        or parse_row_id(stage) not in stages
        or (remainder != AT_RANDOM and side not in set(Side))
    ):
        raise Invalid("late_entry.choose", field="place")
    if remainder == AT_RANDOM:
        return int(stage), {}
    return int(stage), {"match": MatchNo(int(match)), "side": Side(side)}


@snapshot()
def _page(
    request: HttpRequest, event: Event, members: list[Member], error: CrawfordError | None = None
) -> HttpResponse:
    stages = linked_stages(event)
    switch = chosen_division(request, event, stages)
    late_stages = [
        late_stage
        for late_stage in late_entry_stages(event)
        if late_stage.stage.division_id == switch.division.pk
    ]
    stages_with_lines = [
        (late_stage.stage, late_stage.places) for late_stage in late_stages if late_stage.places
    ]
    member_rows = member_contexts(members, switch.division) if error is None else []
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
            for stage, places in stages_with_lines
        ],
        "closing": [
            {"pk": late_stage.stage.pk, "held": late_stage.held}
            for late_stage in late_stages
            if late_stage.held
        ],
        "several": len(stages_with_lines) > 1,
        "fed": [
            stage_name(other_stage, stages)
            for other_stage in stages
            if other_stage.division_id == switch.division.pk and other_stage.fed_by_id is not None
        ],
        "withdrawn": withdrawn_entries(switch.division),
        "enters": are_entries_open(switch.stage, event),
        "waiting": unplaced_entries(stages_with_lines[0][0]) if stages_with_lines else [],
        "buying": request.POST.get("out", ""),
        "out": reentry_candidates(switch.division, switch.stage) if stages_with_lines else [],
        "chosen": request.POST.get(
            "place", f"{stages_with_lines[0][0].pk}.{AT_RANDOM}" if stages_with_lines else ""
        ),
        "members": member_rows,
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
    params = {"name": place.opponent, "number": place.waits}
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
        "note": note % params if note else "",
    }
