"""An event once more: everything that is set comes along, nothing that happened."""

from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from faults import Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry
from tests.factories import a_club, a_director, an_event
from tournaments.check_in.services.windows import set_check_in
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.brackets.consolation import FlightKind
from tournaments.engine.matches.rulings import ClockRule, MatchConditions
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.elimination import BracketSettings, Flight
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.prizes import Prize, SectionPrizes
from tournaments.entries.services.entries import add_entries, withdraw_entry
from tournaments.entries.services.registration import approve_entries
from tournaments.events.services.divisions import DivisionDetails
from tournaments.events.services.events import EventDetails, create_event, details_of_event
from tournaments.events.services.stages import StageDetails, details_of_stage
from tournaments.models import CheckIn, Entry, EntryDetail, Event, Match, RoundPlan
from tournaments.series.services.copying import copy_event
from tournaments.store.arranged import write_deadlines

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
WEEK = timedelta(days=7)
SHORT = BracketSettings(flights=(Flight(FlightKind.PROGRESSIVE, (3, 5), rounds=2),))
SLOW = MatchConditions(clocks=ClockRule(delay=12, reserve_a_point=120, less_a_scored_point=60), rated=False)


def again(tournament, days=7, **more):
    day = tournament.event.starts_on + timedelta(days=days)
    return copy_event(actor=tournament.actor, event_id=tournament.event.pk, starts_on=day, **more)


def names_in(event, status):
    rows = Entry.objects.filter(division__event=event, status=status).order_by("pk")
    return list(rows.values_list("name", flat=True))


def test_event_when_copied_then_every_setting_comes_along_and_nothing_that_happened(clock):
    clock.shows(datetime(2026, 11, 17, 12, tzinfo=UTC))
    day = clock().date()
    club = a_club()
    actor = Actor.of(a_director(club))
    until = datetime(2026, 11, 17, 19, 30, tzinfo=ZoneInfo("Europe/Helsinki"))
    prizes = (SectionPrizes(places=(Prize(Decimal(50)),)),)
    source = create_event(
        actor=actor,
        club_id=club.pk,
        details=EventDetails(
            name="Tuesday", starts_on=day, ends_on=day + timedelta(days=1), place="Café", description="5 €", timezone="Europe/Helsinki",
            visibility="unlisted", tables=7, weight=Decimal("1.5"), requires=("photo",), opens_at=time(19), closes_at=time(23),
            break_from=time(20), break_until=time(20, 30), word_minutes=5,
        ),
        divisions=[
            DivisionDetails(name="Open", entries_until=until, capacity=16, reentries=2, stages=[
                StageDetails(name="Swiss", lengths=[5], system="swiss", swiss=SwissSettings(rounds=4, lives=2), conduct=SLOW, prizes=prizes),
                StageDetails(name="Final", lengths=[7, 9], draw_method="seeded", bracket=SHORT, fed_by=1, takes=4, report_policy="director_only"),
            ]),
            DivisionDetails(name="Jackpot", team_size=2, capacity=4, starts_when_full=True, stages=[StageDetails(lengths=[3])]),
        ],
    )  # fmt: skip
    source.currency, source.closed_tables, source.approves_all, source.registration_open = (
        "EUR",
        [2, 3],
        True,
        True,
    )
    source.save()
    open_division, _jackpot = source.divisions.all()
    open_division.prize_pool = Decimal(120)
    open_division.save()
    write_deadlines(open_division.stages.first(), {1: day + timedelta(days=1)})

    made = copy_event(actor=actor, event_id=source.pk, starts_on=day + WEEK).event

    was, now = details_of_event(source), details_of_event(Event.objects.get(pk=made.pk))
    assert now == was.__class__(
        **{
            **{name: getattr(was, name) for name in was.__slots__},
            "starts_on": day + WEEK,
            "ends_on": day + WEEK + timedelta(days=1),
        }
    )
    assert (made.currency, made.closed_tables, made.approves_all, made.status) == (
        "EUR",
        [2, 3],
        True,
        "draft",
    )
    assert (made.registration_open, made.follows) == (False, None)
    first, second = made.divisions.all()
    assert (first.name, first.capacity, first.reentries, first.prize_pool) == ("Open", 16, 2, Decimal(120))
    assert first.entries_until == until + WEEK
    assert (second.team_size, second.starts_when_full) == (2, True)
    stages = [*first.stages.all(), *second.stages.all()]
    before = [stage for division in source.divisions.all() for stage in division.stages.all()]
    assert [details_of_stage(one) for one in stages] == [details_of_stage(one) for one in before]
    assert stages[0].secret != before[0].secret
    plan = RoundPlan.objects.get(stage=stages[0])
    assert (plan.number, plan.deadline) == (1, day + WEEK + timedelta(days=1))
    row = AuditEntry.objects.get(action="event.copy")
    assert (row.data["before"], row.data["day"]) == ("Tuesday", "2026-11-17")


def test_swiss_that_ended_early_when_copied_then_as_many_rounds_as_were_set():
    tournament = an_event(system="swiss", swiss=SwissSettings(rounds=5), lengths=[3])
    stage = tournament.stage
    stage.rounds_settled = 2
    stage.save()
    assert again(tournament).event.divisions.get().stages.get().settings.swiss.rounds == 5


