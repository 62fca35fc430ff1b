"""From how many decisions on a player's rating of their play is shown."""

import pytest

from games.records.summing import MIN_DECISIONS, SideSum
from tournaments.engine.types import Side
from tournaments.selectors.matches.play import OwnMatch, PlayerPerformance


@pytest.mark.parametrize(("decisions", "is_enough"), [(MIN_DECISIONS - 1, False), (MIN_DECISIONS, True)])
def test_rating_when_there_are_just_enough_decisions_then_it_is_shown(decisions, is_enough):
    match = OwnMatch(of=None, side=Side.A, sums=SideSum(7, checker_counted=decisions))
    assert PlayerPerformance("Ann", "", (match,)).has_enough_decisions is is_enough
