"""The page of the check-in, the draw that asks who is missing, the code on the wall, and I am here on one's own page."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Assistance
from tests.factories import Tournament, a_user, an_event
from tests.support.director import Desk, desk_of, signed_in, words
from tournaments.check_in.services.windows import open_check_in
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import EntryStatus, StageStatus
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.models import CheckIn, EntryDetail, Here
from tournaments.selectors.access.links import display_key, entry_token
from tournaments.selectors.check_in import last_attendance_action

pytestmark = pytest.mark.django_db
QUICK = {"HTTP_X_REQUESTED_WITH": "desk"}


@pytest.fixture
def tournament(clock) -> Tournament:
    return an_event(8, lengths=[5])


@pytest.fixture
def desk(tournament) -> Desk:
    return desk_of(tournament)


def opened(tournament: Tournament) -> CheckIn:
    return open_check_in(
        actor=tournament.actor, event_id=tournament.event.pk, division_id=tournament.division.pk
    )


def ids(tournament: Tournament, *names: str) -> list[str]:
    return [tournament.entry(name).public_id for name in names]


def test_page_without_a_check_in_offers_one_and_the_tabs_show_none(tournament, desk):
    assert reverse("director:check-in", args=[tournament.event.public_id]) not in words(desk.get("event"))
    assert "Open check-in now" in words(desk.get("check-in"))
    desk.post("check-in-act", "open")
    page = words(desk.get("check-in"))
    assert "0 of 8 checked in" in page
    assert CheckIn.objects.get().code in page


def test_marks_from_the_list_by_button_ticks_and_all_but_the_ticked_ones(tournament, desk):
    opened(tournament)
    desk.post("check-in-act", "here", entry=ids(tournament, "Ann"))
    desk.post("check-in-act", "here", many="chosen", chosen=ids(tournament, "Bob", "Cleo"))
    everybody = [entry.public_id for entry in tournament.division.entries.all()]
    desk.post("check-in-act", "rest", many="rest", chosen=ids(tournament, "Dan", "Eva"), listed=everybody)
    page = words(desk.get("check-in"))
    assert "6 of 8 checked in" in page
    assert "Undo: Finn, Gil, Hana marked present" in page
    desk.post("check-in-act", "undo", row=last_attendance_action(CheckIn.objects.get())[0].pk)
    assert "3 of 8 checked in" in words(desk.get("check-in"))
    desk.post("check-in-act", "not-here", entry=ids(tournament, "Ann"))
    assert "2 of 8 checked in" in words(desk.get("check-in"))


def test_list_when_the_first_withdraws_and_the_last_comes_back_then_a_live_page_can_show_it(tournament, desk):
    opened(tournament)
    region = '<div id="check-in-withdrawn" data-live-region>'
    ann = ids(tournament, "Ann")[0]
    page = desk.get("check-in").content.decode()
    assert region in page
    assert "Withdrawn or left out" not in page
    desk.post("withdraw", entry=ann)
    page = desk.get("check-in").content.decode()
    assert "Reinstate Ann" in page.partition(region)[2]
    desk.post("return", **{"entry": ann, "from": "check-in"})
    page = desk.get("check-in").content.decode()
    assert region in page
    assert "Withdrawn or left out" not in page


def test_script_hears_whom_it_marked_and_why_not(tournament, desk):
    opened(tournament)
    url = reverse("director:check-in-act", args=[tournament.event.public_id, "code"])
    link = f"http://testserver/my/{entry_token(tournament.entry('Ann'))}/"
    first = desk.client.post(url, {"code": link}, **QUICK)
    assert first.json() == {"message": "Checked in: Ann", "entries": ids(tournament, "Ann")}
    assert desk.client.post(url, {"code": link}, **QUICK).json()["message"] == "Already checked in: Ann"
    odd = desk.client.post(url, {"code": "5901234123457"}, **QUICK)
    assert odd.status_code == 422
    assert "not a player’s code" in odd.json()["reasons"][0]


def test_unchanged_list_costs_a_304_and_opening_by_the_clock_changes_it(tournament, desk, clock):
    day = tournament.event.starts_on.isoformat()
    at = (clock.at + timedelta(minutes=10)).strftime("%H:%M")
    desk.post("check-in-act", "set", day=day, opens=at, closes="")
    assert "Check-in times saved." in words(desk.get("check-in"))
    page = desk.get("check-in")
    url = reverse("director:check-in", args=[tournament.event.public_id])
    assert "opens at" in words(page)
    assert desk.client.get(url, headers={"If-None-Match": page["ETag"]}).status_code == 304
    clock.moves(minutes=11)
    assert "open since" in words(desk.client.get(url, headers={"If-None-Match": page["ETag"]}))


def test_odd_times_are_shown_again_with_the_reason(tournament, desk):
    answer = desk.post("check-in-act", "set", day="2026-02-31", opens="25:00", closes="")
    assert answer.status_code == 422
    assert "Enter a date and times" in words(answer)
    assert 'value="25:00"' in answer.content.decode()


def test_helpers_mark_without_telephones_and_open_nothing(tournament, desk):
    opened(tournament)
    ann = tournament.entry("Ann")
    EntryDetail.objects.create(entry=ann, player=ann.players.get(), phone="+49 30 1234")
    helper = a_user("Hugo Helper")
    Assistance.objects.create(user=helper, club=tournament.club, scope=f"event:{tournament.event.pk}")
    theirs = desk_of(tournament, helper)
    page = words(theirs.get("check-in"))
    assert "+49 30 1234" in words(desk.get("check-in"))
    assert "+49 30 1234" not in page
    assert "Close check-in" not in page
    theirs.post("check-in-act", "here", entry=[ann.public_id])
    assert Here.objects.get().by == helper
    assert theirs.post("check-in-act", "close").status_code == 403


def test_draw_page_warns_leaves_out_with_one_tap_and_draws_anyway_whom_it_named(tournament, desk):
    opened(tournament)
    everybody = [entry.public_id for entry in tournament.division.entries.all()]
    page = words(desk.get("draw"))  # nobody is marked so far
    assert "Check players in first" in page
    assert "Leave them out" not in page
    refused = desk.post("check-in-act", "leave-out", stage="1", absent=everybody)
    assert (refused.status_code, "Check players in first" in words(refused)) == (409, True)
    desk.post("check-in-act", "rest", many="rest", chosen=ids(tournament, "Ann", "Bob"), listed=everybody)
    desk.post("make-draw", stage="1")
    page = words(desk.get("draw"))
    assert "2 entries are not checked in:" in page
    assert "Leave them out" in page
    assert "Publish the draw" not in page
    refused = desk.post("change-draw", "publish", stage="1")
    assert refused.status_code == 409
    assert "Ann, Bob" in words(refused)
    refused = desk.post("change-draw", "publish", stage="1", absent=ids(tournament, "Ann"))
    assert refused.status_code == 409
    desk.post("check-in-act", "leave-out", stage="1", absent=ids(tournament, "Ann", "Bob"))
    assert tournament.stage.status == StageStatus.SETUP
    assert tournament.entry("Ann").status == EntryStatus.WITHDRAWN
    desk.post("return", entry=tournament.entry("Bob").public_id)
    assert "1 entry is not checked in:" in words(desk.get("draw"))
    desk.post("make-draw", stage="1")
    desk.post("change-draw", "publish", stage="1", absent=ids(tournament, "Bob"))
    assert tournament.stage.status == StageStatus.PUBLISHED


def test_wall_shows_the_code_to_screens_of_the_hall_alone_while_it_is_open(tournament, desk):
    url = reverse("public:hall", args=[tournament.event.public_id])
    desk.post("open")
    assert display_key(tournament.event) == ""
    code = opened(tournament).code
    key = display_key(tournament.event)
    assert key in desk.get("screens").content.decode()
    assert code not in words(Client().get(url))
    assert code not in words(Client().get(f"{url}?hall=nosuchkey"))
    assert code in words(Client().get(f"{url}?hall={key}"))
    desk.post("check-in-act", "close")
    assert code not in words(Client().get(f"{url}?hall={key}"))


def test_own_page_says_i_am_here_with_the_code_of_the_hall_and_stops_guessing(tournament, desk):
    token = entry_token(tournament.entry("Ann"))
    home, url = reverse("player:home", args=[token]), reverse("player:here", args=[token])
    phone = Client()
    assert "I am here" not in words(phone.get(home))
    code = opened(tournament).code
    assert "I am here" in words(phone.get(home))
    wrong = phone.post(url, {"code": "BBBBB"})
    assert wrong.status_code == 422
    assert "The hall code is not correct" in words(wrong)
    assert 'value="BBBBB"' in wrong.content.decode()
    other = Client()
    for _ in range(10):
        other.post(reverse("player:here", args=[entry_token(tournament.entry("Bob"))]), {"code": "CCCCC"})
    late = other.post(reverse("player:here", args=[entry_token(tournament.entry("Bob"))]), {"code": code})
    assert late.status_code == 422
    assert "Too many attempts" in words(late)
    assert phone.post(url, {"code": code.lower()}).status_code == 302
    assert "You checked in at" in words(phone.get(home))
    assert "on own phone" in words(desk.get("check-in"))
    assert signed_in(tournament.director).get(home).status_code == 200


def test_player_says_by_their_account_that_they_are_here_and_a_stranger_does_not(tournament):
    player = tournament.entry("Ann").players.get()
    player.user = a_user("Ann Account")
    player.save()
    tournament.event.status = "open"
    tournament.event.save()
    check_in = opened(tournament)
    client, entry = signed_in(player.user), tournament.entry("Ann").public_id
    assert "Code on the screen in the hall" in words(client.get(reverse("player:me")))
    here = reverse("player:here-signed-in")
    assert client.post(here, {"entry": entry, "code": "WRONG"}).status_code == 422
    assert (
        client.post(here, {"entry": tournament.entry("Bob").public_id, "code": check_in.code}).status_code
        == 404
    )
    assert signed_in(a_user("Sam")).post(here, {"entry": entry, "code": check_in.code}).status_code == 404
    assert not Here.objects.exists()
    assert client.post(here, {"entry": entry, "code": check_in.code}).status_code == 302
    assert Here.objects.get().entry.name == "Ann"
    assert "You checked in at" in words(client.get(reverse("player:me")))


def test_undo_when_another_division_was_marked_since_then_only_the_own_one_is_undone(tournament, desk):
    """Two doors of one event: what one desk undoes is never the other's."""
    first_one = tournament.division
    other = add_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division=DivisionDetails(name="Beginners", stages=[StageDetails(lengths=[5])]),
        first_name="Open",
    )
    names = ["Uma", "Vic", "Wes", "Xia", "Yan"]
    add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=other.pk,
        entries=[NewEntry(name=name) for name in names],
    )
    for division in (first_one, other):
        open_check_in(actor=tournament.actor, event_id=tournament.event.pk, division_id=division.pk)
        everybody = [entry.public_id for entry in division.entries.all()]
        desk.post("check-in-act", "rest", division=division.pk, many="rest", listed=everybody)
    here = Here.objects.filter
    first, second = (
        f"{reverse('director:check-in', args=[tournament.event.public_id])}?division={division.pk}"
        for division in (first_one, other)
    )
    page, beside = desk.client.get(first), desk.client.get(second)
    assert "Undo: 8 marked present" in words(page)
    assert "Undo: 5 marked present" in words(beside)
    assert f'data-confirm="Undo: 5 marked present? {", ".join(names)}"' in beside.content.decode()
    row = last_attendance_action(CheckIn.objects.get(division=other))[0].pk
    refused = desk.client.post(
        reverse("director:check-in-act", args=[tournament.event.public_id, "undo"]),
        {"division": first_one.pk, "row": row},
        **QUICK,
    )
    assert refused.status_code == 404
    assert here().count() == 13
    row = last_attendance_action(CheckIn.objects.get(division=first_one))[0].pk
    desk.post("check-in-act", "undo", division=first_one.pk, row=row)
    assert (here(entry__division=first_one).count(), here(entry__division=other).count()) == (0, 5)
