"""Two directors press Enter at the same moment on PostgreSQL: both were shown the same match, one result stands, the other is told."""

import pytest

from tests.factories import a_director, an_event
from tests.support.director import desk_of
from tests.support.races import race
from tournaments.models import Match, Report

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

# The last that both read before either goes to the service: the line still means to both what they were shown.
LINE_READ = 'AS "adjourned_text"'
SCRIPT = {"X-Requested-With": "desk"}


def enters(desk, line, key):
    shown = desk.client.get(desk.url("line"), {"line": line}, headers=SCRIPT).json()
    data = {"line": line, "mark": shown["meanings"][0]["mark"], "submission_key": key}
    return lambda: desk.client.post(desk.url("line"), data, headers=SCRIPT)


def test_lines_when_two_end_one_match_at_once_then_one_result_and_the_other_is_told():
    tournament = an_event(4, tables=2, lengths=[5]).publish()
    other = desk_of(tournament, a_director(tournament.club, "Xenia"))
    actions = [enters(desk_of(tournament), "1 5-3", "a"), enters(other, "1 2-5", "b")]
    outcomes = race(*actions, meet_after=LINE_READ)
    assert sorted(one.value.status_code for one in outcomes) == [200, 409]
    (refused,) = [one.value.json() for one in outcomes if one.value.status_code == 409]
    assert refused["sentences"][0].startswith("Already reported: ")
    assert Report.objects.count() == 1


def test_lines_when_two_swap_the_same_tables_at_once_then_once():
    tournament = an_event(4, tables=2, lengths=[5]).publish()
    other = desk_of(tournament, a_director(tournament.club, "Xenia"))
    before = dict(Match.objects.filter(table__isnull=False).values_list("pk", "table"))
    outcomes = race(
        enters(desk_of(tournament), "swap 1 2", "a"), enters(other, "swap 1 2", "b"), meet_after=LINE_READ
    )
    assert sorted(one.value.status_code for one in outcomes) == [200, 409]
    assert dict(Match.objects.filter(table__isnull=False).values_list("pk", "table")) == {
        pk: 3 - table for pk, table in before.items()
    }
