"""A page costs the same few queries for 16 entries and for 512; an unchanged one no more than three."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.factories import an_event
from tests.support.tournaments import first_match, link_of
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.access.visibility import visible_match
from tournaments.selectors.events.detail import division_views
from tournaments.selectors.matches.detail import match_view
from tournaments.selectors.matches.player import my_event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture(params=[16, 512], scope="module")
def size(request):
    return request.param


@pytest.fixture
def tournament(size):
    cache.clear()
    return an_event(entries=size, tables=200).publish()


def test_selectors_when_the_event_is_large_then_they_ask_no_more(tournament, django_assert_max_num_queries):
    with django_assert_max_num_queries(5):
        division_views(tournament.event)
    match = visible_match(None, first_match(tournament).public_id).match
    with django_assert_max_num_queries(4):
        match_view(match)
    entry = entry_from_token(link_of(tournament, match, "a"))
    with django_assert_max_num_queries(8):
        my_event(entry)


@pytest.mark.parametrize(
    ("page", "most"),
    [
        ("public:event", 14),  # since when matches are played, the last results, when the next ones begin
        ("public:bracket", 8),
        ("public:entries", 9),
        ("api:bracket", 8),
        ("api:matches", 7),
    ],
)
def test_event_pages_when_the_event_is_large_then_they_ask_no_more(
    tournament, page, most, django_assert_max_num_queries
):
    client, url = Client(), reverse(page, args=[tournament.event.public_id])
    with django_assert_max_num_queries(most):
        first = client.get(url)
    assert first.status_code == 200
    with django_assert_max_num_queries(4 if page == "public:event" else 3):  # it shows the forecast
        again = client.get(url, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304


def test_match_page_when_it_is_live_then_an_unchanged_one_costs_two_queries(
    tournament, django_assert_max_num_queries
):
    client, url = Client(), reverse("public:match", args=[first_match(tournament).public_id])
    with django_assert_max_num_queries(9):
        first = client.get(url)
    with django_assert_max_num_queries(2):
        assert client.get(url, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_personal_page_when_the_event_is_large_then_it_asks_no_more(
    tournament, django_assert_max_num_queries
):
    client = Client()
    url = reverse("player:home", args=[link_of(tournament, first_match(tournament), "a")])
    with django_assert_max_num_queries(21):
        first = client.get(url)
    with django_assert_max_num_queries(4):  # the link, what is announced, the player, the forecast
        assert client.get(url, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_home_and_club_when_there_are_many_events_then_they_ask_no_more(django_assert_max_num_queries):
    tournament = an_event(entries=2).publish()
    for number in range(12):
        an_event(entries=2, club=tournament.club, name=f"Night {number}").publish()
    client = Client()
    for url, most, unchanged in (
        ("/", 8, 3),  # the ratings beside the events, and their list for the ETag
        (reverse("public:club", args=[tournament.club.public_id]), 14, 5),
    ):
        with django_assert_max_num_queries(most):
            first = client.get(url)
        with django_assert_max_num_queries(unchanged):
            assert client.get(url, headers={"If-None-Match": first["ETag"]}).status_code == 304
