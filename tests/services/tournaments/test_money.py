"""A points league of money play: sessions are kept, add up to zero, can be struck out, and are never rated."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.messages import describe
from people.models import AuditEntry
from rating.models import Fact
from tests.factories import a_user, an_event
from tests.support.leagues import DAY, a_points_league
from tournaments.engine.standings.money import MoneySettings
from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.entries.services.entries import NewEntry, add_entry, withdraw_entry
from tournaments.models import MoneyScore, MoneySession
from tournaments.money_play.services.sessions import (
    SessionDetails,
    finish_points_league,
    open_points_league,
    record_session,
    reopen_points_league,
    restore_session,
    strike_session,
    undo_open_points_league,
    update_money_settings,
)
from tournaments.selectors.money import points_league, points_league_settings

pytestmark = pytest.mark.django_db


def totals(league):
    return {
        row_name: row.points
        for row in points_league(league.stage).rows
        for row_name in [league.event.divisions.get().entries.get(pk=row.entry).name]
    }


def codes(error):
    return [fault.code for fault in error.value.faults]


def test_open_when_players_are_there_then_stage_and_event_run():
    league = a_points_league(is_open=False)
    open_points_league(**league.where)
    assert league.stage.status == StageStatus.RUNNING
    assert league.fresh().status == EventStatus.RUNNING
    with pytest.raises(Conflict):
        open_points_league(**league.where)


def test_open_when_nobody_is_entered_then_refused_and_nothing_changed():
    league = a_points_league(entries=0, is_open=False)
    with pytest.raises(Invalid) as refused:
        open_points_league(**league.where)
    assert codes(refused) == ["money.entries_few"]
    assert league.stage.status == StageStatus.SETUP
    assert league.fresh().status == EventStatus.DRAFT


def test_session_when_recorded_then_points_and_audit_are_there_and_the_version_rises():
    league = a_points_league()
    before = league.event.version
    session = league.session(Ann=8, Bob=-5, Cleo=-3)
    assert (session.number, session.struck_at) == (1, None)
    assert totals(league) == {"Ann": 8, "Dan": 0, "Cleo": -3, "Bob": -5}
    assert league.fresh().version == before + 1
    row = AuditEntry.objects.get(action="money.record")
    assert row.data["session"] == 1
    assert sorted(row.data["scores"].values()) == [-5, -3, 8]


def test_session_when_sent_twice_then_it_is_one():
    league = a_points_league()
    first = league.session("the same", Ann=2, Bob=-2)
    again = league.session("the same", Ann=2, Bob=-2)
    assert first == again
    assert MoneySession.objects.count() == 1
    assert totals(league)["Ann"] == 2


@pytest.mark.parametrize(("off", "code"), [(3, "money.sum_over"), (-4, "money.sum_under")])
def test_session_when_points_do_not_make_zero_then_told_by_how_much(off, code):
    league = a_points_league()
    with pytest.raises(Invalid) as refused:
        league.session(Ann=off + 7, Bob=-7)
    assert codes(refused) == [code]
    assert refused.value.faults[0].params == {"off": abs(off)}
    assert MoneySession.objects.count() == 0
    league.session(Ann=off + 7, Bob=-7, outsider=True)
    assert points_league(league.stage).sessions[0].outside == -off


def test_session_when_much_is_wrong_then_everything_is_told_at_once():
    league = a_points_league()
    tomorrow = timezone.localdate() + timedelta(days=2)
    with pytest.raises(Invalid) as refused:
        league.session(day=tomorrow, note="x" * 300, Ann=100_001)
    assert codes(refused) == [
        "money.day_to_come",
        "money.note_long",
        "money.too_few",
        "money.points_odd",
        "money.sum_over",
    ]
    with pytest.raises(Invalid) as refused:
        league.session(day=DAY - timedelta(days=1), Ann=1, Bob=-1)
    assert codes(refused) == ["money.day_outside"]
    with override("de"):
        assert date_format(DAY, "DATE_FORMAT") in describe(refused.value)


def test_session_when_somebody_else_recorded_one_meanwhile_then_told():
    league = a_points_league()
    league.session("first", seen=0, Ann=1, Bob=-1)
    with pytest.raises(Conflict) as refused:
        league.session("second", seen=0, Ann=1, Bob=-1)
    assert refused.value.code == "money.session_meanwhile"
    league.session("second", seen=1, Ann=1, Bob=-1)
    assert totals(league)["Ann"] == 2


def test_session_when_struck_out_and_restored_then_it_stops_and_starts_to_count():
    league = a_points_league()
    session = league.session(Ann=8, Bob=-8)
    strike_session(**league.where, session_id=session.pk)
    assert totals(league)["Ann"] == 0
    assert MoneyScore.objects.count() == 2
    with pytest.raises(Conflict):
        strike_session(**league.where, session_id=session.pk)
    restore_session(**league.where, session_id=session.pk)
    assert totals(league)["Ann"] == 8
    with pytest.raises(Conflict):
        restore_session(**league.where, session_id=session.pk)


def test_session_when_corrected_then_the_wrong_one_is_struck_and_the_new_one_counts():
    league = a_points_league()
    wrong = league.session(Ann=8, Bob=-8)
    right = league.session(Ann=6, Bob=-6, corrects=wrong.pk)
    wrong.refresh_from_db()
    assert wrong.struck_at is not None
    assert (right.number, totals(league)["Ann"]) == (2, 6)
    with pytest.raises(Conflict):
        league.session("once more", Ann=5, Bob=-5, corrects=wrong.pk)
    assert totals(league)["Ann"] == 6


def test_league_when_finished_then_the_event_is_over_and_can_go_on_again():
    league = a_points_league()
    with pytest.raises(Conflict) as refused:
        finish_points_league(**league.where)
    assert refused.value.code == "money.no_sessions"
    session = league.session(Ann=3, Bob=-3)
    finish_points_league(**league.where)
    assert league.fresh().status == EventStatus.FINISHED
    assert {str(place) for place in points_league(league.stage).places().values()} == {"1", "2"}
    assert all(place.settled for place in points_league(league.stage).places().values())
    for change in (strike_session, restore_session):
        with pytest.raises(Conflict):
            change(**league.where, session_id=session.pk)
    with pytest.raises(Conflict):
        league.session("late", Ann=1, Bob=-1)
    reopen_points_league(**league.where)
    assert league.fresh().status == EventStatus.RUNNING
    league.session("late", Ann=1, Bob=-1)


def test_league_when_started_by_mistake_then_it_can_be_taken_back():
    league = a_points_league()
    undo_open_points_league(**league.where)
    assert league.stage.status == StageStatus.SETUP
    assert league.fresh().status == EventStatus.OPEN
    open_points_league(**league.where)
    league.session(Ann=1, Bob=-1)
    with pytest.raises(Conflict) as refused:
        undo_open_points_league(**league.where)
    assert refused.value.code == "money.has_sessions"


def test_settings_when_changed_before_the_start_then_kept_and_afterwards_refused():
    league = a_points_league(is_open=False)
    assert points_league_settings(league.stage) == MoneySettings(jacoby=True, beavers=True)
    wanted = MoneySettings(jacoby=False, beavers=True, raccoons=True, automatic_doubles=1, min_sessions=3)
    update_money_settings(**league.where, settings=wanted)
    assert points_league_settings(league.stage) == wanted
    with pytest.raises(Invalid) as refused:
        update_money_settings(
            **league.where,
            settings=MoneySettings(beavers=False, raccoons=True, automatic_doubles=-1, min_sessions=0),
        )
    assert codes(refused) == [
        "money.doubles_odd",
        "money.min_sessions_odd",
        "money.raccoons_without_beavers",
    ]
    open_points_league(**league.where)
    with pytest.raises(Conflict):
        update_money_settings(**league.where, settings=MoneySettings())


def test_money_is_nobody_else_s_business():
    league, stranger = a_points_league(), Actor.of(a_user("Sam Stranger"))
    session = league.session(Ann=1, Bob=-1)
    where = {**league.where, "actor": stranger}
    details = SessionDetails(played_on=DAY, scores={})
    for attempt in (
        lambda: open_points_league(**where),
        lambda: undo_open_points_league(**where),
        lambda: finish_points_league(**where),
        lambda: reopen_points_league(**where),
        lambda: update_money_settings(**where, settings=MoneySettings()),
        lambda: record_session(**where, details=details, submission_key="k"),
        lambda: strike_session(**where, session_id=session.pk),
        lambda: restore_session(**where, session_id=session.pk),
    ):
        with pytest.raises(NotAllowed):
            attempt()


def test_what_belongs_to_another_league_is_missing():
    league, other = a_points_league(), a_points_league()
    theirs = other.session(Ann=1, Bob=-1)
    with pytest.raises(Missing):
        strike_session(**league.where, session_id=theirs.pk)
    scores = {other.entry("Ann").pk: 1, league.entry("Bob").pk: -1}
    with pytest.raises(Missing):
        record_session(
            **league.where, details=SessionDetails(played_on=DAY, scores=scores), submission_key="k"
        )
    bracket = an_event(entries=2)
    with pytest.raises(Conflict):
        open_points_league(actor=bracket.actor, event_id=bracket.event.pk, stage_id=bracket.stage.pk)


def test_player_when_the_league_runs_then_may_still_join_and_play():
    league = a_points_league()
    division = league.event.divisions.get()
    league.session(Ann=1, Bob=-1)
    add_entry(
        actor=league.actor, event_id=league.event.pk, division_id=division.pk, entry=NewEntry(name="Zoe")
    )
    league.session(Zoe=5, Ann=-5)
    withdraw_entry(actor=league.actor, event_id=league.event.pk, entry_id=league.entry("Bob").pk)
    assert totals(league) == {"Zoe": 5, "Cleo": 0, "Dan": 0, "Bob": -1, "Ann": -4}
    finish_points_league(**league.where)
    with pytest.raises(Conflict):
        add_entry(
            actor=league.actor, event_id=league.event.pk, division_id=division.pk, entry=NewEntry(name="Yan")
        )


def test_money_is_not_rated():
    league = a_points_league()
    league.session(Ann=8, Bob=-8)
    finish_points_league(**league.where)
    assert Fact.objects.count() == 0
