"""By which rule a list's numbers were computed: after a change of system that is the former one, until the list is computed anew."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rating.formulas import BadParameters, System, UnknownSystem, system_named
from rating.models import RatingList


@dataclass(frozen=True, slots=True)
class RatingRule:
    """A system (with its edition), its parameters, and what a newcomer begins with."""

    system: System
    parameters: Mapping[str, Any]
    start: float


def current_rule(rating_list: RatingList) -> RatingRule:
    """The rule that the list has now."""
    system = system_named(rating_list.system)
    return RatingRule(system, system.read(rating_list.parameters), rating_list.start)


def points_rule(rating_list: RatingList) -> RatingRule:
    """The rule by which points are earned on the list as it stands: that of its numbers; the present one where those earned none."""
    rule = computed_rule(rating_list)
    return rule if rule is not None and rule.system.weighted else current_rule(rating_list)


def computed_rule(rating_list: RatingList) -> RatingRule | None:
    """The rule by which the numbers came that the list shows; None where nobody has written it down and it may be another."""
    present = current_rule(rating_list)
    if rating_list.generation is None:
        return present
    written = rating_list.generation.rule
    if not written:
        return None if rating_list.needs_rebuild else present
    try:
        system = system_named(written["system"])
        return RatingRule(system, system.read(written["parameters"]), written["start"])
    except (UnknownSystem, BadParameters):
        return None
