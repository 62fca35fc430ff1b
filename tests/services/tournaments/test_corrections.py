"""Corrections that reach no further than the next match; anything further is refused, not guessed."""

import pytest

from people.actors import Actor
from people.errors import Conflict, Invalid, NotAllowed
from rating.models import Fact, FactKind
from tests.factories import a_user, an_event
from tournaments.engine.types import Claim
from tournaments.models import Match, MatchSlot, Report
from tournaments.services.corrections import correct_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    return an_event(entries=4, lengths=[7]).publish()


def correct(night, match, *claim, key="fix", actor=None):
    return correct_result(
        actor=actor or night.actor,
        event_id=night.event.pk,
        match_id=match.pk,
        claim=Claim(*claim),
        submission_key=key,
    )


def test_correct_result_when_only_the_score_changes_then_the_ledger_has_a_replacement(night):
    match = night.playable()[0]
    night.says(match, None, 7, 4)
    correct(night, match, 7, 5)
    match.refresh_from_db()
    assert (match.status, match.score_b) == ("confirmed", 5)
    assert list(Report.objects.filter(match=match).values_list("state", flat=True)) == [
        "superseded",
        "confirmed",
    ]
    kinds = list(Fact.objects.order_by("pk").values_list("kind", flat=True))
    assert kinds == [FactKind.RESULT, FactKind.REPLACEMENT]


def test_correct_result_when_the_other_side_won_then_it_stands_in_the_next_match(night):
    match = night.playable()[0]
    night.says(match, None, 7, 4)
    assert correct(night, match, 4, 7).winner_changed
    assert MatchSlot.objects.get(source_match=match).entry == night.entry_at(match, "b")


def test_correct_result_when_the_next_match_is_over_then_refused_and_nothing_changes(night):
    match, other = night.playable()
    night.says(match, None, 7, 4)
    night.says(other, None, 7, 4)
    night.says(Match.objects.get(round__code="final"), None, 7, 0)
    with pytest.raises(Conflict) as refused:
        correct(night, match, 4, 7)
    assert refused.value.code == "correction.later_match_begun"
    match.refresh_from_db()
    assert (match.score_a, match.winner_side) == (7, "a")
    assert correct(night, match, 7, 6).winner_changed is False


def test_correct_result_when_sent_twice_then_done_once(night):
    match = night.playable()[0]
    night.says(match, None, 7, 4)
    for _ in range(2):
        correct(night, match, 7, 5)
    assert Report.objects.filter(match=match).count() == 2


def test_correct_result_when_impossible_or_not_confirmed_or_a_stranger_then_refused(night):
    match, other = night.playable()
    night.says(match, None, 7, 4)
    with pytest.raises(Invalid):
        correct(night, match, 7, 7)
    with pytest.raises(Conflict):
        correct(night, other, 7, 3)
    with pytest.raises(NotAllowed):
        correct(night, match, 7, 3, actor=Actor.of(a_user()))
    match.refresh_from_db()
    assert match.score_b == 4
