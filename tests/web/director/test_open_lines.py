"""Lines held open on the director's pages: who buys back takes one, and they are closed where nobody comes any more."""

import pytest

from tests.factories import an_event
from tests.support.director import desk_of, words
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.events.services.divisions import DivisionDetails, update_division
from tournaments.models import Entry
from tournaments.repairs.services.late_entry import add_late_entry
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.selectors.draws import load_draw
from tournaments.selectors.repairs.late import free_lines, reserved_line_matches

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    """Four entries in a draw of eight, two lines of which are held open; who loses may buy back."""
    tournament = an_event(4, lengths=[3], bracket=BracketSettings(open_lines=2))
    division = DivisionDetails(reentries=1)
    at = {"actor": tournament.actor, "event_id": tournament.event.pk}
    update_division(**at, division_id=tournament.division.pk, division=division)
    return tournament.publish()


def loser_of(tournament, match):
    beaten = tournament.entry_at(match, "b")
    tournament.settle(match, "a")
    return beaten


def test_late_entry_when_who_is_out_buys_back_then_in_by_lot_or_on_the_chosen_line(tournament):
    desk = desk_of(tournament)
    first, second = tournament.playable()
    for match, choose in ((first, False), (second, True)):
        out = loser_of(tournament, match)
        assert out.name in words(desk.get("late-entry"))
        place = free_lines(load_draw(tournament.stage))[-1]
        line = f"{place.match.number}.{place.side}" if choose else "lot"
        done = desk.post("late-entry", out=out.public_id, place=f"{tournament.stage.pk}.{line}")
        assert done.status_code == 302
        slot = Entry.objects.get(again_of=out).slots.order_by("match__number")[0]
        assert not choose or (slot.match.number, slot.side) == (place.match.number, place.side)


def test_late_entry_when_only_lines_opposite_who_has_left_are_held_then_they_can_still_be_closed():
    tournament = an_event(5, lengths=[3], bracket=BracketSettings(open_lines=1)).publish()
    at = {"actor": tournament.actor, "event_id": tournament.event.pk}
    (line,) = reserved_line_matches(load_draw(tournament.stage))
    left = next(side.entry_id for side in line.sides if side.entry_id is not None)
    withdraw_after_draw(**at, entry_id=left)
    for match in tournament.playable():
        tournament.settle(match, "a")
    for place in free_lines(load_draw(tournament.stage)):
        add_late_entry(
            **at,
            stage_id=tournament.stage.pk,
            entry=NewEntry(f"Late {place.match.number}"),
            match=place.match.number,
            side=place.side,
        )
    assert free_lines(load_draw(tournament.stage)) == ()
    desk = desk_of(tournament)
    assert "1 line is reserved for late entries" in words(desk.get("late-entry"))
    assert desk.post("close-lines", stage=tournament.stage.pk).status_code == 302
    assert reserved_line_matches(load_draw(tournament.stage)) == ()
