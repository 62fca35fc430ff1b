"""Results: said by both sides, by one, by the director; wrong ones refused; the first to take the lock wins."""

import pytest

from faults import Conflict, CrawfordError, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.messages import describe_all
from people.models import AuditEntry
from tests.factories import an_event
from tournaments.engine.types import Side
from tournaments.matches.services.objections import object_to_result, settle_objection
from tournaments.matches.services.reports import confirm_report
from tournaments.models import Match, MatchSlot, Report

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[7]).publish()


def stands(match):
    match.refresh_from_db()
    return match.status, match.score_a, match.score_b, match.winner_side


def test_submit_report_when_both_sides_say_the_same_then_confirmed_and_the_winner_moves_on(tournament):
    match = tournament.playable()[0]
    assert tournament.says(match, "a", 7, 4).decision == "reported"
    assert stands(match)[0] == "reported"
    assert tournament.says(match, "b", 7, 4).decision == "confirmed"
    assert stands(match) == ("confirmed", 7, 4, "a")
    final = Match.objects.get(round__code="final")
    assert MatchSlot.objects.get(source_match=match).match == final
    assert MatchSlot.objects.get(source_match=match).entry == tournament.entry_at(match, "a")


def test_agree_when_the_opponent_says_yes_then_confirmed(tournament):
    match = tournament.playable()[0]
    said = tournament.says(match, "b", 3, 7)
    answer = confirm_report(
        actor=Actor.with_label("a"),
        match_id=match.pk,
        entry=tournament.entry_at(match, "a"),
        version=said.report.version,
        submission_key="yes",
    )
    assert answer.decision == "confirmed"
    assert stands(match) == ("confirmed", 3, 7, "b")


def test_agree_when_the_report_was_replaced_meanwhile_then_nothing_is_agreed_to(tournament):
    match = tournament.playable()[0]
    first = tournament.says(match, "a", 7, 4)
    tournament.says(match, "a", 7, 5)
    with pytest.raises(Conflict) as refused:
        confirm_report(
            actor=Actor.with_label("b"),
            match_id=match.pk,
            entry=tournament.entry_at(match, "b"),
            version=first.report.version,
            submission_key="yes",
        )
    assert refused.value.code == "report.replaced"
    assert stands(match)[0] == "reported"


def test_agree_when_a_director_does_then_to_what_still_stands_and_was_seen_alone(tournament):
    match = tournament.playable()[0]
    first = tournament.says(match, "a", 7, 4).report.version
    second = tournament.says(match, "a", 7, 5).report.version
    match.refresh_from_db()
    seen = match.version
    tournament.says(match, "b", 2, 7)
    ruling = {"actor": tournament.actor, "match_id": match.pk, "entry": None, "submission_key": "so it is"}
    for version, then, code in [
        (first, None, "report.replaced"),
        (second, seen, "match.changed_meanwhile"),
        (99, None, "report.unknown"),
    ]:
        with pytest.raises(CrawfordError) as refused:
            confirm_report(**ruling, version=version, seen=then)
        assert refused.value.code == code
    assert stands(match)[0] == "disputed"
    assert confirm_report(**ruling, version=second, seen=match.version).decision == "confirmed"
    assert stands(match) == ("confirmed", 7, 5, "a")
    assert confirm_report(**ruling, version=second).repeated
    assert not AuditEntry.objects.filter(action="match.agree").exists()  # it was the director's own word


def test_submit_report_when_the_sides_differ_then_disputed_until_the_director_decides(tournament):
    match = tournament.playable()[0]
    tournament.says(match, "a", 7, 4)
    assert tournament.says(match, "b", 4, 7).decision == "disputed"
    assert stands(match)[0] == "disputed"
    assert tournament.says(match, None, 7, 5).decision == "confirmed"
    assert stands(match) == ("confirmed", 7, 5, "a")
    assert Report.objects.filter(match=match, state="confirmed").count() == 1


def test_submit_report_when_one_side_gives_way_then_confirmed(tournament):
    match = tournament.playable()[0]
    tournament.says(match, "a", 7, 4)
    tournament.says(match, "b", 4, 7)
    assert tournament.says(match, "b", 7, 4).decision == "confirmed"
    assert list(match.reports.values_list("state", flat=True)) == ["superseded", "superseded", "confirmed"]


@pytest.mark.parametrize(
    ("score_a", "score_b", "codes"),
    [
        (7, 7, ["score.both_at_length"]),
        (6, 4, ["score.none_at_length"]),
        (8, 4, ["score.winner_not_at_length"]),
        (9, 8, ["score.loser_at_length", "score.winner_not_at_length"]),
        (7, -1, ["score.negative"]),
    ],
)
def test_submit_report_when_the_score_is_impossible_then_every_reason_is_told(
    tournament, score_a, score_b, codes
):
    match = tournament.playable()[0]
    with pytest.raises(Invalid) as refused:
        tournament.says(match, "a", score_a, score_b)
    assert sorted(fault.code for fault in refused.value.faults) == codes
    assert all(describe_all(refused.value))
    assert not Report.objects.exists()


