"""Public rating pages: what they show, what they hide, and that they cost a 304 while nothing changes."""

import csv
import io
import json
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Player
from people.services.versions import raise_versions
from people.versions import NAMES
from rating.models import RatingList
from rating.selectors import club_lists
from tests.factories import a_club, a_user, an_event
from tests.support.director import words
from tests.support.rating import Book, a_book, a_list, visit

pytestmark = pytest.mark.django_db


def test_list_shows_ranks_ratings_and_the_provisional_mark(book):
    page = visit("list", book).content.decode()
    assert page.index("Ann") < page.index("Cleo")
    assert "provisional" in page
    assert f"{book.rating('Ann'):.2f}" in page


def test_list_when_nothing_changed_then_304_and_after_a_result_200(book):
    client = Client()
    url = reverse("rating:list", args=[book.list.public_id])
    etag = client.get(url)["ETag"]
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 304
    book.beats("Cleo", "Ann", 5)
    book.apply()
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 200


def test_list_when_a_player_is_renamed_then_the_page_is_new(book):
    client = Client()
    url = reverse("rating:list", args=[book.list.public_id])
    etag = client.get(url)["ETag"]
    ann = book.player("Ann")
    Player.objects.filter(pk=ann.pk).update(name="Anna")
    raise_versions([NAMES])
    answer = client.get(url, headers={"If-None-Match": etag})
    assert answer.status_code == 200
    assert "Anna" in answer.content.decode()


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"q": "cleo"}, ["Cleo"]),
        ({"order": "name"}, ["Ann", "Bob", "Cleo"]),
        ({"order": "last"}, ["Ann", "Bob", "Cleo"]),
        ({"experience": "16"}, ["Ann", "Bob"]),
        ({"since": "2026-03-02"}, []),
        ({"since": "no date", "experience": "x", "order": "y", "page": "z"}, ["Ann", "Bob", "Cleo"]),
    ],
)
def test_filters(book, query, names):
    found = json.loads(visit("json", book, **query).content)["players"]
    assert sorted(row["name"] for row in found) == names
    page = visit("list", book, **query)
    assert page.status_code == 200
    assert all(name in page.content.decode() for name in names)


def test_filter_by_club_keeps_the_ranks_of_the_whole_list(book):
    federation = a_list(book)
    other = a_book()
    stranger = Player.objects.get(pk=book.player("Ann").pk)
    stranger.home_club = other.club
    stranger.save()
    federation.apply()
    rows = json.loads(visit("json", federation, club=book.club.public_id).content)["players"]
    assert "Ann" not in [row["name"] for row in rows]
    assert min(row["rank"] for row in rows) >= 1


def test_csv_holds_all_rows_and_exact_ratings(book):
    text = b"".join(visit("csv", book).streaming_content).decode("utf-8-sig")
    rows = {row["player"]: row for row in csv.DictReader(io.StringIO(text))}
    assert float(rows["Ann"]["rating"]) == book.rating("Ann")
    assert rows["Cleo"]["matches"] == "1"


def test_csv_when_a_name_looks_like_a_formula_then_it_is_set_off():
    book = a_book()
    book.beats("=HYPERLINK()", "Bob", 7)
    book.apply()
    text = b"".join(visit("csv", book).streaming_content).decode("utf-8-sig")
    assert "'=HYPERLINK()" in text


def test_unlisted_player_is_on_no_public_page(book):
    Player.objects.filter(pk=book.player("Bob").pk).update(listed=False)
    bob = book.player("Bob").public_id
    assert "Bob" not in visit("list", book).content.decode()
    assert "Bob" not in visit("player", book, book.player("Ann").public_id).content.decode()
    fact = book.history("Ann")[0].fact_id
    assert "Bob" not in visit("why", book, fact).content.decode()
    for name, args in (("player", [bob]), ("chart", [bob]), ("history-csv", [bob])):
        assert visit(name, book, *args).status_code == 404
    assert visit("find-players", book, q="bob").json() == {"results": []}
    assert "Bob" not in visit("what-if", book, a=bob, b=book.player("Ann").public_id).content.decode()


def test_player_page_shows_form_lengths_rivals_and_history(book):
    page = visit("player", book, book.player("Ann").public_id).content.decode()
    for part in ("By match length", "Head to head", "Best wins", "Form", "Rated matches", "in a row"):
        assert part in page
    assert page.count("Why?") == 3


def test_page_of_a_merged_player_is_the_page_of_who_they_became(book):
    Player.objects.filter(pk=book.player("Cleo").pk).update(merged_into=book.player("Ann"))
    page = visit("player", book, book.player("Cleo").public_id)
    assert "<h1>Ann</h1>" in page.content.decode()


def test_chart_is_a_picture_without_scripts(book):
    answer = visit("chart", book, book.player("Ann").public_id, v="1")
    assert answer["Content-Type"] == "image/svg+xml"
    assert "script-src" not in answer["Content-Security-Policy"]
    root = ET.fromstring(b"".join([answer.content]))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not [node for node in root.iter() if node.tag.endswith("script")]
    assert not [node for node in root.iter() if "style" in node.attrib]


