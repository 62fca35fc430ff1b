"""Single lines and small lists, case by case: what the corpus (`tests/data/entry_lists`) does not say as plainly."""

import time

import pytest

from people.countries import countries
from tournaments.engine.lists.reader import parse_list
from tournaments.engine.lists.words import ColumnRole


def read(text, **how):
    return parse_list(text, countries(), **how)


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
    "line", ["---", "12.", "1720", "?!", "", "=====", "Total: 32", "Thanks!", "Participants?"]
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
    assert {column.role for column in guessed.columns} != {ColumnRole.LAST, ColumnRole.FIRST, ColumnRole.SKIP}

    told = read(text, roles={0: ColumnRole.LAST, 1: ColumnRole.FIRST, 2: ColumnRole.NOTE})

    assert [(one.name, one.note) for one in told.people][-2:] == [("Ann Lind", "quick"), ("Bo Ek", "slow")]


def test_table_when_a_lone_quotation_mark_stands_in_it_then_no_line_is_swallowed():
    text = "Name;Note\n" + "\n".join(
        f'Ann A{chr(97 + at)};"oops' if at == 1 else f"Ann A{chr(97 + at)};x" for at in range(20)
    )
    assert len(read(text).people) == 20


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[18:03, 12/05/2026] Ann Abell: +1", {"name": "Ann Abell", "note": "+1"}),
        (
            "12.05.26, 19:22 - Ann Abell: bin dabei, bezahlt",
            {"name": "Ann Abell", "note": "bin dabei", "paid": True},
        ),
        (
            "12.05.26, 19:31 - +49 171 3920055: Bo Ek kommt auch",
            {"name": "Bo Ek", "phone": "+49 171 3920055"},
        ),
        ("Re: Anmeldung Ann Abell (FIN)", {"name": "Ann Abell", "country": "FI", "note": "Re: Anmeldung"}),
        ("TBC: Ann Abell – FIN", {"name": "Ann Abell", "country": "FI", "note": "TBC"}),
        ("*Vegan* Ann Abell (FIN)", {"name": "Ann Abell", "note": "Vegan"}),
        ("Ann Abell https://example.org/ann", {"name": "Ann Abell", "note": "https://example.org/ann"}),
        (
            "Ann Abell FIN 1588 Turku",
            {"name": "Ann Abell", "country": "FI", "rating": 1588.0, "note": "Turku"},
        ),
        ("Abell, Ann FIN 1588", {"name": "Ann Abell", "country": "FI", "rating": 1588.0}),
        ("Ann Abell FIN Turku BG 1588", {"name": "Ann Abell", "club": "Turku BG", "rating": 1588.0}),
        ("Ann Abell 1 588", {"name": "Ann Abell", "rating": 1588.0}),
        ("山本 権兵衛（東京）支払済", {"name": "山本 権兵衛", "note": "東京", "paid": True}),
        ("۲. سهراب سپهری ۱۵۴۴", {"name": "سهراب سپهری", "rating": 1544.0}),
        ("1. ვაჟა ფშაველა (საქართველო)", {"name": "ვაჟა ფშაველა", "country": "GE"}),
        ("GM Abell Ann Maria", {"name": "Abell Ann Maria", "note": "GM"}),
        ("+45 12 34 56 78 Ann Abell", {"name": "Ann Abell", "phone": "+45 12 34 56 78"}),
        ("Ann Abell dit « Annie » (FRA)", {"name": "Ann Abell", "note": "Annie", "country": "FR"}),
        ("Ann Abell – 400 kr. betalt", {"name": "Ann Abell", "paid": True, "note": "400 kr."}),
        ("Ann Abell paid 50 EUR by bank transfer", {"name": "Ann Abell", "paid": True}),
        ("Ann Abell – cash at the door", {"name": "Ann Abell", "paid": False, "note": "cash at the door"}),
        ("Ann Abell (FIN) wpłaciłam", {"name": "Ann Abell", "paid": True, "note": ""}),
        ("SMITH A.", {"name": "A. Smith"}),
        ("JP Morgan", {"name": "JP Morgan"}),
        ("d'ESTRÉES Gabriel", {"name": "Gabriel d'Estrées"}),
        ("KARL XIV BERG", {"name": "Karl XIV Berg"}),
        (
            "Ann Abell – 1588,5 KS Turku zapłacone",
            {"name": "Ann Abell", "rating": 1588.5, "club": "KS Turku", "paid": True},
        ),
        ("Ann Abell – zaplatím na místě", {"name": "Ann Abell", "paid": False}),
        ("Ann Abell – bezahlt vor Ort", {"name": "Ann Abell", "paid": True}),
        ("1. Ann Abell, arrives Saturday 10am", {"name": "Ann Abell", "note": "arrives Saturday 10am"}),
    ],
)
def test_line_when_more_than_a_name_stands_in_it_then_each_has_its_place(line, said):
    people = read(line).people
    assert len(people) == 1
    assert {key: getattr(people[0], key) for key in said} == said


