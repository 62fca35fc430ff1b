"""A page that was open when the event was called off changes nothing any more, whatever is pressed on it: a clear 409."""

import pytest

from faults import Conflict
from people.models import AuditEntry
from tests.factories import Tournament, an_event
from tournaments.draws.services.draws import discard_draw, draw_stage, publish_draw, unpublish_draw
from tournaments.engine.brackets.correction import Repair
from tournaments.engine.matches.rulings import Award, AwardReason
from tournaments.engine.new_entry import EntryMarks, NewEntry
from tournaments.engine.statuses import EventAction, MatchAction
from tournaments.engine.types import Claim, MatchNo, Side
from tournaments.entries.services.entries import add_entry, set_seeds, update_entry, withdraw_entry
from tournaments.events.services.divisions import (
    DivisionDetails,
    add_division,
    open_next_division,
    update_division,
)
from tournaments.events.services.events import change_event_status
from tournaments.hall.services.calling import call_next, move_match, set_table
from tournaments.hall.services.tables import set_table_use
from tournaments.matches.services.rulings import award_points
from tournaments.models import Match, MatchSlot
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.late_entry import add_late_entry
from tournaments.repairs.services.length import set_match_length, set_round_length
from tournaments.repairs.services.substitute import change_player
from tournaments.repairs.services.withdraw import withdraw_after_draw

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    """Seven entries, one match over, one ready, a bye free; called off."""
    tournament = an_event(entries=7, lengths=[5]).publish()
    tournament.settle(tournament.playable()[0], "a", 2)
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.CANCEL)
    return tournament


def actions(tournament: Tournament) -> dict:
    """Everything that a stale page about a bracket can ask for."""
    who = {"actor": tournament.actor, "event_id": tournament.event.pk}
    stage = {**who, "stage_id": tournament.stage.pk}
    division = {**who, "division_id": tournament.division.pk}
    ready = tournament.playable()[0]
    over = Match.objects.get(status="confirmed", winner_side="a", result_kind="played")
    bye = MatchSlot.objects.filter(source_kind="bye").first()
    entry = tournament.entry_at(ready, "a")
    match = {**who, "match_id": ready.pk}
    return {
        "draw": lambda: draw_stage(**stage),
        "discard": lambda: discard_draw(**stage),
        "publish": lambda: publish_draw(**stage),
        "undo": lambda: unpublish_draw(**stage),
        "late entry": lambda: add_late_entry(
            **stage, entry=NewEntry(name="Zoe"), match=MatchNo(bye.match.number), side=Side(bye.side)
        ),
        "withdraw": lambda: withdraw_after_draw(**who, entry_id=entry.pk),
        "withdraw before": lambda: withdraw_entry(**who, entry_id=entry.pk),
        "wrong player": lambda: change_player(
            **who, entry_id=entry.pk, wrong_id=entry.players.get().pk, right=NewEntry(name="Zoe")
        ),
        "length": lambda: set_match_length(**match, length=7),
        "length of a round": lambda: set_round_length(**stage, number=1, length=7),
        "correction": lambda: correct_result(
            **who, match_id=over.pk, claim=Claim(2, 5), submission_key="x", repair=Repair.REPLACE
        ),
        "points": lambda: award_points(
            **match, award=Award(Side.A, 1, AwardReason.START), seen=ready.version
        ),
        "call": lambda: call_next(**who),
        "start": lambda: move_match(**match, action=MatchAction.START),
        "table": lambda: set_table(**match, table=2),
        "table out of use": lambda: set_table_use(**who, table=1, in_use=False),
        "entry": lambda: add_entry(**division, entry=NewEntry(name="Zoe")),
        "party": lambda: update_entry(**who, entry_id=entry.pk, marks=EntryMarks("Oslo")),
        "seeds": lambda: set_seeds(**division, seeds={entry.pk: 1}),
        "division": lambda: add_division(**who, division=DivisionDetails(name="Side")),
        "next division": lambda: open_next_division(**division),
        "settings of a division": lambda: update_division(**division, division=DivisionDetails(name="Other")),
    }


def test_everything_about_a_bracket_when_called_off_is_refused_and_nothing_is_changed(tournament):
    before = AuditEntry.objects.count(), Match.objects.count(), tournament.fresh().version
    for name, action in actions(tournament).items():
        try:
            action()
        except Conflict:
            continue
        pytest.fail(f"{name}: done although the event was called off")
    assert (AuditEntry.objects.count(), Match.objects.count(), tournament.fresh().version) == before
