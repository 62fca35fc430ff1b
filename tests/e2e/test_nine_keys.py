"""Last Tuesday again: from the list of events to a published draw by nine keys, and nothing else is touched."""

import pytest

from tests.e2e.readers import violations
from tests.e2e.typists import Typist
from tests.factories import a_user, an_event
from tests.support.lanes import ONLY_IN_FULL
from tests.support.rounds import publish_next
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.statuses import EventStatus
from tournaments.models import Entry, Event, Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEYS = 9
KINDS = {
    "Swiss": {"system": "swiss", "lengths": [5], "swiss": SwissSettings(rounds=4)},
    "knock-out": {"lengths": [5, 5, 7]},
}


@ONLY_IN_FULL
@pytest.mark.parametrize("kind", KINDS)
def test_club_night_when_made_once_more_then_drawn_with_nine_keys(house, kind):
    user = a_user("Kim Keys")
    tournament = an_event(entries=12, director=user, **KINDS[kind])
    publish_next(tournament) if kind == "Swiss" else tournament.publish()
    tournament.play_out()
    kim = Typist(house, "Kim").signs_in(user)
    if "clubs" not in kim.page.url:
        kim.goes_to("/direct/")
    kim.reads("Your events")
    kim.keys = 0

    with kim.page.expect_navigation():
        kim.presses("c")  # once more: day, name and people are filled in
    kim.is_at("^button Duplicate event$")
    assert violations(kim.page) == []
    kim.enters()
    kim.is_at("^button Approve all$").enters()  # everybody is here
    kim.is_at("^button (Make the draw|Pair round 1)$").enters()
    kim.finds("^button Publish (the draw|round 1)$").enters()
    kim.reads("is published")

    print(kim.keys)
    assert kim.keys <= KEYS, kim.keys
    assert kim.used_no_mouse()
    copy = Event.objects.exclude(pk=tournament.event.pk).get()
    assert (copy.status, copy.name) == (EventStatus.RUNNING, tournament.event.name)
    assert (copy.starts_on - tournament.event.starts_on).days == 7
    assert Entry.objects.filter(division__event=copy, status="active").count() == 12
    assert Match.objects.filter(stage__division__event=copy).exists()
    assert integrity_faults(copy) == []
