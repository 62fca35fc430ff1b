"""Who is at the desk with several web processes and no Redis: the database joins them, and is written to now and then."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from people.models import Presence
from tests.factories import a_director, an_event
from tests.support.director import desk_of, words

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def writes(act) -> int:
    with CaptureQueriesContext(
        connection,
    ) as found:
        act()
    return sum("people_presence" in one["sql"] and one["sql"].startswith("INSERT") for one in found)


def test_desks_of_two_processes_when_nothing_is_shared_but_the_database_then_they_see_each_other():
    tournament = an_event(2, lengths=[5]).publish()
    desk, other = desk_of(tournament), desk_of(tournament, a_director(tournament.club, "Xenia Other"))
    cache.clear()
    assert writes(lambda: other.get("board")) == 1
    assert writes(lambda: [other.get("board") for _ in range(3)]) == 0
    assert writes(lambda: other.get("holdups")) == 0  # ten seconds for somebody who looks around
    cache.clear()  # another process, which has heard of nobody
    page = desk.get("at-desk")
    assert "Xenia Other (Matches)" in words(page)
    again = desk.client.get(desk.url("at-desk"), headers={"If-None-Match": page["ETag"]})
    assert again.status_code == 304
    assert writes(lambda: other.get("holdups")) == 1
    assert "Xenia Other (Delays)" in words(desk.get("at-desk"))
    assert Presence.objects.count() == 2
    Presence.objects.update(seen_at=timezone.now() - timedelta(minutes=4))
    cache.clear()
    assert "No other staff here at the moment." in words(desk.get("at-desk"))
