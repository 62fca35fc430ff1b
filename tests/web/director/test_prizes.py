"""The director's page of prizes, its file, papers, public page and trail."""

import csv
import io
import re

import pytest
from django.test import Client
from django.urls import reverse

from people.models import AuditEntry
from tests.factories import an_event
from tests.support.director import desk_of, words
from tournaments.engine.brackets.consolation import FlightKind
from tournaments.engine.stages.elimination import BracketSettings, Flight
from tournaments.engine.standings.prizes import prizes_from_amounts
from tournaments.engine.trail.prizes import PrizesSet
from tournaments.models import Stage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

CONSOLATION = BracketSettings(flights=(Flight(FlightKind.PROGRESSIVE, (3,)),))


def fields_of(page):
    """What the form of the page would send as it stands."""
    html = page.content.decode()
    form = html[html.index('id="prizes"') :]
    fields = {}
    for tag in re.findall(r"<input [^>]*>", form):
        names = dict(re.findall(r'(name|value)="([^"]*)"', tag))
        if names.get("name", "").startswith(("pools.", "stages.", "seen")):
            fields[names["name"]] = names.get("value", "")
    for name, options in re.findall(r'<select [^>]*name="([^"]+)"[^>]*>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options) or re.search(r'value="([^"]*)"', options)
        fields[name] = chosen[1]
    return fields


def typed(tournament, section="main", **values):
    at = f"stages.{tournament.stage.pk}.{section}"
    return {f"{at}.{name.replace('_', '.')}": value for name, value in values.items()}


def places(tournament, section, *values):
    at = f"stages.{tournament.stage.pk}.{section}.places"
    return {f"{at}.{number}.value": value for number, value in enumerate(values)}


@pytest.fixture
def tournament():
    return an_event(entries=8, lengths=[5], bracket=CONSOLATION)


def test_page_when_prizes_are_typed_then_saved_shown_everywhere_and_paid(tournament) -> None:
    desk = desk_of(tournament)
    fields = fields_of(desk.get("prizes"))
    fields |= {"currency": "EUR", f"pools.{tournament.division.pk}": "1,000"}
    fields |= typed(tournament, way="per_cent", pool="70 %", unit="5", places_0_gift="Cup")
    fields |= places(tournament, "main", "60", "40") | places(tournament, "consolation", "80.50", "40")
    assert desk.client.post(desk.url("prizes"), {**fields, "do": "save"}).status_code == 302
    page = words(desk.get("prizes"))
    assert "100% · €700" in page
    assert "the whole pool of €700" in page
    assert "Total prizes: €820.50" in page
    event = words(desk.get("event"))
    assert "€420 · Cup, €280" in event
    tournament.publish().play_out()
    public = words(Client().get(reverse("public:event", args=[tournament.event.public_id])))
    assert "€420 · Cup" in public
    assert "€80.50" in public
    final = words(desk.get("paper", "final"))
    assert "€700" in final
    assert "Total prizes: €820.50" in final
    assert "€420 · Cup" in words(desk.get("paper", "places"))
    file = Client().get(reverse("public:prizes-csv", args=[tournament.event.public_id]))
    rows = list(csv.reader(io.StringIO(file.content.decode("utf-8-sig"))))
    assert [row[6:] for row in rows[1:]] == [
        ["420.00", "EUR", "Cup"],
        ["280.00", "EUR", ""],
        ["80.50", "EUR", ""],
        ["40.00", "EUR", ""],
    ]
    assert all(row[5] for row in rows)
    trail = words(desk.get("audit"))
    assert "Currency: – → EUR; Pool: – → 1000;" in trail
    assert "Main draw: – → 60% · Cup, 40% (pool 70 %)" in trail


def test_page_when_shown_again_then_sending_it_changes_nothing(tournament) -> None:
    desk = desk_of(tournament)
    fields = {"currency": "JPY", **typed(tournament, way="per_cent", pool="2500", unit="10")}
    fields |= places(tournament, "main", "33.333", "33,333") | typed(
        tournament, "consolation", places_2_gift="Book"
    )
    assert desk.client.post(desk.url("prizes"), fields).status_code == 302
    version = tournament.fresh().version
    answer = desk.client.post(
        desk.url("prizes"), {**fields_of(desk.get("prizes")), "do": "save"}, follow=True
    )
    assert "Nothing was changed." in words(answer)
    assert tournament.fresh().version == version


