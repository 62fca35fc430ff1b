"""A whole published Swiss with byes and absences: a club championship of 27 players and six rounds.

Results and figures: hamiltonchess.net, "Richard On Tie Break", 11 April 2018. The players are numbered by their final place there. Ties were
broken by direct encounter, progressive score, Buchholz, Sonneborn-Berger and Buchholz without the lowest; the figures of the first two are printed.
"""

from tournaments.engine.pairing.history import PairedMatch, RestingEntry, SwissRound
from tournaments.engine.standings.editions import Edition
from tournaments.engine.standings.order import rank_entries
from tournaments.engine.standings.table import Crosstable
from tournaments.engine.standings.tie_breaks import TIE_BREAKS
from tournaments.engine.types import EntryId

# Points, then for every round the result and against whom: no number is a bye (+ a full point, = half of one), 0 an absence. The source
# has five results for 9 and 18 and does not say which of the last two rounds they missed; nothing compared here depends on it.
PUBLISHED = """
    5.5 +10 +17 +12 =2 +4 +3
    5.5 +27 +16 +9 =1 +8 +10
    4.0 = +11 +6 =4 +5 -1
    4.0 +22 +15 =8 =3 -1 +13
    4.0 -16 +14 +22 +15 -3 +8
    4.0 -21 +27 -3 +23 +16 +14
    4.0 -9 -23 +27 +19 +15 +12
    3.5 +25 +21 =4 +13 -2 -5
    3.5 +7 +13 -2 = +18 0
    3.5 -1 +25 +26 =12 +17 -2
    3.5 = -3 -14 +25 +20 +17
    3.0 +20 +18 -1 =10 =14 -7
    3.0 +23 -9 +19 -8 +21 -4
    3.0 = -5 +11 +22 =12 -6
    3.0 +26 -4 +21 -5 -7 +24
    3.0 +5 -2 -17 +24 -6 +22
    2.5 +24 -1 +16 = -10 -11
    2.5 +19 -12 +23 = -9 0
    2.5 -18 +20 -13 -7 =25 +21
    2.5 -12 -19 =25 +27 -11 +26
    2.0 +6 -8 -15 +26 -13 -19
    2.0 -4 +24 -5 -14 +26 -16
    2.0 -13 +7 -18 -6 -24 +27
    2.0 -17 -22 + -16 +23 -15
    2.0 -8 -10 =20 -11 =19 +
    1.0 -15 + -10 -21 -22 -20
    1.0 -2 -6 -7 -20 + -23
"""
HALF_POINTS = {"+": 2, "=": 1, "-": 0, "0": 0}
WINNERS = {
    1: {
        "progressive": 19.5,
        "buchholz": 22.5,
        "sonneborn_berger": 19.75,
        "buchholz_cut_1": 20.0,
        "head_to_head": 0.5,
    },
    2: {
        "progressive": 19.5,
        "buchholz": 20.0,
        "sonneborn_berger": 17.25,
        "buchholz_cut_1": 19.5,
        "head_to_head": 0.5,
    },
}


def published() -> tuple[dict[EntryId, float], Crosstable]:
    rows = [row.split() for row in PUBLISHED.strip().splitlines()]
    points = {EntryId(number): float(row[0]) for number, row in enumerate(rows, start=1)}
    results = dict(zip(points, (row[1:] for row in rows), strict=True))
    rounds = []
    for number in range(6):
        meetings, rests = [], []
        for entry, of_entry in results.items():
            cell = of_entry[number]
            if not cell[1:]:
                rests.append(RestingEntry(entry, HALF_POINTS[cell], is_allotted=cell == "+"))
                continue
            other = EntryId(int(cell[1:]))
            back = results[other][number]
            assert int(back[1:]) == entry
            if entry < other:
                meetings.append(PairedMatch(entry, other, HALF_POINTS[cell[0]], HALF_POINTS[back[0]]))
        rounds.append(SwissRound(tuple(meetings), tuple(rests)))
    return points, Crosstable(points, rounds, edition=Edition.FIDE_2009)


def test_published_swiss_when_computed_again_then_points_and_all_places_are_the_same():
    points, book = published()
    rows = rank_entries(book, ["points", "head_to_head", "progressive", "buchholz"])
    assert [(row.entry, row.first, row.last) for row in rows] == [(n, n, n) for n in range(1, 28)]
    assert {row.entry: row.values["points"] / 2 for row in rows} == points


def test_published_swiss_when_computed_again_then_every_printed_figure_of_the_winners_is_the_same():
    _points, book = published()
    winners = [EntryId(number) for number in WINNERS]
    for code in WINNERS[1]:
        breaker = TIE_BREAKS[code]
        found = breaker.compute(book, winners)
        assert {entry: found[entry] / breaker.unit for entry in winners} == {
            number: figures[code] for number, figures in WINNERS.items()
        }, code
