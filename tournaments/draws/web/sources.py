"""Sources of a draw besides the committed secret: public number, physical dice, manual draw, typed seed."""

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
    """Return the source of randomness that a form names. Raises ``Invalid`` if it cannot be read."""
    why = request.POST.get("why", "")
    again = DrawReason(why) if why in REDRAW_REASONS else DrawReason.UNSPECIFIED
    by = request.POST.get("by", "")
    typed = request.POST.get("seed", "").strip()
    if by == SeedSourceKind.DICE:
        return SeedSource(SeedSourceKind.DICE, request.POST.get("rolls", "")[:MAX_TYPED_LENGTH], why=again)
    if by == SeedSourceKind.HAND:
        return SeedSource(
            SeedSourceKind.HAND, order=_parse_order(request.POST.get("order", ""), stage), why=again
        )
    if by == SeedSourceKind.PUBLIC:
        number, read_from = (request.POST.get(name, "").strip() for name in ("number", "read_from"))
        return SeedSource(
            SeedSourceKind.PUBLIC,
            number[:MAX_PASTED_LENGTH],
            why=again,
            read_from=read_from[:MAX_PASTED_LENGTH],
        )
    if typed or by == SeedSourceKind.TYPED:
        return SeedSource(SeedSourceKind.TYPED, typed[:MAX_TYPED_LENGTH], why=again)
    return SeedSource(why=again)


def _parse_order(text: str, stage: Stage) -> tuple[EntryId, ...]:
    """Return entries in the order of the drawn numbers.

    Raises ``Invalid`` if a number is missing or unknown.
    """
    wanted = unseeded_entries(draw_list(stage, draw_participants(stage)))
    drawn = [int(one[:6]) for one in _NUMBER.findall(text[:MAX_ORDER_LENGTH])]
    if sorted(drawn) != list(range(1, len(wanted) + 1)):
        raise Invalid("lot.order_odd", field="order", count=len(wanted), have=len(drawn))
    return tuple(wanted[number - 1] for number in drawn)


def other_methods_context(stage: Stage, typed: dict[str, str]) -> Context:
    """Return the forms of the other sources, with the current list; ``typed``: submitted values."""
    try:
        entries = draw_participants(stage)
        listed = next_draw_list(stage, load_draw(stage), entries)
    except BadInput:
        return {}
    names = {entry.pk: entry.name for entry in entries}
    by_hand = [] if is_round_based(stage) and is_swiss(stage) else unseeded_entries(listed)
    return {
        "list_hash": json_digest(listed),
        "apart": ROLLS_DISTINCT_DICE,
        "alike": ROLLS_IDENTICAL_DICE,
        "by_hand": [{"number": n, "name": names[pk]} for n, pk in enumerate(by_hand, start=1)],
        "keeps_apart": bool(listed.get("apart")),
        "can_name": not stage.division.starts_when_full,
        "typed": typed,
    }


def redraw_reason_choices() -> list[tuple[str, str]]:
    """Return the reasons for drawing again, as choices."""
    return [(str(why), str(REASON_LABELS[why])) for why in REDRAW_REASONS]
