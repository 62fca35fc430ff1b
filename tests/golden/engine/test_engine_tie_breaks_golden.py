"""Published tables and worked examples, reproduced figure by figure."""

from fractions import Fraction

from tournaments.engine.pairing.history import PairedMatch, RestingEntry, SwissRound
from tournaments.engine.pairing.round_robin import round_robin
from tournaments.engine.standings.editions import Edition
from tournaments.engine.standings.order import rank_entries
from tournaments.engine.standings.table import Crosstable
from tournaments.engine.standings.tie_breaks import TIE_BREAKS, get_tie_break
from tournaments.engine.standings.unplayed import points_for_opponents
from tournaments.engine.types import EntryId


def crosstable(text, points):
    """Rounds from a printed crosstable; `points(own, other)` makes half points of two cells."""
    cells = [row.split() for row in text.strip().splitlines()]
    entries = [EntryId(n) for n in range(1, len(cells) + 1)]
    rounds = []
    for rnd in round_robin(entries):
        meetings = []
        for a, b in rnd.pairs:
            own, other = cells[a - 1][b - 1], cells[b - 1][a - 1]
            scores = (int(own), int(other)) if "½" not in own else (0, 0)
            meetings.append(
                PairedMatch(
                    a, b, points(own, other), points(other, own), score_a=scores[0], score_b=scores[1]
                )
            )
        rounds.append(SwissRound(tuple(meetings)))
    return entries, rounds


# A school team final of six teams on three boards, published at chess-results.com, tournament 769171 (teams by rank).
# Its tie-breaks: 1 match points, 2 board points, 3 results among the tied, 4 FIDE-Sonneborn-Berger (board points).
TEAMS = """
    * 2 1 3 3 3
    1 * 2 3 3 3
    2 1 * 3 2 3
    0 0 0 * 2 3
    0 0 1 1 * 3
    0 0 0 0 0 *
"""
PUBLISHED = [  # match points, board points, results among the tied, Sonneborn-Berger
    (8, 12, 2, 65),
    (8, 12, 0, 64),
    (8, 11, None, 61),
    (4, 5, None, 10),
    (2, 5, None, 16),
    (0, 0, None, 0),
]


def test_chess_results_769171_is_reproduced():
    entries, rounds = crosstable(TEAMS, lambda own, other: 2 if own > other else 0)
    rows = rank_entries(Crosstable(entries, rounds), ["points", "match_points_won", "head_to_head"])
    assert [row.entry for row in rows] == entries
    assert [(row.first, row.last) for row in rows] == [(n, n) for n in entries]
    _entries, by_boards = crosstable(TEAMS, lambda own, _other: int(own))
    boards = Crosstable(entries, by_boards)
    berger = get_tie_break("sonneborn_berger").compute(boards, entries)
    found = [
        (
            row.values["points"],
            row.values["match_points_won"],
            row.values.get("head_to_head"),
            berger[row.entry],
        )
        for row in rows
    ]
    assert found == PUBLISHED


# The example of the article on tie-breaks in the German Wikipedia ("Feinwertung", Sonneborn-Berger): seven players.
EXAMPLE = """
    - ½ ½ 1 1 1 1
    ½ - ½ ½ 1 1 1
    ½ ½ - ½ ½ 1 1
    0 ½ ½ - 1 1 1
    0 0 ½ 0 - 1 1
    0 0 0 0 0 - 1
    0 0 0 0 0 0 -
"""


def test_sonneborn_berger_puts_the_third_before_the_fourth_of_the_example():
    entries, rounds = crosstable(EXAMPLE, lambda own, _other: {"0": 0, "½": 1, "1": 2}[own])
    rows = rank_entries(Crosstable(entries, rounds), ["points", "sonneborn_berger"])
    assert [Fraction(row.values["points"], 2) for row in rows] == [
        5,
        Fraction(9, 2),
        4,
        4,
        Fraction(5, 2),
        1,
        0,
    ]
    unit = TIE_BREAKS["sonneborn_berger"].unit
    assert [row.entry for row in rows] == entries
    # 5/2 + 4.5/2 + 4/2 + 2.5/2 + 1 + 0 and 4.5/2 + 4/2 + 2.5 + 1 + 0
    assert [Fraction(row.values["sonneborn_berger"], unit) for row in rows[2:4]] == [9, Fraction(31, 4)]


# Minutes of the FIDE Swiss Pairings Programs Committee, 80th congress (Kallithea 2009), as printed in the manual of
# Vega Chess (2016), appendix I: two players of a nine-round event, A with a win by default in round 3 (2 points before
# it, 6 in the end), B absent in round 7 (4 before, 6 in the end). In points: A's round counts 5 for A's own Buchholz,
# and A counts 5.5 for the opponents; B's round counts 6, and B counts 6.5.


def lonely(results):
    """A player against nine others who score nothing else: the results are half points, "d" a round without play."""
    rounds = []
    for number, (points, played) in enumerate(results, start=1):
        opponent = EntryId(100 + number)
        if played:
            meeting = PairedMatch(EntryId(1), opponent, points, 2 - points)
        elif points:
            meeting = PairedMatch(EntryId(1), opponent, points, 0, played=False)
        else:
            rounds.append(SwissRound((), (RestingEntry(EntryId(1), 0),)))
            continue
        rounds.append(SwissRound((meeting,)))
    entries = [EntryId(1), *(EntryId(n) for n in range(101, 110))]
    return Crosstable(entries, rounds, edition=Edition.FIDE_2009)


def own_contribution(book, number):
    """What the round without play adds to the player's Buchholz: the whole less the real opponents."""
    real = sum(points_for_opponents(book)[line.opponent] for line in book.lines[1] if line.played)
    assert not book.lines[1][number - 1].played
    return get_tie_break("buchholz").compute(book, [EntryId(1)])[1] - real


def test_a_win_by_default_counts_as_the_congress_decided():
    a = lonely(
        [(2, True), (2, True), (2, False), (2, True), (2, True), (2, True), (0, True), (0, True), (0, True)]
    )
    assert a.points[1] == 12
    assert own_contribution(a, 3) == 10
    assert points_for_opponents(a)[1] == 11


def test_an_absence_counts_as_the_congress_decided():
    b = lonely([(2, True)] * 4 + [(0, True)] * 2 + [(0, False)] + [(2, True)] * 2)
    assert b.points[1] == 12
    assert own_contribution(b, 7) == 12
    assert points_for_opponents(b)[1] == 13
