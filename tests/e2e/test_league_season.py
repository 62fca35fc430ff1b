"""A league season in real browsers: two divisions, deadlines, a match that nobody plays, the end, the season after it."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests.e2e.pages import Director, Phone, Spectator
from tests.factories import a_club, a_user
from tests.support.lanes import ONLY_IN_FULL
from tournaments.engine.statuses import EventStatus, MatchStatus
from tournaments.models import Event, Match, MatchSlot, Round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FIRST = ("Ann Ace", "Bob Bar", "Cleo Cube")
SECOND = ("Dan Double", "Eva Edge", "Finn Fan")


def open_matches(event):
    matches = Match.objects.filter(stage__division__event=event).exclude(
        status__in=[MatchStatus.CONFIRMED, MatchStatus.VOID]
    )
    return list(matches.order_by("stage__division__position", "number"))


def names_of(match):
    slots = MatchSlot.objects.filter(match=match).select_related("entry")
    return {slot.side: slot.entry.name for slot in slots}


def enters(director, division, names):
    """A pasted list of one division."""
    director.opens("entries")
    with director.page.expect_navigation():
        director.page.locator(".division-switch").get_by_role("link", name=division).click()
    director.follows("Import entries").fills(list="\n".join(names)).sends("Preview")
    with director.page.expect_navigation():
        director.page.get_by_role("button", name=f"Enter {len(names)} players").first.click()


@ONLY_IN_FULL
def test_a_league_season_with_deadlines_and_the_season_after_it(house):
    user = a_user("Lena League")
    a_club(user, "League Club")
    today = timezone.localdate()
    director = Director(house, "Lena").signs_in(user)
    director.goes_to(reverse("director:home")).follows("Create an event").follows("League season")
    director.page.locator("[name=divisions]").fill("Premier, Second")
    director.fills(name="League 2026", timezone="Europe/Helsinki", lengths="3")
    director.fills(starts_on=str(today - timedelta(days=30)), ends_on=str(today + timedelta(days=30)))
    director.sends("Create event").reads("League 2026")
    director.event = event = Event.objects.get(name="League 2026")
    assert [division.name for division in event.divisions.all()] == ["Premier", "Second"]
    enters(director, "Premier", FIRST)
    enters(director, "Second", SECOND)

    # Both divisions are drawn, all rounds are published at once, and the first is due already.
    for _division in range(2):
        director.opens("draw").sends("Draw all rounds")
    for _division in range(2):
        director.opens("draw").sends("Publish all rounds")
    assert Round.objects.filter(stage__division__event=event).count() == 6
    director.opens("draw")
    director.page.locator("summary", has_text="Deadlines").first.click()
    director.fills(first=str(today - timedelta(days=2)), days=14).sends("Set all rounds")
    director.opens("season").reads("6 matches have no result").reads("1 overdue")

    # Nobody waits for a table: the two of a match find a day themselves, and their phones say until when.
    director.opens("board").reads(
        "Matches are played by arrangement, without assigned tables."
    ).does_not_read("Call next match")
    assert not Match.objects.exclude(table=None).exists()
    cleo = Phone(house, "Cleo", event.divisions.first().entries.get(name="Cleo Cube")).opens()
    cleo.reads("Play this match by").reads("Agree on a time and place").does_not_read("waiting for a table")
    assert not cleo.visitor.scrolls_sideways()

    # Whoever comes first in the alphabet wins, and one match is never played.
    forgotten = open_matches(event)[0]
    for match in open_matches(event)[1:]:
        names = names_of(match)
        director.records(match, *((3, 1) if names["a"] < names["b"] else (1, 3)))
    watching = Spectator(house, "Walt", phone=True).watches(event)
    names = names_of(forgotten)
    winner = min(names.values())
    director.opens("season").reads("1 match has no result").follows("Unplayed matches").reads("Overdue")
    director.page.get_by_role("radio", name=f"{winner} wins by walkover").check()
    director.sends("Save selection").reads("1 match now has a result.").reads("The season is over")
    event.refresh_from_db()
    assert event.status == EventStatus.FINISHED
    watching.sees("relegated")
    assert watching.visitor.never_reloaded()
    watching.follows("Second").sees("promoted")
    assert not watching.visitor.scrolls_sideways()

    # Looked at, changed, looked at again, made.
    director.follows("Next season").reads("New divisions")
    expect(director.page.locator("[name=name]")).to_have_value("League 2027")
    preview = director.page.locator("#preview")
    expect(preview.locator("li", has_text="Dan Double")).to_contain_text("promoted")
    expect(preview.locator("li", has_text="Cleo Cube")).to_contain_text("relegated")
    director.page.locator("tr", has_text="Finn Fan").get_by_role("checkbox").check()
    director.fills(newcomers="Gil Gammon").sends("Reload")
    expect(preview.locator("li", has_text="Gil Gammon")).to_contain_text("new")
    expect(preview).not_to_contain_text("Finn Fan")
    director.sends("Create next season").reads("League 2027 has been created as a draft")
    following = Event.objects.get(follows=event)
    entered = {
        division.name: list(division.entries.order_by("pk").values_list("name", flat=True))
        for division in following.divisions.all()
    }
    assert entered == {
        "Premier": ["Ann Ace", "Bob Bar", "Dan Double"],
        "Second": ["Cleo Cube", "Eva Edge", "Gil Gammon"],
    }

    # Everybody sees the season after this one when it opens, and who has won until now.
    director.event = following
    director.opens("event").sends("Open for entries")
    watching.goes_to(reverse("public:event", args=[event.public_id])).reads("League 2027")
    watching.follows("All seasons and champions").reads("Ann Ace").reads("Dan Double")
    assert not watching.visitor.scrolls_sideways()
    assert parse_qs(urlsplit(watching.page.url).query) == {}


@ONLY_IN_FULL
def test_a_points_league_of_money_play(house):
    user = a_user("Mona Money")
    a_club(user, "Chouette Club")
    today = timezone.localdate()
    director = Director(house, "Mona").signs_in(user)
    director.goes_to(reverse("director:home")).follows("Create an event").follows("Money points league")
    director.fills(name="Chouette 2026", timezone="Europe/Helsinki")
    director.fills(starts_on=str(today - timedelta(days=30)), ends_on=str(today + timedelta(days=30)))
    director.sends("Create event").reads("Chouette 2026")
    director.event = event = Event.objects.get(name="Chouette 2026")
    director.pastes("Ann Ace", "Bob Bar", "Cleo Cube")
    director.opens("event").follows("Review and start").reads("Jacoby rule").sends("Start league")
    watching = Spectator(house, "Walt", phone=True).watches(event)
    director.may_see(422)

    def points(**said):
        for name, text in said.items():
            director.page.get_by_label(name, exact=False).first.fill(text)

    points(Ann="8", Bob="-5", Cleo="-2")
    director.sends("Save session").reads("The points add up to 1 too many")
    points(Cleo="−3")
    director.sends("Save session").reads("Session 1 saved.")
    watching.sees("Standings after 1 session")
    watching.sees("+8")
    assert not watching.visitor.scrolls_sideways()
    director.follows("Correct")
    points(Ann="6", Bob="-3")
    director.sends("Save corrected points").reads("Session 2 saved.").reads("cancelled")
    watching.sees("+6")
    director.page.locator("summary", has_text="End league").click()
    director.sends("Yes, end it").reads("The league is over.")
    watching.sees("Winner")
    assert watching.visitor.never_reloaded()
    watching.follows("Sessions").reads("By session")
    assert not watching.visitor.scrolls_sideways()
    event.refresh_from_db()
    assert event.status == EventStatus.FINISHED
