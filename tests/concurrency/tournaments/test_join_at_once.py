"""One person taps "Enter" twice at the same moment: one player, one entry, whoever gets through first."""

import pytest

from people.actors import Actor
from tests.factories import an_event
from tests.support.races import race
from tests.support.tournaments import lets_new_names_in
from tournaments.draws.services.draws import draw_stage
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import withdraw_entry
from tournaments.entries.services.own import withdraw_by_link
from tournaments.entries.services.registration import register_self
from tournaments.models import Division, Entry, MatchSlot
from tournaments.repairs.services.reinstating import reinstate, reinstate_by_link
from tournaments.selectors.access.links import join_token
from tournaments.selectors.access.phones import NO_ORIGIN

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def enter_twice(*, locks):
    tournament = an_event()
    lets_new_names_in(tournament)
    token = join_token(tournament.fresh())

    def enter():
        return register_self(actor=Actor.with_label("phone"), token=token, entry=NewEntry(name="Zoe Zimmer"))

    return race(enter, enter, meet_after='FROM "tournaments_event"', locks=locks)


def test_register_self_when_sent_twice_at_once_then_one_is_in_and_one_waits_for_approval():
    outcomes = enter_twice(locks=True)
    assert not any(outcome.error for outcome in outcomes)
    assert sorted(Entry.objects.values_list("status", flat=True)) == ["active", "expected"]


def test_register_self_without_the_lock_would_let_both_in_so_this_test_sees_the_race():
    enter_twice(locks=False)
    assert set(Entry.objects.values_list("status", flat=True)) == {"active"}


def test_entry_when_two_directors_reinstate_it_at_once_then_one_does_and_one_is_told():
    tournament = an_event(entries=3)
    where = {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "entry_id": tournament.entry("Ann").pk,
    }
    withdraw_entry(**where)
    outcomes = race(
        lambda: reinstate(**where), lambda: reinstate(**where), meet_after='FROM "tournaments_event"'
    )
    (refused,) = (outcome.error for outcome in outcomes if outcome.error)
    assert refused.code == "entry.return_refused"
    assert tournament.entry("Ann").status == "active"


def test_entry_when_it_comes_back_while_the_draw_is_made_then_it_is_drawn_or_told():
    tournament = an_event(entries=4)
    ann = tournament.entry("Ann")
    withdraw_by_link(entry=ann, phone=NO_ORIGIN)
    ann.refresh_from_db()
    outcomes = race(
        lambda: reinstate_by_link(entry=ann, phone=NO_ORIGIN),
        lambda: draw_stage(
            actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk, seed=1
        ),
        meet_after='FROM "tournaments_event"',
    )
    errors = [outcome.error for outcome in outcomes if outcome.error]
    assert [error.code for error in errors] in ([], ["own_return.drawn"])
    assert tournament.entry("Ann").status == ("withdrawn" if errors else "active")
    assert MatchSlot.objects.filter(entry=ann).exists() is not bool(errors)


def test_last_place_when_two_want_it_at_once_then_one_has_it_and_one_waits():
    tournament = an_event()
    lets_new_names_in(tournament)
    Division.objects.filter(pk=tournament.division.pk).update(capacity=2)
    token = join_token(tournament.fresh())
    register_self(actor=Actor.with_label("phone"), token=token, entry=NewEntry(name="Ann First"))

    def enter(name):
        return lambda: register_self(actor=Actor.with_label("phone"), token=token, entry=NewEntry(name=name))

    race(enter("Bob Second"), enter("Cleo Third"), meet_after='FROM "tournaments_event"')
    assert sorted(Entry.objects.values_list("status", flat=True)) == ["active", "active", "waiting"]


def test_place_when_two_withdraw_at_once_then_two_move_up():
    tournament = an_event()
    lets_new_names_in(tournament)
    Division.objects.filter(pk=tournament.division.pk).update(capacity=2)
    token = join_token(tournament.fresh())
    made = [
        register_self(actor=Actor.with_label("phone"), token=token, entry=NewEntry(name=f"Player {letter}"))[
            0
        ]
        for letter in "ABCD"
    ]

    def leave(entry):
        return lambda: withdraw_entry(actor=tournament.actor, event_id=tournament.event.pk, entry_id=entry.pk)

    race(leave(made[0]), leave(made[1]), meet_after='FROM "tournaments_event"')
    assert list(Entry.objects.order_by("pk").values_list("status", flat=True)) == [
        *("withdrawn", "withdrawn"),
        *("active", "active"),
    ]
