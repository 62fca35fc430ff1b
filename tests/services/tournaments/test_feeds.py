"""Stages fed by another one: places of a table, all others, losers of rounds; through corrections and people who leave."""

from dataclasses import replace

import pytest
from django.urls import reverse

from faults import Conflict, Invalid
from tests.factories import an_event
from tests.services.rating.test_places_of_events import turn_around
from tests.support.director import signed_in
from tests.support.rounds import draw_at, names_of, play_to_the_end, stage_at, then, where
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.brackets.double import LOWER
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.engine.stages.feeding import Feeding, FeedPart
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.leaving import WithdrawnResults
from tournaments.engine.types import Claim
from tournaments.events.services.divisions import DivisionDetails, update_division
from tournaments.events.services.stages import details_of_stage, update_stage
from tournaments.models import Entry, Match, MatchSlot
from tournaments.repairs.services.late_entry import add_late_entry
from tournaments.repairs.services.reentry import reenter
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.selectors.repairs.corrections import correction_preview
from tournaments.selectors.standings.feeds import first_round_entries, load_qualification, qualified_entries
from tournaments.selectors.standings.tables import standings_tables

pytestmark = [pytest.mark.django_db, pytest.mark.by_turns]

REST = Feeding(FeedPart.REST)


def losers(first=1, **more):
    return Feeding(FeedPart.LOSERS, first, LOWER, **more)


def finals(entries=9, *, best=4):
    """A Swiss of two rounds that is over, main for the best, consolation for all others."""
    tournament = an_event(entries, system="swiss", lengths=[5], swiss=SwissSettings(rounds=2))
    then(tournament, name="Main", fed_by=1, takes=best)
    then(tournament, name="Consolation", fed_by=1, feed=REST)
    return play_to_the_end(tournament)


def table_of(tournament):
    return [row.entry for row in standings_tables(draw_at(tournament))[0].rows]


def publish(tournament, place):
    draw_stage(**where(tournament, place), seed=1)
    publish_draw(**where(tournament, place))
    return first_round_entries(draw_at(tournament, place))


def first_lines(tournament, place):
    return [line for line in draw_at(tournament, place).lines() if line is not None]


def test_main_and_consolation_when_the_swiss_is_over_then_everybody_plays_in_one_of_them_seeded_by_result():
    tournament = finals()
    order = table_of(tournament)
    assert qualified_entries(stage_at(tournament, 2)) == tuple(order[:4])
    assert qualified_entries(stage_at(tournament, 3)) == tuple(order[4:])
    assert publish(tournament, 3) == frozenset(order[4:])
    # Standard seeding: the first of the others has a bye, and so have the next two.
    assert draw_at(tournament, 3).lines() == [
        order[4],
        None,
        order[8],
        order[7],
        order[6],
        None,
        None,
        order[5],
    ]
    assert publish(tournament, 2) == frozenset(order[:4])
    tournament.play_out()
    assert tournament.fresh().status == "finished"
    assert integrity_faults(tournament.event) == []


def test_consolation_when_one_of_the_best_leaves_before_it_is_drawn_then_nobody_falls_between_the_two():
    tournament = finals()
    order = table_of(tournament)
    publish(tournament, 2)
    withdraw_after_draw(
        actor=tournament.actor, event_id=tournament.event.pk, entry_id=order[0], leaving=WithdrawnResults.KEEP
    )
    assert set(qualified_entries(stage_at(tournament, 3))) == set(order[4:])


def test_main_when_one_of_the_best_left_after_the_consolation_was_drawn_then_who_plays_there_stays_there():
    tournament = finals()
    order = table_of(tournament)
    publish(tournament, 3)
    withdraw_after_draw(
        actor=tournament.actor, event_id=tournament.event.pk, entry_id=order[0], leaving=WithdrawnResults.KEEP
    )
    found = load_qualification(stage_at(tournament, 2))
    assert (found.entries, found.drawn_elsewhere) == (tuple(order[1:4]), (order[4],))
    publish(tournament, 2)
    assert integrity_faults(tournament.event) == []


