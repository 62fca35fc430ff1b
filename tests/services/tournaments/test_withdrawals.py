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


def at(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def withdraw(tournament, entry, **more):
    return withdraw_after_draw(**at(tournament), entry_id=entry.pk, **more)


def undo(tournament):
    undo_repair(**at(tournament), audit_id=last_repair(tournament.fresh(), tournament.stage).pk)


def result(match):
    match.refresh_from_db()
    return match.status, match.result_kind, match.winner_side


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[7]).publish()


@pytest.mark.parametrize("system", ["swiss", "round_robin"])
def test_withdraw_with_a_starting_score_from_an_adjourned_match_then_it_is_a_walk_over(system):
    tournament = an_event(entries=4, lengths=[7], system=system)
    publish_next(tournament)
    match = tournament.playable()[0]
    ruled = {**at(tournament), "match_id": match.pk}
    award_points(**ruled, award=Award(Side.A, 2, AwardReason.START), seen=match.version)
    match.refresh_from_db()
    adjourn_match(**ruled, adjourned=Adjournment(Score(3, 1)), seen=match.version)
    withdraw(tournament, tournament.entry_at(match, "a"), leaving=WithdrawnResults.KEEP)
    assert result(match) == ("confirmed", "walkover", "b")
    assert (match.score_a, match.score_b) == (2, 7)


def test_withdraw_before_a_match_then_the_other_has_a_walk_over_and_goes_on(tournament):
    first, _second = tournament.playable()
    before = state_of(tournament)
    entry = tournament.entry_at(first, "a")
    assert withdraw(tournament, entry).status == "withdrawn"
    assert result(first) == ("confirmed", "walkover", "b")
    assert tournament.entry_at(Match.objects.get(number=3), "a") == tournament.entry_at(first, "b")
    assert Fact.objects.count() == 0
    undo(tournament)
    assert state_of(tournament) == before


def test_withdraw_during_a_match_then_it_ends_with_its_score_and_is_rated(tournament):
    match = tournament.playable()[0]
    move_match(**at(tournament), match_id=match.pk, action=MatchAction.START)
    claims = {tournament.stage.pk: Claim(3, 5, ResultKind.RETIRED, Side.A)}
    withdraw(tournament, tournament.entry_at(match, "b"), claims=claims)
    assert result(match) == ("confirmed", "retired", "a")
    assert len(standing_facts()) == 1
    undo(tournament)
    assert (result(match)[0], standing_facts()) == ("playing", [])


def test_withdraw_after_a_match_then_the_next_opponent_has_a_walk_over_as_soon_as_there_is_one(tournament):
    first, second = tournament.playable()
    tournament.settle(first, "a")
    winner = tournament.entry_at(first, "a")
    withdraw(tournament, winner)
    final = Match.objects.get(number=3)
    assert final.status == "waiting"
    tournament.settle(second, "b")
    assert result(final) == ("confirmed", "walkover", "b")
    assert tournament.fresh().status == "finished"
    with pytest.raises(Conflict) as refused:
        undo(tournament)
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
    tournament = an_event(
        entries=8, bracket=BracketSettings(flights=(Flight(FlightKind.FIRST_MATCH, (3,)),))
    ).publish()
    first, second, third, fourth = tournament.playable()
    withdraw(tournament, tournament.entry_at(third, "b"))
    withdraw(
        tournament, tournament.entry_at(fourth, "b")
    )  # nobody comes into the other half of the consolation any more
    final = Match.objects.filter(round__section="consolation").latest("number")
    tournament.settle(first, "a")
    tournament.settle(second, "a")
    assert result(final)[0] == "waiting"
    tournament.settle(Match.objects.get(round__section="consolation", status="ready"), "a")
    assert result(final) == ("confirmed", "bye", "a")
    with pytest.raises(Conflict) as refused:
        undo(tournament)
    assert (refused.value.code, refused.value.params["match"]) == ("repair.built_on", final.number)
    assert integrity_faults(tournament.fresh()) == []


def test_withdraw_in_a_weekend_then_the_consolation_goes_on_without(weekend):
    tournament = weekend
    first, second = tournament.playable()
    tournament.settle(first, "a")
    loser = tournament.entry_at(first, "b")
    withdraw(tournament, loser)
    tournament.settle(second, "a")
    consolation = Match.objects.get(round__section="consolation")
    assert consolation.result_kind == "walkover"
    assert tournament.entry_at(consolation, consolation.winner_side) == tournament.entry_at(second, "b")


def test_withdraw_when_impossible_or_seen_otherwise_then_refused(tournament):
    match = tournament.playable()[0]
    entry = tournament.entry_at(match, "a")
    with pytest.raises(Invalid):
        withdraw(tournament, entry, claims={tournament.stage.pk: Claim(7, 7, ResultKind.RETIRED, Side.B)})
    seen = withdrawal_preview(entry).version
    move_match(**at(tournament), match_id=match.pk, action=MatchAction.CALL)
    with pytest.raises(Conflict) as refused:
        withdraw(tournament, entry, seen=seen)
    assert refused.value.code == "correction.changed_meanwhile"
    withdraw(tournament, entry)
    with pytest.raises(Conflict):
        withdraw(tournament, entry)
    fresh = an_event(entries=2)
    with pytest.raises(Conflict):
        withdraw(fresh, fresh.entry("Ann"))


@pytest.fixture
def league():
    """Five players, two rounds of the round robin published, the first played out."""
    tournament = an_event(entries=5, system="round_robin", lengths=[3])
    next_round_of(tournament)
    tournament.play_out()
    next_round_of(tournament)
    return tournament


def next_round_of(tournament):
    stage = {**at(tournament), "stage_id": tournament.stage.pk}
    if not tournament.stage.draw_seed:
        pair_next_round(**stage, seed=4)
    publish_round(**stage, seen=next_round(tournament.stage, load_draw(tournament.stage)).version)
    tournament.fresh()


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
    assert withdrawal_preview(entry).default_rule is WithdrawnResults.STRIKE
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
    tournament = an_event(entries=6, bracket=BracketSettings(third_place=True), lengths=[5]).publish()
    waiting = [slot.entry for slot in MatchSlot.objects.filter(match__status="waiting", entry__isnull=False)]
    for entry in waiting:
        withdraw(tournament, entry)
    for match in tournament.playable():
        tournament.settle(match, "a")
    third = Match.objects.get(round__code="third_place")
    assert {slot.entry for slot in third.slots.all()} == set(waiting)
    assert result(third) == ("confirmed", "double_walkover", "")
    passed = AuditEntry.objects.filter(action="match.absent").values_list("subject_id", flat=True)
    assert len(passed) == 3
    assert third.pk in passed
    assert integrity_faults(tournament.fresh()) == []
    with pytest.raises(Conflict):
        undo(tournament)
