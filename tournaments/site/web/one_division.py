"""Selection of the division that a public page shows: ``?division=2`` in the address, counted from 1."""

from collections.abc import Sequence

from django.http import HttpRequest

from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.selectors.events.heads import DivisionSummary
from tournaments.shared.fragments.cards import Context

MAX_DIGITS = 3


def query_number(request: HttpRequest, name: str) -> int:
    """Return a number from 1 in the query, or 0 if it is missing or invalid."""
    given = request.GET.get(name, "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) <= MAX_DIGITS else 0


def chosen_division(heads: Sequence[DivisionSummary], asked: int) -> int:
    """Return the number of the requested division, or of the first with a visible draw that is not over."""
    if 1 <= asked <= len(heads):
        return asked
    going_on = (number for number, head in enumerate(heads, start=1) if head.shown and not head.is_over)
    return next(going_on, 1)


def division_choices(heads: Sequence[DivisionSummary], chosen: int) -> Context:
    """Context for `site/_divisions.html` with summaries of the other divisions; empty for a single division."""
    choices = [
        {
            "number": number,
            "key": f"division-{head.division.pk}",
            "name": head.division.name or str(number),
            "entry_count": head.entries,
            "played": head.played,
            "playing": head.playing,
            "status": _division_status(head),
            "current": number == chosen,
        }
        for number, head in enumerate(heads, start=1)
    ]
    return {"choices": choices, "division_number": chosen} if len(choices) > 1 else {"choices": []}


def division_queries(heads: Sequence[DivisionSummary], number: int) -> Context:
    """Queries with which the tabs of an event open the division of this number; 0: their default."""
    if len(heads) < 2 or not number:
        return {}
    before = sum(len(head.shown) for head in heads[: number - 1])
    draw = f"?stage={before + 1}" if heads[number - 1].shown else ""
    return {"event": f"?division={number}", "bracket": draw, "entries": f"?division={number}"}


def _division_status(head: DivisionSummary) -> str:
    """Status of a division, as of an event; empty before its first draw is visible."""
    if head.is_over:
        return EventStatus.FINISHED
    if any(stage.status != StageStatus.PUBLISHED for stage in head.shown):
        return EventStatus.RUNNING
    return ""
