"""Entries that leave after the draw: before, during and after a match, in brackets and in round robins."""

import pytest

from faults import Conflict, Invalid
from people.models import AuditEntry
from rating.models import Fact
from tests.factories import an_event
from tests.support.repairs import standing_facts, state_of
from tests.support.rounds import publish_next
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.rulings import Award, AwardReason
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.engine.standings.leaving import WithdrawnResults
from tournaments.engine.statuses import MatchAction
from tournaments.engine.types import Claim, ResultKind, Score, Side
from tournaments.hall.services.calling import move_match
from tournaments.matches.services.rulings import adjourn_match, award_points
from tournaments.models import Match, MatchSlot
from tournaments.repairs.services.undo import undo_repair
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.draws import load_draw
from tournaments.selectors.repairs.undo import last_repair
from tournaments.selectors.repairs.withdrawals import withdrawal_preview
from tournaments.selectors.rounds.next import next_round
from tournaments.selectors.standings.tables import standings_table

pytestmark = pytest.mark.django_db


def at(night):
    return {"actor": night.actor, "event_id": night.event.pk}


def withdraw(night, entry, **more):
    return withdraw_after_draw(**at(night), entry_id=entry.pk, **more)


def undo(night):
    undo_repair(**at(night), audit_id=last_repair(night.fresh(), night.stage).pk)


def result(match):
    match.refresh_from_db()
    return match.status, match.result_kind, match.winner_side


@pytest.fixture
def night():
    return an_event(entries=4, lengths=[7]).publish()


@pytest.mark.parametrize("system", ["swiss", "round_robin"])
def test_withdraw_with_a_starting_score_from_an_adjourned_match_then_it_is_a_walk_over(system):
    night = an_event(entries=4, lengths=[7], system=system)
    publish_next(night)
    match = night.playable()[0]
    ruled = {**at(night), "match_id": match.pk}
    award_points(**ruled, award=Award(Side.A, 2, AwardReason.START), seen=match.version)
    match.refresh_from_db()
    adjourn_match(**ruled, adjourned=Adjournment(Score(3, 1)), seen=match.version)
    withdraw(night, night.entry_at(match, "a"), leaving=WithdrawnResults.KEEP)
    assert result(match) == ("confirmed", "walkover", "b")
    assert (match.score_a, match.score_b) == (2, 7)


def test_withdraw_before_a_match_then_the_other_has_a_walk_over_and_goes_on(night):
    first, _second = night.playable()
    before = state_of(night)
    entry = night.entry_at(first, "a")
    assert withdraw(night, entry).status == "withdrawn"
    assert result(first) == ("confirmed", "walkover", "b")
    assert night.entry_at(Match.objects.get(number=3), "a") == night.entry_at(first, "b")
    assert Fact.objects.count() == 0
    undo(night)
    assert state_of(night) == before


def test_withdraw_during_a_match_then_it_ends_with_its_score_and_is_rated(night):
    match = night.playable()[0]
    move_match(**at(night), match_id=match.pk, action=MatchAction.START)
    claims = {night.stage.pk: Claim(3, 5, ResultKind.RETIRED, Side.A)}
    withdraw(night, night.entry_at(match, "b"), claims=claims)
    assert result(match) == ("confirmed", "retired", "a")
    assert len(standing_facts()) == 1
    undo(night)
    assert (result(match)[0], standing_facts()) == ("playing", [])


def test_withdraw_after_a_match_then_the_next_opponent_has_a_walk_over_as_soon_as_there_is_one(night):
    first, second = night.playable()
    night.settle(first, "a")
    winner = night.entry_at(first, "a")
    withdraw(night, winner)
    final = Match.objects.get(number=3)
    assert final.status == "waiting"
    night.settle(second, "b")
    assert result(final) == ("confirmed", "walkover", "b")
    assert night.fresh().status == "finished"
    with pytest.raises(Conflict) as refused:
        undo(night)
    assert (refused.value.code, refused.value.params["match"]) == ("repair.built_on", 3)


@pytest.fixture
def weekend():
    settings = BracketSettings(flights=(Flight(FlightKind.PROGRESSIVE, (3,), rounds=1),))
    return an_event(entries=4, bracket=settings, lengths=[5]).publish()


def test_withdraw_two_who_would_meet_then_nobody_wins_and_both_can_be_taken_back(weekend):
    first, second = weekend.playable()
    weekend.settle(first, "a")
    before = state_of(weekend)
    withdraw(weekend, weekend.entry_at(first, "b"))
    claims = {weekend.stage.pk: Claim(2, 1, ResultKind.RETIRED, Side.A)}
    withdraw(weekend, weekend.entry_at(second, "b"), claims=claims)
    consolation = Match.objects.get(round__section="consolation")
    assert result(consolation) == ("confirmed", "double_walkover", "")
    undo(weekend)
    undo(weekend)
    assert state_of(weekend) == before


