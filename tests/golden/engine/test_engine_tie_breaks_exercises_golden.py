"""FIDE's own exercises and examples on tie-breaks, figure by figure, under the editions that they teach.

* "Exercises in Tie-Breaking" (M. Held, FIDE Technical Commission, V01-1, 16 April 2024, tec.fide.com): a Swiss of five rounds with a half-point
  bye, byes, walk-overs, rounds missed and a withdrawal; the same after nine rounds; a round robin of six with a walk-over. Results
  and answers as kept in the test data of Sharly Chess (`tec-swiss`, `tec-swiss-direct-encounter`, `tec-round-robin`), which also
  names what the caps of 2026 change in them.
* Arbiters' Manual 2026, pages 258 and 259: the example of a player with one round missed, before and since the caps.
* O. Milvang, "Direct Encounter" (2026), tables 3, 5 and 8, likewise.
"""

import pytest

from tournaments.engine.pairing.history import PairedMatch, RestingEntry, SwissRound
from tournaments.engine.standings.editions import Edition
from tournaments.engine.standings.order import rank_entries
from tournaments.engine.standings.table import Crosstable
from tournaments.engine.standings.tie_breaks import get_tie_break
from tournaments.engine.types import EntryId

# Rating, then round by round: + won, = drawn, - lost against the number; F+ F- by walk-over; B: the bye, H, Z: a bye of half and of no point.
SWISS = """
    2200 +9 =13 =2 +15 =4      =6 =3 =16 +8
    2150 +10 +7 =1 +16 =3      =4 -6 =15 =5
    2100 =11 +6 +8 =4 =2       +16 =1 +14 +10
    2050 +12 H +13 =3 =1       =2 =16 =6 +15
    2000 -13 -15 +11 =7 +10    -14 +9 -8 =2
    1950 -14 -3 B +10 +8       =1 +2 =4 +16
    1900 +15 -2 -16 =5 -11     -10 +13 +9 +14
    1850 =16 +14 -3 +13 -6     =11 =15 +5 -1
    1800 -1 -10 H F-11 B       +13 -5 -7 =12
    1750 -2 +9 -15 -6 -5       +7 +12 +11 -3
    1700 =3 -16 -5 F+9 +7      =8 -14 -10 =13
    1650 -4 B F+14 Z Z         -15 -10 =13 =9
    1600 +5 =1 -4 -8 -14       -9 -7 =12 =11
    1550 +6 -8 F-12 Z +13      +5 +11 -3 -7
    1500 -7 +5 +10 -1 -16      +12 =8 =2 -4
    1450 =8 +11 +7 -2 +15      -3 =4 =1 -6
"""
ROBIN = """
    2200 =5 +2 +3 -4 +6
    2150 +6 -1 +5 =3 +4
    2100 +4 +6 -1 =2 +5
    2050 -3 -5 =6 +1 -2
    1950 =1 +4 -2 F-6 -3
    2000 -2 -3 =4 F+5 -1
"""
HALVES = {"+": 2, "=": 1, "-": 0}


def played(text, count, edition, *, fixed=False):
    rows = dict(enumerate((line.split() for line in text.strip().splitlines()), start=1))
    rounds = []
    for number in range(1, count + 1):
        meetings, rests = [], []
        for entry, row in rows.items():
            cell, walked = row[number].removeprefix("F"), row[number].startswith("F")
            if cell in "BHZ":
                rests.append(
                    RestingEntry(EntryId(entry), {"B": 2, "H": 1, "Z": 0}[cell], is_allotted=cell == "B")
                )
                continue
            other = int(cell[1:])
            back = rows[other][number].removeprefix("F")
            assert int(back[1:]) == entry
            if entry < other:
                points = HALVES[cell[0]], HALVES[back[0]]
                assert sum(points) == 2
                meetings.append(PairedMatch(EntryId(entry), EntryId(other), *points, played=not walked))
        rounds.append(SwissRound(tuple(meetings), tuple(rests)))
    ratings = {EntryId(entry): float(row[0]) for entry, row in rows.items()}
    most = len(rows) - 1 if fixed else 0
    return Crosstable(
        ratings, rounds, edition=edition, has_fixed_pairings=fixed, max_wins=most, ratings=ratings
    )


def counted(book, code, who):
    return [
        round(float(get_tie_break(code).counted(value)) + 1e-9, 2)
        for value in (get_tie_break(code).compute(book, book.entries)[EntryId(entry)] for entry in who)
    ]


