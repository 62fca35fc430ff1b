"""The page on which one desk hands over to another: who is there, notes, what others did; and what a stale page says."""

import pytest
from django.core.cache import cache

from people.actors import Actor
from people.models import Assistance
from tests.factories import a_director, a_user, an_event
from tests.support.director import Desk, desk_of, signed_in, words
from tournaments.desk.services.notes import write_note
from tournaments.models import DeskNote
from tournaments.models.trail import audit_scope

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_kept():
    cache.clear()


@pytest.fixture
def tournament():
    return an_event(4, lengths=[7]).publish()


@pytest.fixture
def desk(tournament):
    return desk_of(tournament)


@pytest.fixture
def other(tournament):
    return desk_of(tournament, a_director(tournament.club, "Xenia Other"))


def key_in(page):
    return page.context["form"]["submission_key"].value()


def test_note_when_left_then_the_other_desk_reads_it_beside_the_matches_and_settles_it(desk, other):
    page = desk.get("at-desk")
    sent = {"text": "Table 3 wobbles", "for_helpers": "on", "submission_key": key_in(page)}
    assert desk.post("at-desk", **sent)["Location"] == desk.url("at-desk")
    assert desk.post("at-desk", **sent).status_code == 302  # twice is once
    assert "1 note" in words(other.get("board"))
    page = other.get("at-desk")
    assert "Table 3 wobbles" in words(page)
    note = DeskNote.objects.get()
    other.post("settle-note", note.public_id, done="yes")
    assert "done by Xenia Other" in words(desk.get("at-desk"))
    other.post("settle-note", note.public_id, done="no")
    note.refresh_from_db()
    assert note.done_at is None
    assert other.post("settle-note", "nonesuch", done="yes").status_code == 404


def test_note_when_empty_or_long_then_said_at_its_field_and_nothing_typed_is_lost(desk):
    assert desk.post("at-desk", text=" ", submission_key="k").status_code == 422
    long = desk.post("at-desk", text="x" * 501, submission_key="k")
    assert (long.status_code, "x" * 501 in long.content.decode()) == (422, True)
    odd = desk.post("at-desk", text="Hi", submission_key="\n" * 900)
    assert odd.status_code == 422
    assert not DeskNote.objects.exists()


def test_presence_when_another_desk_asks_for_its_page_then_who_and_where_and_an_unchanged_page_is_a_304(
    desk, other
):
    page = desk.get("at-desk")
    assert "No other staff here at the moment." in words(page)
    other.get("board")
    again = desk.client.get(desk.url("at-desk"), headers={"If-None-Match": page["ETag"]})
    assert "Xenia Other (Matches)" in words(again)
    assert "Xenia Other" in words(desk.get("board"))
    same = desk.client.get(desk.url("at-desk"), headers={"If-None-Match": again["ETag"]})
    assert same.status_code == 304


def test_helper_when_at_the_desk_then_their_part_alone(tournament, desk):
    helper = a_user("Hal Helper")
    Assistance.objects.create(user=helper, club=tournament.club, scope=audit_scope(tournament.event))
    helping = Desk(tournament, signed_in(helper))
    write_note(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        text="Cash is in the safe",
        submission_key="a",
        for_helpers=False,
    )
    desk.post("match-act", tournament.playable()[0].public_id, "call")
    text = words(helping.get("at-desk"))
    assert " called." in text
    for hidden in ("Cash is in the safe", "Draw published", "Assistants can read it too"):
        assert hidden not in text
    helping.post("at-desk", text="Coffee is out", submission_key="b")
    assert "Hal Helper" in words(desk.get("at-desk"))


def test_page_when_stale_then_it_says_who_did_what_and_when(tournament, desk, other):
    match = tournament.playable()[0]
    other.post("match-act", match.public_id, "start")
    refused = desk.post("award", match.public_id, to="a", points="1", why="start", seen=str(match.version))
    assert refused.status_code == 409
    text = words(refused)
    assert "Recent changes" in text
    assert f"Match {match.number} started." in text
    assert "Xenia Other" in text
    quick = desk.client.post(
        desk.url("match-act", match.public_id, "start"), headers={"X-Requested-With": "desk"}
    )
    assert quick.status_code == 409
    assert "Xenia Other" in quick.json()["reasons"][-1]


def test_settings_when_another_desk_saved_them_then_the_form_says_who_and_when(tournament, desk, other):
    stage = str(tournament.stage.pk)
    page = desk.get("conduct", stage)
    bound = ((one.name, one.value()) for one in page.context["form"])
    fields = {name: value for name, value in bound if value is not None and value is not False}
    sent = {**fields, "seen": page.context["seen"]}
    assert other.post("conduct", stage, **{**sent, "grace": "3"}).status_code == 302
    refused = desk.post("conduct", stage, **{**sent, "grace": "7"})
    assert refused.status_code == 409
    assert "Xenia Other" in words(refused)
    assert (
        Actor.of(tournament.director).label
        not in words(refused).partition("Recent changes")[2].partition("Your changes are below")[0]
    )
