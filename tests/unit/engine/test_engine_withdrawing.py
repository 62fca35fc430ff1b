"""What is usual for an entry that leaves a round robin."""

import pytest

from tournaments.engine.standings.leaving import WithdrawnResults, default_withdrawn_results


@pytest.mark.parametrize(
    ("played", "in_all", "usual"),
    [
        (0, 7, WithdrawnResults.STRIKE),
        (3, 7, WithdrawnResults.STRIKE),
        (4, 7, WithdrawnResults.KEEP),
        (3, 6, WithdrawnResults.KEEP),
        (7, 7, WithdrawnResults.KEEP),
    ],
)
def test_results_are_struck_when_less_than_half_was_played(played, in_all, usual):
    assert default_withdrawn_results(played, in_all) is usual
