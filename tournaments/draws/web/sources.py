"""Sources of randomness on the draw form: secret, public number, dice, manual draw, typed seed."""

import re
from typing import Final

from django.http import HttpRequest

from faults import Invalid
from tournaments.draws.web.public import REASON_LABELS, REDRAW_REASONS
from tournaments.engine.errors import BadInput
from tournaments.engine.lots.committed import (
    ROLLS_DISTINCT_DICE,
    ROLLS_IDENTICAL_DICE,
    DrawReason,
    SeedSource,
    SeedSourceKind,
    json_digest,
)
from tournaments.engine.lots.lists import unseeded_entries
from tournaments.engine.lots.randomness import MAX_PASTED_LENGTH
from tournaments.engine.types import EntryId
from tournaments.models import Stage
from tournaments.selectors.draws import load_draw
from tournaments.selectors.seeding import draw_list, draw_participants, next_draw_list
from tournaments.selectors.standings.tables import is_round_based, is_swiss
from tournaments.shared.fragments.cards import Context

_NUMBER: Final = re.compile(r"[0-9]+")
MAX_TYPED_LENGTH: Final = 80
MAX_ORDER_LENGTH: Final = 8000


def source_from_form(request: HttpRequest, stage: Stage) -> SeedSource:
    """Return the source of randomness that a form names, with the reason for drawing again.

    Raises ``Invalid`` if a manual draw cannot be read.
    """
    posted_reason = request.POST.get("why", "")
    reason = DrawReason(posted_reason) if posted_reason in REDRAW_REASONS else DrawReason.UNSPECIFIED
    kind = request.POST.get("by", "")
    typed_seed = request.POST.get("seed", "").strip()
    if kind == SeedSourceKind.DICE:
        return SeedSource(SeedSourceKind.DICE, request.POST.get("rolls", "")[:MAX_TYPED_LENGTH], why=reason)
    if kind == SeedSourceKind.HAND:
        return SeedSource(
            SeedSourceKind.HAND, order=_parse_order(request.POST.get("order", ""), stage), why=reason
        )
    if kind == SeedSourceKind.PUBLIC:
        number, read_from = (request.POST.get(name, "").strip() for name in ("number", "read_from"))
        return SeedSource(
            SeedSourceKind.PUBLIC,
            number[:MAX_PASTED_LENGTH],
            why=reason,
            read_from=read_from[:MAX_PASTED_LENGTH],
        )
    if typed_seed or kind == SeedSourceKind.TYPED:
        return SeedSource(SeedSourceKind.TYPED, typed_seed[:MAX_TYPED_LENGTH], why=reason)
    return SeedSource(why=reason)


def _parse_order(text: str, stage: Stage) -> tuple[EntryId, ...]:
    """Return the ids of unseeded entries in the order of a manual draw, typed as the entries' numbers.

    Raises ``Invalid`` if a number is missing or unknown.
    """
    unseeded = unseeded_entries(draw_list(stage, draw_participants(stage)))
    drawn_numbers = [int(digits[:6]) for digits in _NUMBER.findall(text[:MAX_ORDER_LENGTH])]
    if sorted(drawn_numbers) != list(range(1, len(unseeded) + 1)):
        raise Invalid("lot.order_odd", field="order", count=len(unseeded), have=len(drawn_numbers))
    return tuple(unseeded[number - 1] for number in drawn_numbers)


def other_methods_context(stage: Stage, typed: dict[str, str]) -> Context:
    """Return the template context of the forms for other sources of randomness; empty if no draw is possible.

    ``typed``: submitted values.
    """
    try:
        entries = draw_participants(stage)
        frozen_list = next_draw_list(stage, load_draw(stage), entries)
    except BadInput:
        return {}
    names = {entry.pk: entry.name for entry in entries}
    unseeded = [] if is_round_based(stage) and is_swiss(stage) else unseeded_entries(frozen_list)
    return {
        "list_hash": json_digest(frozen_list),
        "apart": ROLLS_DISTINCT_DICE,
        "alike": ROLLS_IDENTICAL_DICE,
        "by_hand": [{"number": n, "name": names[pk]} for n, pk in enumerate(unseeded, start=1)],
        "keeps_apart": bool(frozen_list.get("apart")),
        "can_name": not stage.division.starts_when_full,
        "typed": typed,
    }


def redraw_reason_choices() -> list[tuple[str, str]]:
    """Return the reasons for drawing again as pairs of code and label."""
    return [(str(reason), str(REASON_LABELS[reason])) for reason in REDRAW_REASONS]
