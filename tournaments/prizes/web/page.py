"""Director's page of prizes: all in one form, sums computed while typing, saved together."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import CrawfordError, Fault
from people.messages import describe, describe_all
from people.web.access import request_actor
from tournaments.engine.trail.prizes import PrizesSet
from tournaments.models import Event, Stage
from tournaments.prizes.services.setting import plan_faults, set_prizes, undo_prizes_change
from tournaments.prizes.web.shapes import prizes_context, saved_differences
from tournaments.prizes.web.sheet import (
    FieldTexts,
    fill_section,
    parse_texts,
    texts_from_plan,
    texts_from_post,
)
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.prizes import is_plan_unchanged, last_prize_change, prize_plan, prizes_version
from tournaments.shared.frames.access import event_action, event_form
from tournaments.shared.frames.changed_since import expected_version_from, is_settings_conflict
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.last_changes import last_saved_settings

SAVE = "save"


@event_form
def prizes(request: HttpRequest, event: Event) -> HttpResponse:
    """Page with the form of all prizes. The posted ``do`` selects what happens.

    `save` saves; `fill.PREFIX` fills the section whose field names start with PREFIX, from a split or another
    section; anything else shows the form again with the sums.
    """
    stages = linked_stages(event)
    current_plan = prize_plan(event, stages)
    version = prizes_version(current_plan, stages)
    if request.method != "POST":
        return _render_page(request, event, stages, texts_from_plan(current_plan, stages), version)
    action = request.POST.get("do", SAVE)
    texts = texts_from_post(event, stages, request.POST.dict())
    if action.startswith("fill."):
        prefix = action.removeprefix("fill.")
        texts = fill_section(texts, prefix, request.POST.get(f"{prefix}.fill", ""))
    parsed = parse_texts(texts, stages)
    faults = [*parsed.faults, *plan_faults(parsed.plan, stages)]
    if action != SAVE or faults:
        status = INVALID_STATUS if action == SAVE else 200
        expected_version = expected_version_from(request) or version
        return _render_page(request, event, stages, texts, expected_version, faults=faults, status=status)
    try:
        row = set_prizes(
            actor=request_actor(request),
            event_id=event.pk,
            plan=parsed.plan,
            seen=expected_version_from(request),
        )
    except CrawfordError as error:
        if not is_settings_conflict(error):
            return render_refused_action(request, error, back=request.path)
        conflict = {
            "sentences": describe_all(error),
            "differences": saved_differences(stages, parsed.plan, current_plan),
            "changes": last_saved_settings(event, kind=PrizesSet),
            "here": request.path,
        }
        return _render_page(
            request, event, stages, texts, version, status=error.status, extra_context=conflict
        )
    messages.success(request, _("Prizes saved.") if row is not None else _("Nothing was changed."))
    return redirect(request.path)


@event_action
def undo_change(request: HttpRequest, event: Event, change: int) -> HttpResponse:
    """Undo the last change of the prizes. ``change``: the id of its audit log entry."""
    back_url = reverse("director:prizes", args=[event.public_id])
    try:
        undo_prizes_change(actor=request_actor(request), event_id=event.pk, audit_id=change)
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    messages.success(request, _("Undone. The previous prizes are restored."))
    return redirect(back_url)


def _render_page(
    request: HttpRequest,
    event: Event,
    stages: list[Stage],
    texts: FieldTexts,
    version: str,
    *,
    faults: Iterable[Fault] = (),
    status: int = 200,
    extra_context: Mapping[str, Any] | None = None,
) -> HttpResponse:
    errors: dict[str, list[str]] = {}
    for fault in faults:
        errors.setdefault(fault.field or "", []).append(describe(fault))
    last = last_prize_change(event)
    undo_id = last[0].pk if last is not None and is_plan_unchanged(event, stages, last[1].after) else None
    plan = parse_texts(texts, stages).plan
    context = {
        **prizes_context(event, stages, plan, texts, errors),
        "seen": version,
        "undo": undo_id,
        "typed": request.method == "POST",
        **(extra_context or {}),
    }
    return render_event_page(
        request, "prizes/prizes.html", event, "prizes", context, stages=stages, status=status
    )
