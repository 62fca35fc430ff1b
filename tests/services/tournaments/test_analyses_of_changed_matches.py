"""What happens to a match while its analysis is made: the analysis belongs to the record, and is shown where that record counts alone."""

from random import Random

import pytest

from games.analysis.engines import installed_engine
from games.models import RecordAnalysis
from games.records.summing import summarize_match
from games.services.analyses import (
    claim_analysis,
    decision_rows,
    finish_analysis,
    load_record,
    request_analysis,
)
from tests.factories import an_event
from tests.support.analyses import random_analysis
from tests.support.handed_in import all_agree, games_of
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import Claim
from tournaments.matches.services.analyses import request_analyses
from tournaments.models import Match
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.take_back import undo_result
from tournaments.selectors.matches.analyses import analysis_of_match, public_analysis, records_to_analyse
from tournaments.selectors.matches.analysing import AnalysisProgress, analysis_progress

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("engine")]


@pytest.fixture
def tournament():
    return an_event(4, lengths=[5]).publish()


def fresh(match):
    return Match.objects.get(pk=match.pk)


def begun(tournament, match):
    """Its games are handed in, all agree that everybody sees them, and a worker is at it."""
    stored = games_of(tournament, match)
    all_agree(match)
    request_analysis(record_id=stored.pk)
    return stored, claim_analysis()


def ended(stored, row):
    """The engine comes back with its answer."""
    found = load_record(stored)
    thoughts = random_analysis(Random(1), found.record)
    made, sums = decision_rows(row, thoughts, found.replay), summarize_match(thoughts, found.replay)
    assert finish_analysis(pk=row.pk, key=row.claim, rows=made, sums=sums, engine=installed_engine())


def far(tournament):
    return sum(analysis_progress(tournament.event).values(), AnalysisProgress())


def test_result_when_corrected_meanwhile_then_the_record_that_proved_the_other_counts_no_more(tournament):
    match = tournament.playable()[0]
    stored, row = begun(tournament, match)
    was = fresh(match)
    proved = Claim(was.score_a, was.score_b)
    other = max(was.score_a, was.score_b), (min(was.score_a, was.score_b) + 1) % match.length
    corrected = Claim(*(other if was.score_a > was.score_b else other[::-1]))

    def correct(claimed, key):
        correct_result(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            match_id=match.pk,
            claim=claimed,
            submission_key=key,
        )

    correct(corrected, "other")
    ended(stored, row)
    assert (analysis_of_match(fresh(match)), public_analysis(fresh(match))) == (None, None)
    assert (far(tournament).played, far(tournament).with_games, records_to_analyse(5)) == (1, 0, [])
    correct(proved, "as before")
    assert public_analysis(fresh(match)) == analysis_of_match(fresh(match)).row == row
    assert far(tournament).done == 1


def test_match_when_reopened_meanwhile_then_hidden_and_of_its_new_games_another_is_asked_for(tournament):
    match = tournament.playable()[0]
    stored, row = begun(tournament, match)
    undo_result(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=match.pk, seen=fresh(match).version
    )
    assert fresh(match).status != MatchStatus.CONFIRMED
    ended(stored, row)
    assert (analysis_of_match(fresh(match)), public_analysis(fresh(match))) == (None, None)
    again = games_of(tournament, match, seed=2)
    found = analysis_of_match(fresh(match))
    assert (found.record.record_id, found.row, public_analysis(fresh(match))) == (again.pk, None, None)
    assert far(tournament).open == 1
    assert records_to_analyse(5) == [again.pk]
    wished = request_analyses(actor=tournament.actor, event_id=tournament.event.pk)
    assert (wished.asked, wished.there) == (1, 0)
    taken = claim_analysis()
    assert taken.record_id == again.pk
    ended(again, taken)
    assert public_analysis(fresh(match)) == taken
    assert RecordAnalysis.objects.filter(state="done").count() == 2
