"""The page on which an event is made once more."""

import pytest

from tests.factories import an_event
from tests.support.director import desk_of, words
from tournaments.models import Entry, Event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_club_night_when_made_once_more_then_its_people_are_one_tap_from_the_draw():
    tournament = an_event(entries=3)
    desk = desk_of(tournament)
    page = desk.get("again")
    fields = page.context["form"].initial
    assert (fields["starts_on"] - tournament.event.starts_on).days == 7
    assert "3 entries, pending approval" in words(page)
    made = desk.post("again", name="Club night", starts_on=str(fields["starts_on"]), people="on")
    copy = Event.objects.exclude(pk=tournament.event.pk).get()
    assert made["Location"].endswith(f"/direct/events/{copy.public_id}/entries/")
    again = desk.client.post(f"/direct/events/{copy.public_id}/entries/approve/", {"all": "yes"})
    assert again["Location"].endswith("/entries/?arrived")
    entries = Entry.objects.filter(division__event=copy, status="active").order_by("pk")
    assert [entry.name for entry in entries] == ["Ann", "Bob", "Cleo"]
    assert "with the settings of Club night" in words(
        desk.client.get(f"/direct/events/{copy.public_id}/audit/")
    )


def test_form_when_the_day_is_taken_then_said_beside_the_field_and_what_was_typed_stays():
    tournament = an_event()
    desk = desk_of(tournament)
    answer = desk.post("again", name="Club night", starts_on=str(tournament.event.starts_on))
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"starts_on"}
    club = desk.client.get(f"/direct/clubs/{tournament.club.public_id}/")
    assert "Duplicate event: Club night" in club.content.decode()
