"""The forecast of an event from its own matches: brackets, rounds to come, stages not drawn, tables, pace."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from tests.factories import Night, an_event
from tests.support.rounds import then
from tournaments.engine.stages.feeding import Feeding, Taken
from tournaments.engine.statuses import MatchAction
from tournaments.hall.services.calling import call_next, move_match
from tournaments.hall.services.tables import set_table_use
from tournaments.models import Match, Stage
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.hall.forecast import EventForecast, forecast_of, rounded, shown_end, worked_out

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
MINUTE = timedelta(minutes=1)
FIVE = 5 * 8 * MINUTE  # a match to 5 at the usual pace


@pytest.fixture(autouse=True)
def _nothing_kept():
    cache.clear()


def tonight(entries: int, **changes) -> Night:
    today = timezone.now().date()
    return an_event(entries, **{"lengths": [5], "starts_on": today, "ends_on": today, **changes})


def seen(night: Night, at: datetime | None = None) -> EventForecast:
    found = forecast_of(night.fresh(), at)
    assert found is not None
    return found


def left(night: Night, at: datetime | None = None) -> timedelta:
    """How long it still takes, as seen ``at``."""
    at = (at or timezone.now()).replace(second=0, microsecond=0)
    return seen(night, at).ends - at


def test_bracket_when_nothing_is_played_then_its_rounds_one_after_the_other():
    night = tonight(8).publish()
    assert left(night) == 3 * FIVE
    assert left(tonight(8, tables=1).publish()) == 7 * FIVE
    assert left(tonight(5).publish()) == 3 * FIVE


def test_table_when_taken_out_of_use_then_it_takes_longer():
    night = tonight(4, tables=2).publish()
    assert left(night) == 2 * FIVE
    set_table_use(actor=night.actor, event_id=night.event.pk, table=1, in_use=False)
    assert left(night) == 3 * FIVE


def test_match_when_it_has_begun_then_it_needs_the_rest_and_never_ends_in_the_past():
    night = tonight(2).publish()
    called = call_next(actor=night.actor, event_id=night.event.pk)[0].called_at
    begun = called.replace(second=0, microsecond=0)
    Match.objects.update(called_at=begun)
    assert left(night, begun + 10 * MINUTE) == FIVE - 10 * MINUTE
    assert seen(night, begun + 10 * MINUTE).ends == seen(night, begun + 20 * MINUTE).ends
    assert left(night, begun + 4 * FIVE) == 8 * MINUTE  # one point more


def test_pace_when_matches_are_slow_then_learned_from_them():
    night = tonight(8).publish()
    for match in night.playable():
        move_match(actor=night.actor, event_id=night.event.pk, match_id=match.pk, action=MatchAction.START)
        night.settle(match, "a")
    done = Match.objects.filter(status="confirmed")
    for match in done:
        ended = match.started_at + timedelta(minutes=60)
        Match.objects.filter(pk=match.pk).update(confirmed_at=ended, played_at=ended)
    found = seen(night)
    assert found.learned_from == 4
    assert found.seconds_a_point == (60 * 480 + 20 * 720) // 80
    Match.objects.update(result_kind="walkover")
    cache.clear()
    assert seen(night).learned_from == 0


def test_match_when_nobody_calls_then_it_begins_with_its_sides_and_a_table():
    night = tonight(4, tables=1).publish()
    Stage.objects.update(drawn_at=timezone.now() - 30 * MINUTE)
    at = timezone.now()
    assert timedelta(0) <= left(night, at) - (3 * FIVE - 30 * MINUTE) <= MINUTE
    call_next(actor=night.actor, event_id=night.event.pk)
    assert timedelta(0) <= left(night, at) - (3 * FIVE) <= MINUTE


def test_swiss_when_rounds_are_to_come_then_they_count():
    night = tonight(6, system="swiss", tables=3)
    found = pair_next_round(actor=night.actor, event_id=night.event.pk, stage_id=night.stage.pk)
    publish_round(actor=night.actor, event_id=night.event.pk, stage_id=night.stage.pk, seen=found.version)
    assert left(night) == 5 * FIVE
    Stage.objects.update(lengths=[5, 7])
    cache.clear()
    assert left(night) == 4 * FIVE + 7 * 8 * MINUTE


def test_stage_when_another_is_not_drawn_yet_then_it_counts_after_the_one_that_feeds_it():
    night = tonight(4).publish()
    Stage.objects.create(
        division=night.division, position=2, lengths=[5], fed_by=night.stage, takes=4, name="Knock-out"
    )
    assert left(night) == 4 * FIVE
    stages = seen(night).stages
    assert sorted(stage.ends - seen(night).ends for stage in stages.values()) == [-2 * FIVE, timedelta(0)]


def test_stage_of_losers_when_its_rounds_are_over_early_then_it_does_not_wait_for_the_end_of_the_others():
    night = tonight(4).publish()
    then(night, fed_by=1, takes=1, feed=Feeding(Taken.LOSERS))
    assert left(night) == 2 * FIVE  # the losers of round 1 play beside the final


def test_path_when_a_match_is_late_then_it_leads_to_the_end():
    night = tonight(4).publish()
    first, second = night.playable()
    move_match(actor=night.actor, event_id=night.event.pk, match_id=first.pk, action=MatchAction.START)
    Match.objects.filter(pk=first.pk).update(started_at=timezone.now() - 30 * MINUTE)
    final = Match.objects.get(stage=night.stage, status="waiting")
    assert seen(night).stages[night.stage.pk].path == (second.pk, final.pk)
    assert seen(night).begins[final.pk] == seen(night).ends - FIVE


@pytest.mark.parametrize(
    "days", [{"starts_on": date(2020, 1, 1), "ends_on": date(2020, 1, 1)}, {"ends_on": date(2099, 1, 1)}]
)
def test_event_when_long_past_or_a_league_then_there_is_no_forecast(days):
    night = tonight(4).publish()
    for name, value in days.items():
        setattr(night.event, name, value)
    assert forecast_of(night.event) is None


def test_event_when_it_is_over_or_not_begun_then_there_is_no_forecast():
    night = tonight(4)
    assert forecast_of(night.event) is None
    night.publish().play_out()
    assert forecast_of(night.event) is None
    assert shown_end(night.event) == ""


def test_end_when_shown_then_rounded_up_to_five_minutes():
    at = datetime(2026, 11, 21, 22, 36, 1, tzinfo=UTC)
    assert rounded(at) == datetime(2026, 11, 21, 22, 40, tzinfo=UTC)
    assert rounded(rounded(at)) == rounded(at)


@pytest.mark.parametrize("size", [8, 64])
def test_forecast_when_the_event_is_large_then_it_asks_no_more(size, django_assert_max_num_queries):
    night = tonight(size).publish()
    with django_assert_max_num_queries(4):
        worked_out(night.event, timezone.now())
    forecast_of(night.event)
    with django_assert_max_num_queries(0):
        forecast_of(night.event)


def test_length_of_it_all_when_nothing_has_begun_then_known_until_the_first_call():
    night = tonight(4).publish()
    assert seen(night, timezone.now() + 30 * MINUTE).ahead == 2 * FIVE  # waiting makes it no shorter
    call_next(actor=night.actor, event_id=night.event.pk)
    cache.clear()
    assert seen(night).ahead is None
