"""What an event would take with other lengths, rounds and tables, and taking that over."""

import math
import random
import statistics
from dataclasses import replace
from datetime import time, timedelta

import pytest
from django.utils import timezone

from faults import Conflict, Invalid
from people.models import AuditEntry
from tests.factories import an_event
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.hall.hours import OpeningHours
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.events.services.how_long import Schedule, schedule_version, set_schedule
from tournaments.events.services.stages import add_stage
from tournaments.events.services.templates import event_template
from tournaments.models import Stage
from tournaments.repairs.services.take_back import undo_result
from tournaments.rounds.services.rounds import end_stage, pair_next_round, publish_round
from tournaments.selectors.hall.how_long import estimate_duration
from tournaments.selectors.hall.playing import Assumptions

pytestmark = pytest.mark.django_db
TEN = OpeningHours(opens=time(10))


def known(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def lasting(tournament, assumed, hours=TEN):
    found = estimate_duration(tournament.event, assumed, hours, timezone.now())
    assert found is not None
    return found


def minutes(tournament, **assumed):
    found = lasting(tournament, Assumptions(**{"tables": 16, **assumed}))
    return round((found.over.median - found.since).total_seconds() / 60)


def test_event_when_longer_fewer_tables_or_more_entries_then_it_takes_longer():
    tournament = an_event(entries=8)
    stage, division = tournament.stage.pk, tournament.division.pk
    usual = minutes(tournament, lengths={stage: [5]})
    assert minutes(tournament, lengths={stage: [5]}) == usual  # the same question has the same answer
    assert 60 < usual < 240
    assert minutes(tournament, lengths={stage: [5, 11]}) > usual + 20
    assert (
        minutes(tournament, lengths={stage: [5]}, tables=1) > 1.7 * usual
    )  # seven matches one after another against three rounds, with chance
    assert minutes(tournament, lengths={stage: [5]}, entries={division: 64}, tables=32) > 1.5 * usual


def test_swiss_when_more_rounds_then_longer_and_each_stage_has_its_span():
    tournament = an_event(system="swiss", entries=8)
    few, many = (
        lasting(tournament, Assumptions(tables=4, rounds={tournament.stage.pk: count})) for count in (3, 7)
    )
    assert many.over.median - few.over.median > timedelta(hours=1)
    assert (few.stages[tournament.stage.pk].matches, many.stages[tournament.stage.pk].matches) == (12, 28)
    assert few.stages[tournament.stage.pk].ends == few.over
    assert few.stages[tournament.stage.pk].begins == few.since


def test_break_when_there_is_one_then_it_counts_and_closing_goes_on_in_the_morning():
    tournament = an_event(entries=8)
    through = lasting(tournament, Assumptions(tables=1))
    lunch = lasting(
        tournament, Assumptions(tables=1), replace(TEN, break_from=time(12), break_until=time(14))
    )
    # Medians of games of chance, whose chance is each event's own: most of the two hours of the break.
    assert timedelta(minutes=75) < lunch.over.median - through.over.median < timedelta(minutes=165)
    early = lasting(tournament, Assumptions(tables=1), replace(TEN, closes=time(11)))
    assert early.over.median.date() > through.over.median.date()


def test_nobody_to_play_when_asked_then_nothing_is_said():
    assert estimate_duration(an_event().event, Assumptions(tables=4), TEN, timezone.now()) is None


def test_schedule_when_taken_over_then_tables_hours_lengths_and_rounds_stand_and_the_trail_says_so():
    tournament = an_event(system="swiss", entries=4)
    schedule = Schedule(
        tables=9,
        opens_at=time(11),
        closes_at=time(22),
        break_from=None,
        break_until=None,
        lengths={tournament.stage.pk: [7, 9]},
        rounds={tournament.stage.pk: 4},
    )
    event = set_schedule(**known(tournament), schedule=schedule)
    stage = Stage.objects.get(pk=tournament.stage.pk)
    assert (event.tables, event.opens_at, stage.lengths, stage.settings.swiss.rounds) == (
        9,
        time(11),
        [7, 9],
        4,
    )
    actions = list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))[-2:]
    assert actions == ["event.update", "stage.update"]
    count = AuditEntry.objects.count()
    set_schedule(**known(tournament), schedule=schedule)
    assert AuditEntry.objects.count() == count  # nothing changed, nothing is told


