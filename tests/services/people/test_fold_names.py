"""Names that were folded by an earlier release are folded again when the database is brought to today."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from people.models import Player

pytestmark = pytest.mark.django_db


def test_names_of_an_earlier_release_when_migrated_then_folded_as_today():
    Player.objects.bulk_create(
        [
            Player(name="Søren Łoś", search_name="søren łos"),
            Player(name="Ann Lind", search_name="ann lind"),
        ]
    )

    import_module("people.migrations.0002_fold_names_again").fold(apps, connection.schema_editor())

    assert set(Player.objects.values_list("search_name", flat=True)) == {"los soren", "ann lind"}
