"""Matches by arrangement, their deadlines, and overdue matches."""

from dataclasses import dataclass
from datetime import date

from tournaments.engine.statuses import OVER
from tournaments.models import Stage
from tournaments.selectors.draws import Draw, DrawnMatch


@dataclass(frozen=True, slots=True)
class OverdueMatch:
    """A match that is not over although its deadline has passed."""

    match: DrawnMatch
    deadline: date


def is_arranged(stage: Stage, match: DrawnMatch) -> bool:
    """Return whether the players arrange the match between themselves and no table is assigned."""
    return stage.by_arrangement and match.table is None


def overdue_matches(draw: Draw, today: date) -> tuple[OverdueMatch, ...]:
    """Return the unfinished matches of rounds whose deadline has passed, longest overdue first."""
    overdue = [
        OverdueMatch(match, round_.deadline)
        for round_ in draw.rounds
        if round_.deadline is not None and round_.deadline < today
        for match in round_.matches
        if match.status not in OVER
    ]
    return tuple(
        sorted(overdue, key=lambda overdue_match: (overdue_match.deadline, overdue_match.match.number))
    )
