"""A play-off that is played: called, reported, rated by F12, corrected; the table, the next stage and prizes follow it."""

import pytest

from faults import Conflict, Invalid
from rating.models import Fact
from tests.factories import an_event
from tests.support.rounds import (
    draw_at,
    names_of,
    pair_next_round,
    play_to_the_end,
    publish_next,
    stage_at,
    tables,
    then,
    where,
)
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import draw_stage
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.types import Claim, ResultKind
from tournaments.hall.services.calling import call_next
from tournaments.models import Match, Round
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.undo import undo_repair
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.rounds.services.play_offs import cancel_play_off, record_play_off, start_play_off
from tournaments.selectors.draws import PLAY_OFF_CODE
from tournaments.selectors.repairs.undo import last_repairs
from tournaments.selectors.standings.feeds import qualified_entries
from tournaments.selectors.standings.tables import play_off_ties

pytestmark = pytest.mark.django_db


def two_level(**changes):
    """Two rounds among four: Ann and Bob have won once each, Cleo and Dan too; nothing tells anybody apart."""
    tournament = an_event(
        4, system="swiss", swiss=SwissSettings(rounds=1, tie_breaks=()), lengths=[5], **changes
    )
    publish_next(tournament)
    for match in tournament.playable():
        tournament.settle(match, "a", 2)
    tournament.fresh()
    return tournament


def three_level(*, final=False, **changes):
    """Ann beats Bob, Bob beats Cleo, Cleo beats Ann, all by the same score."""
    tournament = an_event(3, system="round_robin", lengths=[5], swiss=SwissSettings(**changes))
    if final:
        then(tournament, name="Final", system="single_elimination", fed_by=1, takes=2)
    pair_next_round(**where(tournament), seed=1)
    for _round in range(3):
        publish_next(tournament)
        beaten_by(tournament, {("Ann", "Bob"): "Ann", ("Bob", "Cleo"): "Bob", ("Ann", "Cleo"): "Cleo"})
    tournament.fresh()
    return tournament


def beaten_by(tournament, winners):
    """The open matches, won by whom these say."""
    for match in tournament.playable():
        names = {slot.entry.name: slot.side for slot in match.slots.all()}
        tournament.settle(match, names[winners[tuple(sorted(names))]])


def start(tournament, *names):
    start_play_off(**where(tournament), entries=[tournament.entry(name).pk for name in names])
    tournament.fresh()
    return tournament


def winners(tournament):
    """Names of those who share the first place after one round."""
    names = names_of(tournament)
    return [names[pk] for pk in play_off_ties(draw_at(tournament))[0]]


def sound(tournament):
    assert integrity_faults(tournament.fresh()) == []


def test_play_off_of_two_when_played_then_it_decides_and_the_event_is_over_again():
    tournament = two_level()
    assert (tournament.event.status, stage_at(tournament).status) == ("finished", "finished")
    first, second = winners(tournament)
    facts = Fact.objects.count()
    start(tournament, first, second)
    assert (tournament.event.status, stage_at(tournament).status, tournament.event.finished_at) == (
        "running",
        "running",
        None,
    )
    (match,) = tournament.playable()
    assert (match.length, match.round.code) == (1, PLAY_OFF_CODE)
    stage = stage_at(tournament)
    places = list(stage.matches.order_by("number").values_list("number", "round__number", "position"))
    assert places == [(1, 1, 1), (2, 1, 2), (3, 2, 1)]
    sound(tournament)
    assert call_next(actor=tournament.actor, event_id=tournament.event.pk)  # it is called like any other
    tournament.beats(second, first, 1, 0)
    assert (tournament.fresh().status, stage_at(tournament).status) == ("finished", "finished")
    assert [row[:2] for row in tables(tournament)[0]][:2] == [(second, 1), (first, 2)]
    assert Fact.objects.count() == facts + 1  # the list decides by its length whether it is rated (F12)
    assert len(draw_at(tournament).rounds) == 1
    sound(tournament)


