"""Pages of series and templates: days looked at before they are made, the table for everybody, templates offered first."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import an_event
from tests.support.director import desk_of, words
from tests.support.tournaments import first_match
from tournaments.models import ClubTemplate, Event, Series

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_days_when_looked_at_first_then_those_with_a_tick_are_made():
    tournament = an_event(entries=2)
    desk = desk_of(tournament)
    first = tournament.event.starts_on + timedelta(days=7)
    asked = {
        "name": "Tuesdays",
        "first": str(first),
        "rhythm": "weekly",
        "until": str(first + timedelta(days=14)),
        "more": f"{tournament.event.starts_on}\nsoon",
        "people": "on",
    }
    wrong = desk.post("days", **asked, do="look")
    assert (wrong.status_code, set(wrong.context["form"].errors)) == (422, {"more"})
    asked["more"] = str(tournament.event.starts_on)
    looked = desk.post("days", **asked, do="look")
    rows = looked.context["rows"]
    assert [(row.chosen, bool(row.fault)) for row in rows] == [(False, True), *[(True, False)] * 3]
    assert not Series.objects.exists()
    ticked = [rows[1].code, rows[3].code]
    shown = [row.code for row in rows]
    longer = desk.post(
        "days", **{**asked, "until": str(first + timedelta(days=21))}, do="look", shown=shown, day=ticked
    )
    assert [row.chosen for row in longer.context["rows"]] == [False, True, False, True, True]
    made = desk.post("days", **asked, do="create", shown=shown, day=ticked)
    series = Series.objects.get()
    assert made["Location"].endswith(f"/series/{series.public_id}/")
    assert series.events.count() == 3
    assert Event.objects.filter(starts_on=rows[2].day).count() == 0
    assert "Tuesdays: 2 dates created" in words(desk.client.get(f"/clubs/{tournament.club.public_id}/audit/"))


def test_series_page_when_an_evening_is_over_then_everybody_sees_table_and_winner_and_the_rule_can_change():
    tournament = an_event(entries=2, lengths=[3])
    desk = desk_of(tournament)
    days = [str(tournament.event.starts_on + timedelta(days=7))]
    asked = {"name": "Cup", "first": days[0], "rhythm": "", "opened": "on"}
    desk.post("days", **asked, do="create")
    series = Series.objects.get()
    tournament.publish()
    match = first_match(tournament)
    tournament.settle(match, "a", 1)
    winner = tournament.entry_at(match, "a").name
    page = Client().get(reverse("public:series", args=[series.public_id]))
    assert f"1 {winner} 10 1 10" in words(page)
    assert "Coming up" in words(page)
    assert "Cup" in words(Client().get(reverse("public:club", args=[tournament.club.public_id])))
    own = reverse("director:one-series", args=[tournament.club.public_id, series.public_id])
    form = {
        "name": "Cup",
        "scale": "list",
        "points": "3, 1",
        "ties": "better",
        "best": "1",
        "division": "",
        "seen": desk.client.get(own).context["seen"],
    }
    assert desk.client.post(own, form)["Location"] == own
    assert desk.client.post(own, form).status_code == 409
    assert f"1 {winner} 3 1 3" in words(desk.client.get(own))
    assert desk.client.post(own, {**form, "seen": "", "points": "1, 3"}).status_code == 422
    desk.post("event-series", series="")
    assert Client().get(reverse("public:series", args=[series.public_id])).status_code == 200
    assert f"1 {winner}" not in words(desk.client.get(own))


def test_template_when_saved_from_an_event_then_changed_stage_by_stage_and_offered_first():
    tournament = an_event(lengths=[5])
    desk, club = desk_of(tournament), tournament.club.public_id
    desk.post("save-template", name="Our night")
    template = ClubTemplate.objects.get()
    stage = reverse("director:template-stage", args=[club, template.public_id, 1, 1])
    form = {
        name: value
        for name, value in desk.client.get(stage).context["stage_form"].initial.items()
        if value not in (None, False)
    }
    assert desk.client.post(stage, {**form, "lengths": "7, 9", "seen": "1"}).status_code == 302
    assert desk.client.post(stage, {**form, "seen": "1"}).status_code == 409
    assert desk.client.post(stage, {**form, "lengths": "700"}).status_code == 422
    own = reverse("director:template", args=[club, template.public_id])
    said = {
        name: value
        for name, value in desk.client.get(own).context["form"].initial.items()
        if value not in (None, False)
    }
    assert desk.client.post(own, {**said, "sentence": "On Tuesdays", "tables": "3"}).status_code == 302
    assert "On Tuesdays" in words(desk.client.get(reverse("director:event-new", args=[club])))
    use = reverse("director:use-template", args=[club, template.public_id])
    assert "7, 9" in words(desk.client.get(use))
    made = desk.client.post(use, {"starts_on": str(tournament.event.starts_on), "name": "Tuesday"})
    event = Event.objects.get(name="Tuesday")
    assert made["Location"].endswith(f"/events/{event.public_id}/")
    assert (event.tables, event.divisions.get().stages.get().lengths) == (3, [7, 9])
