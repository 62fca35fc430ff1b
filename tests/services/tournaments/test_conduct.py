"""Points without a game, lateness by the schedule, adjournments, and what the stage says about them."""

from dataclasses import replace
from datetime import timedelta

import pytest

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry
from rating.models import Fact
from tests.factories import a_user, an_event
from tests.support.records import a_record
from tournaments.draws.services.draws import unpublish_draw
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.rulings import (
    SINGLES_CLOCK,
    Award,
    AwardReason,
    LatenessRule,
    MatchConditions,
)
from tournaments.engine.trail.matches import MatchResumed
from tournaments.engine.types import ResultKind, Score, Side
from tournaments.events.services.stage_rules import set_conduct
from tournaments.events.services.stages import details_of_stage, update_stage
from tournaments.matches.services.records import Upload
from tournaments.matches.services.reports import confirm_report
from tournaments.matches.services.rulings import (
    adjourn_match,
    award_for_lateness,
    award_points,
    remove_award,
    resume_match,
    undo_adjournment,
)
from tournaments.models import Match, Report
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.matches.claims import minimum_match_score

pytestmark = pytest.mark.django_db
A, B = Side.A, Side.B
START_POSITION = "4HPwATDgc/ABMA"


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[7], tables=1).publish()


@pytest.fixture
def match(tournament):
    return tournament.playable()[0]


def ruled(tournament, match, **more):
    match.refresh_from_db()
    return {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "match_id": match.pk,
        "seen": match.version,
        **more,
    }


def award(tournament, match, to, points, why=AwardReason.START, note=""):
    return award_points(**ruled(tournament, match, award=Award(Side(to), points, why, note=note)))


def late(tournament, match, side, minutes):
    return award_for_lateness(**ruled(tournament, match, late=Side(side), minutes=minutes))


def adjourn(tournament, match, a=3, b=2, **more):
    return adjourn_match(**ruled(tournament, match, adjourned=Adjournment(Score(a, b), **more)))


def start_of(match):
    match.refresh_from_db()
    return match.start_a, match.start_b


def test_starting_score_when_given_then_every_report_is_held_against_it(tournament, match):
    award(tournament, match, "a", 2)
    assert start_of(match) == (2, 0)
    for side in ("a", None):
        with pytest.raises(Invalid) as refused:
            tournament.says(match, side, 1, 7)
        assert (refused.value.code, refused.value.params["start"]) == ("score.below_start", 2)
    assert tournament.says(match, None, 2, 7).decision == "confirmed"


def test_awards_when_given_changed_and_taken_back_then_the_score_follows_and_the_trail_keeps_all(
    tournament, match
):
    award(tournament, match, "a", 2)
    award(tournament, match, "a", 1)
    assert start_of(match) == (1, 0)
    late(tournament, match, "a", 10)
    late(tournament, match, "a", 16)
    assert start_of(match) == (1, 2)
    award(tournament, match, "b", 1, AwardReason.PENALTY, "Phone")
    award(tournament, match, "b", 1, AwardReason.PENALTY, "Phone again")
    assert start_of(match) == (1, 4)
    remove_award(**ruled(tournament, match, number=1))
    assert start_of(match) == (1, 2)
    assert [row["note"] for row in match.awards] == ["", "Phone", "Phone again"]
    actions = list(AuditEntry.objects.filter(action__startswith="match.").values_list("action", flat=True))
    assert actions.count("match.award") == 6
    assert actions.count("match.take_back_award") == 1


@pytest.mark.parametrize(("minutes", "points"), [(0, 0), (9, 0), (10, 1), (24, 3)])
def test_lateness_costs_what_the_schedule_of_the_stage_says(tournament, match, minutes, points):
    late(tournament, match, "b", minutes)
    assert start_of(match) == (points, 0)


def test_lateness_past_half_the_length_is_refused_because_it_is_a_result(tournament, match):
    with pytest.raises(Invalid) as refused:
        late(tournament, match, "a", 25)
    assert refused.value.code == "award.match_lost"
    assert start_of(match) == (0, 0)
    assert tournament.says(match, None, 0, 0, kind="walkover", winner="b").decision == "confirmed"


def test_lateness_when_it_is_as_long_as_can_be_said_then_written_and_a_minute_more_is_refused(
    tournament, match
):
    conduct(tournament, lateness=LatenessRule(grace=600))
    late(tournament, match, "b", 600)
    for minutes in (-1, 601):
        with pytest.raises(Invalid) as refused:
            late(tournament, match, "b", minutes)
        assert refused.value.code == "award.minutes_odd"


