"""A page is a 304 until something on it changed, and never after."""

import gzip

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Player
from people.services.clubs import update_club
from people.services.players import update_player
from rating.models import RatingList
from rating.services import update_list_ratings
from tests.factories import a_director, an_event
from tests.support.tournaments import first_match, opened, signed_in
from tournaments.events.services.events import EventDetails, update_event
from tournaments.models import Match

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


class Visitor:
    """Somebody who keeps a page and asks whether it is still right."""

    def __init__(self, name, *args, client=None, query="", **headers):
        self.client = client or Client(headers=headers)
        self.url = reverse(name, args=args) + query
        self.etag = self.client.get(self.url)["ETag"]

    def sees_news(self) -> bool:
        response = self.client.get(self.url, headers={"If-None-Match": self.etag})
        assert response.status_code in {200, 304}
        self.etag = response["ETag"]
        return response.status_code == 200


@pytest.fixture
def tournament():
    return an_event(entries=4).publish()


EVENT_PAGES = ["public:event", "public:bracket", "public:entries", "api:event", "api:bracket", "api:matches"]


@pytest.mark.parametrize("name", EVENT_PAGES)
def test_event_pages_when_a_result_comes_then_they_are_new_once(tournament, name):
    visitor = Visitor(name, tournament.event.public_id)
    assert not visitor.sees_news()
    tournament.settle(first_match(tournament), "a")
    assert visitor.sees_news()
    assert not visitor.sees_news()


@pytest.mark.parametrize("name", EVENT_PAGES)
def test_event_pages_when_another_event_changes_then_they_stay(tournament, name):
    other = an_event(entries=2, club=tournament.club, name="Other").publish()
    visitor = Visitor(name, tournament.event.public_id)
    other.play_out()
    assert not visitor.sees_news()


def test_event_page_when_a_player_is_no_longer_public_then_it_is_new(tournament):
    visitor = Visitor("public:event", tournament.event.public_id)
    ann = Player.objects.get(name="Ann")
    update_player(
        actor=tournament.actor, club_id=tournament.club.pk, player_id=ann.pk, name="Ann", listed=False
    )
    assert visitor.sees_news()


def test_event_page_when_the_club_is_renamed_then_it_is_new(tournament):
    visitor = Visitor("public:event", tournament.event.public_id)
    update_club(actor=tournament.actor, club_id=tournament.club.pk, name="New Name")
    assert visitor.sees_news()


def test_pages_when_the_language_changes_then_they_are_new(tournament):
    url = reverse("public:event", args=[tournament.event.public_id])
    english = Client(headers={"Accept-Language": "en"}).get(url)
    german = Client(headers={"Accept-Language": "de"})
    assert german.get(url, headers={"If-None-Match": english["ETag"]}).status_code == 200
    assert german.get(url)["ETag"] != english["ETag"]
    assert "Accept-Language" in english["Vary"]


def test_pages_when_the_viewer_is_another_one_then_they_are_the_same(tournament):
    """Nothing of the visitor is in them: no name, no token of a form."""
    url = reverse("public:event", args=[tournament.event.public_id])
    strangers, directors = Client().get(url), signed_in(tournament.director).get(url)
    assert (directors["ETag"], directors.content) == (strangers["ETag"], strangers.content)
    assert "public" in directors["Cache-Control"]
    assert tournament.director.name not in directors.content.decode()
    assert b'name="csrfmiddlewaretoken" value' not in directors.content
    assert "csrftoken" not in directors.cookies


def test_page_of_a_draft_is_of_its_directors_alone():
    draft = an_event(entries=2)
    url = reverse("public:event", args=[draft.event.public_id])
    page = signed_in(draft.director).get(url)
    other = signed_in(a_director(draft.club, "Dirk")).get(url)
    assert "private" in page["Cache-Control"]
    assert page["ETag"] != other["ETag"]


def test_pages_when_the_release_changes_then_they_are_new(tournament, settings):
    visitor = Visitor("public:event", tournament.event.public_id)
    settings.RELEASE = "another"
    assert visitor.sees_news()


