"""Entering by the link: who says to be somebody known is expected, full divisions have a waiting list that moves by itself."""

from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry, Player
from tests.factories import a_user, an_event
from tests.support.tournaments import text_of
from tournaments import migrations
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.entries.services.entries import add_entry, withdraw_entry
from tournaments.entries.services.registration import (
    admit_from_waiting_list,
    approve_entries,
    decline_entry,
    register_self,
    set_approval_required,
)
from tournaments.entries.services.several import move_entries
from tournaments.events.services.divisions import DivisionDetails, add_division, update_division
from tournaments.events.services.events import set_registration
from tournaments.events.services.stages import StageDetails
from tournaments.models import Division, Entry
from tournaments.selectors.access.links import (
    entry_from_receipt,
    entry_from_token,
    entry_token,
    join_token,
    receipt_token,
)
from tournaments.selectors.entries import division_applicants, entries_by_division
from tournaments.selectors.events.players import last_event_labels, public_entries_of_player
from tournaments.selectors.waiting import place_in_queue

pytestmark = pytest.mark.django_db
STRANGER = Actor.with_label("registration: somebody")


@pytest.fixture
def tournament():
    tournament = an_event()
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    set_approval_required(actor=tournament.actor, event_id=tournament.event.pk, everybody=False)
    tournament.fresh()
    return tournament


@pytest.fixture
def ann(tournament):
    """Known to the club from another event."""
    return an_event(club=tournament.club, entries=1).entry("Ann").players.get()


def enters(tournament, *, actor=STRANGER, **entry):
    crowd = entry.pop("crowd", False)
    token = join_token(tournament.fresh())
    (made,) = register_self(actor=actor, token=token, entry=NewEntry(**entry), crowd=crowd)
    return made


def room_for(tournament, capacity):
    Division.objects.filter(pk=tournament.division.pk).update(capacity=capacity)


def status(entry):
    return Entry.objects.get(pk=entry.pk).status


