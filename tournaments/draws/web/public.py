"""Public draw records of an event: commitments and draws, as page and file, and how to verify them."""

import json
from datetime import datetime
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.web.versioned import versioned_response
from tournaments.draws.web.randomness import randomness_label
from tournaments.engine.lots.committed import (
    MIN_PUBLIC_TIME,
    DrawKind,
    DrawReason,
    SeedSourceKind,
    is_briefly_public,
    unbroken_public_since,
)
from tournaments.models import Event, Lot, PublicRandomness, Stage
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.lots import (
    commitment_public_since,
    count_draws,
    draws_document,
    is_repeat_draw,
    is_revealed,
    lots_of_removed_stages,
    randomness_of_removed_stages,
    stage_lots,
    stage_randomness,
    stages_with_lots,
)
from tournaments.selectors.randomness import has_list_changed, latest_open_randomness, was_passed_over
from tournaments.shared.fragments.cards import Context
from tournaments.shared.frames.divisions import stage_name
from tournaments.shared.frames.public import public_page, public_view
from tournaments.shared.words.names import date_and_time, round_name_from_code

SCRIPT_NAME: Final = "verify_draw.py"
SOURCE_LABELS: Final = {
    SeedSourceKind.SERVER: gettext_lazy("From the server’s secret"),
    SeedSourceKind.PUBLIC: gettext_lazy("From the server’s secret and a public random number"),
    SeedSourceKind.DICE: gettext_lazy("With real dice"),
    SeedSourceKind.TYPED: gettext_lazy("Seed entered by the director"),
    SeedSourceKind.HAND: gettext_lazy("Drawn by hand, entered by the director"),
}
REASON_LABELS: Final = {
    DrawReason.FIRST: "",
    DrawReason.ENTRIES: gettext_lazy("a player joined or left"),
    DrawReason.SETTINGS: gettext_lazy("the settings changed"),
    DrawReason.MISTAKE: gettext_lazy("a mistake in the list"),
    DrawReason.OTHER: gettext_lazy("another reason"),
    DrawReason.UNSPECIFIED: gettext_lazy("no reason given"),
}
# UNSPECIFIED is the default, because another one would often be untrue.
REDRAW_REASONS: Final = (
    DrawReason.UNSPECIFIED,
    DrawReason.ENTRIES,
    DrawReason.SETTINGS,
    DrawReason.MISTAKE,
    DrawReason.OTHER,
)


def draw_records_context(event: Event, division: int | None = None) -> Context:
    """Return the template context of every stage with its commitment and its draws, latest first.

    ``division``: database id of the only division; None for all.
    """
    stages = stages_with_lots(event, division)
    removed_lots, removed_randomness = lots_of_removed_stages(event), randomness_of_removed_stages(event)
    return {
        "stages": [
            *(_stage_context(event, stage, stages) for stage in stages),
            *(
                _removed_stage_context(
                    event, number, removed_lots.get(number, []), removed_randomness.get(number, [])
                )
                for number in sorted(removed_lots.keys() | removed_randomness.keys())
            ),
        ]
    }


def _removed_stage_context(
    event: Event, number: int, lots: list[Lot], randomness_rows: list[PublicRandomness]
) -> Context:
    """Return the template context of a removed stage; ``number``: the id that it had.

    Its draws and its public randomness stay public.
    """
    used_ids = {lot.randomness_id for lot in lots}
    return {
        "id": number,
        "name": _("A removed stage"),
        "drawn": count_draws(lots),
        "lots": _draw_record_contexts(event, lots, randomness_rows),
        "replaced": [
            _randomness_context(event, row) for row in reversed(randomness_rows) if row.pk not in used_ids
        ],
    }


def _stage_context(event: Event, stage: Stage, stages: list[Stage]) -> Context:
    lots, randomness_rows = stage_lots(stage), stage_randomness(stage)
    used_ids = {lot.randomness_id for lot in lots}
    public_since = commitment_public_since(event, stage)
    unbroken_since = unbroken_public_since(
        [*((lot.promised_at, lot.public_since) for lot in lots), (stage.promised_at, public_since)]
    )[-1]
    next_randomness = latest_open_randomness(randomness_rows, stage.promise, used_ids)
    return {
        "id": stage.pk,
        "name": stage_name(stage, stages),
        "promise": stage.promise,
        "public_since": date_and_time(public_since, event),
        "marked_until": date_and_time(unbroken_since + MIN_PUBLIC_TIME, event)
        if unbroken_since is not None and is_briefly_public(unbroken_since, timezone.now())
        else "",
        "drawn": count_draws(lots),
        "is_early": bool(stage.draw_seed) and not lots,
        "lots": _draw_record_contexts(event, lots, randomness_rows),
        "randomness": _randomness_context(event, next_randomness) if next_randomness is not None else None,
        "replaced": [
            _randomness_context(event, row)
            for row in reversed(randomness_rows)
            if row != next_randomness and row.pk not in used_ids
        ],
    }