def test_page_when_something_is_wrong_then_every_fault_stands_at_its_field_and_nothing_is_saved(
    tournament,
) -> None:
    desk = desk_of(tournament)
    fields = {"currency": "EUR", f"pools.{tournament.division.pk}": "much"}
    fields |= places(tournament, "main", "ten", "1.555", "5") | typed(
        tournament, "consolation", way="per_cent"
    )
    fields |= places(tournament, "consolation", "60", "50")
    answer = desk.client.post(desk.url("prizes"), {**fields, "do": "save"})
    page = words(answer)
    assert answer.status_code == 422
    assert "Place 1: “ten” is not a valid number. Enter a number such as 300 or 12.50." in page
    assert "“much” is not a valid number." in page
    assert "These places add up to 110 per cent." in page
    assert 'value="ten"' in answer.content.decode()
    assert tournament.stage.settings.prizes == ()
    assert desk.client.post(desk.url("prizes"), {"currency": "\0", "do": "x" * 900}).status_code == 200
    assert desk.client.post(desk.url("prizes"), {"currency": "XXX", "do": "save"}).status_code == 422
    way = typed(tournament, way="gold", unit="seven")
    assert desk.client.post(desk.url("prizes"), way | places(tournament, "main", "5")).status_code == 422


def test_sums_when_worked_out_without_saving_then_they_stand_on_the_page_and_rows_grow(tournament) -> None:
    desk = desk_of(tournament)
    fields = {
        "currency": "EUR",
        **typed(tournament, pool="1000"),
        **places(tournament, "main", "500", "300", "100", "50"),
    }
    page = desk.client.post(desk.url("prizes"), {**fields, "do": "again"})
    assert page.status_code == 200
    assert "€950 €50 of the pool of €1,000 left over" in words(page)
    part = page.context["divisions"][0]["parts"][0]
    assert len(part["rows"]) == 6
    assert tournament.stage.settings.prizes == ()


def test_part_when_filled_with_a_usual_split_or_from_another_part_then_the_rest_stays_as_typed(
    tournament,
) -> None:
    desk = desk_of(tournament)
    at = f"stages.{tournament.stage.pk}"
    fields = {
        "currency": "EUR",
        **typed(tournament, pool="1000"),
        **places(tournament, "main", "1", "2", "3", "4", "5"),
    }
    fields |= {f"{at}.main.fill": "split.2", "do": f"fill.{at}.main"}
    page = desk.client.post(desk.url("prizes"), fields)
    again = fields_of(page)
    assert [again[f"{at}.main.places.{n}.value"] for n in range(5)] == ["50", "30", "20", "", ""]
    assert (again[f"{at}.main.pool"], again[f"{at}.main.way"]) == ("1000", "per_cent")
    copy = {f"{at}.consolation.fill": f"copy.{at}.main", "do": f"fill.{at}.consolation"}
    again = fields_of(desk.client.post(desk.url("prizes"), {**again, **copy}))
    assert [again[f"{at}.consolation.places.{n}.value"] for n in range(3)] == ["50", "30", "20"]
    assert (again[f"{at}.consolation.pool"], again[f"{at}.consolation.way"]) == ("", "per_cent")
    for odd in ("split.99", "split.x", "copy.stages.1.main", "", "copy."):
        fields |= {f"{at}.main.fill": odd}
        assert desk.client.post(desk.url("prizes"), fields).status_code == 200


