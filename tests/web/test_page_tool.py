"""`make page`: one page without a server."""

import pytest

from tests.factories import an_event
from tools.page import draw, main

pytestmark = pytest.mark.django_db


def test_page_when_public_then_status_words_and_statements():
    night = an_event(entries=2).publish()
    drawn = draw(f"/e/{night.event.public_id}/")
    assert drawn.status == 200
    assert night.event.name.encode() in drawn.content
    assert all(
        statement.startswith(("SELECT", "BEGIN", "SET", "COMMIT", "PRAGMA")) for statement in drawn.statements
    )
    assert drawn.statements


def test_page_when_for_directors_then_only_as_one_of_them():
    night = an_event(entries=2)
    assert draw("/direct/").leads_to.startswith("/account/login/")
    assert night.event.name.encode() in draw("/direct/", night.director.email).content


@pytest.mark.parametrize("words", [["direct"], [""], ["/direct/", "--as", "nobody@example.org"]])
def test_page_when_asked_for_nonsense_then_said_so(words, capsys):
    with pytest.raises(SystemExit):
        main(words)
