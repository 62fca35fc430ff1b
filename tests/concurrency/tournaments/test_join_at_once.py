"""One person taps "Enter" twice at the same moment: one player, one entry, whoever gets through first."""

import pytest

from faults import Invalid
from people.actors import Actor
from people.models import Player
from tests.factories import an_event
from tests.support.races import race
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import withdraw_entry
from tournaments.entries.services.registration import register_self
from tournaments.events.services.events import set_registration
from tournaments.models import Division, Entry
from tournaments.selectors.access.links import join_token

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def enter_twice(*, locks):
    night = an_event()
    set_registration(actor=night.actor, event_id=night.event.pk, is_open=True)
    token = join_token(night.fresh())

    def enter():
        return register_self(actor=Actor.named("phone"), token=token, entry=NewEntry(name="Zoe Zimmer"))

    return race(enter, enter, meet_after='FROM "tournaments_event"', locks=locks)


def test_register_self_when_sent_twice_at_once_then_one_is_entered_and_one_is_told():
    outcomes = enter_twice(locks=True)
    assert Entry.objects.count() == Player.objects.count() == 1
    (refused,) = (outcome.error for outcome in outcomes if outcome.error)
    assert isinstance(refused, Invalid)
    assert refused.code == "entry.twice"


def test_register_self_without_the_lock_would_enter_both_so_this_test_sees_the_race():
    enter_twice(locks=False)
    assert Entry.objects.count() == 2


def test_last_place_when_two_want_it_at_once_then_one_has_it_and_one_waits():
    night = an_event()
    set_registration(actor=night.actor, event_id=night.event.pk, is_open=True)
    Division.objects.filter(pk=night.division.pk).update(capacity=2)
    token = join_token(night.fresh())
    register_self(actor=Actor.named("phone"), token=token, entry=NewEntry(name="Ann First"))

    def enter(name):
        return lambda: register_self(actor=Actor.named("phone"), token=token, entry=NewEntry(name=name))

    race(enter("Bob Second"), enter("Cleo Third"), meet_after='FROM "tournaments_event"')
    assert sorted(Entry.objects.values_list("status", flat=True)) == ["active", "active", "waiting"]


def test_place_when_two_withdraw_at_once_then_two_move_up():
    night = an_event()
    set_registration(actor=night.actor, event_id=night.event.pk, is_open=True)
    Division.objects.filter(pk=night.division.pk).update(capacity=2)
    token = join_token(night.fresh())
    made = [
        register_self(actor=Actor.named("phone"), token=token, entry=NewEntry(name=f"Player {letter}"))[0]
        for letter in "ABCD"
    ]

    def leave(entry):
        return lambda: withdraw_entry(actor=night.actor, event_id=night.event.pk, entry_id=entry.pk)

    race(leave(made[0]), leave(made[1]), meet_after='FROM "tournaments_event"')
    assert list(Entry.objects.order_by("pk").values_list("status", flat=True)) == [
        *("withdrawn", "withdrawn"),
        *("active", "active"),
    ]
