"""What leaves as a file is whole and exact: ratings with their deviation, histories, every column of a fact."""

import csv
import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import translation

from people.models import Membership, Role
from rating.models import Fact
from tests.factories import a_user
from tests.support.director import signed_in
from tests.support.rating import a_book, a_list

pytestmark = pytest.mark.django_db


def rows_of(answer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))


@pytest.fixture
def book():
    book = a_list(a_book(), system="glicko2", parameters={"period_days": 7})
    book.beats("Ann", "Bob", 7, event_weight=2.0, division_rank=2)
    book.apply()
    return book


def test_deviation_goes_out_with_the_rating(book, director):
    for row in rows_of(director.get(reverse("rating:csv", args=[book.list.public_id]))):
        standing = book.standing(row["player"])
        assert (float(row["rating"]), float(row["deviation"])) == (standing.rating, standing.deviation)
    players = director.get(reverse("rating:json", args=[book.list.public_id])).json()["players"]
    assert {player["deviation"] for player in players} == {book.standing("Ann").deviation}


def test_ratings_file_is_unchanged_until_a_rating_changes(book, director):
    url = reverse("rating:csv", args=[book.list.public_id])
    first = director.get(url)
    assert len(rows_of(first)) == 2
    same = {"if-none-match": first["ETag"]}
    assert director.get(url, headers=same).status_code == 304
    assert director.get(f"{url}?search=ann", headers=same).status_code == 200
    book.beats("Bob", "Ann", 7)
    book.apply()
    assert director.get(url, headers=same).status_code == 200


def test_deviation_stands_on_pages_of_lists_that_have_one(book, director):
    shown = f"{book.standing('Ann').deviation:.2f}"
    ann = book.player("Ann").public_id
    assert shown in director.get(reverse("rating:list", args=[book.list.public_id])).content.decode()
    assert shown in director.get(reverse("rating:player", args=[book.list.public_id, ann])).content.decode()


def test_history_is_exact_in_every_language(book, director):
    url = reverse("rating:history-csv", args=[book.list.public_id, book.player("Ann").public_id])
    with translation.override("de"):
        (row,) = rows_of(director.get(url, headers={"accept-language": "de"}))
    (change,) = book.history("Ann")
    assert float(row["change"]) == change.after - change.before
    assert float(row["rating_after"]) == change.after


def test_ledger_file_holds_weights_places_openings_and_what_was_taken_back(book, director):
    fact = Fact.objects.get()
    void = book.void(fact, reason="never played")
    answer = director.get(reverse("rating_director:ledger-csv", args=[book.list.public_id]))
    rows = {int(row["ledger_number"]): row for row in rows_of(answer)}
    assert (rows[fact.pk]["event_weight"], rows[fact.pk]["division_rank"]) == ("2.0", "2")
    assert rows[fact.pk]["taken_back"] == "yes"
    facts = json.loads(
        director.get(reverse("rating_director:ledger-json", args=[book.list.public_id])).getvalue()
    )["facts"]
    assert [one["ledger_number"] for one in facts] == sorted(rows)
    assert void.target_id == fact.pk


def test_utf_16_of_a_spreadsheet_is_read(book, director):
    text = "date\twinner\tloser\tlength\n2026-01-05\tAnn\tBob\t7\n"
    page = reverse("rating_director:import-results", args=[book.club.public_id])
    for encoding in ("utf-16", "utf-8-sig", "cp1252"):
        file = SimpleUploadedFile("old.txt", text.encode(encoding))
        assert director.post(page, {"file": file}).context["report"].new == 1
    broken = SimpleUploadedFile("old.txt", text.encode("utf-16") + b"\x00")
    assert director.post(page, {"file": broken}).status_code == 422


def test_taking_back_is_foretold_before_it_is_done(book, director):
    plain = a_book()
    Membership.objects.create(user=a_user("Dan"), club=plain.club, role=Role.DIRECTOR)
    client = signed_in(plain.club.memberships.get().user)
    fact = plain.beats("Cleo", "Dan", 7, key="csv:1")
    plain.apply()
    url = reverse("rating_director:correct", args=[plain.list.public_id, fact.pk])
    page = client.post(url, {"without": "1"})
    assert page.status_code == 200
    assert "Effect of removing this result" in page.content.decode()
    assert page.content.decode().count("leaves the list") == 2
    assert plain.standing("Cleo") is not None
