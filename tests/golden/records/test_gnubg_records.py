"""GNU Backgammon imports what we write and reads the same: a second program, not the measure of the first.

It is run with a time limit and a home of its own, on records we wrote, with names it does not stumble over; never on
anything that was uploaded.
"""

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from games.records.canonical import canonical
from games.records.registry import read_record, write_record
from games.records.text_writer import write_text
from games.records.validation import replay
from games.rules.formats import MatchFormat
from games.rules.sides import Side
from tests.golden.records.test_golden_records import FOLDER, ODDITIES
from tests.support.random_matches import random_match

GNUBG = shutil.which("gnubg") or ("/usr/games/gnubg" if Path("/usr/games/gnubg").exists() else None)
pytestmark = [pytest.mark.gnubg, pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")]
SECONDS = 120

SCRIPT = """
import json
out = []
gnubg.command('set jacoby off')
for path in json.load(open({files!r})):
    gnubg.command('import mat "' + path + '"') if path.endswith('.mat') else gnubg.command('load match "' + path + '"')
    match = gnubg.match(analysis=0, boards=0, statistics=0)
    info = match['match-info']
    games = [
        [g['info']['score-X'], g['info']['score-O'], g['info']['winner'], g['info']['points-won'],
         sum(1 for a in g['game'] if a['action'] == 'move')]
        for g in match['games']
    ]
    out.append([info['match-length'], games])
json.dump(out, open({answer!r}, 'w'))
"""


def read_by_gnubg(tmp_path, files):
    script, names, answer = tmp_path / "script.py", tmp_path / "files.json", tmp_path / "answer.json"
    names.write_text(json.dumps([str(file) for file in files]))
    script.write_text(SCRIPT.format(files=str(names), answer=str(answer)))
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        [GNUBG, "-t", "-q", "-r", "-p", str(script)],
        env={"HOME": str(home), "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"},
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    assert answer.exists(), (
        done.stdout.decode(errors="replace")[-2000:] + done.stderr.decode(errors="replace")[-2000:]
    )
    return json.loads(answer.read_text())


def in_short(record):
    """The record in the words of the answer: length and, for each game, score, winner, points, number of plays."""
    played = replay(record)
    games = []
    for game in played.games:
        winner = {Side.WHITE: "X", Side.BLACK: "O"}[game.ending.winner]
        games.append([*game.score.points, winner, game.ending.points])
    return [played.form.length or 0, games]


def heard(answer):
    length, games = answer
    return [length, [game[:4] for game in games]]


def legal_oddities():
    """The golden records with legal plays only and none of what GNU Backgammon has no words for."""
    for name, decision, complete, _, codes in ODDITIES:
        if (
            decision.startswith("accept")
            and complete
            and not set(codes) - {"points.uncapped", "match.starting_score"}
        ):
            record = canonical(read_record((FOLDER / name).read_bytes(), name).record)
            if not any(loss.code != "loss.name" for loss in write_record(record, "mat").losses):
                yield name, record


def test_random_matches_when_written_then_imported_with_the_same_scores(tmp_path):
    forms = [MatchFormat(length=n) for n in (1, 3, 5, 7)] + [MatchFormat()]
    records = [random_match(Random(seed), forms[seed % len(forms)], quick=0.03) for seed in range(25)]
    files = []
    for index, record in enumerate(records):
        for code in ("mat", "sgf"):
            files.append(tmp_path / f"{index}.{code}")
            files[-1].write_bytes(write_record(record, code).data)

    answers = read_by_gnubg(tmp_path, files)

    for index, record in enumerate(records):
        assert heard(answers[2 * index]) == in_short(record), f"seed {index}, mat"
        assert heard(answers[2 * index + 1]) == in_short(record), f"seed {index}, sgf"


def with_plain_names(record):
    """The same match of two players whose names gnubg does not stumble over."""
    return replace(record, players=("left", "right"))


def test_golden_records_when_written_with_safe_names_then_imported_with_the_same_scores(tmp_path):
    records = dict(legal_oddities())
    files = []
    for name, record in records.items():
        files.append(tmp_path / f"{name}.mat")
        files[-1].write_bytes(write_text(with_plain_names(record)).data)

    answers = read_by_gnubg(tmp_path, files)

    assert len(records) > 20
    for (name, record), answer in zip(records.items(), answers, strict=True):
        assert heard(answer) == in_short(record), name


@pytest.mark.corpus
@pytest.mark.skipif("CRAWFORD_CORPUS" not in os.environ, reason="CRAWFORD_CORPUS names no folder of records")
def test_real_records_when_written_with_safe_names_then_imported_with_the_same_scores(tmp_path):
    from tests.golden.records.test_corpus_records import ENOUGH, checked_corpus

    records = {}
    for name, checked in checked_corpus().items():
        codes = {found.code for found in checked.verdict.findings}
        if checked.record is not None and codes <= {"points.uncapped", "match.unfinished"}:
            records[name] = canonical(checked.record)
    files = []
    for index, record in enumerate(records.values()):
        files.append(tmp_path / f"{index}.mat")
        files[-1].write_bytes(write_text(with_plain_names(record)).data)

    answers = read_by_gnubg(tmp_path, files)

    different = {
        name: (heard(answer), in_short(record))
        for (name, record), answer in zip(records.items(), answers, strict=True)
        if heard(answer) != in_short(record)
    }
    assert different == {}
    assert len(records) > ENOUGH
