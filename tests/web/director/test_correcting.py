"""A correction is shown before it is made: ratings now and then, and nothing written until the director says so."""

import pytest
from django.test import Client
from django.urls import reverse

from rating.models import Fact
from rating.selectors import club_lists
from rating.services import update_list_ratings
from tests.factories import an_event
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.models import Match, Report

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    tournament = an_event(entries=2, lengths=[7]).publish()
    tournament.says(tournament.playable()[0], None, 7, 3)
    update_list_ratings(club_lists(tournament.club.pk)[0].pk)
    return tournament


@pytest.fixture
def desk(tournament):
    client = Client()
    client.force_login(tournament.director)
    match = Match.objects.get()

    def post(score_a, score_b, **more):
        return client.post(
            reverse("director:correct", args=[tournament.event.public_id, match.public_id]),
            {"score_a": score_a, "score_b": score_b, "kind": "played", "submission_key": "fix", **more},
        )

    return post


def seen_in(page):
    return dict(page.context["kept"])["seen"]


def test_correct_when_the_winner_would_change_then_ratings_are_shown_and_nothing_is_written(desk, tournament):
    page = desk(3, 7).content.decode()
    assert "Rating changes from this result only" in page
    assert "1526.46" in page
    assert "1473.54" in page
    assert 'name="apply"' in page
    match = Match.objects.get()
    assert (match.score_a, match.winner_side) == (7, "a")
    assert (Report.objects.count(), Fact.objects.count()) == (1, 1)


def test_correct_when_only_the_loser_s_points_change_then_no_rating_changes(desk):
    page = desk(7, 5).content.decode()
    assert "No ratings change." in page


def test_correct_when_the_result_is_no_longer_rated_then_both_lose_what_they_had(desk):
    page = desk(7, 3, kind="settled").content.decode()
    assert "1526.46" in page


def test_correct_when_shown_and_then_made_then_it_stands(desk, tournament):
    answer = desk(3, 7, apply="1", seen=seen_in(desk(3, 7)))
    assert answer.status_code == 302
    match = Match.objects.get()
    assert (match.score_a, match.score_b, match.winner_side) == (3, 7, "b")


@pytest.mark.parametrize("empty", [{}, {"seen": ""}])
def test_correct_when_sent_without_what_was_seen_then_it_is_shown_first(desk, empty):
    answer = desk(7, 4, apply="1", **empty)
    assert answer.status_code == 409
    assert "Review what the correction changes before you make it" in answer.content.decode()
    assert Match.objects.get().score_b == 3


def test_correct_when_impossible_then_refused_before_anything_is_shown(desk):
    answer = desk(7, 7)
    assert answer.status_code == 422
    assert "Rating changes from this result only" not in answer.content.decode()


def test_correct_when_another_tab_was_faster_then_409_and_its_result_stays(desk):
    seen, late_seen = seen_in(desk(7, 4)), seen_in(desk(7, 6))
    assert desk(7, 4, apply="1", seen=seen, submission_key="one").status_code == 302
    late = desk(7, 6, apply="1", seen=late_seen, submission_key="two")
    assert late.status_code == 409
    assert "has changed in the meantime" in late.content.decode()
    assert Match.objects.get().score_b == 4
    assert desk(7, 4, apply="1", seen=seen, submission_key="one").status_code == 302  # sent twice is once


def test_correct_when_later_matches_may_stay_then_it_is_said_who_stays_where():
    tournament = an_event(entries=4, lengths=[5], bracket=BracketSettings(third_place=True))
    tournament.publish().play_out()
    first = Match.objects.get(number=1)
    a, b = (tournament.entry_at(first, side).name for side in "ab")
    client = Client()
    client.force_login(tournament.director)
    page = client.post(
        reverse("director:correct", args=[tournament.event.public_id, first.public_id]),
        {"score_a": first.score_b, "score_b": first.score_a, "kind": "played", "submission_key": "fix"},
    ).content.decode()
    assert f"{a} and {b} keep the places they went to from match 1, whichever of them won it." in page
