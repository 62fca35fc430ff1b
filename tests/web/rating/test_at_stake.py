"""The page of a match that is to come leads to what it would do to the ratings, where it would do anything."""

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Player
from rating.models import RatingList
from tests.factories import an_event
from tests.support.director import words
from tests.support.tournaments import unrate

pytestmark = pytest.mark.django_db
WORDS = "Possible rating changes"


@pytest.fixture
def tournament():
    return an_event(entries=2, lengths=[7]).publish()


def page(tournament):
    match = tournament.stage.matches.get()
    return Client().get(reverse("public:match", args=[match.public_id]))


def test_match_to_come_leads_to_the_change_at_stake(tournament):
    answer = page(tournament)
    assert WORDS in words(answer)
    asked = Client().get(answer.context["at_stake"])
    assert "Match to 7" in words(asked)
    assert "+26.46" in words(asked)


def test_match_that_is_over_shows_what_it_did_instead(tournament):
    tournament.settle(tournament.playable()[0], "a", 3)
    assert WORDS not in words(page(tournament))


@pytest.mark.parametrize("why", ["private", "unrated", "too short", "no list"])
def test_match_that_would_change_nothing_to_see_leads_nowhere(tournament, why):
    if why == "private":
        Player.objects.filter(name="Ann").update(listed=False)
    elif why == "unrated":
        unrate(tournament.stage)
    elif why == "too short":
        RatingList.objects.update(shortest=9)
    else:
        RatingList.objects.update(archived=True)
    answer = page(tournament)
    assert answer.status_code == 200
    assert WORDS not in words(answer)
