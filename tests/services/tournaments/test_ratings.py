"""From a result to a rating: one fact for each rateable result, FIBS with ramp, corrections and merges followed."""

import pytest

from people.models import Player
from rating.models import Fact, FactKind
from rating.selectors import changes_by_source_key, club_lists, ratings_of_player
from rating.services import check_list, update_list_ratings
from tests.factories import an_event
from tournaments.engine.types import Claim
from tournaments.entries.services.merge_players import merge_players
from tournaments.models import Match, Report
from tournaments.repairs.services.correct import correct_result
from tournaments.selectors.matches.ledger import ledger_key

pytestmark = pytest.mark.django_db


def rate(tournament):
    """What the worker does."""
    (rating_list,) = club_lists(tournament.club.pk)
    update_list_ratings(rating_list.pk)
    assert check_list(list_id=rating_list.pk) == []


def rating_of(name):
    (rating,) = ratings_of_player(Player.objects.get(name=name).pk)
    return rating.rating


def test_result_when_two_new_players_play_seven_points_then_26_4575_each_way():
    """FIBS with experience counted before the match; the figure stands in the golden examples of the formula too."""
    tournament = an_event(entries=2, lengths=[7]).publish()
    tournament.beats("Ann", "Bob", 7, 3)
    rate(tournament)
    assert rating_of("Ann") == pytest.approx(1526.4575, abs=5e-5)
    assert rating_of("Bob") == pytest.approx(1473.5425, abs=5e-5)


def test_result_when_confirmed_then_the_match_page_can_show_both_ratings():
    tournament = an_event(entries=2, lengths=[7]).publish()
    tournament.beats("Ann", "Bob", 7, 3)
    rate(tournament)
    match = Match.objects.get()
    key = ledger_key(match, Report.objects.get(match=match, state="confirmed"))
    (change,) = changes_by_source_key([key])[key]
    assert (round(change.winner.before, 4), round(change.winner.delta, 4)) == (1500.0, 26.4575)


@pytest.mark.parametrize("kind", ["walkover", "forfeit", "disqualified", "settled"])
def test_result_when_f12_does_not_rate_it_then_no_fact(kind):
    tournament = an_event(entries=2, lengths=[7]).publish()
    score = (7, 3) if kind == "settled" else (0, 0)
    tournament.says(tournament.playable()[0], None, *score, kind=kind, winner="a")
    assert tournament.fresh().status == "finished"
    assert not Fact.objects.exists()


@pytest.mark.parametrize("kind", ["retired", "lost_on_time"])
def test_result_when_f12_rates_a_broken_off_match_then_a_fact(kind):
    tournament = an_event(entries=2, lengths=[7]).publish()
    tournament.says(tournament.playable()[0], "a", 2, 5, kind=kind, winner="a")
    tournament.says(tournament.playable()[0], "b", 2, 5, kind=kind, winner="a")
    fact = Fact.objects.get()
    assert (fact.kind, fact.length, fact.winner_score, fact.loser_score) == (FactKind.RESULT, 7, 2, 5)


def test_event_when_byes_and_all_played_then_as_many_facts_as_matches_played():
    tournament = an_event(entries=11).publish().play_out()
    assert Fact.objects.count() == 10
    rate(tournament)


def test_correction_when_the_winner_changes_then_ratings_are_as_if_it_had_always_been_so():
    tournament = an_event(entries=2, lengths=[7]).publish()
    tournament.beats("Ann", "Bob", 7, 3)
    rate(tournament)
    match = Match.objects.get()
    bob_is = "a" if tournament.entry_at(match, "a").name == "Bob" else "b"
    correct_result(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        claim=Claim(7, 3) if bob_is == "a" else Claim(3, 7),
        submission_key="fix",
    )
    rate(tournament)
    assert rating_of("Bob") == pytest.approx(1526.4575, abs=5e-5)


def test_merge_when_two_players_are_one_then_their_results_make_one_rating():
    first = an_event(entries=2, lengths=[7]).publish()
    first.beats("Ann", "Bob", 7, 3)
    second = an_event(club=first.club, director=first.director, entries=2, lengths=[7]).publish()
    second.beats("Ann", "Bob", 7, 5)
    rate(second)
    anns = list(Player.objects.filter(name="Ann").order_by("pk"))
    assert len(anns) == 2
    merge_players(actor=first.actor, club_id=first.club.pk, keep_id=anns[0].pk, duplicate_id=anns[1].pk)
    rate(first)
    (ann,) = ratings_of_player(anns[0].pk)
    assert ann.matches == 2
    assert ann.experience == 14
