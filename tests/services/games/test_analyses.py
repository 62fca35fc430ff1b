"""Analyses: asked for once, one at a time, written once whatever dies. The engine is GNU Backgammon itself, or small programs in its place."""

import os
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from django.utils import timezone

from games.analysis.bounded import ProcessLimits, run_limited
from games.analysis.engines import installed_engine
from games.analysis.gnubg import GnuBackgammon, program_path
from games.analysis.port import BROKEN, LIMIT_REACHED, NO_ENGINE, NOT_FIT, EngineError
from games.models import AnalysedDecision, RecordAnalysis, StoredRecord
from games.records.checking import check_record
from games.records.performance import performances
from games.records.registry import write_record
from games.records.summing import pool_sides, summarize_match
from games.rules.formats import MatchFormat
from games.selectors import performance_ratings, side_sums
from games.services import analyses, store_record
from games.services.analyses import (
    begin_analysis,
    claim_analysis,
    decision_rows,
    finish_analysis,
    process_next_analysis,
    release_stale_claims,
    request_analysis,
)
from games.services.sums import empty_sums
from people.versions import ANALYSES, versions_of
from tests.support.analyses import random_analysis
from tests.support.other_formats import ogxm_file
from tests.support.random_matches import random_match
from tests.support.xg_files import xg_file

State = RecordAnalysis.State

MATCH = b""" 3 point match

 Game 4
 Ann Example : 0                 Bob Example : 0
  1)                             31: 8/5 6/5
  2) 52: 13/8 24/22              64: 24/14
  3)  Doubles => 2                Drops
      Wins 1 point

 Game 5
 Ann Example : 1                 Bob Example : 0
  1) 21: 13/11 6/5               43: 13/9 13/10
  2) 66: 24/18(2) 13/7(2)        ????
      Wins 2 points and the match
"""


@pytest.fixture
def stored(db):
    return store_record(content=MATCH, filename="m.mat", record_format="mat")


def test_ask_when_no_engine_then_says_so(stored, monkeypatch):
    monkeypatch.setenv("GNUBG", "/nowhere/gnubg")
    with pytest.raises(EngineError, match=NO_ENGINE):
        request_analysis(record_id=stored.pk)


def test_ask_when_asked_twice_then_one_row(stored, stand_in):
    stand_in("exit 0")
    first, second = request_analysis(record_id=stored.pk), request_analysis(record_id=stored.pk)
    assert first.pk == second.pk
    assert (first.engine, first.version, first.level, first.state) == ("gnubg", "9.9", "2-ply", State.WAITING)


def test_ask_when_a_file_brings_an_analysis_then_kept_from_xg_alone_for_a_text_can_be_typed(db, stand_in):
    stand_in("exit 0")
    rng = Random(1)
    record = random_match(rng, MatchFormat(length=3), games=2, quick=0)
    judged = random_analysis(rng, record)
    level = replace(judged.decisions[0], level="L" * 40)
    typed = write_record(record, "sgf", replace(judged, decisions=(level, *judged.decisions[1:]))).data
    made = [(xg_file(record, judged), "xg"), (typed, "sgf"), (ogxm_file(record), "ogxm")]
    rows = [
        request_analysis(record_id=store_record(content=data, filename="", record_format=code).pk)
        for data, code in made
    ]
    assert [(row.of_file, row.engine) for row in rows] == [
        (True, "eXtreme Gammon"),
        (False, "gnubg"),
        (False, "gnubg"),
    ]


def test_ask_when_nothing_can_be_replayed_then_refused(db):
    broken = store_record(content=b"no record at all", filename="x.txt", record_format="mat")
    with pytest.raises(EngineError, match=NOT_FIT):
        request_analysis(record_id=broken.pk)


def test_claim_when_somebody_is_at_one_then_none(stored, stand_in):
    stand_in("exit 0")
    request_analysis(record_id=stored.pk)
    other = store_record(content=MATCH + b"\n", filename="n.mat", record_format="mat")
    request_analysis(record_id=other.pk)
    assert claim_analysis().record_id == stored.pk
    assert claim_analysis() is None


