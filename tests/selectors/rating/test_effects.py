"""What a correction would do, list by list: a list that does not count the result is not moved by its correction."""

import random

import pytest

from people.models import Player
from rating.models import Fact
from rating.selectors import preview_correction
from tests.support.rating import a_book, a_list

pytestmark = pytest.mark.django_db


def test_effects_leave_out_lists_that_do_not_count_the_event():
    book = a_book()
    book.beats("Ann", "Bob", 7, key="csv:old")
    book.apply()
    other = a_list(book, events=["another"])
    other.apply()
    fact = Fact.objects.get(source_key="csv:old")
    effects = preview_correction(source_key="csv:old", winner_id=fact.loser_id, loser_id=fact.winner_id)
    assert {effect.list_public_id for effect in effects.effects} == {book.list.public_id}


SYSTEMS = ("fibs", "fibs_flat", "elo", "galaxy_2", "master_2019")


def after(effects, rating_list) -> dict[str, float | None]:
    return {e.player.name: e.then for e in effects.effects if e.list_public_id == rating_list.public_id}


@pytest.mark.parametrize("system", SYSTEMS)
def test_whose_only_result_is_taken_back_leaves_the_list(system):
    book = a_list(a_book(), system=system)
    book.beats("Ann", "Bob", 7)
    only = book.beats("Cleo", "Ann", 5)
    book.apply()
    effects = preview_correction(source_key=only.source_key, void=True)
    (cleo,) = [e for e in effects.effects if e.leaves and e.list_public_id == book.list.public_id]
    assert (cleo.player.name, cleo.then_text) == ("Cleo", "")
    before = book.all_ratings()
    book.void(only)
    book.apply()
    now = book.all_ratings()
    assert "Cleo" not in now
    changed = {name: now.get(name) for name, rating in before.items() if now.get(name) != rating}
    assert after(effects, book.list) == changed


@pytest.mark.parametrize("system", SYSTEMS)
def test_whose_only_result_is_turned_around_stays_on_the_list(system):
    book = a_list(a_book(), system=system)
    only = book.beats("Ann", "Bob", 7)
    book.apply()
    effects = preview_correction(source_key=only.source_key, winner_id=only.loser_id, loser_id=only.winner_id)
    assert not any(effect.leaves or effect.joins for effect in effects.effects)
    book.replace(only, "Bob", "Ann")
    book.apply()
    assert after(effects, book.list) == book.all_ratings()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("system", SYSTEMS)
def test_several_results_that_fall_away_together_are_foretold_exactly(system, seed):
    chance = random.Random(seed)
    book = a_list(a_book(), system=system)
    names = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Finn"]
    facts = [
        book.beats(
            *chance.sample(names, 2),
            chance.choice([3, 5, 7]),
            event_weight=chance.choice([1.0, 2.5]),
            division_rank=chance.choice([1, 2]),
            winner_pr=chance.choice([None, 4.0, 6.0]),
            loser_pr=5.0,
        )
        for _ in range(20)
    ]
    book.apply()
    before = book.all_ratings()
    wrong, *later = chance.sample(facts, 4)  # what falls away may have been played before, too
    effects = preview_correction(
        source_key=wrong.source_key,
        winner_id=wrong.loser_id,
        loser_id=wrong.winner_id,
        without=[fact.source_key for fact in later],
    )
    book.replace(wrong, wrong.loser.name, wrong.winner.name)
    for fact in later:
        book.void(fact)
    book.apply()
    now = book.all_ratings()
    changed = {name: now.get(name) for name in before if now.get(name) != before[name]}
    assert after(effects, book.list) == changed


def test_result_of_another_club_or_of_nobody_does_not_fall_away_with_it():
    book, other = a_book(), a_book()
    fact, theirs = book.beats("Ann", "Bob"), other.beats("Zoe", "Yan")
    book.apply()
    other.apply()
    plain = preview_correction(source_key=fact.source_key, void=True)
    more = preview_correction(
        source_key=fact.source_key, void=True, without=[theirs.source_key, "no:such", fact.source_key]
    )
    assert more.effects == plain.effects


def test_private_players_of_other_clubs_stay_nameless_on_a_federations_list():
    federation = a_book()
    home, away = (a_book(parent=federation.club) for _ in range(2))
    wrong = home.beats("Ann", "Bob", 7)
    away.players["Bob"] = home.player("Bob")
    away.beats("Bob", "Zoe", 7)
    Player.objects.filter(name__in=["Ann", "Zoe"]).update(listed=False)
    federation.apply()
    effects = preview_correction(source_key=wrong.source_key, void=True).effects
    told = {e.player.name for e in effects if e.list_public_id == federation.list.public_id}
    assert told == {"Ann", "Bob", "Private player"}
    (stranger,) = [e for e in effects if e.player.name == "Private player"]
    assert stranger.player.public_id == ""
