"""Accounts that are handed out where nobody signs up."""

from io import StringIO
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from people.models import User
from tests.factories import a_user

pytestmark = pytest.mark.django_db

CHOSEN = "a-prime-from-4-to-9"


def link_for(*arguments: str) -> tuple[str, str]:
    """What the command says, and the path of its link."""
    out = StringIO()
    call_command("invite", *arguments, stdout=out)
    said = out.getvalue()
    return said, urlsplit(said.split()[-1]).path


def chooses(path: str, password: str) -> object:
    client = Client()
    there = client.get(path)
    if there.status_code != 302:
        return there
    return client.post(there["Location"], {"password1": password, "password2": password})


def test_invited_when_the_link_is_opened_then_chooses_a_password_and_signs_in():
    said, path = link_for("Ada@Example.org", "--name", "Ada Abell")

    assert "The account was created." in said
    assert chooses(path, CHOSEN).status_code == 302
    ada = User.objects.get(email="ada@example.org")
    assert ada.name == "Ada Abell"
    assert Client().login(email=ada.email, password=CHOSEN)


def test_link_when_used_once_then_no_more():
    _said, path = link_for("ada@example.org")
    chooses(path, CHOSEN)

    chooses(path, "somebody-elses-prime")

    assert Client().login(email="ada@example.org", password=CHOSEN)


def test_invited_when_there_is_an_account_then_it_keeps_name_and_password_until_another_is_chosen():
    user = a_user("Ada Abell")

    said, path = link_for(user.email, "--name", "Somebody Else")

    assert "The account already exists." in said
    assert User.objects.get().name == "Ada Abell"
    assert User.objects.get().check_password("a-long-password")
    chooses(path, CHOSEN)
    assert not User.objects.get().check_password("a-long-password")


def test_invited_when_the_address_is_none_then_refused():
    with pytest.raises(CommandError, match="not a valid e-mail address"):
        call_command("invite", "ada")
    assert not User.objects.exists()
