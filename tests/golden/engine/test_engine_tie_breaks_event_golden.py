"""A whole published event: the UzChess Cup Masters 2025, ten players, nine rounds, everybody against everybody.

Results and tie-breaks: chess-results.com, tournament 1175851, as kept in the test data of scalachess. The players are
numbered by their final place there. Its list: points, direct encounter, Sonneborn-Berger, wins.
"""

from fractions import Fraction

from tournaments.engine.pairing.history import PairedMatch, SwissRound
from tournaments.engine.standings.order import rank_entries
from tournaments.engine.standings.table import Crosstable
from tournaments.engine.standings.tie_breaks import TIE_BREAKS
from tournaments.engine.types import EntryId

ROUNDS = """
    10=1 7-4 5=6 9-3 2+8
    1+8 3=2 6=9 4=5 10-7
    7=1 5=10 9=4 2+6 8=3
    1+3 6=8 4=2 10=9 7-5
    5+1 9=7 2+10 8-4 3+6
    1-6 4=3 10=8 7+2 5=9
    9=1 2+5 8=7 3+10 6=4
    1+4 10-6 7=3 5-8 9=2
    2-1 8+9 3=5 6=7 4=10
"""  # + the first won, - the second won, = drawn
HALF_POINTS = {"+": (2, 0), "-": (0, 2), "=": (1, 1)}

PUBLISHED = """
    1  5.5 2.0 25.25 4
    2  5.5 0.5 22.5  4
    3  5.5 0.5 22.25 3
    4  5.0 -   21.5  2
    5  4.5 1.5 20.5  2
    6  4.5 1.0 18.75 2
    7  4.5 0.5 19.5  2
    8  4.0 -   16.5  2
    9  3.5 -   16.0  0
    10 2.5 -   11.25 0
"""  # place, points, direct encounter (where tied), Sonneborn-Berger, wins


def played():
    rounds = []
    for row in ROUNDS.strip().splitlines():
        meetings = []
        for game in row.split():
            sign = next(mark for mark in HALF_POINTS if mark in game)
            a, b = (EntryId(int(number)) for number in game.split(sign))
            meetings.append(PairedMatch(a, b, *HALF_POINTS[sign]))
        rounds.append(SwissRound(tuple(meetings)))
    return rounds


def test_the_published_table_is_reproduced_figure_by_figure():
    codes = ["points", "head_to_head", "sonneborn_berger", "wins"]
    rows = rank_entries(Crosstable(range(1, 11), played()), codes)
    assert [(row.first, row.last) for row in rows] == [(place, place) for place in range(1, 11)]
    for row, line in zip(rows, PUBLISHED.strip().splitlines(), strict=True):
        place, *figures = line.split()
        assert row.entry == int(place)
        for code, figure in zip(codes, figures, strict=True):
            if figure == "-":
                assert code not in row.values
            else:
                assert Fraction(row.values[code], TIE_BREAKS[code].unit) == Fraction(figure), (place, code)
