"""Stages that take their entries from several parts at once, and by place from a bracket; through corrections and people who leave."""

from dataclasses import replace

import pytest

from faults import Conflict, Invalid
from tests.factories import an_event
from tests.services.rating.test_places_of_events import turn_around
from tests.services.tournaments.test_feeds import REST, finals, first_lines, publish
from tests.support.rounds import draw_at, stage_at, then, where
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import draw_stage, publish_draw, unpublish_draw
from tournaments.engine.brackets.consolation import FlightKind
from tournaments.engine.stages.elimination import BracketSettings, Flight
from tournaments.engine.stages.feeding import Feeding, FeedPart, FeedSource
from tournaments.engine.standings.leaving import WithdrawnResults
from tournaments.engine.types import Claim
from tournaments.events.services.stages import details_of_stage, remove_stage, update_stage
from tournaments.models import Entry, Match
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.selectors.repairs.corrections import correction_preview
from tournaments.selectors.standings.feeds import (
    expected_entry_count,
    first_round_entries,
    load_qualification,
    qualified_entries,
)
from tournaments.selectors.standings.sources import feeds_of

pytestmark = [pytest.mark.django_db, pytest.mark.by_turns]

CONSOLATION = FlightKind.PROGRESSIVE.section


def weekend(entries=8):
    """Main, and a consolation for the losers of its first round."""
    flights = (Flight(FlightKind.PROGRESSIVE, (3,), 1),)
    return an_event(entries, lengths=[5], bracket=BracketSettings(flights=flights))


def with_last_chance(entries=8):
    """Losers of the second round of the main draw, and of the first two of the consolation."""
    tournament = weekend(entries)
    late = FeedSource(0, FeedPart.LOSERS, 1, 2, CONSOLATION)
    then(tournament, name="Last chance", fed_by=1, takes=2, feed=Feeding(FeedPart.LOSERS, 2, also=(late,)))
    publish(tournament, 1)
    return tournament


def play(tournament, **rounds):
    """Until so many rounds of each section are over; side a wins."""
    wanted = {
        match.pk
        for section, count in rounds.items()
        for one in [r for r in draw_at(tournament).rounds if r.section == section][:count]
        for match in one.matches
    }
    while left := [match for match in tournament.playable() if match.pk in wanted]:
        tournament.settle(left[0], "a")


def lost(tournament, place, section, *rounds):
    """Who lost in these rounds, from 1, of a part of a stage."""
    own = [r for r in draw_at(tournament, place).rounds if r.section == section]
    return {
        side.entry_id
        for number in rounds
        for match in own[number - 1].matches
        if not match.is_bye
        for side in match.sides
        if side.side is not match.winner
    }


def turned(match):
    return Claim(1, match.length) if match.winner_side == "a" else Claim(match.length, 1)


def named_in(found):
    return {str(stage) for cascade in found.repairs.values() for stage in cascade.affected_stages}


def test_last_chance_of_two_sections_is_drawn_afresh_when_the_losers_of_both_are_known():
    tournament = with_last_chance()
    assert expected_entry_count(stage_at(tournament, 2), 8) == 5
    play(tournament, main=2)
    with pytest.raises(Conflict) as refused:
        draw_stage(**where(tournament, 2))
    assert refused.value.code == "draw.rounds_before_not_over"
    play(tournament, **{CONSOLATION: 2})
    main, others = lost(tournament, 1, "main", 2), lost(tournament, 1, CONSOLATION, 1, 2)
    assert (len(main), len(others)) == (2, 3)
    assert publish(tournament, 2) == main | others
    assert set(qualified_entries(stage_at(tournament, 2))[:2]) == main
    first = first_lines(tournament, 2)
    unpublish_draw(**where(tournament, 2))
    draw_stage(**where(tournament, 2), seed=2)
    assert first_lines(tournament, 2) != first, "by lot"
    publish_draw(**where(tournament, 2))
    tournament.play_out()
    assert tournament.fresh().status == "finished"
    assert integrity_faults(tournament.event) == []


def test_last_chance_of_two_sections_when_a_result_of_the_second_is_turned_then_the_preview_names_it():
    tournament = with_last_chance()
    play(tournament, main=2, **{CONSOLATION: 2})
    before = publish(tournament, 2)
    of_consolation = [r for r in draw_at(tournament).rounds if r.section == CONSOLATION]
    match = Match.objects.get(pk=of_consolation[1].matches[0].pk)
    assert named_in(correction_preview(match, turned(match))) == {"Last chance"}
    turn_around(tournament, match)
    now = set(qualified_entries(stage_at(tournament, 2)))
    assert (len(now - before), len(before - now)) == (1, 1)
    assert first_round_entries(draw_at(tournament, 2)) == before
    assert integrity_faults(tournament.event) == []


