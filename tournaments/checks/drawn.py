"""Do the draws of an event follow from their seeds? Each is made again from what was frozen, by the engine alone."""

from collections.abc import Iterator, Mapping

from people.models import AuditEntry
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
from tournaments.engine.lots.lists import groups_from, lines_from, place_from, round_from
from tournaments.engine.trail.action import RoundNo
from tournaments.engine.trail.draws import RoundPublished
from tournaments.engine.types import EntryId
from tournaments.models import Event, Lot
from tournaments.models.trail import read_row, scope_of


def draw_faults(event: Event) -> Iterator[str]:
    """Everything that does not follow.

    Rounds of a Swiss are paired again from their field and seed, and are what the trail says was published; that they stand so in the
    tables is asked by `checks.soundness`.
    """
    published = _published(event)
    for lot in Lot.objects.filter(event=event).order_by("pk"):
        try:
            fault = _fault_of(lot) or _otherwise_published(lot, published)
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
        case What.ROUND if lot.outcome:
            found = round_from(lot.outcome, drawn.seed)
            return all(lot.outcome[name] == again for name, again in found.items())
        case _:  # lots of a round that was never published, a stage whose places are not drawn
            return True


def _published(event: Event) -> dict[tuple[int | None, str], frozenset[tuple[int, ...]]]:
    """Who met whom in the first of the rounds that were published with a seed, by stage and seed; early rows of the trail do not say it."""
    found: dict[tuple[int | None, str], frozenset[tuple[int, ...]]] = {}
    for row in AuditEntry.objects.filter(scope=scope_of(event), action=RoundPublished.kind).order_by("pk"):
        action = read_row(row)
        if isinstance(action, RoundPublished) and action.pairs is not None:
            pairs = action.pairs.get(RoundNo(action.round), ())
            both = ((first, second) for first, second in pairs if second is not None)
            found[row.subject_id, action.seed] = frozenset[tuple[int, ...]](both)
    return found


def _otherwise_published(
    lot: Lot, published: Mapping[tuple[int | None, str], frozenset[tuple[int, ...]]]
) -> str:
    if lot.what != What.ROUND or not lot.outcome:
        return ""
    known = published.get((lot.stage_id, lot.seed))
    pairs = frozenset(map(tuple, lot.outcome["pairs"]))
    return "" if known in {None, pairs} else "the trail says that another pairing was published"
