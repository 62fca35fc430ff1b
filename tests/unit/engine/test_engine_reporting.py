"""What may be claimed and what follows from it, as a director would note it on paper."""

import itertools
from dataclasses import replace

import pytest

from tournaments.engine.errors import BadInput
from tournaments.engine.matches.reporting import (
    ConfirmDecision,
    ConfirmReason,
    DisputeDecision,
    LiveReport,
    Reporter,
    ReportPolicy,
    ScoreCode,
    WaitDecision,
    WaitReason,
    can_report,
    check_score,
    claim_outcome,
    claim_winner,
    decide_reports,
)
from tournaments.engine.matches.result_kinds import RESULT_RULES
from tournaments.engine.statuses import MatchAction, MatchStatus, next_status
from tournaments.engine.types import Claim, Outcome, ResultKind, Score, Side

A, B = Side.A, Side.B
DIRECTOR, SIDE_A, SIDE_B = Reporter
K = ResultKind


def faults(length, claim, **settings):
    return {(fault.code.value, fault.field) for fault in check_score(length, claim, **settings)}


# Played matches: exactly one side at N, every fault at once.
@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (7, 4, set()),
        (0, 7, set()),
        (7, 7, {("score.both_at_length", None)}),
        (6, 4, {("score.none_at_length", None)}),
        (0, 0, {("score.none_at_length", None)}),
        (8, 4, {("score.winner_not_at_length", "score_a")}),
        (4, 9, {("score.winner_not_at_length", "score_b")}),
        (8, 7, {("score.loser_at_length", "score_b"), ("score.winner_not_at_length", "score_a")}),
        (7, 8, {("score.loser_at_length", "score_a"), ("score.winner_not_at_length", "score_b")}),
        (9, 9, {("score.loser_at_length", "score_b"), ("score.winner_not_at_length", "score_a")}),
        (-1, 7, {("score.negative", "score_a")}),
        (
            -1,
            -2,
            {("score.negative", "score_a"), ("score.negative", "score_b"), ("score.none_at_length", None)},
        ),
        (9, -1, {("score.negative", "score_b"), ("score.winner_not_at_length", "score_a")}),
    ],
)
def test_check_score_of_a_played_match_to_seven(a, b, expected):
    assert faults(7, Claim(a, b)) == expected


def test_check_score_of_every_played_score_around_the_length_stands_only_when_one_side_is_at_it():
    for length in (1, 2, 5, 25):
        for a, b in itertools.product(range(-1, length + 3), repeat=2):
            may_stand = (a == length and 0 <= b < length) or (b == length and 0 <= a < length)
            assert (not check_score(length, Claim(a, b))) is may_stand, (length, a, b)


def test_a_fault_names_what_the_message_needs():
    (fault,) = check_score(7, Claim(9, 3))
    assert fault.code is ScoreCode.WINNER_NOT_AT_LENGTH
    assert fault.params == {"length": 7, "points": 9}


def test_check_score_when_a_played_claim_names_the_wrong_winner_then_it_contradicts_itself():
    assert faults(7, Claim(7, 4, winner=B)) == {("score.winner_contradicts", "winner")}
    assert faults(7, Claim(7, 4, winner=A)) == set()


@pytest.mark.parametrize("kind", [K.RETIRED, K.LOST_ON_TIME, K.SETTLED])
@pytest.mark.parametrize(
    ("a", "b", "winner", "expected"),
    [
        (5, 3, B, set()),  # the leader gave up
        (7, 3, None, set()),  # written as a win to the length
        (7, 3, A, set()),
        (5, 3, None, {("score.winner_missing", "winner")}),
        (7, 3, B, {("score.loser_at_length", "score_a")}),
        (8, 3, A, {("score.winner_not_at_length", "score_a")}),
        (7, 7, A, {("score.both_at_length", None)}),
        (-1, 3, B, {("score.negative", "score_a")}),
    ],
)
def test_check_score_of_a_match_broken_off(kind, a, b, winner, expected):
    assert faults(7, Claim(a, b, kind, winner)) == expected


