"""Until when the rounds of a league are to be played, and what is overdue."""

from datetime import date, timedelta

import pytest

from faults import Conflict, Invalid
from people.models import AuditEntry
from tests.factories import an_event
from tests.support.rounds import draw_at, publish_next, where
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.models import Round
from tournaments.rounds.services.deadlines import evenly_spaced_deadlines, set_deadlines
from tournaments.rounds.services.rounds import pair_next_round, unpublish_round
from tournaments.selectors.arranged import planned_deadlines
from tournaments.selectors.rounds.deadlines import overdue_matches

pytestmark = pytest.mark.django_db

FIRST = date(2026, 12, 1)


def a_league(entries=4, **settings):
    return an_event(
        entries,
        system="round_robin",
        lengths=[5],
        swiss=SwissSettings(**settings),
        starts_on=date(2026, 11, 20),
        ends_on=date(2027, 2, 20),
    )


def set_all(tournament, days=14):
    set_deadlines(**where(tournament), deadlines=dict(evenly_spaced_deadlines(FIRST, days, 3)))


def test_deadlines_when_set_before_the_rounds_are_published_then_each_gets_its_own():
    tournament = a_league()
    pair_next_round(**where(tournament), seed=1)
    set_all(tournament)
    publish_next(tournament)
    assert Round.objects.get().deadline == FIRST
    assert planned_deadlines(tournament.stage) == {
        2: FIRST + timedelta(days=14),
        3: FIRST + timedelta(days=28),
    }
    unpublish_round(**where(tournament))
    assert planned_deadlines(tournament.stage)[1] == FIRST


def test_deadlines_when_set_then_the_event_has_changed_and_the_trail_tells_it():
    tournament = a_league()
    before = tournament.fresh().version
    set_all(tournament)
    assert tournament.fresh().version == before + 1
    told = AuditEntry.objects.get(action="stage.deadlines").data["deadlines"]
    assert told["1"] == FIRST.isoformat()


def test_deadlines_when_everything_is_published_then_changed_there():
    tournament = a_league(all_at_once=True)
    publish_next(tournament)
    set_all(tournament)
    set_deadlines(**where(tournament), deadlines={2: None, 3: FIRST})
    assert list(Round.objects.order_by("number").values_list("deadline", flat=True)) == [FIRST, None, FIRST]


def test_overdue_when_the_day_has_passed_then_open_matches_alone_the_oldest_first():
    tournament = a_league(all_at_once=True)
    publish_next(tournament)
    set_all(tournament)
    tournament.settle(tournament.playable()[0], "a")
    assert overdue_matches(draw_at(tournament), FIRST) == ()
    assert len(overdue_matches(draw_at(tournament), FIRST + timedelta(days=1))) == 1
    late = overdue_matches(draw_at(tournament), FIRST + timedelta(days=15))
    assert [(one.match.round_number, one.deadline) for one in late] == [
        (1, FIRST),
        (2, FIRST + timedelta(days=14)),
        (2, FIRST + timedelta(days=14)),
    ]
    assert overdue_matches(draw_at(tournament), FIRST + timedelta(days=14))[1:] == ()


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({1: FIRST, 2: FIRST - timedelta(days=1)}, "deadline.before_earlier"),
        ({1: date(2126, 1, 1)}, "deadline.odd"),
        ({0: FIRST}, "deadline.odd"),
        ({101: FIRST}, "deadline.odd"),
    ],
)
def test_deadlines_when_odd_then_refused_and_nothing_is_kept(given, code):
    tournament = a_league()
    with pytest.raises(Invalid) as refused:
        set_deadlines(**where(tournament), deadlines=given)
    assert refused.value.code == code
    assert planned_deadlines(tournament.stage) == {}


def test_deadlines_when_the_stage_is_over_then_nothing_is_due():
    tournament = a_league(2)
    publish_next(tournament)
    tournament.play_out()
    with pytest.raises(Conflict) as refused:
        set_deadlines(**where(tournament), deadlines={1: FIRST})
    assert refused.value.code == "deadline.over"


@pytest.mark.parametrize("days", [-1, 121])
def test_spread_when_the_days_are_odd_then_refused(days):
    with pytest.raises(Invalid) as refused:
        evenly_spaced_deadlines(FIRST, days, 3)
    assert refused.value.code == "deadline.days_odd"
