"""The board on the wall, and the expected end on public pages."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import an_event
from tests.support.tournaments import link_of, opened, text_of
from tournaments.hall.services.calling import call_next
from tournaments.models import Match

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def night():
    cache.clear()
    today = timezone.now().date()
    return an_event(8, tables=3, starts_on=today, ends_on=today, lengths=[5]).publish()


def hall(night, **headers):
    return Client().get(reverse("public:hall", args=[night.event.public_id]), headers=headers)


def test_hall_when_one_is_called_then_only_its_two_are_sent_to_their_table(night):
    call_next(actor=night.actor, event_id=night.event.pk)
    page = hall(night)
    assert page.status_code == 200
    # Tables are kept for two more matches; nobody has called them.
    assert [(row["table"], row["status"]) for row in page.context["go"]] == [(1, "called")]
    assert [row["status"] for row in page.context["coming"]] == ["ready"] * 3
    called = Match.objects.get(status="called")
    names = sorted(night.entry_at(called, side).name for side in "ab")
    assert [(row["name"], row["table"]) for row in page.context["names"]] == [(name, 1) for name in names]
    text = text_of(page)
    assert "Please go to your table" in text
    for entry in night.division.entries.all():
        assert entry.name in text
    assert "is-hall" in page.content.decode()


def test_hall_when_nobody_is_called_then_nobody_is_sent(night):
    page = hall(night)
    assert (page.context["go"], page.context["names"]) == ([], [])
    assert len(page.context["coming"]) == 4
    assert "Please go to your table" not in text_of(page)


def test_hall_when_a_division_is_named_then_its_screen_alone_and_a_wrong_one_is_missing(night):
    url = reverse("public:hall", args=[night.event.public_id])
    client = Client()
    assert len(client.get(url, {"division": "1"}).context["coming"]) == 4
    for wrong in ("2", "x", "-1", "9" * 30, "²"):
        assert client.get(url, {"division": wrong}).status_code == 404


def test_hall_when_nothing_changed_then_a_304_and_a_call_renews_it(night):
    page = hall(night)
    assert hall(night, **{"If-None-Match": page["ETag"]}).status_code == 304
    call_next(actor=night.actor, event_id=night.event.pk)
    assert hall(night, **{"If-None-Match": page["ETag"]}).status_code == 200


def test_hall_when_it_is_a_draft_or_over_then_missing_or_empty(night):
    draft = an_event(4)
    assert hall(draft).status_code == 404
    assert "No matches yet" in text_of(hall(opened(draft)))
    night.play_out()
    assert "The event is over" in text_of(hall(night))


def test_end_when_the_event_runs_tonight_then_told_on_its_page_and_the_next_match_on_the_players(night):
    page = Client().get(reverse("public:event", args=[night.event.public_id]))
    text = text_of(page)
    assert "hours of play once it begins" in text
    match = night.playable()[0]
    night.settle(match, "a")
    mine = Client().get(reverse("player:home", args=[link_of(night, match, "a")]))
    assert "Expected to begin about" in text_of(mine)
    assert Match.objects.filter(status="waiting", slots__entry=night.entry_at(match, "a")).exists()


def test_end_when_the_event_is_long_past_then_nothing_is_promised(night):
    type(night.event).objects.update(starts_on="2020-01-01", ends_on="2020-01-01")
    assert "Expected to end" not in text_of(
        Client().get(reverse("public:event", args=[night.event.public_id]))
    )