def where(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def trail(tournament, kind):
    return AuditEntry.objects.filter(action=kind).count()


def test_stranger_who_enters_as_somebody_known_gets_nothing_before_approval(tournament, ann):
    entry = enters(tournament, player_id=ann.pk)
    assert status(entry) == "expected"
    with pytest.raises(Missing) as refused:
        entry_from_token(entry_token(entry))
    assert refused.value.code == "link.not_approved"
    assert not public_entries_of_player(ann).filter(pk=entry.pk).exists()
    assert entries_by_division([tournament.division.pk])[tournament.division.pk] == []
    for page in ("public:event", "public:entries"):
        assert "Ann" not in Client().get(reverse(page, args=[tournament.event.public_id])).content.decode()
    assert Client().get(reverse("api:entries", args=[tournament.event.public_id])).json() == []
    assert [one.row.name for one in division_applicants(tournament.division)] == ["Ann"]

    approve_entries(**where(tournament), entry_ids=[entry.pk])
    assert status(entry) == "active"
    assert entry_from_token(entry_token(entry)) == entry
    assert public_entries_of_player(ann).filter(pk=entry.pk).exists()
    assert trail(tournament, "entry.approve") == 1


def test_somebody_signed_in_as_the_player_is_in_at_once(tournament, ann):
    user = a_user("Ann")
    Player.objects.filter(pk=ann.pk).update(user=user)
    assert status(enters(tournament, actor=Actor.of(user), player_id=ann.pk)) == "active"


def test_somebody_signed_in_as_somebody_else_is_expected(tournament, ann):
    assert status(enters(tournament, actor=Actor.of(a_user("Eve")), player_id=ann.pk)) == "expected"


def test_real_player_takes_over_the_entry_that_a_stranger_made_and_the_receipt_is_worth_nothing(
    tournament, ann
):
    receipt = receipt_token(enters(tournament, player_id=ann.pk))
    assert entry_from_receipt(receipt)
    user = a_user("Ann")
    Player.objects.filter(pk=ann.pk).update(user=user)
    entry = enters(tournament, actor=Actor.of(user), player_id=ann.pk)
    assert status(entry) == "active"
    assert Entry.objects.count() == 2  # and Ann's of the other event
    with pytest.raises(Missing):
        entry_from_receipt(receipt)


def test_new_name_of_somebody_known_is_expected_and_has_no_public_page_before_the_draw(tournament, ann):
    entry = enters(tournament, name="ANN")
    assert status(entry) == "expected"
    new = entry.players.get()
    assert new != ann
    assert not new.listed
    approve_entries(**where(tournament), entry_ids=[entry.pk], who="new")
    assert not Player.objects.get(pk=new.pk).listed
    enters(tournament, name="Bea Best")
    tournament.publish()
    assert Player.objects.get(pk=new.pk).listed


def test_new_name_that_was_expected_before_the_upgrade_has_a_page_with_the_draw_too(tournament, ann):
    entry = enters(tournament, name="ANN")
    Player.objects.update(listed_with_draw=False)
    (found,) = Path(migrations.__path__[0]).glob("*_pages_of_expected_players.py")
    import_module(f"{migrations.__name__}.{found.stem}").wait_for_a_draw(apps, None)
    assert [one.pk for one in Player.objects.filter(listed_with_draw=True)] == [entry.players.get().pk]


def test_new_name_is_in_unless_all_are_approved_or_many_come_at_once(tournament):
    assert status(enters(tournament, name="Zoe Zimmer")) == "active"
    assert status(enters(tournament, name="Yan Young", crowd=True)) == "expected"
    set_approval_required(**where(tournament), everybody=True)
    assert status(enters(tournament, name="Xaver Xu")) == "expected"
    assert len(approve_entries(**where(tournament))) == 2
    assert not Player.objects.filter(listed=True).exists()


def test_approve_when_nobody_is_expected_or_it_is_done_already_then_told(tournament, ann):
    entry = enters(tournament, player_id=ann.pk)
    approve_entries(**where(tournament), entry_ids=[entry.pk])
    for wanted in ([entry.pk], None):
        with pytest.raises(Conflict):
            approve_entries(**where(tournament), entry_ids=wanted)
    with pytest.raises(Missing):
        approve_entries(**where(tournament), entry_ids=[entry.pk + 999])


def test_nobody_but_directors_approves_turns_away_or_lets_in(tournament, ann):
    entry = enters(tournament, player_id=ann.pk)
    stranger = {"actor": Actor.of(a_user("Eve")), "event_id": tournament.event.pk}
    for does in (approve_entries, set_approval_required, decline_entry, admit_from_waiting_list):
        more = {"everybody": True} if does is set_approval_required else {}
        more = {"entry_id": entry.pk} if does in (decline_entry, admit_from_waiting_list) else more
        with pytest.raises(NotAllowed):
            does(**stranger, **more)


def test_turned_away_then_gone_with_the_player_made_for_it_and_the_real_one_can_enter(tournament, ann):
    set_approval_required(**where(tournament), everybody=True)
    new, known = enters(tournament, name="Zoe Zimmer"), enters(tournament, player_id=ann.pk)
    for entry in (new, known):
        decline_entry(**where(tournament), entry_id=entry.pk)
    assert not Entry.objects.filter(division=tournament.division).exists()
    assert not Player.objects.filter(name="Zoe Zimmer").exists()
    assert Player.objects.filter(pk=ann.pk).exists()
    add_entry(**where(tournament), division_id=tournament.division.pk, entry=NewEntry(player_id=ann.pk))
    with pytest.raises(Conflict):
        decline_entry(**where(tournament), entry_id=tournament.entry("Ann").pk)
    assert trail(tournament, "entry.turn_away") == 2


def test_full_division_then_the_next_wait_and_move_up_in_order(tournament):
    room_for(tournament, 2)
    ann, bob, cleo, dan = (enters(tournament, name=name) for name in ("Ann A", "Bob B", "Cleo C", "Dan D"))
    assert [status(one) for one in (ann, bob, cleo, dan)] == ["active", "active", "waiting", "waiting"]
    assert [place_in_queue(one) for one in (ann, cleo, dan)] == [None, 1, 2]
    assert entry_from_token(entry_token(cleo)) == cleo
    page = text_of(Client().get(reverse("public:entries", args=[tournament.event.public_id])))
    assert page.index("Waiting list") < page.index("Cleo C") < page.index("Dan D")
    mine = text_of(Client().get(reverse("player:home", args=[entry_token(dan)])))
    assert "number 2 on the waiting list" in mine

    withdraw_entry(**where(tournament), entry_id=ann.pk)
    assert [status(one) for one in (ann, bob, cleo, dan)] == ["withdrawn", "active", "active", "waiting"]
    assert trail(tournament, "entry.move_up") == 1
    assert "number 1" in text_of(Client().get(reverse("player:home", args=[entry_token(dan)])))


def test_expected_entry_keeps_its_place_and_frees_it_when_turned_away(tournament, ann):
    room_for(tournament, 2)
    fake, _bob, cleo = (
        enters(tournament, player_id=ann.pk),
        enters(tournament, name="Bob B"),
        enters(tournament, name="Cleo C"),
    )
    assert status(cleo) == "waiting"
    decline_entry(**where(tournament), entry_id=fake.pk)
    assert status(cleo) == "active"


def test_somebody_known_on_the_waiting_list_is_approved_there_or_moves_up_to_be_expected(tournament, ann):
    room_for(tournament, 2)
    one, _two = enters(tournament, name="Bob B"), enters(tournament, name="Cleo C")
    late = enters(tournament, player_id=ann.pk)
    assert status(late) == "unseen"
    assert "Ann" not in text_of(Client().get(reverse("public:entries", args=[tournament.event.public_id])))
    withdraw_entry(**where(tournament), entry_id=one.pk)
    assert status(late) == "expected"
    approve_entries(**where(tournament))
    assert status(late) == "active"


def test_more_room_then_those_who_wait_move_up_at_once(tournament):
    room_for(tournament, 2)
    waiting = [enters(tournament, name=f"Player {letter}") for letter in "ABCDE"][2:]
    update_division(
        **where(tournament), division_id=tournament.division.pk, division=DivisionDetails(capacity=4)
    )
    assert [status(one) for one in waiting] == ["active", "active", "waiting"]
    update_division(**where(tournament), division_id=tournament.division.pk, division=DivisionDetails())
    assert status(waiting[2]) == "active"


@pytest.mark.parametrize("odd", [-1, 0, 1, 99_999])
def test_odd_room_is_refused(tournament, odd):
    with pytest.raises(Invalid) as refused:
        update_division(
            **where(tournament), division_id=tournament.division.pk, division=DivisionDetails(capacity=odd)
        )
    assert refused.value.code == "division.capacity_odd"


def test_director_lets_somebody_in_past_the_others_or_over_the_places_only_if_they_say_so(tournament):
    room_for(tournament, 2)
    _a, _b, cleo, dan = (enters(tournament, name=f"Player {letter}") for letter in "ABCD")
    with pytest.raises(Conflict, match=r"entry\.full") as full:
        admit_from_waiting_list(**where(tournament), entry_id=dan.pk)
    assert (full.value.present["waiting"], full.value.present["may_wait"]) == (1, False)
    admit_from_waiting_list(**where(tournament), entry_id=dan.pk, when_full=WhenFull.ADD)
    assert (status(cleo), status(dan)) == ("waiting", "active")
    with pytest.raises(Conflict):
        admit_from_waiting_list(**where(tournament), entry_id=dan.pk)
    late = {"division_id": tournament.division.pk, "entry": NewEntry(name="Eve E")}
    with pytest.raises(Conflict, match=r"entry\.full"):
        add_entry(**where(tournament), **late)
    own = add_entry(**where(tournament), **late, when_full=WhenFull.ADD)
    assert status(own) == "active"
    withdraw_entry(**where(tournament), entry_id=own.pk)
    assert status(cleo) == "waiting"  # three still have the two places


def test_entry_that_is_moved_frees_a_place_and_who_waits_is_not_moved(tournament):
    room_for(tournament, 2)
    first = tournament.division.pk
    other = add_division(
        **where(tournament),
        division=DivisionDetails(name="B", stages=[StageDetails(lengths=[5])]),
        first_name="A",
    )
    ann, _bob, cleo, dan = (
        register_self(
            actor=STRANGER,
            token=join_token(tournament.event),
            entry=NewEntry(name=name),
            partners={first: ()},
        )[0]
        for name in ("Ann A", "Bob B", "Cleo C", "Dan D")
    )
    with pytest.raises(Conflict):
        move_entries(**where(tournament), entry_ids=[dan.pk], division_id=other.pk)
    move_entries(**where(tournament), entry_ids=[ann.pk], division_id=other.pk)
    assert (status(cleo), status(dan)) == ("active", "waiting")


def test_expected_and_waiting_are_in_no_draw_and_approved_later_they_can_take_a_late_place(tournament, ann):
    for letter in "ABC":
        enters(tournament, name=f"Player {letter}")
    late = enters(tournament, player_id=ann.pk)
    tournament.publish(seed=3)
    assert not late.slots.exists()
    approve_entries(**where(tournament), entry_ids=[late.pk])
    assert status(late) == "active"


def test_namesakes_are_told_apart_by_their_last_event(tournament, ann):
    assert last_event_labels([ann]) == {}
    other = an_event(club=tournament.club, entries=2, name="Spring Cup")
    other.publish(seed=1)
    names = last_event_labels(list(Player.objects.filter(name="Ann")))
    assert list(names.values()) == [f"Spring Cup {other.event.starts_on.year}"]
