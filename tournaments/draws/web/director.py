"""The draw: make it, look at it, draw again, throw it away, publish it, take it back."""

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
from people.web.access import actor_of
from tournaments.draws.services.draws import discard_draw, draw_stage, publish_draw, take_back_draw
from tournaments.draws.services.randomness import name_randomness
from tournaments.draws.web.feed import feed_has_changed, feed_part
from tournaments.draws.web.randomness import naming_from, randomness_part, usual_time
from tournaments.draws.web.sources import ORDER_MOST, other_ways, reasons, source_from
from tournaments.engine.brackets.seeding import MAX_ENTRIES, MIN_ENTRIES, bye_count, rounds_in
from tournaments.engine.chance import SEED_LENGTH
from tournaments.engine.errors import BadInput
from tournaments.engine.lots.committed import By
from tournaments.engine.matches.lengths import lengths_for_rounds
from tournaments.engine.statuses import DRAW_HIDDEN, DRAW_SHOWN, StageStatus, allowed_actions
from tournaments.models import Entry, Event, Stage
from tournaments.rounds.services.rounds import pair_next_round, seated_in
from tournaments.rounds.web.actions import ACTIONS as ROUND_ACTIONS
from tournaments.rounds.web.actions import drawn_anyway
from tournaments.rounds.web.director import rounds_part
from tournaments.selectors.arranged import read_together
from tournaments.selectors.check_in import absentees, entries_in_draw
from tournaments.selectors.draws import Draw, draws_of
from tournaments.selectors.entries import takes_entries
from tournaments.selectors.events.counts import event_counts
from tournaments.selectors.events.director import stages_of
from tournaments.selectors.money import is_money
from tournaments.selectors.prizes import Prizes, prizes_of
from tournaments.selectors.randomness import open_among
from tournaments.selectors.rounds.next import rounds_to_publish
from tournaments.selectors.seeding import most_entries
from tournaments.selectors.standings.feeds import feed_is_ready, waits_for
from tournaments.selectors.standings.tables import in_rounds
from tournaments.shared.fragments.bracket import bracket_shape
from tournaments.shared.fragments.cards import Shape, addresses
from tournaments.shared.frames.access import event_action, event_page
from tournaments.shared.frames.director import INVALID, lengths_words, not_done, show
from tournaments.shared.frames.divisions import chosen_division, page_of_division, stage_name, switch_to
from tournaments.shared.words.feeds import waits_words
from tournaments.shared.words.prizes import prize_rows
from tournaments.shared.words.sections import bracket_words

_ACTIONS: dict[str, tuple[Callable[..., Stage], str | Promise]] = {
    "discard": (discard_draw, gettext_lazy("The draw has been discarded. Entries can be changed again.")),
    "publish": (publish_draw, gettext_lazy("The draw is published. Good luck to all!")),
    "take-back": (
        take_back_draw,
        gettext_lazy("The draw is no longer published. Only directors can see it now."),
    ),
}

# A stage stands open on the page while its director has something to do there.
_OPEN_IN_ROUNDS = frozenset(StageStatus) - {StageStatus.FINISHED}

# So many divisions stand on the page together; of more one does, with a switch to the others.
TOGETHER = 3


@event_page
def draw(request: HttpRequest, event: Event) -> HttpResponse:
    """The draw of every stage, with what can be done about it."""
    return _page(request, event)


