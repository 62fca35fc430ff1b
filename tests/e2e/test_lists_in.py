"""A list that somebody sent, on a phone and at a desk: a file, look-alikes, a column read wrong, everybody entered."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import Director
from tests.e2e.visitors import PHONE
from tests.factories import an_event
from tournaments.models import Entry, EntryDetail

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROWS = (
    "Nr;Name, Vorname;Land;Elo;Bezahlt;Gruppe\n"
    "1;Müller, Jürgen;GER;1623;ja;rot\n"
    "2;An;DEN;;nein;blau\n"
    "3;ØDEGÅRD Åse;Norwegen;1502;x;rot\n"
    "4;Smith, Bob;GBR;1490;;blau\n"
)


def test_a_list_from_a_file_on_a_phone_until_everybody_is_entered(house):
    known = an_event(entries=2)  # Ann and Bob of the club
    known.entry("Bob").players.update(name="Bob Smith", search_name="bob smith", country="US")
    tournament = an_event(club=known.club, director=known.director)
    director = Director(house, "Dora", size=PHONE).signs_in(known.director).may_see(422)
    director.event = tournament.event
    director.opens("paste")
    page = director.page
    page.locator("#id_file").set_input_files(
        {"name": "liste.csv", "mimeType": "text/csv", "buffer": ROWS.encode("cp1252")}
    )
    director.sends("Preview").reads("1 to be decided")
    assert not director.visitor.scrolls_sideways()
    expect(page.get_by_label("Name, 4", exact=True)).to_have_value("Åse Ødegård")

    page.get_by_text("Column contents").click()
    page.get_by_label(re.compile("^Gruppe")).select_option("skip")
    director.sends("Read again")
    expect(page.get_by_label("Name, 2", exact=True)).to_have_value("Jürgen Müller")

    page.get_by_label("Name, 3", exact=True).fill("Anders And")
    director.sends("Import entries").reads("Choose a player")
    expect(page.get_by_label("Name, 3", exact=True)).to_have_value("Anders And")
    page.get_by_label("New or known? Bob Smith").select_option("new")
    director.sends("Import entries").reads("4 players entered.")

    entries = Entry.objects.filter(division=tournament.division).order_by("pk")
    assert [entry.name for entry in entries] == ["Jürgen Müller", "Anders And", "Åse Ødegård", "Bob Smith"]
    assert list(EntryDetail.objects.order_by("pk").values_list("rating", "paid", "note")) == [
        (1623.0, True, ""),
        (None, False, ""),
        (1502.0, True, ""),
        (1490.0, None, ""),
    ]
    assert not entries.filter(players__listed=True).exists()
