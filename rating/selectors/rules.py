"""The rating rule of a list: the present one, and the one by which the shown ratings were computed.

After a change of system they differ until the list is rebuilt.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rating.formulas import BadParameters, System, UnknownSystem, get_system
from rating.models import RatingList


@dataclass(frozen=True, slots=True)
class RatingRule:
    """A rating system (with its edition), its parameters, and the rating of a new player."""

    system: System
    parameters: Mapping[str, Any]
    start: float


def current_rule(rating_list: RatingList) -> RatingRule:
    """Return the rule in the list's present settings."""
    system = get_system(rating_list.system)
    return RatingRule(system, system.read(rating_list.parameters), rating_list.start)


def points_rule(rating_list: RatingList) -> RatingRule:
    """Return the rule by which points are earned: that of the shown points, else the present one."""
    rule = computed_rule(rating_list)
    return rule if rule is not None and rule.system.is_points_system else current_rule(rating_list)


def computed_rule(rating_list: RatingList) -> RatingRule | None:
    """Return the rule by which the shown ratings were computed.

    None if that was not recorded and may be another than the present rule.
    """
    current = current_rule(rating_list)
    if rating_list.generation is None:
        return current
    stored_rule = rating_list.generation.rule
    if not stored_rule:
        return None if rating_list.needs_rebuild else current
    try:
        system = get_system(stored_rule["system"])
        return RatingRule(system, system.read(stored_rule["parameters"]), stored_rule["start"])
    except (UnknownSystem, BadParameters):
        return None
