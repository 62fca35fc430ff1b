"""A result that should not have been recorded is taken back; two tables change their matches."""

import pytest

from faults import Conflict, Invalid
from tests.factories import an_event
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.matches.rulings import Award, AwardReason
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import Claim, Side
from tournaments.hall.services.tables import set_table_use, swap_tables
from tournaments.matches.services.reports import submit_report
from tournaments.matches.services.rulings import award_points
from tournaments.models import Match
from tournaments.repairs.services.take_back import undo_result
from tournaments.repairs.services.undo import undo_repair
from tournaments.selectors.repairs.undo import last_repair

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    return an_event(8, tables=4, lengths=[5]).publish()


def take_back(night, match, **more):
    return undo_result(
        actor=night.actor,
        event_id=night.event.pk,
        match_id=match.pk,
        **{"seen": fresh(match).version, **more},
    )


def fresh(match) -> Match:
    return Match.objects.get(pk=match.pk)


def test_result_when_taken_back_then_open_at_its_table_with_its_points_and_sound(night):
    match = night.playable()[0]
    award = Award(Side.B, 1, AwardReason.START)
    award_points(
        actor=night.actor, event_id=night.event.pk, match_id=match.pk, award=award, seen=match.version
    )
    night.settle(match, "a", 1)
    assert Match.objects.get(number=5).slots.get(side="a").entry is not None
    take_back(night, match)
    now = fresh(match)
    assert (now.status, now.table, now.start_b, now.score_a) == (MatchStatus.READY, 1, 1, None)
    assert Match.objects.get(number=5).slots.get(side="a").entry is None
    assert integrity_faults(night.fresh()) == []
    night.settle(match, "b", 2)
    assert integrity_faults(night.fresh()) == []


def test_result_when_its_taking_back_is_undone_then_it_stands_again(night):
    match = night.playable()[0]
    night.settle(match, "a", 1)
    take_back(night, match)
    row = last_repair(night.fresh(), night.stage)
    undo_repair(actor=night.actor, event_id=night.event.pk, audit_id=row.pk)
    assert (fresh(match).status, fresh(match).score_b) == (MatchStatus.CONFIRMED, 1)
    assert integrity_faults(night.fresh()) == []


def test_result_when_another_was_played_on_it_then_refused(night):
    first, second = night.playable()[:2]
    night.settle(first, "a")
    night.settle(second, "a")
    night.settle(Match.objects.get(number=5), "a")
    with pytest.raises(Conflict, match=r"correction\.choose_repair"):
        take_back(night, first)


def test_result_when_the_match_has_changed_since_then_refused(night):
    match = night.playable()[0]
    with pytest.raises(Conflict, match=r"match\.correct_refused"):
        take_back(night, match)
    night.settle(match, "a")
    with pytest.raises(Conflict, match=r"changed_meanwhile"):
        take_back(night, match, seen=match.version)


def test_last_result_when_taken_back_then_the_event_goes_on():
    night = an_event(2, lengths=[5]).publish()
    match = night.playable()[0]
    night.settle(match, "a")
    assert night.fresh().status == "finished"
    take_back(night, match)
    assert night.fresh().status == "running"
    assert integrity_faults(night.event) == []


def test_report_when_the_match_has_changed_since_it_was_seen_then_refused(night):
    match = night.playable()[0]
    claim = {"entry": None, "match_id": match.pk, "actor": night.actor, "submission_key": "k"}
    award = Award(Side.B, 1, AwardReason.START)
    award_points(
        actor=night.actor, event_id=night.event.pk, match_id=match.pk, award=award, seen=match.version
    )
    with pytest.raises(Conflict, match=r"match\.changed_meanwhile"):
        submit_report(**claim, claim=Claim(5, 1), seen=match.version)
    assert submit_report(**claim, claim=Claim(5, 1), seen=fresh(match).version).decision == "confirmed"


def swap(night, first, second, seen=None):
    held = Match.objects.filter(table__in=[first, second], status="ready")
    seen = {match.pk: match.version for match in held} if seen is None else seen
    return swap_tables(actor=night.actor, event_id=night.event.pk, first=first, second=second, seen=seen)


def test_tables_when_swapped_then_each_match_is_at_the_other(night):
    one, three = (Match.objects.get(table=table) for table in (1, 3))
    swap(night, 1, 3)
    assert (fresh(one).table, fresh(three).table) == (3, 1)
    assert integrity_faults(night.fresh()) == []


def test_tables_when_one_is_empty_then_the_match_moves(night):
    night.event.tables = 6
    night.event.save()
    one = Match.objects.get(table=1)
    swap(night, 6, 1)
    assert fresh(one).table == 6


@pytest.mark.parametrize(("first", "second"), [(1, 9), (0, 1), (-1, 2)])
def test_tables_when_there_is_none_of_that_number_then_refused(night, first, second):
    with pytest.raises(Invalid, match=r"match\.table_odd"):
        swap(night, first, second)


def test_tables_when_others_are_there_than_were_seen_then_refused(night):
    with pytest.raises(Conflict, match=r"changed_meanwhile"):
        swap(night, 1, 2, seen={})


def test_tables_when_one_is_out_of_use_then_refused(night):
    night.settle(Match.objects.get(table=4), "a")
    set_table_use(actor=night.actor, event_id=night.event.pk, table=4, in_use=False)
    with pytest.raises(Conflict, match=r"table\.closed"):
        swap(night, 1, 4)
    with pytest.raises(Invalid, match=r"desk\.both_free"):
        swap(night, 4, 4)
