"""Events: what can be set up, and what is refused with every reason at once."""

from datetime import date

import pytest

from faults import Conflict, Invalid, NotAllowed
from people.actors import Actor
from people.messages import describe_all
from people.models import AuditEntry
from tests.factories import a_club, a_director, a_user, an_event
from tournaments.engine.statuses import EventAction
from tournaments.events.services.events import (
    EventDetails,
    change_event_status,
    create_event,
    set_registration,
    update_event,
)
from tournaments.events.services.stages import StageDetails, update_stage
from tournaments.models import Event
from tournaments.selectors.events.formats import match_format

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 20)


def details(**changes):
    return EventDetails(**{"name": "Open", "starts_on": DAY, "ends_on": DAY, **changes})


def test_create_event_when_all_is_well_then_draft_with_one_stage_and_audit_row():
    club = a_club()
    director = a_director(club)
    event = create_event(
        actor=Actor.of(director),
        club_id=club.pk,
        details=details(name="  Harbour   Open ", timezone="Europe/Helsinki"),
        stage=StageDetails(lengths=[5, 5, 7, 9]),
    )
    stage = event.divisions.get().stages.get()
    assert (event.name, event.status, event.timezone) == ("Harbour Open", "draft", "Europe/Helsinki")
    assert (stage.lengths, stage.system, stage.status) == ([5, 5, 7, 9], "single_elimination", "setup")
    assert AuditEntry.objects.get(action="event.create").actor == director


def test_create_event_when_everything_is_wrong_then_every_fault_is_told_and_nothing_is_written():
    club = a_club()
    with pytest.raises(Invalid) as refused:
        create_event(
            actor=Actor.of(a_director(club)),
            club_id=club.pk,
            details=details(
                name=" ", ends_on=date(2026, 11, 1), timezone="Mars/Olympus", tables=0, visibility="x"
            ),
            stage=StageDetails(lengths=[0, 120], system="ladder", draw_method="wheel", report_policy="coin"),
        )
    assert {fault.code for fault in refused.value.faults} == {
        "event.name_missing",
        "event.ends_before_start",
        "event.timezone_unknown",
        "event.tables_odd",
        "event.visibility_unknown",
        "length.too_short",
        "length.too_long",
        "stage.system_unknown",
        "stage.draw_unknown",
        "stage.policy_unknown",
    }
    assert all(describe_all(refused.value))
    assert not Event.objects.exists()


@pytest.mark.parametrize("day", [date(1, 1, 1), date(1999, 12, 31), date(2201, 1, 1), date.max])
def test_event_when_on_a_day_that_no_calendar_can_count_on_from_then_refused(day) -> None:
    user = a_user()
    with pytest.raises(Invalid) as refused:
        create_event(
            actor=Actor.of(user),
            club_id=a_club(user).pk,
            details=details(starts_on=day, ends_on=day),
            stage=StageDetails(lengths=[5]),
        )
    assert [(fault.code, fault.field) for fault in refused.value.faults] == [
        ("event.day_odd", "starts_on"),
        ("event.day_odd", "ends_on"),
    ]
    assert "2000 and 2200" in describe_all(refused.value)[0]


@pytest.mark.parametrize(
    ("options", "code", "rule"),
    [
        ({"jacoby": True}, "format.jacoby_in_match", "R40"),
        ({"beavers": True}, "format.beavers_in_match", "R41"),
        ({"raccoons": True, "beavers": True}, "format.raccoons_in_match", "F5"),
        ({"automatic_doubles": 1}, "format.automatic_doubles_in_match", "F5"),
        ({"crawford": False}, "stage.without_crawford", "F2"),
    ],
)
def test_create_event_when_a_match_asks_for_money_options_then_the_rule_is_named(options, code, rule):
    club = a_club()
    with pytest.raises(Invalid) as refused:
        create_event(
            actor=Actor.of(a_director(club)),
            club_id=club.pk,
            details=details(),
            stage=StageDetails(lengths=[7], options=options),
        )
    assert code in {fault.code for fault in refused.value.faults}
    assert any(rule in text for text in describe_all(refused.value))


