"""A list whose columns are those of the event: what stands in them, and the last day of a federation number, come along."""

import re

import pytest

from people.models import FederationNumber
from tests.factories import an_event
from tests.support.director import desk_of
from tournaments.engine.columns import CustomField, CustomFieldKind
from tournaments.events.services.columns import set_custom_fields
from tournaments.models import EntryDetail

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
TEXT = "Name;USBGF #;USBGF valid until;Lunch\nZoe Zimmer;1870;31.12.2026;meat\n"


def test_list_with_columns_of_the_event_fills_them_and_says_until_when_a_number_is_valid():
    tournament = an_event(2, lengths=[5])
    column = CustomField("Lunch", CustomFieldKind.CHOICE, ("Meat", "None"))
    (lunch,) = set_custom_fields(actor=tournament.actor, event_id=tournament.event.pk, columns=[column])
    desk = desk_of(tournament)
    html = desk.post("paste", list=TEXT).content.decode()
    assert "USBGF 1870 (until 2026-12-31)" in html
    assert f'name="own{lunch.pk}-0" value="Meat"' in html
    made_for = re.search(r'name="for" value="(\w+)"', html)[1]
    sent = {"list": TEXT, "for": made_for, "seen": re.search(r'name="seen" value="(\d+)"', html)[1]}
    odd = desk.post("paste", **sent, step="enter", **{f"own{lunch.pk}-0": "fish"})
    assert odd.status_code == 422
    assert desk.post("paste", **sent, step="enter").status_code == 302
    assert EntryDetail.objects.get(player__name="Zoe Zimmer").extra == {str(lunch.pk): "Meat"}
    assert FederationNumber.objects.get().valid_until.isoformat() == "2026-12-31"