def test_match_page_when_the_rating_task_is_done_then_it_is_new():
    tournament = an_event(entries=2, lengths=[7]).publish()
    tournament.settle(first_match(tournament), "a", 4)
    visitor = Visitor("public:match", Match.objects.get().public_id)
    assert not visitor.sees_news()
    update_list_ratings(RatingList.objects.get().pk)
    assert visitor.sees_news()
    assert not visitor.sees_news()


def test_player_page_when_the_rating_task_is_done_then_it_is_new():
    tournament = an_event(entries=2, lengths=[7]).publish()
    tournament.settle(first_match(tournament), "a", 4)
    visitor = Visitor("public:player", Player.objects.get(name="Ann").public_id)
    update_list_ratings(RatingList.objects.get().pk)
    assert visitor.sees_news()


@pytest.mark.parametrize("name", ["public:home", "api:events"])
def test_lists_when_an_event_opens_then_they_are_new_and_a_draft_changes_nothing(tournament, name):
    visitor = Visitor(name)
    draft = an_event(entries=2, club=tournament.club, name="Draft")
    if name == "api:events":
        assert not visitor.sees_news()
    opened(draft)
    assert visitor.sees_news()
    assert not visitor.sees_news()


def test_lists_when_one_event_leaves_as_another_comes_then_they_are_new():
    shown, hidden = opened(an_event(name="Shown")), opened(an_event(name="Hidden", visibility="unlisted"))
    visitor = Visitor("api:events")

    def set_visibility(tournament, visibility):
        event = tournament.fresh()
        details = EventDetails(
            name=event.name, starts_on=event.starts_on, ends_on=event.ends_on, visibility=visibility
        )
        update_event(actor=tournament.actor, event_id=event.pk, details=details)

    set_visibility(shown, "unlisted")
    set_visibility(hidden, "public")
    assert visitor.sees_news()


def test_club_page_when_a_player_comes_then_it_is_new(tournament):
    visitor = Visitor("public:club", tournament.club.public_id)
    assert not visitor.sees_news()
    an_event(entries=6, club=tournament.club, name="Draft")
    assert visitor.sees_news()


def test_club_page_when_a_match_is_rated_then_it_stays_for_it_shows_no_rating():
    tournament = an_event(entries=2, lengths=[7]).publish()
    tournament.settle(first_match(tournament), "a", 4)
    visitor = Visitor("public:club", tournament.club.public_id)
    update_list_ratings(RatingList.objects.get().pk)
    assert not visitor.sees_news()
    update_club(actor=tournament.actor, club_id=tournament.club.pk, name="New Name")
    assert visitor.sees_news()


def test_page_with_a_message_waiting_is_never_a_304(tournament):
    client = signed_in(tournament.director)
    visitor = Visitor("public:event", tournament.event.public_id, client=client)
    client.post(reverse("account_logout"))
    response = client.get(visitor.url, headers={"If-None-Match": visitor.etag})
    assert response.status_code == 200
    assert "ETag" not in response
    assert "private" in response["Cache-Control"]


def test_event_page_tells_its_own_etag_to_the_script_that_asks_again(tournament):
    response = Client().get(reverse("public:event", args=[tournament.event.public_id]))
    assert f'data-live-etag="{response["ETag"].replace(chr(34), "&quot;")}"' in response.content.decode()


def test_page_is_sent_compressed_and_is_still_a_304_afterwards(tournament):
    url = reverse("public:bracket", args=[tournament.event.public_id])
    wireless = Client(headers={"Accept-Encoding": "gzip"})
    plain, sent = Client().get(url), wireless.get(url)
    assert (plain.headers.get("Content-Encoding"), sent["Content-Encoding"]) == (None, "gzip")
    assert len(sent.content) < len(plain.content) / 2
    assert gzip.decompress(sent.content) == plain.content
    assert (sent["ETag"], "Accept-Encoding" in sent["Vary"]) == (plain["ETag"], True)
    assert wireless.get(url, headers={"If-None-Match": sent["ETag"]}).status_code == 304