def test_last_chance_of_main_draw_and_consolation_of_a_swiss_waits_for_both_stages():
    tournament = finals(8, best=4)
    then(
        tournament,
        name="Last chance",
        fed_by=2,
        takes=1,
        feed=Feeding(FeedPart.LOSERS, also=(FeedSource(3),)),
    )
    publish(tournament, 2)
    tournament.play_out()
    with pytest.raises(Conflict) as refused:
        draw_stage(**where(tournament, 4))
    assert refused.value.code == "draw.rounds_before_not_over"
    publish(tournament, 3)
    tournament.play_out()
    assert publish(tournament, 4) == lost(tournament, 2, "main", 1) | lost(tournament, 3, "main", 1)
    tournament.play_out()
    assert tournament.fresh().status == "finished"
    assert integrity_faults(tournament.event) == []


def test_best_and_all_others_of_a_bracket_go_on_by_place_and_by_lot_among_those_who_share_one():
    tournament = weekend()
    then(tournament, name="Top", fed_by=1, takes=3, draw_method="seeded")
    then(tournament, name="Plate", fed_by=1, takes=2, feed=Feeding(section=CONSOLATION))
    then(tournament, name="Others", fed_by=1, feed=REST)
    publish(tournament, 1)
    with pytest.raises(Conflict) as refused:
        draw_stage(**where(tournament, 2))
    assert refused.value.code == "draw.stage_before_not_over"
    tournament.play_out()
    places, second = draw_at(tournament).places(), draw_at(tournament).places(CONSOLATION)
    top, plate, others = (load_qualification(stage_at(tournament, place)) for place in (2, 3, 4))
    assert [places[entry].first for entry in top.entries] == [1, 2, 3]
    assert set(top.source_cuts[0].cuts[0].tied) == {
        entry for entry, place in places.items() if place.first == 3
    }
    assert [second[entry].first for entry in plate.entries] == [1, 2]
    assert {*top.entries, *plate.entries, *others.entries} == set(places)
    assert not set(others.entries) & {*top.entries, *plate.entries}
    publish(tournament, 4)
    assert publish(tournament, 2) == set(top.entries)
    assert draw_at(tournament, 2).lines()[0] == top.entries[0], "seeded by place"
    publish(tournament, 3)
    assert integrity_faults(tournament.event) == []


def test_best_of_a_bracket_when_one_leaves_and_a_result_is_turned_then_the_next_comes_and_the_preview_says_so():
    tournament = an_event(4, lengths=[5])
    then(tournament, name="Top", fed_by=1, takes=2)
    publish(tournament, 1)
    tournament.play_out()
    champion, second = qualified_entries(stage_at(tournament, 2))
    withdraw_after_draw(
        actor=tournament.actor, event_id=tournament.event.pk, entry_id=champion, leaving=WithdrawnResults.KEEP
    )
    assert qualified_entries(stage_at(tournament, 2))[0] == second
    publish(tournament, 2)
    semifinal = next(m for m in draw_at(tournament).rounds[0].matches if m.side_of(second))
    match = Match.objects.get(pk=semifinal.pk)
    assert named_in(correction_preview(match, turned(match))) == {"Top"}


def test_best_of_a_bracket_when_somebody_bought_back_then_once_by_the_better_entry():
    tournament = an_event(4, lengths=[5])
    then(tournament, name="Top", fed_by=1, takes=2)
    publish(tournament, 1)
    tournament.play_out()
    champion, second = qualified_entries(stage_at(tournament, 2))
    Entry.objects.filter(pk=second).update(again_of=champion)
    found = qualified_entries(stage_at(tournament, 2))
    assert found[0] == champion
    assert second not in found
    assert len(found) == 2


def test_further_stage_when_one_before_it_is_taken_away_then_it_is_still_the_one_that_was_chosen():
    tournament = an_event(8, lengths=[5])
    then(tournament, name="Gone", fed_by=1, takes=1, feed=Feeding(FeedPart.LOSERS))
    then(tournament, name="Top", fed_by=1, takes=2)
    feed = Feeding(FeedPart.LOSERS, 2, also=(FeedSource(3, FeedPart.PLACES, 1, 2),))
    then(tournament, name="Both", fed_by=1, takes=2, feed=feed)
    remove_stage(**where(tournament, 2))
    both = stage_at(tournament, 3)
    details = details_of_stage(both)
    assert details.feed.also[0].stage == 2, "told by place"
    assert str(feeds_of(both)[1].stage) == "Top"
    update_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=both.pk, stage=details)
    assert str(feeds_of(stage_at(tournament, 3))[1].stage) == "Top"
    with pytest.raises(Conflict) as refused:
        remove_stage(**where(tournament, 2))
    assert refused.value.code == "stage.feeds_another"
    also = (FeedSource(9, FeedPart.REST), FeedSource(0, last=600))
    with pytest.raises(Invalid) as wrong:
        update_stage(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            stage_id=both.pk,
            stage=replace(details, feed=replace(feed, also=also)),
        )
    assert {(fault.code, fault.field) for fault in wrong.value.faults} == {
        ("stage.takes_too_many", "feed.also.1.last"),
        ("plan.source_unknown", "feed.also.0.stage"),
        ("plan.losers_go_elsewhere", "feed.also.1.stage"),
    }
