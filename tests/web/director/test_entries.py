"""Entering players: one by one, from a list, by link; nobody becomes two by accident."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people.models import Player
from tests.factories import an_event
from tests.support.director import desk_of, words
from tournaments.engine.statuses import EntryStatus, EventAction
from tournaments.events.services.events import change_event_status
from tournaments.models import Division, Entry
from tournaments.selectors.waiting import place_in_queue

pytestmark = pytest.mark.django_db


def entered(tournament) -> list[str]:
    return list(
        Entry.objects.filter(division__event=tournament.event).order_by("pk").values_list("name", flat=True)
    )


def test_name_when_nobody_has_it_then_a_new_player_is_entered() -> None:
    tournament = an_event()
    answer = desk_of(tournament).post("add-entry", name="  Ann   Abell ", player="")
    assert answer.status_code == 302
    assert entered(tournament) == ["Ann Abell"]


def test_name_when_somebody_has_it_then_the_director_is_asked_who_is_meant() -> None:
    earlier = an_event(2)
    tournament = an_event(club=earlier.club, director=earlier.director)
    desk = desk_of(tournament)
    answer = desk.post("add-entry", name="ánn", player="")
    assert answer.status_code == 200
    assert "A player called “ánn” already exists" in words(answer)
    assert Player.objects.count() == 2
    ann = Player.objects.get(name="Ann")
    assert desk.post("add-entry", name="ánn", player=ann.public_id).status_code == 302
    assert entered(tournament) == ["Ann"]
    assert Player.objects.count() == 2


def test_entry_when_the_division_is_full_then_asks_and_does_what_is_chosen() -> None:
    tournament = an_event(4)
    cleo, dan = Entry.objects.order_by("pk")[2:]
    Entry.objects.filter(pk=dan.pk).update(status=EntryStatus.WAITING)
    Division.objects.filter(pk=tournament.division.pk).update(name="Open", capacity=4)
    desk = desk_of(tournament)
    asked = desk.post("add-entry", name="Eve Early", player="")
    assert asked.status_code == 409
    assert "3 of the 4 places in Open are taken. 1 entry on the waiting list would be skipped." in words(
        asked
    )
    assert "Add to waiting list" in words(asked)
    assert "Add anyway" in words(asked)
    assert 'name="name" value="Eve Early"' in asked.content.decode()
    assert entered(tournament) == ["Ann", "Bob", "Cleo", "Dan"]
    desk.post("add-entry", name="Eve Early", player="", when_full="add")
    assert tournament.entry("Eve Early").status == EntryStatus.ACTIVE
    desk.post("add-entry", name="Fay Far", player="", when_full="wait")
    assert place_in_queue(tournament.entry("Fay Far")) == 2
    trail = words(desk.get("audit"))
    assert (
        "1 entry added to Open, where 3 of 4 places were taken. 1 entry on the waiting list was skipped."
        in trail
    )
    desk.post("withdraw", entry=cleo.public_id)  # the place goes to whoever waits longest
    assert Entry.objects.get(pk=dan.pk).status == EntryStatus.ACTIVE
    assert "The division would then be 1 entry over its limit." in words(
        desk.post("return", entry=cleo.public_id)
    )
    desk.post("return", entry=cleo.public_id, when_full="wait")
    assert place_in_queue(tournament.entry("Cleo")) == 2  # behind Fay, who waited, though Cleo entered first


def test_name_when_new_is_chosen_explicitly_then_there_are_two_players_of_it() -> None:
    earlier = an_event(2)
    tournament = an_event(club=earlier.club, director=earlier.director)
    desk_of(tournament).post("add-entry", name="Ann", player="new")
    assert Player.objects.filter(name="Ann").count() == 2


def test_name_when_it_is_part_of_others_then_the_plain_search_step_shows_them() -> None:
    earlier = an_event()
    desk_of(earlier).post("add-entry", name="Ann Abell", player="")
    tournament = an_event(club=earlier.club, director=earlier.director)
    answer = desk_of(tournament).post("add-entry", name="abell", player="")
    assert "Ann Abell" in words(answer)
    assert entered(tournament) == []


def test_player_when_entered_already_then_refused_with_the_name_kept() -> None:
    tournament = an_event(2)
    ann = Player.objects.get(name="Ann")
    answer = desk_of(tournament).post("add-entry", name="Ann", player=ann.public_id)
    assert answer.status_code == 422
    assert "Ann is already entered." in words(answer)
    assert 'value="Ann"' in answer.content.decode()


def test_player_when_unlisted_and_of_another_club_then_nobody_finds_or_enters_them() -> None:
    foreign = an_event(1)
    Player.objects.update(listed=False)
    hidden = Player.objects.get()
    tournament = an_event()
    desk = desk_of(tournament)
    assert desk.get("players-json", q="ann").json() == {"results": []}
    assert desk.post("add-entry", name="Ann", player=hidden.public_id).status_code == 404
    assert foreign.club != tournament.club


def test_combobox_when_asked_then_says_who_is_entered() -> None:
    tournament = an_event(2)
    (found,) = desk_of(tournament).get("players-json", q="ANN").json()["results"]
    assert found["text"] == "Ann"
    assert "already entered" in found["note"]


def test_name_when_empty_or_without_a_letter_then_told_so() -> None:
    desk = desk_of(an_event())
    assert desk.post("add-entry", name="  ", player="").status_code == 422
    answer = desk.post("add-entry", name="!!!", player="")
    assert answer.status_code == 422
    assert "Enter a name with at least one letter." in words(answer)


def test_entry_when_the_draw_is_made_then_conflict_with_the_state() -> None:
    tournament = an_event(4).draw()
    answer = desk_of(tournament).post("add-entry", name="Zoe", player="")
    assert answer.status_code == 409
    assert "The draw has been made." in words(answer)
    assert "Drawn" in words(answer)


def test_entry_when_withdrawn_twice_then_once_and_told_so_and_can_return() -> None:
    tournament = an_event(3)
    desk = desk_of(tournament)
    ann = tournament.entry("Ann").public_id
    assert desk.post("withdraw", entry=ann).status_code == 302
    assert desk.post("withdraw", entry=ann).status_code == 409
    assert "Reinstate" in words(desk.get("entries"))
    assert desk.post("return", entry=ann).status_code == 302
    assert tournament.entry("Ann").status == "active"


def test_registration_when_opened_renewed_closed_then_the_link_follows() -> None:
    tournament = an_event()
    desk = desk_of(tournament)
    desk.post("registration", do="open")
    first = desk.get("entries").content.decode()
    assert "http://testserver/join/" in first
    assert "<svg" in first
    desk.post("registration", do="renew")
    second = desk.get("entries").content.decode()
    old = first.split("http://testserver/join/")[1].split("/")[0]
    assert old not in second
    desk.post("registration", do="close")
    assert "/join/" not in desk.get("entries").content.decode()
    assert desk.post("registration", do="dance").status_code == 404


# --- a pasted list --------------------------------------------------------------------------------------------------


def test_list_when_pasted_then_everybody_has_a_meaning_and_nobody_is_entered_yet() -> None:
    earlier = an_event(3)
    tournament = an_event(club=earlier.club, director=earlier.director)
    desk = desk_of(tournament)
    desk.post("add-entry", name="Bob", player=Player.objects.get(name="Bob").public_id)
    desk_of(earlier).post("add-entry", name="Cleo", player="new")
    answer = desk.post(
        "paste", list="1. Ann\n2. Bob\n3. Cleo\n4. Newman, Nora\n5. ANN\n---\nThanks!\n", step="look"
    )
    text = words(answer)
    assert answer.status_code == 200
    for meaning in (
        "1 to be decided",
        "1 known",
        "1 new",
        "1 twice on the list",
        "1 already entered",
        "1 line skipped",
    ):
        assert meaning in text
    assert 'value="Nora Newman"' in answer.content.decode()
    assert entered(tournament) == ["Bob"]


def test_list_when_somebody_is_undecided_then_nobody_is_entered_and_nothing_is_lost() -> None:
    earlier = an_event(1)
    desk_of(earlier).post("add-entry", name="Ann", player="new")
    tournament = an_event(club=earlier.club, director=earlier.director)
    desk = desk_of(tournament)
    sent = {"list": "Ann\nZoe", "step": "enter", "name-1": "Zoë", "note-1": "comes late"}
    answer = desk.post("paste", **sent)
    assert answer.status_code == 422
    assert "Choose a player" in words(answer)
    page = answer.content.decode()
    assert "Ann\nZoe" in page
    assert 'value="Zoë"' in page
    assert 'value="comes late"' in page
    assert entered(tournament) == []
    chosen = Player.objects.filter(name="Ann").last()
    answer = desk.post("paste", **sent, **{"who-0": chosen.public_id})
    assert answer.status_code == 302
    assert entered(tournament) == ["Ann", "Zoë"]
    assert Entry.objects.get(division__event=tournament.event, name="Ann").players.get() == chosen


def test_list_when_lines_are_left_out_or_somebody_new_then_so_it_is() -> None:
    earlier = an_event(2)
    tournament = an_event(club=earlier.club, director=earlier.director)
    desk_of(tournament).post(
        "paste",
        list="Ann\nBob\nZoe\nYan",
        step="enter",
        **{"who-0": "new", "out-1": "1", "out-2": "1"},
    )
    assert entered(tournament) == ["Ann", "Yan"]
    assert Player.objects.filter(name="Ann").count() == 2


def test_list_when_sent_twice_then_entered_once() -> None:
    tournament = an_event()
    desk = desk_of(tournament)
    assert desk.post("paste", list="Ann\nBob", step="enter").status_code == 302
    again = desk.post("paste", list="Ann\nBob", step="enter", seen="0")
    assert again.status_code == 409
    assert "New entries were added in the meantime: Ann, Bob." in words(again)
    assert "2 already entered" in words(again)
    assert desk.post("paste", list="Ann\nBob", step="enter").status_code == 422
    assert entered(tournament) == ["Ann", "Bob"]


def test_list_when_empty_or_far_too_long_then_told_so() -> None:
    desk = desk_of(an_event())
    assert desk.post("paste", list=" \n ", step="look").status_code == 422
    assert desk.post("paste", list="a\n" * 150_000, step="look").status_code == 422
    page = desk.post("paste", list="\n".join(f"Ann {number}" for number in range(2001)), step="look")
    assert page.status_code == 422
    assert "it has 2001 lines. Paste up to 2000 lines at a time." in words(page)


def test_list_when_it_has_1024_names_then_shown_and_entered_in_a_bounded_number_of_statements() -> None:
    tournament = an_event()
    desk = desk_of(tournament)
    text = "\n".join(f"{n}. Person{n:04d}, Given" for n in range(1, 1025))
    with CaptureQueriesContext(connection) as shown:
        assert desk.post("paste", list=text, step="look").status_code == 200
    with CaptureQueriesContext(connection) as entered:
        assert desk.post("paste", list=text, step="enter").status_code == 302
    assert Entry.objects.count() == 1024
    # Bulk statements are split by the database's limit on parameters, not by the number of names alone.
    assert len(shown) < 30
    assert len(entered) < 78


# --- seeds ----------------------------------------------------------------------------------------------------------


def seeds(tournament, **numbers: object) -> dict[str, object]:
    return {f"seed-{tournament.entry(name).public_id}": value for name, value in numbers.items()}


def test_seeds_when_saved_then_all_at_once_and_shown() -> None:
    tournament = an_event(4, draw_method="seeded")
    desk = desk_of(tournament)
    assert desk.post("seeds", do="save", **seeds(tournament, Ann=2, Bob=1)).status_code == 302
    assert (tournament.entry("Ann").seed, tournament.entry("Bob").seed, tournament.entry("Cleo").seed) == (
        2,
        1,
        None,
    )
    desk.post("seeds", do="save", **seeds(tournament, Ann=1, Bob=2))
    assert (tournament.entry("Ann").seed, tournament.entry("Bob").seed) == (1, 2)
    desk.post("seeds", do="clear")
    assert tournament.entry("Ann").seed is None


@pytest.mark.parametrize("typed", ["0", "99", "x", "٣", "1.5", "-1"])
def test_seed_when_odd_then_refused_beside_the_field_and_kept(typed: str) -> None:
    tournament = an_event(3)
    answer = desk_of(tournament).post("seeds", do="save", **seeds(tournament, Ann=typed, Bob=2))
    assert answer.status_code == 422
    assert "Enter a seed between 1 and 3." in words(answer)
    assert f'value="{typed}"' in answer.content.decode()
    assert tournament.entry("Bob").seed is None


def test_seed_when_given_twice_then_refused() -> None:
    tournament = an_event(3)
    answer = desk_of(tournament).post("seeds", do="save", **seeds(tournament, Ann=1, Bob=1))
    assert "Seed 1 is used twice." in words(answer)


def test_seeds_when_taken_from_a_list_without_ratings_then_nobody_has_one() -> None:
    tournament = an_event(3)
    from rating.selectors import club_lists

    (rating_list,) = club_lists(tournament.club.pk)
    answer = desk_of(tournament).post("seeds", do="rating", list=rating_list.public_id)
    assert answer.status_code == 200
    assert tournament.entry("Ann").seed is None


def test_seeds_when_the_field_is_full_then_all_are_saved_at_once() -> None:
    tournament = an_event(1024, draw_method="seeded")
    fields = {f"seed-{entry.public_id}": n for n, entry in enumerate(Entry.objects.order_by("pk"), start=1)}
    assert desk_of(tournament).post("seeds", do="save", **fields).status_code == 302
    assert Entry.objects.filter(seed__isnull=False).count() == 1024


def test_entries_when_the_event_is_called_off_then_the_page_says_so() -> None:
    tournament = an_event(3)
    desk = desk_of(tournament)
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.CANCEL)
    page = words(desk.get("entries"))
    assert "This event is cancelled, so its entries cannot be changed." in page
    assert "The draw is published" not in page
