"""What one word more or less in a line of a list means, and when lines are a table: the borders of the reader's rules."""

import pytest

from people.countries import countries
from tournaments.engine.lists.reader import parse_list


def people_of(text):
    return parse_list(text, countries()).people


@pytest.mark.parametrize(
    ("line", "said"),
    [
        # Countries stand in front or behind; what is no country stays in the name.
        ("New Zealand Ann Abell", {"name": "Ann Abell", "country": "NZ"}),
        ("Finland Ann Abell", {"name": "Ann Abell", "country": "FI"}),
        ("Lars Ny FI", {"name": "Lars Ny", "country": "FI"}),
        ("B Ann FI", {"name": "B Ann", "country": "FI"}),
        ("Ann A. Abell SWE", {"name": "Ann A. Abell", "country": "SE"}),
        ("Ann ABELL USA", {"name": "Ann Abell", "country": "US"}),
        ("ANN ABELL FINLAND", {"name": "Ann Abell", "country": "FI"}),
        ("Bo van FIN", {"name": "Bo van Fin", "country": ""}),
        ("Ann LE PEN", {"name": "Ann Le Pen", "country": ""}),
        ("Michael JORDAN", {"name": "Michael Jordan", "country": ""}),
        ("Henry IV", {"name": "Henry IV", "country": ""}),
        # Ratings, and the word before them.
        ("Ann Elo: 1588", {"name": "Ann", "rating": 1588.0}),
        ("Ann Rating 1588", {"name": "Ann", "rating": 1588.0}),
        ("Lars Ny Elo 1588", {"name": "Lars Ny", "rating": 1588.0, "note": ""}),
        ("Elo 1588 Ann Abell", {"name": "Ann Abell", "rating": 1588.0, "note": ""}),
        ("Elo Ann Abell", {"name": "Elo Ann Abell", "rating": None}),
        # Fees: said in front or behind; what it was paid for is left to the director.
        ("Paid Ann Abell", {"name": "Ann Abell", "paid": True}),
        ("PAID Ann", {"name": "Ann", "paid": True}),
        ("Paid Ann", {"name": "Paid Ann", "paid": None}),
        ("Ann Abell paid for two", {"name": "Ann Abell", "paid": None, "note": "paid for two"}),
        ("Ann Abell paid 20 in the bank", {"name": "Ann Abell", "paid": True, "note": "20 in the bank"}),
        # Titles and suffixes.
        ("Ann Lind PhD MBA", {"name": "Ann Lind", "note": "MBA, PhD"}),
        ("Dr. Ann Lind M.D.", {"name": "Ann Lind", "note": "Dr., M.D."}),
        ("Ann PhD", {"name": "Ann PhD", "note": ""}),
        ("SMITH John JR.", {"name": "John Smith Jr."}),
        ("Smith Jr., John", {"name": "John Smith Jr."}),
        ("JOHN BERG III", {"name": "John Berg III"}),
        ("ANN B. ABELL", {"name": "Ann B. Abell"}),
        ("ABELL A. B.", {"name": "A. B. Abell"}),
        # What they said beside the name.
        ("late Ann Abell", {"name": "Ann Abell", "note": "late"}),
        ("Late Ann", {"name": "Late Ann", "note": ""}),
    ],
)
def test_line_when_a_word_may_be_of_the_name_or_not_then_it_is_told_by_those_beside_it(line, said):
    (found,) = people_of(line)
    assert {key: getattr(found, key) for key in said} == said


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Waiting list: Ann Ace, Bo Berg", ["Ann Ace", "Bo Berg"]),
        ("Ann Ace, Bo Berg, Cleo Cube", ["Ann Ace", "Bo Berg", "Cleo Cube"]),
        ("Ann Ace, Bo Berg", ["Ann Ace"]),  # two without a word on them: the second may be where Ann lives
        ("Ann Ace (FIN), Bo Berg (DEN)", ["Ann Ace", "Bo Berg"]),
        ("Ann Ace, Bo Berg, Cleo", ["Ann Ace"]),
        ("Ann Ace, Bo Berg, cleo Cube", ["Ann Ace"]),
        ("Ann Ace, Bo Berg, Open", ["Ann Ace"]),
        ("Ann Ace, Bo Berg, BG Club Oslo", ["Ann Ace"]),
        ("Ann Ace, Bo Berg, Cleo van der Berg", ["Ann Ace", "Bo Berg", "Cleo van der Berg"]),
        ("1. Ann Ace, Bo Berg, Cleo Cube", ["Ann Ace"]),
        ("ann abell & bo ek", ["Ann Abell", "Bo Ek"]),
        ("Hallo alle zusammen im Verein", []),
        ("Meine lieben freunde des spiels", []),
        ("Vh Bo Ek", []),
    ],
)
def test_line_when_it_may_name_several_then_full_names_alone_are_people_of_their_own(line, names):
    assert [one.name for one in people_of(line)] == names


