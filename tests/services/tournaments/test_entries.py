"""Entries: nobody twice, lists all or none, strangers' private players out of reach."""

import pytest

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.models import Player
from people.selectors import players_by_key, search_players
from tests.factories import a_club, a_director, an_event
from tournaments.engine.new_entry import EntryMarks
from tournaments.engine.statuses import EventAction
from tournaments.entries.services.entries import (
    NewEntry,
    add_entries,
    add_entry,
    set_seeds,
    update_entry,
    withdraw_entry,
)
from tournaments.entries.services.registration import register_self
from tournaments.events.services.events import change_event_status, renew_registration_link, set_registration
from tournaments.models import Division, Entry
from tournaments.repairs.services.reinstating import reinstate
from tournaments.selectors.access.links import join_token

pytestmark = pytest.mark.django_db


def enter(tournament, *entries):
    return add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        entries=entries,
    )


def test_add_entry_when_a_known_player_then_no_second_player_is_made():
    first = an_event(entries=3)
    ann = Player.objects.get(name="Ann")
    second = an_event(club=first.club, director=first.director)
    entry = add_entry(
        actor=second.actor,
        event_id=second.event.pk,
        division_id=second.division.pk,
        entry=NewEntry(player_id=ann.pk),
    )
    assert list(entry.players.all()) == [ann]
    assert Player.objects.filter(name="Ann").count() == 1


def test_add_entries_when_one_line_is_bad_then_nothing_is_entered_and_all_lines_are_told():
    tournament = an_event(entries=2)
    ann = Player.objects.get(name="Ann")
    with pytest.raises(Invalid) as refused:
        enter(
            tournament,
            NewEntry("Nora"),
            NewEntry(""),
            NewEntry("nora"),
            NewEntry(player_id=ann.pk),
            NewEntry("!?"),
        )
    assert [fault.code for fault in refused.value.faults] == [
        "player.name_missing",
        "entry.name_twice",
        "entry.twice",
        "player.name_odd",
    ]
    assert Entry.objects.count() == 2
    assert not Player.objects.filter(name="Nora").exists()


def test_add_entries_when_a_private_player_of_another_club_then_unknown():
    theirs = an_event(entries=1)
    secret = Player.objects.get(name="Ann")
    secret.listed = False
    secret.save()
    mine = an_event()
    with pytest.raises(Invalid) as refused:
        enter(mine, NewEntry(player_id=secret.pk))
    assert refused.value.code == "player.unknown"
    assert search_players(club=mine.club, text="ann") == []
    assert search_players(club=theirs.club, text="ann") == [secret]


def test_search_players_when_accents_case_and_order_differ_then_found():
    tournament = an_event()
    enter(tournament, NewEntry("Åsa Öberg-Lind"))
    found = search_players(club=tournament.club, text="oberg ASA")
    assert [player.name for player in found] == ["Åsa Öberg-Lind"]
    assert players_by_key(club=tournament.club, keys=["asa lind oberg"])["asa lind oberg"] == found


def test_add_entries_when_more_than_1024_then_refused():
    tournament = an_event()
    with pytest.raises(Invalid) as refused:
        enter(tournament, *[NewEntry(f"Player {n}") for n in range(1025)])
    assert refused.value.code == "entry.too_many"
    assert not Entry.objects.exists()


def test_add_entry_when_drawn_then_the_draw_must_go_first():
    tournament = an_event(entries=4).draw()
    with pytest.raises(Conflict) as refused:
        enter(tournament, NewEntry("Late"))
    assert refused.value.code == "entry.drawn"


