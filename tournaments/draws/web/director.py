"""Director's page of draws: make a draw, preview it, draw again, discard, publish, unpublish."""

from collections.abc import Callable, Mapping
from itertools import chain

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import CrawfordError, Missing
from people.messages import describe_all
from people.snapshot import snapshot
from people.web.access import request_actor
from tournaments.draws.services.draws import discard_draw, draw_stage, publish_draw, unpublish_draw
from tournaments.draws.services.randomness import choose_randomness
from tournaments.draws.web.feed import feed_context, has_feed_changed
from tournaments.draws.web.randomness import default_due_time, randomness_choice_from_form, randomness_context
from tournaments.draws.web.sources import (
    MAX_ORDER_LENGTH,
    other_methods_context,
    redraw_reason_choices,
    source_from_form,
)
from tournaments.engine.brackets.seeding import MAX_ENTRIES, MIN_ENTRIES, bye_count, round_count
from tournaments.engine.chance import SEED_LENGTH
from tournaments.engine.errors import BadInput
from tournaments.engine.lots.committed import SeedSourceKind
from tournaments.engine.matches.lengths import lengths_for_rounds
from tournaments.engine.statuses import DRAW_HIDDEN, DRAW_PUBLIC, StageStatus, allowed_actions
from tournaments.models import Entry, Event, Stage
from tournaments.rounds.services.rounds import pair_next_round, seated_entry_ids
from tournaments.rounds.web.actions import ACTIONS as ROUND_ACTIONS
from tournaments.rounds.web.actions import absent_ids_from_form
from tournaments.rounds.web.director import rounds_context
from tournaments.selectors.arranged import prefetch_stage_entries
from tournaments.selectors.check_in import absentees, entries_in_draw
from tournaments.selectors.draws import Draw, load_draws
from tournaments.selectors.entries import can_change_entries
from tournaments.selectors.events.counts import event_counts
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.money import is_money
from tournaments.selectors.prizes import Prizes, event_prizes
from tournaments.selectors.randomness import open_randomness_by_stage
from tournaments.selectors.rounds.next import rounds_to_publish
from tournaments.selectors.seeding import max_entries
from tournaments.selectors.standings.feeds import is_feed_resolved, unresolved_feeds
from tournaments.selectors.standings.tables import is_round_based
from tournaments.shared.fragments.bracket import bracket_context
from tournaments.shared.fragments.cards import Context, url_builder
from tournaments.shared.frames.access import event_action, event_page
from tournaments.shared.frames.director import (
    INVALID_STATUS,
    render_event_page,
    render_refused_action,
)
from tournaments.shared.frames.divisions import (
    chosen_division,
    division_page_url,
    division_switch,
    stage_name,
)
from tournaments.shared.words.feeds import waiting_message
from tournaments.shared.words.names import lengths_label
from tournaments.shared.words.prizes import prize_rows
from tournaments.shared.words.sections import bracket_rows

_ACTIONS: dict[str, tuple[Callable[..., Stage], str | Promise]] = {
    "discard": (discard_draw, gettext_lazy("The draw has been discarded. Entries can be changed again.")),
    "publish": (publish_draw, gettext_lazy("The draw is published. Good luck to all!")),
    "take-back": (
        unpublish_draw,
        gettext_lazy("The draw is no longer published. Only directors can see it now."),
    ),
}

# A stage is expanded on the page while its director can act on it.
_OPEN_ROUND_STATUSES = frozenset(StageStatus) - {StageStatus.FINISHED}

# With more divisions the page shows one, with links to the others.
MAX_DIVISIONS_TOGETHER = 3


@event_page
def draw(request: HttpRequest, event: Event) -> HttpResponse:
    """Page with the draw of every stage and the possible actions."""
    return _page(request, event)