def read_as(text, *fields):
    return [tuple(getattr(one, field) for field in ("name", *fields)) for one in people_of(text)]


def test_lines_when_half_of_them_stand_in_quotation_marks_then_a_table():
    text = '"Ann Abell","yes"\n"Bo Ek","no"\n"Cleo Cube","yes"\nDan Falk\nEva Gil\nFay Hall'
    assert read_as(text, "paid")[:4] == [
        ("Ann Abell", True),
        ("Bo Ek", False),
        ("Cleo Cube", True),
        ("Dan Falk", None),
    ]


def test_lines_when_most_have_semicolons_then_a_table_whose_short_numbers_are_phones():
    text = "Ann Abell;040 1234567\nBo Ek;050 7654321\nCleo Cube;041 111\nDan Falk\nEva Gil"
    assert read_as(text, "phone") == [
        ("Ann Abell", "040 1234567"),
        ("Bo Ek", "050 7654321"),
        ("Cleo Cube", "041 111"),
        ("Dan Falk", ""),
        ("Eva Gil", ""),
    ]


def test_table_when_a_head_says_nothing_and_phones_stand_below_then_phones():
    text = "Last;First;Xx\nAbell;Ann;040 1234567\nEk;Bo;050 7654321"
    assert read_as(text, "phone") == [("Ann Abell", "040 1234567"), ("Bo Ek", "050 7654321")]
    text = "Last;First;Xx\nAbell;Ann;1234567\nEk;Bo;7654321"  # numbers of whatever
    assert read_as(text, "phone", "note") == [("Ann Abell", "", "Xx: 1234567"), ("Bo Ek", "", "Xx: 7654321")]


def test_table_when_a_row_is_shorter_than_its_head_then_its_last_cells_are_empty():
    text = "Last | First | Xx\nAbell | Ann | 1234567\nEk | Bo | 7654321\nCube | Cleo |"
    assert read_as(text, "note") == [
        ("Ann Abell", "Xx: 1234567"),
        ("Bo Ek", "Xx: 7654321"),
        ("Cleo Cube", ""),
    ]


def test_table_when_a_cell_begins_with_an_apostrophe_then_it_goes_only_before_a_formula():
    text = "Name;Email\n'=Ann Abell;ann@example.org\nBo Ek;bo@example.org\nOlle 't Hooft;o@example.org"
    assert read_as(text, "email") == [
        ("Ann Abell", "ann@example.org"),
        ("Bo Ek", "bo@example.org"),
        ("Olle 't Hooft", "o@example.org"),
    ]


def test_table_when_columns_are_held_apart_by_blanks_then_one_row_below_the_head_is_enough():
    text = "Name          Country    Rating\nAnn Abell     FIN        1588"
    assert read_as(text, "country", "rating") == [("Ann Abell", "FI", 1588.0)]


def test_table_when_its_first_row_has_one_head_that_is_known_then_it_is_the_head():
    assert read_as("Name;Xx\nAnn Abell;20\nBo Ek;30\nCleo Cube;20") == [
        ("Ann Abell",),
        ("Bo Ek",),
        ("Cleo Cube",),
    ]


def test_table_when_two_columns_stand_in_one_cell_then_both_are_read():
    text = "Name;Rating;Fee\nAnn Abell;1733 Bern;20\nBo Ek;1588 BC Oslo;20\nCleo Cube;0;20"
    assert read_as(text, "rating", "club", "note") == [
        ("Ann Abell", 1733.0, "", "Bern, 20"),
        ("Bo Ek", 1588.0, "BC Oslo", "20"),
        ("Cleo Cube", None, "", "20"),
    ]


def test_list_when_a_line_is_nobody_then_the_director_sees_which_were_left_out():
    table = parse_list("Name;Fee\nAnn Abell;20\nSumma;40", countries())
    assert [(line, text) for line, text in table.other_lines] == [(3, "Summa;40")]
    lines = parse_list("Hello all!\n1. Ann Abell\n2. Bo Ek\nTotal: 2", countries())
    assert [line for line, _text in lines.other_lines] == [1, 4]


