"""Lines of a draw that are held open: who comes late or buys back takes one, whoever stands opposite waits until they are closed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from faults import Conflict
from tests.factories import an_event
from tests.support.repairs import state_of
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.engine.types import Claim
from tournaments.events.services.divisions import DivisionDetails, update_division
from tournaments.models import Entry, Match
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.late_entry import add_late_entry
from tournaments.repairs.services.open_lines import close_due_lines, close_reserved_lines
from tournaments.repairs.services.reentry import reenter
from tournaments.repairs.services.undo import undo_repair
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.selectors.buybacks import first_entries
from tournaments.selectors.draws import load_draw
from tournaments.selectors.entries import allowed_reentries
from tournaments.selectors.repairs.corrections import correction_preview
from tournaments.selectors.repairs.late import free_lines, lines_for_reentry, reserved_line_matches
from tournaments.selectors.repairs.undo import last_repair

pytestmark = pytest.mark.django_db


def four(**bracket):
    """Four entries and two lines held open: a draw of eight, in which both matches of the four can be played at once."""
    settings = BracketSettings(**({"open_lines": 2} | bracket))
    night = an_event(4, lengths=[3], bracket=settings)
    division = DivisionDetails(reentries=1)
    update_division(**who(night), division_id=night.division.pk, division=division)
    return night.publish()


def who(night):
    return {"actor": night.actor, "event_id": night.event.pk}


def at(night):
    return {**who(night), "stage_id": night.stage.pk}


def held(night):
    return len(reserved_line_matches(load_draw(night.stage)))


def test_draw_when_lines_are_held_open_then_who_stands_opposite_waits_until_somebody_comes():
    night = four()
    first, second = night.playable()
    loser, conqueror = night.entry_at(first, "b"), night.entry_at(first, "a")
    night.settle(first, "a")
    assert (held(night), night.playable()) == (2, [second])
    again = reenter(**who(night), entry_id=loser.pk)
    assert held(night) == 1
    night.settle(second, "a")
    (match,) = night.playable()
    assert again.pk in {slot.entry_id for slot in match.slots.all()}, (
        "through to the second round without play"
    )
    assert conqueror.pk not in {slot.entry_id for slot in match.slots.all()}, (
        "not against the same one at once"
    )
    line = next(place for place in free_lines(load_draw(night.stage)) if place.is_reserved)
    add_late_entry(**at(night), entry=NewEntry("Zoe"), match=line.match.number, side=line.side)
    assert held(night) == 0
    assert not integrity_faults(night.event)
    night.play_out()
    assert night.fresh().status == "finished"
    assert sorted(place.first for place in load_draw(night.stage).places().values()) == [1, 2, 3, 3, 5, 5]


def test_lines_when_closed_then_whoever_waits_goes_through_and_an_undo_opens_them_again():
    night = four()
    before = state_of(night)
    assert close_reserved_lines(**at(night)) == 2
    assert len(night.playable()) == 2
    assert sum(match.is_bye for match in load_draw(night.stage).matches) == 2
    assert not integrity_faults(night.event)
    with pytest.raises(Conflict) as none:
        close_reserved_lines(**at(night))
    assert none.value.code == "open_lines.none"
    undo_repair(**who(night), audit_id=last_repair(night.fresh(), night.stage).pk)
    assert state_of(night) == before
    assert not integrity_faults(night.event)


def test_lines_when_the_last_moment_has_passed_then_closed_by_themselves():
    night = four()
    assert close_due_lines() == 0
    passed = DivisionDetails(reentries=1, entries_until=timezone.now() - timedelta(minutes=1))
    update_division(**who(night), division_id=night.division.pk, division=passed)
    assert close_due_lines() == 2
    assert held(night) == 0


def test_lines_closed_by_themselves_when_opened_again_then_they_stay_open_and_what_was_before_can_be_undone():
    night = four()
    first, _second = night.playable()
    night.settle(first, "a")
    correct_result(**who(night), match_id=first.pk, claim=Claim(1, 3), submission_key="wrong way round")
    passed = DivisionDetails(reentries=1, entries_until=timezone.now() - timedelta(minutes=1))
    update_division(**who(night), division_id=night.division.pk, division=passed)
    assert close_due_lines() == 2
    for _repair in ("the closing", "the correction"):
        undo_repair(**who(night), audit_id=last_repair(night.fresh(), night.stage).pk)
        assert (close_due_lines(), held(night)) == (0, 2)
    later = DivisionDetails(reentries=1, entries_until=timezone.now() + timedelta(microseconds=1))
    update_division(**who(night), division_id=night.division.pk, division=later)
    assert close_due_lines() == 2  # the cut-off was set anew, and has passed


def test_buy_back_when_out_after_more_matches_than_allowed_then_refused():
    night = an_event(5, lengths=[3], bracket=BracketSettings(open_lines=1, buy_back_within=1))
    division = DivisionDetails(reentries=1)
    update_division(**who(night), division_id=night.division.pk, division=division)
    night.publish()
    close_reserved_lines(**at(night))
    first, second = night.playable()
    bye = next(match for match in (first, second) if match.number > 4)
    lost_after_a_bye = night.entry_at(bye, "b")
    night.settle(bye, "a")
    for match in night.playable()[:1]:
        night.settle(match, "a")
    (semifinal,) = night.playable()
    beaten = next(slot.entry for slot in semifinal.slots.all() if slot.has_won)
    assert lost_after_a_bye.pk in allowed_reentries(night.stage), "a bye is no match"
    night.settle(semifinal, "a" if night.entry_at(semifinal, "b") == beaten else "b")
    assert beaten.pk not in allowed_reentries(night.stage)
    with pytest.raises(Conflict) as refused:
        reenter(**who(night), entry_id=beaten.pk)
    assert refused.value.code == "buy_back.too_far"


def test_buy_back_when_taken_back_then_the_same_entry_comes_again():
    night = four()
    match = night.playable()[0]
    loser = night.entry_at(match, "b")
    night.settle(match, "a")
    before = _standings(night)
    again = reenter(**who(night), entry_id=loser.pk)
    undo_repair(**who(night), audit_id=last_repair(night.fresh(), night.stage).pk)
    again.refresh_from_db()
    assert (again.status, _standings(night)) == ("withdrawn", before)
    assert loser.pk in allowed_reentries(night.stage)
    assert reenter(**who(night), entry_id=loser.pk) == again
    assert Entry.objects.count() == 5
    with pytest.raises(Conflict) as once:
        reenter(**who(night), entry_id=loser.pk)
    assert once.value.code == "buy_back.done"


def test_correction_when_who_lost_has_bought_back_then_the_preview_says_so():
    night = four()
    match = night.playable()[0]
    loser = night.entry_at(match, "b")
    night.settle(match, "a")
    reenter(**who(night), entry_id=loser.pk)
    wrong = Match.objects.select_related("stage__division__event").get(pk=match.pk)
    for claim, told in ((Claim(1, 3), [(loser.name, f"{loser.name} (2)", False)]), (Claim(3, 2), [])):
        found = correction_preview(wrong, claim)
        again = [one for cascade in found.repairs.values() for one in cascade.again]
        assert [(one.before, one.again, one.has_begun) for one in again] == told


def _standings(night):
    rows = Match.objects.order_by("number").values_list("number", "status", "result_kind", "slots__entry")
    return list(rows.order_by("number", "slots__side"))


def test_withdrawal_when_who_waits_opposite_a_held_line_leaves_then_the_line_is_offered_to_nobody():
    night = an_event(5, lengths=[3], bracket=BracketSettings(open_lines=2)).publish()
    alone = reserved_line_matches(load_draw(night.stage))[0]
    entry = next(side.entry_id for side in alone.sides if side.entry_id is not None)
    withdraw_after_draw(**who(night), entry_id=entry)
    assert alone.number not in {place.match.number for place in free_lines(load_draw(night.stage))}
    close_reserved_lines(**at(night))
    night.play_out()
    assert night.fresh().status == "finished"
    assert not integrity_faults(night.event)


def test_buy_back_when_nobody_may_any_more_then_both_entries_are_still_one_person():
    night = four()
    match = night.playable()[0]
    loser = night.entry_at(match, "b")
    night.settle(match, "a")
    again = reenter(**who(night), entry_id=loser.pk)
    update_division(**who(night), division_id=night.division.pk, division=DivisionDetails(reentries=0))
    assert first_entries(night.division.pk) == {again.pk: loser.pk}


def test_buy_back_when_the_chosen_line_leads_to_who_has_just_won_then_taken_as_the_director_chose():
    night = four()
    match = night.playable()[0]
    loser = night.entry_at(match, "b")
    night.settle(match, "a")
    draw = load_draw(night.stage)
    by_lot = lines_for_reentry(draw, Entry(again_of=loser))
    (line,) = [place for place in free_lines(draw) if place not in by_lot]
    again = reenter(**who(night), entry_id=loser.pk, match=line.match.number, side=line.side)
    assert again.slots.order_by("match__number")[0].match_id == line.match.pk
