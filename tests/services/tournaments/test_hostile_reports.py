"""Reports that nobody sends by accident: keys of others, matches that nobody played, a flood."""

import pytest

from faults import Conflict, CrawfordError, Invalid
from people.actors import Actor
from tests.factories import an_event
from tournaments.engine.statuses import EventAction
from tournaments.engine.types import Claim, Side
from tournaments.events.services.events import change_event_status
from tournaments.matches.services.objections import object_to_result
from tournaments.matches.services.reports import confirm_report, submit_report
from tournaments.models import Match, Report
from tournaments.repairs.services.correct import correct_result
from tournaments.store.claims import MAX_REPORTS

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[7]).publish()


def agrees(tournament, match, side, version, key):
    return confirm_report(
        actor=Actor.with_label(f"side {side}"),
        match_id=match.pk,
        entry=tournament.entry_at(match, side),
        version=version,
        submission_key=key,
    )


def corrects(tournament, match, key, score_a=7, score_b=1):
    return correct_result(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        claim=Claim(score_a, score_b),
        submission_key=key,
    )


def test_agree_when_the_key_is_the_opponents_then_conflict_and_nothing_is_agreed_to(tournament):
    match = tournament.playable()[0]
    tournament.says(match, "a", 7, 4, key="same")
    with pytest.raises(Conflict) as refused:
        agrees(tournament, match, "b", 1, "same")
    assert refused.value.code == "report.key_used"
    assert Report.objects.filter(match=match).count() == 1


@pytest.mark.parametrize("key", ["", "x" * 65, "a\0b", "\ud800", "a\nb"])
def test_any_report_when_its_key_is_odd_then_refused_before_it_is_looked_for(tournament, key):
    match = tournament.playable()[0]
    said = tournament.says(match, "a", 7, 4).report
    with pytest.raises(Invalid, match="key_odd"):
        submit_report(
            actor=tournament.actor, match_id=match.pk, entry=None, claim=Claim(7, 4), submission_key=key
        )
    with pytest.raises(Invalid, match="key_odd"):
        agrees(tournament, match, "b", said.version, key)
    tournament.settle(match, Side.A, 4)
    with pytest.raises(Invalid, match="key_odd"):
        corrects(tournament, match, key)


def test_correct_when_the_key_is_a_players_then_told_instead_of_silently_doing_nothing(tournament):
    match = tournament.playable()[0]
    tournament.says(match, "a", 7, 4, key="theirs")
    tournament.says(match, "b", 7, 4)
    with pytest.raises(Conflict, match="key_used"):
        corrects(tournament, match, "theirs")
    assert corrects(tournament, match, "mine").match.score_b == 1
    assert corrects(tournament, match, "mine").match.score_b == 1
    assert Report.objects.filter(match=match, state=Report.State.CONFIRMED).count() == 1


@pytest.mark.parametrize("speaker", ["a", None])
def test_submit_report_when_the_match_is_a_bye_then_conflict(speaker):
    tournament = an_event(entries=3, lengths=[7]).publish()
    bye = Match.objects.get(stage__division__event=tournament.event, result_kind="bye")
    with pytest.raises(Conflict, match="not_open"):
        submit_report(
            actor=tournament.actor,
            match_id=bye.pk,
            entry=bye.slots.exclude(entry=None).get().entry if speaker else None,
            claim=Claim(7, 0),
            submission_key="k",
        )
    assert not Report.objects.filter(match=bye).exists()


def test_submit_report_when_a_player_never_stops_then_refused_and_the_director_still_decides(tournament):
    match = tournament.playable()[0]
    for number in range(MAX_REPORTS):
        tournament.says(match, "a", 7, number % 7)
    with pytest.raises(Conflict, match="too_many"):
        tournament.says(match, "a", 7, 0)
    assert tournament.says(match, "b", 0, 7).decision == "disputed"
    assert tournament.says(match, None, 7, 2).decision == "confirmed"


def test_everything_when_the_event_was_called_off_meanwhile_then_conflict(tournament):
    match, other = tournament.playable()[:2]
    tournament.settle(other, Side.A, 2)
    tournament.says(match, "a", 7, 4)
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.CANCEL)
    before = [(m.status, m.version) for m in Match.objects.order_by("pk")]
    for speaker in ("a", "b", None):
        with pytest.raises(Conflict):
            tournament.says(match, speaker, 7, 4)
    with pytest.raises(Conflict):
        agrees(tournament, match, "b", 1, "yes")
    assert [(m.status, m.version) for m in Match.objects.order_by("pk")] == before


def test_object_when_the_match_is_a_bye_then_told_or_flagged_without_a_crash():
    tournament = an_event(entries=3, lengths=[7]).publish()
    bye = Match.objects.get(stage__division__event=tournament.event, result_kind="bye")
    with pytest.raises(CrawfordError):
        object_to_result(
            actor=Actor.with_label("x"),
            match_id=bye.pk,
            entry=bye.slots.exclude(entry=None).get().entry,
            text="",
        )