ALL = range(1, 17)
# By number. Of Buchholz Cut-1 the exercises ask those who are tied; of the others everybody.
TIED = (1, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15, 16)
ANSWERS = {  # in every edition
    "points": "3.5 4 3.5 3.5 2.5 3 1.5 2.5 1.5 1 2.5 2 1.5 2 2 3.5",
    "wins": "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3",
    "wins_played": "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3",
    "rounds_elected": "5 5 5 4 5 5 5 5 3 5 5 3 5 3 5 5",
    "progressive": "11 13 11 11.5 5 6 6 8.5 2.5 4 5.5 7 7 6 7 10.5",
    "progressive_cut_1": "10 12 10.5 10.5 5 6 5 8 2.5 4 5 7 6 5 7 10",
    "opponents_rating": "1820 1880 1940 1888 1690 1813 1760 1730 1975 1880 1863 2050 1930 1800 1860 1820",
    "opponents_rating_cut_1": "1900 1988 2000 1983 1738 1900 1838 1800 2200 1975 2000 0 2025 1900 1963 1900",
    "performance": "1969 2120 2089 2081 1690 1813 1611 1730 1175 1640 1776 1250 1781 1925 1788 1969",
    "perfect_performance": "2029 2216 2112 2168 1689 1810 1531 1715 950 1575 1763 1250 1744 1942 1768 2013",
    "opponents_performance": "1789 1856 1904 1772 1719 1846 1869 1915 1805 1717 1840 2081 1879 1775 1776 1805",
    "opponents_perfect_performance": "1769 1852 1934 1784 1676 1836 1890 1924 1802 1687 1836 2168 1909 1756 1767 1799",
}  # fmt: skip
BEFORE = {  # as printed, 2024
    "buchholz": "12.5 13 15.5 15 8.5 12 14.5 13.5 9 13 13.5 11.5 14 11 12 12.5",
    "fore_buchholz": "13.5 13.5 15 15.5 10 12 13.5 12.5 9.5 12.5 12.5 11.5 13.5 10.5 12 13.5",
    "average_buchholz": "12.6 13.6 13.4 13.38 13.4 13.25 11.9 13 12.75 10.9 12.75 15 12.1 13.17 12.2 13.3",
    "sonneborn_berger": "8 9.5 10.5 9.75 4.25 6.5 3.25 5.25 2.25 1.5 5.75 4 4.25 4.5 3.5 7.25",
    "sonneborn_berger_cut_1": "7.25 8.5 9.25 8 3.25 5.5 1.25 3.75 2.25 0 4.25 4 4.25 3 2.5 5.75",
}  # fmt: skip
SINCE = {  # with the caps of Article 16.4
    "buchholz": "12.5 13 15.5 14 8.5 11.5 14.5 13.5 9 13 12.5 11.5 14 11 12 12.5",
    "fore_buchholz": "13.5 13.5 15 14.5 10 12 13.5 12.5 9.5 12.5 12 11 13.5 10.5 12 13.5",
    "average_buchholz": "12.4 13.6 12.9 13.38 13.2 13.25 11.7 12.9 12.75 10.8 12.75 14 11.9 13 12.2 13.1",
    "sonneborn_berger": "8 9.5 10.5 9.25 4.25 6 3.25 5.25 2.25 1.5 4.75 4 4.25 4.5 3.5 7.25",
    "sonneborn_berger_cut_1": "7.25 8.5 9.25 7.75 3.25 5 1.25 3.75 2.25 0 3.25 4 4.25 3 2.5 5.75",
}  # fmt: skip
CUT_1 = {
    Edition.FIDE_2024: "11 13 11.5 7.5 12.5 12 7.5 12 9.5 12 9 11 11",
    Edition.FIDE_2026: "11 13 11.5 7.5 12.5 12 7.5 11 9.5 12 9 11 11",
}


@pytest.mark.parametrize(("edition", "own"), [(Edition.FIDE_2024, BEFORE), (Edition.FIDE_2026, SINCE)])
def test_exercises_when_the_swiss_is_computed_again_then_every_answer_is_the_same(edition, own):
    book = played(SWISS, 5, edition)
    for code, answers in {**ANSWERS, **own}.items():
        assert counted(book, code, ALL) == [float(one) for one in answers.split()], code
    assert counted(book, "buchholz_cut_1", TIED) == [float(one) for one in CUT_1[edition].split()]


def test_exercises_when_nine_rounds_are_played_then_the_tied_are_placed_by_their_encounters():
    """After round 5, in which 2 now beats 3: 1, 2, 4 and 6 share the second place and have all met; 7, 8 and 16 have not."""
    changed = SWISS.replace("+16 =3      =4", "+16 +3      =4").replace("=4 =2       +16", "=4 -2       +16")
    book = played(changed, 9, Edition.FIDE_2024)
    rows = {row.entry: row for row in rank_entries(book, ["points", "head_to_head"])}
    assert [(who, rows[who].first, rows[who].last) for who in (3, 6, 1, 4, 2)] == [
        (3, 1, 1), (6, 2, 2), (1, 3, 4), (4, 3, 4), (2, 5, 5),
    ]  # fmt: skip
    assert [rows[who].values["head_to_head"] for who in (6, 1, 4, 2)] == [4, 3, 3, 2]
    assert {rows[who].first for who in (7, 8, 16)} == {6}
    assert "head_to_head" not in rows[7].values


