"""What everybody sees of how an event was drawn: promises, draws with time, chance and reason; the same as a file; how to check it."""

import json
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.web.versioned import versioned
from tournaments.draws.web.randomness import what_of
from tournaments.engine.lots.committed import By, What, Why
from tournaments.models import Event, Lot, PublicRandomness, Stage
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.lots import (
    count_draws,
    drawn_stages,
    draws_document,
    is_shown,
    lots_of,
    lots_of_gone_stages,
    public_since,
    randomness_of,
    randomness_of_gone_stages,
    same_list_before,
)
from tournaments.selectors.randomness import list_has_changed, open_of, was_passed_over
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.frames.divisions import stage_name
from tournaments.shared.frames.public import public_page, public_view
from tournaments.shared.words.names import day_and_time, round_name_of

SCRIPT: Final = "verify_draw.py"
BY: Final = {
    By.SERVER: gettext_lazy("From the server’s secret"),
    By.PUBLIC: gettext_lazy("From the server’s secret and a public random number"),
    By.DICE: gettext_lazy("With real dice"),
    By.TYPED: gettext_lazy("Seed entered by the director"),
    By.HAND: gettext_lazy("Drawn by hand, entered by the director"),
}
WHY: Final = {
    Why.FIRST: "",
    Why.ENTRIES: gettext_lazy("a player joined or left"),
    Why.SETTINGS: gettext_lazy("the settings changed"),
    Why.MISTAKE: gettext_lazy("a mistake in the list"),
    Why.OTHER: gettext_lazy("another reason"),
    Why.UNSAID: gettext_lazy("no reason given"),
}
# Saying nothing comes first: a reason that nobody chose would be an untrue one.
AGAIN: Final = (Why.UNSAID, Why.ENTRIES, Why.SETTINGS, Why.MISTAKE, Why.OTHER)


def lots_shape(event: Event, division: int | None = None) -> Shape:
    """Every stage, of all divisions or of the one with this database id, with its promise and its draws, the latest first."""
    stages = drawn_stages(event, division)
    gone, gone_named = lots_of_gone_stages(event), randomness_of_gone_stages(event)
    return {
        "stages": [
            *(_stage(event, stage, stages) for stage in stages),
            *(
                _gone_stage(event, number, gone.get(number, []), gone_named.get(number, []))
                for number in sorted(gone.keys() | gone_named.keys())
            ),
        ]
    }


def _gone_stage(event: Event, number: int, lots: list[Lot], named: list[PublicRandomness]) -> Shape:
    """A stage that was removed, by the number it had: what was drawn and named in it stays to be seen."""
    used = {lot.randomness_id for lot in lots}
    return {
        "id": number,
        "name": _("A removed stage"),
        "drawn": count_draws(lots),
        "lots": [_lot(event, lot, lots, named) for lot in reversed(lots)],
        "replaced": [_randomness(event, row) for row in reversed(named) if row.pk not in used],
    }


def _stage(event: Event, stage: Stage, stages: list[Stage]) -> Shape:
    lots, named = lots_of(stage), randomness_of(stage)
    used = {lot.randomness_id for lot in lots}
    coming = open_of(named, stage.promise, used)
    return {
        "id": stage.pk,
        "name": stage_name(stage, stages),
        "promise": stage.promise,
        "public_since": day_and_time(public_since(event, stage), event),
        "drawn": count_draws(lots),
        "is_early": bool(stage.draw_seed) and not lots,
        "lots": [_lot(event, lot, lots, named) for lot in reversed(lots)],
        "randomness": _randomness(event, coming) if coming is not None else None,
        "replaced": [
            _randomness(event, row) for row in reversed(named) if row != coming and row.pk not in used
        ],
    }


def _randomness(event: Event, named: PublicRandomness) -> Shape:
    return {
        "what": what_of(named),
        "due_at": day_and_time(named.due_at, event),
        "named_at": day_and_time(named.named_at, event),
        "commitment": named.commitment,
        "list_hash": named.list_hash,
        "value": named.value,
        "origin": named.origin,
        "read_from": named.read_from,
    }


def _lot(event: Event, lot: Lot, lots: list[Lot], named: list[PublicRandomness]) -> Shape:
    shown = is_shown(lot)
    by = By(lot.by)
    its = next((row for row in named if row.pk == lot.randomness_id), None)
    return {
        "number": lot.number,
        "title": _what(lot),
        "at": day_and_time(lot.at, event),
        "by": str(_("The director chose the line") if _is_chosen(lot) else BY[by]),
        "is_marked": by in (By.TYPED, By.HAND),
        "needs_witness": by is By.DICE,
        "publicity": lot.publicity,
        "public_since": day_and_time(lot.public_since, event),
        "randomness": _randomness(event, its) if its is not None else None,
        "passed_over": was_passed_over(lot, named),
        "list_changed": list_has_changed(lot, named),
        "is_late": lot.what == What.LATE,
        "why": str(WHY[Why(lot.why)]),
        "same_list": same_list_before(lots, lot),
        "list_hash": lot.list_hash,
        "promise": lot.promise,
        "promised_at": day_and_time(lot.promised_at, event),
        "shown": shown,
        "secret": lot.secret if shown else "",
        "typed": lot.typed if shown and by is By.DICE else "",
        "seed": lot.seed if shown else "",
    }


def _is_chosen(lot: Lot) -> bool:
    return lot.what == What.LATE and lot.by == By.HAND


def _what(lot: Lot) -> str:
    match What(lot.what):
        case What.DRAW:
            return _("Draw")
        case What.ROUND:
            return _("Drawing of lots: %(round)s") % {"round": round_name_of(f"round_{lot.round}")}
        case What.LATE:
            return _("Line of a late entry")


@public_view
def draws_json(request: HttpRequest, event: str) -> HttpResponse:
    """The draws of an event as a file that `tools/verify_draw.py` checks byte for byte."""
    visible = visible_event(request.user, event)

    def draw() -> HttpResponse:
        document = draws_document(visible.event)
        text = json.dumps(document, sort_keys=True, indent=1) + "\n"
        response = HttpResponse(text, content_type="application/json")
        response["Content-Disposition"] = f'attachment; filename="draws-{visible.event.public_id}.json"'
        response["X-Robots-Tag"] = "noindex"
        return response

    return versioned(request, [visible.event.version], draw, role=visible.role, everybody=not visible.role)


@public_view
def verify(request: HttpRequest) -> HttpResponse:
    """How anybody can check a draw, in plain words."""
    return public_page(request, "draws/verify.html", dict, versions=[])


@public_view
def verify_script(request: HttpRequest) -> HttpResponse:
    """The program that checks the draws of an event; one file that needs nothing but Python."""

    def draw() -> HttpResponse:
        source = (settings.BASE_DIR / "tools" / SCRIPT).read_bytes()
        response = HttpResponse(source, content_type="text/x-python; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{SCRIPT}"'
        return response

    return versioned(request, [], draw, everybody=True)
