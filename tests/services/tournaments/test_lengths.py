"""A match or a round was appointed to a wrong length (F9)."""

import pytest

from faults import Conflict, Invalid
from rating.models import Fact
from tests.factories import an_event
from tests.support.repairs import state_of
from tournaments.engine.brackets.correction import Repair
from tournaments.engine.statuses import MatchAction
from tournaments.engine.types import Claim, Side
from tournaments.hall.services.calling import move_match
from tournaments.models import Match
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.length import set_match_length, set_round_length
from tournaments.repairs.services.undo import undo_repair
from tournaments.selectors.repairs.undo import last_repair

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(entries=8, lengths=[7]).publish()


def at(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def undo(tournament):
    undo_repair(**at(tournament), audit_id=last_repair(tournament.fresh(), tournament.stage).pk)


def correct(tournament, match, claim, **more):
    match.refresh_from_db()
    return correct_result(
        **at(tournament), match_id=match.pk, claim=claim, submission_key=tournament.key(), **more
    )


def test_round_when_its_length_was_wrong_then_matches_that_have_not_begun_follow(tournament):
    first, second, third, _fourth = tournament.playable()
    tournament.settle(first, "a")
    move_match(**at(tournament), match_id=second.pk, action=MatchAction.START)
    before = state_of(tournament)
    changed = set_round_length(**at(tournament), stage_id=tournament.stage.pk, number=1, length=5)
    assert changed.length == 5
    lengths = dict(Match.objects.filter(round=changed).values_list("number", "length"))
    assert lengths == {1: 7, 2: 7, 3: 5, 4: 5}
    third.refresh_from_db()
    tournament.settle(third, "a")
    with pytest.raises(Conflict):
        undo(tournament)
    other = an_event(entries=8, lengths=[7]).publish()
    before = state_of(other)
    set_round_length(**at(other), stage_id=other.stage.pk, number=2, length=9)
    undo(other)
    assert state_of(other) == before


def test_match_under_way_when_its_length_changes_then_it_goes_on_and_old_reports_are_set_aside(tournament):
    match = tournament.playable()[0]
    move_match(**at(tournament), match_id=match.pk, action=MatchAction.START)
    tournament.says(match, "a", 7, 3)
    before = state_of(tournament)
    changed = set_match_length(**at(tournament), match_id=match.pk, length=9)
    assert (changed.status, changed.length) == ("playing", 9)
    assert [report.state for report in match.reports.all()] == ["superseded"]
    undo(tournament)
    assert state_of(tournament) == before


def test_length_when_a_side_starts_with_as_many_points_then_refused_and_left_out_of_its_round(tournament):
    match = tournament.playable()[0]
    Match.objects.filter(pk=match.pk).update(start_a=3)
    with pytest.raises(Invalid):
        set_match_length(**at(tournament), match_id=match.pk, length=3)
    set_round_length(**at(tournament), stage_id=tournament.stage.pk, number=1, length=3)
    lengths = Match.objects.filter(round__number=1).order_by("number").values_list("length", flat=True)
    assert list(lengths) == [7, 3, 3, 3]


@pytest.mark.parametrize("length", [0, 100])
def test_length_when_no_match_can_have_it_then_refused(tournament, length):
    with pytest.raises(Invalid):
        set_match_length(**at(tournament), match_id=tournament.playable()[0].pk, length=length)
    with pytest.raises(Invalid):
        set_round_length(**at(tournament), stage_id=tournament.stage.pk, number=1, length=length)


def test_match_that_is_over_when_only_its_length_is_to_change_then_correct_it(tournament):
    match = tournament.playable()[0]
    tournament.settle(match, "a")
    with pytest.raises(Conflict) as refused:
        set_match_length(**at(tournament), match_id=match.pk, length=5)
    assert refused.value.code == "length.match_over"


def test_too_long_a_match_when_over_then_who_reached_the_length_first_has_won(tournament):
    match = tournament.playable()[0]
    tournament.says(match, None, 7, 6)
    before = state_of(tournament)
    with pytest.raises(Invalid):
        correct(tournament, match, Claim(7, 6), length=5)
    correct(tournament, match, Claim(4, 5), length=5)
    match.refresh_from_db()
    assert (match.length, match.winner_side) == (5, Side.B)
    assert Fact.objects.get(later__isnull=True).length == 5
    undo(tournament)
    assert state_of(tournament) == before


def test_too_short_a_match_when_later_ones_were_played_then_it_is_played_on_and_they_fall_away(tournament):
    match = tournament.playable()[0]
    tournament.play_out()
    before = state_of(tournament)
    with pytest.raises(Invalid):
        correct(tournament, match, None, length=5)
    correct(tournament, match, None, length=9, repair=Repair.VOID)
    match.refresh_from_db()
    assert (match.status, match.length, match.score_a) == ("ready", 9, None)
    statuses = dict(Match.objects.filter(stage=tournament.stage).values_list("number", "status"))
    assert [number for number, status in statuses.items() if status != "confirmed"] == [1, 5, 7]
    assert tournament.fresh().status == "running"
    undo(tournament)
    assert state_of(tournament) == before
