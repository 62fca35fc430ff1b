"""The director's page of prizes: everything in one table, sums worked out as it is typed, saved whole."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import CrawfordError, Fault
from people.messages import describe, describe_all
from people.web.access import actor_of
from tournaments.engine.trail.prizes import PrizesSet
from tournaments.models import Event, Stage
from tournaments.prizes.services.setting import plan_faults, set_prizes, take_prizes_back
from tournaments.prizes.web.shapes import changes, shown
from tournaments.prizes.web.sheet import Texts, filled, read_texts, texts_of, typed_texts
from tournaments.selectors.events.director import stages_of
from tournaments.selectors.prizes import last_change, prize_plan, prizes_version, still_stands
from tournaments.shared.frames.access import event_action, event_form
from tournaments.shared.frames.changed_since import is_changed, seen_in
from tournaments.shared.frames.director import INVALID, not_done, show
from tournaments.shared.frames.last_changes import saved_last

SAVE = "save"


@event_form
def prizes(request: HttpRequest, event: Event) -> HttpResponse:
    """Set the prizes. ``do``: save; anything else works the sums out, ``fill.…`` after a part was filled."""
    stages = stages_of(event)
    now = prize_plan(event, stages)
    version = prizes_version(now, stages)
    if request.method != "POST":
        return _show(request, event, stages, texts_of(now, stages), version)
    do = request.POST.get("do", SAVE)
    texts = typed_texts(event, stages, request.POST.dict())
    if do.startswith("fill."):
        at = do.removeprefix("fill.")
        texts = filled(texts, at, request.POST.get(f"{at}.fill", ""))
    read = read_texts(texts, stages)
    faults = [*read.faults, *plan_faults(read.plan, stages)]
    if do != SAVE or faults:
        status = INVALID if do == SAVE else 200
        seen = seen_in(request) or version
        return _show(request, event, stages, texts, seen, faults=faults, status=status)
    try:
        row = set_prizes(actor=actor_of(request), event_id=event.pk, plan=read.plan, seen=seen_in(request))
    except CrawfordError as error:
        if not is_changed(error):
            return not_done(request, error, back=request.path)
        conflict = {
            "sentences": describe_all(error),
            "differences": changes(stages, read.plan, now),
            "changes": saved_last(event, kind=PrizesSet),
            "here": request.path,
        }
        return _show(request, event, stages, texts, version, status=error.status, more=conflict)
    messages.success(request, _("Prizes saved.") if row is not None else _("Nothing was changed."))
    return redirect(request.path)


@event_action
def take_back(request: HttpRequest, event: Event, change: int) -> HttpResponse:
    """The prizes as they were before the last change."""
    back = reverse("director:prizes", args=[event.public_id])
    try:
        take_prizes_back(actor=actor_of(request), event_id=event.pk, audit_id=change)
    except CrawfordError as error:
        return not_done(request, error, back=back)
    messages.success(request, _("Undone. The previous prizes are restored."))
    return redirect(back)


def _show(
    request: HttpRequest,
    event: Event,
    stages: list[Stage],
    texts: Texts,
    version: str,
    *,
    faults: Iterable[Fault] = (),
    status: int = 200,
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    errors: dict[str, list[str]] = {}
    for fault in faults:
        errors.setdefault(fault.field or "", []).append(describe(fault))
    last = last_change(event)
    undo = last[0].pk if last is not None and still_stands(event, stages, last[1].after) else None
    plan = read_texts(texts, stages).plan
    context = {
        **shown(event, stages, plan, texts, errors),
        "seen": version,
        "undo": undo,
        "typed": request.method == "POST",
        **(more or {}),
    }
    return show(request, "prizes/prizes.html", event, "prizes", context, stages=stages, status=status)
