"""The API tells what the pages tell, and a 304 while nothing changed."""

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Player
from tests.support.problems import problem_of
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


def refused(response):
    """The sentence at each parameter of a refusal."""
    assert response.status_code == 422
    return {fault["field"]: fault["detail"] for fault in problem_of(response)["faults"]}


def test_lists_name_system_and_parameters(book):
    rows = get("lists", club=book.club.public_id).json()["results"]
    assert [row["id"] for row in rows] == [book.list.public_id]
    assert rows[0]["parameters"] == {"experience": "before"}
    assert get("list", book.list.public_id).json() == rows[0]


def test_leaderboard_holds_exact_ratings(book):
    answer = get("leaderboard", book.list.public_id).json()
    assert answer["count"] == 3
    assert {row["name"]: row["rating"] for row in answer["results"]} == book.all_ratings()
    assert [row["rank"] for row in answer["results"]] == [1, 2, 3]


def test_player_history_and_change_agree(book):
    ann = book.player("Ann").public_id
    standing = get("player", book.list.public_id, ann).json()
    history = get("history", book.list.public_id, ann).json()["results"]
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
    bad = get("what-if", book.list.public_id, first=ann, length=0, weight="much", field=1)
    assert refused(bad) == {
        "second": "The parameter second is missing.",
        "length": "Enter a whole number from 1 to 99.",
        "weight": "Enter a number from 0 to 10 with at most two decimal places.",
        "field": "Enter a whole number from 2 to 10000.",
    }
    strange = get("what-if", book.list.public_id, first=ann, second="x", length=7)
    assert refused(strange) == {"second": "Player not found."}


NONSENSE = [
    ({"club": "nope"}, "Club not found."),
    ({"since": "garbage"}, "Enter a date in the format 2026-12-31."),
    ({"experience": -1}, "Enter a whole number of at least 0."),
    ({"order": "age"}, "Enter one of these values: rating, name, experience, matches, wins, last."),
    ({"ranked": "perhaps"}, "Enter true or false."),
    ({"q": "x" * 81}, "Enter one line of text with at most 80 characters."),
    ({"q": "a\0b"}, "Enter one line of text with at most 80 characters."),
    ({"page": "x"}, "Enter a whole number of at least 1."),
    ({"page": 0}, "Enter a whole number of at least 1."),
    ({"page_size": 201}, "Enter a whole number from 1 to 200."),
    ({"order": ["name", "wins"]}, "Specify this parameter only once."),
]


def test_leaderboard_refuses_a_filter_that_makes_no_sense(book):
    for asked, sentence in NONSENSE:
        assert refused(get("leaderboard", book.list.public_id, **asked)) == {next(iter(asked)): sentence}


def test_filters_are_refused_all_at_once_and_what_is_not_known_too(book):
    bad = get("leaderboard", book.list.public_id, clubs="x", since="x")
    assert refused(bad) == {
        "clubs": "“clubs” is not a valid parameter. Valid parameters: page, page_size, q, club, since, experience, order, ranked.",
        "since": "Enter a date in the format 2026-12-31.",
    }
    assert bad.json()["code"] == "filter.unknown"
    assert get("lists", club="nope").status_code == 422


def test_leaderboard_filters_as_asked_and_an_empty_filter_is_none(book):
    def names(**asked):
        return [row["name"] for row in get("leaderboard", book.list.public_id, **asked).json()["results"]]

    assert names(order="name") == ["Ann", "Bob", "Cleo"]
    assert names(order="name", q="", since="", club="") == ["Ann", "Bob", "Cleo"]
    assert names(q="ann", ranked="true") == ["Ann"]
    assert names(club=book.club.public_id) == ["Cleo", "Ann", "Bob"]
    assert names(since="2100-01-01") == []


def test_lists_come_in_pages_that_lead_to_one_another(book):
    first = get("leaderboard", book.list.public_id, page_size=2, order="name").json()
    assert (first["count"], len(first["results"]), first["previous"]) == (3, 2, None)
    second = Client().get(first["next"]).json()
    assert [row["name"] for row in second["results"]] == ["Cleo"]
    assert second["next"] is None
    assert Client().get(second["previous"]).json() == first
    beyond = get("history", book.list.public_id, book.player("Ann").public_id, page=2)
    assert (beyond.status_code, beyond.json()["code"]) == (404, "page.unknown")
    assert beyond.json()["detail"] == "Page 2 does not exist. The last page is 1."


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
