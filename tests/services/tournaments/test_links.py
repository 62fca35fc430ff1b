"""Personal links: signed, revocable, dead 30 days after the event."""

from datetime import timedelta

import pytest
from django.utils import timezone

from faults import Missing
from tests.factories import an_event
from tournaments.entries.services.links import renew_all_links, renew_entry_link
from tournaments.selectors.access.links import (
    DAYS_AFTER_EVENT,
    entry_from_token,
    entry_token,
    event_from_token,
    join_token,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    today = timezone.now().date()
    return an_event(entries=2, starts_on=today, ends_on=today)


def test_entry_token_when_printed_again_then_the_same_and_it_opens_the_entry(tournament):
    ann = tournament.entry("Ann")
    assert entry_token(ann) == entry_token(tournament.entry("Ann"))
    assert entry_from_token(entry_token(ann)) == ann


def test_entry_token_when_a_letter_differs_then_broken(tournament):
    token = entry_token(tournament.entry("Ann"))
    for place in range(len(token)):
        other = "x" if token[place] != "x" else "y"
        with pytest.raises(Missing):
            entry_from_token(token[:place] + other + token[place + 1 :])


@pytest.mark.parametrize("token", ["", "abc", "a.b", "x-1.y", "é-1.ü", "0" * 4000])
def test_entry_token_when_it_is_nonsense_then_broken(tournament, token):
    with pytest.raises(Missing) as refused:
        entry_from_token(token)
    assert refused.value.code == "link.broken"


def test_renew_entry_link_when_revoked_then_old_is_dead_new_works_and_others_live_on(tournament):
    ann, bob = tournament.entry("Ann"), tournament.entry("Bob")
    old = entry_token(ann)
    renew_entry_link(actor=tournament.actor, event_id=tournament.event.pk, entry_id=ann.pk)
    with pytest.raises(Missing) as refused:
        entry_from_token(old)
    assert refused.value.code == "link.revoked"
    assert entry_from_token(entry_token(tournament.entry("Ann"))) == ann
    assert entry_from_token(entry_token(bob)) == bob


def test_renew_all_links_when_revoked_then_every_old_link_is_dead(tournament):
    old = [entry_token(tournament.entry(name)) for name in ("Ann", "Bob")]
    renew_all_links(actor=tournament.actor, event_id=tournament.event.pk)
    for token in old:
        with pytest.raises(Missing):
            entry_from_token(token)


@pytest.mark.parametrize(("days", "works"), [(DAYS_AFTER_EVENT, True), (DAYS_AFTER_EVENT + 1, False)])
def test_entry_token_when_the_event_is_long_over_then_expired(tournament, days, works):
    day = timezone.now().date() - timedelta(days=days)
    tournament.event.starts_on = tournament.event.ends_on = day
    tournament.event.save()
    token = entry_token(tournament.entry("Ann"))
    if works:
        assert entry_from_token(token).name == "Ann"
    else:
        with pytest.raises(Missing) as refused:
            entry_from_token(token)
        assert refused.value.code == "link.expired"


def test_tokens_when_used_for_the_other_purpose_then_broken(tournament):
    with pytest.raises(Missing):
        entry_from_token(join_token(tournament.event))
    with pytest.raises(Missing):
        event_from_token(entry_token(tournament.entry("Ann")))
