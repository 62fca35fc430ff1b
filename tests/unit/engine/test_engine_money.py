"""The table of a points league."""

from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.standings.money import money_table

ANN, BOB, CLEO, DAN = 1, 2, 3, 4
EVERYBODY = (ANN, BOB, CLEO, DAN)


def places(rows):
    return {row.entry: (row.first, row.last) for row in rows}


def test_points_of_all_sessions_make_the_table():
    rows = money_table(EVERYBODY, [{ANN: 8, BOB: -5, CLEO: -3}, {ANN: -2, DAN: 2}])
    assert [(row.entry, row.points, row.sessions, row.best) for row in rows] == [
        (ANN, 6, 2, 8),
        (DAN, 2, 1, 2),
        (CLEO, -3, 1, -3),
        (BOB, -5, 1, -5),
    ]
    assert rows[0].average == 3.0


def test_equal_points_share_their_places():
    rows = money_table(EVERYBODY, [{ANN: 4, BOB: 4, CLEO: -8}])
    assert places(rows) == {ANN: (1, 2), BOB: (1, 2), CLEO: (3, 3), DAN: (None, None)}


def test_whoever_came_too_seldom_has_no_place_and_stands_below():
    rows = money_table(EVERYBODY, [{ANN: 1, BOB: -1}, {ANN: -9, CLEO: 9}], min_sessions=2)
    assert [row.entry for row in rows] == [ANN, CLEO, BOB, DAN]
    assert places(rows) == {ANN: (1, 1), CLEO: (None, None), BOB: (None, None), DAN: (None, None)}
    assert rows[-1].average is None
    assert rows[-1].best is None


@st.composite
def seasons(draw):
    """Sessions that sum to zero, of two to six entries."""
    sessions = []
    for _ in range(draw(st.integers(0, 8))):
        present = draw(st.lists(st.sampled_from(range(6)), min_size=2, max_size=6, unique=True))
        points = [draw(st.integers(-60, 60)) for _ in present[1:]]
        sessions.append(dict(zip(present, [*points, -sum(points)], strict=True)))
    return sessions


@given(seasons(), st.randoms(use_true_random=False), st.integers(1, 3))
def test_the_table_keeps_every_point_and_forgets_the_order_of_sessions(sessions, chance, least):
    rows = money_table(range(6), sessions, min_sessions=least)
    assert sum(row.points for row in rows) == 0
    assert sum(row.sessions for row in rows) == sum(map(len, sessions))
    shuffled = list(sessions)
    chance.shuffle(shuffled)
    assert money_table(range(6), shuffled, min_sessions=least) == rows
    ranked = [row for row in rows if row.first is not None]
    assert all(row.sessions >= least for row in ranked)
    assert [row.first for row in ranked] == sorted(row.first for row in ranked)
    for row in ranked:
        assert row.last - row.first + 1 == sum(other.first == row.first for other in ranked)
