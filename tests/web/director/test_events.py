"""Clubs and events: create, change, call off; the dashboard always knows the next step."""

from datetime import date, time

import pytest
from django.urls import reverse

from people.models import Club, Membership
from tests.factories import a_club, a_user, an_event
from tests.support.director import desk_of, event_fields, signed_in, words
from tournaments.engine.statuses import EntryStatus
from tournaments.models import Entry, Event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_account_when_new_then_first_steps_lead_to_a_club_and_an_event() -> None:
    client = signed_in(a_user("Nina New"))
    home = client.get(reverse("director:home"))
    assert "Three steps to your first event" in words(home)
    made = client.post(reverse("director:club-new"), {"name": "Turku BG", "city": "Turku", "country": "fi"})
    club = Club.objects.get()
    assert made["Location"] == reverse("director:event-new", args=[club.public_id])
    assert (club.country, club.memberships.get().role) == ("FI", "owner")
    made = client.post(reverse("director:event-new", args=[club.public_id]), event_fields())
    event = Event.objects.get()
    assert made["Location"] == reverse("director:event", args=[event.public_id])
    assert (event.timezone, event.tables, event.status) == ("Europe/Helsinki", 8, "draft")
    assert event.divisions.get().stages.get().lengths == [5, 5, 7, 9]
    assert "Friday night" in words(client.get(reverse("director:home")))


def test_club_when_the_form_is_wrong_then_faults_stand_beside_the_fields() -> None:
    client = signed_in(a_user())
    answer = client.post(reverse("director:club-new"), {"name": " ", "country": "1?", "website": "no site"})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"name", "country", "website"}
    assert not Club.objects.exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "n" * 121}, "name"),
        ({"ends_on": "2026-11-19"}, "ends_on"),
        ({"ends_on": "2029-11-19"}, "ends_on"),
        ({"starts_on": "soon"}, "starts_on"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"tables": "0"}, "tables"),
        ({"visibility": "secret"}, "visibility"),
        ({"lengths": "5, seven"}, "lengths"),
        ({"lengths": ""}, "lengths"),
        ({"lengths": "0, 5"}, "lengths"),
        ({"lengths": "5, 100"}, "lengths"),
        ({"lengths": ", ".join(["5"] * 17)}, "lengths"),
        ({"format_preset": "money"}, "format_preset"),
        ({"draw_method": "fixed"}, "draw_method"),
        ({"system": "ladder"}, "system"),
        ({"report_policy": "nobody"}, "report_policy"),
    ],
)
def test_event_when_something_is_wrong_then_fault_beside_the_field_and_nothing_lost(change, field) -> None:
    club = a_club()
    client = signed_in(club.memberships.get().user)
    answer = client.post(
        reverse("director:event-new", args=[club.public_id]),
        event_fields(description="Bring a board", **change),
    )
    assert answer.status_code == 422
    errors = {**answer.context["form"].errors, **answer.context["stage_form"].errors}
    assert set(errors) == {field}
    assert "Bring a board" in answer.content.decode()
    assert not Event.objects.exists()


def test_event_when_two_things_are_wrong_then_both_are_told_at_once() -> None:
    club = a_club()
    client = signed_in(club.memberships.get().user)
    answer = client.post(
        reverse("director:event-new", args=[club.public_id]),
        event_fields(ends_on="2026-11-01", lengths="0", timezone="Nowhere"),
    )
    errors = {**answer.context["form"].errors, **answer.context["stage_form"].errors}
    assert set(errors) == {"ends_on", "lengths", "timezone"}


@pytest.mark.parametrize(
    ("option", "rule"),
    [
        ({"jacoby": "on"}, "R40"),
        ({"beavers": "true"}, "R41"),
        ({"raccoons": "1"}, "F5"),
        ({"automatic_doubles": "1"}, "F5"),
        ({"crawford": "off"}, "F2"),
    ],
)
def test_event_when_a_match_shall_have_a_money_option_then_refused_by_the_rules_number(option, rule) -> None:
    club = a_club()
    client = signed_in(club.memberships.get().user)
    answer = client.post(reverse("director:event-new", args=[club.public_id]), event_fields(**option))
    assert answer.status_code == 422
    assert rule in str(answer.context["stage_form"].errors)
    assert not Event.objects.exists()


