"""The forecast of an event as a worker makes it and as pages read it: what is played through, what is learned, when it is due."""

from datetime import UTC, date, datetime, timedelta
from datetime import time as clock_time

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import Tournament, an_event
from tests.support.director import desk_of, words
from tests.support.rounds import then
from tournaments import tasks
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.engine.stages.feeding import Feeding, FeedPart
from tournaments.engine.statuses import MatchAction, MatchStatus
from tournaments.engine.types import Score
from tournaments.events.web.event_form import initial_values
from tournaments.hall.services.calling import call_next, move_match
from tournaments.hall.services.forecasts import update_forecast
from tournaments.hall.services.tables import set_table_use
from tournaments.matches.services.rulings import adjourn_match
from tournaments.models import Event, EventForecast, ForecastMark, Match, Stage
from tournaments.repairs.services.open_lines import close_reserved_lines
from tournaments.selectors.hall.calibration import Calibration, club_calibration
from tournaments.selectors.hall.due import events_due_for_forecast
from tournaments.selectors.hall.forecast import Forecast, forecast_version, load_end_forecast, load_forecast
from tournaments.selectors.hall.playing import load_forecast_input

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
FIVE = 5 * 8 * MINUTE  # a match to 5 at the usual pace


def tonight(entries: int, **changes) -> Tournament:
    today = timezone.now().date()
    return an_event(entries, **{"lengths": [5], "starts_on": today, "ends_on": today, **changes})


def made(tournament: Tournament, at: datetime | None = None) -> Forecast:
    update_forecast(event_id=tournament.event.pk, now=at)
    found = load_forecast(Event.objects.get(pk=tournament.event.pk), at)
    assert found is not None
    return found


def left(tournament: Tournament, at: datetime | None = None) -> timedelta:
    """How long it still takes, as worked out ``at``."""
    found = made(tournament, at)
    return found.ends.median - found.made_at


def start_all(tournament: Tournament, ago: timedelta = timedelta(0)) -> None:
    for match in tournament.playable():
        move_match(
            actor=tournament.actor, event_id=tournament.event.pk, match_id=match.pk, action=MatchAction.START
        )
    Match.objects.filter(status=MatchStatus.PLAYING).update(started_at=timezone.now() - ago)


def test_length_when_nothing_has_begun_then_known_before_the_draw_and_until_the_first_call():
    tournament = tonight(8)
    before = made(tournament)
    assert before.total_duration is not None
    assert (
        2 * FIVE
        < before.total_duration.first
        < before.total_duration.median
        < 4.5 * FIVE
        < before.total_duration.last
    )
    tournament.publish()
    drawn = made(tournament, timezone.now() + 30 * MINUTE)  # waiting makes it no shorter
    assert drawn.total_duration is not None
    assert abs(drawn.total_duration.median - before.total_duration.median) < 30 * MINUTE
    call_next(actor=tournament.actor, event_id=tournament.event.pk)
    begun = made(tournament, timezone.now() + 31 * MINUTE)
    assert begun.total_duration is None
    assert (
        begun.ends.first < begun.middle_half[0] < begun.ends.median < begun.middle_half[1] < begun.ends.last
    )


def test_table_when_taken_out_of_use_then_it_takes_longer():
    tournament = tonight(4, tables=2).publish()
    two = left(tournament)
    set_table_use(actor=tournament.actor, event_id=tournament.event.pk, table=1, in_use=False)
    assert left(tournament) > two * 1.2


def test_pace_when_matches_were_slow_then_learned_kept_and_known_to_the_next_event_of_the_club():
    tournament = tonight(8).publish()
    start_all(tournament)
    for match in tournament.playable():
        tournament.settle(match, "a")
    for match in Match.objects.filter(status="confirmed"):
        ended = match.started_at + timedelta(minutes=75)
        Match.objects.filter(pk=match.pk).update(confirmed_at=ended, played_at=ended)
    found = made(tournament)
    assert found.learned_from == 4
    assert found.seconds_a_point > 560
    assert found.takes(5) > FIVE * 1.15
    kept = EventForecast.objects.get().taught["5"]
    assert kept[0] == 4
    other = an_event(
        4, club=tournament.event.club, director=tournament.director, starts_on=tournament.event.starts_on
    )
    update_forecast(event_id=other.event.pk)
    later = load_end_forecast(other.fresh())
    assert later is not None
    assert later.seconds_a_point > 490
    assert later.learned_from == 0


