"""Final places of events on lists of master points: entered, put right, taken back, and found by lists made later."""

import itertools

import pytest

from people.actors import Actor
from rating.formulas.master import place_points
from rating.models import Fact, FactKind, RatingList, Standing
from rating.services import create_list, update_list, update_list_ratings
from rating.services.lists import ListSettings
from tests.factories import Tournament, a_club, a_user, an_event
from tests.services.tournaments.test_groups import groups_then_knock_out, play_to_the_end, where
from tests.services.tournaments.test_swiss import next_one
from tests.support.rating import Book
from tests.support.rounds import stage_at, then
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.brackets.correction import Repair
from tournaments.engine.stages.feeding import Feeding, FeedPart
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.finals import final_places
from tournaments.engine.standings.ranking import Place
from tournaments.engine.types import Claim, EntryId, Side
from tournaments.events.services.places import record_missing_places
from tournaments.models import Division, Match, MatchSlot, Stage
from tournaments.repairs.services.correct import correct_result
from tournaments.selectors.standings.places import division_rank

pytestmark = pytest.mark.django_db
_keys = itertools.count()


def a_master_list(club) -> RatingList:
    return create_list(
        actor=Actor.program(),
        club_id=club.pk,
        settings=ListSettings(name="Points", system="master", shortest=99),
    )


def points(rating_list: RatingList, tournament: Tournament) -> dict[str, float]:
    update_list_ratings(rating_list.pk)
    rating_list.refresh_from_db()
    book = Book(tournament.club, rating_list)
    assert book.differences() == []
    rows = Standing.objects.filter(generation=rating_list.generation).select_related("player")
    return {row.player.name: row.rating for row in rows if row.rating}


def standing_places(tournament: Tournament) -> dict[str, tuple[int, int, int]]:
    facts = Fact.objects.filter(kind=FactKind.PLACE, event_key=tournament.event.public_id, later__isnull=True)
    return {fact.winner.name: (fact.place, fact.tied, fact.field) for fact in facts.select_related("winner")}


def final_of(tournament: Tournament) -> tuple[Match, str, str]:
    match = Match.objects.filter(stage=tournament.stage).order_by("-round__number", "-number").first()
    sides = {s.side: s.entry.name for s in MatchSlot.objects.filter(match=match)}
    return match, sides[match.winner_side], sides[Side(match.winner_side).other]


def turn_around(tournament: Tournament, match: Match) -> None:
    """The director finds that the loser won."""
    match.refresh_from_db()
    loser = Side(match.winner_side).other
    score = {loser: match.length, loser.other: 1}
    correct_result(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        claim=Claim(score[Side.A], score[Side.B]),
        submission_key=f"turn-{next(_keys)}",
    )


@pytest.fixture
def tournament():
    owner = a_user("Olga Owner")
    club = a_club(owner)
    return an_event(6, club=club, director=owner)


def test_finished_bracket_enters_every_place_once(tournament):
    points_list = a_master_list(tournament.club)
    tournament.publish().play_out()
    _match, first, second = final_of(tournament)
    found = standing_places(tournament)
    assert found[first] == (1, 1, 6)
    assert found[second] == (2, 1, 6)
    assert sorted(found.values()) == [(1, 1, 6), (2, 1, 6), (3, 2, 6), (3, 2, 6), (5, 2, 6), (5, 2, 6)]
    keys = set(Fact.objects.filter(kind=FactKind.PLACE).values_list("source_key", flat=True))
    assert {key.rsplit(":", 2)[0] for key in keys} == {
        f"place:{tournament.event.public_id}:{tournament.division.pk}"
    }
    earned = points(points_list, tournament)
    assert earned[first] == place_points(place=1, tied=1, field=6, weight=1.0)
    assert len(earned) == 6


def test_no_place_is_entered_where_no_list_counts_places(tournament):
    tournament.publish().play_out()
    assert not Fact.objects.filter(kind=FactKind.PLACE).exists()


def test_corrected_final_moves_the_places_and_leaves_the_others_alone(tournament):
    points_list = a_master_list(tournament.club)
    tournament.publish().play_out()
    match, first, second = final_of(tournament)
    facts = Fact.objects.filter(kind=FactKind.PLACE).count()
    turn_around(tournament, match)
    found = standing_places(tournament)
    assert (found[second][0], found[first][0]) == (1, 2)
    assert Fact.objects.filter(kind=FactKind.PLACE).count() == facts + 2
    assert points(points_list, tournament)[second] == place_points(place=1, tied=1, field=6, weight=1.0)
    turn_around(tournament, match)
    assert standing_places(tournament)[first][0] == 1


