"""The broker is away: results are taken as quickly as ever and nothing is lost; the sweep rates them later."""

import re

import pytest

from rating.models import Fact, Pending
from rating.services import update_list_ratings
from rating.services.apply import outdated_lists
from tests.support.lanes import THE_OTHER_ONE
from tests.support.workers import start_command

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, *THE_OTHER_ONE]

NOBODY_LISTENS = "redis://127.0.0.1:1/0"


def test_results_when_the_broker_is_away_then_taken_at_once_and_found_by_the_sweep(tmp_path):
    event = start_command(NOBODY_LISTENS, tmp_path, "simulate_event", "--entries", "8", "--seed", "4")
    output, _ = event.communicate(timeout=120)
    assert event.returncode == 0, output
    assert "is finished" in output
    milliseconds = float(re.search(r"\(([\d.]+) ms each\)", output)[1])
    # Not a benchmark: without a bound on the tries every result took six seconds here.
    assert milliseconds < 3000
    assert Pending.objects.filter(applied=False).count() == Fact.objects.count() == 7
    (behind,) = outdated_lists()
    update_list_ratings(behind)
    assert outdated_lists() == []