def test_match_when_it_was_adjourned_to_tomorrow_then_the_event_ends_tomorrow():
    """Finding D5 of the desk."""
    tournament = tonight(4).publish()
    first, second = tournament.playable()
    tomorrow = timezone.now().date() + timedelta(days=1)
    tournament.settle(second, "a")
    adjourn_match(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=first.pk,
        adjourned=Adjournment(score=Score(2, 1), resumes_on=tomorrow, resumes_at=clock_time(10)),
        seen=Match.objects.get(pk=first.pk).version,
    )
    assert made(tournament).ends.first.date() == tomorrow
    assert made(tournament).begins[first.pk].first.hour == 10


def test_stage_when_another_is_not_drawn_yet_then_it_counts_after_the_one_that_feeds_it():
    tournament = tonight(4).publish()
    alone = left(tournament)
    Stage.objects.create(
        division=tournament.division,
        position=2,
        lengths=[5],
        fed_by=tournament.stage,
        takes=4,
        name="Knockout",
    )
    found = made(tournament)
    assert found.ends.median - found.made_at > 1.7 * alone
    first, second = (found.stages[pk].ends.median for pk in sorted(found.stages))
    assert first < second == found.ends.median


def test_stage_of_losers_when_its_rounds_are_over_early_then_it_does_not_wait_for_the_end_of_the_others():
    tournament = tonight(4).publish()
    then(tournament, fed_by=1, takes=1, feed=Feeding(FeedPart.LOSERS))
    found = made(tournament)
    main, losers = (found.stages[pk].ends.median for pk in sorted(found.stages))
    assert abs(losers - main) < FIVE / 2  # the losers of round 1 play beside the final


def test_path_when_a_match_began_long_before_then_it_leads_through_the_other():
    tournament = tonight(4).publish()
    first, second = tournament.playable()
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=first.pk, action=MatchAction.START
    )
    Match.objects.filter(pk=first.pk).update(started_at=timezone.now() - 30 * MINUTE)
    final = Match.objects.get(stage=tournament.stage, status="waiting")
    found = made(tournament)
    assert found.stages[tournament.stage.pk].path == (second.pk, final.pk)
    assert found.begins[final.pk].median < found.ends.median
    assert set(found.begins) == {first.pk, second.pk, final.pk}


@pytest.mark.parametrize(
    "days",
    [
        {"starts_on": date(2020, 1, 1), "ends_on": date(2020, 1, 1)},
        {"ends_on": timezone.now().date() + timedelta(days=30)},
    ],
)
def test_event_when_long_past_or_a_league_then_there_is_none(days):
    tournament = tonight(4, **days).publish()
    assert tournament.event.pk not in events_due_for_forecast(timezone.now())
    update_forecast(event_id=tournament.event.pk)
    assert load_forecast(tournament.fresh()) is None
    assert forecast_version(tournament.fresh()) == ""


def test_forecast_when_nothing_changed_then_not_due_until_matches_go_on_for_minutes():
    tournament = tonight(4).publish()
    now = timezone.now()
    assert events_due_for_forecast(now) == [tournament.event.pk]
    tasks.forecast(tournament.event.pk)
    assert events_due_for_forecast(now) == []
    assert events_due_for_forecast(now + 6 * MINUTE) == [tournament.event.pk]
    call_next(actor=tournament.actor, event_id=tournament.event.pk)
    assert events_due_for_forecast(now) == [tournament.event.pk]
    tasks.forecasts()  # asks for each; the broker of tests keeps the messages


def test_forecast_when_an_older_one_comes_late_then_the_newer_stays_and_a_lost_event_is_nothing():
    tournament = tonight(4).publish()
    made(tournament)
    assert not update_forecast(event_id=tournament.event.pk, now=timezone.now() - 5 * MINUTE)
    assert not update_forecast(event_id=0)