def _randomness_context(event: Event, randomness: PublicRandomness) -> Context:
    return {
        "what": randomness_label(randomness),
        "due_at": date_and_time(randomness.due_at, event),
        "named_at": date_and_time(randomness.named_at, event),
        "commitment": randomness.commitment,
        "list_hash": randomness.list_hash,
        "value": randomness.value,
        "origin": randomness.origin,
        "read_from": randomness.read_from,
    }


def _draw_record_contexts(
    event: Event, lots: list[Lot], randomness_rows: list[PublicRandomness]
) -> list[Context]:
    """Return the template contexts of the draws of a stage, latest first."""
    since = unbroken_public_since((lot.promised_at, lot.public_since) for lot in lots)
    records = [
        _draw_record_context(event, lot, lots, randomness_rows, public_since)
        for lot, public_since in zip(lots, since, strict=True)
    ]
    return records[::-1]


def _draw_record_context(
    event: Event,
    lot: Lot,
    lots: list[Lot],
    randomness_rows: list[PublicRandomness],
    public_since: datetime | None,
) -> Context:
    is_public = is_revealed(lot)
    source_kind = SeedSourceKind(lot.by)
    randomness = next((row for row in randomness_rows if row.pk == lot.randomness_id), None)
    return {
        "number": lot.number,
        "title": _draw_record_title(lot),
        "at": date_and_time(lot.at, event),
        "by": str(_("The director chose the line") if _is_line_chosen(lot) else SOURCE_LABELS[source_kind]),
        "is_marked": source_kind in (SeedSourceKind.TYPED, SeedSourceKind.HAND),
        "needs_witness": source_kind is SeedSourceKind.DICE,
        "publicity": lot.publicity,
        "public_since": date_and_time(lot.public_since, event),
        "is_briefly_public": is_briefly_public(public_since, _known_from(lot, randomness)),
        "randomness": _randomness_context(event, randomness) if randomness is not None else None,
        "passed_over": was_passed_over(lot, randomness_rows),
        "list_changed": has_list_changed(lot, randomness_rows),
        "is_late": lot.what == DrawKind.LATE,
        "why": str(REASON_LABELS[DrawReason(lot.why)]),
        "same_list": is_repeat_draw(lots, lot),
        "list_hash": lot.list_hash,
        "promise": lot.promise,
        "promised_at": date_and_time(lot.promised_at, event),
        "shown": is_public,
        "secret": lot.secret if is_public else "",
        "typed": lot.typed if is_public and source_kind is SeedSourceKind.DICE else "",
        "seed": lot.seed if is_public else "",
    }


def _known_from(lot: Lot, randomness: PublicRandomness | None) -> datetime:
    """Return when the result of the draw could first be known."""
    if lot.by == SeedSourceKind.PUBLIC and randomness is not None:
        return randomness.due_at
    return lot.at


def _is_line_chosen(lot: Lot) -> bool:
    return lot.what == DrawKind.LATE and lot.by == SeedSourceKind.HAND


def _draw_record_title(lot: Lot) -> str:
    match DrawKind(lot.what):
        case DrawKind.DRAW:
            return _("Draw")
        case DrawKind.ROUND:
            return _("Drawing of lots: %(round)s") % {"round": round_name_from_code(f"round_{lot.round}")}
        case DrawKind.LATE:
            return _("Line of a late entry")


@public_view
def draws_json(request: HttpRequest, event: str) -> HttpResponse:
    """Download of the event's draws as a file that `tools/verify_draw.py` checks byte for byte."""
    visible = visible_event(request.user, event)

    def draw() -> HttpResponse:
        document = draws_document(visible.event)
        text = json.dumps(document, sort_keys=True, indent=1) + "\n"
        response = HttpResponse(text, content_type="application/json")
        response["Content-Disposition"] = f'attachment; filename="draws-{visible.event.public_id}.json"'
        response["X-Robots-Tag"] = "noindex"
        return response

    return versioned_response(
        request, [visible.event.version], draw, role=visible.role, everybody=not visible.role
    )


@public_view
def verify(request: HttpRequest) -> HttpResponse:
    """Page that explains how to verify a draw."""
    return public_page(request, "draws/verify.html", dict, versions=[])


@public_view
def verify_script(request: HttpRequest) -> HttpResponse:
    """Download of the program that verifies the draws of an event; one file that needs only Python."""

    def draw() -> HttpResponse:
        source = (settings.BASE_DIR / "tools" / SCRIPT_NAME).read_bytes()
        response = HttpResponse(source, content_type="text/x-python; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{SCRIPT_NAME}"'
        return response

    return versioned_response(request, [], draw, everybody=True)
