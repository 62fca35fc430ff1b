"""Notes at the desk by API: left once for a key, read, seen to, refused."""

import pytest

from people.models import Assistance
from tests.factories import a_user, an_event
from tests.support.described import described
from tests.support.tournaments import signed_in
from tournaments.models.trail import audit_scope

pytestmark = pytest.mark.django_db


def test_notes_when_written_by_a_program_then_as_on_the_page():
    tournament = an_event(2)
    helper = a_user("Hal Helper")
    Assistance.objects.create(user=helper, club=tournament.club, scope=audit_scope(tournament.event))
    address = f"/api/v1/events/{tournament.event.public_id}/desk-notes/"
    director, helps = signed_in(tournament.director), signed_in(helper)

    def post(client, path="", **body):
        return described(client.post(f"{address}{path}", body, content_type="application/json"))

    left = post(director, text="Table 3 wobbles", for_helpers=False, submission_key="one")
    assert (left.status_code, left.json()["author"]) == (201, "Dora Director")
    assert (
        post(director, text="Table 3 wobbles", for_helpers=False, submission_key="one").json() == left.json()
    )
    assert post(helps, text="Coffee is out").json()["for_helpers"] is True
    assert [one["text"] for one in director.get(address).json()] == ["Coffee is out", "Table 3 wobbles"]
    assert [one["text"] for one in helps.get(address).json()] == ["Coffee is out"]
    number = left.json()["id"]
    assert post(helps, f"{number}/done/").status_code == 404
    assert post(director, f"{number}/done/").json()["done_by"] == "Dora Director"
    assert post(director, f"{number}/done/", done=False).json()["done_at"] is None
    assert post(director, text=" ").json()["code"] == "desk_note.empty"
    assert post(signed_in(a_user()), text="Hello").status_code == 404  # a draft is nobody else's