def test_time_zone_when_only_the_city_is_typed_then_found() -> None:
    club = a_club()
    client = signed_in(club.memberships.get().user)
    client.post(reverse("director:event-new", args=[club.public_id]), event_fields(timezone="new york"))
    assert Event.objects.get().timezone == "America/New_York"


def test_settings_when_a_section_is_saved_then_the_others_are_kept() -> None:
    tournament = an_event()
    desk = desk_of(tournament)
    fields = event_fields(name="Other night", starts_on="2026-12-01", ends_on="2026-12-02", tables="3")
    assert desk.post("settings", **fields).status_code == 302
    event = tournament.fresh()
    assert (event.name, event.ends_on, tournament.stage.lengths) == (
        "Other night",
        date(2026, 12, 2),
        [5, 5, 7, 9],
    )
    assert event.tables == an_event().event.tables, "the number of tables belongs to the schedule"
    stage = str(tournament.stage.pk)
    assert desk.post("stage", stage, **event_fields(lengths="3/5-7")).status_code == 302
    assert tournament.stage.lengths == [3, 5, 7]
    assert desk.get("settings-section", "nonsense").status_code == 404


def test_schedule_and_notifications_when_saved_then_kept_and_shown_beside_the_sections() -> None:
    tournament = an_event()
    desk = desk_of(tournament)
    assert 'name="word_minutes" value="15"' in desk.get("settings-section", "notifications").content.decode()
    hours = {"opens_at": "11:00", "closes_at": "22:00", "break_from": "13:00", "break_until": "14:00"}
    schedule = {"timezone": "Europe/Berlin", "tables": "7"}
    assert desk.post("settings-section", "schedule", **schedule, **hours).status_code == 302
    assert desk.post("settings-section", "notifications", word_minutes="5").status_code == 302
    assert desk.post("settings-section", "visibility", visibility="unlisted").status_code == 302
    event = tournament.fresh()
    assert (event.word_minutes, event.opens_at, event.break_until, event.tables) == (5, time(11), time(14), 7)
    shown = words(desk.get("settings"))
    for note in ("7 tables", "Up-next notice 5 minutes before", "Unlisted"):
        assert note in shown
    log = words(desk.get("audit"))
    assert "start of play: – → 11:00" in log
    assert "up-next notice, minutes: 15 → 5" in log
    assert desk.post("settings-section", "notifications", word_minutes="").status_code == 302
    assert (
        desk.post("settings-section", "schedule", **schedule, **dict.fromkeys(hours, "")).status_code == 302
    )
    event = tournament.fresh()
    assert (event.word_minutes, event.opens_at, event.break_from) == (15, None, None)


def test_two_directors_when_they_save_different_sections_then_no_conflict_and_both_kept() -> None:
    tournament = an_event()
    desk = desk_of(tournament)
    details = desk.get("settings").context["seen"]
    notices = desk.get("settings-section", "notifications").context["seen"]
    assert desk.post("settings", **event_fields(name="Hers"), seen=details).status_code == 302
    assert desk.post("settings-section", "notifications", word_minutes="9", seen=notices).status_code == 302
    late = desk.post("settings-section", "notifications", word_minutes="3", seen=notices)
    assert late.status_code == 409
    event = tournament.fresh()
    assert (event.name, event.word_minutes) == ("Hers", 9)


def test_settings_when_wrong_then_the_form_keeps_what_was_typed() -> None:
    tournament = an_event()
    answer = desk_of(tournament).post("settings", **event_fields(name="Kept", ends_on="2020-01-01"))
    assert answer.status_code == 422
    assert 'value="Kept"' in answer.content.decode()
    assert "Choose a last day on or after the first day." in words(answer)


def test_lengths_when_the_draw_is_made_then_conflict_and_no_form() -> None:
    tournament = an_event(4).draw()
    desk = desk_of(tournament)
    answer = desk.post("stage", str(tournament.stage.pk), **event_fields(lengths="3"))
    assert answer.status_code == 409
    assert "The draw has been made." in words(answer)
    assert desk.get("stage", str(tournament.stage.pk)).status_code == 302


