"""The way from any status of a match to any other goes by the table alone."""

import itertools

import pytest

from tournaments.engine.lifecycle import MatchAction, MatchStatus, next_status
from tournaments.store.stage_rows import way_to


@pytest.mark.parametrize(("status", "wanted"), list(itertools.product(MatchStatus, MatchStatus)))
def test_way_from_any_status_to_any_other_follows_the_table(status, wanted):
    here = status
    for action in way_to(status, wanted):
        here = next_status(here, action)
    assert here is wanted


def test_way_is_the_shortest():
    assert way_to(MatchStatus.CONFIRMED, MatchStatus.WAITING) == (MatchAction.REOPEN, MatchAction.UNPAIR)
    assert way_to(MatchStatus.PLAYING, MatchStatus.READY) == (MatchAction.SEND_BACK,)
    assert way_to(MatchStatus.READY, MatchStatus.READY) == ()
