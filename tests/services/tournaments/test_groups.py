"""Round robins in groups, published round by round or at once, and the stage that their first go on to."""

from collections import Counter

import pytest

from faults import Conflict, Invalid
from people.models import AuditEntry
from tests.factories import an_event
from tests.support.rounds import (
    draw_at,
    names_of,
    pairs_of,
    play_to_the_end,
    publish_next,
    stage_at,
    tables,
    then,
    where,
    win_by_name,
)
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.leaving import WithdrawnResults
from tournaments.engine.types import Claim
from tournaments.models import Match, MatchSlot, Round
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.rounds.services.play_offs import discard_recorded_play_offs, record_play_off
from tournaments.rounds.services.rounds import (
    discard_pairing,
    pair_next_round,
    publish_round,
    unpublish_round,
)
from tournaments.selectors.arranged import drawn_groups
from tournaments.selectors.events.detail import places_by_stage
from tournaments.selectors.leagues import load_season
from tournaments.selectors.rounds.next import drawn_schedule, next_round
from tournaments.selectors.standings.feeds import first_round_entries, qualified_entries
from tournaments.selectors.standings.tables import (
    cut_tables,
    standings_tables,
    unbroken_ties,
)

pytestmark = pytest.mark.django_db


def in_groups(entries, groups, *, system="round_robin", **changes):
    settings = {k: changes.pop(k) for k in list(changes) if k in SwissSettings.__dataclass_fields__}
    swiss = SwissSettings(group_count=groups, **settings)
    return an_event(entries, system=system, **{"lengths": [5], "swiss": swiss, **changes})