def test_rest_of_groups_of_different_sizes_when_drawn_then_all_of_them_play():
    tournament = an_event(7, system="round_robin", lengths=[5], swiss=SwissSettings(group_count=2))
    then(tournament, name="Main", fed_by=1, takes=1)
    then(tournament, name="Middle", fed_by=1, takes=2, feed=Feeding(first=2))
    then(tournament, name="Others", fed_by=1, feed=REST, system="round_robin")
    play_to_the_end(tournament)
    parts = [qualified_entries(stage_at(tournament, place)) for place in (2, 3, 4)]
    assert [len(part) for part in parts] == [2, 2, 3]
    assert {entry for part in parts for entry in part} == names_of(tournament).keys()


def test_places_beyond_the_table_when_they_do_not_begin_at_its_top_then_those_who_are_there_play():
    tournament = an_event(6, system="swiss", lengths=[5], swiss=SwissSettings(rounds=1))
    then(tournament, name="Plate", fed_by=1, takes=8, feed=Feeding(first=4))
    then(tournament, name="Nobody", fed_by=1, takes=20, feed=Feeding(first=15))
    play_to_the_end(tournament)
    assert qualified_entries(stage_at(tournament, 2)) == tuple(table_of(tournament)[3:])
    with pytest.raises(Invalid) as refused:
        draw_stage(**where(tournament, 3))
    assert refused.value.code == "draw.entries_odd"


def with_last_chance(entries=8, **more):
    bracket = BracketSettings(lower_lengths=(3,), final_length=9)
    tournament = an_event(entries, system="double_elimination", lengths=[5, 7], bracket=bracket)
    then(tournament, name="Last chance", fed_by=1, takes=2, feed=losers(**more))
    draw_stage(**where(tournament), seed=1)
    publish_draw(**where(tournament))
    return tournament


def play_lower(tournament, through):
    """Until the lower bracket's first rounds are over; side a wins."""
    rounds = [r.number for r in draw_at(tournament).rounds if r.section == LOWER][:through]
    while Match.objects.filter(round__number__in=rounds, stage=stage_at(tournament)).exclude(
        status="confirmed"
    ):
        tournament.settle(tournament.playable()[0], "a")


def test_last_chance_when_its_rounds_are_over_then_it_is_drawn_by_lot_while_the_others_play_on():
    tournament = with_last_chance()
    assert {r.length for r in draw_at(tournament).rounds if r.section == LOWER} == {3}
    assert {r.length for r in draw_at(tournament).rounds if r.section == "grand_final"} == {9}
    play_lower(tournament, 1)
    with pytest.raises(Conflict) as refused:
        draw_stage(**where(tournament, 2))
    assert refused.value.code == "draw.rounds_before_not_over"
    play_lower(tournament, 2)
    out = {
        slot.entry_id
        for match in Match.objects.filter(round__section=LOWER, status="confirmed")
        for slot in match.slots.all()
        if slot.side != match.winner_side
    }
    assert len(out) == 4
    draw_stage(**where(tournament, 2), seed=1)
    first = first_lines(tournament, 2)
    assert set(first) == out
    draw_stage(**where(tournament, 2), seed=2)
    assert first_lines(tournament, 2) != first
    publish_draw(**where(tournament, 2))
    tournament.play_out()
    assert tournament.fresh().status == "finished"
    assert integrity_faults(tournament.event) == []


def test_last_chance_when_a_result_that_fed_it_is_turned_then_the_preview_names_it_and_the_draw_stays():
    tournament = with_last_chance()
    play_lower(tournament, 2)
    before = publish(tournament, 2)
    match = Match.objects.filter(round__section=LOWER, status="confirmed").earliest("-number")
    preview = correction_preview(match, Claim(0, 3))
    named = [[str(stage) for stage in cascade.affected_stages] for cascade in preview.repairs.values()]
    assert ["Last chance"] in named
    main = Match.objects.filter(round__section="main", status="confirmed").latest("number")
    assert main.stage_id == match.stage_id
    turn_around(tournament, match)
    assert first_round_entries(draw_at(tournament, 2)) == before
    assert set(qualified_entries(stage_at(tournament, 2))) != before
    assert integrity_faults(tournament.event) == []