@snapshot()
def _page(
    request: HttpRequest, event: Event, faults: list[str] | None = None, place: int = 0
) -> HttpResponse:
    """Render the page of draws.

    ``faults``: error messages; ``place``: number of the stage (from 1) whose form is displayed again, with
    the submitted values.
    """
    stages = linked_stages(event)
    other_place = request.GET.get("other", "")
    chosen_place = (
        int(other_place)
        if other_place.isascii() and other_place.isdecimal() and len(other_place) < 4
        else place
    )
    counts = event_counts(event)
    division_id = chosen_division(request, event, stages).division.pk if request.GET.get("division") else None
    displayed = _displayed_stages(stages, chosen_place, division_id, counts.active_entries_by_division)
    fields = ("rolls", "order", "seed", "label", "due_at", "kind", "number", "read_from")
    typed = {name: request.POST.get(name, "")[:MAX_ORDER_LENGTH] for name in fields}
    typed["due_at"] = typed["due_at"] or default_due_time(event)
    draws, open_randomness = load_draws(displayed), open_randomness_by_stage(displayed)
    prefetch_stage_entries(stages)
    public_stages = [stage for stage in stages if stage.status in DRAW_PUBLIC]
    prizes = event_prizes(event, stages)
    parts: list[Context] = [
        {
            "place": number,
            **_stage_context(
                stage, stages, counts.active_entries_by_division.get(stage.division_id, 0), prizes
            ),
            "public": public_stages.index(stage) + 1
            if stage in public_stages and len(public_stages) > 1
            else None,
            "bracket": _bracket_context(event, stage, draws[stage.pk], is_only_stage=len(stages) == 1),
            "absent": absent_entries(event, stage, draws[stage.pk]) if counts.has_check_in else [],
            "feed": feed_context(stage, draws[stage.pk]),
            "swiss": rounds_context(
                event, stage, draws[stage.pk], prizes, check_pairing="check" in request.GET
            )
            if is_round_based(stage)
            else None,
            "randomness": randomness_context(
                event, stage, draws[stage.pk], open_randomness.get(stage.pk), typed if number == place else {}
            ),
            "other": other_methods_context(stage, typed)
            if number == chosen_place
            and not is_money(stage)
            and request.POST.get("by") != SeedSourceKind.PUBLIC
            else None,
        }
        for number, stage in enumerate(stages, start=1)
        if stage in displayed
    ]
    for part in parts:
        present_count = counts.active_entries_by_division.get(part["stage"].division_id, 0) - len(
            part["absent"]
        )
        part["too_few_here"] = bool(part["absent"]) and present_count < MIN_ENTRIES
        if division_id is not None:
            part["open"] = part["stage"].division_id == division_id
        part["open"] = part["open"] or part["other"] is not None or has_feed_changed(part["feed"])
    if parts and not any(part["open"] for part in parts):
        parts[0]["open"] = True
    context = {
        "parts": parts,
        "divisions": division_switch(
            displayed[0].division_id, event, stages, counts.active_entries_by_division
        ).links(event, "draw")
        if displayed != stages
        else [],
        "expected": counts.expected,
        "least": MIN_ENTRIES,
        "most": MAX_ENTRIES,
        "faults": faults or [],
        "reasons": redraw_reason_choices(),
        "fetches": bool(settings.DRAND_URL),
    }
    return render_event_page(
        request,
        "draws/draw.html",
        event,
        "draw",
        context,
        stages=stages,
        counts=counts,
        status=INVALID_STATUS if faults else 200,
    )


def absent_entries(event: Event, stage: Stage, stage_draw: Draw) -> list[Entry]:
    """Return the entries that the next publication includes and that are not checked in.

    Without a draw, all entries of the division count as included.
    """
    if is_round_based(stage):
        try:
            new_rounds = rounds_to_publish(stage, stage_draw) if stage.next_seed else ()
        except BadInput:  # no pairing is possible; the page shows why
            new_rounds = ()
        playing_ids = seated_entry_ids(new_rounds) if new_rounds else None
    else:
        playing_ids = entries_in_draw(stage) if stage.status == StageStatus.DRAWN else None
    if playing_ids is None and (stage.fed_by_id is not None or not can_change_entries(stage)):
        return []
    return absentees(event, stage, playing_ids)


