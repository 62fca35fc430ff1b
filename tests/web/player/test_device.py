"""Both sides of a match reported from one phone: the director sees it, and nothing is blocked."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import an_event
from tests.support.tournaments import first_match, signed_in, text_of
from tournaments.engine.types import Side
from tournaments.models import Report
from tournaments.selectors.access.links import entry_token
from tournaments.shared.frames.device import COOKIE

pytestmark = pytest.mark.django_db
WORDS = "Both results were reported from the same phone"


def _sends(client, tournament, match, side, name, **data):
    token = entry_token(tournament.entry_at(match, side))
    return client.post(reverse(f"player:{name}", args=[token, match.public_id]), data)


def _reports(client, tournament, match, side):
    said = {"mine": 5, "theirs": 3, "kind": "played", "winner": "", "submission_key": "k1"}
    return _sends(client, tournament, match, side, "report", **said)


def _agrees(client, tournament, match):
    return _sends(client, tournament, match, Side.B, "agree", version=1, submission_key="k2")


@pytest.mark.parametrize("same", [True, False])
def test_two_reports_when_from_one_browser_then_the_director_is_told(same):
    tournament = an_event(4, lengths=[5]).publish(seed=1)
    match = first_match(tournament)
    phone, other = Client(), Client()
    phone.get(reverse("player:home", args=[entry_token(tournament.entry_at(match, Side.A))]))
    assert COOKIE not in phone.cookies  # opening a link says nothing: previews open links
    assert _reports(phone, tournament, match, Side.A).status_code == 302
    assert COOKIE in phone.cookies
    assert _agrees(phone if same else other, tournament, match).status_code == 302
    assert Report.objects.filter(match=match).count() == 2
    page = signed_in(tournament.director).get(
        reverse("director:match", args=[tournament.event.public_id, match.public_id])
    )
    assert (WORDS in text_of(page)) is same


def test_cookie_that_is_not_ours_counts_for_nothing():
    tournament = an_event(4, lengths=[5]).publish(seed=1)
    match = first_match(tournament)
    phone = Client()
    phone.cookies[COOKIE] = "forged:x:y"
    assert _reports(phone, tournament, match, Side.A).status_code == 302
    assert Report.objects.get(match=match).device not in {"", "forged"}