@pytest.mark.parametrize("format_preset", ["money", "money_options", "no_such"])
def test_create_event_when_the_preset_is_not_for_matches_then_it_is_refused(format_preset):
    club = a_club()
    with pytest.raises(Invalid):
        create_event(
            actor=Actor.of(a_director(club)),
            club_id=club.pk,
            details=details(),
            stage=StageDetails(lengths=[7], format_preset=format_preset),
        )


def test_match_format_when_a_match_to_seven_then_crawford_without_jacoby_and_beavers():
    form = match_format(an_event().stage, 7)
    assert (form.length, form.crawford, form.jacoby, form.beavers) == (7, True, False, False)


def test_create_event_when_director_of_another_club_then_not_allowed():
    club, other = a_club(), a_club()
    with pytest.raises(NotAllowed):
        create_event(
            actor=Actor.of(a_director(other)),
            club_id=club.pk,
            details=details(),
            stage=StageDetails(lengths=[7]),
        )


def test_update_event_when_changed_then_version_rises_and_audit_has_before_and_after():
    tournament = an_event()
    version = tournament.event.version
    update_event(
        actor=tournament.actor, event_id=tournament.event.pk, details=details(name="Renamed", place="Hall")
    )
    assert tournament.fresh().version == version + 1
    row = AuditEntry.objects.get(action="event.update")
    assert row.data["before"]["name"] == "Club night"
    assert row.data["after"]["name"] == "Renamed"


def test_update_event_when_tables_are_added_to_a_running_one_then_waiting_matches_get_them():
    tournament = an_event(entries=8, tables=2).publish()
    assert [match.table for match in tournament.playable()] == [1, 2, None, None]
    update_event(actor=tournament.actor, event_id=tournament.event.pk, details=details(tables=3))
    assert [match.table for match in tournament.playable()] == [1, 2, 3, None]


def test_update_stage_when_drawn_then_refused_until_the_draw_is_thrown_away():
    tournament = an_event(entries=4).draw()
    with pytest.raises(Conflict) as refused:
        update_stage(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            stage_id=tournament.stage.pk,
            stage=StageDetails(lengths=[3]),
        )
    assert refused.value.code == "stage.already_drawn"


def test_set_registration_when_draft_then_the_event_opens():
    tournament = an_event()
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    assert (tournament.fresh().status, tournament.event.registration_open) == ("open", True)


def test_registration_when_the_only_draw_is_published_then_closed():
    tournament = an_event(entries=4)
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    tournament.publish()
    assert (tournament.fresh().status, tournament.event.registration_open) == ("running", False)


def test_set_registration_when_running_then_refused():
    tournament = an_event(entries=4).publish()
    with pytest.raises(Conflict):
        set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    assert not tournament.fresh().registration_open


def test_move_event_when_a_running_event_is_cancelled_and_restored_then_it_goes_on():
    tournament = an_event(entries=4).publish()
    for action, status in ((EventAction.CANCEL, "cancelled"), (EventAction.RESTORE, "running")):
        change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=action)
        assert tournament.fresh().status == status
    assert tournament.play_out().event.status == "finished"


def test_move_event_when_a_director_tries_to_finish_by_hand_then_refused():
    tournament = an_event(entries=4).publish()
    with pytest.raises(Invalid):
        change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.FINISH)


def test_services_when_the_actor_is_a_stranger_then_not_allowed_and_nothing_changes():
    tournament = an_event(entries=2)
    stranger = Actor.of(a_user())
    with pytest.raises(NotAllowed):
        change_event_status(actor=stranger, event_id=tournament.event.pk, action=EventAction.OPEN)
    assert tournament.fresh().status == "draft"