@snapshot()
def _page(
    request: HttpRequest, event: Event, faults: list[str] | None = None, place: int = 0
) -> HttpResponse:
    """``place``: of the stage whose form is shown again, with what was typed in it."""
    stages = stages_of(event)
    asked = request.GET.get("other", "")
    chosen_place = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 4 else place
    counts = event_counts(event)
    named = chosen_division(request, event, stages).division.pk if request.GET.get("division") else None
    full = _in_full(stages, chosen_place, named, counts.active)
    fields = ("rolls", "order", "seed", "label", "due_at", "kind", "number", "read_from")
    typed = {name: request.POST.get(name, "")[:ORDER_MOST] for name in fields}
    typed["due_at"] = typed["due_at"] or usual_time(event)
    draws, named_numbers = draws_of(full), open_among(full)
    read_together(stages)
    shown = [stage for stage in stages if stage.status in DRAW_SHOWN]
    prizes = prizes_of(event, stages)
    parts: list[Shape] = [
        {
            "place": number,
            **_part(stage, stages, counts.active.get(stage.division_id, 0), prizes),
            "public": shown.index(stage) + 1 if stage in shown and len(shown) > 1 else None,
            "bracket": _bracket(event, stage, draws[stage.pk], alone=len(stages) == 1),
            "absent": would_be_absent(event, stage, draws[stage.pk]) if counts.checks_in else [],
            "feed": feed_part(stage, draws[stage.pk]),
            "swiss": rounds_part(event, stage, draws[stage.pk], prizes, check="check" in request.GET)
            if in_rounds(stage)
            else None,
            "randomness": randomness_part(
                event, stage, draws[stage.pk], named_numbers.get(stage.pk), typed if number == place else {}
            ),
            "other": other_ways(stage, typed)
            if number == chosen_place and not is_money(stage) and request.POST.get("by") != By.PUBLIC
            else None,
        }
        for number, stage in enumerate(stages, start=1)
        if stage in full
    ]
    for part in parts:
        left = counts.active.get(part["stage"].division_id, 0) - len(part["absent"])
        part["too_few_here"] = bool(part["absent"]) and left < MIN_ENTRIES
        if named is not None:
            part["open"] = part["stage"].division_id == named
        part["open"] = part["open"] or part["other"] is not None or feed_has_changed(part["feed"])
    if parts and not any(part["open"] for part in parts):
        parts[0]["open"] = True
    context = {
        "parts": parts,
        "divisions": switch_to(full[0].division_id, event, stages, counts.active).links(event, "draw")
        if full != stages
        else [],
        "expected": counts.expected,
        "least": MIN_ENTRIES,
        "most": MAX_ENTRIES,
        "faults": faults or [],
        "reasons": reasons(),
        "fetches": bool(settings.DRAND_URL),
    }
    return show(
        request,
        "draws/draw.html",
        event,
        "draw",
        context,
        stages=stages,
        counts=counts,
        status=INVALID if faults else 200,
    )


def would_be_absent(event: Event, stage: Stage, drawn: Draw) -> list[Entry]:
    """Who would be in what is published next, as it is drawn or, while it is not, as the division stands, and is not here."""
    if in_rounds(stage):
        try:
            planned = rounds_to_publish(stage, drawn) if stage.next_seed else ()
        except BadInput:  # there is no pairing, which the page says
            planned = ()
        who = seated_in(planned) if planned else None
    else:
        who = entries_in_draw(stage) if stage.status == StageStatus.DRAWN else None
    if who is None and (stage.fed_by_id is not None or not takes_entries(stage)):
        return []
    return absentees(event, stage, who)


def _in_full(stages: list[Stage], place: int, named: int | None, entries: Mapping[int, int]) -> list[Stage]:
    """The stages that stand on the page: of few divisions all, of many those of one, which the form names by the ``place`` of a stage,
    or the address (``named``).

    Where neither does: the first that is drawn and not published, or can be drawn with the ``entries`` of its division; else the
    first in which there is something to do.
    """
    if len({stage.division_id for stage in stages}) <= TOGETHER:
        return stages
    if 1 <= place <= len(stages):
        division = stages[place - 1].division_id
    elif named is not None:
        division = named
    else:
        ready = (stage for stage in stages if _can_be_drawn(stage, entries.get(stage.division_id, 0)))
        waits = (stage for stage in stages if _waits_for_director(stage))
        division = next(chain(ready, waits), stages[0]).division_id
    return [stage for stage in stages if stage.division_id == division]


def _can_be_drawn(stage: Stage, entries: int) -> bool:
    """Whether a draw is made that nobody sees yet, or can be made now: it is known who comes in, and they are enough."""
    if stage.status not in DRAW_HIDDEN or is_money(stage):
        return False
    if stage.status == StageStatus.DRAWN:
        return True
    return feed_is_ready(stage) if stage.fed_by_id is not None else entries >= MIN_ENTRIES


def _waits_for_director(stage: Stage) -> bool:
    """Whether a director can do something about its draw as far as its status tells."""
    return stage.status in (_OPEN_IN_ROUNDS if in_rounds(stage) else DRAW_HIDDEN)


def _part(stage: Stage, stages: list[Stage], entries: int, prizes: Prizes) -> Shape:
    """A stage as far as it can be told without its draw; open on the page while there is something to do about it."""
    waits = waits_for(stage)
    most = most_entries(stage)
    held = stage.settings.bracket.open_lines
    fits = MIN_ENTRIES <= entries <= MAX_ENTRIES
    return {
        "stage": stage,
        "name": stage_name(stage, stages),
        "can": {action.value for action in allowed_actions(StageStatus(stage.status))},
        "open": not waits and _waits_for_director(stage),
        "waits_for": waits_words(waits, lambda one: stage_name(one, stages)) if waits else "",
        "entries": entries if stage.fed_by_id is None else None,
        "agreed": [*bracket_words(stage.system, stage.settings.bracket), *prize_rows(prizes, stage)]
        if stage.system in Stage.ELIMINATIONS
        else [],
        "lengths": lengths_words(stage.lengths),
        "most": most,
        "byes": _byes(entries, held) if fits and stage.fed_by_id is None and not in_rounds(stage) else 0,
        "enough": stage.fed_by_id is not None or MIN_ENTRIES <= entries <= most,
        "held": held,
        "rounds": _rounds(stage, entries, held) if stage.fed_by_id is None else "",
    }