def test_withdraw_entry_when_back_again_then_active_without_seed():
    tournament = an_event(entries=2)
    ann = tournament.entry("Ann")
    set_seeds(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        seeds={ann.pk: 1},
    )
    withdraw_entry(actor=tournament.actor, event_id=tournament.event.pk, entry_id=ann.pk)
    assert tournament.entry("Ann").status == "withdrawn"
    with pytest.raises(Conflict):
        withdraw_entry(actor=tournament.actor, event_id=tournament.event.pk, entry_id=ann.pk)
    reinstate(actor=tournament.actor, event_id=tournament.event.pk, entry_id=ann.pk)
    assert (tournament.entry("Ann").status, tournament.entry("Ann").seed) == ("active", None)


def test_set_seeds_when_swapped_then_both_are_kept_and_duplicates_are_refused():
    tournament = an_event(entries=3)
    ann, bob, cleo = (tournament.entry(name) for name in ("Ann", "Bob", "Cleo"))

    def seed(**seeds):
        set_seeds(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            division_id=tournament.division.pk,
            seeds={tournament.entry(name).pk: number for name, number in seeds.items()},
        )

    seed(Ann=1, Bob=2)
    seed(Ann=2, Bob=1)
    assert (tournament.entry("Ann").seed, tournament.entry("Bob").seed) == (2, 1)
    with pytest.raises(Invalid) as refused:
        seed(Cleo=1)
    assert {fault.field for fault in refused.value.faults} == {f"seed-{bob.pk}", f"seed-{cleo.pk}"}
    with pytest.raises(Invalid):
        seed(Cleo=9)
    assert Entry.objects.get(pk=ann.pk).seed == 2


def test_register_self_when_open_then_entered_and_closed_link_refused():
    tournament = an_event()
    token = join_token(tournament.event)
    with pytest.raises(Conflict) as refused:
        register_self(actor=Actor.with_label("Nora"), token=token, entry=NewEntry("Nora"))
    assert refused.value.code == "registration.closed"
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    (entry,) = register_self(actor=Actor.with_label("Nora"), token=token, entry=NewEntry("Nora"))
    assert (entry.name, entry.source) == ("Nora", "self")
    renew_registration_link(actor=tournament.actor, event_id=tournament.event.pk)
    with pytest.raises(Missing):
        register_self(actor=Actor.with_label("Otto"), token=token, entry=NewEntry("Otto"))


def test_add_entry_when_division_of_another_event_then_missing():
    club = a_club()
    mine, other = (an_event(club=club, director=a_director(club)) for _ in range(2))
    with pytest.raises(Missing):
        add_entry(
            actor=mine.actor,
            event_id=mine.event.pk,
            division_id=other.division.pk,
            entry=NewEntry("Ann"),
        )


def test_entries_when_the_event_is_called_off_then_its_entries_stay_as_they_are() -> None:
    tournament = an_event(4)
    entry = tournament.entry("Ann")
    known = {"actor": tournament.actor, "event_id": tournament.event.pk}
    change_event_status(**known, action=EventAction.CANCEL)
    for action in (
        lambda: add_entries(**known, division_id=tournament.division.pk, entries=[NewEntry("Zoe")]),
        lambda: update_entry(**known, entry_id=entry.pk, marks=EntryMarks("family")),
        lambda: withdraw_entry(**known, entry_id=entry.pk),
        lambda: set_seeds(**known, division_id=tournament.division.pk, seeds={entry.pk: 1}),
    ):
        with pytest.raises(Conflict) as refused:
            action()
        assert refused.value.code == "event.called_off"
    entry.refresh_from_db()
    assert (entry.status, entry.seed) == ("active", None)


def test_add_entry_sent_twice_when_it_took_the_last_place_then_it_is_called_entered_not_full():
    tournament = an_event(entries=2)
    Division.objects.update(capacity=3)
    enter(tournament, NewEntry("Nora"))
    nora = Player.objects.get(name="Nora")
    with pytest.raises(Invalid, match=r"entry\.twice"):
        enter(tournament, NewEntry(player_id=nora.pk))
    with pytest.raises(Conflict, match=r"entry\.full"):
        enter(tournament, NewEntry("Olga"))
    assert not Player.objects.filter(name="Olga").exists()