def test_schedule_when_the_director_sets_another_then_that_counts(tournament, match):
    set_conduct(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        stage_id=tournament.stage.pk,
        lateness=LatenessRule(grace=0, step=10, points=2),
        clocks=SINGLES_CLOCK,
        rated=True,
    )
    late(tournament, match, "a", 10)
    assert start_of(match) == (0, 2)
    assert tournament.stage.settings.conduct.clocks == SINGLES_CLOCK


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (Award(A, 7, AwardReason.START), "award.ends_match"),
        (Award(A, -1, AwardReason.START), "award.points_odd"),
        (Award(A, 0, AwardReason.PENALTY, note="x"), "award.points_odd"),
        (Award(A, 1, AwardReason.PENALTY), "award.reason_missing"),
        (Award(A, 1, AwardReason.START, note="x" * 201), "award.note_long"),
        (Award(A, 1, AwardReason.LATE, 10), "award.by_schedule"),
    ],
)
def test_award_when_impossible_then_refused_and_nothing_is_written(tournament, match, given, code):
    before = match.version
    with pytest.raises(Invalid) as refused:
        award_points(**ruled(tournament, match, award=given))
    assert refused.value.code == code
    match.refresh_from_db()
    assert (match.awards, match.version) == ([], before)


def test_award_when_points_pile_up_to_the_length_then_refused(tournament, match):
    award(tournament, match, "a", 4)
    with pytest.raises(Invalid) as refused:
        award(tournament, match, "a", 3, AwardReason.PENALTY, "Swearing")
    assert refused.value.code == "award.ends_match"


def test_ruling_when_the_page_was_old_then_409(tournament, match):
    old = ruled(tournament, match)
    award(tournament, match, "a", 2)
    for ruling in (
        lambda: award_points(**old, award=Award(B, 1, AwardReason.START)),
        lambda: award_for_lateness(**old, late=A, minutes=10),
        lambda: remove_award(**old, number=0),
        lambda: adjourn_match(**old, adjourned=Adjournment(Score(3, 2))),
        lambda: resume_match(**old),
    ):
        with pytest.raises(Conflict) as refused:
            ruling()
        assert refused.value.code == "match.changed_meanwhile"
        assert refused.value.present["version"] == match.version + 1
    assert start_of(match) == (2, 0)


def test_ruling_when_the_match_is_over_or_waits_for_a_side_then_refused(tournament, match):
    tournament.settle(match, "a")
    for closed in (match, Match.objects.get(status="waiting")):
        with pytest.raises(Conflict) as refused:
            award(tournament, closed, "a", 1)
        assert refused.value.code == "match.no_ruling_now"
    with pytest.raises(Missing):
        remove_award(**ruled(tournament, tournament.playable()[0], number=0))


def test_ruling_when_made_by_somebody_else_then_not_allowed(tournament, match):
    stranger = Actor.of(a_user())
    for ruling in (
        lambda: award_points(
            **ruled(tournament, match, actor=stranger, award=Award(A, 1, AwardReason.START))
        ),
        lambda: adjourn_match(**ruled(tournament, match, actor=stranger, adjourned=Adjournment(Score(1, 0)))),
    ):
        with pytest.raises(NotAllowed):
            ruling()


def test_penalty_when_it_comes_between_a_report_and_its_answer_then_the_answer_is_refused(tournament, match):
    said = tournament.says(match, "a", 0, 7)
    award(tournament, match, "a", 1, AwardReason.PENALTY, "Slow play by b")
    with pytest.raises(Invalid) as refused:
        confirm_report(
            actor=Actor.with_label("b"),
            match_id=match.pk,
            entry=tournament.entry_at(match, "b"),
            version=said.report.version,
            submission_key="yes",
        )
    assert refused.value.code == "score.below_start"


# --- records ------------------------------------------------------------------------------------------------------


def handed_in(tournament, match, start, winners, length=7):
    a, b = (tournament.entry_at(match, side).name for side in Side)
    return Upload(a_record(a, b, length, winners, start=start), "match.mat")


def test_record_when_it_begins_at_the_starting_score_then_it_is_clean_evidence(tournament, match):
    award(tournament, match, "a", 2)
    tournament.says(match, "a", 7, 1, record=handed_in(tournament, match, (2, 0), "llrlll"))
    assert Report.objects.get().record_clean