def test_people_when_wanted_then_expected_without_contacts_and_the_others_left_where_they_were():
    tournament = an_event(entries=6)
    gone = tournament.entry("Ann")
    EntryDetail.objects.create(
        entry=tournament.entry("Bob"), player=tournament.entry("Bob").players.get(), phone="1234", note="x"
    )
    Entry.objects.filter(pk=tournament.entry("Cleo").pk).update(party="car", seed=3)
    withdraw_entry(actor=tournament.actor, event_id=tournament.event.pk, entry_id=gone.pk)
    tournament.publish()
    playing = Match.objects.filter(stage__division__event=tournament.event, slots__entry__name="Dan").first()
    assert playing is not None
    Entry.objects.filter(pk=tournament.entry("Dan").pk).update(
        status="withdrawn"
    )  # after the draw: was there
    copied = again(tournament, people=True)
    assert (copied.people, copied.left_out) == (5, 0)
    assert names_in(copied.event, "expected") == ["Bob", "Cleo", "Dan", "Eva", "Finn"]
    cleo = Entry.objects.get(division__event=copied.event, name="Cleo")
    assert (cleo.party, cleo.seed, cleo.link_version) == ("car", None, 1)
    assert cleo.players.get() == tournament.entry("Cleo").players.get()
    assert not EntryDetail.objects.filter(entry__division__event=copied.event).exists()
    assert len(approve_entries(actor=tournament.actor, event_id=copied.event.pk)) == 5


def test_people_when_more_than_there_is_room_for_then_the_last_ones_wait_and_who_left_stays_away():
    tournament = an_event(entries=4)
    division = tournament.division
    division.capacity = 2
    division.save()
    away = tournament.entry("Bob").players.get()
    away.club_links.all().delete()
    away.listed = False
    away.save()
    copied = again(tournament, people=True)
    assert copied.left_out == 1
    assert names_in(copied.event, "expected") == ["Ann", "Cleo"]
    assert names_in(copied.event, "unseen") == ["Dan"]


def test_team_when_taken_over_then_its_own_name_stays():
    club = a_club()
    director = a_director(club)
    tournament = an_event(club=club, director=director)
    division = tournament.division
    division.team_size = 2
    division.save()
    teams = [
        NewEntry("Ann", partners=(NewEntry("Bob"),), team="The Points"),
        NewEntry("Cleo", partners=(NewEntry("Dan"),)),
    ]
    add_entries(actor=tournament.actor, event_id=tournament.event.pk, division_id=division.pk, entries=teams)
    copied = again(tournament, people=True)
    assert names_in(copied.event, "expected") == ["The Points", "Cleo & Dan"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"days": -1}, "again.past"),
        ({"days": 0}, "again.there_already"),
        ({"name": "n" * 121}, "event.name_long"),
        ({"divisions": []}, "division.none"),
        ({"divisions": [0]}, "division.unknown"),
    ],
)
def test_copy_when_it_cannot_be_then_the_reason_is_told_and_nothing_is_made(change, code):
    tournament = an_event()
    with pytest.raises((Invalid, Missing)) as refused:
        again(tournament, **change)
    assert [fault.code for fault in refused.value.faults] == [code]
    assert Event.objects.count() == 1


def test_copy_when_sent_twice_then_the_second_is_told_of_the_first():
    tournament = an_event()
    again(tournament)
    with pytest.raises(Invalid, match=r"again\.there_already"):
        again(tournament)
    assert Event.objects.count() == 2


def test_copy_when_clocks_are_put_forward_then_refused_and_a_cut_off_that_is_over_is_left_out(clock):
    tournament = an_event(timezone="Europe/Berlin", opens_at=time(2, 30))
    clock.shows(datetime(2027, 3, 20, 12, tzinfo=UTC))
    event = tournament.event
    event.starts_on = event.ends_on = clock().date()
    event.save()
    with pytest.raises(Invalid, match=r"event\.no_such_hour"):
        again(tournament, days=8)  # 28 March 2027, 02:30
    division = tournament.division
    division.entries_until = datetime(2027, 3, 14, 1, 30, tzinfo=UTC)
    division.save()
    assert again(tournament, days=1).is_cutoff_dropped
    event.opens_at = None
    event.save()
    with pytest.raises(Invalid, match=r"event\.no_such_hour"):
        again(tournament, days=14, name="Later")  # the cut-off would be 28 March, 02:30


def test_copy_when_somebody_else_asks_then_refused():
    tournament = an_event()
    with pytest.raises(NotAllowed):
        copy_event(
            actor=Actor.of(a_director(a_club())),
            event_id=tournament.event.pk,
            starts_on=tournament.event.starts_on + WEEK,
        )


def test_copy_has_the_check_ins_of_the_one_before_and_nobody_in_them(clock):
    tournament = an_event(entries=4, timezone="Europe/Berlin")
    where = {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "division_id": tournament.division.pk,
    }
    zone, day = ZoneInfo("Europe/Berlin"), tournament.event.starts_on
    opens = datetime.combine(day, time(9, 30), zone)
    set_check_in(**where, day=day, opens_at=opens, closes_at=opens + timedelta(minutes=45))
    copied = again(tournament, days=140).event  # in summer time, if the first was in winter
    found = CheckIn.objects.get(division__event=copied)
    assert found.day == day + timedelta(days=140)
    there = [at.astimezone(zone).time() for at in (found.opens_at, found.closes_at)]
    assert there == [time(9, 30), time(10, 15)]
    assert found.code != CheckIn.objects.get(division__event=tournament.event).code
    assert not found.here.exists()
    assert not integrity_faults(copied)