def _displayed_stages(
    stages: list[Stage], place: int, requested_division: int | None, entries: Mapping[int, int]
) -> list[Stage]:
    """Return the stages on the page: all if there are few divisions, else those of one division.

    That division is the one of the stage number ``place``, or ``requested_division``. If neither is given, it
    is the division of the first stage that has an unpublished draw or can be drawn (``entries``: number of
    entries keyed by division id), else of the first stage with a possible action.
    """
    if len({stage.division_id for stage in stages}) <= MAX_DIVISIONS_TOGETHER:
        return stages
    if 1 <= place <= len(stages):
        division = stages[place - 1].division_id
    elif requested_division is not None:
        division = requested_division
    else:
        ready = (stage for stage in stages if _can_draw(stage, entries.get(stage.division_id, 0)))
        waiting = (stage for stage in stages if _can_director_act(stage))
        division = next(chain(ready, waiting), stages[0]).division_id
    return [stage for stage in stages if stage.division_id == division]


def _can_draw(stage: Stage, entries: int) -> bool:
    """Return whether the stage has an unpublished draw, or its entries are known and enough for a draw.

    ``entries``: number of entries of the division.
    """
    if stage.status not in DRAW_HIDDEN or is_money(stage):
        return False
    if stage.status == StageStatus.DRAWN:
        return True
    return is_feed_resolved(stage) if stage.fed_by_id is not None else entries >= MIN_ENTRIES


def _can_director_act(stage: Stage) -> bool:
    """Return whether the stage's status allows a director any action on its draw."""
    return stage.status in (_OPEN_ROUND_STATUSES if is_round_based(stage) else DRAW_HIDDEN)


def _stage_context(stage: Stage, stages: list[Stage], entries: int, prizes: Prizes) -> Context:
    """Return the template context of a stage, without the drawn bracket.

    ``open``: expanded on the page, because an action is possible.
    """
    open_feeds = unresolved_feeds(stage)
    entry_limit = max_entries(stage)
    reserved_lines = stage.settings.bracket.open_lines
    has_valid_count = MIN_ENTRIES <= entries <= MAX_ENTRIES
    return {
        "stage": stage,
        "name": stage_name(stage, stages),
        "can": {action.value for action in allowed_actions(StageStatus(stage.status))},
        "open": not open_feeds and _can_director_act(stage),
        "waits_for": waiting_message(open_feeds, lambda other: stage_name(other, stages))
        if open_feeds
        else "",
        "entries": entries if stage.fed_by_id is None else None,
        "agreed": [*bracket_rows(stage.system, stage.settings.bracket), *prize_rows(prizes, stage)]
        if stage.system in Stage.ELIMINATIONS
        else [],
        "lengths": lengths_label(stage.lengths),
        "most": entry_limit,
        "byes": _free_bye_count(entries, reserved_lines)
        if has_valid_count and stage.fed_by_id is None and not is_round_based(stage)
        else 0,
        "enough": stage.fed_by_id is not None or MIN_ENTRIES <= entries <= entry_limit,
        "held": reserved_lines,
        "rounds": _lengths_label(stage, entries, reserved_lines) if stage.fed_by_id is None else "",
    }


def _bracket_context(event: Event, stage: Stage, stage_draw: Draw, *, is_only_stage: bool) -> Context | None:
    """Return the template context of the bracket with links to the matches; None if it is not displayed.

    It is displayed if it is the event's only stage or is not public yet.
    """
    if (
        is_round_based(stage)
        or not stage_draw.rounds
        or not (is_only_stage or stage.status == StageStatus.DRAWN)
    ):
        return None
    is_public = stage.status in DRAW_PUBLIC
    url = url_builder("director:match", event.public_id) if is_public else lambda _match: ""
    return bracket_context(stage_draw, stage.division.name or _("Bracket"), match_url=url)


def _free_bye_count(entries: int, reserved_lines: int) -> int:
    """Return the number of byes that are not lines reserved for late entries.

    If there are more reserved lines than byes, return all byes.
    """
    byes = bye_count(entries)
    return byes - reserved_lines if reserved_lines <= byes else byes


