"""Series of days, the table by points, and templates of a club's own."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.audience import Audience, override_audience
from people.models import AuditEntry
from tests.factories import a_club, a_director, an_event
from tests.support.tournaments import first_match
from tournaments.engine.series.points import PointsRule, PointsScale
from tournaments.engine.statuses import EventAction
from tournaments.engine.types import Claim
from tournaments.events.services.events import EventDetails, change_event_status, create_event
from tournaments.events.services.plan_json import plan_from_json, plan_to_json
from tournaments.events.services.plans import plan_from_event
from tournaments.events.services.templates import event_templates
from tournaments.models import ClubTemplate, Entry, Event, Series
from tournaments.repairs.services.correct import correct_result
from tournaments.selectors.series import series_view, visible_series
from tournaments.series.services.series import (
    create_series_events,
    series_version,
    set_event_series,
    update_series,
)
from tournaments.series.services.templates import (
    create_from_template,
    save_template,
    update_template,
    update_template_stage,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
WEEK = timedelta(days=7)


def days(tournament, *weeks):
    return [tournament.event.starts_on + WEEK * week for week in weeks]


def make(tournament, *weeks, **more):
    return create_series_events(
        actor=tournament.actor, event_id=tournament.event.pk, days=days(tournament, *weeks), **more
    )


def test_days_when_made_in_one_go_then_one_series_with_the_event_itself():
    tournament = an_event(entries=2, visibility="public")
    made = make(tournament, 3, 1, name="Tuesdays", people=True, opened=True)
    events = list(made.series.events.order_by("starts_on"))
    assert [event.starts_on for event in events] == days(tournament, 0, 1, 3)
    assert [event.status for event in events] == ["draft", "open", "open"]
    assert Entry.objects.filter(division__event__in=events, status="expected").count() == 4
    dated = AuditEntry.objects.get(action="series.days")
    assert (dated.club, dated.data["days"], dated.data["name"]) == (tournament.club, 2, "Tuesdays")
    assert make(tournament, 2).series == made.series


@pytest.mark.parametrize(
    ("weeks", "codes"),
    [
        ((), ["series.no_days"]),
        (tuple(range(1, 62)), ["series.many_days"]),
        ((2, 2, -1, 0), ["series.day_twice", "again.past", "again.there_already"]),
    ],
)
def test_days_when_any_is_wrong_then_each_reason_and_none_is_made(weeks, codes):
    tournament = an_event()
    with pytest.raises(Invalid) as refused:
        make(tournament, *weeks)
    assert [fault.code for fault in refused.value.faults] == codes
    assert not Series.objects.exists()
    assert Event.objects.count() == 1


def test_days_when_clocks_are_put_forward_on_one_then_it_is_named(clock):
    tournament = an_event(timezone="Europe/Berlin", opens_at=time(2, 30))
    clock.shows(datetime(2027, 3, 20, 12, tzinfo=UTC))
    Event.objects.update(starts_on=clock().date(), ends_on=clock().date())
    tournament.fresh()
    with pytest.raises(Invalid) as refused:
        create_series_events(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            days=[tournament.event.starts_on + timedelta(days=more) for more in (7, 8)],
        )
    assert [fault.params.get("day") for fault in refused.value.faults] == [date(2027, 3, 28)]


def test_days_when_two_directors_make_them_then_the_second_hears_which_are_there():
    tournament = an_event()
    make(tournament, 1, 2)
    with pytest.raises(Invalid) as refused:
        make(tournament, 2, 3)
    assert [fault.params["day"] for fault in refused.value.faults] == days(tournament, 2)
    assert Event.objects.count() == 3


def test_table_when_events_are_over_then_by_places_with_corrections_and_without_private_players():
    tournament = an_event(entries=2, lengths=[3])
    series = make(tournament, 1, people=False).series
    tournament.publish()
    match = first_match(tournament)
    tournament.settle(match, "a", 1)
    won, lost = (tournament.entry_at(match, side).name for side in "ab")

    def table(**more):
        view = series_view(series, **more)
        return [(row.rank, row.player.name, row.total) for row in view.table]

    assert table() == [(1, won, 10), (2, lost, 8)]
    assert [one.winners for one in series_view(series).over] == [(won,)]
    match.refresh_from_db()
    correct_result(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        claim=Claim(1, 3),
        submission_key="k",
    )
    assert table() == [(1, lost, 10), (2, won, 8)]
    player = tournament.entry(lost).players.get()
    player.shown_as = "hidden"
    player.save()
    with override_audience(Audience.PUBLIC):
        assert table() == [(1, won, 8)]
    assert table(directing=True) == [(1, lost, 10), (2, won, 8)]


def test_rule_when_changed_then_the_table_is_another_and_an_older_page_is_told():
    tournament = an_event(entries=4, lengths=[3])
    series = make(tournament, 1).series
    tournament.publish().play_out()
    seen = series_version(series)
    change = {"actor": tournament.actor, "club_id": tournament.club.pk, "series_id": series.pk, "name": "Cup"}
    update_series(rule=PointsRule(scale=PointsScale.HEADS), seen=seen, **change)
    series.refresh_from_db()
    assert sum(row.total for row in series_view(series).table) == 4 + 3 + 2 + 1
    with pytest.raises(Conflict, match=r"settings\.changed"):
        update_series(rule=PointsRule(), seen=seen, **change)
    with pytest.raises(Invalid, match=r"series\.points_rise"):
        update_series(rule=PointsRule((1, 2)), **change)
    assert "scale" in AuditEntry.objects.get(action="series.update").data["after"]


def test_series_when_no_event_of_it_is_public_then_its_directors_alone_see_it():
    tournament = an_event()
    series = make(tournament, 1).series
    assert visible_series(tournament.director, series.public_id).is_staff_only
    with pytest.raises(Missing):
        visible_series(None, series.public_id)
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.OPEN)
    assert not visible_series(None, series.public_id).is_staff_only
    set_event_series(actor=tournament.actor, event_id=tournament.event.pk, series_id=None)
    with pytest.raises(Missing):
        visible_series(None, series.public_id)


def test_series_when_of_another_club_then_no_event_of_ours_goes_there():
    tournament, other = an_event(), an_event(club=a_club())
    series = make(other, 1).series
    with pytest.raises(Missing):
        set_event_series(actor=tournament.actor, event_id=tournament.event.pk, series_id=series.pk)
    with pytest.raises(NotAllowed):
        update_series(
            actor=tournament.actor, club_id=other.club.pk, series_id=series.pk, name="Mine", rule=PointsRule()
        )


@pytest.mark.parametrize("template", [one.code for one in event_templates()])
def test_plan_when_kept_and_read_then_the_same(template):
    club = a_club()
    actor = Actor.of(a_director(club))
    day = datetime(2026, 11, 17, 19, tzinfo=UTC)
    details = EventDetails(
        name="X", starts_on=day.date(), ends_on=day.date(), opens_at=time(19), requires=("photo",)
    )
    divisions = next(one for one in event_templates() if one.code == template).divisions
    divisions = [replace(one, entries_until=day) for one in divisions]
    plan = plan_from_event(create_event(actor=actor, club_id=club.pk, details=details, divisions=divisions))
    again = plan_from_json(plan_to_json(plan))
    assert plan_to_json(again) == plan_to_json(plan)
    assert replace(again, divisions=()) == replace(
        plan, divisions=(), details=replace(plan.details, requires=("photo",))
    )
    assert [list(one.details.stages) for one in again.divisions] == [
        list(one.details.stages) for one in plan.divisions
    ]


def test_template_when_saved_changed_and_used_then_events_are_as_it_says():
    tournament = an_event(lengths=[5], name="Club night", tables=9)
    template = save_template(actor=tournament.actor, event_id=tournament.event.pk, name="Our night")
    mine = {"actor": tournament.actor, "club_id": tournament.club.pk, "template_id": template.pk}
    stage = plan_from_json(template.plan).divisions[0].details.stages[0]
    update_template_stage(**mine, division=1, number=1, stage=replace(stage, lengths=[7, 9]), seen=1)
    with pytest.raises(Conflict, match=r"settings\.changed"):
        update_template(**mine, name="Older", seen=1)
    with pytest.raises(Invalid, match=r"length\.too_long"):
        update_template_stage(**mine, division=1, number=1, stage=replace(stage, lengths=[700]))
    with pytest.raises(Missing):
        update_template_stage(**mine, division=1, number=2, stage=stage)
    said = replace(plan_from_json(template.plan).details, tables=3, place="Bar")
    update_template(**mine, name="Our night", sentence="On Tuesdays", details=said)
    made = create_from_template(**mine, starts_on=tournament.event.starts_on + WEEK)
    assert (made.name, made.tables, made.place, made.status) == ("Our night", 3, "Bar", "draft")
    assert made.divisions.get().stages.get().lengths == [7, 9]
    with pytest.raises(Invalid, match=r"again\.there_already"):
        create_from_template(**mine, starts_on=tournament.event.starts_on + WEEK)
    with pytest.raises(Invalid, match=r"template\.name_taken"):
        save_template(actor=tournament.actor, event_id=tournament.event.pk, name="our NIGHT")
    save_template(actor=tournament.actor, event_id=tournament.event.pk, replaced_id=template.pk)
    template.refresh_from_db()
    assert (template.name, template.sentence, template.version) == ("Our night", "On Tuesdays", 4)
    ClubTemplate.objects.update(plan={**template.plan, "v": 2})
    with pytest.raises(Conflict, match=r"template\.unreadable"):
        create_from_template(**mine, starts_on=tournament.event.starts_on)
