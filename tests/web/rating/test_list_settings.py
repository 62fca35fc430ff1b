"""Settings of a list: events chosen by name, and two directors who save at once."""

import re
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Affiliation, Membership, Role
from rating.services import ensure_club_list
from tests.factories import a_club, a_user, an_event
from tests.support.rating import a_bare_club
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return a_user("Olga Owner")


@pytest.fixture
def club(owner):
    return a_club(owner)


@pytest.fixture
def found(club):
    return ensure_club_list(club_id=club.pk)


@pytest.fixture
def director(owner):
    client = Client()
    client.force_login(owner)
    return client


def page_of(found) -> str:
    return reverse("rating_director:settings", args=[found.public_id])


def form_of(answer, **changes: object) -> dict[str, object]:
    """What a browser would send back of the page's form."""
    fields = {field.html_name: field.value() for field in answer.context["form"]}
    return {name: value for name, value in fields.items() if value is not None} | changes


def test_events_are_chosen_by_name(director, club, owner, found):
    spring = an_event(club=club, director=owner, name="Spring cup")
    autumn = an_event(
        club=club, director=owner, name="Autumn cup", starts_on=date(2026, 10, 1), ends_on=date(2026, 10, 1)
    )
    shown = director.get(page_of(found))
    assert "Spring cup" in shown.content.decode()
    answer = director.post(page_of(found), form_of(shown, events=[autumn.event.public_id]))
    assert answer.status_code == 302
    found.refresh_from_db()
    assert found.events == [autumn.event.public_id]
    again = director.get(page_of(found))
    assert again.context["form"]["events"].value() == [autumn.event.public_id]
    assert spring.event.public_id in again.content.decode()


def test_day_in_a_form_is_one_that_browsers_take_in_every_language(director, found):
    type(found).objects.filter(pk=found.pk).update(counts_from=date(2026, 3, 2))
    german = {"headers": {"accept-language": "de"}}
    settings = director.get(page_of(found), **german).content.decode()
    assert 'lang="de"' in settings
    assert re.search(r'name="counts_from" value="2026-03-02"', settings)
    official = director.get(
        reverse("rating_director:official", args=[found.public_id]), **german
    ).content.decode()
    assert re.search(r'name="day" value="\d{4}-\d\d-\d\d"', official)
    ids = re.findall(r' id="([^"]+)"', official)
    assert len(ids) == len(set(ids))


def test_event_is_found_by_words_without_scripts_and_nothing_typed_is_lost(director, club, owner, found):
    old = an_event(
        club=club,
        director=owner,
        name="Jubilee weekend",
        starts_on=date(2001, 5, 1),
        ends_on=date(2001, 5, 2),
    )
    for n in range(31):
        an_event(club=club, director=owner, name=f"Club night {n}")
    shown = director.get(page_of(found))
    assert "Jubilee" not in shown.content.decode()
    looked = director.post(
        page_of(found), form_of(shown, name="Half typed", shortest="", find_event="jubilee", find="1")
    )
    assert looked.status_code == 200
    words = looked.content.decode()
    assert "Jubilee weekend" in words
    assert 'value="Half typed"' in words
    assert "required" not in looked.context["form"].errors.as_text()
    sent = form_of(looked, shortest=2, events=[old.event.public_id])
    assert director.post(page_of(found), sent).status_code == 302
    found.refresh_from_db()
    assert (found.name, found.events) == ("Half typed", [old.event.public_id])
    later = director.get(page_of(found)).content.decode()
    assert "Jubilee weekend" in later  # what is chosen is shown, however old


def test_event_of_another_club_or_of_nobody_is_refused(director, found):
    stranger = an_event(name="Their cup")
    shown = director.get(page_of(found))
    for key in (stranger.event.public_id, "nothing", "a\0b"):
        answer = director.post(page_of(found), form_of(shown, events=[key]))
        assert answer.status_code == 422, key
        assert "Their cup" not in answer.content.decode()
    found.refresh_from_db()
    assert found.events == []


def test_federation_sees_public_events_of_its_clubs_and_no_unlisted_one(owner, director):
    federation = a_bare_club("Federation")
    Membership.objects.create(user=owner, club=federation, role=Role.OWNER)
    member = a_club(a_user(), name="Member")
    Affiliation.objects.create(club=member, federation=federation)
    an_event(club=member, name="Open weekend")
    an_event(club=member, name="Secret night", visibility=Event.Visibility.UNLISTED)
    words = director.get(page_of(ensure_club_list(club_id=federation.pk))).content.decode()
    assert "Open weekend" in words
    assert "Secret night" not in words


def test_second_of_two_who_save_settings_is_told_and_keeps_what_was_typed(director, found):
    first, second = director.get(page_of(found)), director.get(page_of(found))
    assert director.post(page_of(found), form_of(first, name="First name", shortest=5)).status_code == 302
    late = director.post(page_of(found), form_of(second, name="Second name"))
    assert late.status_code == 409
    words = late.content.decode()
    assert "changed by another person" in words
    assert "First name" in words
    assert 'value="Second name"' in words
    assert dict(late.context["differences"])["Shortest match"] == "5"
    found.refresh_from_db()
    assert (found.name, found.shortest) == ("First name", 5)
    knowingly = director.post(page_of(found), form_of(late))
    assert knowingly.status_code == 302
    found.refresh_from_db()
    assert (found.name, found.shortest) == ("Second name", 2)


def test_a_result_that_comes_meanwhile_is_no_conflict(director, found):
    shown = director.get(page_of(found))
    found.version += 7
    found.save()
    assert director.post(page_of(found), form_of(shown, name="Mine")).status_code == 302


@pytest.mark.parametrize("seen", ["", "x", "\0", "9" * 500])
def test_mark_of_the_settings_that_makes_no_sense_is_no_server_error(director, found, seen):
    answer = director.post(page_of(found), form_of(director.get(page_of(found)), seen=seen, name="Odd"))
    assert answer.status_code in {302, 409, 422}
