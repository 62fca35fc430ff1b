"""`make page`: one page without a server."""

import pytest

from tests.factories import an_event
from tools.page import main, render

pytestmark = pytest.mark.django_db


def test_page_when_public_then_status_words_and_statements():
    tournament = an_event(entries=2).publish()
    drawn = render(f"/e/{tournament.event.public_id}/")
    assert drawn.status == 200
    assert tournament.event.name.encode() in drawn.content
    assert all(
        statement.startswith(("SELECT", "BEGIN", "SET", "COMMIT", "PRAGMA")) for statement in drawn.statements
    )
    assert drawn.statements


def test_page_when_for_directors_then_only_as_one_of_them():
    tournament = an_event(entries=2)
    assert render("/direct/").leads_to.startswith("/account/login/")
    assert tournament.event.name.encode() in render("/direct/", tournament.director.email).content


@pytest.mark.parametrize("words", [["direct"], [""], ["/direct/", "--as", "nobody@example.org"]])
def test_page_when_asked_for_nonsense_then_said_so(words, capsys):
    with pytest.raises(SystemExit):
        main(words)
