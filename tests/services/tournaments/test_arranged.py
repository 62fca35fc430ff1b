"""What is drawn or arranged beside the matches: rows that the database itself keeps in order, read once."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import RestrictedError
from django.test.utils import CaptureQueriesContext

from tests.factories import an_event
from tests.support.rounds import publish_next, where
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.events.services.stages import details_of_stage, update_stage
from tournaments.models import Entry, PairRequest, RoundPlan, StageEntry
from tournaments.rounds.services.requests import keep_apart, sit_out, swap_entries
from tournaments.rounds.services.rounds import (
    discard_pairing,
    pair_next_round,
    publish_round,
    unpublish_round,
)
from tournaments.selectors.arranged import (
    drawn_groups,
    entries_with_cancelled_results,
    pairs_apart,
    planned_deadlines,
    play_off_points,
    prefetch_stage_entries,
    requested_rests,
    requested_swaps,
)
from tournaments.store.arranged import (
    clear_next_round,
    reinstate_results,
    strike_entry,
    write_deadlines,
    write_play_off,
    write_rests,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(6, system="swiss", swiss=SwissSettings(rounds=4), lengths=[3])


def robin(entries=4, **more):
    made = an_event(entries, system="round_robin", swiss=SwissSettings(**more), lengths=[3])
    pair_next_round(**where(made), seed=1)
    return made


def arranged(stage):
    """Everything that is kept beside the matches, read anew."""
    stage.refresh_from_db()
    return (
        drawn_groups(stage),
        requested_rests(stage),
        requested_swaps(stage),
        pairs_apart(stage),
        planned_deadlines(stage),
    )


def test_next_round_when_cleared_then_what_had_been_read_of_it_is_forgotten(tournament):
    resting, *_others = Entry.objects.filter(division=tournament.division)
    write_rests(tournament.stage, {resting.pk: 1})
    stage = tournament.stage
    prefetch_stage_entries([stage])
    assert requested_rests(stage) == {resting.pk: 1}
    clear_next_round(stage)
    assert requested_rests(stage) == {}


def test_round_when_published_and_taken_back_then_what_was_arranged_for_it_is_there_again(tournament):
    stage, day = tournament.stage, tournament.event.starts_on
    resting, *others = list(Entry.objects.filter(division=tournament.division).order_by("pk"))
    sit_out(**where(tournament), entry_id=resting.pk, points=1)
    keep_apart(**where(tournament), first_id=others[0].pk, second_id=others[1].pk, strictness="never")
    write_deadlines(stage, {1: day, 2: day})
    seen = pair_next_round(**where(tournament), seed=4)
    (first, _), (second, _) = seen.pairs[:2]
    after = swap_entries(**where(tournament), first_id=first, second_id=second, seen=seen.version)
    before = arranged(stage)
    assert before[1] == {resting.pk: 1}
    assert before[2] == ((first, second),)
    made = publish_round(**where(tournament), seen=after.version)
    assert (made.swaps, made.rests, made.deadline) == ([[first, second]], {str(resting.pk): 1}, day)
    assert arranged(stage)[1:] == ({}, (), before[3], {2: day})
    unpublish_round(**where(tournament))
    assert arranged(stage) == before
    assert tournament.stage.next_seed == "4"


def test_schedule_when_drawn_again_or_thrown_away_then_only_the_last_one_is_there():
    tournament = robin(4, group_count=2)
    first = drawn_groups(tournament.stage)
    pair_next_round(**where(tournament), seed=2)
    assert [len(group) for group in drawn_groups(tournament.stage)] == [2, 2]
    assert drawn_groups(tournament.stage) != first
    assert tournament.stage.rounds_settled == 1
    discard_pairing(**where(tournament))
    assert (drawn_groups(tournament.stage), tournament.stage.rounds_settled) == ((), None)
    assert not StageEntry.objects.exists()


def test_stage_when_it_becomes_a_bracket_then_nothing_arranged_for_rounds_is_left(tournament):
    first, second, *_others = Entry.objects.filter(division=tournament.division).order_by("pk")
    keep_apart(**where(tournament), first_id=first.pk, second_id=second.pk, strictness="avoid")
    sit_out(**where(tournament), entry_id=first.pk, points=0)
    write_deadlines(tournament.stage, {1: tournament.event.starts_on})
    details = details_of_stage(tournament.stage)
    update_stage(**where(tournament), stage=details)
    assert PairRequest.objects.count() == StageEntry.objects.count() == RoundPlan.objects.count() == 1
    update_stage(**where(tournament), stage=type(details)(lengths=[3]))
    assert PairRequest.objects.count() == StageEntry.objects.count() == RoundPlan.objects.count() == 0


def test_entry_when_struck_and_no_more_then_others_stay_as_they_are():
    stage = robin().stage
    first, second, *_others = drawn_groups(stage)[0]
    strike_entry(stage, first)
    strike_entry(stage, second)
    assert set(entries_with_cancelled_results(stage)) == {first, second}
    reinstate_results(stage, {first})
    assert entries_with_cancelled_results(stage) == (second,)
    write_play_off(stage, [first, second])
    write_rests(stage, {second: 2})
    assert (play_off_points(stage), requested_rests(stage), entries_with_cancelled_results(stage)) == (
        {first: 2, second: 1},
        {second: 2},
        (second,),
    )


def test_rows_when_read_for_several_stages_then_one_query_and_none_for_brackets():
    robins = [robin(), robin(5)]
    bracket = an_event(4).stage
    stages = [*(tournament.stage for tournament in robins), bracket]
    with CaptureQueriesContext(connection) as asked:
        prefetch_stage_entries(stages)
        assert [len(group) for stage in stages for group in drawn_groups(stage)] == [4, 5]
        assert [entries_with_cancelled_results(stage) for stage in stages] == [(), (), ()]
        assert (requested_swaps(bracket), planned_deadlines(bracket), play_off_points(bracket)) == (
            (),
            {},
            {},
        )
    assert len(asked) == 1
    with CaptureQueriesContext(connection) as asked:
        prefetch_stage_entries([bracket])
    assert len(asked) == 0


@pytest.mark.parametrize(
    ("model", "values"),
    [
        (StageEntry, {"group": 1, "place": 1}),
        (StageEntry, {"group": None, "place": 2}),
        (StageEntry, {"group": 0, "place": 9}),
        (PairRequest, {"kind": "never", "swapped": True}),
        (PairRequest, {"kind": "avoid", "position": 1}),
        (PairRequest, {"kind": "swap", "position": 0}),
        (PairRequest, {"kind": "perhaps"}),
    ],
)
def test_row_that_cannot_be_when_written_then_the_database_refuses_it(model, values):
    stage = robin().stage
    late = Entry.objects.create(division=stage.division, name="Late")
    first = Entry.objects.exclude(pk=late.pk).order_by("pk").first()
    of = {"entry": late} if model is StageEntry else {"first": first, "second": late}
    if values.pop("swapped", False):
        of = {"first": late, "second": first}
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.create(stage=stage, **of, **values)


def test_entry_that_stands_in_a_schedule_when_deleted_then_refused_and_with_its_division_both_go():
    tournament = robin()
    with pytest.raises(RestrictedError):
        Entry.objects.filter(pk=drawn_groups(tournament.stage)[0][0]).delete()
    tournament.division.delete()
    assert not StageEntry.objects.exists()


def test_published_schedule_when_a_place_is_missing_then_the_event_is_unsound():
    tournament = robin()
    publish_next(tournament)
    assert integrity_faults(tournament.fresh()) == []
    StageEntry.objects.filter(stage=tournament.stage).last().delete()
    assert [fault.check for fault in integrity_faults(tournament.fresh())][:1] == ["schedule"]