def test_result_that_opens_the_bracket_again_takes_the_places_back(tournament):
    points_list = a_master_list(tournament.club)
    tournament.publish().play_out()
    semifinal = (
        Match.objects.filter(stage=tournament.stage, round__code="semifinal").order_by("number").first()
    )
    loser = Side(semifinal.winner_side).other
    score = {loser: semifinal.length, loser.other: 0}
    correct_result(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=semifinal.pk,
        claim=Claim(score[Side.A], score[Side.B]),
        submission_key="open-again",
        repair=Repair.VOID,
    )
    assert Stage.objects.get(pk=tournament.stage.pk).status == "running"
    assert standing_places(tournament) == {}
    assert points(points_list, tournament) == {}
    tournament.play_out()
    assert len(standing_places(tournament)) == 6


def test_list_made_after_the_event_finds_its_places(tournament):
    tournament.publish().play_out()
    other = an_event(4, club=tournament.club, director=tournament.director).publish()
    points_list = a_master_list(tournament.club)
    assert len(points(points_list, tournament)) == 6
    assert (
        record_missing_places([tournament.club.pk]) == 0
    )  # the events that are over have theirs, the other is not over
    other.play_out()
    assert len(standing_places(other)) == 4


def test_list_that_becomes_one_of_master_points_finds_them_too(tournament):
    tournament.publish().play_out()
    made = create_list(
        actor=Actor.program(), club_id=tournament.club.pk, settings=ListSettings(name="Elo", system="elo")
    )
    update_list_ratings(made.pk)
    assert standing_places(tournament) == {}
    update_list(
        actor=Actor.program(),
        list_id=made.pk,
        settings=ListSettings(name="Points", system="master", shortest=99),
    )
    assert len(points(made, tournament)) == 6


def test_swiss_enters_the_places_of_its_table(tournament):
    a_master_list(tournament.club)
    swiss = an_event(
        6,
        club=tournament.club,
        director=tournament.director,
        system="swiss",
        lengths=[5],
        swiss=SwissSettings(rounds=2),
    )
    for seed in (1, 2):
        next_one(swiss, seed=seed)
        swiss.play_out()
    places = standing_places(swiss)
    assert len(places) == 6
    assert min(place for place, _tied, _field in places.values()) == 1


def test_who_came_into_the_finals_stands_before_who_did_not():
    finals = play_to_the_end(groups_then_knock_out())
    a_master_list(finals.club)
    assert standing_places(finals) == {}  # the finals are to come
    draw_stage(**where(finals, 2), seed=1)
    publish_draw(**where(finals, 2))
    finals.play_out()
    places = standing_places(finals)
    qualified = set(
        MatchSlot.objects.filter(match__stage__position=2, entry__isnull=False).values_list(
            "entry__name", flat=True
        )
    )
    assert {name for name, (place, _tied, _field) in places.items() if place <= 4} == qualified
    assert len(qualified) == 4
    assert {field for _place, _tied, field in places.values()} == {8}


def test_all_others_have_the_places_behind_the_main_draw_in_whatever_order_the_stages_stand():
    tournament = an_event(6, system="swiss", lengths=[5], swiss=SwissSettings(rounds=1))
    then(tournament, name="Consolation", fed_by=1, feed=Feeding(FeedPart.REST))
    then(tournament, name="Main", fed_by=1, takes=2)
    a_master_list(tournament.club)
    play_to_the_end(tournament)
    for place in (2, 3):
        draw_stage(**where(tournament, place), seed=1)
        publish_draw(**where(tournament, place))
    tournament.play_out()
    found = standing_places(tournament)
    main = Match.objects.get(stage=stage_at(tournament, 3))
    first, second = (
        tournament.entry_at(main, side).name for side in (main.winner_side, Side(main.winner_side).other)
    )
    assert (found[first], found[second]) == ((1, 1, 6), (2, 1, 6))
    assert sorted(found.values())[2:] == [(3, 1, 6), (4, 1, 6), (5, 2, 6), (5, 2, 6)]


def test_second_division_weighs_less():
    event = an_event(4)
    assert division_rank(event.division) == 1
    second = Division.objects.create(event=event.event, name="Second", position=2)
    Division.objects.create(event=event.event, name="Doubles", position=3, team_size=2)
    third = Division.objects.create(event=event.event, name="Third", position=4)
    assert (division_rank(second), division_rank(third)) == (2, 3)


def test_places_when_somebody_stands_in_two_stages_or_entered_twice_then_the_best_one_counts_and_once():
    def on(first, last):
        return Place(first, last, settled=True)

    final = {EntryId(1): on(1, 1), EntryId(2): on(2, 2)}
    groups = {
        EntryId(2): on(1, 1),
        EntryId(1): on(2, 2),
        EntryId(3): on(3, 4),
        EntryId(4): on(3, 4),
        EntryId(5): on(5, 5),
    }
    players = {EntryId(1): 11, EntryId(2): 12, EntryId(3): 13, EntryId(4): 14, EntryId(5): 13}
    found = [(one.person, one.place, one.tied) for one in final_places([final, groups], players)]
    assert found == [(11, 1, 1), (12, 2, 1), (13, 3, 2), (14, 3, 2)]
