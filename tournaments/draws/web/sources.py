"""Other ways to draw than by the committed secret alone: a public number with it, the hall's dice, numbers drawn by hand, a seed that is typed in."""

import re
from typing import Final

from django.http import HttpRequest

from faults import Invalid
from tournaments.draws.web.public import AGAIN, WHY
from tournaments.engine.errors import BadInput
from tournaments.engine.lots.committed import ROLLS_ALIKE, ROLLS_DIFFERENT, By, Source, Why, digest_of
from tournaments.engine.lots.lists import by_lot
from tournaments.engine.lots.randomness import PASTED_MOST
from tournaments.engine.types import EntryId
from tournaments.models import Stage
from tournaments.selectors.draws import draw_of
from tournaments.selectors.seeding import entries_to_draw, list_of, list_to_draw
from tournaments.selectors.standings.tables import in_rounds, is_swiss
from tournaments.shared.fragments.cards import Shape

_NUMBER: Final = re.compile(r"[0-9]+")
TYPED_MOST: Final = 80
ORDER_MOST: Final = 8000


def source_from(request: HttpRequest, stage: Stage) -> Source:
    """Where the chance of a draw shall come from, as a form says it; raises ``Invalid`` where it cannot be read."""
    why = request.POST.get("why", "")
    again = Why(why) if why in AGAIN else Why.UNSAID
    by = request.POST.get("by", "")
    typed = request.POST.get("seed", "").strip()
    if by == By.DICE:
        return Source(By.DICE, request.POST.get("rolls", "")[:TYPED_MOST], why=again)
    if by == By.HAND:
        return Source(By.HAND, order=_order(request.POST.get("order", ""), stage), why=again)
    if by == By.PUBLIC:
        number, read_from = (request.POST.get(name, "").strip() for name in ("number", "read_from"))
        return Source(By.PUBLIC, number[:PASTED_MOST], why=again, read_from=read_from[:PASTED_MOST])
    if typed or by == By.TYPED:
        return Source(By.TYPED, typed[:TYPED_MOST], why=again)
    return Source(why=again)


def _order(text: str, stage: Stage) -> tuple[EntryId, ...]:
    """Entries by the numbers that were drawn; a number that nobody has makes the order odd."""
    wanted = by_lot(list_to_draw(stage, entries_to_draw(stage)))
    drawn = [int(one[:6]) for one in _NUMBER.findall(text[:ORDER_MOST])]
    if sorted(drawn) != list(range(1, len(wanted) + 1)):
        raise Invalid("lot.order_odd", field="order", count=len(wanted), have=len(drawn))
    return tuple(wanted[number - 1] for number in drawn)


def other_ways(stage: Stage, typed: dict[str, str]) -> Shape:
    """The forms for it, with the list as it is now; ``typed``: what stood in them."""
    try:
        entries = entries_to_draw(stage)
        listed = list_of(stage, draw_of(stage), entries)
    except BadInput:
        return {}
    names = {entry.pk: entry.name for entry in entries}
    by_hand = [] if in_rounds(stage) and is_swiss(stage) else by_lot(listed)
    return {
        "list_hash": digest_of(listed),
        "apart": ROLLS_DIFFERENT,
        "alike": ROLLS_ALIKE,
        "by_hand": [{"number": n, "name": names[pk]} for n, pk in enumerate(by_hand, start=1)],
        "keeps_apart": bool(listed.get("apart")),
        "can_name": not stage.division.starts_when_full,
        "typed": typed,
    }


def reasons() -> list[tuple[str, str]]:
    """Why a draw is made again, to choose from."""
    return [(str(why), str(WHY[why])) for why in AGAIN]
