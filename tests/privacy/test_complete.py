"""Nothing that is added to the database is forgotten by the export of everything about me, or by an erasure."""

import pytest
from django.apps import apps
from django.db import models

from people.models import Player, User
from tests.factories import a_user
from tests.privacy import columns
from tests.privacy.relations import LEFT_OUT, SHOWN
from tournaments.models import Entry
from tournaments.selectors.about_me import account_tables

TEXTS = (models.CharField, models.TextField, models.JSONField, models.BinaryField)


def relations() -> set[str]:
    """Whatever names an account, a player or an entry."""
    return {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in (*model._meta.concrete_fields, *model._meta.many_to_many)
        if field.related_model in {User, Player, Entry} and not field.auto_created
    }


def text_columns() -> set[str]:
    return {
        f"{model.__name__}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, TEXTS) and not field.choices
    }


def test_relation_when_there_is_one_to_a_person_then_everything_about_me_tells_it_or_says_why_not():
    assert relations() == SHOWN.keys() | LEFT_OUT.keys()
    assert not SHOWN.keys() & LEFT_OUT.keys()


@pytest.mark.django_db
def test_everything_about_me_has_every_table_it_promises_and_a_wards_too():
    user = a_user("Ann Archer")
    Player.objects.create(name="Ann Archer", user=user)
    Player.objects.create(name="Kim Kidd", minor=True, guardian=user)
    tables = account_tables(user)
    assert set(SHOWN.values()) <= tables.keys()
    assert tables["wards"][0]["name"] == "Kim Kidd"
    assert tables["ward_1_player"][0]["minor"] is True


def test_column_when_it_holds_text_then_it_is_known_who_takes_a_name_out_of_it():
    assert text_columns() - columns.KNOWN == set()
    gone = {name for name in columns.KNOWN if name not in text_columns()}
    assert gone == set()
