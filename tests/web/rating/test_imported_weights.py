"""Old results with weights for master points: read, refused line by line, shown before they are taken in; ledgers come home."""

import csv
import io
import random

import pytest

from faults import Invalid
from people.actors import Actor
from people.models import Membership, Player, Role, User
from rating.formulas.master import match_points, place_points
from rating.models import Fact, FactKind
from rating.services import FinalPlace, PlaceField, sync_places
from rating.services.corrections import correct_fact, void_fact
from rating.services.imports import check_results, import_results
from tests.support.director import words
from tests.support.rating import DAY_ONE, Book, a_book, a_list
from tests.web.rating.test_director import upload, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def book() -> Book:
    return a_book()


HEAD = "date,winner,loser,length,event_weight,division_rank\n"


def take(book: Book, text: str, **choices: bool):
    return import_results(
        actor=Actor.program(), club_id=book.club.pk, text=text, create_unknown=True, **choices
    )


def codes(book: Book, text: str) -> list[tuple[str, int]]:
    faults = check_results(club=book.club, text=text, create_unknown=True).faults
    return [(fault.code, fault.params["line"]) for fault in faults]


def test_weights_multiply_master_points_and_leave_other_systems_alone():
    book, plain = a_book(), a_book()
    points = a_list(book, system="master")
    take(book, HEAD + "2026-01-05,Ann,Bob,9,2.5,\n2026-01-06,Ann,Bob,9,,2\n2026-01-07,Bob,Ann,4,0.5,3\n")
    take(
        plain, "date,winner,loser,length\n2026-01-05,Ann,Bob,9\n2026-01-06,Ann,Bob,9\n2026-01-07,Bob,Ann,4\n"
    )
    for one in (book, points, plain):
        one.apply()
        one.players.update(
            {player.name: player for player in Player.objects.filter(club_links__club=one.club)}
        )
    assert points.rating("Ann") == match_points(9, 2.5) + match_points(9, 0.7)
    assert points.rating("Bob") == match_points(4, 0.25)
    assert plain.all_ratings() == book.all_ratings()


@pytest.mark.parametrize(
    "weight",
    [
        "0",
        "-1",
        "10.01",
        "1e9",
        "nan",
        "inf",
        "much",
        '"2,5"',
        '"1,000"',
        "2.5.1",
        "\N{FRACTION SLASH}",
        "%s",
    ],
)
def test_weight_that_is_none_is_a_fault_of_its_line(book, director, weight):
    text = HEAD + f"2026-01-05,Ann,Bob,7,1,1\n2026-01-06,Ann,Bob,7,{weight},1\n"
    assert codes(book, text) == [("rating.csv.weight", 3)]
    answer = director.post(url("import-results", book.club.public_id), {"file": upload(text)})
    assert answer.status_code == 422
    assert "Line 3" in words(answer)
    assert "with a decimal point as in 2.5" in words(answer)
    with pytest.raises(Invalid):
        take(book, text)
    assert not Fact.objects.exists()


def test_weight_and_division_at_their_borders_are_taken(book):
    assert codes(book, HEAD + "2026-01-05,Ann,Bob,7,10,20\n2026-01-06,Ann,Bob,7,0.01,1\n") == []


@pytest.mark.parametrize("rank", ["0", "-1", "1.5", "21", "first", "nan", "inf"])
def test_division_that_is_none_is_a_fault_of_its_line(book, rank):
    assert codes(book, HEAD + f"2026-01-06,Ann,Bob,7,1,{rank}\n") == [("rating.csv.number", 2)]


def test_decimal_comma_that_makes_a_further_cell_is_no_weight_of_two(book):
    text = "date,winner,loser,length,event_weight\n2026-01-06,Ann,Bob,7,2,5\n"
    assert codes(book, text) == [("rating.csv.cells", 2)]
    assert codes(book, "date,winner,loser,length\n2026-01-06,Ann,Bob,7,,\n") == []


def test_discipline_that_nobody_knows_is_a_fault_of_its_line(book):
    text = "date,winner,loser,length,discipline\n2026-01-06,Ann,Bob,7,{}\n"
    assert codes(book, text.format("chess")) == [("rating.csv.discipline", 2)]
    assert codes(book, text.format("Speed")) == []


