"""Small questions about entries, divisions, matches and the trail, as pages and API ask them."""

import pytest

from faults import Missing, NotAllowed
from people.models import Player
from tests.factories import a_club, a_director, a_user, an_event
from tests.support.tournaments import opened
from tournaments.engine.new_entry import EntryMarks
from tournaments.entries.services.entries import update_entry, withdraw_entry
from tournaments.events.services.divisions import DivisionDetails, add_division, update_division
from tournaments.events.services.stages import StageDetails
from tournaments.matches.services.objections import object_to_result
from tournaments.models import Objection
from tournaments.repairs.services.reentry import reenter
from tournaments.selectors.access.trail import audit_rows, audit_subjects
from tournaments.selectors.access.visibility import get_event_for_director
from tournaments.selectors.entries import (
    active_entries,
    active_entry_counts,
    divisions_with_entries,
    entered_player_ids,
    entries_of_player_in,
    entry_names,
    entry_player_rows,
    find_entry,
    get_entry,
    ids_by_public_id,
    latest_status_by_player,
    public_id_by_entry,
    reentered_ids,
    self_entered_ids,
    travel_groups,
)
from tournaments.selectors.events.clubs import club_view
from tournaments.selectors.events.detail import division_views, divisions_in, stages_by_number, stages_in
from tournaments.selectors.events.director import (
    events_of_club,
    find_objection,
    last_event_of_club,
    objections_to,
)
from tournaments.selectors.events.players import player_events
from tournaments.selectors.matches.detail import match_number, match_of_stage, matches_of_round
from tournaments.selectors.matches.player import own_players
from tournaments.selectors.standings.feeds import stages_fed_by

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def known(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


@pytest.fixture
def tournament():
    """Four entries, of whom Dan has left, and a division that nobody has entered."""
    tournament = an_event(entries=4)
    tournament.open = tournament.division
    withdraw_entry(**known(tournament), entry_id=tournament.entry("Dan").pk)
    tournament.empty = add_division(
        **known(tournament),
        division=DivisionDetails(name="Beginners", stages=[StageDetails(lengths=[5])]),
        first_name="Open",
    )
    return tournament


def test_entries_when_one_has_left_then_those_who_take_part_are_told_apart(tournament):
    left, ann = tournament.entry("Dan"), tournament.entry("Ann")
    assert [entry.name for entry in active_entries(tournament.open)] == ["Ann", "Bob", "Cleo"]
    assert active_entry_counts(tournament.event) == {tournament.open.pk: 3}
    assert divisions_with_entries(tournament.event) == {tournament.open.pk}
    assert entry_names(tournament.open.pk)[left.pk] == "Dan"
    assert public_id_by_entry(tournament.event)[ann.pk] == ann.public_id
    assert ids_by_public_id(tournament.open.pk, [ann.public_id, "nosuchentry"]) == {ann.public_id: ann.pk}
    assert self_entered_ids(tournament.open) == reentered_ids(tournament.open) == set()


def test_entry_when_asked_for_elsewhere_then_missing(tournament):
    ann = tournament.entry("Ann")
    assert get_entry(tournament.event, ann.public_id) == ann
    assert find_entry(tournament.open.pk, ann.public_id) == ann
    assert find_entry(tournament.empty.pk, ann.public_id) is None
    with pytest.raises(Missing):
        get_entry(an_event(club=tournament.club).event, ann.public_id)


def test_players_when_asked_by_division_then_with_the_status_of_their_entry(tournament):
    everybody = [row.player for name in ("Ann", "Dan") for row in entry_player_rows(tournament.entry(name))]
    ann, dan = everybody
    assert latest_status_by_player(everybody, tournament.open) == {ann.pk: "active", dan.pk: "withdrawn"}
    assert latest_status_by_player(everybody, tournament.empty) == {}
    assert len(entered_player_ids([tournament.open.pk, tournament.empty.pk])) == 4
    assert entered_player_ids([tournament.open.pk]) >= {ann.pk, dan.pk}
    assert entered_player_ids([tournament.empty.pk]) == set()
    assert entries_of_player_in(tournament.event, ann) == [tournament.entry("Ann")]
    assert entries_of_player_in(tournament.event, dan) == []
    assert own_players(tournament.entry("Ann")) == [(ann.public_id, ann.version, False, None)]


def test_parties_when_several_are_of_one_then_named_once_in_order(tournament):
    for name, party in (("Bob", "Zug"), ("Ann", "Auto"), ("Cleo", "Auto")):
        update_entry(**known(tournament), entry_id=tournament.entry(name).pk, marks=EntryMarks(party))
    assert travel_groups(tournament.open.pk) == ["Auto", "Zug"]


def test_statuses_when_somebody_bought_back_then_of_their_latest_entry():
    tournament = an_event(entries=3)
    update_division(
        **known(tournament), division_id=tournament.division.pk, division=DivisionDetails(reentries=1)
    )
    match = tournament.publish().playable()[0]
    loser = tournament.entry_at(match, "b")
    tournament.settle(match, "a")
    again = reenter(**known(tournament), entry_id=loser.pk)
    (row,) = entry_player_rows(loser)
    assert reentered_ids(tournament.division) == {loser.pk}
    assert latest_status_by_player([row.player], tournament.division) == {row.player_id: again.status}


def test_stages_when_named_by_place_then_divisions_count_from_one(tournament):
    first, second = divisions_in(tournament.event)
    assert (first, second) == (tournament.open, tournament.empty)
    assert stages_by_number(tournament.event) == {(1, 1): stages_in(first)[0], (2, 1): stages_in(second)[0]}
    assert stages_fed_by(stages_in(first)[0]) == []


def test_divisions_when_their_event_is_asked_for_then_it_is_there_already(
    tournament, django_assert_num_queries
):
    views = division_views(tournament.event)
    with django_assert_num_queries(0):
        assert [str(view.division) for view in views] == ["Open", "Beginners"]
        assert all(stage.stage.division.event == tournament.event for view in views for stage in view.stages)


def test_match_when_asked_by_stage_round_and_number_then_found_in_its_own_alone():
    tournament = an_event(entries=4).publish()
    match = tournament.playable()[0]
    assert match_of_stage(tournament.stage, match.public_id) == match
    assert match in matches_of_round(match.round)
    assert (match_number(match.pk), match_number(0)) == (match.number, None)
    with pytest.raises(Missing):
        match_of_stage(an_event(club=tournament.club).stage, match.public_id)


def test_objections_when_two_are_made_then_newest_first():
    tournament = an_event(entries=2).publish()
    match = tournament.playable()[0]
    tournament.settle(match, "a")
    for side in "ab":
        entry = tournament.entry_at(match, side)
        object_to_result(actor=tournament.actor, match_id=match.pk, entry=entry, text="No.")
    newest, oldest = objections_to(match)
    assert newest.pk > oldest.pk
    assert find_objection(match, oldest.pk) == Objection.objects.get(pk=oldest.pk)
    assert find_objection(match, newest.pk + 1) is None


def test_events_of_a_club_when_asked_by_a_stranger_then_a_draft_is_missing_and_others_are_not_theirs():
    tournament = an_event()
    assert [event.entry_count for event in events_of_club(tournament.club)] == [0]
    assert last_event_of_club(tournament.club) == tournament.event
    assert last_event_of_club(a_club()) is None
    assert get_event_for_director(a_director(tournament.club), tournament.event.public_id) == tournament.event
    with pytest.raises(Missing):
        get_event_for_director(a_user(), tournament.event.public_id)
    opened(tournament)
    with pytest.raises(NotAllowed):
        get_event_for_director(a_user(), tournament.event.public_id)


def test_pages_of_club_and_player_when_they_count_then_all_and_not_only_what_they_show():
    tournament = opened(an_event(entries=14)).with_public_pages()
    view = club_view(tournament.club)
    assert (len(view.players), view.player_count) == (12, 14)
    events = player_events(Player.objects.get(name="Ann"))
    assert ([played.event for played in events.newest], events.count) == ([tournament.event], 1)


def test_trail_when_rows_speak_of_an_entry_then_it_is_named(tournament):
    rows = list(audit_rows(tournament.event))
    dan = tournament.entry("Dan")
    assert [row.pk for row in rows] == sorted((row.pk for row in rows), reverse=True)
    assert audit_subjects(rows).entries == {dan.pk: "Dan"}
    assert audit_subjects([]).matches == {}
