"""What eXtreme Gammon thinks of two real matches, brought to the ratings that its rule makes of it. Of the files nothing is kept here but these numbers."""

import os
from pathlib import Path

import pytest

from games.records.performance import luck_adjusted_result, performances
from games.records.registry import read_record
from games.records.validation import validate
from games.rules.sides import SIDES

FOLDER = Path(os.environ.get("CRAWFORD_CORPUS", ""), "xg_desktop")
pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="CRAWFORD_CORPUS names no folder of records"),
]


@pytest.mark.parametrize(
    ("name", "ratings", "counted", "adjusted"),
    [
        ("a.xg", [(7.84, 7.45, 11.08), (13.97, 14.51, 9.47)], [(144, 17), (124, 15)], 0.234),
        ("b.xg", [(0.40, 0.42, 0.00), (0.42, 0.45, 0.27)], [(83, 5), (64, 15)], 0.003),
    ],
)
def test_performance_when_extreme_gammon_has_analysed_the_file_then_its_rating(
    name, ratings, counted, adjusted
):
    result = read_record((FOLDER / name).read_bytes(), name)
    replay = validate(result.record).replay
    sums = performances(result.analysis.decisions, replay)
    found = [
        tuple(round(row, 2) for row in (own.rating, own.checker_rating, own.cube_rating))
        for own in (sums[side] for side in SIDES)
    ]
    assert found == ratings
    assert [(sums[side].checker_counted, sums[side].cube_counted) for side in SIDES] == counted
    assert round(luck_adjusted_result(result.analysis, replay).adjusted, 3) == adjusted