def test_score_that_cannot_be_and_who_plays_against_themselves_are_faults_of_their_lines(book):
    rows = (
        "Ann,Bob,7,6,played", "Ann,Bob,7,7,played", "Ann,Bob,6,3,played", "Ann,Bob,6,3,retired", "Ann,Bob,6,7,retired",
        "Ann,Ann,7,3,played",
    )  # fmt: skip
    text = "date,length,winner,loser,winner_score,loser_score,kind\n" + "".join(
        f"2026-01-05,7,{row}\n" for row in rows
    )
    assert codes(book, text) == [
        ("rating.csv.score", 3), ("rating.csv.score", 4), ("rating.csv.score", 6), ("rating.csv.same_player", 7),
    ]  # fmt: skip


def test_cells_that_are_far_too_long_are_quoted_by_their_beginnings(book):
    columns = ["date", "length", "winner_score", "event_weight", "division_rank", "discipline", "kind"]
    text = f"winner,loser,{','.join(columns)}\nAnn,Bob{(',' + 'abcdefghij' * 5) * len(columns)}\n"
    faults = check_results(club=book.club, text=text, create_unknown=True).faults
    assert {fault.params["value"] for fault in faults} == {"abcdefghij" * 4}
    assert sorted(fault.field for fault in faults) == sorted(columns)


def test_dry_run_shows_the_weights_and_a_plain_file_none(book, director):
    for name in ("Ann", "Bob"):
        book.player(name)
    page = url("import-results", book.club.public_id)
    text = HEAD + "2026-01-05,Ann,Bob,7,2.5,1\n2026-01-06,Ann,Bob,7,2.5,1\n2026-01-06,Bob,Ann,7,,2\n"
    shown = words(director.post(page, {"file": upload(text)}))
    assert "× 2.5, division 1: 2 rows" in shown
    assert "× 1, division 2: 1 row" in shown
    plain = director.post(page, {"file": upload("date,winner,loser,length\n2026-01-05,Ann,Bob,7\n")})
    assert "Master point weights" not in words(plain)
    help_text = words(director.get(page))
    assert "event_weight" in help_text
    assert "division_rank" in help_text


def test_file_that_gets_weights_later_adds_nothing_and_names_the_rows_that_stay(book, director):
    plain = "date,winner,loser,length,event_weight\n2026-01-05,Ann,Bob,7,\n2026-01-06,Ann,Bob,7,\n"
    weighed = "date,winner,loser,length,event_weight\n2026-01-05,Ann,Bob,7,2\n2026-01-06,Ann,Bob,7,1\n"
    take(book, plain)
    page = url("import-results", book.club.public_id)
    answer = director.post(page, {"file": upload(weighed)})
    assert "Line 2 is already in the ledger with a different weight" in words(answer)
    assert "Line 3" not in words(answer)
    assert take(book, weighed).new == 0
    void_fact(actor=Actor.program(), number=Fact.objects.order_by("moment").get(played_at__day=5).pk)
    assert take(book, weighed, again=True).new == 1
    assert Fact.objects.order_by("-pk").first().event_weight == 2.0
    assert take(book, weighed, again=True).new == 0


def test_names_with_signs_that_nobody_sees_come_in(book):
    done = take(book, HEAD + "2026-01-06,Zo\N{ZERO WIDTH SPACE}e\N{RIGHT-TO-LEFT OVERRIDE},Bob,7,1,1\n")
    assert done.new == 1
    assert Fact.objects.order_by("-pk").first().winner.name.startswith("Zo")


