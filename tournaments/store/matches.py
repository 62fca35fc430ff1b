"""Move one match by hand: called, started, sent back, adjourned, reported, given points. Results and repairs go by ``save``."""

from collections.abc import Mapping, Sequence
from typing import Any

from tournaments.engine.errors import TransitionRefused
from tournaments.engine.statuses import MatchAction, MatchStatus, next_status
from tournaments.models import Match
from tournaments.store.results import present_of
from tournaments.store.rows import update_rows


def refuse_step(match: Match, action: MatchAction) -> None:
    """Refuse what the table of live play does not know (409), before anything else is asked."""
    try:
        next_status(MatchStatus(match.status), action)
    except TransitionRefused as refused:
        raise refused.about(present_of(match)) from None


def step(match: Match, action: MatchAction, **columns: Any) -> None:
    """The match's next status by the table, with these columns; refused (409) where the table has none."""
    refuse_step(match, action)
    write(match, status=next_status(MatchStatus(match.status), action), **columns)


def step_together(
    matches: Sequence[Match], action: MatchAction, columns: Mapping[int, Mapping[str, Any]]
) -> None:
    """The same for several matches in one statement; ``columns`` by database id, of each the same ones."""
    names = {"status", "version"}
    for match in matches:
        refuse_step(match, action)
        match.status = next_status(MatchStatus(match.status), action)
        match.version += 1
        for name, value in columns[match.pk].items():
            setattr(match, name, value)
            names.add(name)
    update_rows(Match, sorted(names), matches)


def write(match: Match, **columns: Any) -> None:
    """Write these columns of a match: whoever looked at it before has to look again."""
    match.version += 1
    for name, value in columns.items():
        setattr(match, name, value)
    update_rows(Match, [*columns, "version"], [match])
