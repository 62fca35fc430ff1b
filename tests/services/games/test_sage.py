"""Sage as the second engine: asked in a process of its own, its numbers put beside our turns; it never rates. A small library stands where it would."""

import sys

import pytest

from games.analysis import engines
from games.analysis.bounded import ROOT
from games.analysis.port import BROKEN, MISREAD, EngineError
from games.analysis.sage import Sage, build_decisions, is_installed
from games.records.analysis import DecisionKind
from games.records.checking import check_record
from games.rules.sides import Side
from tests.services.games.test_analyses import MATCH

CHECKER, DOUBLE, TAKE = DecisionKind
# It thinks the same of every cube, and best of the play whose board comes last.
STAND_IN = """
from types import SimpleNamespace as Made

from games.analysis.sage import sage_board
from games.rules.plays import legal_plays
from games.rules.position import Position


def chances():
    return Made(to_list=lambda: [0.5, 0.1, 0.0, 0.1, 0.0])


def roll_luck(cube, first, second, *, is_opening_roll):
    return Made(luck=0.5 if is_opening_roll else -0.25)


class BgBotAnalyzer:
    def __init__(self, *, eval_level, parallel_threads):
        self.level = eval_level

    def cube_action(self, board, *, incl_2ply_details, cube_owner, **state):
        assert cube_owner == "centered" and state["away1"] + state["away2"] in (5, 6)
        return Made(equity_nd=0.1, equity_dt=0.4, equity_dp=1.0, probs=chances())

    def checker_play(self, board, first, second, *, force_boards, **state):
        own = [0, *(max(count, 0) for count in board[1:25]), board[25]]
        other = [0, *(max(-count, 0) for count in reversed(board[1:25])), board[0]]
        found = sorted(sage_board(play.result.swap()) for play in legal_plays(Position.from_counts(own, other), (first, second)))
        assert force_boards[0] in found
        plays = [Made(board=one, equity=number / 10, probs=chances(), eval_level="2-ply") for number, one in enumerate(found)]
        return Made(moves=plays[::-1])
"""


@pytest.fixture
def sage(tmp_path):
    """Sage in a Python that finds the small library."""
    (tmp_path / "bgsage.py").write_text(STAND_IN)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={tmp_path}:{ROOT} exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return Sage(str(python))


def test_record_when_sage_looks_at_it_then_every_decision_in_our_turns_and_no_rating(sage):
    checked = check_record(MATCH, "m.mat")
    games = []
    analysis = sage.analyse(checked.record, checked.verdict.replay, games.append)
    found = {(row.game, row.turn, row.kind): row for row in analysis.decisions}
    assert not sage.rates
    assert list(found) == [
        (1, 1, CHECKER),
        (1, 2, DOUBLE),
        (1, 2, CHECKER),
        (1, 3, DOUBLE),
        (1, 3, CHECKER),
        (1, 4, DOUBLE),
        (1, 5, TAKE),
        (2, 1, CHECKER),
        (2, 2, DOUBLE),
        (2, 2, CHECKER),
        (2, 3, DOUBLE),
        (2, 3, CHECKER),
    ]
    opening = found[1, 1, CHECKER]
    assert (opening.side, opening.luck, opening.counts) == (Side.BLACK, 0.5, True)
    assert opening.plays[opening.played].steps in (
        ((8, 5, False), (6, 5, False)),
        ((6, 5, False), (8, 5, False)),
    )
    assert opening.lost == pytest.approx(opening.plays[0].equity - opening.plays[opening.played].equity)
    missed, made, passed = found[1, 2, DOUBLE], found[1, 4, DOUBLE], found[1, 5, TAKE]
    assert (missed.lost, missed.counts, made.lost, made.side) == (0.3, True, 0.0, Side.WHITE)
    assert (passed.side, passed.lost, passed.cube.double_take) == (Side.BLACK, 0.6, 0.4)
    assert all(len(row.plays) > 1 for row in found.values() if row.kind is CHECKER)


def test_answers_when_not_those_of_the_match_then_misread_and_without_the_library_broken(tmp_path):
    replay = check_record(MATCH, "m.mat").verdict.replay
    cube = {"cube": [0.1, 0.4, 1.0], "chances": [0.5] * 5, "luck": None, "plays": []}
    for answers in (
        [],
        [[cube], [cube]],
        [[cube] * 4, [{**cube, "cube": [float("nan"), 0, 1]}] * 3],
        [[cube] * 4, [{**cube, "plays": [[[0] * 26, 0.1, [0.5] * 5, "2-ply"]]}] * 3],
    ):
        with pytest.raises(EngineError, match=MISREAD):
            build_decisions(answers, replay)
    assert len(build_decisions([[cube] * 4, [cube] * 3], replay)) > 6
    bare = tmp_path / "python"
    bare.write_text("#!/bin/sh\nexit 1\n")
    bare.chmod(0o755)
    record = check_record(MATCH, "m.mat").record
    with pytest.raises(EngineError, match=BROKEN):
        Sage(str(bare)).analyse(record, replay, lambda _: None)


def test_engine_when_gnu_backgammon_is_missing_then_sage_if_it_is_installed(monkeypatch):
    monkeypatch.setenv("GNUBG", "/nowhere/gnubg")
    found = engines.installed_engine()
    assert (found is not None and found.code == "bgsage") is is_installed()