def test_event_when_it_is_over_then_learned_from_once_and_there_is_no_forecast():
    tournament = tonight(4).publish().play_out()
    assert events_due_for_forecast(timezone.now()) == [tournament.event.pk]
    tasks.forecast(tournament.event.pk)
    assert events_due_for_forecast(timezone.now()) == []
    assert load_forecast(tournament.fresh()) is None


def test_said_when_a_quarter_and_half_are_over_then_each_is_kept_once():
    tournament = tonight(8).publish()
    start_all(tournament, ago=20 * MINUTE)
    playable = tournament.playable()
    for match in playable[:2]:
        tournament.settle(match, "a")
    quarter = made(tournament)
    for match in playable[2:]:
        tournament.settle(match, "a")
    made(tournament)
    made(tournament, timezone.now() + 9 * MINUTE)
    kept = list(ForecastMark.objects.values_list("mark", "median"))
    assert [mark for mark, _ in kept] == [25, 50]
    assert kept[0][1] == quarter.ends.median


@pytest.mark.parametrize("size", [8, 64])
def test_forecast_when_the_event_is_large_then_it_asks_no_more(size, django_assert_max_num_queries):
    tournament = tonight(size).publish()
    with django_assert_max_num_queries(16):
        update_forecast(event_id=tournament.event.pk)
    event = tournament.fresh()
    with django_assert_max_num_queries(2):
        load_end_forecast(event)
        load_forecast(event)
        forecast_version(event)


def test_forecasts_of_a_club_when_events_are_over_then_held_against_their_ends_on_its_page(
    django_assert_num_queries,
):
    tournament = tonight(4).publish().play_out()
    over = max(Match.objects.filter(played_at__isnull=False).values_list("played_at", flat=True))
    at = {"event": tournament.event, "at": over - 3 * HOUR}
    ForecastMark.objects.create(mark=25, **at, first=over - HOUR, median=over - 20 * MINUTE, last=over + HOUR)
    ForecastMark.objects.create(
        mark=75, **at, first=over + 5 * MINUTE, median=over + 10 * MINUTE, last=over + HOUR
    )
    club = tournament.club
    with django_assert_num_queries(2):
        assert club_calibration(club) == [Calibration(25, 1, 20, 20, 1), Calibration(75, 1, 10, -10, 0)]
    page = desk_of(tournament).client.get(reverse("director:club", args=[club.public_id]))
    text = words(page)
    assert "20 minutes later than forecast" in text
    assert "10 minutes earlier than forecast" in text
    assert "0 of 1" in text


def test_hours_when_play_begins_later_then_the_end_is_known_before_and_odd_ones_are_refused(clock):
    clock.shows(datetime(2026, 11, 21, 12, tzinfo=UTC))
    tournament = tonight(4)
    desk = desk_of(tournament)
    form = {
        name: value if value is not None else "" for name, value in initial_values(tournament.event).items()
    }
    told = desk.post(
        "settings-section",
        "schedule",
        **form | {"opens_at": "19:00", "break_from": "20:00", "break_until": "19:30"},
    )
    assert told.status_code == 422
    assert "Enter both times of the break" in words(told)
    hours = {"opens_at": "19:00", "closes_at": "23:30"}
    assert desk.post("settings-section", "schedule", **form | hours).status_code == 302
    found = made(tournament)
    assert found.opens == datetime(2026, 11, 21, 19, tzinfo=UTC)
    assert found.total_duration is not None
    assert found.ends.median == found.opens + found.total_duration.median
    page = words(desk.get("event"))
    assert "Starts 21 November 2026 at 19:00. Expected to end about 2" in page


def test_matches_to_play_when_a_line_is_held_open_then_its_match_counts_until_it_is_closed():
    tournament = tonight(5, bracket=BracketSettings(open_lines=1)).publish()

    def ahead() -> int:
        found = load_forecast_input(tournament.fresh(), timezone.now())
        return sum(match.length > 0 for match in found.to_play)

    assert ahead() == 5
    close_reserved_lines(actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk)
    assert ahead() == 4
