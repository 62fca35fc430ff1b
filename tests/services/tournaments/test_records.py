"""A game record joins a report: evidence when it is sound, a dispute when it says otherwise, refused when it is neither."""

import hashlib
import json
from dataclasses import replace

import pytest
from django.utils.translation import override

from faults import Invalid
from games.models import StoredRecord
from games.rules.policies import CorrectedUntil, MovesPolicy, SlipRules
from people.messages import describe_all
from people.models import AuditEntry
from tests.factories import an_event
from tests.support.records import BAD_OPENING, a_record
from tournaments.engine.types import Side
from tournaments.matches.services.records import Upload, read_evidence
from tournaments.models import Report

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(entries=2, lengths=[3]).publish()


def final_of(tournament):
    """The match, and the names of sides a and b."""
    match = tournament.playable()[0]
    return match, tournament.entry_at(match, "a").name, tournament.entry_at(match, "b").name


def upload(left, right, winners="lrll", length=3, **more):
    side = more.pop("left_is", None)
    return Upload(a_record(left, right, length, winners, **more), "match.mat", side)


def test_record_when_it_says_the_same_then_it_is_kept_once_and_waits_like_any_claim(tournament):
    match, a, b = final_of(tournament)
    file = upload(a, b)
    assert tournament.says(match, "a", 3, 1, record=file).decision == "reported"
    report = Report.objects.get()
    assert (report.record_clean, report.record_differs, report.record_left) == (True, False, "a")
    assert bytes(report.record.content) == file.content
    assert report.record.sha256 == hashlib.sha256(file.content).hexdigest()
    tournament.says(match, "b", 3, 1, record=file)
    assert StoredRecord.objects.count() == 1


def test_record_when_columns_are_the_other_way_round_then_the_score_is_turned(tournament):
    match, a, b = final_of(tournament)
    read = read_evidence(match, upload(b, a, "rlrr"))
    assert (read.claim.score_a, read.claim.score_b, read.left) == (3, 1, Side.B)


def test_record_when_names_are_strange_then_refused_until_somebody_says_who_is_left(tournament):
    match, _a, _b = final_of(tournament)
    with pytest.raises(Invalid) as refused:
        read_evidence(match, upload("nick1", "nick2"))
    assert refused.value.code == "record.refused"
    assert refused.value.params["finding"] == "expected.players"
    read = read_evidence(match, upload("nick1", "nick2", left_is=Side.B))
    assert (read.claim.score_a, read.claim.score_b) == (1, 3)


def test_record_when_it_ends_otherwise_than_claimed_then_the_match_is_disputed(tournament):
    match, a, b = final_of(tournament)
    assert tournament.says(match, "b", 1, 3, record=upload(a, b)).decision == "disputed"
    assert tournament.says(match, "a", 1, 3).decision == "disputed"
    assert Report.objects.get(side="b").record_differs
    assert tournament.says(match, None, 3, 1).decision == "confirmed"


def test_record_when_clean_and_the_stage_says_so_then_it_settles_the_match_alone():
    tournament = an_event(entries=2, lengths=[3], clean_record_settles=True).publish()
    match, a, b = final_of(tournament)
    assert tournament.says(match, "a", 3, 1, record=upload(a, b)).decision == "confirmed"


def test_record_when_an_illegal_play_was_played_on_then_a_note_and_no_settling_alone():
    tournament = an_event(entries=2, lengths=[3], clean_record_settles=True).publish()
    match, a, b = final_of(tournament)
    answer = tournament.says(match, "a", 3, 1, record=upload(a, b, opening=BAD_OPENING))
    assert answer.decision == "reported"
    assert Report.objects.get().record is not None