@pytest.mark.parametrize("kind", [K.WALKOVER, K.FORFEIT])
@pytest.mark.parametrize(
    ("a", "b", "winner", "expected"),
    [
        (7, 0, None, set()),
        (0, 0, B, set()),
        (4, 0, A, set()),  # F15: penalty points went to the one who was there
        (0, 0, None, {("score.winner_missing", "winner")}),
        (7, 2, A, {("score.must_stay_at_start", "score_b")}),
        (7, 0, B, {("score.loser_at_length", "score_a")}),
    ],
)
def test_check_score_of_a_match_not_played(kind, a, b, winner, expected):
    assert faults(7, Claim(a, b, kind, winner)) == expected


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (Claim(0, 0, K.DOUBLE_WALKOVER), set()),
        (Claim(0, 0, K.DOUBLE_WALKOVER, A), {("score.winner_not_allowed", "winner")}),
        (Claim(3, 0, K.DOUBLE_WALKOVER), {("score.must_stay_at_start", "score_a")}),
        (Claim(7, 0, K.DOUBLE_WALKOVER), {("score.must_be_below_length", "score_a")}),
        (Claim(6, 6, K.UNFINISHED), set()),
        (Claim(3, 5, K.ADJOURNED), set()),
        (Claim(3, 7, K.ADJOURNED), {("score.must_be_below_length", "score_b")}),
        (Claim(7, 4, K.DISQUALIFIED, B), set()),  # won at the board, lost at the director's desk
        (Claim(7, 4, K.DISQUALIFIED), {("score.winner_missing", "winner")}),
        (Claim(7, 7, K.DISQUALIFIED, A), {("score.both_at_length", None)}),
        (Claim(0, 0, K.BYE, A), {("kind.not_claimable", "kind")}),
    ],
)
def test_check_score_of_the_other_kinds(claim, expected):
    assert faults(7, claim) == expected


def test_check_score_when_the_match_started_above_zero_then_nobody_can_be_below_it():
    start = Score(2, 0)  # F10
    assert faults(7, Claim(7, 0), start=start) == set()
    assert faults(7, Claim(1, 7), start=start) == {("score.below_start", "score_a")}
    assert faults(7, Claim(2, 7, K.WALKOVER), start=start) == set()
    assert faults(7, Claim(2, 0, K.DOUBLE_WALKOVER), start=start) == set()


def test_winner_of_reads_the_score_or_the_name():
    assert claim_winner(7, Claim(7, 4)) is A
    assert claim_winner(7, Claim(4, 7)) is B
    assert claim_winner(7, Claim(5, 4)) is None
    assert claim_winner(7, Claim(5, 4, K.RETIRED, B)) is B
    assert claim_winner(7, Claim(0, 0, K.DOUBLE_WALKOVER)) is None
    assert claim_outcome(7, Claim(4, 7)) == Outcome(B, K.PLAYED)


def test_may_claim_players_tell_what_happened_at_the_board_and_nobody_claims_a_bye():
    by_players = {kind for kind in K if can_report(kind, SIDE_A)}
    assert by_players == {K.PLAYED, K.LOST_ON_TIME, K.RETIRED}
    assert {kind for kind in K if can_report(kind, SIDE_B)} == by_players
    assert {kind for kind in K if not can_report(kind, DIRECTOR)} == {K.BYE}


def test_the_table_of_kinds_says_what_f12_says():
    assert set(RESULT_RULES) == set(K)
    assert {kind for kind in K if RESULT_RULES[kind].rated} == {K.PLAYED, K.LOST_ON_TIME, K.RETIRED}
    assert {kind for kind in K if not RESULT_RULES[kind].ends_match} == {K.ADJOURNED}


# Decisions.