def test_event_when_opened_closed_called_off_and_restored_then_follows() -> None:
    tournament = an_event()
    desk = desk_of(tournament)
    for page, status in (("open", "open"), ("close", "draft"), ("cancel", "cancelled"), ("restore", "draft")):
        assert desk.post(page).status_code == 302
        assert tournament.fresh().status == status


def test_event_when_called_off_then_a_page_asks_first_without_scripts() -> None:
    tournament = an_event(2)
    desk = desk_of(tournament)
    assert "Cancel this event?" in words(desk.get("cancel"))
    assert tournament.fresh().status == "draft"
    desk.post("cancel")
    assert desk.post("cancel").status_code == 409
    assert "Restore this event?" in words(desk.get("restore"))
    assert desk.get("cancel").status_code == 302


def test_dashboard_when_the_event_moves_on_then_names_the_next_step() -> None:
    tournament = an_event()
    desk = desk_of(tournament)

    def step() -> str:
        return desk.get("event").context["step"].title

    def attention() -> list[str]:
        return [row["title"] for row in desk.get("event").context["attention"]]

    assert step() == "Add entries"
    desk.post("paste", list="Eve\nFay", step="enter")
    Entry.objects.update(status=EntryStatus.PENDING)
    assert step() == "Approve entries"
    desk.post("paste", list="Ann\nBob\nCleo\nDan", step="enter")
    assert step() == "Make the draw"
    desk.post("make-draw", stage="1")
    assert step() == "Publish the draw"
    desk.post("change-draw", "publish", stage="1")
    tournament.fresh()
    assert step() == "Follow the matches"
    waiting = ["2 entries to approve"]
    assert attention() == waiting
    tournament.says(tournament.playable()[0], "a", 7, 3)
    assert attention() == ["1 result to confirm", *waiting]
    tournament.says(tournament.playable()[0], "b", 3, 7)
    assert [title.partition(",")[0] for title in attention()[:-1]] == ["Conflicting reports"]
    tournament.play_out()
    assert step() == "The event has finished"
    desk_of(an_event())
    other = an_event()
    desk_of(other).post("cancel")
    assert desk_of(other).get("event").context["step"].title == "This event is cancelled"


def test_home_when_something_waits_then_says_so_first() -> None:
    tournament = an_event(4).publish()
    match = tournament.playable()[0]
    tournament.says(match, "a", 7, 3)
    tournament.says(match, "b", 3, 7)
    text = words(desk_of(tournament).client.get(reverse("director:home")))
    assert "Needs your attention" in text
    assert "1 dispute" in text


def test_home_when_somebody_left_the_club_then_its_events_are_gone() -> None:
    tournament = an_event(2)
    Membership.objects.all().delete()
    assert "Club night" not in words(desk_of(tournament).client.get(reverse("director:home")))


def test_live_page_when_nothing_changed_then_304_and_when_it_did_then_anew() -> None:
    tournament = an_event(4).publish()
    desk = desk_of(tournament)
    for page in ("event", "board"):
        first = desk.get(page)
        again = desk.client.get(desk.url(page), headers={"if-none-match": first["ETag"]})
        assert again.status_code == 304
        tournament.says(tournament.playable()[0], "a", 7, 3)
        assert desk.client.get(desk.url(page), headers={"if-none-match": first["ETag"]}).status_code == 200
        tournament.says(tournament.playable()[0], None, 7, 3)


def test_new_event_when_the_zone_is_a_country_then_its_zone_or_a_choice_of_several() -> None:
    club = a_club()
    Club.objects.update(country="FI")
    client = signed_in(club.memberships.get().user)
    address = reverse("director:event-new", args=[club.public_id])
    page = client.get(address, {"template": "knock_out"})
    assert page.context["form"]["timezone"].value() == "Europe/Helsinki"
    assert page.context["guess_zone"]
    refused = client.post(address, event_fields(timezone="Brazil"))
    assert "“Brazil” has more than one time zone. Choose one: America/" in words(refused)
    assert not refused.context["guess_zone"]
    client.post(address, event_fields(timezone="Vereinigtes Königreich"))
    assert Event.objects.get().timezone == "Europe/London"
