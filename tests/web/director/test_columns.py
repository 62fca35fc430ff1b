"""Columns of an event's own on pages: set by a director, filled in the matrix and at registration, in the file and on paper."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import an_event
from tests.support.director import desk_of, words
from tournaments.events.services.events import set_registration
from tournaments.models import EntryDetail, EventColumn
from tournaments.selectors.access.links import join_token
from tournaments.selectors.columns import custom_fields_version

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_column_from_its_page_over_the_link_to_the_matrix_the_file_and_paper():
    tournament = an_event(2, lengths=[5])
    desk = desk_of(tournament)
    row = {"name-1": "Lunch", "kind-1": "choice", "asked-1": "yes", "printed-1": "yes"}
    seen = custom_fields_version(tournament.event)
    assert f'name="seen" value="{seen}"' in desk.get("columns").content.decode()
    wrong = desk.post("columns", **row, **{"choices-1": "meat", "seen": seen})
    assert wrong.status_code == 422
    assert "Enter two to 12 options" in words(wrong)
    row |= {"choices-1": "meat, none"}
    assert desk.post("columns", **row).status_code == 409  # of a page that was never opened
    assert desk.post("columns", **row, seen=custom_fields_version(tournament.event)).status_code == 302
    lunch = EventColumn.objects.get()
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    join = reverse("player:join", args=[join_token(tournament.fresh())])
    visitor = Client(headers={"accept-language": "en"})
    assert "Lunch" in words(visitor.get(join))
    sent = {"name": "Zoe Zimmer", "hall": "yes", f"own-{lunch.pk}": "fish"}
    assert "choose one of the options" in words(visitor.post(join, sent))
    assert visitor.post(join, {**sent, f"own-{lunch.pk}": "none"}).status_code == 302
    assert EntryDetail.objects.get(player__name="Zoe Zimmer").extra == {str(lunch.pk): "none"}
    ann = tournament.entry("Ann").players.get().public_id
    page = desk.get("matrix").content.decode()
    assert f'name="own:{lunch.pk}:{ann}"' in page
    desk.post(
        "matrix-save",
        **{"row": f"{ann}:none:no", f"own-was:{lunch.pk}:{ann}": "", f"own:{lunch.pk}:{ann}": "meat"},
    )
    assert EntryDetail.objects.get(player__name="Ann").extra == {str(lunch.pk): "meat"}
    sheet = desk.client.get(reverse("director:entries-csv", args=[tournament.event.public_id]))
    assert "Lunch" in sheet.content.decode().splitlines()[0]
    assert sheet.content.decode().splitlines()[1].endswith("meat")
    assert "meat" in words(desk.get("paper", "attendance"))