def decided(*voices, policy=ReportPolicy.OPPONENT_CONFIRMS, **settings):
    reports = [LiveReport(version, by, claim) for version, (by, claim) in enumerate(voices, start=1)]
    return decide_reports(reports, policy, length=7, **settings)


def test_decide_when_one_side_has_spoken_then_the_opponent_is_asked():
    assert decided((SIDE_A, Claim(7, 4))) == WaitDecision(WaitReason.OPPONENT_TO_CONFIRM, on=SIDE_B)
    assert decided((SIDE_B, Claim(7, 4))) == WaitDecision(WaitReason.OPPONENT_TO_CONFIRM, on=SIDE_A)


def test_decide_when_both_say_the_same_then_it_stands():
    decision = decided((SIDE_B, Claim(7, 4)), (SIDE_A, Claim(7, 4)))
    assert decision == ConfirmDecision(Claim(7, 4, winner=A), Outcome(A), ConfirmReason.BOTH_AGREE, (1, 2))


def test_decide_when_one_names_the_winner_that_the_score_tells_then_they_agree():
    assert isinstance(decided((SIDE_A, Claim(7, 4, winner=A)), (SIDE_B, Claim(7, 4))), ConfirmDecision)


@pytest.mark.parametrize(
    "other", [Claim(7, 5), Claim(4, 7), Claim(7, 4, K.RETIRED), Claim(5, 4, K.RETIRED, B)]
)
@pytest.mark.parametrize("policy", list(ReportPolicy))
def test_decide_when_they_say_different_things_then_it_is_a_dispute(other, policy):
    decision = decided((SIDE_B, other), (SIDE_A, Claim(7, 4)), policy=policy)
    assert decision == DisputeDecision(claim_a=Claim(7, 4), claim_b=other)


def test_decide_when_a_side_speaks_again_then_its_last_word_counts():
    assert isinstance(
        decided((SIDE_A, Claim(7, 4)), (SIDE_B, Claim(7, 5)), (SIDE_A, Claim(7, 5))), ConfirmDecision
    )
    assert isinstance(decided((SIDE_A, Claim(7, 4)), (SIDE_A, Claim(7, 5))), WaitDecision)
    assert isinstance(
        decided((SIDE_A, Claim(7, 4)), (SIDE_A, Claim(7, 5)), (SIDE_B, Claim(7, 4))), DisputeDecision
    )


@pytest.mark.parametrize("policy", list(ReportPolicy))
def test_decide_when_the_director_speaks_then_it_stands_whatever_was_said(policy):
    decision = decided(
        (SIDE_A, Claim(7, 4)),
        (DIRECTOR, Claim(0, 7)),
        (SIDE_B, Claim(7, 5)),
        (DIRECTOR, Claim(7, 6)),
        policy=policy,
    )
    assert decision == ConfirmDecision(Claim(7, 6, winner=A), Outcome(A), ConfirmReason.BY_DIRECTOR, (4,))


def test_decide_when_a_single_report_settles_then_one_voice_is_enough():
    decision = decided((SIDE_B, Claim(3, 7)), policy=ReportPolicy.SINGLE_REPORT_SETTLES)
    assert decision == ConfirmDecision(Claim(3, 7, winner=B), Outcome(B), ConfirmReason.SINGLE_REPORT, (1,))


def test_decide_when_only_the_director_records_then_players_wait_even_if_they_agree():
    policy = ReportPolicy.DIRECTOR_ONLY
    waiting = WaitDecision(WaitReason.DIRECTOR_TO_CONFIRM, on=DIRECTOR)
    assert decided((SIDE_A, Claim(7, 4)), policy=policy) == waiting
    assert decided((SIDE_A, Claim(7, 4)), (SIDE_B, Claim(7, 4)), policy=policy) == waiting