def test_work_when_the_program_fails_then_failed_and_asked_again(stored, stand_in):
    stand_in("exit 3")
    row = request_analysis(record_id=stored.pk)
    assert process_next_analysis()
    row.refresh_from_db()
    assert (row.state, row.failure) == (State.FAILED, BROKEN)
    assert not process_next_analysis()
    assert request_analysis(record_id=stored.pk).state == State.WAITING


def test_work_when_a_failed_one_is_asked_for_again_then_others_come_first(stored, stand_in):
    stand_in("exit 3")
    request_analysis(record_id=stored.pk)
    assert process_next_analysis()
    other = store_record(content=MATCH + b"\n", filename="n.mat", record_format="mat")
    request_analysis(record_id=other.pk)
    request_analysis(record_id=stored.pk)
    assert claim_analysis().record_id == other.pk


def test_put_back_when_a_worker_died_then_worked_on_again_and_written_once(stored, stand_in):
    stand_in("exit 3")
    request_analysis(record_id=stored.pk)
    lost = claim_analysis()
    assert release_stale_claims() == 0  # the claim is young
    RecordAnalysis.objects.update(claimed_at=timezone.now() - timedelta(seconds=100))
    assert release_stale_claims() == 1
    taken = claim_analysis()
    assert taken.pk == lost.pk
    late = decision_rows(lost, analyses.load_record(stored).own, analyses.load_record(stored).replay)
    assert not finish_analysis(
        pk=lost.pk, key=lost.claim, rows=late, sums=empty_sums(), engine=GnuBackgammon(os.environ["GNUBG"])
    )
    assert finish_analysis(
        pk=taken.pk, key=taken.claim, rows=[], sums=empty_sums(), engine=GnuBackgammon(os.environ["GNUBG"])
    )
    assert RecordAnalysis.objects.get().state == State.DONE


def test_put_back_when_it_killed_three_workers_then_given_up(stored, stand_in):
    stand_in("exit 3")
    request_analysis(record_id=stored.pk)
    for _ in range(analyses.MAX_TRIES):
        claim_analysis()
        RecordAnalysis.objects.update(claimed_at=timezone.now() - timedelta(seconds=100))
        release_stale_claims()
    assert RecordAnalysis.objects.get().state == State.FAILED


def test_begin_when_another_engine_came_meanwhile_then_it_is_that_ones_and_made_once(stored, stand_in):
    stand_in("exit 0")
    request_analysis(record_id=stored.pk)
    stand_in("exit 0", version="10.0")
    newer, found = installed_engine(), analyses.load_record(stored)
    taken = claim_analysis()
    assert begin_analysis(pk=taken.pk, key=taken.claim, loaded=found, engine=newer)
    assert finish_analysis(pk=taken.pk, key=taken.claim, rows=[], sums=empty_sums(), engine=newer)
    RecordAnalysis.objects.create(record=stored, engine="gnubg", version="9.9", level="2-ply")
    taken = claim_analysis()
    assert not begin_analysis(pk=taken.pk, key=taken.claim, loaded=found, engine=newer)
    row = RecordAnalysis.objects.get()
    assert (row.version, row.state) == ("10.0", State.DONE)


def test_sums_when_an_analysis_is_kept_then_beside_it_and_made_later_where_they_are_missing(stored):
    found = analyses.load_record(stored)
    thoughts = random_analysis(Random(1), found.record)
    before = versions_of([ANALYSES])
    row = analyses.store_file_analysis(
        record_id=stored.pk, loaded=replace(found, own=thoughts), code="gnubg", version="9"
    )
    assert versions_of([ANALYSES]) > before
    row.refresh_from_db()
    sums = side_sums([row])
    assert sums[row.pk] == dict(summarize_match(thoughts, found.replay).sides)
    assert row.swing == summarize_match(thoughts, found.replay).swing
    rated = performances(thoughts.decisions, found.replay)
    assert performance_ratings([row]) == pytest.approx(
        {(row.pk, side): own.rating for side, own in rated.items()}
    )
    row.sides.all().delete()
    assert analyses.add_missing_sums() == 1
    for side, made in side_sums([row])[row.pk].items():
        assert made.checker_lost == pytest.approx(sums[row.pk][side].checker_lost)
        assert made.net_luck == pytest.approx(sums[row.pk][side].net_luck)
        assert made.openings == sums[row.pk][side].openings
    row.sides.all().delete()
    StoredRecord.objects.update(content=b"nothing that can be read")
    assert analyses.add_missing_sums() == 1
    assert [
        side.counted for side in map(pool_sides, ([one] for one in side_sums([row])[row.pk].values()))
    ] == [
        0,
        0,
    ]
    assert analyses.add_missing_sums() == 0


