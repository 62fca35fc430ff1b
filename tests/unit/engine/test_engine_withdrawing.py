"""What is usual for an entry that leaves a round robin."""

import pytest

from tournaments.engine.standings.leaving import Leaving, usual_leaving


@pytest.mark.parametrize(
    ("played", "in_all", "usual"),
    [
        (0, 7, Leaving.STRIKE),
        (3, 7, Leaving.STRIKE),
        (4, 7, Leaving.KEEP),
        (3, 6, Leaving.KEEP),
        (7, 7, Leaving.KEEP),
    ],
)
def test_results_are_struck_when_less_than_half_was_played(played, in_all, usual):
    assert usual_leaving(played, in_all) is usual