def test_list_when_most_write_the_surname_first_with_a_comma_then_all_are_read_so():
    text = "Berg, Ann\nEk, Bo\nde Vries, Jan Peter\nHolm Lund, Eva"
    assert read_as(text) == [("Ann Berg",), ("Bo Ek",), ("Jan Peter de Vries",), ("Eva Holm Lund",)]


@pytest.mark.parametrize(
    ("head", "row", "name"),
    [
        ("Name;Vorname", "Abell;Ann", "Ann Abell"),  # beside a first name “name” is the last one
        ("Name;Nachname", "Ann;Abell", "Ann Abell"),
        ("First name;Last name", "Ann;Abell", "Ann Abell"),
        ("Name;First name;Last name", "Annie A;Ann;Abell", "Ann Abell"),
        ("Name;Country;Name", "Ann Abell;FIN;Ann A", "Ann Abell"),
    ],
)
def test_table_when_names_have_several_columns_then_their_heads_tell_which_is_which(head, row, name):
    assert read_as(f"{head}\n{row}\n{row}") == [(name,), (name,)]


def test_table_when_a_division_stands_alone_above_its_players_then_it_is_theirs_and_nobody():
    found = parse_list("Name;Country\nMasters;\nAnn Abell;FIN\nIntermediate;\nBo Ek;SWE\n", countries())
    assert [(one.name, one.division) for one in found.people] == [
        ("Ann Abell", "Masters"),
        ("Bo Ek", "Intermediate"),
    ]
    assert [line for line, _text in found.other_lines] == [2, 4]


def test_team_when_a_row_of_a_table_names_two_then_they_stand_in_their_order_in_one_line():
    found = parse_list("Name;Partner\nAnn Ace;Bo Berg\nCleo Cube;Dan Ek", countries(), size=2)
    assert [(one.line, one.place, one.name) for one in found.people] == [
        (2, 1, "Ann Ace"),
        (2, 2, "Bo Berg"),
        (3, 1, "Cleo Cube"),
        (3, 2, "Dan Ek"),
    ]


@pytest.mark.parametrize(
    ("text", "field", "said"),
    [
        # A small number in a column of ratings is one (PR); a point may stand for thousands.
        ("Name;Rating\nAnn Abell;5,31\nBo Berg;1588.25", "rating", [5.31, 1588.25]),
        ("Name;Rating\nAnn Abell;1.588\nBo Berg;1.600", "rating", [1588.0, 1600.0]),
        # A row with a number or an address is none of heads.
        ("Name;1588\nBo Berg;1600", "name", ["Name", "Bo Berg"]),
        ("Name;ann@example.org\nBo Berg;bo@example.org", "name", ["Name", "Bo Berg"]),
        ("List of friends;12.05.2026\nName;Club\nAnn Abell;Oslo\nBo Berg;Bern", "club", ["Oslo", "Bern"]),
        ("Last name first name;Country\nAbell Ann;SE\nBerg Bo;DE", "name", ["Ann Abell", "Bo Berg"]),
        ("First name last name;Country\nAnn Abell;SE", "name", ["Ann Abell"]),
        ("ABELL;Ann\nBERG;Bo\nCUBE;Cleo", "name", ["Ann Abell", "Bo Berg", "Cleo Cube"]),
        ("Ann;ABELL\nBo;BERG\nCleo;CUBE", "name", ["Ann Abell", "Bo Berg", "Cleo Cube"]),
        # Names of a site have letters enough.
        ("abc12", "name", ["abc12"]),
        ("ab12", "name", []),
        # What was paid for is left to the director, how much stands in the note.
        ("Ann Abell fee 20 EUR paid", "note", ["20 EUR, fee"]),
        ("Ann Abell fee paid", "note", [""]),
        # Small words before capitals belong to them.
        ("van BERG", "name", ["van Berg"]),
        ("van der BERG ANN", "name", ["Ann van der Berg"]),
        ("Ann Berg South Africa", "country", ["ZA"]),
        ("Ann SOUTH AFRICA", "country", [""]),
        ("Room 2: Ann Ace, Bo Berg, Cleo Cube", "name", ["Room"]),
        ("Ann Lind SE é", "note", ["é"]),
    ],
)
def test_text_when_it_is_read_then_each_has_what_stands_beside_them(text, field, said):
    assert [getattr(one, field) for one in people_of(text)] == said