def test_last_chance_when_a_loser_has_left_then_it_is_drawn_without_them():
    tournament = with_last_chance()
    play_lower(tournament, 2)
    loser = qualified_entries(stage_at(tournament, 2))[0]
    withdraw_after_draw(
        actor=tournament.actor, event_id=tournament.event.pk, entry_id=loser, leaving=WithdrawnResults.KEEP
    )
    assert loser not in publish(tournament, 2)
    assert MatchSlot.objects.filter(match__stage=stage_at(tournament, 2), entry__isnull=False).exists()


def test_stage_that_is_fed_takes_no_late_entries_and_its_page_says_so():
    tournament = finals(best=3)
    publish(tournament, 2)  # three on four lines: there is a bye
    entries = Entry.objects.count()
    with pytest.raises(Conflict) as refused:
        add_late_entry(**where(tournament, 2), entry=NewEntry("Zoe"))
    assert refused.value.code == "late_entry.fed"
    director = signed_in(tournament.director)
    page = reverse("director:late-entry", args=[tournament.event.public_id])
    posted = director.post(page, {"name": "Zoe", "place": f"{stage_at(tournament, 2).pk}.lot"}, follow=True)
    assert "This stage does not accept late entries" in posted.content.decode()
    assert Entry.objects.count() == entries
    shown = director.get(page).content.decode()
    assert "Main does not accept late entries: its players come from an earlier stage." in shown
    assert "Consolation does not accept late entries" in shown


def test_last_chance_when_somebody_lost_twice_by_buying_back_then_in_it_once():
    tournament = an_event(5, lengths=[3])
    then(tournament, name="Last chance", fed_by=1, takes=2, feed=Feeding(FeedPart.LOSERS, 1, "main"))
    at = {"actor": tournament.actor, "event_id": tournament.event.pk}
    update_division(**at, division_id=tournament.division.pk, division=DivisionDetails(reentries=1))
    draw_stage(**where(tournament), seed=1)
    publish_draw(**where(tournament))
    first = next(match for match in tournament.playable() if match.round.number == 1)
    loser = tournament.entry_at(first, "b")
    tournament.settle(first, "a")
    again = reenter(**at, entry_id=loser.pk)
    assert load_qualification(stage_at(tournament, 2)).entries == (), "plays on with the other entry"
    lost = next(
        match for match in tournament.playable() if again.pk in match.slots.values_list("entry", flat=True)
    )
    tournament.settle(lost, "a" if tournament.entry_at(lost, "b") == again else "b")
    found = qualified_entries(stage_at(tournament, 2))
    assert again.pk in found
    assert loser.pk not in found


def test_main_when_somebody_stands_twice_in_the_table_then_goes_on_once_with_the_better_entry():
    tournament = finals(5, best=2)
    best, second, third, *_others = table_of(tournament)
    Entry.objects.filter(pk=second).update(again_of=best)
    assert qualified_entries(stage_at(tournament, 2)) == (best, third)
    assert second not in qualified_entries(stage_at(tournament, 3))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"takes": 0}, "plan.feed_of_nothing"),
        ({"feed": losers(3)}, "plan.feed_turned"),
        ({"feed": Feeding(FeedPart.LOSERS, 1, "main")}, "plan.feed_of_no_section"),
        ({"feed": replace(REST, section=LOWER)}, "plan.feed_of_no_section"),
    ],
)
def test_stage_when_its_feed_makes_no_sense_then_refused_and_nothing_is_changed(changes, code):
    tournament = an_event(4, system="double_elimination", lengths=[5])
    then(tournament, name="Last chance", fed_by=1, takes=2, feed=losers())
    stage = stage_at(tournament, 2)
    present = details_of_stage(stage)
    with pytest.raises(Invalid) as refused:
        update_stage(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            stage_id=stage.pk,
            stage=replace(present, **changes),
        )
    assert refused.value.code == code
    assert details_of_stage(stage_at(tournament, 2)) == present
