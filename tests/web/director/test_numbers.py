"""Federation numbers and outside ratings on pages: written, read from a list, shown to directors, taken for seeds."""

import pytest
from django.urls import reverse

from people.models import FederationNumber, OutsideRating, Player
from tests.factories import a_user, an_event
from tests.support.director import desk_of, signed_in, words
from tournaments.models import EntryDetail

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
TEXT = "Name;USBGF #;WBF rating\nZoe Zimmer;1870;1650.5\nYann York;;1700"


def test_list_with_numbers_then_the_matrix_shows_them_and_seeds_follow_the_ratings():
    tournament = an_event(0)
    desk = desk_of(tournament)
    shown = desk.post("paste", list=TEXT, step="look").content.decode()
    assert 'value="USBGF 1870"' in shown
    assert desk.post("paste", list=TEXT, step="enter").status_code == 302
    zoe = Player.objects.get(name="Zoe Zimmer")
    assert FederationNumber.objects.get().number == "1870"
    assert OutsideRating.objects.filter(source="WBF").count() == 2
    assert EntryDetail.objects.get(player=zoe).note == ""
    assert "USBGF 1870" in words(desk.get("matrix"))
    assert "WBF (external)" in words(desk.get("seeds"))
    seeds = desk.post("seeds", do="rating", list="outside:WBF")
    rows = {row["name"]: row["seed"] for row in seeds.context["rows"]}
    assert rows == {"Yann York": "1", "Zoe Zimmer": "2"}


def test_pages_write_numbers_of_a_player_of_the_club_and_of_oneself():
    tournament = an_event(1)
    ann = tournament.entry("Ann").players.get()
    ann.user = a_user("Ann Account")
    ann.save()
    desk = desk_of(tournament)
    page = reverse("people:numbers", args=[tournament.club.public_id, ann.public_id])
    assert "Outside ratings" in words(desk.client.get(page))
    odd = {"federation-1": "WBF", "number-1": "7", "until-1": "2026-99-99"}
    assert "is not a valid date" in words(desk.client.post(page, odd))
    fine = {**odd, "until-1": "2030-12-31", "source-1": "WBF", "value-1": "1650,5", "on-1": "2026-01-01"}
    assert desk.client.post(page, fine).status_code == 302
    assert OutsideRating.objects.get().value == 1650.5
    own = signed_in(ann.user)
    mine = reverse("account_numbers")
    assert "1650.5" in words(own.get(mine))
    assert (
        own.post(mine, {**odd, "until-1": "", "number-1": "8", "source-1": "WBF", "value-1": "9"}).status_code
        == 302
    )
    assert FederationNumber.objects.get().number == "8"
    assert OutsideRating.objects.get().value == 1650.5
    assert signed_in(a_user("Sam")).get(mine).status_code == 404
    assert "1650" not in words(signed_in(None).get(reverse("public:player", args=[ann.public_id])))
