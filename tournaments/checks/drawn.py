"""Do the draws of an event follow from their seeds? Each is made again from what was frozen, by the engine alone."""

from collections.abc import Iterator

from tournaments.engine.errors import BadInput
from tournaments.engine.lots.committed import (
    By,
    Drawn,
    Source,
    What,
    digest_of,
    promise_of,
    seed_of,
)
from tournaments.engine.lots.lists import groups_from, lines_from, place_from
from tournaments.engine.types import EntryId
from tournaments.models import Event, Lot


def draw_faults(event: Event) -> Iterator[str]:
    """Everything that does not follow. Pairings of a Swiss are compared with the trail instead (`checks.soundness`)."""
    for lot in Lot.objects.filter(event=event).order_by("pk"):
        try:
            fault = _fault_of(lot)
        except (BadInput, KeyError, TypeError, ValueError, IndexError):
            fault = "what is kept of it is no draw"
        if fault:
            yield f"draw {lot.number} of {lot.at:%Y-%m-%d %H:%M}: {fault}"


def _fault_of(lot: Lot) -> str:
    if digest_of(lot.listed) != lot.list_hash:
        return "the list it fell among is another one"
    if lot.promise and promise_of(lot.secret) != lot.promise:
        return "its secret is not the one that was promised"
    if lot.what == What.LATE and lot.by == By.HAND:
        return "" if lot.outcome["place"] in lot.listed["places"] else "the place was not free"
    order = tuple(map(EntryId, lot.order))
    seed = seed_of(Source(By(lot.by), lot.typed, order), lot.secret, lot.list_hash)
    if str(seed) != lot.seed:
        return "its seed does not follow from list and secret"
    return "" if _follows(lot, Drawn(seed, order)) else "what was drawn does not follow from its seed"


def _follows(lot: Lot, drawn: Drawn) -> bool:
    match What(lot.what):
        case What.LATE:
            return bool(lot.outcome["place"] == place_from(lot.listed, drawn))
        case What.DRAW if "groups" in lot.outcome:
            return bool([list(group) for group in groups_from(lot.listed, drawn)] == lot.outcome["groups"])
        case What.DRAW if "lines" in lot.outcome:
            return bool(list(lines_from(lot.listed, drawn)) == lot.outcome["lines"])
        case _:
            return True
