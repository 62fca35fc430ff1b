"""A page of one division costs the same, however many others the event has; lists cost the same in their tenth year."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import an_event
from tests.support.leagues import a_league

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
PAGES = [("event", ""), ("event", "?division=2"), ("bracket", ""), ("entries", ""), ("draws", "?division=2")]


def asks(name, *args, query=""):
    """Statements of a first drawing, without the values in them."""
    cache.clear()
    with CaptureQueriesContext(connection) as made:
        answer = Client().get(reverse(name, args=args) + query)
    assert answer.status_code == 200
    return len(made)


def test_event_pages_when_there_are_more_divisions_then_they_ask_no_more():
    few, many = a_league("ab", "cd"), a_league("ab", "cd", "ef", "gh", "ij")
    few.next_rounds()
    many.next_rounds()
    for page, query in PAGES:
        counts = [asks(f"public:{page}", one.event.public_id, query=query) for one in (few, many)]
        assert counts[0] == counts[1], page


def test_front_page_and_clubs_page_when_unchanged_then_few_statements_know_it():
    tournament = an_event(entries=2).publish()
    for name, args, most in (("public:home", [], 3), ("public:club", [tournament.club.public_id], 6)):
        url = reverse(name, args=args)
        first = Client().get(url)
        with CaptureQueriesContext(connection) as made:
            again = Client().get(url, headers={"If-None-Match": first["ETag"]})
        assert again.status_code == 304
        asked = [one["sql"] for one in made if one["sql"].lstrip("(").startswith("SELECT")]
        assert len(asked) <= most
        assert not [sql for sql in asked if "tournaments_event" in sql and "SUM(" in sql]


def test_result_in_one_division_leaves_brackets_and_entries_of_the_others_as_they_are():
    league = a_league("abcd", "ef")
    league.next_rounds()
    begins, second = [one for one in league.unplayed() if one.stage.division.name == "Division 1"]
    league.settle(begins, "a")  # a stage that begins is news for all
    pages = {
        (page, number): reverse(f"public:{page}", args=[league.event.public_id]) + f"?{name}={number}"
        for page, name in (("bracket", "stage"), ("entries", "division"), ("event", "division"))
        for number in (1, 2)
    }
    tags = {key: Client().get(url)["ETag"] for key, url in pages.items()}
    league.settle(second, "a")
    news = {
        key
        for key, url in pages.items()
        if Client().get(url, headers={"If-None-Match": tags[key]}).status_code == 200
    }
    # The overview tells of the others how much they have played.
    assert news >= {("bracket", 1), ("event", 1), ("event", 2)}
    assert not news & {("bracket", 2), ("entries", 2)}