@pytest.mark.parametrize(
    "name",
    """Johnny Cash|Peter Due|Frank Masters|Bill Bar|Jan Nový|Ann New|Mary Guest|Peter Elo|Cash Warren|Ron Gel|Jane Carta|Max Confirmed|
    Ali Full|Babar Beg|Otto Kart|Jimmy Received|Niccolò Paganini|Marc Euro|Carl Fr. Gauss|Chr. Kr. Birch|Pay Pal|Tom Late|Lars Ny""".replace(
        "\n", ""
    ).split("|"),
)
def test_name_when_it_is_made_of_words_of_lists_then_nothing_of_it_is_lost(name):
    people = read(f"1. {name.strip()}\n2. {name.strip()} (SWE)").people
    assert [one.name for one in people] == [name.strip()] * 2


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Confirmed: Otto Hahn (GER), Lise M. (AUT)", ["Otto Hahn", "Lise M."]),
        ("Tycho Brahe, Sophie Brahe and Johannes Kepler", ["Tycho Brahe", "Sophie Brahe", "Johannes Kepler"]),
        ("Open: Tom Berg, Ann Lind, Bo Ek", ["Tom Berg", "Ann Lind", "Bo Ek"]),
        ("Jim Bridger, count me in for Open + side pool", ["Jim Bridger"]),
        ("3. Kaj & Britt Lundgren (SWE)", ["Kaj Lundgren", "Britt Lundgren"]),
        ("Kaj & guest", ["Kaj"]),
        ("García Lorenzo, José María", ["García Lorenzo"]),
        ("1. Ann Lind, Bad Homburg, Spielbank", ["Ann Lind"]),
    ],
)
def test_line_when_it_names_several_then_they_are_people_of_their_own(line, names):
    assert [one.name for one in read(line).people] == names


def test_table_when_nobody_knows_the_words_of_its_heads_then_what_stands_below_tells_them():
    text = "#,xname,xland,xpoints,xfee\n1,Ann Abell,Finland,1588,paid\n2,Bo Ek,Sweden,1490,unpaid\n3,Cleo Cube,Norway,1602,paid\n"
    people = read(text).people
    assert [(one.name, one.country, one.rating, one.paid, one.note) for one in people] == [
        ("Ann Abell", "FI", 1588.0, True, ""),
        ("Bo Ek", "SE", 1490.0, False, ""),
        ("Cleo Cube", "NO", 1602.0, True, ""),
    ]


def test_table_when_a_federation_numbers_its_members_then_the_numbers_are_no_ratings():
    text = "Name;USBGF #;WBGF ID;Hotel;Born\nAnn Abell;1870;1644;yes;1971\nBo Ek;2204;1702;no;1980"
    people = read(text).people
    assert [(one.rating, one.paid) for one in people] == [(None, None), (None, None)]
    assert people[0].numbers == (("USBGF", "1870"), ("WBGF", "1644"))
    assert people[0].note == "Hotel: yes, Born: 1971"
    (rated,) = read("Name;WBF rating;Member no\nAnn Abell;1650.5;12").people
    assert (rated.rating, rated.outside, rated.numbers) == (1650.5, (("WBF", 1650.5),), ())


def test_table_when_it_ends_in_a_total_then_that_is_nobody():
    assert [one.name for one in read("Name;Fee\nAnn Abell;20\nBo Ek;20\nSumma;40").people] == [
        "Ann Abell",
        "Bo Ek",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "," * 400_000,
        "a, " * 130_000,
        "(" * 400_000,
        '"' * 400_000,
        "1 " * 200_000,
        "a@" * 200_000,
        "Ann + " * 60_000,
        "[12.05.26, 18:03:11] " * 19_000,
        ("Ann Berg, " * 20 + "\n") * 2000,
        "Ann\0 Lind\n" * 2001,
        "A" + "\u0301" * 100_000,
        ("x;" * 200 + "\n") * 1000,
    ],
    ids=range(12),
)
def test_text_when_it_is_no_list_at_all_then_it_is_read_in_seconds(text):
    began = time.process_time()
    assert len(read(text[:400_000]).people) < 2100
    assert time.process_time() - began < 8
