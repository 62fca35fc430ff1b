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
    tournament = an_event(4, lengths=[3], bracket=settings)
    division = DivisionDetails(reentries=1)
    update_division(**who(tournament), division_id=tournament.division.pk, division=division)
    return tournament.publish()


def who(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def at(tournament):
    return {**who(tournament), "stage_id": tournament.stage.pk}


def held(tournament):
    return len(reserved_line_matches(load_draw(tournament.stage)))


def test_draw_when_lines_are_held_open_then_who_stands_opposite_waits_until_somebody_comes():
    tournament = four()
    first, second = tournament.playable()
    loser, conqueror = tournament.entry_at(first, "b"), tournament.entry_at(first, "a")
    tournament.settle(first, "a")
    assert (held(tournament), tournament.playable()) == (2, [second])
    again = reenter(**who(tournament), entry_id=loser.pk)
    assert held(tournament) == 1
    tournament.settle(second, "a")
    (match,) = tournament.playable()
    assert again.pk in {slot.entry_id for slot in match.slots.all()}, (
        "through to the second round without play"
    )
    assert conqueror.pk not in {slot.entry_id for slot in match.slots.all()}, (
        "not against the same one at once"
    )
    line = next(place for place in free_lines(load_draw(tournament.stage)) if place.is_reserved)
    add_late_entry(**at(tournament), entry=NewEntry("Zoe"), match=line.match.number, side=line.side)
    assert held(tournament) == 0
    assert not integrity_faults(tournament.event)
    tournament.play_out()
    assert tournament.fresh().status == "finished"
    assert sorted(place.first for place in load_draw(tournament.stage).places().values()) == [
        1,
        2,
        3,
        3,
        5,
        5,
    ]


def test_lines_when_closed_then_whoever_waits_goes_through_and_an_undo_opens_them_again():
    tournament = four()
    before = state_of(tournament)
    assert close_reserved_lines(**at(tournament)) == 2
    assert len(tournament.playable()) == 2
    assert sum(match.is_bye for match in load_draw(tournament.stage).matches) == 2
    assert not integrity_faults(tournament.event)
    with pytest.raises(Conflict) as none:
        close_reserved_lines(**at(tournament))
    assert none.value.code == "open_lines.none"
    undo_repair(**who(tournament), audit_id=last_repair(tournament.fresh(), tournament.stage).pk)
    assert state_of(tournament) == before
    assert not integrity_faults(tournament.event)


def test_lines_when_the_last_moment_has_passed_then_closed_by_themselves():
    tournament = four()
    assert close_due_lines() == 0
    passed = DivisionDetails(reentries=1, entries_until=timezone.now() - timedelta(minutes=1))
    update_division(**who(tournament), division_id=tournament.division.pk, division=passed)
    assert close_due_lines() == 2
    assert held(tournament) == 0


def test_lines_closed_by_themselves_when_opened_again_then_they_stay_open_and_what_was_before_can_be_undone():
    tournament = four()
    first, _second = tournament.playable()
    tournament.settle(first, "a")
    correct_result(**who(tournament), match_id=first.pk, claim=Claim(1, 3), submission_key="wrong way round")
    passed = DivisionDetails(reentries=1, entries_until=timezone.now() - timedelta(minutes=1))
    update_division(**who(tournament), division_id=tournament.division.pk, division=passed)
    assert close_due_lines() == 2
    for _repair in ("the closing", "the correction"):
        undo_repair(**who(tournament), audit_id=last_repair(tournament.fresh(), tournament.stage).pk)
        assert (close_due_lines(), held(tournament)) == (0, 2)
    later = DivisionDetails(reentries=1, entries_until=timezone.now() + timedelta(microseconds=1))
    update_division(**who(tournament), division_id=tournament.division.pk, division=later)
    assert close_due_lines() == 2  # the cut-off was set anew, and has passed


def test_buy_back_when_out_after_more_matches_than_allowed_then_refused():
    tournament = an_event(5, lengths=[3], bracket=BracketSettings(open_lines=1, buy_back_within=1))
    division = DivisionDetails(reentries=1)
    update_division(**who(tournament), division_id=tournament.division.pk, division=division)
    tournament.publish()
    close_reserved_lines(**at(tournament))
    first, second = tournament.playable()
    bye = next(match for match in (first, second) if match.number > 4)
    lost_after_a_bye = tournament.entry_at(bye, "b")
    tournament.settle(bye, "a")
    for match in tournament.playable()[:1]:
        tournament.settle(match, "a")
    (semifinal,) = tournament.playable()
    beaten = next(slot.entry for slot in semifinal.slots.all() if slot.has_won)
    assert lost_after_a_bye.pk in allowed_reentries(tournament.stage), "a bye is no match"
    tournament.settle(semifinal, "a" if tournament.entry_at(semifinal, "b") == beaten else "b")
    assert beaten.pk not in allowed_reentries(tournament.stage)
    with pytest.raises(Conflict) as refused:
        reenter(**who(tournament), entry_id=beaten.pk)
    assert refused.value.code == "buy_back.too_far"


def test_buy_back_when_taken_back_then_the_same_entry_comes_again():
    tournament = four()
    match = tournament.playable()[0]
    loser = tournament.entry_at(match, "b")
    tournament.settle(match, "a")
    before = _standings(tournament)
    again = reenter(**who(tournament), entry_id=loser.pk)
    undo_repair(**who(tournament), audit_id=last_repair(tournament.fresh(), tournament.stage).pk)
    again.refresh_from_db()
    assert (again.status, _standings(tournament)) == ("withdrawn", before)
    assert loser.pk in allowed_reentries(tournament.stage)
    assert reenter(**who(tournament), entry_id=loser.pk) == again
    assert Entry.objects.count() == 5
    with pytest.raises(Conflict) as once:
        reenter(**who(tournament), entry_id=loser.pk)
    assert once.value.code == "buy_back.done"


def test_correction_when_who_lost_has_bought_back_then_the_preview_says_so():
    tournament = four()
    match = tournament.playable()[0]
    loser = tournament.entry_at(match, "b")
    tournament.settle(match, "a")
    reenter(**who(tournament), entry_id=loser.pk)
    wrong = Match.objects.select_related("stage__division__event").get(pk=match.pk)
    for claim, told in ((Claim(1, 3), [(loser.name, f"{loser.name} (2)", False)]), (Claim(3, 2), [])):
        found = correction_preview(wrong, claim)
        again = [one for cascade in found.repairs.values() for one in cascade.voided_reentries]
        assert [(one.before, one.reentry_name, one.has_begun) for one in again] == told


def _standings(tournament):
    rows = Match.objects.order_by("number").values_list("number", "status", "result_kind", "slots__entry")
    return list(rows.order_by("number", "slots__side"))


def test_withdrawal_when_who_waits_opposite_a_held_line_leaves_then_the_line_is_offered_to_nobody():
    tournament = an_event(5, lengths=[3], bracket=BracketSettings(open_lines=2)).publish()
    alone = reserved_line_matches(load_draw(tournament.stage))[0]
    entry = next(side.entry_id for side in alone.sides if side.entry_id is not None)
    withdraw_after_draw(**who(tournament), entry_id=entry)
    assert alone.number not in {place.match.number for place in free_lines(load_draw(tournament.stage))}
    close_reserved_lines(**at(tournament))
    tournament.play_out()
    assert tournament.fresh().status == "finished"
    assert not integrity_faults(tournament.event)


def test_buy_back_when_nobody_may_any_more_then_both_entries_are_still_one_person():
    tournament = four()
    match = tournament.playable()[0]
    loser = tournament.entry_at(match, "b")
    tournament.settle(match, "a")
    again = reenter(**who(tournament), entry_id=loser.pk)
    update_division(
        **who(tournament), division_id=tournament.division.pk, division=DivisionDetails(reentries=0)
    )
    assert first_entries(tournament.division.pk) == {again.pk: loser.pk}


def test_buy_back_when_the_chosen_line_leads_to_who_has_just_won_then_taken_as_the_director_chose():
    tournament = four()
    match = tournament.playable()[0]
    loser = tournament.entry_at(match, "b")
    tournament.settle(match, "a")
    draw = load_draw(tournament.stage)
    by_lot = lines_for_reentry(draw, Entry(again_of=loser))
    (line,) = [place for place in free_lines(draw) if place not in by_lot]
    again = reenter(**who(tournament), entry_id=loser.pk, match=line.match.number, side=line.side)
    assert again.slots.order_by("match__number")[0].match_id == line.match.pk