def test_undo_when_somebody_has_passed_because_nobody_came_then_refused():
    night = an_event(
        entries=8, bracket=BracketSettings(flights=(Flight(FlightKind.FIRST_MATCH, (3,)),))
    ).publish()
    first, second, third, fourth = night.playable()
    withdraw(night, night.entry_at(third, "b"))
    withdraw(
        night, night.entry_at(fourth, "b")
    )  # nobody comes into the other half of the consolation any more
    final = Match.objects.filter(round__section="consolation").latest("number")
    night.settle(first, "a")
    night.settle(second, "a")
    assert result(final)[0] == "waiting"
    night.settle(Match.objects.get(round__section="consolation", status="ready"), "a")
    assert result(final) == ("confirmed", "bye", "a")
    with pytest.raises(Conflict) as refused:
        undo(night)
    assert (refused.value.code, refused.value.params["match"]) == ("repair.built_on", final.number)
    assert integrity_faults(night.fresh()) == []


def test_withdraw_in_a_weekend_then_the_consolation_goes_on_without(weekend):
    night = weekend
    first, second = night.playable()
    night.settle(first, "a")
    loser = night.entry_at(first, "b")
    withdraw(night, loser)
    night.settle(second, "a")
    consolation = Match.objects.get(round__section="consolation")
    assert consolation.result_kind == "walkover"
    assert night.entry_at(consolation, consolation.winner_side) == night.entry_at(second, "b")


def test_withdraw_when_impossible_or_seen_otherwise_then_refused(night):
    match = night.playable()[0]
    entry = night.entry_at(match, "a")
    with pytest.raises(Invalid):
        withdraw(night, entry, claims={night.stage.pk: Claim(7, 7, ResultKind.RETIRED, Side.B)})
    seen = withdrawal_preview(entry).version
    move_match(**at(night), match_id=match.pk, action=MatchAction.CALL)
    with pytest.raises(Conflict) as refused:
        withdraw(night, entry, seen=seen)
    assert refused.value.code == "correction.changed_meanwhile"
    withdraw(night, entry)
    with pytest.raises(Conflict):
        withdraw(night, entry)
    fresh = an_event(entries=2)
    with pytest.raises(Conflict):
        withdraw(fresh, fresh.entry("Ann"))


@pytest.fixture
def league():
    """Five players, two rounds of the round robin published, the first played out."""
    night = an_event(entries=5, system="round_robin", lengths=[3])
    next_round_of(night)
    night.play_out()
    next_round_of(night)
    return night


def next_round_of(night):
    stage = {**at(night), "stage_id": night.stage.pk}
    if not night.stage.draw_seed:
        pair_next_round(**stage, seed=4)
    publish_round(**stage, seen=next_round(night.stage, load_draw(night.stage)).version)
    night.fresh()


def of(entry):
    return Match.objects.filter(slots__entry=entry).order_by("number")


def test_withdraw_from_a_round_robin_when_results_stay_then_the_rest_are_walk_overs(league):
    entry = league.entry_at(Match.objects.get(number=1), "a")
    before = state_of(league)
    withdraw(league, entry, leaving=WithdrawnResults.KEEP)
    assert [m.status for m in of(entry)] == ["confirmed"] * len(of(entry))
    now = of(entry).last()
    assert now.result_kind in {"walkover", "played"}
    undo(league)
    assert state_of(league) == before
    withdraw(league, entry, leaving=WithdrawnResults.KEEP)
    played = {m.pk for m in of(entry)}
    while league.fresh().status != "finished":
        league.play_out()
        if league.fresh().status != "finished":
            next_round_of(league)
    assert {m.result_kind for m in of(entry) if m.pk not in played} == {"walkover"}
    with pytest.raises(Conflict) as refused:
        undo(league)
    assert refused.value.code == "repair.round_since"


def test_withdraw_from_a_round_robin_when_results_are_struck_then_the_table_knows_none_and_ratings_stay(
    league,
):
    entry = league.entry_at(Match.objects.get(number=1), "a")
    assert withdrawal_preview(entry).usual is WithdrawnResults.STRIKE
    before, rated = state_of(league), standing_facts()
    withdraw(league, entry, leaving=WithdrawnResults.STRIKE)
    assert {m.status for m in of(entry)} == {"void"}
    assert standing_facts() == rated
    rows = {row.entry: row.values["points"] for row in standings_table(load_draw(league.stage)).rows}
    assert rows.get(entry.pk, 0) == 0
    undo(league)
    assert state_of(league) == before
    withdraw(league, entry, leaving=WithdrawnResults.STRIKE)
    while league.fresh().status != "finished":
        league.play_out()
        if league.fresh().status != "finished":
            next_round_of(league)
    assert {m.status for m in of(entry)} == {"void"}


def test_withdraw_two_who_wait_when_they_come_up_then_they_meet_and_nobody_wins_by_itself():
    night = an_event(entries=6, bracket=BracketSettings(third_place=True), lengths=[5]).publish()
    waiting = [slot.entry for slot in MatchSlot.objects.filter(match__status="waiting", entry__isnull=False)]
    for entry in waiting:
        withdraw(night, entry)
    for match in night.playable():
        night.settle(match, "a")
    third = Match.objects.get(round__code="third_place")
    assert {slot.entry for slot in third.slots.all()} == set(waiting)
    assert result(third) == ("confirmed", "double_walkover", "")
    passed = AuditEntry.objects.filter(action="match.absent").values_list("subject_id", flat=True)
    assert len(passed) == 3
    assert third.pk in passed
    assert integrity_faults(night.fresh()) == []
    with pytest.raises(Conflict):
        undo(night)
