"""Corrections of any reach: the right one goes on, later results fall away or stay, and the last repair can be undone."""

from functools import partial

import pytest
from django.utils import timezone

from faults import Conflict, Invalid, NotAllowed
from people.actors import Actor
from rating.models import Fact, FactKind
from tests.factories import a_user, an_event
from tests.support.repairs import standing_facts, state_of
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.brackets.correction import Repair
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.engine.statuses import MatchAction
from tournaments.engine.types import Claim, ResultKind
from tournaments.hall.services.calling import move_match
from tournaments.hall.services.tables import set_table_use
from tournaments.models import Match, MatchSlot, Report
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.undo import undo_repair
from tournaments.selectors.repairs.corrections import correction_preview
from tournaments.selectors.repairs.undo import last_repair

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[7]).publish()


def correct(tournament, match, *claim, key="fix", actor=None, **more):
    return correct_result(
        actor=actor or tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        claim=Claim(*claim),
        submission_key=key,
        **more,
    )


def test_correct_result_when_only_the_score_changes_then_the_ledger_has_a_replacement(tournament):
    match = tournament.playable()[0]
    tournament.says(match, None, 7, 4)
    correct(tournament, match, 7, 5)
    match.refresh_from_db()
    assert (match.status, match.score_b) == ("confirmed", 5)
    assert list(Report.objects.filter(match=match).values_list("state", flat=True)) == [
        "superseded",
        "confirmed",
    ]
    kinds = list(Fact.objects.order_by("pk").values_list("kind", flat=True))
    assert kinds == [FactKind.RESULT, FactKind.REPLACEMENT]


def test_correct_result_when_others_play_at_its_table_by_now_then_it_still_tells_where_it_was_played():
    tournament = an_event(entries=4, lengths=[7], tables=1).publish()
    first, second = tournament.playable()
    tournament.settle(first, "a", 3)
    second.refresh_from_db()
    assert (first.table, second.table) == (1, 1)
    correct(tournament, first, 7, 5)
    first.refresh_from_db()
    assert (first.score_b, first.table) == (5, 1)


def test_correct_result_when_the_other_side_won_then_it_stands_in_the_next_match(tournament):
    match = tournament.playable()[0]
    tournament.says(match, None, 7, 4)
    assert correct(tournament, match, 4, 7).has_winner_changed
    assert MatchSlot.objects.get(source_match=match).entry == tournament.entry_at(match, "b")


@pytest.fixture
def played(tournament):
    """Both semifinals and the final are over; side a has won them all."""
    for match in tournament.playable():
        tournament.settle(match, "a")
    tournament.settle(tournament.playable()[0], "a")
    return tournament


def test_correct_result_when_the_next_match_is_over_then_the_director_has_to_choose(played):
    match = Match.objects.get(number=1)
    with pytest.raises(Conflict) as refused:
        correct(played, match, 4, 7)
    assert refused.value.code == "correction.choose_repair"
    assert refused.value.present["repairs"] == ["void", "keep"]
    assert refused.value.present["voided"] == [3]
    match.refresh_from_db()
    assert (match.score_a, match.winner_side) == (7, "a")
    assert correct(played, match, 7, 6).has_winner_changed is False


def test_correct_result_when_later_results_fall_away_then_the_right_one_plays_the_final(played):
    match, final = Match.objects.get(number=1), Match.objects.get(number=3)
    rated = standing_facts()
    assert played.fresh().status == "finished"
    correct(played, match, 4, 7, repair=Repair.VOID)
    final.refresh_from_db()
    assert (final.status, final.score_a, final.winner_side, final.table) == ("ready", None, "", 1)
    assert played.entry_at(final, "a") == played.entry_at(match, "b")
    assert (played.fresh().status, played.stage.status) == ("running", "running")
    assert set(Report.objects.filter(match=final).values_list("state", flat=True)) == {"superseded"}
    assert len(standing_facts()) == len(rated) - 1
    played.settle(final, "b")
    assert (played.fresh().status, played.stage.status) == ("finished", "finished")


def test_correct_result_when_later_results_stay_then_nobody_moves(played):
    match, final = Match.objects.get(number=1), Match.objects.get(number=3)
    correct(played, match, 4, 7, repair=Repair.KEEP)
    final.refresh_from_db()
    assert (final.status, final.winner_side) == ("confirmed", "a")
    assert played.entry_at(final, "a") == played.entry_at(match, "a")
    assert MatchSlot.objects.get(match=final, side="a").by_hand
    assert played.fresh().status == "finished"


def test_correct_result_when_the_repair_chosen_does_not_fit_then_refused(tournament):
    match = tournament.playable()[0]
    tournament.settle(match, "a")
    with pytest.raises(Conflict) as refused:
        correct(tournament, match, 4, 7, repair=Repair.VOID)
    assert refused.value.code == "correction.repair_gone"


def test_correct_result_when_the_next_match_is_at_a_table_then_it_is_sent_back(tournament):
    first, second = tournament.playable()
    tournament.settle(first, "a")
    tournament.settle(second, "a")
    final = tournament.playable()[0]
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=final.pk, action=MatchAction.START
    )
    tournament.says(final, "a", 7, 2)
    correct(tournament, first, 4, 7)
    final.refresh_from_db()
    assert (final.status, final.started_at) == ("ready", None)
    assert [r.state for r in Report.objects.filter(match=final)] == ["superseded"]


def test_correct_result_when_nobody_won_then_the_other_goes_through(tournament):
    first, second = tournament.playable()
    tournament.settle(first, "a")
    tournament.settle(second, "a")
    correct(tournament, first, 0, 0, ResultKind.DOUBLE_WALKOVER)
    final = Match.objects.get(number=3)
    assert (final.status, final.result_kind, final.winner_side) == ("confirmed", "bye", "b")
    assert tournament.fresh().status == "finished"