def test_play_off_when_one_of_two_has_left_then_the_other_wins_and_the_event_is_over_again():
    tournament = an_event(4, system="swiss", swiss=SwissSettings(rounds=1, tie_breaks=()), lengths=[5])
    publish_next(tournament)
    one, other = tournament.playable()
    tournament.settle(one, "a", 2)
    gone, stays = (
        next(slot.entry for slot in match.slots.all() if slot.side == "a") for match in (one, other)
    )
    withdraw_after_draw(actor=tournament.actor, event_id=tournament.event.pk, entry_id=gone.pk)
    tournament.settle(other, "a", 2)
    tournament.fresh()
    start(tournament, gone.name, stays.name)
    assert tournament.playable() == []
    assert (tournament.event.status, stage_at(tournament).status) == ("finished", "finished")
    assert tournament.event.finished_at is not None
    assert [row[:2] for row in tables(tournament)[0]][:2] == [(stays.name, 1), (gone.name, 2)]
    sound(tournament)


def test_play_off_of_three_when_they_are_level_again_then_it_is_played_again():
    tournament = three_level()
    start(tournament, "Ann", "Bob", "Cleo")
    assert Round.objects.filter(stage=stage_at(tournament), code=PLAY_OFF_CODE).count() == 3
    beaten_by(tournament, {("Ann", "Bob"): "Ann", ("Bob", "Cleo"): "Bob", ("Ann", "Cleo"): "Cleo"})
    assert {row[1] for row in tables(tournament)[0]} == {1}
    sound(tournament)
    start(tournament, "Ann", "Bob", "Cleo")
    beaten_by(tournament, {("Ann", "Bob"): "Bob", ("Bob", "Cleo"): "Bob", ("Ann", "Cleo"): "Cleo"})
    assert [row[:2] for row in tables(tournament)[0]] == [("Bob", 1), ("Cleo", 2), ("Ann", 3)]
    sound(tournament)


def test_play_off_of_four_when_two_are_level_then_those_two_play_again():
    tournament = an_event(4, system="round_robin", lengths=[5], swiss=SwissSettings(tie_breaks=()))
    for _round in range(3):
        publish_next(tournament)
        for match in tournament.playable():
            tournament.says(match, None, 0, 0, kind=ResultKind.UNFINISHED)
    start(tournament, "Ann", "Bob", "Cleo", "Dan")
    beaten_by(
        tournament,
        {
            ("Ann", "Bob"): "Ann",
            ("Ann", "Cleo"): "Ann",
            ("Ann", "Dan"): "Ann",
            ("Bob", "Cleo"): "Bob",
            ("Bob", "Dan"): "Dan",
            ("Cleo", "Dan"): "Cleo",
        },
    )
    assert [{names_of(tournament)[pk] for pk in group} for group in play_off_ties(draw_at(tournament))] == [
        {"Bob", "Cleo", "Dan"}
    ]
    start(tournament, "Bob", "Cleo", "Dan")
    beaten_by(tournament, {("Bob", "Cleo"): "Cleo", ("Bob", "Dan"): "Dan", ("Cleo", "Dan"): "Cleo"})
    assert [row[0] for row in tables(tournament)[0]] == ["Ann", "Cleo", "Dan", "Bob"]
    sound(tournament)


def test_play_off_when_corrected_then_the_table_and_who_goes_on_follow():
    tournament = three_level(final=True)
    start(tournament, "Ann", "Bob", "Cleo")
    with pytest.raises(Conflict) as refused:
        draw_stage(**where(tournament, 2), seed=1)
    assert refused.value.code == "draw.stage_before_not_over"
    beaten_by(tournament, {("Ann", "Bob"): "Ann", ("Bob", "Cleo"): "Bob", ("Ann", "Cleo"): "Ann"})
    names = names_of(tournament)
    assert [names[pk] for pk in qualified_entries(stage_at(tournament, 2))] == ["Ann", "Bob"]
    match = tournament.match("Bob", "Cleo")
    claim = Claim(0, 1) if match.winner_side == "a" else Claim(1, 0)
    correct_result(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        claim=claim,
        submission_key="c",
    )
    assert [names[pk] for pk in qualified_entries(stage_at(tournament, 2))] == ["Ann", "Cleo"]
    sound(tournament)
    draw_stage(**where(tournament, 2), seed=1)
    with pytest.raises(Conflict) as refused:
        start(tournament, "Ann", "Bob", "Cleo")
    assert refused.value.code == "play_off.next_drawn"


