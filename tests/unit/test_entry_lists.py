"""The lists of entries in `tests/data/entry_lists` are whole, and those written before the reader stay as they are."""

import hashlib

from tests.support.entry_lists import DATA, lists_of


def test_frozen_lists_when_counted_then_hold_a_hundred_people_and_were_never_touched():
    lists = lists_of("frozen.txt")

    assert sum(len(one.people) for one in lists) == 100
    assert (
        hashlib.sha256((DATA / "frozen.txt").read_bytes()).hexdigest()
        == "8d17f0f283077796a33a300b3c48bb699ad42429957441352295bd21141c6722"
    )


def test_frozen_lists_when_somebody_is_known_then_their_list_names_them():
    for one in lists_of("frozen.txt"):
        names = {player["name"] for player in one.known}
        for person in one.people:
            assert {person.match, *person.ask} - {""} <= names, one.title
