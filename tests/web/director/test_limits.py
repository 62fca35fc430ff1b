"""Limits by rating and answers on pages: set, published, refused, overruled, proposed; a player's own answers."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from people.models import OutsideRating, Player
from tests.factories import a_user, an_event
from tests.support.director import desk_of, signed_in, words
from tournaments.engine.limits import RatingLimit
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.events.services.divisions import DivisionDetails, add_division, set_limit, update_division
from tournaments.events.services.events import set_registration
from tournaments.events.services.stages import StageDetails
from tournaments.models import Division, Entry, EntryDetail, EventColumn
from tournaments.selectors.access.links import join_token
from tournaments.selectors.columns import custom_fields_version

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_limit_from_its_form_to_the_public_pages_the_link_the_entries_and_the_matrix():
    tournament = an_event(3, lengths=[5])
    where = {"actor": tournament.actor, "event_id": tournament.event.pk}
    details = DivisionDetails(name="Novices", stages=[StageDetails(lengths=[3])])
    novices = add_division(**where, division=details, first_name="Open")
    desk = desk_of(tournament)
    for name, value in (("Ann", 1400), ("Bob", 1700)):
        OutsideRating.objects.create(
            player=Player.objects.get(name=name), source="USBGF", value=value, on="2026-01-01"
        )
    page = desk.client.get(reverse("director:division", args=[tournament.event.public_id, novices.pk]))
    assert '<option value="USBGF">' in page.content.decode()
    form = {"name": "Novices", "team_size": "1", "reentries": "0", "moving": "0", "limit_source": "USBGF"}
    address = reverse("director:division", args=[tournament.event.public_id, novices.pk])
    wrong = desk.client.post(address, {**form, "limit_least": "5", "limit_most": "1"})
    assert "Enter a highest rating that is not below the lowest." in words(wrong)
    assert (
        desk.client.post(address, {**form, "limit_most": "1500", "limit_refuses": "yes"}).status_code == 302
    )
    assert Division.objects.get(pk=novices.pk).limit.most == 1500
    assert "for ratings: at most 1500 (USBGF)" in words(desk.get("divisions"))
    set_registration(**where, is_open=True)
    anybody = Client(headers={"accept-language": "en"})
    for public in ("public:rules", "public:entries", "public:event"):
        shown = anybody.get(reverse(public, args=[tournament.event.public_id]), {"division": "2"})
        assert "at most 1500 (USBGF)" in words(shown), public
    join = reverse("player:join", args=[join_token(tournament.fresh())])
    assert "For ratings: at most 1500 (USBGF)." in words(anybody.get(join))

    bob, query = Player.objects.get(name="Bob"), f"?division={novices.pk}"
    add = reverse("director:add-entry", args=[tournament.event.public_id]) + query
    refused = desk.client.post(add, {"name": "Bob", "player": bob.public_id})
    assert "Bob has a rating of 1700 from USBGF" in words(refused)
    done = desk.client.post(
        add, {"name": "Bob", "player": bob.public_id, "overrule": "asked for it"}, follow=True
    )
    assert "Bob: 1700 is above the limit" in words(done)
    assert "Reason: asked for it." in words(desk.get("audit"))

    proposed = desk.get("matrix", propose="yes")
    assert "1 tick changed to match the ratings." in words(proposed)
    assert "No rating known: Cleo" in words(proposed)
    html = proposed.content.decode()
    ann = Player.objects.get(name="Ann").public_id
    assert re.search(rf'value="{ann}:{novices.pk}" checked', html)
    assert not Entry.objects.filter(division=novices, name="Ann").exists()
    assert "1700 is above the limit" in words(proposed)


def test_player_changes_answers_on_their_page_and_the_desk_is_not_written_over():
    tournament = an_event(2, lengths=[5])
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    desk = desk_of(tournament)
    row = {"name-1": "Lunch", "kind-1": "choice", "asked-1": "yes", "choices-1": "meat, none"}
    desk.post("columns", **row, seen=custom_fields_version(tournament.event))
    lunch, entry = EventColumn.objects.get(), tournament.entry("Ann")
    Player.objects.filter(entries=entry).update(user=a_user("Ann"))
    client = signed_in(Player.objects.get(entries=entry).user)
    mine = reverse("player:answers", args=[entry.public_id])
    assert mine in client.get(reverse("player:me")).content.decode()
    shown = client.get(mine)
    assert "You can change this until the event begins." in words(shown)
    seen = re.search(r'name="seen" value="(\w+)"', shown.content.decode())[1]
    assert client.post(mine, {"seen": seen, f"own-{lunch.pk}": "meat"}).status_code == 302
    assert EntryDetail.objects.get(entry=entry).extra == {str(lunch.pk): "meat"}
    stale = client.post(mine, {"seen": seen, f"own-{lunch.pk}": "none"})
    assert (stale.status_code, "This has since been changed by the desk" in words(stale)) == (409, True)
    assert (
        client.post(mine, {f"own-{lunch.pk}": "none"}).status_code == 409
    )  # of a page that was never opened
    seen = re.search(r'name="seen" value="(\w+)"', client.get(mine).content.decode())[1]
    assert client.post(mine, {"seen": seen, f"own-{lunch.pk}": "fish"}).status_code == 422
    odd = desk.post("columns", until="soon")
    assert odd.status_code == 422
    row |= {"pk-1": str(lunch.pk), "until": "2026-01-01T10:00"}
    desk.post("columns", **row, seen=custom_fields_version(tournament.event))
    assert "This can no longer be changed." in words(client.get(mine))
    assert client.post(mine, {f"own-{lunch.pk}": "none"}).status_code == 409


def test_who_comes_back_buys_back_or_takes_a_place_is_asked_on_the_pages():
    tournament = an_event(4, lengths=[3], bracket=BracketSettings(open_lines=2))
    where = {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "division_id": tournament.division.pk,
    }
    update_division(**where, division=DivisionDetails(reentries=1))
    set_limit(**where, limit=RatingLimit("USBGF", most=1500))
    for player in Player.objects.filter(entries__division=tournament.division):
        OutsideRating.objects.create(player=player, source="USBGF", value=1700, on="2026-01-01")
    desk = desk_of(tournament)
    ann = tournament.entry("Ann")
    desk.post("withdraw", entry=ann.public_id)
    assert 'id="id_overrule-gone"' in desk.get("entries").content.decode()
    refused = desk.post("return", entry=ann.public_id)
    assert (refused.status_code, "Ann has a rating of 1700 from USBGF" in words(refused)) == (422, True)
    desk.post("return", entry=ann.public_id, overrule="came late")
    assert "Ann: 1700 is above the limit" in words(desk.get("entries"))
    tournament.publish()
    wrong = ann.players.get().public_id
    asked = {"wrong": wrong, "name": "Sten Strong", "player": "new"}
    assert "Sten Strong: no known rating" in words(desk.post("wrong-player", ann.public_id, **asked))
    sten = Player.objects.create(name="Sten Strong", home_club=tournament.club)
    sten.club_links.create(club=tournament.club)
    OutsideRating.objects.create(player=sten, source="USBGF", value=1900, on="2026-01-01")
    asked["player"] = sten.public_id
    shown = desk.post("wrong-player", ann.public_id, **asked)
    assert "Sten Strong: 1900 is above the limit" in words(shown)
    refused = desk.post("wrong-player", ann.public_id, **asked, apply="1")
    assert (refused.status_code, "A director can enter them with a reason" in words(refused)) == (422, True)
    done = desk.post("wrong-player", ann.public_id, **asked, apply="1", overrule="the substitute")
    assert (done.status_code, ann.players.get()) == (302, sten)
    match = next(one for one in tournament.playable() if tournament.entry_at(one, "b").pk != ann.pk)
    loser = tournament.entry_at(match, "b")
    tournament.settle(match, "a")
    page = desk.get("entries").content.decode()
    assert 'name="overrule" maxlength="200"' in page
    assert desk.post("buy-back", entry=loser.public_id).status_code == 422
    desk.post("buy-back", entry=loser.public_id, overrule="played all along")
    assert Entry.objects.get(again_of=loser).status == "active"
    assert "Reason: played all along." in words(desk.get("audit"))