def is_alive(pid):
    """Whether a process still runs; one that is over may wait for its new parent to take note."""
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "(zombie)" not in status.read_text()


def test_analyse_when_the_program_hangs_then_ended_at_its_limit_with_all_it_started(tmp_path, stand_in):
    path = stand_in(f"sleep 600 & echo $! > {tmp_path}/child; sleep 600")
    checked = check_record(MATCH, "m.mat")
    engine = GnuBackgammon(str(path), limits=ProcessLimits(cpu_seconds=5, clock=1.5))
    began = time.monotonic()
    heard = []
    with pytest.raises(EngineError, match=LIMIT_REACHED):
        engine.analyse(checked.record, checked.verdict.replay, heard.append)
    assert time.monotonic() - began < 30
    assert len(heard) > 2  # without a game that is done: that is how its claim stays young
    assert set(heard) == {0}
    child = (tmp_path / "child").read_text().strip()
    until = time.monotonic() + 10
    while is_alive(child) and time.monotonic() < until:  # a kill takes its time on a busy machine
        time.sleep(0.05)
    assert not is_alive(child)


def test_run_when_it_takes_too_much_then_ended_and_whatever_it_does_it_comes_last(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    printed = run_limited(
        ["/bin/sh", "-c", "nice; cat /proc/self/autogroup"],
        folder=folder,
        environment={"PATH": "/bin:/usr/bin"},
        limits=ProcessLimits(cpu_seconds=5, clock=60),
    )
    assert printed.splitlines()[0] == "19"
    assert "autogroup" not in printed or "nice 19" in printed
    with pytest.raises(EngineError, match=LIMIT_REACHED):
        run_limited(
            ["/bin/sh", "-c", "while :; do :; done"],
            folder=folder,
            environment={},
            limits=ProcessLimits(cpu_seconds=1, clock=60),
        )
    with pytest.raises(EngineError, match=LIMIT_REACHED):
        run_limited(
            ["/bin/sh", "-c", "exec dd if=/dev/zero of=large bs=65536 count=100 2>/dev/null"],
            folder=folder,
            environment={"PATH": "/bin:/usr/bin"},
            limits=ProcessLimits(cpu_seconds=5, clock=60, file=100_000),
        )
    assert (folder / "large").stat().st_size <= 100_000


@pytest.mark.gnubg
def test_work_when_gnu_backgammon_is_there_then_decisions_in_our_turns(stored):
    assert program_path() is not None
    row = request_analysis(record_id=stored.pk)
    assert process_next_analysis()
    row.refresh_from_db()
    assert (row.state, row.games_done, row.length, row.rates) == (State.DONE, 2, 3, True)
    found = {(d.game, d.turn, d.kind): d for d in AnalysedDecision.objects.all()}
    opening = found[1, 1, "checker"]
    assert (opening.side, opening.lost, opening.counts) == ("black", 0.0, True)
    assert opening.plays[0][0] in ([[8, 5], [6, 5]], [[6, 5], [8, 5]])
    assert opening.played == 0
    assert 0.4 < opening.chance < 0.6
    assert found[1, 4, "double"].side == "white"
    take = found[1, 5, "take"]
    assert take.side == "black"
    assert (take.error == "wrong_pass") is (take.lost >= 0.02)
    assert (2, 3, "checker") in found
    assert not process_next_analysis()
