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
def tournament():
    return an_event(8, tables=4, lengths=[5]).publish()


def take_back(tournament, match, **more):
    return undo_result(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        **{"seen": fresh(match).version, **more},
    )


def fresh(match) -> Match:
    return Match.objects.get(pk=match.pk)


def test_result_when_taken_back_then_open_at_its_table_with_its_points_and_sound(tournament):
    match = tournament.playable()[0]
    award = Award(Side.B, 1, AwardReason.START)
    award_points(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        award=award,
        seen=match.version,
    )
    tournament.settle(match, "a", 1)
    assert Match.objects.get(number=5).slots.get(side="a").entry is not None
    take_back(tournament, match)
    now = fresh(match)
    assert (now.status, now.table, now.start_b, now.score_a) == (MatchStatus.READY, 1, 1, None)
    assert Match.objects.get(number=5).slots.get(side="a").entry is None
    assert integrity_faults(tournament.fresh()) == []
    tournament.settle(match, "b", 2)
    assert integrity_faults(tournament.fresh()) == []


def test_result_when_its_taking_back_is_undone_then_it_stands_again(tournament):
    match = tournament.playable()[0]
    tournament.settle(match, "a", 1)
    take_back(tournament, match)
    row = last_repair(tournament.fresh(), tournament.stage)
    undo_repair(actor=tournament.actor, event_id=tournament.event.pk, audit_id=row.pk)
    assert (fresh(match).status, fresh(match).score_b) == (MatchStatus.CONFIRMED, 1)
    assert integrity_faults(tournament.fresh()) == []


def test_result_when_another_was_played_on_it_then_refused(tournament):
    first, second = tournament.playable()[:2]
    tournament.settle(first, "a")
    tournament.settle(second, "a")
    tournament.settle(Match.objects.get(number=5), "a")
    with pytest.raises(Conflict, match=r"correction\.choose_repair"):
        take_back(tournament, first)


def test_result_when_the_match_has_changed_since_then_refused(tournament):
    match = tournament.playable()[0]
    with pytest.raises(Conflict, match=r"match\.correct_refused"):
        take_back(tournament, match)
    tournament.settle(match, "a")
    with pytest.raises(Conflict, match=r"changed_meanwhile"):
        take_back(tournament, match, seen=match.version)


def test_last_result_when_taken_back_then_the_event_goes_on():
    tournament = an_event(2, lengths=[5]).publish()
    match = tournament.playable()[0]
    tournament.settle(match, "a")
    assert tournament.fresh().status == "finished"
    take_back(tournament, match)
    assert tournament.fresh().status == "running"
    assert integrity_faults(tournament.event) == []


def test_report_when_the_match_has_changed_since_it_was_seen_then_refused(tournament):
    match = tournament.playable()[0]
    claim = {"entry": None, "match_id": match.pk, "actor": tournament.actor, "submission_key": "k"}
    award = Award(Side.B, 1, AwardReason.START)
    award_points(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        award=award,
        seen=match.version,
    )
    with pytest.raises(Conflict, match=r"match\.changed_meanwhile"):
        submit_report(**claim, claim=Claim(5, 1), seen=match.version)
    assert submit_report(**claim, claim=Claim(5, 1), seen=fresh(match).version).decision == "confirmed"


def swap(tournament, first, second, seen=None):
    held = Match.objects.filter(table__in=[first, second], status="ready")
    seen = {match.pk: match.version for match in held} if seen is None else seen
    return swap_tables(
        actor=tournament.actor, event_id=tournament.event.pk, first=first, second=second, seen=seen
    )


def test_tables_when_swapped_then_each_match_is_at_the_other(tournament):
    one, three = (Match.objects.get(table=table) for table in (1, 3))
    swap(tournament, 1, 3)
    assert (fresh(one).table, fresh(three).table) == (3, 1)
    assert integrity_faults(tournament.fresh()) == []


def test_tables_when_one_is_empty_then_the_match_moves(tournament):
    tournament.event.tables = 6
    tournament.event.save()
    one = Match.objects.get(table=1)
    swap(tournament, 6, 1)
    assert fresh(one).table == 6


@pytest.mark.parametrize(("first", "second"), [(1, 9), (0, 1), (-1, 2)])
def test_tables_when_there_is_none_of_that_number_then_refused(tournament, first, second):
    with pytest.raises(Invalid, match=r"match\.table_odd"):
        swap(tournament, first, second)


def test_tables_when_others_are_there_than_were_seen_then_refused(tournament):
    with pytest.raises(Conflict, match=r"changed_meanwhile"):
        swap(tournament, 1, 2, seen={})


def test_tables_when_one_is_out_of_use_then_refused(tournament):
    tournament.settle(Match.objects.get(table=4), "a")
    set_table_use(actor=tournament.actor, event_id=tournament.event.pk, table=4, in_use=False)
    with pytest.raises(Conflict, match=r"table\.closed"):
        swap(tournament, 1, 4)
    with pytest.raises(Invalid, match=r"desk\.both_free"):
        swap(tournament, 4, 4)
