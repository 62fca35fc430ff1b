"""Single lines and small lists, case by case: what the corpus (`tests/data/entry_lists`) does not say as plainly."""

import pytest

from people.countries import countries
from tournaments.engine.lists.reader import read_list
from tournaments.engine.lists.words import Role


def read(text, **how):
    return read_list(text, countries(), **how)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("  Ann   Abell  ", "Ann Abell"),
        ("12) Ann Abell", "Ann Abell"),
        ("(3) Ann Abell", "Ann Abell"),
        ("#4 Ann Abell", "Ann Abell"),
        ("5 Ann Abell", "Ann Abell"),
        ("6 - Ann Abell", "Ann Abell"),
        ("• Ann Abell", "Ann Abell"),
        ("* 7. Ann Abell", "Ann Abell"),
        ("[x] Ann Abell", "Ann Abell"),
        ("3. Abell, Ann Maria", "Ann Maria Abell"),
        ("Ann Abell, FI, 1720", "Ann Abell"),
        ("Abell, Ann, FI", "Ann Abell"),
        ("1\tAnn Abell\tFinland\t1720", "Ann Abell"),
        ("17;Ann Abell;FI", "Ann Abell"),
        ("1 | Ann Abell | FI", "Ann Abell"),
        ("\ufeffAnn\xa0Abell", "Ann Abell"),
        ('"Ann Abell"', "Ann Abell"),
        ("Jean-Luc O'Brien", "Jean-Luc O'Brien"),
        ("Þórður Köroğlu", "Þórður Köroğlu"),
        ("宮本 武蔵", "宮本 武蔵"),
        ("Ann Abell 2", "Ann Abell"),
        ("gammon_king77", "gammon_king77"),
        ("John Smith Jr.", "John Smith Jr."),
        ("7. ANN, FI", "Ann"),
    ],
)
def test_line_when_read_then_is_this_name(line, name):
    assert [one.name for one in read(line).people] == [name]


@pytest.mark.parametrize(
    "line", ["---", "12.", "1720", "?!", "", "=====", "Total: 32", "Thanks!", "Who plays?"]
)
def test_line_when_nobody_stands_in_it_then_it_is_nobody(line):
    assert read(line).people == ()


def test_lines_when_blank_then_they_are_none_and_numbers_stay():
    assert [(one.line, one.name) for one in read("Ann\n\n  \nBob\r\nCleo").people] == [
        (1, "Ann"),
        (4, "Bob"),
        (5, "Cleo"),
    ]


@pytest.mark.parametrize(
    ("text", "size", "names"),
    [
        ("Ann Ace & Bob Berg", 2, ["Ann Ace", "Bob Berg"]),
        ("12. Ann Ace / Bob Berg", 2, ["Ann Ace", "Bob Berg"]),
        ("• Ann Ace + Bob Berg (FIN)", 2, ["Ann Ace", "Bob Berg"]),
        ("Ann Ace and Bob Berg", 2, ["Ann Ace", "Bob Berg"]),
        ("Ann Ace und Bob Berg", 2, ["Ann Ace", "Bob Berg"]),
        ("Ann Ace – Bob Berg", 2, ["Ann Ace", "Bob Berg"]),
        ("Ann Ace\tBob Berg", 2, ["Ann Ace", "Bob Berg"]),
        ("Ann Ace, Bob Berg", 2, ["Ann Ace", "Bob Berg"]),
        ("Ace, Ann & Berg, Bob", 2, ["Ann Ace", "Bob Berg"]),
        ("Jean-Paul Ace & Bob O'Berg", 2, ["Jean-Paul Ace", "Bob O'Berg"]),
        ("Ann Ace, Bob Berg & Cleo Cube", 3, ["Ann Ace", "Bob Berg", "Cleo Cube"]),
        ("Ann Ace / Bob Berg / Cleo Cube", 3, ["Ann Ace", "Bob Berg", "Cleo Cube"]),
        ("Ann Ace", 2, ["Ann Ace"]),
    ],
)
def test_team_when_read_then_its_members_have_one_line(text, size, names):
    people = read(f"\n{text}\n", size=size).people
    assert [one.name for one in people] == names
    assert {one.line for one in people} == {2}


def test_columns_when_the_director_says_what_they_hold_then_so_they_are_read():
    text = "A;B;C\nLind;Ann;quick\nEk;Bo;slow"
    guessed = read(text)
    assert {column.role for column in guessed.columns} != {Role.LAST, Role.FIRST, Role.SKIP}

    told = read(text, roles={0: Role.LAST, 1: Role.FIRST, 2: Role.NOTE})

    assert [(one.name, one.note) for one in told.people][-2:] == [("Ann Lind", "quick"), ("Bo Ek", "slow")]


def test_table_when_a_lone_quotation_mark_stands_in_it_then_no_line_is_swallowed():
    text = "Name;Note\n" + "\n".join(
        f'Ann A{chr(97 + at)};"oops' if at == 1 else f"Ann A{chr(97 + at)};x" for at in range(20)
    )
    assert len(read(text).people) == 20
