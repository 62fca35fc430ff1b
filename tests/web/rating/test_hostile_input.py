"""Nonsense in every field of every form and every question of ratings: refused or left aside, never a server error."""

from datetime import UTC, datetime
from itertools import product

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Membership, Role, User
from rating.models import Fact
from tests.factories import a_user
from tests.support.lanes import in_full
from tests.support.rating import Book, a_book, a_list, visit

pytestmark = pytest.mark.django_db

NONSENSE = ["\0", "9" * 40, "9999-12-31"]
MORE = [*NONSENSE, "-1", "0001-01-01", "1e999", "nan", "\N{RIGHT-TO-LEFT OVERRIDE}x", "'><b>", "%s%(x)s"]
FINE = {200, 302, 304, 400, 404, 409, 422}


@pytest.fixture
def book() -> Book:
    book = a_book()
    book.beats("Ann", "Bob", 7, key="csv:old")
    book.apply()
    return book


@pytest.fixture
def director(book):
    user = a_user("Dora")
    Membership.objects.create(user=user, club=book.club, role=Role.DIRECTOR)
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def forms(book: Book) -> dict[str, dict[str, object]]:
    """Where a form is sent to, and what a sound one holds."""
    a_list(book, system="glicko2")
    fact = Fact.objects.get(source_key="csv:old")
    shape = {"name": "X", "system": "glicko2", "shortest": 2, "longest": 99, "disciplines": ["standard"]}
    more = {"minimum_matches": 1, "provisional_below": 1, "start": "", "counts_from": "", "counts_until": ""}
    glicko = {f"glicko2.{name}": "" for name in ("tau", "deviation", "volatility", "period_days")}
    elo = {f"elo.{name}": "" for name in ("divisor", "exponent", "schedule", "shape", "experience")}
    settings = {**shape, **more, **glicko, **elo, "events": [], "find_event": "", "seen": ""}
    club, found = book.club.public_id, book.list.public_id
    table = {"text": "player,rating\nAnn,1600\n", "create_unknown": "", "again": ""}

    def where(name: str, *args: object) -> str:
        return reverse(f"rating_director:{name}", args=args)

    return {
        where("new", club): settings,
        where("settings", found): settings,
        where("import-openings", found): {**table, "as_of": "2026-01-01"},
        where("import-results", club): {**table, "text": "date,winner,loser,length\n2026-01-01,Ann,Bob,5\n"},
        where("correct", found, fact.pk): {
            "winner": fact.loser.public_id,
            "length": 5,
            "kind": "played",
            "reason": "",
            "winner_score": 5,
            "loser_score": 1,
        },
        where("void", found, fact.pk): {"reason": ""},
    }


BUTTONS = {"settings": {}, "new": {"find": "1"}, "openings": {"take": "1"}, "results": {"take": "1"}}


def test_nonsense_in_a_form_is_never_a_server_error(book, director):
    """Each field gets one kind of nonsense, its neighbour the next; all kinds in `.ci/long`."""
    for page, sound in forms(book).items():
        button = BUTTONS.get(page.rstrip("/").rsplit("/", 1)[-1], {"apply": "1"})
        turns = ((name, NONSENSE[number % len(NONSENSE)]) for number, name in enumerate(sound))
        for name, bad in product(sound, NONSENSE) if in_full() else turns:
            answer = director.post(page, {**sound, name: bad, **button})
            assert answer.status_code in FINE, (page, name, bad, answer.status_code)
    book.apply()
    assert book.differences() == []


