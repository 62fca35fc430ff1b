"""Positions of an event go with it: the same are asked under the same addresses, also where its analysis was made anew."""

import pytest

from games.models import AnalysedDecision, RecordAnalysis
from tests.support.blunders import an_event_with_blunders
from tests.support.bundles import exported, new_site, take_in
from tests.support.lanes import ON_ONE
from tournaments.matches.services.quiz import count_answer, exclude_position, publish_positions
from tournaments.models import Event, QuizAnswer, QuizPosition
from tournaments.selectors.matches.quiz import excluded_positions, is_quiz_open, quiz_questions

pytestmark = [pytest.mark.django_db, *ON_ONE]


def quiz():
    """What is asked, in order, and what is left out."""
    event = Event.objects.get()
    return [(one.row.public_id, one.question) for one in quiz_questions(event)], [
        row.public_id for row in excluded_positions(event)
    ]


def counts():
    return sorted(QuizAnswer.objects.values_list("position__public_id", "choice", "count"))


def test_positions_when_their_event_moves_then_the_same_and_each_finds_its_decision(tmp_path):
    tournament, _match, row = an_event_with_blunders()
    early = exported(tournament, tmp_path / "early.bundle")
    publish_positions(actor=tournament.actor, event_id=tournament.event.pk)
    exclude_position(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        position_id=quiz_questions(tournament.event)[0].row.public_id,
    )
    first = quiz_questions(tournament.event)[0].row
    for _ in range(2):
        count_answer(position_id=first.pk, choice=0)
    path = exported(tournament, tmp_path / "night.bundle")
    before, given = quiz(), counts()
    assert len(before[0]) == 5
    assert len(before[1]) == 1
    owner = new_site(tournament)
    take_in(path, owner=owner)
    assert is_quiz_open(Event.objects.get())
    assert quiz() == before
    assert counts() == given == [(first.public_id, 0, 2)]
    assert not take_in(path).has_changes

    owner = new_site(tournament)
    take_in(early, owner=owner)
    assert not QuizPosition.objects.exists()
    # The same engine has looked here as well: other rows, the same decisions.
    decisions = list(AnalysedDecision.objects.order_by("pk"))
    RecordAnalysis.objects.all().delete()
    row.pk += 1000
    row.save(force_insert=True)
    for one in decisions:
        one.pk, one.analysis_id = one.pk + 10_000, row.pk
    AnalysedDecision.objects.bulk_create(decisions)
    assert take_in(path).has_changes
    assert quiz() == before
    assert set(QuizPosition.objects.values_list("decision_id", flat=True)) <= {one.pk for one in decisions}
    # Answered here since; and the largest of two counts stays when more of it comes.
    for _ in range(3):
        count_answer(position_id=QuizPosition.objects.get(public_id=first.public_id).pk, choice=0)
    assert counts() == [(first.public_id, 0, 5)]
