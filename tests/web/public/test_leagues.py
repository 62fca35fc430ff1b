"""A league on the public pages: who goes up and down, the seasons before and after, the champions."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.support.leagues import DAY, League, a_league
from tests.support.tournaments import signed_in, text_of
from tournaments.engine.statuses import EventAction
from tournaments.events.services.events import change_event_status
from tournaments.leagues.services.seasons import NextSeasonDetails, create_next_season, plan_next_season
from tournaments.selectors.leagues import load_season

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def seen(league, page="event", client=None, query="", **headers):
    client = client or Client(headers=headers)
    return client.get(reverse(f"public:{page}", args=[league.event.public_id]) + query)


def following(league, name="League 2027"):
    details = NextSeasonDetails(
        name=name, starts_on=DAY + timedelta(days=91), ends_on=DAY + timedelta(days=150), moving=[1]
    )
    planned = plan_next_season(load_season(league.event), details)
    made = create_next_season(
        actor=league.actor, event_id=league.event.pk, details=details, expected_version=planned.version
    )
    return League(made, league.director)


@pytest.mark.parametrize("page", ["event", "bracket"])
def test_table_when_some_move_then_marked_in_words(page):
    league = a_league("abc", "def").play_out()
    text = text_of(seen(league, page))
    assert "Cc Player ↓ relegated" in text
    assert "Aa Player ↓" not in text
    other = text_of(seen(league, page, query="?division=2" if page == "event" else "?stage=2"))
    assert "Dd Player ↑ promoted" in other
    assert "Cc Player" not in other


def test_table_when_nobody_moves_then_nothing_is_marked():
    league = a_league("abc", "def", moving=0).play_out()
    assert "goes" not in text_of(seen(league))


def test_table_when_a_place_is_shared_over_the_border_then_nobody_is_marked_on_it():
    league = a_league("abc", "def")
    league.next_rounds()  # nothing is played: all share all places
    assert "goes" not in text_of(seen(league))


def test_links_when_the_next_season_opens_then_the_old_page_changes_and_leads_there():
    league = a_league("abc", "def").play_out()
    before = seen(league)
    assert "League 2027" not in text_of(before)
    nxt = following(league)
    assert "League 2027" not in text_of(seen(league))  # a draft
    draft = seen(league, client=signed_in(league.director))
    assert "League 2027" not in text_of(
        draft
    )  # the page is the same for everybody; the director has one of their own
    assert "League 2026" in text_of(seen(nxt, client=signed_in(nxt.director)))
    change_event_status(actor=nxt.actor, event_id=nxt.event.pk, action=EventAction.OPEN)
    after = seen(league)
    assert after["ETag"] not in {before["ETag"], draft["ETag"]}
    assert "League 2027 →" in text_of(after)
    assert "← League 2026" in text_of(seen(nxt))


def test_seasons_when_played_then_the_champions_of_every_division_are_listed():
    first = a_league("abc", "def").play_out()
    second = following(first)
    text = text_of(seen(first, "seasons"))
    assert "League 2027" not in text
    second.play_out()
    text = text_of(seen(first, "seasons"))
    assert text.index("League 2027 Finished") < text.index("League 2026 Finished")
    told = text[text.index("League 2027 Finished") :]
    assert "Division 1 Aa Player Division 2 Cc Player" in told
    assert "Division 1 Aa Player Division 2 Dd Player" in told
    page = seen(second, "seasons")
    again = seen(second, "seasons", **{"if-none-match": page["ETag"]})
    assert (page.status_code, again.status_code) == (200, 304)


def test_seasons_when_the_event_stands_alone_then_the_page_is_short():
    league = a_league("abc")
    change_event_status(actor=league.actor, event_id=league.event.pk, action=EventAction.OPEN)
    text = text_of(seen(league, "seasons"))
    assert "not decided yet" in text


def test_seasons_when_there_are_many_then_they_ask_no_more(django_assert_max_num_queries):
    league = a_league("abc", "def").play_out()
    for year in range(2027, 2030):
        league = following(league, f"League {year}").play_out()
    cache.clear()
    with django_assert_max_num_queries(18):
        seen(league, "seasons")
