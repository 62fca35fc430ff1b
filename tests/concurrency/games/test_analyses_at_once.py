"""Directors, players and workers at the same moment on PostgreSQL: each record is asked for once, no wish is lost, one is worked at."""

import pytest

from games.analysis.port import BROKEN
from games.models import AnalysedSide, RecordAnalysis
from games.services import store_record
from games.services.analyses import add_missing_sums, claim_analysis, fail_analysis, request_analysis
from games.services.many_analyses import cancel_requests, request_in_background
from tests.services.games.test_analyses import MATCH
from tests.support.races import race

pytestmark = [
    *(pytest.mark.postgres, pytest.mark.django_db(transaction=True)),
    pytest.mark.usefixtures("engine"),
]
State = RecordAnalysis.State
ROWS_READ = 'FROM "games_recordanalysis"'


def records(count):
    return [
        store_record(content=MATCH + b"\n" * number, filename="m.mat", record_format="mat").pk
        for number in range(count)
    ]


def rows():
    return dict(RecordAnalysis.objects.order_by("record").values_list("record", "behind"))


def without_errors(*jobs, **more):
    outcomes = race(*jobs, meet_after=ROWS_READ, **more)
    assert [one.error for one in outcomes] == [None] * len(jobs)
    return [one.value for one in outcomes]


def test_wishes_when_two_directors_and_a_player_ask_at_once_then_each_record_once_and_the_players_first():
    first, second = both = records(2)

    def of_all():
        return request_in_background(record_ids=both)

    without_errors(of_all, of_all, lambda: request_analysis(record_id=second))
    assert rows() == {first: True, second: False}
    # Two workers at once: one of them has it, whose engine then fails.
    (taken,) = filter(None, without_errors(claim_analysis, claim_analysis))
    assert taken.record_id == second
    fail_analysis(pk=taken.pk, key=taken.claim, code=BROKEN)
    # Asked again by both: by the player alone it is, whoever comes first.
    without_errors(of_all, lambda: request_analysis(record_id=second))
    again = RecordAnalysis.objects.get(record=second)
    assert (again.state, again.behind, again.tries, again.failure) == (State.WAITING, False, 0, "")
    assert rows() == {first: True, second: False}


@pytest.mark.parametrize("locks", [False, True])
def test_wish_of_a_player_when_a_director_calls_it_off_at_once_then_it_stands(locks):
    (record,) = records(1)
    request_in_background(record_ids=[record])
    outcomes = race(
        lambda: cancel_requests(record_ids=[record]),
        lambda: request_analysis(record_id=record),
        meet_after=ROWS_READ,
        locks=locks,
    )
    stands = [one.error for one in outcomes] == [None, None] and rows() == {record: False}
    assert stands is locks


def test_what_is_called_off_when_a_worker_takes_it_at_once_then_gone_or_worked_at():
    first, second = both = records(2)
    request_in_background(record_ids=both)
    called, taken = without_errors(lambda: cancel_requests(record_ids=[first]), claim_analysis)
    assert (called, taken.record_id) in {(1, second), (0, first)}
    assert RecordAnalysis.objects.filter(state=State.WORKING).count() == 1
    # Two sweeps at once make sums that are missing: once.
    RecordAnalysis.objects.update(state=State.DONE)
    made = without_errors(add_missing_sums, add_missing_sums)
    assert sum(made) == RecordAnalysis.objects.count()
    assert AnalysedSide.objects.count() == 2 * sum(made)