def _lengths_label(stage: Stage, entries: int, reserved_lines: int) -> str:
    """Return the match lengths of the rounds as “5, 7, 9”; empty if they or the entries are not known.

    The number of rounds follows from ``entries`` and the lines reserved for late entries.
    """
    if not stage.lengths or not MIN_ENTRIES <= entries <= MAX_ENTRIES:
        return ""
    return lengths_label(lengths_for_rounds(tuple(stage.lengths), round_count(entries, reserved_lines)))


@event_action
def make_draw(request: HttpRequest, event: Event) -> HttpResponse:
    """Make the draw of a stage (or pair a round), or make it again.

    Fields: ``stage``, the source of randomness (by default the committed secret), and ``seen``, the hash of
    the list of entries that the director saw.
    """
    stages = linked_stages(event)
    stage = _stage_from_form(request, stages)
    service = pair_next_round if is_round_based(stage) else draw_stage
    try:
        service(
            actor=request_actor(request),
            event_id=event.pk,
            stage_id=stage.pk,
            source=source_from_form(request, stage),
            seen=request.POST.get("seen", "")[:SEED_LENGTH],
        )
    except CrawfordError as error:
        if error.status == INVALID_STATUS:
            return _page(request, event, describe_all(error), int(request.POST.get("stage", "1")))
        return render_refused_action(request, error, back=_return_url(event, stage, stages))
    messages.success(request, _("The draw has been made. Check it: only directors can see it so far."))
    return redirect(_return_url(event, stage, stages))


@event_action
def choose_public_number(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose the public number (a drand round or a lottery) for the next draw of a stage."""
    stages = linked_stages(event)
    stage = _stage_from_form(request, stages)
    try:
        choose_randomness(
            actor=request_actor(request),
            event_id=event.pk,
            stage_id=stage.pk,
            naming=randomness_choice_from_form(request, event),
            seen=request.POST.get("seen", "")[:SEED_LENGTH],
        )
    except CrawfordError as error:
        if error.status == INVALID_STATUS:
            return _page(request, event, describe_all(error), int(request.POST.get("stage", "1")))
        return render_refused_action(request, error, back=_return_url(event, stage, stages))
    messages.success(request, _("Public number chosen. Everyone can see which one it is."))
    return redirect(_return_url(event, stage, stages))


@event_action
def draw_action(request: HttpRequest, event: Event, action: str) -> HttpResponse:
    """Discard, publish or unpublish a draw; ``action`` is part of the address.

    A Swiss or round robin has more actions (`rounds.web.actions`).
    """
    stages = linked_stages(event)
    stage = _stage_from_form(request, stages)
    if action not in (ROUND_ACTIONS if is_round_based(stage) else _ACTIONS):
        raise Missing("draw.action_unknown")
    try:
        message = (
            ROUND_ACTIONS[action](request, event, stage)
            if is_round_based(stage)
            else _run_action(request, stage, event, action)
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=_return_url(event, stage, stages))
    messages.success(request, message)
    return (
        redirect("director:board", event.public_id)
        if action == "publish"
        else redirect(_return_url(event, stage, stages))
    )


def _run_action(request: HttpRequest, stage: Stage, event: Event, action: str) -> str:
    service, message = _ACTIONS[action]
    extra_arguments = {"absent": absent_ids_from_form(request, stage)} if action == "publish" else {}
    service(actor=request_actor(request), event_id=event.pk, stage_id=stage.pk, **extra_arguments)
    return str(message)


def _stage_from_form(request: HttpRequest, stages: list[Stage]) -> Stage:
    """Return the stage whose number in the event (from 1) is in field ``stage``; by default the first."""
    place = request.POST.get("stage", "1")
    if not (place.isascii() and place.isdecimal() and len(place) < 4 and 1 <= int(place) <= len(stages)):
        raise Missing("stage.unknown")
    return stages[int(place) - 1]


def _return_url(event: Event, stage: Stage, stages: list[Stage]) -> str:
    """Return the address of the page on which ``stage`` is displayed in full."""
    has_many = len({other.division_id for other in stages}) > MAX_DIVISIONS_TOGETHER
    return division_page_url(event, "draw", stage.division_id if has_many else None)