def test_nonsense_in_a_question_is_never_a_server_error(book):
    visitor = Client(raise_request_exception=False)
    found, ann = book.list.public_id, book.player("Ann").public_id
    fields = "q club since experience order ranked page a b first second length narrow v".split()
    where = [
        reverse("rating:list", args=[found]),
        reverse("rating:csv", args=[found]),
        reverse("rating:json", args=[found]),
        reverse("rating:player", args=[found, ann]),
        reverse("rating:opponents", args=[found, ann]),
        reverse("rating:chart", args=[found, ann]),
        reverse("rating:what-if", args=[found]),
        reverse("rating:find-players", args=[found]),
        "/api/v1/ratings/",
        f"/api/v1/ratings/{found}/players/",
        f"/api/v1/ratings/{found}/what-if/",
        f"/api/v1/ratings/{found}/changes/{'9' * 30}/",
        reverse("rating:why", args=[found, int("9" * 30)]),
    ]
    for page, bad in product(where, MORE):
        answer = visitor.get(page, dict.fromkeys(fields, bad))
        if answer.streaming:
            answer.getvalue()
        assert answer.status_code in FINE, (page, bad, answer.status_code)


@pytest.mark.parametrize(("counts_from", "counts_until"), [("", "9999-12-31"), ("0001-01-01", "")])
def test_days_at_the_end_of_time_are_refused_beside_their_field(book, director, counts_from, counts_until):
    (page, sound), *_rest = [pair for pair in forms(book).items() if "settings" in pair[0]]
    answer = director.post(page, {**sound, "counts_from": counts_from, "counts_until": counts_until})
    assert answer.status_code == 422
    assert "between 1900 and 2199" in answer.content.decode()


@pytest.mark.parametrize(
    "schedule", ["0:20, inf:4", "0:20, 1e400:4", "0:20, 1e7:4", "0:inf", "0:nan", "nan:3"]
)
def test_schedule_without_an_end_is_refused_beside_its_field(book, director, schedule):
    (page, sound), *_rest = [pair for pair in forms(book).items() if "settings" in pair[0]]
    answer = director.post(page, {**sound, "system": "elo", "elo.schedule": schedule})
    assert answer.status_code == 422
    assert "in the form 0:20, 400:4" in answer.content.decode()


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/New_York", "Asia/Tokyo"])
@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "1883-11-18"])
def test_days_at_the_end_of_time_are_no_server_error_anywhere(book, director, zone, day):
    User.objects.update(timezone=zone)
    found = book.list.public_id
    for page in (
        *(reverse(f"rating:{name}", args=[found]) for name in ("list", "csv", "json")),
        reverse("rating_director:ledger", args=[found]),
        f"/api/v1/ratings/{found}/players/",
    ):
        answer = director.get(page, {"since": day})
        assert answer.status_code == 200, page
        if answer.streaming:
            answer.getvalue()


@pytest.mark.parametrize("system", ["fibs", "glicko2", "master"])
@pytest.mark.parametrize("computed", [True, False])
def test_list_without_anybody_is_shown_and_written_out(system, computed):
    book = a_list(a_book(), system=system)
    ann, bob = (book.player(name).public_id for name in ("Ann", "Bob"))
    if computed:
        book.apply()
    for name, *args in (
        *(["list"], ["csv"], ["json"], ["what-if"], ["find-players"], ["player", ann]),
        *(["opponents", ann], ["versus", ann, bob], ["versus", ann, ann]),
    ):
        answer = visit(name, book, *args)
        assert answer.status_code == 200, name
        if answer.streaming:
            answer.getvalue()
    assert visit("chart", book, ann).status_code == 404
    assert visit("what-if", book, a=ann, b=bob, length="5", field="8").status_code == 200
    assert visit("what-if", book, a=ann, b=ann, length="5").status_code == 200


def test_facts_at_the_end_of_time_are_drawn_and_listed(book):
    for year in (1, 1900, 2199, 9999):
        book.beats("Ann", "Bob", 7, at=datetime(year, 12, 30, tzinfo=UTC))
    book.apply()
    ann, bob = (book.player(name).public_id for name in ("Ann", "Bob"))
    for name, *args in (["list"], ["csv"], ["player", ann], ["chart", ann], ["versus", ann, bob]):
        assert visit(name, book, *args).status_code == 200
