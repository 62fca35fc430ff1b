"""The reader of lists against lists as people keep them (`tests/data/entry_lists`): what it gets right, and whom it takes for whom."""

import hashlib

import pytest

from tests.support.entry_lists import (
    DATA,
    FILES,
    WHOLE,
    as_read,
    lists_of,
    read_whole,
    wrong_in,
    wrong_matches,
)


def test_frozen_lists_when_counted_then_hold_a_hundred_people_and_were_never_touched():
    lists = lists_of("frozen.txt")

    assert sum(len(one.people) for one in lists) == 100
    assert (
        hashlib.sha256((DATA / "frozen.txt").read_bytes()).hexdigest()
        == "8d17f0f283077796a33a300b3c48bb699ad42429957441352295bd21141c6722"
    )


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("frozen.txt", 98),
        ("later.txt", 200),
        ("again.txt", 60),
        ("fresh1.txt", 99),
        ("fresh2.txt", 95),
        ("fresh3.txt", 100),
        ("fresh4.txt", 48),
    ],
)
def test_lists_when_read_then_nearly_all_people_are_right(name, right):
    lists = lists_of(name)
    people = sum(len(one.people) for one in lists)

    wrong = wrong_in(lists, as_read)

    print(f"{name}: {people - len(wrong)} of {people} right", *wrong, sep="\n")
    assert people - len(wrong) >= right


@pytest.mark.parametrize("name", FILES)
def test_lists_when_matched_against_those_known_then_nobody_is_taken_for_somebody_else(name):
    merged, asked = wrong_matches(lists_of(name))

    assert merged == []
    assert asked == []


@pytest.mark.parametrize("name", FILES)
def test_lists_when_somebody_is_known_then_their_list_names_them(name):
    for one in lists_of(name):
        names = {player["name"] for player in one.known}
        for person in one.people:
            assert {person.match, *person.ask} - {""} <= names, one.title


def test_lists_when_read_then_all_that_is_said_of_them_is_as_before():
    """Notes, columns, who is nobody: what nobody wrote down by hand. Whoever changes the reader reads the difference."""
    wanted = WHOLE.read_text(encoding="utf-8").splitlines()
    assert list(read_whole()) == wanted
