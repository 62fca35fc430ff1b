"""Selection of the division that a public page shows: ``?division=2`` in the address, counted from 1."""

from collections.abc import Sequence

from django.http import HttpRequest

from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.selectors.events.heads import DivisionSummary
from tournaments.shared.fragments.cards import Context

MAX_DIGITS = 3


def query_number(request: HttpRequest, name: str) -> int:
    """Return the number from 1 in query parameter ``name``; 0 if it is missing or invalid."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS else 0


def chosen_division(summaries: Sequence[DivisionSummary], requested: int) -> int:
    """Return the number (from 1) of the requested division.

    By default that of the first division with a visible draw that is not over.
    """
    if 1 <= requested <= len(summaries):
        return requested
    unfinished = (
        number for number, summary in enumerate(summaries, start=1) if summary.shown and not summary.is_over
    )
    return next(unfinished, 1)


def division_choices(summaries: Sequence[DivisionSummary], chosen_number: int) -> Context:
    """Return the context for `site/_divisions.html`: summaries of all divisions, or none for a single one."""
    choices = [
        {
            "number": number,
            "key": f"division-{summary.division.pk}",
            "name": summary.division.name or str(number),
            "entry_count": summary.entries,
            "played": summary.played,
            "playing": summary.playing,
            "status": _division_status(summary),
            "current": number == chosen_number,
        }
        for number, summary in enumerate(summaries, start=1)
    ]
    return {"choices": choices, "division_number": chosen_number} if len(choices) > 1 else {"choices": []}


def division_queries(summaries: Sequence[DivisionSummary], number: int) -> Context:
    """Return query strings, keyed by tab of the event, that open the division with this number.

    ``number`` 0: the tabs' default, so the dictionary is empty.
    """
    if len(summaries) < 2 or not number:
        return {}
    earlier_count = sum(len(summary.shown) for summary in summaries[: number - 1])
    draw_query = f"?stage={earlier_count + 1}" if summaries[number - 1].shown else ""
    return {"event": f"?division={number}", "bracket": draw_query, "entries": f"?division={number}"}


def _division_status(summary: DivisionSummary) -> str:
    """Return the status of a division as an event status; empty before its first draw is visible."""
    if summary.is_over:
        return EventStatus.FINISHED
    if any(stage.status != StageStatus.PUBLISHED for stage in summary.shown):
        return EventStatus.RUNNING
    return ""