def _bracket(event: Event, stage: Stage, drawn: Draw, *, alone: bool) -> Shape | None:
    """The drawing: always of the only stage, of several those that are not public yet. Its matches lead to their decisions."""
    if in_rounds(stage) or not drawn.rounds or not (alone or stage.status == StageStatus.DRAWN):
        return None
    shown = stage.status in DRAW_SHOWN
    url = addresses("director:match", event.public_id) if shown else lambda _match: ""
    return bracket_shape(drawn, stage.division.name or _("Bracket"), match_url=url)


def _byes(entries: int, held: int) -> int:
    """Those that are not held open; where there are too few of them, the lines held open stand beside them."""
    byes = bye_count(entries)
    return byes - held if held <= byes else byes


def _rounds(stage: Stage, entries: int, held: int) -> str:
    """“5, 7, 9” for the number of rounds that this many entries make, with so many lines held open."""
    if not stage.lengths or not MIN_ENTRIES <= entries <= MAX_ENTRIES:
        return ""
    return lengths_words(lengths_for_rounds(tuple(stage.lengths), rounds_in(entries, held)))


@event_action
def make(request: HttpRequest, event: Event) -> HttpResponse:
    """Draw, or draw again: from the secret that was promised, or in another way that is marked."""
    stages = stages_of(event)
    stage = _stage(request, stages)
    service = pair_next_round if in_rounds(stage) else draw_stage
    try:
        service(
            actor=actor_of(request),
            event_id=event.pk,
            stage_id=stage.pk,
            source=source_from(request, stage),
            seen=request.POST.get("seen", "")[:SEED_LENGTH],
        )
    except CrawfordError as error:
        if error.status == INVALID:
            return _page(request, event, describe_all(error), int(request.POST.get("stage", "1")))
        return not_done(request, error, back=_back(event, stage, stages))
    messages.success(request, _("The draw has been made. Check it: only directors can see it so far."))
    return redirect(_back(event, stage, stages))


@event_action
def name_number(request: HttpRequest, event: Event) -> HttpResponse:
    """Name a public random number for the next draw."""
    stages = stages_of(event)
    stage = _stage(request, stages)
    try:
        name_randomness(
            actor=actor_of(request),
            event_id=event.pk,
            stage_id=stage.pk,
            naming=naming_from(request, event),
            seen=request.POST.get("seen", "")[:SEED_LENGTH],
        )
    except CrawfordError as error:
        if error.status == INVALID:
            return _page(request, event, describe_all(error), int(request.POST.get("stage", "1")))
        return not_done(request, error, back=_back(event, stage, stages))
    messages.success(request, _("Public number chosen. Everyone can see which one it is."))
    return redirect(_back(event, stage, stages))


@event_action
def change(request: HttpRequest, event: Event, action: str) -> HttpResponse:
    """Throw away, publish or take back; in a Swiss also end it, or let somebody sit out a round."""
    stages = stages_of(event)
    stage = _stage(request, stages)
    if action not in (ROUND_ACTIONS if in_rounds(stage) else _ACTIONS):
        raise Missing("draw.action_unknown")
    try:
        words = (
            ROUND_ACTIONS[action](request, event, stage)
            if in_rounds(stage)
            else _done(request, stage, event, action)
        )
    except CrawfordError as error:
        return not_done(request, error, back=_back(event, stage, stages))
    messages.success(request, words)
    return (
        redirect("director:board", event.public_id)
        if action == "publish"
        else redirect(_back(event, stage, stages))
    )


def _done(request: HttpRequest, stage: Stage, event: Event, action: str) -> str:
    service, words = _ACTIONS[action]
    more = {"absent": drawn_anyway(request, stage)} if action == "publish" else {}
    service(actor=actor_of(request), event_id=event.pk, stage_id=stage.pk, **more)
    return str(words)


def _stage(request: HttpRequest, stages: list[Stage]) -> Stage:
    """The stage that the form names by its place in the event, the first if it names none."""
    place = request.POST.get("stage", "1")
    if not (place.isascii() and place.isdecimal() and len(place) < 4 and 1 <= int(place) <= len(stages)):
        raise Missing("stage.unknown")
    return stages[int(place) - 1]


def _back(event: Event, stage: Stage, stages: list[Stage]) -> str:
    """Where the page tells ``stage`` whole."""
    many = len({one.division_id for one in stages}) > TOGETHER
    return page_of_division(event, "draw", stage.division_id if many else None)