def test_correct_result_when_the_preview_is_old_then_409_with_what_is_now(tournament):
    first, second = tournament.playable()
    tournament.settle(first, "a")
    old = correction_preview(Match.objects.get(pk=first.pk), Claim(4, 7)).version
    tournament.settle(second, "a")
    assert correction_preview(Match.objects.get(pk=first.pk), Claim(4, 7)).version != old
    with pytest.raises(Conflict) as refused:
        correct(tournament, first, 4, 7, seen=old)
    assert refused.value.code == "correction.changed_meanwhile"


def test_correct_result_when_it_shall_be_played_on_to_no_more_points_then_refused(played):
    match = Match.objects.get(number=1)
    for length in (None, match.length, match.length - 2):
        with pytest.raises(Invalid) as refused:
            correct_result(
                actor=played.actor,
                event_id=played.event.pk,
                match_id=match.pk,
                claim=None,
                length=length,
                submission_key="on",
            )
        assert refused.value.code == "length.not_longer"


def test_undo_repair_when_nothing_was_built_on_it_then_everything_is_as_before(played):
    before = state_of(played)
    correct(played, Match.objects.get(number=1), 4, 7, repair=Repair.VOID)
    assert state_of(played) != before
    undo_repair(
        actor=played.actor, event_id=played.event.pk, audit_id=last_repair(played.fresh(), played.stage).pk
    )
    assert state_of(played) == before


def test_undo_repair_when_another_match_it_touched_has_the_table_by_now_then_nobody_shares_it():
    settings = BracketSettings(flights=(Flight(FlightKind.PROGRESSIVE, (3,), rounds=1),))
    tournament = an_event(entries=4, bracket=settings, lengths=[5], tables=2).publish()
    for match in tournament.playable():
        tournament.settle(match, "a")
    at = {"actor": tournament.actor, "event_id": tournament.event.pk}
    set_table_use(**at, table=1, in_use=False)
    final, consolation = tournament.playable()
    assert (final.table, consolation.table) == (None, 2)
    correct(
        tournament, Match.objects.get(number=1), 3, 5
    )  # both lose a side, and the final is first in the queue
    final.refresh_from_db()
    assert final.table == 2
    undo_repair(**at, audit_id=last_repair(tournament.fresh(), tournament.stage).pk)
    assert sorted(str(match.table) for match in tournament.playable()) == ["2", "None"]
    assert integrity_faults(tournament.fresh()) == []


def test_undo_repair_when_the_final_was_played_again_then_refused(played):
    correct(played, Match.objects.get(number=1), 4, 7, repair=Repair.VOID)
    done = last_repair(played.fresh(), played.stage)
    played.settle(Match.objects.get(number=3), "b")
    with pytest.raises(Conflict) as refused:
        undo_repair(actor=played.actor, event_id=played.event.pk, audit_id=done.pk)
    assert (refused.value.code, refused.value.params["match"]) == ("repair.built_on", 3)


def test_undo_repair_when_two_were_made_then_the_last_one_first(played):
    match = Match.objects.get(number=1)
    before = state_of(played)
    correct(played, match, 4, 7, repair=Repair.KEEP)
    between = state_of(played)
    first = last_repair(played.fresh(), played.stage)
    correct(played, match, 7, 5, key="again", repair=Repair.REPLACE)
    second = last_repair(played.fresh(), played.stage)
    undo = partial(undo_repair, actor=played.actor, event_id=played.event.pk)
    with pytest.raises(Conflict):
        undo(audit_id=first.pk)
    undo(audit_id=second.pk)
    assert state_of(played) == between
    undo(audit_id=first.pk)
    assert state_of(played) == before
    with pytest.raises(Conflict):
        undo(audit_id=first.pk)


def test_correct_result_when_sent_twice_then_done_once(tournament):
    match = tournament.playable()[0]
    tournament.says(match, None, 7, 4)
    for _ in range(2):
        correct(tournament, match, 7, 5)
    assert Report.objects.filter(match=match).count() == 2


def test_correct_result_when_impossible_or_not_confirmed_or_a_stranger_then_refused(tournament):
    match, other = tournament.playable()
    tournament.says(match, None, 7, 4)
    with pytest.raises(Invalid):
        correct(tournament, match, 7, 7)
    with pytest.raises(Conflict):
        correct(tournament, other, 7, 3)
    with pytest.raises(NotAllowed):
        correct(tournament, match, 7, 3, actor=Actor.of(a_user()))
    match.refresh_from_db()
    assert match.score_b == 4


def test_undo_repair_when_a_column_is_newer_than_the_repair_then_it_stays_as_it_is(played):
    """The trail of a release whose matches had no ``sent_back_at``, and a column that there is no more."""
    before = state_of(played)
    correct(played, Match.objects.get(number=1), 4, 7, repair=Repair.VOID)
    done = last_repair(played.fresh(), played.stage)
    for touched in done.data["undo"]["stages"][str(played.stage.pk)].values():
        touched["columns"].pop("sent_back_at", None)
        touched["columns"]["colour"] = ["red", "blue"]
        touched["then"]["columns"]["colour"] = "blue"
    done.save(update_fields=["data"])
    since = timezone.now()
    Match.objects.filter(number=3).update(sent_back_at=since)
    undo_repair(actor=played.actor, event_id=played.event.pk, audit_id=done.pk)
    assert state_of(played) == before
    assert Match.objects.get(number=3).sent_back_at == since