@pytest.mark.parametrize("start", [(0, 0), (0, 2), (3, 0)])
def test_record_when_it_begins_at_another_score_then_it_is_refused_with_both(tournament, match, start):
    award(tournament, match, "a", 2)
    with pytest.raises(Invalid) as refused:
        tournament.says(
            match, None, 7, start[1], record=handed_in(tournament, match, start, "l" * (7 - start[0]))
        )
    assert "expected.start" in {fault.params["finding"] for fault in refused.value.faults}


@pytest.mark.parametrize("who", [None, "a"])
def test_record_when_points_were_given_in_mid_match_then_it_is_kept_beside_the_result_and_decides_nothing(
    tournament, match, who
):
    award(tournament, match, "b", 1, AwardReason.PENALTY, "Spoke to a spectator")
    tournament.says(match, who, 7, 3, record=handed_in(tournament, match, (0, 0), "llrlrllll"))
    report = Report.objects.get()
    assert report.record is not None
    assert (report.record_differs, report.record_clean) == (False, False)
    assert report.decision == ("confirmed" if who is None else "reported")


def test_record_when_points_were_given_then_an_illegal_play_or_other_players_are_refused_as_ever(
    tournament, match
):
    award(tournament, match, "b", 1, AwardReason.PENALTY, "Spoke to a spectator")
    strangers = Upload(a_record("Nobody", "Somebody", 7, "lllllll", start=(0, 0)), "match.mat")
    with pytest.raises(Invalid) as refused:
        tournament.says(match, None, 7, 1, record=strangers)
    assert "expected.players" in {fault.params["finding"] for fault in refused.value.faults}


def test_record_when_it_tells_only_what_came_after_the_break_then_it_is_accepted(tournament, match):
    adjourn(tournament, match, 3, 2)
    assert (
        tournament.says(match, None, 7, 2, record=handed_in(tournament, match, (3, 2), "llll")).decision
        == "confirmed"
    )


def test_record_of_the_whole_match_when_it_was_adjourned_then_it_is_accepted(tournament, match):
    adjourn(tournament, match, 3, 2)
    whole = handed_in(tournament, match, (0, 0), "lllrrllll")
    assert tournament.says(match, None, 7, 2, record=whole).decision == "confirmed"


# --- adjourned ----------------------------------------------------------------------------------------------------


def test_adjourned_match_leaves_its_table_to_the_next_and_nothing_counts_yet(tournament, match):
    _first, other = tournament.playable()
    assert (match.table, other.table) == (1, None)
    done = adjourn(tournament, match, position=START_POSITION, on_roll=B, dice=(6, 1))
    other.refresh_from_db()
    assert (done.status, done.table, other.table) == ("adjourned", None, 1)
    assert (done.winner_side, done.result_kind) == ("", "")
    assert Adjournment.of(done.adjourned).board is not None
    tournament.settle(other, "a")
    tournament.fresh()
    assert (tournament.stage.status, tournament.event.status) == ("running", "running")


def test_adjourned_match_when_resumed_then_it_waits_for_a_table_and_knows_where_it_stood(tournament, match):
    adjourn(tournament, match)
    _other = tournament.playable()[-1]
    tournament.settle(_other, "a")
    done = resume_match(**ruled(tournament, match))
    done.refresh_from_db()
    assert (done.status, done.table) == ("ready", 1)
    with pytest.raises(Invalid) as refused:
        tournament.says(match, "a", 2, 7)
    assert refused.value.code == "score.below_start"
    tournament.says(match, "a", 7, 2)
    tournament.says(match, "b", 7, 2)
    match.refresh_from_db()
    assert (match.status, minimum_match_score(match)) == ("confirmed", Score(0, 0))
    kept = AuditEntry.objects.filter(action="match.adjourn").get().data
    assert kept["score"] == [3, 2]


def test_adjourned_match_when_that_is_taken_back_then_it_is_ready_and_the_trail_says_so(tournament, match):
    adjourn(tournament, match)
    back = undo_adjournment(**ruled(tournament, match), before=None)
    row = AuditEntry.objects.latest("pk")
    assert (back.status, back.adjourned) == ("ready", {})
    assert (row.action, row.data["taken_back"]) == (MatchResumed.kind, True)


def test_adjourned_match_when_played_on_at_home_then_its_players_report_it_without_a_table(tournament, match):
    adjourn(tournament, match)
    assert tournament.says(match, "a", 7, 4).decision == "reported"
    assert tournament.says(match, "b", 7, 4).decision == "confirmed"