@pytest.mark.parametrize(
    ("entries", "groups", "system"),
    [(8, 2, "round_robin"), (7, 2, "round_robin"), (11, 3, "round_robin"), (6, 2, "double_round_robin")],
)
def test_groups_when_played_out_then_everybody_met_their_own_group_and_nobody_else(entries, groups, system):
    tournament = play_to_the_end(in_groups(entries, groups, system=system))
    drawn = drawn_groups(tournament.stage)
    assert sorted(len(group) for group in drawn) == sorted(
        [entries // groups + (number < entries % groups) for number in range(groups)]
    )
    met = Counter(
        frozenset(MatchSlot.objects.filter(match=match).values_list("entry", flat=True))
        for match in Match.objects.all()
    )
    inside = {frozenset((a, b)) for group in drawn for a in group for b in group if a != b}
    assert set(met) == inside
    assert set(met.values()) == {2 if system == "double_round_robin" else 1}
    assert (tournament.fresh().status, tournament.stage.status) == ("finished", "finished")
    found = standings_tables(draw_at(tournament))
    assert [table.group for table in found] == list(range(1, groups + 1))
    for table, group in zip(found, drawn, strict=True):
        assert {row.entry for row in table.rows} == set(group)


def test_seeded_groups_when_drawn_then_the_seeds_are_dealt_to_and_fro():
    tournament = in_groups(6, 2, draw_method="seeded")
    for seed, name in enumerate(["Ann", "Bob", "Cleo", "Dan", "Eva", "Finn"], start=1):
        tournament.division.entries.filter(name=name).update(seed=seed)
    pair_next_round(**where(tournament), seed=1)
    names = names_of(tournament)
    assert [[names[entry] for entry in group] for group in drawn_groups(tournament.stage)] == [
        ["Ann", "Dan", "Eva"],
        ["Bob", "Cleo", "Finn"],
    ]


def test_groups_when_thrown_away_then_none_are_left_and_the_same_seed_draws_them_again():
    tournament = in_groups(8, 2)
    pair_next_round(**where(tournament), seed=3)
    first = drawn_schedule(tournament.stage)
    discard_pairing(**where(tournament))
    assert drawn_groups(tournament.stage) == ()
    pair_next_round(**where(tournament), seed=3)
    assert drawn_schedule(tournament.stage) == first


def test_groups_when_there_are_too_few_entries_for_them_then_refused_in_words():
    tournament = in_groups(5, 3)
    with pytest.raises(Invalid) as refused:
        pair_next_round(**where(tournament))
    assert refused.value.code == "groups.too_few_entries"
    assert tournament.stage.status == "setup"


def test_places_when_groups_are_over_then_the_winners_share_the_first_ones():
    tournament = in_groups(7, 2)
    publish_next(tournament)
    for _round in range(3):
        win_by_name(tournament)
        if tournament.fresh().status == "running":
            publish_next(tournament)
    (places,) = places_by_stage([tournament.stage]).values()
    assert sorted((place.first, place.last) for place in places.values()) == [
        (1, 2), (1, 2), (3, 4), (3, 4), (5, 6), (5, 6), (7, 7),
    ]  # fmt: skip
    assert all(place.settled for place in places.values())


def test_all_at_once_when_published_then_every_round_stands_there_and_is_taken_back_together():
    tournament = in_groups(5, 1, all_at_once=True)
    seen = pair_next_round(**where(tournament), seed=1).version
    publish_round(**where(tournament), seen=seen)
    assert Round.objects.count() == 5
    assert list(Match.objects.order_by("number").values_list("number", flat=True)) == list(range(1, 11))
    unpublish_round(**where(tournament))
    assert (tournament.fresh().status, tournament.stage.status) == ("open", "drawn")
    assert not Match.objects.exists()
    assert next_round(tournament.stage, draw_at(tournament)).version == seen
    publish_round(**where(tournament), seen=seen)
    tournament.play_out()
    assert (tournament.fresh().status, tournament.stage.status) == ("finished", "finished")


def test_all_at_once_when_a_match_has_a_result_then_it_is_not_taken_back():
    tournament = in_groups(4, 1, all_at_once=True)
    publish_next(tournament)
    tournament.settle(tournament.playable()[-1], "a")
    with pytest.raises(Conflict) as refused:
        unpublish_round(**where(tournament))
    assert refused.value.code == "draw.begun"


# The stage that follows.


def groups_then_knock_out(entries=8, *, takes=2, **settings):
    tournament = in_groups(entries, 2, **settings)
    then(tournament, name="Finals", system="single_elimination", fed_by=1, takes=takes)
    return tournament


def test_knock_out_when_the_groups_are_not_over_then_it_waits():
    tournament = groups_then_knock_out()
    with pytest.raises(Conflict) as refused:
        draw_stage(**where(tournament, 2))
    assert refused.value.code == "draw.stage_before_not_over"


def test_knock_out_when_the_groups_are_over_then_their_first_play_and_meet_the_other_group_first():
    tournament = play_to_the_end(groups_then_knock_out())
    assert tournament.fresh().status == "running"
    draw_stage(**where(tournament, 2), seed=1)
    publish_draw(**where(tournament, 2))
    groups = drawn_groups(stage_at(tournament))
    first = [
        set(MatchSlot.objects.filter(match=match).values_list("entry", flat=True))
        for match in Match.objects.filter(stage=stage_at(tournament, 2), round__number=1)
    ]
    best = [table.rows[place].entry for table in standings_tables(draw_at(tournament)) for place in (0, 1)]
    assert set().union(*first) == set(best)
    for pair in first:
        assert all(len(pair & set(group)) == 1 for group in groups)
    tournament.play_out()
    assert tournament.fresh().status == "finished"


def test_knock_out_when_somebody_who_qualified_has_left_then_the_next_one_moves_up():
    tournament = play_to_the_end(groups_then_knock_out(takes=1))
    winner = standings_tables(draw_at(tournament))[0].rows[0].entry
    second = standings_tables(draw_at(tournament))[0].rows[1].entry
    before = qualified_entries(stage_at(tournament, 2))
    withdraw_after_draw(actor=tournament.actor, event_id=tournament.event.pk, entry_id=winner)
    assert qualified_entries(stage_at(tournament, 2)) == tuple(
        second if entry == winner else entry for entry in before
    )


def test_knock_out_when_drawn_then_it_names_those_who_went_on():
    tournament = play_to_the_end(groups_then_knock_out())
    assert first_round_entries(draw_at(tournament, 2)) == frozenset()
    draw_stage(**where(tournament, 2), seed=1)
    assert first_round_entries(draw_at(tournament, 2)) == set(qualified_entries(stage_at(tournament, 2)))


def test_qualification_when_a_result_is_corrected_then_others_go_on():
    tournament = groups_then_knock_out(4, takes=1)
    publish_next(tournament)
    win_by_name(tournament)
    (first, second) = (list(group) for group in drawn_groups(stage_at(tournament)))
    before = set(qualified_entries(stage_at(tournament, 2)))
    assert len(before & set(first)) == len(before & set(second)) == 1
    match = Match.objects.filter(stage=stage_at(tournament), slots__entry=first[0]).first()
    claim = Claim(0, 5) if match.winner_side == "a" else Claim(5, 0)
    correct_result(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        claim=claim,
        submission_key="k",
    )
    after = set(qualified_entries(stage_at(tournament, 2)))
    assert after & set(second) == before & set(second)
    assert after & set(first) == set(first) - before


def circle_of_three(**settings):
    """Ann beats Bob, Bob beats Cleo, Cleo beats Ann, all by the same score: nothing but a lot tells them apart."""
    tournament = an_event(3, system="round_robin", lengths=[5], swiss=SwissSettings(**settings))
    then(tournament, name="Final", system="single_elimination", fed_by=1, takes=2)
    pair_next_round(**where(tournament), seed=1)
    for _round in range(3):
        publish_next(tournament)
        match = tournament.playable()[0]
        names = {slot.entry.name: slot.side for slot in match.slots.all()}
        winner = {frozenset(("Ann", "Bob")): "Ann", frozenset(("Bob", "Cleo")): "Bob"}.get(
            frozenset(names), "Cleo"
        )
        tournament.settle(match, names[winner])
    return tournament


def test_tie_over_the_border_when_nothing_decides_then_a_lot_does_and_says_so():
    tournament = circle_of_three()
    (cut,) = cut_tables(draw_at(tournament), 2)
    assert cut.decided_by == "lot"
    assert len(cut.tied) == 3
    assert cut_tables(draw_at(tournament), 2)[0].advancing == cut.advancing  # it is drawn once
    assert {row.first for row in standings_tables(draw_at(tournament))[0].rows} == {
        1
    }  # the table still shows the tie


def test_tie_among_those_who_all_go_on_then_the_lot_that_orders_them_is_told():
    tournament = circle_of_three()
    (cut,) = cut_tables(draw_at(tournament), 3)
    assert (cut.decided_by, cut.tied) == ("", ())
    assert [set(group) for group in cut.groups_ordered_by_lot] == [set(cut.advancing)]


def test_play_off_when_recorded_then_it_decides_before_any_lot_and_can_be_forgotten():
    tournament = circle_of_three()
    (tied,) = unbroken_ties(draw_at(tournament))
    order = [tournament.entry(name).pk for name in ("Cleo", "Ann", "Bob")]
    assert set(tied) == set(order)
    record_play_off(**where(tournament), order=order)
    (cut,) = cut_tables(draw_at(tournament), 2)
    assert (cut.order, cut.decided_by) == (tuple(order), "play_off")
    assert [row.first for row in standings_tables(draw_at(tournament))[0].rows] == [1, 2, 3]
    assert AuditEntry.objects.get(action="stage.play_off").data["order"] == ["Cleo", "Ann", "Bob"]
    record_play_off(**where(tournament), order=order[::-1])
    assert qualified_entries(stage_at(tournament, 2)) == (order[2], order[1])
    discard_recorded_play_offs(**where(tournament))
    assert {row.first for row in standings_tables(draw_at(tournament))[0].rows} == {1}
    with pytest.raises(Conflict) as refused:
        discard_recorded_play_offs(**where(tournament))
    assert refused.value.code == "play_off.none"


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["Ann", "Bob"], "play_off.not_tied"),
        (["Ann", "Bob", "Bob"], "play_off.twice"),
        ([], "play_off.not_tied"),
    ],
)
def test_play_off_when_it_is_not_among_all_who_are_tied_then_refused(names, code):
    tournament = circle_of_three()
    with pytest.raises(Invalid) as refused:
        record_play_off(**where(tournament), order=[tournament.entry(name).pk for name in names])
    assert refused.value.code == code