@pytest.mark.parametrize(
    ("file", "code"),
    [
        (lambda a, b: Upload(b"\x00\x01 no record", "x.mat"), "record.unreadable"),
        (lambda a, b: Upload(b"", "x.mat"), "record.unreadable"),
        (lambda a, b: upload(a, b, "lr"), "record.refused"),
        (lambda a, b: upload(a, b, "llrll", length=4), "record.refused"),
    ],
)
def test_record_when_it_is_no_evidence_then_refused_with_reasons_and_nothing_is_written(
    tournament, file, code
):
    match, a, b = final_of(tournament)
    with pytest.raises(Invalid) as refused:
        tournament.says(match, "a", 3, 1, record=file(a, b))
    assert refused.value.code == code
    with override("de"):
        words = describe_all(refused.value)
    assert all(words)
    told = json.dumps([dict(fault.params) for fault in refused.value.faults])
    assert not any(sentence in told for sentence in (*words, *describe_all(refused.value)))
    assert all("why" not in fault.params for fault in refused.value.faults)
    assert not Report.objects.exists()
    assert not StoredRecord.objects.exists()


def test_record_when_the_director_s_own_record_differs_then_asked_again(tournament):
    match, a, b = final_of(tournament)
    with pytest.raises(Invalid) as refused:
        tournament.says(match, None, 3, 0, record=upload(a, b))
    assert refused.value.code == "record.differs"
    assert tournament.says(match, None, 3, 1, record=upload(a, b)).decision == "confirmed"


def test_r1_record_when_doubtful_then_kept_and_the_other_side_is_asked_even_where_one_report_settles():
    tournament = an_event(
        entries=2, lengths=[3], report_policy="single_report_settles", clean_record_settles=True
    ).publish()
    match, a, b = final_of(tournament)
    file = upload(a, b, opening=BAD_OPENING, in_all=True)

    answer = tournament.says(match, "a", 3, 1, record=file)

    report = Report.objects.get()
    assert (answer.decision, report.record_doubtful, report.record_clean) == ("reported", True, False)
    assert AuditEntry.objects.get(action="match.report").data["doubtful"] is True
    assert report.record is not None
    assert tournament.says(match, "b", 3, 1).decision == "confirmed"


def test_r1_record_when_doubtful_and_it_ends_otherwise_then_disputed(tournament):
    match, a, b = final_of(tournament)
    file = upload(a, b, opening=BAD_OPENING, in_all=True)
    assert tournament.says(match, "b", 1, 3, record=file).decision == "disputed"


def test_r3_record_when_its_first_game_is_missing_then_refused_for_a_match_that_began_at_nothing(tournament):
    match, a, b = final_of(tournament)
    whole = upload(a, b, "lll").content.decode()
    head, _first, rest = whole.partition(" Game 1")
    late = head + " Game 2" + rest.partition(" Game 2")[2]
    with pytest.raises(Invalid) as refused:
        tournament.says(match, "a", 3, 0, record=Upload(late.encode(), "late.mat"))
    assert "expected.start" in {fault.params["finding"] for fault in refused.value.faults}


@pytest.mark.parametrize(("moves", "decision"), [("legal", "doubtful"), ("responsible", "accept_with_notes")])
def test_f7_record_when_several_plays_stand_then_judged_by_the_moves_policy_of_its_stage(
    tournament, moves, decision
):
    match, a, b = final_of(tournament)
    stage = match.stage
    slips = SlipRules(moves=MovesPolicy(moves))
    stage.settings = replace(stage.settings, conduct=replace(stage.settings.conduct, slips=slips))
    stage.save(update_fields=["kept_settings"])
    file = upload(a, b, "lll", opening=BAD_OPENING, in_all=True)

    assert read_evidence(match, file).checked.verdict.decision == decision


def test_f16_record_when_a_wrong_score_stands_by_the_limit_of_its_stage_then_doubtful_and_else_refused(
    tournament,
):
    match, a, b = final_of(tournament)
    file = upload(a, b, "lrll")
    wrong = replace(file, content=file.content.replace(f"{b} : 1".encode(), f"{b} : 0".encode(), 1))
    assert read_evidence(match, wrong).is_doubtful

    stage = match.stage
    slips = SlipRules(score=CorrectedUntil.RESULT)
    stage.settings = replace(stage.settings, conduct=replace(stage.settings.conduct, slips=slips))
    with pytest.raises(Invalid) as refused:
        read_evidence(match, wrong)
    assert {fault.params["finding"] for fault in refused.value.faults} >= {"score.carried"}