@pytest.mark.parametrize(
    ("policy", "clean", "setting", "confirms"),
    [
        (ReportPolicy.OPPONENT_CONFIRMS, True, True, True),
        (ReportPolicy.OPPONENT_CONFIRMS, True, False, False),
        (ReportPolicy.OPPONENT_CONFIRMS, False, True, False),
        (ReportPolicy.DIRECTOR_ONLY, True, True, False),
    ],
)
def test_decide_when_a_clean_record_comes_along_then_the_stages_setting_decides(
    policy, clean, setting, confirms
):
    report = LiveReport(1, SIDE_A, Claim(7, 4), clean_record=clean)
    decision = decide_reports([report], policy, length=7, clean_record_settles=setting)
    assert isinstance(decision, ConfirmDecision) is confirms


def test_decide_a_clean_record_never_overrules_a_contradiction():
    reports = [LiveReport(1, SIDE_B, Claim(4, 7)), LiveReport(2, SIDE_A, Claim(7, 4), clean_record=True)]
    decision = decide_reports(reports, ReportPolicy.OPPONENT_CONFIRMS, length=7, clean_record_settles=True)
    assert isinstance(decision, DisputeDecision)


def test_decide_does_not_depend_on_the_order_in_which_reports_are_handed_over():
    reports = [
        LiveReport(1, SIDE_A, Claim(7, 4)),
        LiveReport(2, SIDE_B, Claim(7, 5)),
        LiveReport(3, SIDE_A, Claim(7, 5)),
    ]
    decisions = {
        decide_reports(order, ReportPolicy.OPPONENT_CONFIRMS, length=7)
        for order in itertools.permutations(reports)
    }
    assert len(decisions) == 1


def test_decide_when_nobody_has_spoken_then_there_is_nothing_to_decide():
    with pytest.raises(BadInput) as refused:
        decide_reports([], ReportPolicy.OPPONENT_CONFIRMS, length=7)
    assert refused.value.code == "report.none"


def test_every_decision_names_an_action_that_an_open_match_allows():
    decisions = [
        decided((SIDE_A, Claim(7, 4))),
        decided((DIRECTOR, Claim(7, 4))),
        decided((SIDE_A, Claim(7, 4)), (SIDE_B, Claim(4, 7))),
    ]
    assert [d.action for d in decisions] == [MatchAction.REPORT, MatchAction.CONFIRM, MatchAction.DISPUTE]
    for decision, status in itertools.product(
        decisions, ("ready", "called", "playing", "reported", "disputed")
    ):
        assert next_status(MatchStatus(status), decision.action) is not MatchStatus.WAITING


def test_who_reports_when_it_is_a_side_then_that_side():
    assert [Reporter.for_side(side) for side in (A, B)] == [SIDE_A, SIDE_B]


@pytest.mark.parametrize(
    ("policy", "settles"),
    [
        (ReportPolicy.SINGLE_REPORT_SETTLES, False),
        (ReportPolicy.OPPONENT_CONFIRMS, True),
        (ReportPolicy.OPPONENT_CONFIRMS, False),
    ],
)
def test_decide_when_a_doubtful_record_came_with_a_single_report_then_the_other_side_is_asked(
    policy, settles
):
    one = LiveReport(1, SIDE_A, Claim(5, 3), clean_record=True, record_doubtful=True)

    assert decide_reports([one], policy, length=5, clean_record_settles=settles) == WaitDecision(
        WaitReason.OPPONENT_TO_CONFIRM, SIDE_B
    )


def test_decide_when_both_agree_or_the_director_has_the_word_then_a_doubtful_record_changes_nothing():
    one = LiveReport(1, SIDE_A, Claim(5, 3), record_doubtful=True)
    both = decide_reports([one, LiveReport(2, SIDE_B, Claim(5, 3))], ReportPolicy.OPPONENT_CONFIRMS, length=5)
    director = replace(one, by=DIRECTOR)

    assert isinstance(both, ConfirmDecision)
    assert (
        decide_reports([director], ReportPolicy.OPPONENT_CONFIRMS, length=5).reason
        is ConfirmReason.BY_DIRECTOR
    )
