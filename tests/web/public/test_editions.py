"""What pages, paper and files tell of editions: below each table, in the file of tables, and who would stand where under another one."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import an_event
from tests.support.rounds import publish_next, stage_at
from tests.support.tournaments import text_of
from tournaments.engine.stages.swiss import SwissSettings

pytestmark = pytest.mark.django_db


def page(tournament, name, client=None, query=""):
    return (client or Client()).get(reverse(name, args=[tournament.event.public_id]) + query)


def a_swiss():
    """Five entries, two rounds: two have a bye."""
    swiss = SwissSettings(rounds=2, tie_breaks=("buchholz", "fore_buchholz", "match_points_difference"))
    tournament = an_event(5, system="swiss", lengths=[3], swiss=swiss)
    for seed in (1, 2):
        publish_next(tournament, seed=seed)
        tournament.play_out()
    return tournament


def test_tables_when_tie_breaks_are_by_an_edition_then_it_stands_wherever_a_table_does():
    tournament = a_swiss()
    for name in ("public:event", "public:bracket"):
        assert "Tie-breaks by FIDE 2026" in text_of(page(tournament, name))
    assert "Article 8.1" in text_of(page(tournament, "public:event"))
    staff = Client()
    staff.force_login(tournament.director)
    paper = staff.get(reverse("director:paper", args=[tournament.event.public_id, "places"]))
    assert "Tie-breaks by FIDE 2026" in text_of(paper)
    file = page(tournament, "public:tables-csv")
    rows = list(csv.reader(io.StringIO(file.content.decode("utf-8-sig"))))
    assert rows[0][5:] == ["Points", "Buchholz (FIDE 2026)", "Fore-Buchholz (FIDE 2026)", "Diff."]
    assert len(rows) == 6
    assert next(row[3] for row in rows[1:]) in {"1", "1\N{EN DASH}2"}
    table = page(tournament, "api:bracket").json()["stages"][0]["tables"][0]
    assert (table["edition"], table["order"][1]["article"], table["order"][3]["edition"]) == (
        "fide_2026",
        "8.1",
        None,
    )
    (first, *_rest) = table["rows"]
    assert [(one["code"], one["edition"]) for one in first["tie_breaks"]] == [
        ("points", None), ("buchholz", "fide_2026"), ("fore_buchholz", "fide_2026"), ("match_points_difference", None),
    ]  # fmt: skip
    assert {one["code"]: one["value"] for one in first["tie_breaks"]} == first["values"]


def test_places_by_edition_when_asked_for_then_each_edition_has_a_column_and_what_it_does_not_know_is_told():
    shown = text_of(page(a_swiss(), "public:editions"))
    for words in (
        "FIDE 2026",
        "FIDE 2024",
        "FIDE 2009",
        "used here",
        "Standings under other tie-break rules",
    ):
        assert words in shown
    assert "Left out because the edition does not define or does not allow it: Fore-Buchholz." in shown


def test_places_by_edition_when_nothing_has_begun_then_the_page_says_so():
    tournament = an_event(4, system="single_elimination", lengths=[3])
    staff = Client()
    staff.force_login(tournament.director)  # it is not announced yet
    assert "No standings yet" in text_of(page(tournament, "public:editions", staff))
    assert (
        page(tournament, "public:tables-csv", staff)
        .content.decode("utf-8-sig")
        .startswith("Division,Stage,Group,Place,Name,Points")
    )


def test_form_when_an_edition_forbids_a_tie_break_then_it_is_told_at_its_field():
    tournament = an_event(4, system="swiss", lengths=[3])
    staff = Client()
    staff.force_login(tournament.director)
    address = reverse("director:stage", args=[tournament.event.public_id, tournament.stage.pk])
    form = {
        "system": "swiss",
        "lengths": "3",
        "format_preset": "match",
        "draw_method": "blind",
        "report_policy": "opponent_confirms",
    }
    refused = staff.post(address, {**form, "edition": "fide_2024", "tie_break_1": "koya"})
    assert refused.status_code == 422
    assert "only in round robins" in text_of(refused)
    saved = staff.post(address, {**form, "edition": "fide_2024", "tie_break_1": "buchholz"})
    assert saved.status_code == 302
    assert stage_at(tournament).settings.swiss.edition == "fide_2024"
    assert staff.post(address, {**form, "edition": "fide_1999"}).status_code == 422
