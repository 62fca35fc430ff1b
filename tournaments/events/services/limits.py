"""Rating limits of divisions: validation, storage and audit actions."""

from collections.abc import Mapping
from typing import Any, Final

from faults import Fault
from people.models import Club
from people.text import clean_line
from tournaments.engine.limits import RatingLimit, check_rating_limit
from tournaments.engine.trail.divisions import LimitSet
from tournaments.models import Division
from tournaments.selectors.limits import is_known_source, normalize_source, source_name

LIMIT_FIELDS: Final = ("limit_source", "limit_least", "limit_most", "limit_refuses")


def limit_details(division: Division) -> Mapping[str, Any]:
    """Return the rating limit of a division as keyword arguments for `DivisionDetails`."""
    return {name: getattr(division, name) for name in LIMIT_FIELDS}


def typed_limit_faults(limit: RatingLimit) -> list[Fault]:
    """Return the errors in a typed rating limit that can be found without knowing the club."""
    return check_rating_limit(clean_line(limit.source), limit.least, limit.most)


def rating_list_faults(club: Club, limit: RatingLimit) -> list[Fault]:
    """Return an error if the source of the limit is a rating list that the club does not have."""
    if is_known_source(club, clean_line(limit.source)):
        return []
    return [Fault("division.limit_list_unknown", "limit_source")]


def write_limit(division: Division, limit: RatingLimit) -> None:
    """Write the rating limit into ``division``, without saving it.

    A list of the club is stored by its id, so that renaming it has no effect.
    """
    division.limit_source = normalize_source(division.event.club, clean_line(limit.source))
    division.limit_least, division.limit_most = limit.least, limit.most
    division.limit_refuses = limit.rejects_outsiders


def limit_set_action(division: Division) -> LimitSet:
    """Return the audit action that records the division's present rating limit."""
    limit = division.limit or RatingLimit("")
    return LimitSet(
        name=str(division),
        source=source_name(limit.source),
        least=limit.least,
        most=limit.most,
        warns=not limit.rejects_outsiders,
    )