def a_season(book: Book, chance: random.Random) -> None:
    """Results of every kind, some corrected or taken back, and the places of a field, one of them taken back."""
    names = ["Ann", "Bob", "Cleo", "=Dan", "Eve, Dr.", 'Finn "F"', "Åse"]
    facts = [
        book.beats(
            *chance.sample(names, 2),
            chance.choice([1, 3, 5, 7, 25]),
            kind=chance.choice(["played", "played", "lost_on_time", "retired"]),
            discipline=chance.choice(["standard", "standard", "standard", "speed"]),
            event_weight=chance.choice([1.0, 0.33, 2.5, 0.0]),
            division_rank=chance.choice([1, 2, 3]),
            event_name="Open, “final” day",
            winner_pr=chance.choice([None, 3.75, 9.1]),
            loser_pr=chance.choice([None, 6.0]),
            at=DAY_ONE if chance.random() < 0.3 else None,
        )
        for _ in range(40)
    ]
    for fact in chance.sample(facts, 6):
        if chance.random() < 0.5:
            book.void(fact)
        else:
            book.replace(fact, fact.loser.name, fact.winner.name)
    field = PlaceField("place:old:1", book.club.pk, 6, book.clock, event_weight=1.5, division_rank=2)
    order = chance.sample(names, 6)
    places = [(1, 1), (2, 1), (3, 2), (3, 2), (5, 2), (5, 2)]
    for names_in_order in (order, order[::-1]):
        sync_places(
            field=field,
            places=[
                FinalPlace(book.player(name).pk, place, tied)
                for name, (place, tied) in zip(names_in_order, places, strict=True)
            ],
        )


def ledger_of(client, book: Book) -> str:
    return b"".join(client.get(url("ledger-csv", book.list.public_id)).streaming_content).decode("utf-8-sig")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("system", ["fibs", "elo", "galaxy_2", "master", "glicko2"])
def test_exported_ledger_gives_a_fresh_list_the_same_ratings_bit_for_bit(book, director, system, seed):
    settings = {"system": system, "shortest": 1, "disciplines": ["standard", "speed"]}
    if system == "glicko2":
        settings["parameters"] = {"period_days": 7}
    old = a_list(book, **settings)
    a_season(old, random.Random(seed))
    old.apply()
    text = ledger_of(director, old)
    fresh = a_list(a_book(), **settings)
    Player.objects.update(listed=False)  # nobody here knows them
    done = take(fresh, text)
    assert done.notes == ()
    assert take(fresh, text).new == 0  # twice is once
    fresh.apply()
    fresh.players = {player.name: player for player in Player.objects.filter(home_club=fresh.club)}
    assert fresh.all_ratings() == old.all_ratings()
    assert len(fresh.all_ratings()) == len(old.players)
    assert fresh.differences() == []
    assert Fact.objects.filter(club=fresh.club, kind=FactKind.PLACE).count() == (
        6 if system == "master" else 0
    )


def test_ledger_of_this_very_club_is_known_and_of_overlapping_parts_each_row_comes_once(book, director):
    old = a_list(book, system="master")
    a_season(old, random.Random(5))
    text = ledger_of(director, old)
    report = check_results(club=book.club, text=text)
    assert (report.new, report.faults) == (0, ())
    assert report.known == report.rows > 20
    head, *rows = text.splitlines(keepends=True)
    fresh = a_book()
    for part in (rows[:30], rows[20:], rows):
        take(fresh, head + "".join(part))
    assert Fact.objects.filter(club=fresh.club).count() == report.rows