def test_play_off_when_taken_back_before_it_begins_then_all_is_as_it_was():
    tournament = two_level()
    start(tournament, *winners(tournament))
    cancel_play_off(**where(tournament))
    assert (tournament.fresh().status, stage_at(tournament).status) == ("finished", "finished")
    assert not Round.objects.filter(code=PLAY_OFF_CODE).exists()
    sound(tournament)
    start(tournament, *winners(tournament))
    tournament.settle(tournament.playable()[0], "a")
    with pytest.raises(Conflict) as refused:
        cancel_play_off(**where(tournament))
    assert refused.value.code == "draw.begun"
    sound(tournament)


def test_play_off_of_three_when_taken_back_then_all_its_rounds_are_gone():
    tournament = start(three_level(), "Ann", "Bob", "Cleo")
    play_off = Round.objects.filter(code=PLAY_OFF_CODE)
    assert list(play_off.values_list("entries_left", flat=True)) == [3, 3, 3]
    cancel_play_off(**where(tournament))
    assert not play_off.exists()
    sound(tournament)


def test_play_off_when_somebody_leaves_before_it_then_the_other_has_won_it():
    tournament = two_level()
    first, second = winners(tournament)
    start(tournament, first, second)
    withdraw_after_draw(
        actor=tournament.actor, event_id=tournament.event.pk, entry_id=tournament.entry(first).pk
    )
    assert tournament.fresh().status == "finished"
    assert [row[0] for row in tables(tournament)[0]][:2] == [second, first]
    sound(tournament)
    (last,) = last_repairs(tournament.event)
    undo_repair(actor=tournament.actor, event_id=tournament.event.pk, audit_id=last)
    assert tournament.fresh().status == "running"
    assert [match.round.code for match in tournament.playable()] == [PLAY_OFF_CODE]
    sound(tournament)


def test_play_off_when_an_order_is_recorded_too_then_what_was_played_counts_more():
    tournament = two_level()
    first, second = winners(tournament)
    start(tournament, first, second)
    tournament.beats(second, first, 1, 0)
    record_play_off(**where(tournament), order=[tournament.entry(name).pk for name in (first, second)])
    assert [row[0] for row in tables(tournament)[0]][:2] == [second, first]


@pytest.mark.parametrize("names", [["Ann"], ["Ann", "Nobody"], [], ["Ann", "Bob", "Cleo", "Dan"]])
def test_play_off_when_it_is_not_among_those_who_are_tied_then_refused(names):
    tournament = two_level()
    with pytest.raises(Invalid) as refused:
        start_play_off(
            **where(tournament),
            entries=[tournament.entry(name).pk if name != "Nobody" else 0 for name in names],
        )
    assert refused.value.code == "play_off.not_tied"
    assert not Match.objects.filter(length=1).exists()


def test_play_off_when_too_many_are_tied_or_lives_are_played_for_then_refused():
    tournament = an_event(10, system="swiss", swiss=SwissSettings(rounds=1, tie_breaks=()), lengths=[5])
    publish_next(tournament)
    tournament.play_out()
    with pytest.raises(Invalid) as refused:
        start(tournament, *winners(tournament))
    assert refused.value.code == "play_off.too_many"
    lives = play_to_the_end(
        an_event(4, system="swiss", swiss=SwissSettings(lives=1, tie_breaks=()), lengths=[5])
    )
    with pytest.raises(Conflict) as late:
        start(lives, "Ann", "Bob")
    assert late.value.code == "play_off.with_lives"


def test_play_off_when_the_stage_is_not_over_then_too_early():
    tournament = an_event(4, system="swiss", swiss=SwissSettings(rounds=2), lengths=[5])
    publish_next(tournament)
    with pytest.raises(Conflict) as refused:
        start(tournament, "Ann", "Bob")
    assert refused.value.code == "play_off.too_early"
