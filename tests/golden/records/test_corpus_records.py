"""Real files of real programs, where the folder is there (CRAWFORD_CORPUS). Nothing of them is part of the product.

No crash, every finished match read to its end, no honest record rejected, and the final scores as a second opinion reads
them (`readings.jsonl`). Where the two differ, or a file is no finished match, the table says why.
"""

import json
import os
from functools import cache
from pathlib import Path

import pytest

from games.records.canonical import canonical
from games.records.checking import check_record
from games.records.registry import WRITABLE, read_record, write_record
from games.records.validation import VerdictDecision
from tests.support.lanes import in_full

CORPUS = os.environ.get("CRAWFORD_CORPUS", "")
pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(
        not Path(CORPUS, "readings.jsonl").is_file(), reason="CRAWFORD_CORPUS names no folder of records"
    ),
]
SUFFIXES = {".mat", ".txt", ".sgf", ".xg"}

# Files that are no record or no finished match.
NOT_RECORDS = {
    "odd/01.txt": "a letter about log files, no match in it",
    "odd/06.txt": "the same letter again",
}
UNFINISHED = {
    "galaxy/0337.txt": "one game of a match to 8, 6 points",
    "galaxy/0345.txt": "one game of a match to 8, 1 point",
}
# Notes that are news: everything else is a note about points above the need or money written as 16 points.
NOTED = {
    **{
        # One play of each match moves more pips than its roll has, and both players went on.
        f"gammonview/{name}.{kind}": ["play.illegal_stands"]
        for name in ("5nqfGw9bWG3deTaU", "rK7pXm4TqLb9NzWd")
        for kind in ("mat", "xg")
    },
    "gnubg/money_jacoby0_beavers1_auto2_04.sgf": ["score.automatic_uncounted"],
    "gnubg/money_jacoby0_beavers1_auto2_16.sgf": ["score.automatic_uncounted"],
    "gnubg/money_jacoby0_beavers1_auto2_22.sgf": ["score.automatic_uncounted"],
    "odd/04.txt": ["game.forfeit"],
    "studio/027.txt": ["points.oversized"],
}
# Final scores that differ from the second opinion, by reason.
DIFFERENT = {
    "galaxy/0308.txt": "money written as 16 points: a gammon on an unturned cube, which Jacoby counts as 1 as the file does",
    "galaxy/0380.txt": "the same: the file says 1 point, the second opinion counts a gammon",
    "odd/04.txt": "a forfeit of the whole match without a roll, in which the second opinion sees no winner",
}


# In `.ci/long` every file; else of the one kind that there are hundreds of each fourth, and all that something is said of.
MANY, EACH = "galaxy/", 1 if in_full() else 4
ENOUGH = 400 if in_full() else 150


@cache
def names():
    root = Path(CORPUS)
    return [str(file.relative_to(root)) for file in sorted(root.glob("*/*")) if file.suffix in SUFFIXES]


@cache
def checked_corpus():
    named = {*NOT_RECORDS, *UNFINISHED, *NOTED, *DIFFERENT}
    asked = [
        name
        for number, name in enumerate(names())
        if name in named or not name.startswith(MANY) or number % EACH == 0
    ]
    return {name: check_record(Path(CORPUS, name).read_bytes(), Path(name).name) for name in asked}


@cache
def readings():
    lines = Path(CORPUS, "readings.jsonl").read_text().splitlines()
    return {entry["file"]: entry for entry in map(json.loads, lines)}


def test_corpus_when_checked_then_only_prose_is_unreadable():
    unreadable = {
        name
        for name, checked in checked_corpus().items()
        if checked.verdict.decision is VerdictDecision.UNREADABLE
    }

    assert unreadable == NOT_RECORDS.keys()
    assert len(names()) > 500


def test_corpus_when_checked_then_honest_records_are_not_rejected():
    rejected = {
        name: [(found.code, found.line) for found in checked.verdict.findings]
        for name, checked in checked_corpus().items()
        if checked.verdict.decision is VerdictDecision.REJECT
    }

    assert rejected == {}


def test_corpus_when_checked_then_finished_matches_are_read_to_their_end():
    open_ended = {
        name
        for name, checked in checked_corpus().items()
        if checked.record is not None and not checked.verdict.complete
    }

    assert open_ended == UNFINISHED.keys()


def test_corpus_when_checked_then_notes_are_the_known_ones():
    usual = {"points.uncapped", "match.galaxy_money", "match.unfinished"}
    noted = {
        name: codes
        for name, checked in checked_corpus().items()
        if (codes := sorted({found.code for found in checked.verdict.findings} - usual))
    }

    assert noted == NOTED


def second_opinion(entry):
    """The score that the readings add up to, cut off at the length; None where they name no winner."""
    if not entry.get("games"):
        return None
    white, black = entry["games"][-1][0]
    winner, points = entry["games"][-1][1:3]
    if winner is None:
        return None
    score = (white + points, black) if winner == "X" else (white, black + points)
    length = entry["length"]
    return tuple(min(points, length) for points in score) if length else score


def test_corpus_when_scores_are_added_then_equal_to_the_second_opinion():
    different = {}
    compared = 0
    for name, checked in checked_corpus().items():
        entry = readings().get(name)
        if entry is None or not entry.get("games") or checked.record is None:
            continue
        compared += 1
        if second_opinion(entry) != checked.verdict.score or len(entry["games"]) != len(checked.record.games):
            different[name] = (second_opinion(entry), checked.verdict.score)

    assert different.keys() == DIFFERENT.keys(), different
    assert compared > ENOUGH


def test_corpus_when_written_then_reads_back_but_for_the_losses():
    """Each file in one of the formats, in `.ci/long` in every one."""
    changed = []
    formats = list(WRITABLE)
    for number, (name, checked) in enumerate(checked_corpus().items()):
        if checked.record is None:
            continue
        plain = canonical(checked.record)
        for code in formats if in_full() else [formats[number % len(formats)]]:
            written = write_record(plain, code)
            if not written.losses and canonical(read_record(written.data).record) != plain:
                changed.append((name, code))

    assert changed == []


def test_same_match_when_written_by_two_programs_then_the_same_games():
    """XG's own file, its two texts and GNU Backgammon's SGF of one match."""
    same = [("xg_desktop/a", (".xg", ".mat", ".txt", ".sgf")), ("xg_desktop/b", (".xg", ".mat", ".sgf"))]
    same += [
        (name[:-4], (".mat", ".sgf"))
        for name in checked_corpus()
        if name.startswith("gnubg/match_") and name.endswith(".mat")
    ]
    for stem, suffixes in same:
        played = [checked_corpus()[stem + suffix].verdict.replay for suffix in suffixes]
        boards = [[[state.after for state in game.states] for game in replay.games] for replay in played]
        assert all(other == boards[0] for other in boards[1:]), stem
        assert len({replay.score.points for replay in played}) == 1
