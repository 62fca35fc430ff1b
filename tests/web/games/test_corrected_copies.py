"""A record with a wrong digit is handed in: the page says what was played, one tap makes a corrected copy, and both are kept."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import StoredRecord
from games.records.registry import read_record
from games.records.validation import validate
from people.models import Assistance, AuditEntry, Player
from tests.factories import a_user, an_event
from tests.support.consents import everybody_agrees
from tests.support.described import described
from tests.support.records import BAD_OPENING, a_record
from tournaments.engine.types import Side
from tournaments.matches.services.records import Upload
from tournaments.models import RecordCopy, Report
from tournaments.models.trail import audit_scope
from tournaments.selectors.access.links import entry_token
from tournaments.site.services.forgetting import erase_player

pytestmark = pytest.mark.django_db
RIGHT = "1.1=31:8/5-6/5"


@pytest.fixture
def tournament():
    made = an_event(entries=4, lengths=[3]).publish()
    everybody_agrees(made.event)
    return made


@pytest.fixture
def match(tournament):
    """A match that one side has reported with a record in which 8/4 stands for 8/5."""
    found = tournament.playable()[0]
    names = (tournament.entry_at(found, "a").name, tournament.entry_at(found, "b").name)
    record = a_record(*names, 3, "lrll", opening=BAD_OPENING)
    tournament.says(found, "a", 3, 1, record=Upload(record, "evening.mat"))
    return found


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def own_page(tournament, match, side="a"):
    return reverse(
        "player:record-copies", args=[entry_token(tournament.entry_at(match, side)), match.public_id, 1]
    )


def at_desk(tournament, match):
    return reverse("director:record-copies", args=[tournament.event.public_id, match.public_id, 1])


def test_copy_of_a_player_has_the_right_play_and_the_record_stays(tournament, match):
    original = Report.objects.get(match=match).record
    page = Client().get(own_page(tournament, match)).content.decode()
    assert f'value="{RIGHT}"' in page
    made = Client().post(own_page(tournament, match), {"key": RIGHT}, follow=True)
    assert made.status_code == 200
    assert "8/5 6/5 instead of 8/4 6/5" in made.content.decode()
    copy = RecordCopy.objects.get()
    assert copy.report.record == original
    assert copy.record != original
    content = bytes(copy.record.content)
    assert b'[Corrected "Game 1 turn 1 left: 31: 8/5 6/5 (was 31: 8/4 6/5)"]' in content
    assert copy.changes == [
        {
            "game": 1,
            "turn": 1,
            "side": 0,
            "written_dice": [3, 1],
            "dice": [3, 1],
            "written": "8/4 6/5",
            "play": "8/5 6/5",
        }
    ]
    found = validate(read_record(content).record)
    assert not [one for one in found.findings if one.game == 1 and one.code.startswith("play.")]
    assert found.score == (3, 1)


def test_two_taps_make_one_copy_and_one_row_of_the_trail(tournament, match):
    for client, page in (
        (Client(), own_page(tournament, match)),
        (signed_in(tournament.director), at_desk(tournament, match)),
    ):
        assert client.post(page, {"key": RIGHT}).status_code == 302
    assert RecordCopy.objects.count() == 1
    (row,) = AuditEntry.objects.filter(action="match.correct_record")
    assert (row.data["report"], row.data["copy"], row.data["key"]) == (1, 1, RIGHT)
    trail = signed_in(tournament.director).get(reverse("director:audit", args=[tournament.event.public_id]))
    assert "corrected copy 1 of the game record from report 1" in trail.content.decode()


def test_helper_who_makes_a_copy_sees_it(tournament, match):
    helper = a_user("Hal Helper")
    Assistance.objects.create(user=helper, club=tournament.club, scope=audit_scope(tournament.event))
    made = signed_in(helper).post(at_desk(tournament, match), {"key": RIGHT}, follow=True)
    assert made.status_code == 200
    assert "8/5 6/5 instead of 8/4 6/5" in made.content.decode()
    page = signed_in(helper).get(at_desk(tournament, match)).content.decode()
    assert f'href="{at_desk(tournament, match)}copies/1/"' in page
    assert signed_in(helper).get(f"{at_desk(tournament, match)}copies/2/").status_code == 404
    assert signed_in(a_user("Sam")).get(f"{at_desk(tournament, match)}copies/1/").status_code == 403


def test_copy_changes_no_result_and_is_seen_by_those_who_see_the_record(tournament, match):
    desk = signed_in(tournament.director)
    made = desk.post(at_desk(tournament, match), {"key": RIGHT})
    address = reverse("records:copy", args=[match.public_id, 1, 1])
    assert made["Location"].endswith(address)
    assert desk.get(address).status_code == 200
    assert Client().get(address).status_code == 404
    match.refresh_from_db()
    assert match.status == "reported"
    other = Client().get(own_page(tournament, match, "b"))
    assert (
        reverse(
            "player:record-copy", args=[entry_token(tournament.entry_at(match, "b")), match.public_id, 1, 1]
        )
        in other.content.decode()
    )
    tournament.says(match, "b", 3, 1)
    public = Client().get(address).content.decode()
    assert "8/5 6/5 instead of 8/4 6/5" in public
    assert reverse("records:record", args=[match.public_id, 1]) in public
    assert (
        "Corrected copy 1" in Client().get(reverse("public:match", args=[match.public_id])).content.decode()
    )
    for code in ("mat", "sgf", "json"):
        file = Client().get(reverse("records:copy-file", args=[match.public_id, 1, 1, code]))
        assert b"Corrected" in file.content
        assert validate(read_record(file.content).record).score == (3, 1)


def test_what_is_not_proposed_is_not_made(tournament, match):
    desk = signed_in(tournament.director)
    before = StoredRecord.objects.count()
    for key in ("1.1=31:24/20", "", "\0", "x" * 5_000):
        assert desk.post(at_desk(tournament, match), {"key": key}).status_code == 409
    answer = Client().post(own_page(tournament, match), {"key": "1.1=31:24/20"})
    assert answer.status_code == 409
    assert "no longer proposed for this record" in answer.content.decode()
    assert StoredRecord.objects.count() == before


def test_players_of_other_matches_make_no_copy(tournament, match):
    other = tournament.playable()[1]
    stranger = entry_token(tournament.entry_at(other, "a"))
    page = reverse("player:record-copies", args=[stranger, match.public_id, 1])
    assert Client().post(page, {"key": RIGHT}).status_code == 404
    assert not RecordCopy.objects.exists()


def test_phone_that_may_not_speak_makes_no_copy(tournament, match):
    first, second = Client(), Client()
    first.post(own_page(tournament, match), {"key": RIGHT})
    answer = second.post(own_page(tournament, match), {"key": "1.1=31:8/5-5/4"})
    assert answer.status_code == 403
    assert RecordCopy.objects.count() == 1


def test_programs_read_what_is_proposed_and_make_the_copy(tournament, match):
    address = reverse("api:record-copies", args=[match.public_id, 1])
    link = {"Authorization": f"Link {entry_token(tournament.entry_at(match, Side.A))}"}
    found = described(Client().get(address, headers=link)).json()
    assert RIGHT in [proposal["key"] for proposal in found["repairs"][0]["proposals"]]
    assert found["copies"] == []
    answers = [
        described(Client().post(address, {"key": RIGHT}, "application/json", headers=link)) for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [201, 200]
    again = described(
        Client().post(
            address,
            {"key": RIGHT},
            "application/json",
            headers={**link, "Device": answers[0].json()["device"]},
        )
    )
    assert (again.status_code, again.json()["repeated"]) == (200, True)
    assert again.json()["copy"]["changes"][0]["play"] == "8/5 6/5"
    assert Client().post(address, {"key": RIGHT}, "application/json").status_code in {401, 403}


def test_copy_is_forgotten_with_the_name(tournament, match):
    signed_in(tournament.director).post(at_desk(tournament, match), {"key": RIGHT})
    tournament.says(match, "b", 3, 1)
    player = Player.objects.get(entries__slots__match=match, entries__slots__side="a")
    copy = RecordCopy.objects.get()
    assert player.name.encode() in bytes(copy.record.content)
    erase_player(actor=tournament.actor, player_id=player.pk)
    copy = RecordCopy.objects.get()
    assert player.name.encode() not in bytes(copy.record.content)
    assert copy.changes[0]["play"] == "8/5 6/5"
