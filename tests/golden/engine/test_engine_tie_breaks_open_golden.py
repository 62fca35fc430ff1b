"""A whole published open by Swiss: the Ouagadougou Open 2022 (draughts, a World Cup event of the FMJD), 68 players and nine rounds.

Results, totals and shortened Solkoff (what a Buchholz without the lowest is called there): the game file of the event in github.com/clpippel/tiebreak. The
players are numbered by their final place there. A win counts 2 and a draw 1, which are our half points.

Two pairs did not play (x). Their rounds count for the opponents as they were scored there, as they do under the FIDE editions of 2024 and 2026; for player 67, who
missed two of them, the FMJD takes the scores of those who were not met and FIDE a dummy with one's own (Article 16.4), so that figure alone is another one.
"""

import pytest

from tournaments.engine.pairing.history import PairedMatch, SwissRound
from tournaments.engine.standings.editions import Edition
from tournaments.engine.standings.order import rank_entries
from tournaments.engine.standings.table import Crosstable
from tournaments.engine.standings.tie_breaks import get_tie_break
from tournaments.engine.types import EntryId

# Total, shortened Solkoff, then for every round the result and against whom.
PUBLISHED = """
    14 92 +68 =20 =6 +29 +10 +7 =3 +4 =2
    13 93 +39 +54 +10 =12 =4 =3 =5 +13 =1
    12 96 +15 +25 =4 =7 +44 =2 =1 =5 =8
    12 95 +51 +14 =3 +32 =2 =5 +7 -1 =9
    12 90 =13 =30 +67 +20 +12 =4 =2 =3 =6
    12 90 =16 +41 =1 =9 -8 +33 +44 +15 =5
    12 88 +26 +57 =12 =3 +14 -1 -4 +45 +22
    12 85 =27 =45 +48 =11 +6 =31 =15 +16 =3
    12 83 =45 +49 =20 =6 =17 =12 +46 +14 =4
    12 82 +37 +35 -2 =63 -1 +55 +32 =12 +25
    12 82 +47 =52 =17 =8 =32 +21 =13 =18 +24
    11 91 +24 +33 =7 =2 -5 =9 +31 =10 =18
    11 87 =5 =34 +40 =23 +19 =15 =11 -2 +30
    11 84 +23 -4 +52 +21 -7 =24 +30 -9 +32
    11 83 -3 +64 =16 +41 +56 =13 =8 -6 +39
    11 82 =6 =22 =15 =33 +37 +42 =24 -8 +31
    11 81 =30 +27 =11 =31 =9 =32 -18 +52 +36
    11 78 =60 +53 =44 =22 =23 =36 +17 =11 =12
    11 69 =53 -66 +49 +52 -13 +35 -21 +47 +29
    10 84 +28 =1 =9 -5 =33 +63 =45 =31 =23
    10 81 =34 =29 +54 -14 +25 -11 +19 =36 =28
    10 80 =49 =16 +30 =18 -31 +61 +26 =24 -7
    10 78 -14 +51 +61 =13 =18 =44 =36 =28 =20
    10 77 -12 =50 +65 +34 +63 =14 =16 =22 -11
    10 73 +64 -3 -29 +62 -21 +60 +37 +34 -10
    10 73 -7 -58 +64 +43 +41 =29 -22 =35 +45
    10 69 =8 -17 =47 -46 +65 =58 =33 +60 +44
    10 68 -20 +68 =34 =35 =55 +66 =29 =23 =21
     9 81 =66 =21 +25 -1 +54 =26 =28 =39 -19
     9 80 =17 =5 -22 =38 +50 +52 -14 +46 -13
     9 79 =41 +63 =66 =17 +22 =8 -12 =20 -16
     9 79 =56 +59 +60 -4 =11 =17 -10 +54 -14
     9 78 +65 -12 =42 =16 =20 -6 =27 +61 =34
     9 78 =21 =13 =28 -24 +57 +38 =39 -25 =33
     9 78 +46 -10 =36 =28 =61 -19 +42 =26 =38
     9 75 =59 =48 =35 =37 +60 =18 =23 =21 -17
     9 74 -10 +62 =45 =36 -16 +53 -25 =40 +50
     9 69 =42 -60 =46 =30 +43 -34 +48 =44 =35
     9 68 -2 -40 +68 =57 +67 +56 =34 =29 -15
     9 67 -54 +39 -13 -48 -47 +49 +62 =37 +56
     9 66 =31 -6 +58 -15 -26 -64 +65 +63 +53
     9 65 =38 =55 =33 =60 +66 -16 -35 =53 +52
     9 62 =55 -44 =53 -26 -38 +59 =57 +58 +54
     8 81 =48 +43 =18 +66 -3 =23 -6 =38 -27
     8 80 =9 =8 =37 =55 +53 =46 =20 -7 -26
     8 73 -35 =67 =38 +27 +48 =45 -9 -30 =47
     8 71 -11 =65 =27 -53 +40 =57 +56 -19 =46
     8 70 =44 =36 -8 +40 -46 =54 -38 =49 +61
     8 70 =22 -9 -19 +59 -52 -40 +67 =48 +60
     8 62 -63 =24 +59 -56 -30 =51 +66 +55 -37
     8 58 -4 -23 -62 =65 +68 =50 -53 +64 +63
     7 77 +62 =11 -14 -19 +49 -30 +64 -17 -42
     7 74 =19 -18 =43 +47 -45 -37 +51 =42 -41
     7 72 +40 -2 -21 +67 -29 =48 +63 -32 -43
     7 70 =43 =42 =56 =45 =28 -10 =61 -50 =59
     7 68 =32 =61 =55 +50 -15 -39 -47 +57 -40
     7 66 +58 -7 -63 =39 -34 =47 =43 -56 +65
     7 63 -57 +26 -41 -61 +62 =27 -60 -43 +64
     7 61 =36 -32 -50 -49 =64 -43 +68 +62 =55
     6 75 =18 +38 -32 =42 -36 -25 +58 -27 -49
     6 67 =67 =56 -23 +58 =35 -22 =55 -33 -48
     6 61 -52 -37 +51 -25 -58 +68 -40 -59 +66
     5 73 +50 -31 +57 =10 -24 -20 -54 -41 -51
     5 69 -25 -15 -26 +68 =59 +41 -52 -51 -58
     5 64 -33 =47 -24 =51 -27 =67 -41 +68 -57
     4 70 =29 +19 =31 -44 -42 -28 -50 x67 -62
     3 59 =61 =46 -5 -54 -39 =65 -49 x66 x68
     0 64 -1 -28 -39 -64 -51 -62 -59 -65 x67
"""
POINTS = {"+": 2, "=": 1, "-": 0, "x": 0}
ROWS = {EntryId(n): row.split() for n, row in enumerate(PUBLISHED.strip().splitlines(), start=1)}
OWN_WALK_OVERS = {EntryId(67): (59, 58)}  # printed there, by FIDE


