"""Analyses asked for by many at a time: behind whatever somebody asks for alone, called off while they wait, read by the worker alone."""

from random import Random

import pytest

from games.analysis.port import BROKEN, NO_ENGINE, NOT_FIT, EngineError
from games.models import RecordAnalysis
from games.rules.formats import MatchFormat
from games.services import store_record
from games.services.analyses import claim_analysis, fail_analysis, process_next_analysis, request_analysis
from games.services.many_analyses import BulkRequestResult, cancel_requests, request_in_background
from tests.services.games.test_analyses import MATCH
from tests.support.analyses import random_analysis
from tests.support.random_matches import random_match
from tests.support.xg_files import xg_file

pytestmark = pytest.mark.django_db
State = RecordAnalysis.State


def records(count):
    return [
        store_record(content=MATCH + b"\n" * number, filename="m.mat", record_format="mat").pk
        for number in range(count)
    ]


def test_many_when_asked_for_then_once_behind_a_single_one_and_called_off_while_they_wait(engine):
    first, second, third, fourth = records(4)
    assert request_in_background(record_ids=[first, second, third]) == BulkRequestResult(
        asked=3, there=0, impossible_count=0
    )
    assert request_in_background(record_ids=[first, second, third]) == BulkRequestResult(
        asked=0, there=3, impossible_count=0
    )
    request_analysis(record_id=third)  # a player wants it
    request_analysis(record_id=fourth)
    assert claim_analysis().record_id == third
    assert cancel_requests(record_ids=[first, third, fourth]) == 1
    left = dict(RecordAnalysis.objects.values_list("record", "state"))
    assert left == {second: State.WAITING, third: State.WORKING, fourth: State.WAITING}
    RecordAnalysis.objects.filter(record=third).update(state=State.DONE)
    assert [claim_analysis().record_id, claim_analysis()] == [fourth, None]


def test_many_when_some_failed_then_tried_again_unless_it_is_for_good(engine, monkeypatch):
    broken, unfit, better = records(3)
    request_in_background(record_ids=[broken, unfit])
    for code in (BROKEN, NOT_FIT):
        row = claim_analysis()
        fail_analysis(pk=row.pk, key=row.claim, code=code)
    RecordAnalysis.objects.create(record_id=better, engine="bgsage", level="2-ply", state=State.DONE)
    assert request_in_background(record_ids=[broken, unfit, better]) == BulkRequestResult(
        asked=2, there=0, impossible_count=1
    )
    assert set(RecordAnalysis.objects.filter(state=State.WAITING).values_list("record", flat=True)) == {
        broken,
        better,
    }
    monkeypatch.setenv("GNUBG", "/nowhere/gnubg")
    with pytest.raises(EngineError, match=NO_ENGINE):
        request_in_background(record_ids=[broken])


def test_work_when_nobody_has_read_the_record_then_its_games_are_counted_or_its_own_analysis_is_kept(engine):
    rng = Random(3)
    match = random_match(rng, MatchFormat(length=5), games=1, quick=0.5)
    own = store_record(
        content=xg_file(match, random_analysis(rng, match)), filename="a.xg", record_format="xg"
    )
    (other,) = records(1)
    request_in_background(record_ids=[own.pk, other])
    assert set(RecordAnalysis.objects.values_list("games", flat=True)) == {0}
    assert process_next_analysis()
    kept = RecordAnalysis.objects.get(record=own)
    assert (kept.engine, kept.of_file, kept.state, kept.games) == (
        "eXtreme Gammon",
        True,
        State.DONE,
        len(match.games),
    )
    assert kept.decisions.exists()
    assert process_next_analysis()
    row = RecordAnalysis.objects.get(record=other)
    assert (row.state, row.failure, row.games, row.length) == (State.FAILED, BROKEN, 2, 3)
    assert not process_next_analysis()