def test_schedule_when_anything_is_wrong_or_changed_since_or_drawn_then_nothing_of_it_stands():
    tournament = an_event(entries=4)
    hours = dict.fromkeys(("opens_at", "closes_at", "break_from", "break_until"))
    good = Schedule(tables=9, lengths={tournament.stage.pk: [9]}, **hours)
    with pytest.raises(Invalid) as refused:
        set_schedule(
            **known(tournament), schedule=replace(good, tables=0, lengths={tournament.stage.pk: [0]})
        )
    assert {(fault.field, fault.code) for fault in refused.value.faults} == {
        ("tables", "event.tables_odd"),
        (f"lengths-{tournament.stage.pk}", "length.too_short"),
    }
    seen = schedule_version(tournament.event, [tournament.stage])
    set_schedule(**known(tournament), schedule=good, seen=seen)
    with pytest.raises(Conflict):
        set_schedule(**known(tournament), schedule=replace(good, tables=3), seen=seen)
    tournament.publish()
    with pytest.raises(Conflict) as drawn:
        set_schedule(
            **known(tournament), schedule=replace(good, tables=3, lengths={tournament.stage.pk: [3]})
        )
    assert drawn.value.code == "stage.already_drawn"
    assert tournament.fresh().tables == 9


def rounds_of_lives(chance, entries, lives):
    """Minutes that each round of one evening takes: a loop of its own, which shares nothing with the forecast."""
    left = dict.fromkeys(range(entries), lives)
    pace = 8 * math.exp(chance.gauss(0, 0.16))
    while len(left) > 1:
        order = sorted(left, key=lambda entry: (-left[entry], chance.random()))
        pairs = list(zip(order[::2], order[1::2], strict=False))
        yield max(chance.gammavariate(1 / 0.35**2, 7 * pace * 0.35**2) for _ in pairs)
        for pair in pairs:
            loser = chance.choice(pair)
            left[loser] -= 1
            if not left[loser]:
                del left[loser]


@pytest.mark.parametrize(("entries", "lives"), [(16, 3), (32, 3), (32, 2)])
def test_swiss_with_lives_when_planned_then_played_until_one_is_left(entries, lives):
    tournament = an_event(system="swiss", entries=entries, lengths=[7], swiss=SwissSettings(lives=lives))
    chance = random.Random(7)
    evenings = [sum(rounds_of_lives(chance, entries, lives)) for _ in range(400)]
    foretold = minutes(tournament)
    assert foretold == pytest.approx(statistics.median(evenings), rel=0.1)
    found = lasting(tournament, Assumptions(tables=16)).stages[tournament.stage.pk]
    assert found.matches == pytest.approx(entries * lives - 1.5, abs=3)


def test_swiss_with_lives_when_it_runs_then_goes_on_from_the_lives_that_are_left():
    tournament = an_event(system="swiss", entries=16, lengths=[7], tables=8, swiss=SwissSettings(lives=2))
    left = [minutes(tournament)]
    for _ in range(4):
        paired = pair_next_round(**known(tournament), stage_id=tournament.stage.pk)
        publish_round(**known(tournament), stage_id=tournament.stage.pk, seen=paired.version)
        left.append(minutes(tournament))
        for match in list(tournament.playable()):
            tournament.settle(match, "a")
    assert left[1] == pytest.approx(left[0], rel=0.1)  # a round that is published changes nothing
    assert left[1:] == sorted(left[1:], reverse=True)
    assert left[1] - left[4] > 100


def test_swiss_with_lives_when_ended_and_a_result_is_taken_back_then_no_round_is_planned():
    tournament = an_event(system="swiss", entries=4, tables=2, swiss=SwissSettings(lives=2))
    paired = pair_next_round(**known(tournament), stage_id=tournament.stage.pk)
    publish_round(**known(tournament), stage_id=tournament.stage.pk, seen=paired.version)
    last = tournament.playable()[-1]
    tournament.play_out()
    end_stage(**known(tournament), stage_id=tournament.stage.pk)
    last.refresh_from_db()
    undo_result(**known(tournament), match_id=last.pk, seen=last.version)
    assert lasting(tournament, Assumptions(tables=2)).stages[tournament.stage.pk].matches == 1


def test_last_chance_when_nothing_is_drawn_then_begins_after_the_rounds_that_feed_it():
    """Planned as it is once it is drawn: not after the end of the main draw."""
    first, second = event_template("last_chance").divisions[0].stages
    tournament = an_event(
        entries=32, **{field: getattr(first, field) for field in ("lengths", "system", "bracket")}
    )
    fed = add_stage(**known(tournament), division_id=tournament.division.pk, stage=second)

    def spans():
        found = lasting(tournament, Assumptions(tables=16))
        main, last = (found.stages[stage] for stage in (first_stage.pk, fed.pk))
        return [
            round((at - found.since).total_seconds() / 60)
            for at in (last.begins, main.ends.median, found.over.median)
        ]

    first_stage = tournament.division.stages.get(position=1)
    begins, main_over, over = spans()
    assert begins < main_over - 120
    draw_stage(**known(tournament), stage_id=first_stage.pk)
    publish_draw(**known(tournament), stage_id=first_stage.pk)
    assert spans() == [pytest.approx(minute, rel=0.07) for minute in (begins, main_over, over)]
