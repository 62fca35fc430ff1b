"""Events of a new club come into the lists of the whole site after some days; clubs that are known do not wait."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from people.actors import Actor
from people.models import AuditEntry, Club
from people.services.clubs import list_events_of_new_clubs
from people.services.federations import join_federation
from people.web.trail import action_sentence, sentence_facts
from tests.factories import a_club, a_user, an_event
from tests.support.director import signed_in
from tests.support.tournaments import opened, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def known(settings):
    """A site with a club, where a new one waits a week."""
    settings.NEW_CLUB_DAYS = 7
    return a_club(a_user("Olga Owner"))


def waits(club: Club) -> bool:
    return Club.objects.get(pk=club.pk).events_listed_from is not None


def test_club_when_somebody_known_founds_it_then_its_events_are_listed_at_once(known, settings):
    assert not waits(known)  # the first club of the site
    assert not waits(a_club(known.members.get()))
    assert not waits(a_club(a_user("Rita Root", is_staff=True)))
    stranger = a_user("Nora New")
    assert waits(a_club(stranger))
    assert waits(a_club(stranger))
    settings.ACCOUNTS = "invited"
    assert not waits(a_club(a_user("Ida Invited")))


def test_club_when_it_joins_a_federation_that_is_known_then_its_events_are_listed(known):
    stranger = a_user("Nora New")
    new, federation = a_club(stranger), a_club(stranger)
    join_federation(actor=Actor.of(stranger), club_id=new.pk, parent_id=federation.pk)
    assert waits(new)
    Club.objects.filter(pk=federation.pk).update(events_listed_from=None)
    other = a_club(a_user("Nils Novice"))
    known_owner = other.members.get()
    federation.memberships.create(user=known_owner, role="owner")
    join_federation(actor=Actor.of(known_owner), club_id=other.pk, parent_id=federation.pk)
    assert not waits(other)


def test_club_when_an_operator_lists_it_then_once_and_with_a_reason(known):
    new = a_club(a_user("Nora New"))
    with pytest.raises(CommandError):
        call_command("list_club", new.public_id, reason="?")
    assert waits(new)
    call_command("list_club", new.public_id, reason="The club of our town")
    assert not waits(new)
    with pytest.raises(CommandError, match="already"):
        call_command("list_club", new.public_id, reason="The club of our town")
    (row,) = AuditEntry.objects.filter(action="operator.list_club")
    facts = sentence_facts(row, new.name)
    assert action_sentence(row.action, facts) == f"Events listed immediately: {new.name}"


def test_event_of_a_new_club_is_in_no_list_of_the_site_before_its_time_and_the_director_is_told(known):
    owner = a_user("Nora New")
    tournament = opened(an_event(2, club=a_club(owner), director=owner, name="Cheaters Cup"))
    event, club = tournament.event.public_id, tournament.club.public_id
    lists = ("/", "/events/", "/events/?q=cheaters", "/api/v1/events/")
    own = (f"/c/{club}/", f"/e/{event}/", f"/api/v1/events/?club={club}")
    overview = signed_in(owner).get(f"/direct/events/{event}/")
    assert "This event appears on the front page and in the list of events from" in text_of(overview)

    def shown(addresses):
        return ["Cheaters Cup" in Client().get(address).content.decode() for address in addresses]

    assert shown(lists) == [False] * len(lists)
    assert shown(own) == [True] * len(own)
    week = timezone.now() + timedelta(days=7, minutes=1)
    assert list_events_of_new_clubs(until=week) == 1
    assert list_events_of_new_clubs(until=week) == 0
    assert shown(lists) == [True] * len(lists)
    assert "appears on the front page" not in text_of(signed_in(owner).get(f"/direct/events/{event}/"))


def test_overview_of_a_new_club_when_the_event_is_a_draft_then_not_said_to_be_visible(known):
    tournament = an_event(2, director=a_user("Nora New"))
    overview = f"/direct/events/{tournament.event.public_id}/"
    client = signed_in(tournament.director)
    note = "It is already visible on your club"
    assert note not in client.get(overview).content.decode()
    opened(tournament)
    assert note in client.get(overview).content.decode()
