"""One row by its key: there or not, and asked without an order."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people.models import Club
from people.rows import one_or_none
from tests.factories import a_club

pytestmark = pytest.mark.django_db


def test_row_when_it_is_there_then_it_and_else_none():
    anchor, harbour = a_club(name="Anchor"), a_club(name="Harbour")
    assert one_or_none(Club.objects.filter(pk=harbour.pk)) == harbour
    assert one_or_none(Club.objects.filter(pk=anchor.pk).values_list("name", flat=True)) == "Anchor"
    assert one_or_none(Club.objects.filter(pk=harbour.pk + 1)) is None
    assert one_or_none(Club.objects.none()) is None


def test_row_when_asked_for_then_nothing_is_put_in_order():
    with CaptureQueriesContext(connection) as asked:
        one_or_none(Club.objects.order_by("name").filter(pk=1))
    assert len(asked) == 1
    assert "ORDER BY" not in asked[0]["sql"]
