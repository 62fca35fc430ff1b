"""Analyses asked for by many at a time: behind whatever somebody asks for alone, called off while they wait, read by the worker alone."""

from random import Random

import pytest

from games.analysis.port import BROKEN, MISSING, NOT_FIT, EngineError
from games.models import RecordAnalysis
from games.rules.formats import MatchFormat
from games.services import store_record
from games.services.analyses import ask, claim, fail, work
from games.services.many_analyses import Wished, ask_behind, call_off
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
    assert ask_behind(record_ids=[first, second, third]) == Wished(asked=3, there=0, hopeless=0)
    assert ask_behind(record_ids=[first, second, third]) == Wished(asked=0, there=3, hopeless=0)
    ask(record_id=third)  # a player wants it
    ask(record_id=fourth)
    assert claim().record_id == third
    assert call_off(record_ids=[first, third, fourth]) == 1
    left = dict(RecordAnalysis.objects.values_list("record", "state"))
    assert left == {second: State.WAITING, third: State.WORKING, fourth: State.WAITING}
    RecordAnalysis.objects.filter(record=third).update(state=State.DONE)
    assert [claim().record_id, claim()] == [fourth, None]


def test_many_when_some_failed_then_tried_again_unless_it_is_for_good(engine, monkeypatch):
    broken, unfit, better = records(3)
    ask_behind(record_ids=[broken, unfit])
    for code in (BROKEN, NOT_FIT):
        row = claim()
        fail(pk=row.pk, key=row.claim, code=code)
    RecordAnalysis.objects.create(record_id=better, engine="bgsage", level="2-ply", state=State.DONE)
    assert ask_behind(record_ids=[broken, unfit, better]) == Wished(asked=2, there=0, hopeless=1)
    assert set(RecordAnalysis.objects.filter(state=State.WAITING).values_list("record", flat=True)) == {
        broken,
        better,
    }
    monkeypatch.setenv("GNUBG", "/nowhere/gnubg")
    with pytest.raises(EngineError, match=MISSING):
        ask_behind(record_ids=[broken])


def test_work_when_nobody_has_read_the_record_then_its_games_are_counted_or_its_own_analysis_is_kept(engine):
    rng = Random(3)
    match = random_match(rng, MatchFormat(length=5), games=1, quick=0.5)
    own = store_record(
        content=xg_file(match, random_analysis(rng, match)), filename="a.xg", record_format="xg"
    )
    (other,) = records(1)
    ask_behind(record_ids=[own.pk, other])
    assert set(RecordAnalysis.objects.values_list("games", flat=True)) == {0}
    assert work()
    kept = RecordAnalysis.objects.get(record=own)
    assert (kept.engine, kept.of_file, kept.state, kept.games) == (
        "eXtreme Gammon",
        True,
        State.DONE,
        len(match.games),
    )
    assert kept.decisions.exists()
    assert work()
    row = RecordAnalysis.objects.get(record=other)
    assert (row.state, row.failure, row.games, row.length) == (State.FAILED, BROKEN, 2, 3)
    assert not work()