def test_adjourned_match_when_written_down_again_then_the_new_words_count(tournament, match):
    day = event_today(tournament.event) + timedelta(days=12)
    adjourn(tournament, match)
    adjourn(tournament, match, 4, 2, resumes_on=day, cube=2, cube_owner=A)
    match.refresh_from_db()
    assert Adjournment.of(match.adjourned) == Adjournment(Score(4, 2), 2, A, resumes_on=day)
    assert AuditEntry.objects.filter(action="match.adjourn").count() == 2


def test_adjourned_match_when_something_was_reported_before_then_that_falls_away(tournament, match):
    tournament.says(match, "a", 7, 3)
    adjourn(tournament, match)
    assert Report.objects.get().state == Report.State.SUPERSEDED
    assert tournament.says(match, "b", 3, 7).decision == "reported"


def test_adjournment_when_impossible_then_every_fault_at_once_and_nothing_changes(tournament, match):
    with pytest.raises(Invalid) as refused:
        adjourn(tournament, match, 7, 0, cube=3, resumes_on=event_today(tournament.event) - timedelta(days=1))
    assert {fault.field for fault in refused.value.faults} == {"score_a", "cube", "resumes_on"}
    match.refresh_from_db()
    assert (match.status, match.adjourned) == ("ready", {})


def test_adjournment_of_a_match_that_is_over_is_refused_and_so_is_resuming_one_that_goes_on(
    tournament, match
):
    with pytest.raises(Conflict) as refused:
        resume_match(**ruled(tournament, match))
    assert refused.value.code == "match.resume_refused"
    tournament.settle(match, "a")
    with pytest.raises(Conflict):
        adjourn(tournament, match)


def test_draw_cannot_be_taken_back_while_a_match_is_adjourned(tournament, match):
    adjourn(tournament, match)
    with pytest.raises(Conflict):
        unpublish_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk)


# --- the stage's rules --------------------------------------------------------------------------------------------


def conduct(tournament, *, rated=True, lateness=None, clocks=None):
    return set_conduct(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        stage_id=tournament.stage.pk,
        lateness=lateness or LatenessRule(),
        clocks=clocks,
        rated=rated,
    )


def test_stage_when_not_rated_then_no_result_reaches_the_ledger(tournament, match):
    conduct(tournament, rated=False)
    tournament.settle(match, "a", 3)
    assert not Fact.objects.exists()


def test_rated_when_there_are_results_then_it_stays_and_the_rest_may_still_change(tournament, match):
    tournament.settle(match, "a", 3)
    with pytest.raises(Conflict) as refused:
        conduct(tournament, rated=False)
    assert refused.value.code == "conduct.rated_fixed"
    conduct(tournament, lateness=replace(LatenessRule(), grace=0, lost_as=ResultKind.FORFEIT))
    assert tournament.stage.settings.conduct.lateness == LatenessRule(0, 5, 1, ResultKind.FORFEIT)


def test_rules_of_conduct_when_the_stage_is_set_up_differently_then_they_stay():
    tournament = an_event(entries=4, lengths=[7])
    conduct(tournament, lateness=LatenessRule(grace=2), clocks=SINGLES_CLOCK, rated=False)
    update_stage(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        stage_id=tournament.stage.pk,
        stage=replace(details_of_stage(tournament.stage), lengths=[9], system="swiss"),
    )
    tournament.stage.refresh_from_db()
    assert tournament.stage.settings.conduct == MatchConditions(
        LatenessRule(grace=2), SINGLES_CLOCK, rated=False
    )


@pytest.mark.parametrize("kind", [k for k in ResultKind if k not in {ResultKind.BYE, ResultKind.ADJOURNED}])
def test_ledger_holds_a_result_exactly_where_f12_rates_it(tournament, match, kind):
    nobody = kind in {ResultKind.DOUBLE_WALKOVER, ResultKind.UNFINISHED}
    score = (7, 3) if kind is ResultKind.PLAYED else (0, 0)
    tournament.says(match, None, *score, kind=kind.value, winner=None if nobody else "a")
    rated = {ResultKind.PLAYED, ResultKind.LOST_ON_TIME, ResultKind.RETIRED}
    assert Fact.objects.exists() is (kind in rated)


def test_double_walk_over_when_nobody_goes_on_then_the_opponent_passes_with_a_bye(tournament, match):
    _first, other = tournament.playable()
    tournament.says(match, None, 0, 0, kind="double_walkover")
    tournament.settle(other, "a")
    final = Match.objects.get(round__code="final")
    assert (final.status, final.result_kind) == ("confirmed", "bye")
    tournament.fresh()
    assert tournament.event.status == "finished"
