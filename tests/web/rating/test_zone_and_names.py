"""Times on rating pages are those of the club, on pages of one's own those that one has set; names of events that became unlisted are gone."""

import csv
import io
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from rating.models import Fact
from rating.selectors import club_lists
from rating.services import update_list_ratings
from tests.factories import a_club, a_user, an_event
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return a_user("Olga Owner")


@pytest.fixture
def tournament(owner):
    """A match in Helsinki, at half past eleven in the evening there."""
    tournament = an_event(
        2, club=a_club(owner), director=owner, name="Midsummer cup", timezone="Europe/Helsinki", lengths=[5]
    )
    tournament.publish()
    at = datetime(2026, 6, 19, 20, 30, tzinfo=UTC)
    tournament.says(tournament.match("Ann", "Bob"), None, 5, 2, played_at=at)
    update_list_ratings(club_lists(tournament.club.pk)[0].pk)
    return tournament


def pages(tournament) -> dict[str, str]:
    (found,) = club_lists(tournament.club.pk)
    fact = Fact.objects.get()
    ann = fact.winner.public_id
    return {
        "why": reverse("rating:why", args=[found.public_id, fact.pk]),
        "player": reverse("rating:player", args=[found.public_id, ann]),
        "versus": reverse("rating:versus", args=[found.public_id, ann, fact.loser.public_id]),
        "history": reverse("rating:history-csv", args=[found.public_id, ann]),
        "api": f"/api/v1/ratings/{found.public_id}/players/{ann}/history/",
        "change": f"/api/v1/ratings/{found.public_id}/changes/{fact.pk}/",
        "ledger": reverse("rating_director:ledger", args=[found.public_id]),
        "ledger_csv": reverse("rating_director:ledger-csv", args=[found.public_id]),
        "ledger_json": reverse("rating_director:ledger-json", args=[found.public_id]),
        "correct": reverse("rating_director:correct", args=[found.public_id, fact.pk]),
    }


def text(answer) -> str:
    assert answer.status_code == 200
    return (answer.getvalue() if answer.streaming else answer.content).decode()


def test_times_are_those_of_the_club_for_everybody_and_of_their_own_on_pages_of_members(tournament, owner):
    where = pages(tournament)
    page = text(Client().get(where["why"]))
    assert "23:30" in page or "11:30 p.m." in page
    assert "EEST" in page
    owner.timezone = "America/New_York"
    owner.save()
    member = Client()
    member.force_login(owner)
    assert text(member.get(where["why"])) == page
    for name in ("ledger", "correct"):
        page = text(member.get(where[name]))
        assert "16:30" in page or "4:30 p.m." in page, name
        assert ("America/New_York" if name == "ledger" else "EDT") in page, name


def test_page_is_not_taken_from_the_visitors_copy_of_another_time_zone(tournament):
    where = pages(tournament)["why"]
    etag = Client().get(where)["ETag"]
    assert Client().get(where, headers={"if-none-match": etag}).status_code == 304
    Event.objects.filter(pk=tournament.event.pk).update(timezone="Asia/Tokyo")
    assert Client().get(where, headers={"if-none-match": etag}).status_code == 200


def test_time_zone_that_does_not_exist_is_no_server_error(tournament, owner):
    owner.timezone = "Mars/Olympus"
    owner.save()
    member = Client()
    member.force_login(owner)
    assert "UTC" in text(member.get(pages(tournament)["ledger"]))


def test_event_that_becomes_unlisted_leaves_no_name_on_public_pages(tournament, owner):
    where = pages(tournament)
    Event.objects.filter(pk=tournament.event.pk).update(
        visibility=Event.Visibility.UNLISTED, name="Secret supper"
    )
    visitor = Client()
    for name in ("why", "player", "versus", "history", "api", "change"):
        page = text(visitor.get(where[name]))
        assert "Midsummer" not in page, name
        assert "Secret" not in page, name


def test_directors_read_the_events_present_name_in_ledger_and_files(tournament, owner):
    where = pages(tournament)
    member = Client()
    member.force_login(owner)
    Event.objects.filter(pk=tournament.event.pk).update(name="Solstice cup")
    for name in ("ledger", "ledger_csv", "ledger_json", "correct"):
        page = text(member.get(where[name]))
        assert "Solstice cup" in page, name
        assert "Midsummer" not in page, name
    rows = list(csv.DictReader(io.StringIO(text(member.get(where["ledger_csv"])).lstrip("\ufeff"))))
    assert rows[0]["event"] == "Solstice cup"
