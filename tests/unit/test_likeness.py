"""Whom a name may be among many who are known."""

import random

import pytest

from names.folding import fold_text
from names.likeness import KnownPerson, NameDirectory, edit_distance
from tests.support.lanes import in_full


def test_directory_when_two_thousand_are_known_then_no_near_twin_is_taken_for_another():
    rng = random.Random(7)
    given = "James Thomas Martin Paul George Frank Anna Maria Peter Erik Hans Jens Robert John Lars Nina Ida Otto Emil Rosa".split()
    family = [
        *given,
        *(
            f"{a}{b}"
            for a in ("Ber", "Hol", "Lund", "Sten", "Kro")
            for b in ("g", "gh", "m", "man", "sen", "son")
        ),
    ]
    names = list({f"{rng.choice(given)} {rng.choice(given)[0]}. {rng.choice(family)}" for _ in range(4000)})[
        :1900
    ]
    names += [f"{one} {other}" for one in given[:10] for other in family[20:30]]
    directory = NameDirectory(KnownPerson(at, name) for at, name in enumerate(names))
    known = {fold_text(name) for name in names}
    for name in names[:: 7 if in_full() else 29]:
        first, *middle, last = name.split()
        twins = [
            f"{name} Jr.",
            f"{name} Sr.",
            f"{last} {' '.join([*middle, first])}",
            f"{first} {' '.join(middle)} {last}s",
            f"{first}a {last}",
            f"{first[0]}. {last}",
            f"{first} {last}-Holm",
        ]
        for twin in twins:
            if fold_text(twin) in known:
                continue
            certain = directory.find(twin).certain_person
            turned = (
                certain is not None
                and last not in given
                and sorted(fold_text(certain.name).split()) == sorted(fold_text(twin).split())
            )
            assert certain is None or turned, (twin, certain)


def test_directory_when_father_and_son_bear_one_name_then_it_is_asked_which():
    directory = NameDirectory(
        [KnownPerson(1, "Robert Hale Jr."), KnownPerson(2, "James Thomas"), KnownPerson(3, "Thomas Berg")]
    )
    assert directory.find("Robert Hale").certain_person is None
    assert directory.find("Robert Hale Sr.").certain_person is None
    assert directory.find("Thomas James").certain_person is None
    assert [one.key for one in directory.find("Thomas James").candidates] == [2]
    assert directory.find("Berg Thomas").certain_person == KnownPerson(3, "Thomas Berg")


# Damerau's four slips of the hand: a letter left out, added, changed, and two swapped.
@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("berg", "berg", 0),
        ("berg", "brg", 1),
        ("berg", "berrg", 1),
        ("berg", "borg", 1),
        ("berg", "ebrg", 1),
        ("berg", "begr", 1),
        ("nakamura", "nakumara", 2),
        ("ab", "ba", 1),
        ("abc", "cab", 2),
        ("", "ab", 2),
        ("berg", "lund", 3),  # more than two are not counted
        ("be", "bergson", 3),
    ],
)
def test_slips_when_counted_then_the_fewest_and_the_same_from_both_sides(one, other, found):
    assert edit_distance(one, other, 2) == edit_distance(other, one, 2) == found


@pytest.mark.parametrize(
    ("stated", "known"),
    [
        ("R. Hale", "Robert Hale"),  # an initial
        ("Rob Hale", "Robert Hale"),  # short for it
        ("Robert J. Hale", "Robert Hale"),  # left out
        ("Robert Hael", "Robert Hale"),
        ("Robret Hale", "Robert Hale"),
        ("Jurgen Mueller", "Jürgen Müller"),
        ("Anna Maria Berg", "Annamaria Berg"),
        ("Hale", "Robert Hale"),
        ("Peter de Vries", "Peter Vries"),
    ],
)
def test_name_when_it_is_written_another_way_then_the_director_is_asked(stated, known):
    found = NameDirectory([KnownPerson(1, known), KnownPerson(2, "Zoe Quist")]).find(stated)
    assert found.certain_person is None
    assert [one.name for one in found.candidates] == [known]


@pytest.mark.parametrize(
    ("stated", "known"),
    [
        ("Ann Berg", "Ann Lind"),
        ("Jo Hale", "Joe Dale"),  # a slip in each word, none of them the same
        ("Bob Ek", "Bob Ok"),  # in short words a slip is another word
        ("Ro Hale", "Bo Hale"),
        ("R. H.", "Robert Hale"),
        ("", "Robert Hale"),
    ],
)
def test_name_when_it_is_another_then_nobody_is_asked_about(stated, known):
    assert NameDirectory([KnownPerson(1, known)]).find(stated).candidates == ()


@pytest.mark.parametrize(
    ("said", "certain"),
    [
        ({"country": "FI"}, True),
        ({"country": "SE"}, False),
        ({"rating": 1800.0}, True),
        ({"rating": 1801.0}, False),
        ({"rating": 1199.0}, False),
        ({"club": "Turku BG"}, True),
        ({"club": "TBC"}, True),
        ({"club": "BG Oslo"}, False),  # “BG” is in the names of many
    ],
)
def test_name_when_the_list_says_something_else_of_them_then_it_is_not_certain(said, certain):
    ann = KnownPerson(
        1, "Ann Abell", "FI", 1500.0, "Turku Backgammon Club" if said.get("club") == "TBC" else "Turku BG"
    )
    found = NameDirectory([ann]).find("Ann Abell", **said)
    assert (found.certain_person, found.candidates) == (ann if certain else None, (ann,))


def test_name_when_many_are_called_alike_then_the_likeliest_five_and_of_a_bare_word_three():
    alike = [KnownPerson(n, f"Robert {one}. Hale") for n, one in enumerate("ABCEFG")]
    assert [one.name[7] for one in NameDirectory(alike).find("Robert Hale").candidates] == [*"ABCEF"]
    assert len(NameDirectory(alike[:3]).find("Hale").candidates) == 3
    assert NameDirectory(alike[:4]).find("Hale").candidates == ()
    same = [KnownPerson(n, "Robert Hale") for n in range(6)]
    assert [one.key for one in NameDirectory(same).find("Robert Hale").candidates] == [0, 1, 2, 3, 4]
