"""A correction after later matches were played: each repair says what it does to the ratings, and that is what happens."""

import pytest
from django.urls import reverse

from people.models import Player
from rating.selectors import club_lists
from rating.services import update_list_ratings
from tests.factories import an_event
from tests.support.director import signed_in, words
from tests.support.rating import Book
from tournaments.engine.types import Claim
from tournaments.models import Match
from tournaments.selectors.repairs.corrections import correction_preview, rating_effects

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    """A bracket of four, played out: the first semifinal was entered the wrong way round."""
    tournament = an_event(entries=4, lengths=[5]).publish()
    while matches := tournament.playable():
        for match in matches:
            tournament.settle(match, "a", 2)
    update_list_ratings(club_lists(tournament.club.pk)[0].pk)
    return tournament


@pytest.mark.parametrize("repair", ["void", "keep"])
def test_each_repair_foretells_its_ratings(tournament, repair):
    first = Match.objects.order_by("number").first()
    (rating_list,) = club_lists(tournament.club.pk)
    cascades = correction_preview(first, Claim(1, 5)).repairs
    foretold = {
        effect.player.name: effect.then
        for effect in rating_effects(first, Claim(1, 5), None, cascades[repair]).effects
    }
    client = signed_in(tournament.director)
    address = reverse("director:correct", args=[tournament.event.public_id, first.public_id])
    said = {"score_a": 1, "score_b": 5, "kind": "played", "submission_key": "fix"}
    shown = client.post(address, said)
    page = words(shown)
    assert page.count("Rating changes from these results only") == 2
    for rating in foretold.values():
        assert rating is None or f"{rating:.2f}" in page
    book = Book(tournament.club, rating_list, {player.name: player for player in Player.objects.all()})
    before = book.all_ratings()
    kept = dict(shown.context["kept"])
    done = client.post(address, {**kept, "repair": repair, "apply": "1"})
    assert done.status_code == 302, words(done)
    update_list_ratings(rating_list.pk)
    rating_list.refresh_from_db()
    now = book.all_ratings()
    assert foretold == {name: now.get(name) for name in before if now.get(name) != before[name]}


def test_void_foretells_other_numbers_than_the_result_alone(tournament):
    first = Match.objects.order_by("number").first()
    cascades = correction_preview(first, Claim(1, 5)).repairs
    found = {
        repair: {e.player_id: e.then for e in rating_effects(first, Claim(1, 5), None, cascade).effects}
        for repair, cascade in cascades.items()
    }
    assert found["void"] != found["keep"]