def test_play_off_when_the_stage_is_not_over_then_too_early():
    tournament = in_groups(4, 1)
    publish_next(tournament)
    with pytest.raises(Conflict) as refused:
        record_play_off(**where(tournament), order=[tournament.entry("Ann").pk, tournament.entry("Bob").pk])
    assert refused.value.code == "play_off.too_early"


def test_swiss_when_it_is_fed_by_groups_then_those_who_go_on_are_paired():
    tournament = in_groups(8, 2)
    then(tournament, name="Top", system="swiss", fed_by=1, takes=2, swiss=SwissSettings(rounds=2))
    play_to_the_end(tournament)
    publish_next(tournament, 2)
    playing = {name for pair in pairs_of(tournament, 1, 2) for name in pair}
    names = names_of(tournament)
    assert playing == {names[entry] for entry in qualified_entries(stage_at(tournament, 2))}
    assert len(tables(tournament, 2)[0]) == 4


def test_event_when_one_stage_runs_already_then_the_next_one_does_not_start_it_again():
    tournament = groups_then_knock_out()
    play_to_the_end(tournament)
    assert tournament.fresh().status == "running"
    draw_stage(**where(tournament, 2), seed=1)
    publish_draw(**where(tournament, 2))
    assert tournament.fresh().status == "running"


def test_take_back_when_an_earlier_stage_is_over_then_the_event_goes_on_running():
    tournament = in_groups(4, 2)
    then(tournament, name="Top", system="round_robin", fed_by=1, takes=1)
    play_to_the_end(tournament)
    publish_next(tournament, 2)
    unpublish_round(**where(tournament, 2))
    assert (tournament.fresh().status, stage_at(tournament, 2).status) == ("running", "drawn")
    play_to_the_end(tournament, 2)
    assert tournament.fresh().status == "finished"


def test_table_when_somebody_leaves_and_is_struck_then_nobody_gains_or_loses_by_having_met_them():
    tournament = in_groups(4, 1, all_at_once=True)
    publish_next(tournament)
    for match in tournament.playable():
        names = {slot.entry.name: slot.side for slot in match.slots.all()}
        if "Ann" in names and "Bob" in names:
            tournament.settle(match, names["Bob"])
    assert {name: points for name, _place, points in tables(tournament)[0]}["Bob"] == 2
    withdraw_after_draw(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        entry_id=tournament.entry("Ann").pk,
        leaving=WithdrawnResults.STRIKE,
    )
    assert {name: points for name, _place, points in tables(tournament)[0]} == {"Bob": 0, "Cleo": 0, "Dan": 0}
    tournament.play_out()
    assert tournament.fresh().status == "finished"
    assert len(tables(tournament)[0]) == 3
    assert tournament.entry("Ann").pk not in places_by_stage([tournament.stage])[tournament.stage.pk]
    assert load_season(tournament.event).divisions[0].places[-1] == (tournament.entry("Ann").pk,)
