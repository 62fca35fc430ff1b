"""Manual steps of a single match: call, start, return, adjourn, report, award points.

Results and repairs use ``save``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tournaments.engine.errors import TransitionRefused
from tournaments.engine.statuses import MatchAction, MatchStatus, next_status
from tournaments.models import Match
from tournaments.store.results import current_match_state
from tournaments.store.rows import update_rows


def check_match_step(match: Match, action: MatchAction) -> None:
    """Raise a 409 if the table of live play does not allow this action; called before other checks."""
    try:
        next_status(MatchStatus(match.status), action)
    except TransitionRefused as error:
        raise error.about(current_match_state(match)) from None


def step_match(match: Match, action: MatchAction, **columns: Any) -> None:
    """Move the match to its next status and write these columns.

    Raise a 409 if the table does not allow it.
    """
    check_match_step(match, action)
    write_match(match, status=next_status(MatchStatus(match.status), action), **columns)


def step_matches(
    matches: Sequence[Match], action: MatchAction, columns: Mapping[int, Mapping[str, Any]]
) -> None:
    """``step_match`` for several matches in one statement.

    ``columns``: by database id; the same column names for every match.
    """
    names = {"status", "version"}
    for match in matches:
        check_match_step(match, action)
        match.status = next_status(MatchStatus(match.status), action)
        match.version += 1
        for name, value in columns[match.pk].items():
            setattr(match, name, value)
            names.add(name)
    update_rows(Match, sorted(names), matches)


def write_match(match: Match, **columns: Any) -> None:
    """Write these columns of a match and raise its version."""
    match.version += 1
    for name, value in columns.items():
        setattr(match, name, value)
    update_rows(Match, [*columns, "version"], [match])
