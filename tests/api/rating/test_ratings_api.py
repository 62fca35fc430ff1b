"""The API tells what the pages tell, and a 304 while nothing changed."""

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Player
from tests.support.rating import a_book

pytestmark = pytest.mark.django_db


@pytest.fixture
def book():
    book = a_book()
    book.beats("Ann", "Bob", 7)
    book.beats("Cleo", "Ann", 5)
    book.apply()
    return book


def get(name, *args, **query):
    return Client().get(reverse(f"rating_api:{name}", args=args), query)


def test_lists_name_system_and_parameters(book):
    rows = get("lists", club=book.club.public_id).json()
    assert [row["id"] for row in rows] == [book.list.public_id]
    assert rows[0]["parameters"] == {"experience": "before"}
    assert get("list", book.list.public_id).json() == rows[0]


def test_leaderboard_holds_exact_ratings(book):
    answer = get("leaderboard", book.list.public_id).json()
    assert answer["count"] == 3
    assert {row["name"]: row["rating"] for row in answer["players"]} == book.all_ratings()
    assert [row["rank"] for row in answer["players"]] == [1, 2, 3]


def test_player_history_and_change_agree(book):
    ann = book.player("Ann").public_id
    standing = get("player", book.list.public_id, ann).json()
    history = get("history", book.list.public_id, ann).json()
    assert standing["rating"] == history[0]["rating_after"] == book.rating("Ann")
    change = get("change", book.list.public_id, history[0]["ledger_number"]).json()
    assert change["loser"]["after"] == standing["rating"]
    assert change["expected"] is not None
    assert change["steps"]


def test_what_if_tells_both_outcomes(book):
    ann, bob = (book.player(name).public_id for name in ("Ann", "Bob"))
    answer = get("what-if", book.list.public_id, first=ann, second=bob, length=7).json()
    assert answer["first_wins"]["first"] > 0 > answer["first_wins"]["second"]
    assert answer["second_wins"]["second"] > 0 > answer["second_wins"]["first"]


def test_what_if_refuses_a_question_that_makes_no_sense(book):
    ann = book.player("Ann").public_id
    assert get("what-if", book.list.public_id, first=ann, second=ann, length=7).status_code == 422
    assert get("what-if", book.list.public_id, first=ann, second=ann, length=0).status_code == 400
    assert get("what-if", book.list.public_id, first=ann, second="x", length=7).status_code == 404


def test_unchanged_is_a_304(book):
    client = Client()
    url = reverse("rating_api:leaderboard", args=[book.list.public_id])
    etag = client.get(url)["ETag"]
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 304
    book.beats("Ann", "Bob")
    book.apply()
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 200


def test_what_is_not_public_is_404(book):
    Player.objects.filter(pk=book.player("Bob").pk).update(listed=False)
    bob = book.player("Bob").public_id
    assert get("player", book.list.public_id, bob).status_code == 404
    assert get("list", "nothing").status_code == 404
    assert "Bob" not in get("leaderboard", book.list.public_id).content.decode()


def test_nothing_is_written_here(book):
    assert Client().post(reverse("rating_api:list", args=[book.list.public_id])).status_code in {403, 405}