@pytest.mark.parametrize("edition", [Edition.FIDE_2024, Edition.FIDE_2026])
def test_exercises_when_the_round_robin_is_computed_again_then_every_answer_is_the_same(edition):
    """A walk-over there is a match like others, but for ratings (15.2)."""
    book = played(ROBIN, 5, edition, fixed=True)
    everybody = range(1, 7)
    assert counted(book, "points", everybody) == [3.5, 3.5, 3.5, 1.5, 1.5, 1.5]
    assert counted(book, "sonneborn_berger", everybody) == [9.25, 6.25, 6.25, 4.25, 3.25, 2.25]
    assert counted(book, "sonneborn_berger_cut_1", everybody) == [9.25, 4.75, 4.75, 4.25, 3.25, 1.5]
    assert counted(book, "koya", everybody) == [2, 0.5, 0.5, 1, 0.5, 0]
    assert counted(book, "performance", everybody) == [2199, 2209, 2219, 1931, 2038, 1803]
    assert counted(book, "opponents_performance", everybody) == [2040, 2038, 2036, 2094, 2140, 2140]
    rows = rank_entries(book, ["points", "head_to_head"])
    assert [(row.entry, row.first, row.last) for row in rows] == [
        (1, 1, 1), (2, 2, 3), (3, 2, 3), (6, 4, 4), (5, 5, 5), (4, 6, 6),
    ]  # fmt: skip


@pytest.mark.parametrize(("edition", "buchholz"), [(Edition.FIDE_2024, 57), (Edition.FIDE_2026, 55)])
def test_example_of_the_manual_when_one_round_was_missed_then_buchholz_is_as_printed(edition, buchholz):
    """Seven points of ten, the fourth round missed. The opponents' points are given to them as byes, which count as they are."""
    met = [(5, 1), (5, 1), (6.5, 0), None, (4.5, 1), (6, 0.5), (5, 1), (6.5, 0.5), (5.5, 1), (6, 1)]
    rounds = [([], []) for _one in met]
    for number, one in enumerate(met):
        if one is None:
            rounds[number][1].append(RestingEntry(EntryId(1), 0))
            continue
        opponent, (score, got) = EntryId(10 + number), one
        rounds[number][0].append(PairedMatch(EntryId(1), opponent, int(2 * got), int(2 - 2 * got)))
        missing = int(2 * score) - int(2 - 2 * got)
        for other in (other for other in range(10) if other != number):
            points = min(2, missing)
            missing -= points
            rounds[other][1].append(RestingEntry(opponent, points, is_allotted=True))
    entries = [EntryId(1), *(EntryId(10 + number) for number, one in enumerate(met) if one)]
    book = Crosstable(entries, [SwissRound(tuple(m), tuple(r)) for m, r in rounds], edition=edition)
    assert counted(book, "points", [1]) == [7]
    assert counted(book, "buchholz", [1]) == [buchholz]
    assert counted(book, "buchholz_cut_1", [1]) == [50]
    assert counted(book, "sonneborn_berger", [1]) == [37.25]


SEVEN = """
    . ½ 1 1 ½ 0 1
    ½ . 1 1 ½ ½ 1
    0 0 . 1 1 1 1
    0 0 0 . 1 1 ½
    ½ ½ 0 0 . 1 1
    1 ½ 0 0 0 . 1
    0 0 0 ½ 0 0 .
"""
THREE = """
    . 1 1
    0 . -
    0 - .
"""
LATER = SEVEN.replace("0 0 . 1 1\n    1 ½", "0 0 . - 1\n    1 ½").replace("0 0 0 . 1\n", "0 0 - . 1\n")


@pytest.mark.parametrize(
    ("table", "places"),
    [
        (SEVEN, {2: 1, 1: 2, 3: 3, 5: 4, 4: 5, 6: 6, 7: 7}),
        (THREE, {1: 1, 2: 2, 3: 2}),
        (LATER, {2: 1, 3: 2, 1: 3, 4: 4, 5: 5, 6: 5, 7: 5}),
    ],
    ids=["all have met", "one is out of reach", "asked again and again"],
)
def test_direct_encounter_when_a_table_is_published_then_everybody_has_the_printed_place(table, places):
    cells = [line.split() for line in table.strip().splitlines()]
    halves = {"1": 2, "½": 1, "0": 0}
    rounds = [
        SwissRound((PairedMatch(EntryId(a + 1), EntryId(b + 1), halves[row[b]], halves[cells[b][a]]),))
        for a, row in enumerate(cells)
        for b in range(a + 1, len(row))
        if row[b] in halves
    ]
    rows = rank_entries(Crosstable([EntryId(n + 1) for n in range(len(cells))], rounds), ["head_to_head"])
    assert {row.entry: row.first for row in rows} == places
