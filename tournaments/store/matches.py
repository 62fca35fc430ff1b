"""Change a single match: call, start, return to the queue, adjourn, report, award points.

Results and repairs use ``store.save`` instead.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tournaments.engine.errors import TransitionRefused
from tournaments.engine.statuses import MatchAction, MatchStatus, next_status
from tournaments.models import Match
from tournaments.store.results import current_match_state
from tournaments.store.rows import update_rows


def check_match_step(match: Match, action: MatchAction) -> None:
    """Raise ``TransitionRefused`` (409) if this action is not allowed in the match's status.

    Called before other checks.
    """
    try:
        next_status(MatchStatus(match.status), action)
    except TransitionRefused as error:
        raise error.about(current_match_state(match)) from None


def step_match(match: Match, action: MatchAction, **columns: Any) -> None:
    """Set the match's next status and save it with the values of ``columns``.

    Raises ``TransitionRefused`` (409) if the action is not allowed in its status.
    """
    check_match_step(match, action)
    write_match(match, status=next_status(MatchStatus(match.status), action), **columns)


def step_matches(
    matches: Sequence[Match], action: MatchAction, columns: Mapping[int, Mapping[str, Any]]
) -> None:
    """Set and save the next status of several matches in one query.

    ``columns``: further values to save, keyed by match id and column name; the same names for every match.
    Raises ``TransitionRefused`` as ``step_match``.
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
    """Save these columns of a match and raise its version."""
    match.version += 1
    for name, value in columns.items():
        setattr(match, name, value)
    update_rows(Match, [*columns, "version"], [match])
