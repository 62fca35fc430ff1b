"""Two directors of a league at once on PostgreSQL: one session, one next season, one of two rulings."""

from datetime import timedelta

import pytest

from tests.support.leagues import DAY, a_league, a_points_league
from tests.support.races import race
from tournaments.leagues.services.seasons import (
    NextSeasonDetails,
    UnplayedRuling,
    create_next_season,
    plan_next_season,
    rule_unplayed_matches,
)
from tournaments.models import Event, MoneySession, Report
from tournaments.selectors.leagues import load_season

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

EVENT_READ = 'FROM "tournaments_event" INNER JOIN "people_club"'
ONE_OF_TWO = ["Conflict", "NoneType"]


def ended(outcomes):
    return sorted(type(outcome.error).__name__ for outcome in outcomes)


def test_one_evening_when_two_record_it_at_once_then_the_second_is_asked_to_look():
    league = a_points_league()
    outcomes = race(
        lambda: league.session("mine", seen=0, Ann=8, Bob=-8),
        lambda: league.session("theirs", seen=0, Ann=8, Bob=-8),
        meet_after=EVENT_READ,
    )
    assert ended(outcomes) == ONE_OF_TWO
    assert MoneySession.objects.count() == 1


def test_one_form_when_sent_twice_at_once_then_one_session():
    league = a_points_league()
    outcomes = race(*[lambda: league.session("the same", seen=0, Ann=8, Bob=-8)] * 2, meet_after=EVENT_READ)
    assert [outcome.error for outcome in outcomes] == [None, None]
    assert MoneySession.objects.count() == 1


def test_next_season_when_two_make_it_at_once_then_there_is_one():
    league = a_league("abc", "def").play_out()
    details = NextSeasonDetails(
        name="League 2027", starts_on=DAY, ends_on=DAY + timedelta(days=9), moving=[1]
    )
    seen = plan_next_season(load_season(league.event), details).version

    def make():
        return create_next_season(
            actor=league.actor, event_id=league.event.pk, details=details, expected_version=seen
        )

    assert ended(race(make, make, meet_after=EVENT_READ)) == ONE_OF_TWO
    assert Event.objects.filter(follows=league.event).count() == 1


def test_unplayed_match_when_two_rule_it_differently_then_one_ruling_stands():
    league = a_league("abcd")
    league.next_rounds()
    match = league.unplayed()[0]

    def rule(ruling):
        return rule_unplayed_matches(
            actor=league.actor,
            event_id=league.event.pk,
            rulings={match.pk: ruling},
            submission_key=ruling.value,
        )

    outcomes = race(
        lambda: rule(UnplayedRuling.WALKOVER_A),
        lambda: rule(UnplayedRuling.WALKOVER_B),
        meet_after=EVENT_READ,
    )
    assert ended(outcomes) == ONE_OF_TWO
    assert Report.objects.filter(match=match).count() == 1
