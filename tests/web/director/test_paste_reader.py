"""Pasted lists, as people keep them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.entries.web.read_list import LONGEST_NAME, read_list


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Ann Abell", "Ann Abell"),
        ("  Ann   Abell  ", "Ann Abell"),
        ("1. Ann Abell", "Ann Abell"),
        ("12) Ann Abell", "Ann Abell"),
        ("(3) Ann Abell", "Ann Abell"),
        ("#4 Ann Abell", "Ann Abell"),
        ("5 Ann Abell", "Ann Abell"),
        ("6 - Ann Abell", "Ann Abell"),
        ("- Ann Abell", "Ann Abell"),
        ("• Ann Abell", "Ann Abell"),
        ("* 7. Ann Abell", "Ann Abell"),
        ("[x] Ann Abell", "Ann Abell"),
        ("Abell, Ann", "Ann Abell"),
        ("3. Abell, Ann Maria", "Ann Maria Abell"),
        ("Ann Abell, FI", "Ann Abell"),
        ("Ann Abell, FI, 1720", "Ann Abell"),
        ("Abell, Ann, FI", "Ann Abell"),
        ("Ann Abell (FIN)", "Ann Abell"),
        ("Ann Abell [1720]", "Ann Abell"),
        ("1\tAnn Abell\tFinland\t1720", "Ann Abell"),
        ("17;Ann Abell;FI", "Ann Abell"),
        ("1 | Ann Abell | FI", "Ann Abell"),
        ("\ufeffAnn Abell", "Ann Abell"),
        ("Ann\xa0Abell", "Ann Abell"),
        ('"Ann Abell"', "Ann Abell"),
        ("Jean-Luc O'Brien", "Jean-Luc O'Brien"),
        ("Þórður Köroğlu", "Þórður Köroğlu"),
        ("宮本 武蔵", "宮本 武蔵"),
        ("Ann Abell 2", "Ann Abell 2"),
        ("John Smith Jr.", "John Smith Jr."),
        ("ANN", "ANN"),
        ("7. ANN, FI", "ANN"),
        ("---", ""),
        ("12.", ""),
        ("1720", ""),
        ("?!", ""),
    ],
)
def test_line_when_read_then_is_this_name(line: str, name: str) -> None:
    assert [found.name for found in read_list(line)] == [name]


def test_list_when_it_has_blank_lines_then_they_are_none_and_numbers_stay() -> None:
    assert [(line.number, line.name) for line in read_list("Ann\n\n  \nBob\r\nCleo")] == [
        (1, "Ann"),
        (4, "Bob"),
        (5, "Cleo"),
    ]


def test_name_when_too_long_then_unreadable() -> None:
    assert read_list("a" * (LONGEST_NAME + 1))[0].name == ""


@given(st.text(max_size=300))
def test_any_text_when_read_then_names_are_clean(text: str) -> None:
    for line in read_list(text):
        assert len(line.name) <= LONGEST_NAME
        assert line.name == " ".join(line.name.split())
        assert "\0" not in line.name
        assert bool(line.key) == bool(line.name)


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
        ("Ann Ace", 2, [""]),
        ("Ann & Bob & Cleo", 2, [""]),
        ("Ann & 7", 2, [""]),
    ],
)
def test_a_team_is_read_with_all_its_members_or_not_at_all(text, size, names):
    lines = read_list(f"\n{text}\n", size)
    assert [line.name for line in lines] == names
    assert {line.number for line in lines} == {2}
