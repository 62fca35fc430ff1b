"""Move one match by hand: called, started, sent back, adjourned, reported, given points. Results and repairs go by ``save``."""

from collections.abc import Mapping, Sequence
from typing import Any

from tournaments.engine.errors import TransitionRefused
from tournaments.engine.statuses import MatchAction, MatchStatus, next_status
from tournaments.models import Match
from tournaments.store.results import current_match_state
from tournaments.store.rows import update_rows


def check_match_step(match: Match, action: MatchAction) -> None:
    """Refuse what the table of live play does not know (409), before anything else is asked."""
    try:
        next_status(MatchStatus(match.status), action)
    except TransitionRefused as refused:
        raise refused.about(current_match_state(match)) from None


def step_match(match: Match, action: MatchAction, **columns: Any) -> None:
    """The match's next status by the table, with these columns; refused (409) where the table has none."""
    check_match_step(match, action)
    write_match(match, status=next_status(MatchStatus(match.status), action), **columns)


def step_matches(
    matches: Sequence[Match], action: MatchAction, columns: Mapping[int, Mapping[str, Any]]
) -> None:
    """The same for several matches in one statement; ``columns`` by database id, of each the same ones."""
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
    """Write these columns of a match: whoever looked at it before has to look again."""
    match.version += 1
    for name, value in columns.items():
        setattr(match, name, value)
    update_rows(Match, [*columns, "version"], [match])
