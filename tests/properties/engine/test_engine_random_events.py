"""Fifty random whole events of up to 90 entries; `benchmarks/random_events.py` plays as many as one likes."""

import pytest

from tests.support.engine_events import SYSTEMS, run_event


@pytest.mark.parametrize("system", range(len(SYSTEMS)), ids=SYSTEMS)
def test_random_events_keep_every_invariant(system):
    for turn in range(5):
        summary = run_event(seed=turn * len(SYSTEMS) + system, largest=90)
        assert summary.system == SYSTEMS[system]
        assert summary.counts["results"] > 0
