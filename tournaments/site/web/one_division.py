"""Which division of an event a public page shows, and how it names the others: `?division=2` in the address, from 1 in their order."""

from collections.abc import Sequence

from django.http import HttpRequest

from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.selectors.events.heads import DivisionSummary
from tournaments.shared.fragments.cards import Context

MAX_DIGITS = 3


def query_number(request: HttpRequest, name: str) -> int:
    """A number from 1 in the address; 0 where there is none, or something else."""
    given = request.GET.get(name, "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) <= MAX_DIGITS else 0


def chosen_division(heads: Sequence[DivisionSummary], asked: int) -> int:
    """The number of the division to show: the one that was asked for, else the first whose draw is shown and that is not over."""
    if 1 <= asked <= len(heads):
        return asked
    going_on = (number for number, head in enumerate(heads, start=1) if head.shown and not head.is_over)
    return next(going_on, 1)


def division_choices(heads: Sequence[DivisionSummary], chosen: int) -> Context:
    """For `site/_divisions.html`, and the summary of those that are not shown. Of a single division there is nothing to choose."""
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
    """Queries with which the tabs of an event lead to the division of this number; 0: to the one that they would show."""
    if len(heads) < 2 or not number:
        return {}
    before = sum(len(head.shown) for head in heads[: number - 1])
    draw = f"?stage={before + 1}" if heads[number - 1].shown else ""
    return {"event": f"?division={number}", "bracket": draw, "entries": f"?division={number}"}


def _division_status(head: DivisionSummary) -> str:
    """How far a division is, in the words of events; empty before its first draw is shown."""
    if head.is_over:
        return EventStatus.FINISHED
    if any(stage.status != StageStatus.PUBLISHED for stage in head.shown):
        return EventStatus.RUNNING
    return ""