def played() -> list[SwissRound]:
    rounds = []
    for number in range(2, 11):
        meetings = []
        for entry, row in ROWS.items():
            other = EntryId(int(row[number][1:]))
            own, back = row[number][0], ROWS[other][number]
            assert int(back[1:]) == entry
            if entry < other:
                meetings.append(PairedMatch(entry, other, POINTS[own], POINTS[back[0]], played=own != "x"))
        rounds.append(SwissRound(tuple(meetings)))
    return rounds


@pytest.mark.parametrize("edition", [Edition.FIDE_2024, Edition.FIDE_2026])
def test_published_open_when_computed_again_then_every_figure_and_every_place_is_the_same(edition):
    book = Crosstable(list(ROWS), played(), edition=edition)
    breaker = get_tie_break("buchholz_cut_1")
    found = breaker.compute(book, list(ROWS))
    printed = {entry: int(row[1]) for entry, row in ROWS.items()}
    differ = {entry: (printed[entry], figure) for entry, figure in found.items() if figure != printed[entry]}
    assert differ == OWN_WALK_OVERS
    table = rank_entries(book, ["points", "buchholz_cut_1"])
    assert {row.entry: row.values["points"] for row in table} == {e: int(row[0]) for e, row in ROWS.items()}
    for (
        row
    ) in table:  # who has both figures alike shares the place: what told them apart there is not printed
        alike = [entry for entry in ROWS if ROWS[entry][:2] == ROWS[row.entry][:2]]
        assert (row.first, row.last) == (alike[0], alike[-1])
