"""Whom a name may be among many who are known."""

import random

from names.folding import folded
from names.likeness import Directory, Known


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
    directory = Directory(Known(at, name) for at, name in enumerate(names))
    known = {folded(name) for name in names}
    for name in names[::7]:
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
            if folded(twin) in known:
                continue
            certain = directory.find(twin).certain
            turned = (
                certain is not None
                and last not in given
                and sorted(folded(certain.name).split()) == sorted(folded(twin).split())
            )
            assert certain is None or turned, (twin, certain)


def test_directory_when_father_and_son_bear_one_name_then_it_is_asked_which():
    directory = Directory([Known(1, "Robert Hale Jr."), Known(2, "James Thomas"), Known(3, "Thomas Berg")])
    assert directory.find("Robert Hale").certain is None
    assert directory.find("Robert Hale Sr.").certain is None
    assert directory.find("Thomas James").certain is None
    assert [one.key for one in directory.find("Thomas James").candidates] == [2]
    assert directory.find("Berg Thomas").certain == Known(3, "Thomas Berg")