def test_why_page_shows_every_number_of_the_change(book):
    fact = book.history("Ann")[0].fact_id
    page = visit("why", book, fact).content.decode()
    for number in (
        "1500.00",
        "+26.458",
        "1526.46",
        "50.0",
        "= 4 · 5.00 · 2.645751 · 0.50",
        "1500.00 + 26.458",
    ):
        assert number in page, number


@pytest.mark.parametrize("system", ["fibs_flat", "elo", "galaxy_2", "master_2019"])
def test_why_page_when_the_system_is_another_then_it_explains_that(book, system):
    other = a_list(book, system=system)
    other.apply()
    change = other.history("Ann")[0]
    page = visit("why", other, change.fact_id).content.decode()
    assert f"{abs(change.delta):.2f}" in page
    assert visit("list", other).status_code == 200


def test_why_page_of_a_replaced_result_leads_to_the_one_in_its_place(book):
    fact = book.beats("Ann", "Bob", 7)
    later = book.replace(fact, "Bob", "Ann")
    book.apply()
    page = visit("why", book, fact.pk).content.decode()
    assert "removed later" in page
    assert reverse("rating:why", args=[book.list.public_id, later.pk]) in page


def test_why_page_of_a_result_that_waits_says_so_and_of_one_that_does_not_count_that(book):
    waiting = book.beats("Cleo", "Bob", 7)
    point = book.beats("Cleo", "Bob", 1)  # a match to one point does not count here
    assert "is being rated" in visit("why", book, waiting.pk).content.decode()
    book.apply()
    assert "Step by step" in visit("why", book, waiting.pk).content.decode()
    page = visit("why", book, point.pk).content.decode()
    assert "is being rated" not in page
    assert "It does not count here" in page


def test_what_if_shows_the_change_at_stake(book):
    ann, cleo = book.player("Ann"), book.player("Cleo")
    page = visit("what-if", book, a=ann.public_id, b=cleo.public_id, length="7").content.decode()
    book.beats("Ann", "Cleo", 7)
    before = book.rating("Ann")
    book.apply()
    assert f"+{book.rating('Ann') - before:.2f}" in page


def test_what_if_without_scripts_takes_names(book):
    page = visit("what-if", book, first="ann", second="cleo", length="5").content.decode()
    assert "If Ann wins" in page


@pytest.mark.parametrize(
    "query",
    [{}, {"a": "x", "b": "y", "length": "z"}, {"first": "ann", "second": "Ann"}, {"length": "1000"}],
)
def test_what_if_never_fails(book, query):
    assert visit("what-if", book, **query).status_code == 200


def test_head_to_head_counts_both_ways(book):
    page = visit("versus", book, book.player("Ann").public_id, book.player("Bob").public_id)
    assert "1–1" in page.content.decode()


def test_unknown_things_are_404(book):
    assert Client().get(reverse("rating:list", args=["nothing"])).status_code == 404
    assert visit("why", book, 987654).status_code == 404
    assert visit("player", book, "nobody").status_code == 404
    RatingList.objects.filter(pk=book.list.pk).update(archived=True)
    assert visit("list", book).status_code == 404


def test_why_page_of_another_clubs_result_is_404(book):
    other = a_book()
    fact = other.beats("Dan", "Eva")
    assert visit("why", book, fact.pk).status_code == 404


def test_empty_list_says_so():
    assert "No rated matches yet" in visit("list", a_book()).content.decode()


def test_list_takes_no_post(book):
    assert Client().post(reverse("rating:list", args=[book.list.public_id])).status_code == 405


def test_player_who_is_not_on_the_list_has_no_numbers_of_another_one_there(book):
    other = a_list(book, shortest=9)
    other.apply()
    cleo = book.player("Cleo").public_id
    page = words(visit("player", other, cleo))
    assert "No rated matches yet" in page
    assert "Head to head" not in page
    assert f"{book.rating('Cleo'):.2f}" in page  # of the tab that leads to the list where she stands
    assert (
        reverse("rating:player", args=[book.list.public_id, cleo])
        in visit("player", other, cleo).content.decode()
    )


def test_files_begin_a_day_where_the_page_begins_it():
    owner = a_user("Olga Owner")
    tournament = an_event(
        2, club=a_club(owner), director=owner, timezone="Pacific/Auckland", lengths=[5]
    ).publish()
    tournament.says(
        tournament.match("Ann", "Bob"), None, 5, 2, played_at=datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    )
    (found,) = club_lists(tournament.club.pk)
    book = Book(tournament.club, found)
    book.apply()
    for since, shown in (("2026-03-02", True), ("2026-03-03", False)):
        page = visit("list", book, since=since).content.decode()
        told = visit("json", book, since=since).content.decode()
        text = b"".join(visit("csv", book, since=since).streaming_content).decode()
        api = Client().get(reverse("rating_api:leaderboard", args=[found.public_id]), {"since": since})
        for answer in (page, told, text, api.content.decode()):
            assert ("Ann" in answer) is shown