def test_submit_report_when_the_same_key_comes_twice_then_one_report_and_the_same_answer(tournament):
    match = tournament.playable()[0]
    first = tournament.says(match, "a", 7, 4, key="once")
    again = tournament.says(match, "a", 7, 4, key="once")
    assert (again.report, again.decision, again.repeated) == (first.report, "reported", True)
    assert Report.objects.count() == 1
    with pytest.raises(Conflict):
        tournament.says(match, "b", 7, 4, key="once")


def test_submit_report_when_confirmed_and_said_again_then_fine_but_a_contradiction_is_told_the_state(
    tournament,
):
    match = tournament.playable()[0]
    tournament.says(match, None, 7, 4)
    assert tournament.says(match, "b", 7, 4).decision == "confirmed"
    with pytest.raises(Conflict) as refused:
        tournament.says(match, "b", 4, 7)
    assert refused.value.code == "report.already_confirmed"
    assert refused.value.present["score_a"] == 7
    assert Report.objects.filter(match=match).count() == 1


def test_submit_report_when_it_is_not_their_match_then_not_allowed(tournament):
    mine, theirs = tournament.playable()
    with pytest.raises(NotAllowed):
        confirm_report(
            actor=Actor.with_label("x"),
            match_id=mine.pk,
            entry=tournament.entry_at(theirs, "a"),
            version=1,
            submission_key="k",
        )


def test_submit_report_when_a_side_is_not_known_yet_then_conflict(tournament):
    final = Match.objects.get(round__code="final")
    with pytest.raises(Conflict) as refused:
        tournament.says(final, None, 7, 4)
    assert refused.value.code == "report.not_open"


def test_submit_report_when_the_draw_is_not_published_then_conflict():
    tournament = an_event(entries=4).draw()
    with pytest.raises(Conflict):
        tournament.says(Match.objects.filter(status="ready").first(), "a", 7, 0)


def test_submit_report_when_a_player_claims_a_walk_over_then_only_the_director_may(tournament):
    match = tournament.playable()[0]
    with pytest.raises(Invalid) as refused:
        tournament.says(match, "a", 0, 0, kind="walkover", winner="a")
    assert refused.value.code == "report.kind_not_yours"
    tournament.says(match, None, 0, 0, kind="walkover", winner="b")
    assert stands(match) == ("confirmed", 0, 0, "b")


def test_submit_report_when_a_director_adjourns_then_there_is_no_result_yet(tournament):
    with pytest.raises(Invalid) as refused:
        tournament.says(tournament.playable()[0], None, 3, 2, kind="adjourned")
    assert refused.value.code == "report.kind_ends_nothing"


def test_submit_report_when_one_report_settles_then_confirmed_at_once():
    tournament = an_event(entries=2, report_policy="single_report_settles").publish()
    assert tournament.says(tournament.playable()[0], "b", 2, 9).decision == "confirmed"


def test_submit_report_when_only_the_director_records_then_two_equal_claims_wait():
    tournament = an_event(entries=2, lengths=[7], report_policy="director_only").publish()
    match = tournament.playable()[0]
    tournament.says(match, "a", 7, 4)
    assert tournament.says(match, "b", 7, 4).decision == "reported"
    assert tournament.says(match, None, 7, 4).decision == "confirmed"


def test_double_walk_over_when_both_stay_away_then_the_next_opponent_passes_and_the_event_ends(tournament):
    first, second = tournament.playable()
    tournament.says(first, None, 0, 0, kind="double_walkover")
    tournament.settle(second, "a", 3)
    final = Match.objects.get(round__code="final")
    assert (final.status, final.result_kind) == ("confirmed", "bye")
    assert tournament.fresh().status == "finished"


def test_object_to_result_when_confirmed_then_flagged_and_nothing_else_changes(tournament):
    match = tournament.playable()[0]
    tournament.says(match, None, 7, 4)
    loser = tournament.entry_at(match, "b")
    objection = object_to_result(
        actor=Actor.with_label("b"), match_id=match.pk, entry=loser, text=" It was 7–5. "
    )
    again = object_to_result(actor=Actor.with_label("b"), match_id=match.pk, entry=loser, text="again")
    assert (again.pk, objection.text) == (objection.pk, "It was 7–5.")
    assert stands(match) == ("confirmed", 7, 4, "a")
    settled = settle_objection(actor=tournament.actor, objection_id=objection.pk)
    assert settled.settled_by == tournament.director


def test_object_to_result_when_not_confirmed_then_conflict(tournament):
    match = tournament.playable()[0]
    with pytest.raises(Conflict):
        object_to_result(
            actor=Actor.with_label("b"), match_id=match.pk, entry=tournament.entry_at(match, "b"), text="no"
        )
    with pytest.raises(Missing):
        settle_objection(actor=tournament.actor, objection_id=999)


@pytest.mark.parametrize("entries", [2, 3, 5, 8, 11, 16])
def test_play_out_when_any_size_then_one_winner_and_a_finished_event(entries):
    tournament = an_event(entries=entries).publish().play_out()
    final = Match.objects.get(round__code="final")
    assert (tournament.event.status, tournament.stage.status) == ("finished", "finished")
    assert tournament.event.finished_at is not None
    assert final.winner_side in list(Side)
    assert not Match.objects.exclude(status="confirmed").exists()
    played = Match.objects.exclude(result_kind="bye").count()
    assert played == entries - 1
    assert AuditEntry.objects.filter(action="match.report").count() == played
