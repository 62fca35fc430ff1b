"""A formula that has only its module, its row and its names is explained by what it says itself, and truly."""

import pytest

from rating.formulas import ChangeCalculation, RatedMatch, System
from rating.models import Fact, FactKind, RatingList
from rating.selectors.changes import ChangeExplanation, FactChange, SideChange
from rating.selectors.rules import RatingRule
from rating.selectors.shown import PlayerName
from rating.web.explain import change_working


def chance(difference: float) -> float:
    return 1.0 / (1.0 + 10.0 ** (-difference / 400.0))


def work(_parameters, m: RatedMatch) -> ChangeCalculation:
    change = 32.0 * (1.0 - chance(m.difference))
    return ChangeCalculation(m, m.difference, 1.0, chance(m.difference), 32.0, 32.0, change, -change)


PLANTED = System(code="planted", source="nobody", parameters=(), start=1500.0, work=work)
EARNED = System(
    code="planted_points", source="nobody", parameters=(), start=0.0, is_points_system=True, work=work
)


def a_why(
    system: System, fact: Fact, working: ChangeCalculation | None, *sides: tuple[float, float]
) -> ChangeExplanation:
    shown = [
        SideChange(at, PlayerName(f"P{at}"), 1 - at, before, after, 10)
        for at, (before, after) in enumerate(sides)
    ]
    change = FactChange("", "", 1, shown[0], shown[1] if len(shown) > 1 else None, "")
    rule = RatingRule(system, {}, system.start)
    return ChangeExplanation(
        RatingList(system=system.code), fact, change, working, [], 1.0, None, False, rule, False
    )  # fmt: skip


@pytest.mark.parametrize("system", [PLANTED, EARNED])
def test_match_when_its_formula_has_no_lines_of_its_own_then_those_of_its_working(system):
    working = work({}, RatedMatch(1500.0, 10, 1700.0, 10, 7))
    fact = Fact(kind=FactKind.RESULT, length=7, event_weight=2.0, division_rank=1)
    after = (1500.0 + working.winner_change, 1700.0 + working.loser_change)
    found = change_working(a_why(system, fact, working, (1500.0, after[0]), (1700.0, after[1])))
    said = {step.label: step.value for step in found.steps}
    assert (said["D"], said["n"], said["P"]) == ("\N{MINUS SIGN}200.00", "7", "0.2403")
    assert said["Winner’s K"] == said["Loser’s K"] == "32.00"
    assert (said["Winner’s new rating"], said["Loser’s new rating"]) == ("1524.31", "1675.69")
    assert ("w" in said) is system.is_points_system
    assert all(total.is_consistent for _side, total in found.sides)
    sums = {step.label for step in found.steps if step.sum}
    assert sums == {"Winner’s new rating", "Loser’s new rating"} | ({"w"} & sums)


def test_place_when_its_formula_has_no_lines_of_its_own_then_what_it_brought():
    fact = Fact(kind=FactKind.PLACE, place=3, tied=2, field=32, event_weight=2.0, division_rank=1)
    found = change_working(a_why(EARNED, fact, None, (10.0, 18.5)))
    said = {step.label: step.value for step in found.steps}
    assert (said["Place"], said["N"], said["w"]) == ("3", "32", "2")
    assert (said["Points"], said["New points"]) == ("+8.50", "18.50")