def test_page_when_another_director_saved_first_then_both_lists_are_seen_and_nothing_is_lost(
    tournament,
) -> None:
    desk = desk_of(tournament)
    before = fields_of(desk.get("prizes"))
    mine = {**before, "currency": "EUR", **places(tournament, "main", "300"), "do": "save"}
    theirs = {**before, "currency": "EUR", **places(tournament, "main", "200", "100"), "do": "save"}
    assert desk.client.post(desk.url("prizes"), theirs).status_code == 302
    answer = desk.client.post(desk.url("prizes"), mine)
    assert answer.status_code == 409
    assert "Main draw €200, €100" in words(answer)
    assert fields_of(answer)[f"stages.{tournament.stage.pk}.main.places.0.value"] == "300"
    assert desk.client.post(desk.url("prizes"), {**fields_of(answer), "do": "save"}).status_code == 302
    assert [str(prize.value) for prize in tournament.stage.settings.prizes[0].places] == ["300"]


def test_last_change_when_taken_back_from_the_page_or_the_trail_then_it_is_as_before(tournament) -> None:
    desk = desk_of(tournament)
    desk.client.post(desk.url("prizes"), places(tournament, "main", "300"))
    desk.client.post(desk.url("prizes"), places(tournament, "main", "500"))
    page = desk.get("prizes")
    address = desk.url("take-back-prizes", page.context["undo"])
    assert address in desk.get("audit").content.decode()
    assert desk.client.post(address).status_code == 302
    assert [str(prize.value) for prize in tournament.stage.settings.prizes[0].places] == ["300"]
    assert desk.client.post(address).status_code == 409
    assert "Last change of prizes undone." in words(desk.get("audit"))


def test_last_change_when_an_earlier_release_wrote_it_then_the_page_offers_to_take_it_back(
    tournament,
) -> None:
    desk = desk_of(tournament)
    desk.client.post(desk.url("prizes"), places(tournament, "main", "300"))
    row = AuditEntry.objects.get(action=PrizesSet.kind)
    for plan in (row.data["before"], row.data["after"]):
        del plan["withdrawn"]
    AuditEntry.objects.filter(pk=row.pk).update(data=row.data)
    assert desk.get("prizes").context["undo"] == row.pk
    assert desk.client.post(desk.url("take-back-prizes", row.pk)).status_code == 302
    assert tournament.stage.settings.prizes == ()


def test_pages_when_languages_differ_then_money_is_written_as_theirs(tournament) -> None:
    desk = desk_of(tournament)
    desk.client.post(desk.url("prizes"), {"currency": "EUR", **places(tournament, "main", "1250.50")})
    tournament.publish()
    public = reverse("public:event", args=[tournament.event.public_id])
    german = Client(headers={"accept-language": "de"}).get(public).content.decode()
    assert "1.250,50\N{NO-BREAK SPACE}€" in german
    assert "€1,250.50" in words(Client(headers={"accept-language": "en"}).get(public))


def test_table_when_places_are_shared_then_the_coins_are_told_and_add_up() -> None:
    tournament = an_event(entries=8, lengths=[5], prizes=prizes_from_amounts((100, 50, 25)))
    tournament.publish().play_out()
    page = words(Client().get(reverse("public:event", args=[tournament.event.public_id])))
    assert "12.50" in page
    assert "Players who share a place share its prizes" in page


def test_old_event_when_its_settings_are_of_version_1_then_its_prizes_are_shown_and_can_be_changed(
    tournament,
) -> None:
    kept = {"v": 1, "own": {**tournament.stage.kept_settings["own"], "prizes": [300, 150]}, "conduct": {}}
    Stage.objects.filter(pk=tournament.stage.pk).update(kept_settings=kept)
    desk = desk_of(tournament)
    fields = fields_of(desk.get("prizes"))
    assert [fields[f"stages.{tournament.stage.pk}.main.places.{n}.value"] for n in range(3)] == [
        "300",
        "150",
        "",
    ]
    assert "300, 150" in words(desk.client.get(reverse("public:event", args=[tournament.event.public_id])))
    assert (
        desk.client.post(desk.url("prizes"), {**fields, **places(tournament, "main", "400")}).status_code
        == 302
    )
    assert tournament.stage.kept_settings["prizes"][0]["places"][0]["value"] == "400"
    assert tournament.stage.settings.bracket == CONSOLATION