def test_places_come_in_with_their_points_and_can_be_taken_back_but_not_turned_into_results(book, director):
    old = a_list(book, system="master")
    sync_places(
        field=PlaceField("place:old:1", book.club.pk, 8, DAY_ONE, event_weight=2.0),
        places=[FinalPlace(old.player("Ann").pk, 1)],
    )
    text = ledger_of(director, old)
    fresh = a_list(a_book(), system="master")
    Player.objects.update(listed=False)
    assert take(fresh, text).new == 1
    fresh.apply()
    fact = Fact.objects.get(club=fresh.club)
    fresh.players["Ann"] = fact.winner
    assert fresh.rating("Ann") == place_points(place=1, tied=1, field=8, weight=2.0)
    Membership.objects.create(user=User.objects.get(), club=fresh.club, role=Role.DIRECTOR)
    page = words(director.get(url("ledger", fresh.list.public_id)))
    assert "place 1 of 8" in page
    assert "Remove" in page
    assert "Correct" not in page.split("place 1 of 8")[1]
    with pytest.raises(Invalid):
        correct_fact(
            actor=Actor.program(),
            number=fact.pk,
            winner=fact.winner.public_id,
            loser=fact.winner.public_id,
            length=5,
        )
    for _twice in range(2):
        done = director.post(url("void", fresh.list.public_id, fact.pk), follow=True)
        assert "Place removed." in words(done)
    assert Fact.objects.filter(target=fact).count() == 1
    fresh.apply()
    assert fresh.standing("Ann") is None


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def text_of(rows: list[dict[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize(
    ("column", "value", "code"),
    [
        ("source_key", "", "rating.csv.empty_cell"),
        ("place", "9", "rating.csv.place"),
        ("place", "0", "rating.csv.number"),
        ("tied", "99999999999", "rating.csv.number"),
        ("field", "1", "rating.csv.number"),
        ("field", "nan", "rating.csv.number"),
        ("event_weight", "100.5", "rating.csv.weight"),
        ("played_at", "9999-12-31T23:59:59+00:00", "rating.csv.date"),
        ("played_at", "0001-01-01T00:00:00+14:00", "rating.csv.date"),
        ("kind", "chance", "rating.csv.kind"),
        ("winner", "", "rating.csv.empty_cell"),
    ],
)
def test_ledger_that_somebody_has_changed_is_refused_line_by_line(book, director, column, value, code):
    old = a_list(book, system="master")
    sync_places(
        field=PlaceField("place:old:1", book.club.pk, 8, DAY_ONE),
        places=[FinalPlace(old.player("Zoe").pk, 1)],
    )
    (row,) = [row for row in rows_of(ledger_of(director, old)) if row["kind"] == "place"]
    fresh = a_book()
    Player.objects.update(listed=False)
    found = codes(fresh, text_of([{**row, column: value}]))
    assert (code, 2) in found


def test_ledger_of_a_federation_comes_in_but_for_the_rows_of_private_players_who_are_named(book, director):
    member = a_book(parent=book.club)
    member.beats("Ann", "Bob", 7)
    member.beats("Cleo", "Ann", 5)
    member.beats("Dan", "Cleo", 5)
    twin = member.player("C. Lee")
    member.beats("C. Lee", "Eva", 3)
    Player.objects.filter(pk=twin.pk).update(merged_into=member.player("Cleo"))
    Player.objects.filter(name__in=["Cleo", "Dan", "C. Lee"]).update(listed=False)
    text = ledger_of(director, book)
    assert not {"Cleo", "Dan"} & set(text.replace("\n", ",").split(","))
    fresh = a_book()
    report = check_results(club=fresh.club, text=text, create_unknown=True)
    assert [(note.code, report.new) for note in report.notes] == [("rating.csv.hidden", 1)] * 3
    assert report.faults == ()
    assert {*report.players} <= {"Ann", "Bob"}


def test_two_people_of_one_name_in_a_ledger_are_not_made_one(book, director):
    other = Book(book.club, book.list)
    book.beats("Ann", "Bob", 7)
    other.beats("Ann", "Bob", 5)
    text = ledger_of(director, book)
    fresh = a_book()
    Player.objects.update(listed=False)
    take(fresh, text)
    made = Fact.objects.filter(club=fresh.club).values_list("winner__name", "loser__name", "winner_id")
    assert [pair[:2] for pair in made] == [("Ann", "Bob")] * 2
    assert len({pair[2] for pair in made}) == 2
    assert {code for code, _line in codes(fresh, text)} == {"rating.csv.player_ambiguous"}


def test_opening_ratings_of_a_ledger_are_named_and_left_to_their_own_page(book, director):
    book.player("Ann")
    director.post(
        url("import-openings", book.list.public_id),
        {"text": "player,rating\nAnn,1700\n", "as_of": "2026-02-01", "take": "1"},
    )
    book.beats("Ann", "Bob", 7)
    fresh, text = a_book(), ledger_of(director, book)
    report = check_results(club=fresh.club, text=text, create_unknown=True)
    assert [note.code for note in report.notes] == ["rating.csv.opening_here"]
    assert (report.new, report.openings, report.faults) == (1, 0, ())
    with_list = check_results(club=fresh.club, text=text, create_unknown=True, openings_to=fresh.list)
    assert (with_list.new, with_list.openings, with_list.notes) == (2, 1, ())
