"""Records of a match: who sees them, the very bytes, exports; and the file beside a report form."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from games.models import HeldRecord
from games.records.registry import read_record
from tests.factories import an_event
from tests.support.consents import everybody_agrees
from tests.support.records import BAD_OPENING, a_record
from tournaments.engine.types import Side
from tournaments.matches.services.records import Upload
from tournaments.models import Report
from tournaments.selectors.access.links import entry_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    made = an_event(entries=4, lengths=[3]).publish()
    everybody_agrees(made.event)
    return made


@pytest.fixture
def match(tournament):
    return tournament.playable()[0]


def names(tournament, match):
    return tournament.entry_at(match, "a").name, tournament.entry_at(match, "b").name


def record(tournament, match, winners="lrll", **more):
    return a_record(*names(tournament, match), 3, winners, **more)


def upload(tournament, match, winners="lrll", name="private name.mat", **more):
    return Upload(record(tournament, match, winners, **more), name)


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_record_of_a_confirmed_match_is_public_with_bytes_and_exports(tournament, match):
    file = upload(tournament, match)
    tournament.says(match, "a", 3, 1, record=file)
    tournament.says(match, "b", 3, 1)
    page = Client().get(reverse("public:match", args=[match.public_id])).content.decode()
    assert reverse("records:record", args=[match.public_id, 1]) in page
    assert "private name" not in page
    viewer = Client().get(reverse("records:match", args=[match.public_id]))
    assert viewer.status_code == 200
    assert "private name" not in viewer.content.decode()
    assert "Not included in .sgf" in viewer.content.decode()
    original = Client().get(reverse("records:original", args=[match.public_id, 1]))
    assert original.content == file.content
    assert original["X-Content-Type-Options"] == "nosniff"
    assert original["Content-Disposition"] == f'attachment; filename="match-{match.public_id}-1.mat"'
    # SGF has no sign for a resignation before the roll, and says so.
    for code, lost in (("mat", "none"), ("sgf", "loss.unplayed_roll"), ("json", "none")):
        export = Client().get(reverse("records:export", args=[match.public_id, 1, code]))
        assert export["X-Record-Losses"] == lost
        assert read_record(export.content).record.players == names(tournament, match)
    assert Client().get(reverse("records:export", args=[match.public_id, 1, "xg"])).status_code == 404


def test_record_is_nobodys_business_while_nothing_is_confirmed(tournament, match):
    tournament.says(match, "a", 3, 2, record=upload(tournament, match))  # a dispute: the record says 3–1
    address = reverse("records:record", args=[match.public_id, 1])
    assert Client().get(address).status_code == 404
    assert "Game record" not in Client().get(reverse("public:match", args=[match.public_id])).content.decode()
    assert signed_in(tournament.director).get(address).status_code == 200


def test_record_that_said_otherwise_stays_with_the_directors(tournament, match):
    tournament.says(match, "a", 3, 2, record=upload(tournament, match))
    tournament.says(match, None, 3, 2)
    assert Client().get(reverse("records:record", args=[match.public_id, 1])).status_code == 404
    assert (
        signed_in(tournament.director).get(reverse("records:record", args=[match.public_id, 1])).status_code
        == 200
    )


def test_same_file_of_both_sides_is_listed_once(tournament, match):
    tournament.says(match, "a", 3, 1, record=upload(tournament, match))
    tournament.says(match, "b", 3, 1, record=upload(tournament, match))
    page = Client().get(reverse("public:match", args=[match.public_id])).content.decode()
    assert page.count(">Replay<") + page.count("Replay</a>") == 1


def test_place_in_the_address_is_the_place_that_is_shown(tournament, match):
    tournament.says(match, None, 3, 1, record=upload(tournament, match))
    first, second = names(tournament, match)
    address = reverse("records:match", args=[match.public_id])
    shown = Client().get(address, {"game": "2", "turn": "2"}).content.decode()
    assert f"{second} rolls 4-2 and plays 8/4 6/4." in shown
    turned = Client().get(
        address, {"game": "2", "turn": "1", "numbering": "white_up", "view": "black", "home": "left"}
    )
    assert f"{first} rolls 3-1 and plays 17/20 19/20." in turned.content.decode()
    for odd in (
        {"game": "-1", "turn": "x"},
        {"game": "999999999999"},
        {"turn": "٣"},
        {"numbering": "?", "view": "\x00"},
    ):
        assert Client().get(address, odd).status_code == 200


def test_draft_and_unknown_are_missing(tournament, match):
    assert Client().get(reverse("records:match", args=[match.public_id])).status_code == 404
    assert Client().get(reverse("records:match", args=["nothing"])).status_code == 404


class Phone:
    def __init__(self, tournament, match, side):
        token = entry_token(tournament.entry_at(match, side))
        self.address = reverse("player:report", args=[token, match.public_id])
        self.client = Client()

    def sends(self, content=None, **fields):
        data = {"mine": 0, "theirs": 0, "kind": "played", "winner": "", "submission_key": "k1", **fields}
        if content is not None:
            data["record"] = SimpleUploadedFile("match.mat", content)
        return self.client.post(self.address, data)


def test_checked_file_waits_for_the_form_and_is_sent_with_it(tournament, match):
    phone = Phone(tournament, match, "b")
    checked = phone.sends(record(tournament, match), check="1")
    html = checked.content.decode()
    assert checked.status_code == 200
    assert 'name="mine" value="1"' in html
    assert not Report.objects.exists()
    held = HeldRecord.objects.get()
    assert f'name="record_key" value="{held.key}"' in html
    viewer = Client().get(reverse("games:held", args=[held.key]))
    assert viewer["Cache-Control"] == "private, no-store"
    sent = phone.sends(record_key=held.key, mine=1, theirs=3)
    assert sent.status_code == 302
    assert Report.objects.get().record.filename == "match.mat"
    assert not HeldRecord.objects.exists()


def test_key_of_another_match_is_good_for_nothing(tournament, match):
    Phone(tournament, match, "a").sends(record(tournament, match), check="1")
    other = tournament.playable()[1]
    answer = Phone(tournament, other, "a").sends(record_key=HeldRecord.objects.get().key, mine=3, theirs=1)
    assert answer.status_code == 422
    assert "is no longer available" in answer.content.decode()
    assert not Report.objects.exists()


def test_refused_record_is_explained_and_nothing_is_lost(tournament, match):
    answer = Phone(tournament, match, "a").sends(
        record(tournament, match).replace(b"3 point", b"5 point"), mine=3, theirs=1, note="hello"
    )
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "a match to 5 points" in html
    assert 'name="mine" value="3"' in html
    assert "hello" in html
    assert HeldRecord.objects.get().key in html
    assert not Report.objects.exists()


def test_unreadable_file_is_said_to_be_so(tournament, match):
    for check in ({"check": "1"}, {}):
        answer = Phone(tournament, match, "a").sends(b"\0\1\2 nothing", mine=3, theirs=1, **check)
        assert answer.status_code == 422
        assert "not in a supported game record format" in answer.content.decode()


def test_findings_carry_links_to_the_held_file(tournament, match):
    html = (
        Phone(tournament, match, "a")
        .sends(record(tournament, match, opening=BAD_OPENING, in_all=True), check="1")
        .content.decode()
    )
    assert 'data-record="doubtful"' in html
    assert "message is-warning" in html
    key = HeldRecord.objects.get().key
    assert f"/records/held/{key}/?game=2&amp;turn=1" in html
    assert "Rule R12" in html


def test_big_file_is_refused_before_it_is_read(tournament, match):
    phone = Phone(tournament, match, "a")
    answer = phone.client.post(
        phone.address, b"x" * 4_300_000, content_type="multipart/form-data; boundary=x"
    )
    assert answer.status_code == 413


def test_director_is_told_when_the_record_says_otherwise(tournament, match):
    client = signed_in(tournament.director)
    address = reverse("director:result", args=[tournament.event.public_id, match.public_id])
    data = {"score_a": 3, "score_b": 2, "kind": "played", "winner": "", "submission_key": "k"}
    refused = client.post(address, {**data, "record": SimpleUploadedFile("m.mat", record(tournament, match))})
    assert refused.status_code == 422
    assert "The record ends at 3–1" in refused.content.decode()
    key = HeldRecord.objects.get().key
    assert client.post(address, {**data, "score_b": 1, "record_key": key}).status_code == 302
    assert Report.objects.get().record is not None


def test_doubtful_record_when_reported_then_every_page_of_the_match_says_so(tournament, match):
    file = upload(tournament, match, opening=BAD_OPENING, in_all=True)
    tournament.says(match, "a", 3, 1, record=file)

    def page(client, name, *args):
        return client.get(reverse(name, args=args)).content.decode()

    director = signed_in(tournament.director)
    assert "with doubtful game record" in page(
        director, "director:match", tournament.event.public_id, match.public_id
    )
    assert "The attached game record is doubtful." in page(
        director, "director:audit", tournament.event.public_id
    )
    assert 'data-decision="doubtful"' in page(director, "records:record", match.public_id, 1)
    own, other = (
        page(Client(), "player:home", entry_token(tournament.entry_at(match, side))) for side in ("a", "b")
    )
    assert "Your game record is doubtful" in own
    assert "Review it before you confirm." in other
    tournament.says(match, "b", 3, 1)
    shown = page(Client(), "public:match", match.public_id)
    assert "doubtful: some plays do not fit together" in shown
    assert "no errors found" not in shown


def test_unknown_held_file_is_missing():
    assert Client().get(reverse("games:held", args=["x" * 32])).status_code == 404


def test_replay_stands_under_the_players_names_and_colours_whatever_the_file_calls_them(tournament, match):
    a, b = names(tournament, match)
    file = a_record("nick1", "nick2", 3, "lrll")
    tournament.says(match, "a", 1, 3, record=Upload(file, "x.mat", Side.B))
    tournament.says(match, "b", 1, 3)
    page = Client().get(reverse("records:match", args=[match.public_id])).content.decode()
    assert f"{b} – {a}" in page
    assert "nick1" not in page
    assert 'data-dark="black"' in page  # the left column is side b, whose checker is light
    swapped = read_record(
        Client().get(reverse("records:export", args=[match.public_id, 1, "mat"])).content
    ).record
    assert swapped.players == (b, a)


def test_names_of_a_record_that_counts_are_known_in_the_next_match_and_asked_for_as_no_fault(tournament):
    first, second = tournament.playable()
    for match in (first, second):
        form = sends(tournament, match, a_record("zed", "yan", 3, "lrll"))
        assert "The players in this file are named zed and yan." in form
        assert "Error" not in form
        tournament.says(
            match,
            "a",
            3,
            1,
            record=Upload(a_record(f"zed {match.number}", "yan", 3, "lrll"), "x.mat", Side.A),
        )
        tournament.says(match, "b", 3, 1)
    (final,) = tournament.playable()
    nicks = [f"zed {first.number}", f"zed {second.number}"]
    form = sends(tournament, final, a_record(*nicks, 3, "lrll"))
    assert "The score has been filled in" in form
    assert "The players in this file" not in form


def test_text_of_a_record_is_taken_in_the_place_of_a_file(tournament, match):
    text = record(tournament, match).decode()
    token = entry_token(tournament.entry_at(match, "a"))
    address = reverse("player:report", args=[token, match.public_id])
    asked = {
        "mine": "0",
        "theirs": "0",
        "submission_key": "k1",
        "kind": "played",
        "winner": "",
        "record_text": text,
    }
    shown = Client().post(address, {**asked, "check": "1"}).content.decode()
    assert "The score has been filled in" in shown
    Client().post(address, {**asked, "mine": "3", "theirs": "1"})
    assert (
        bytes(Report.objects.get().record.content) == text.replace("\n", "\r\n").encode()
        or Report.objects.get().record
    )


def test_other_side_looks_at_the_record_before_it_agrees_and_nobody_else_does(tournament, match):
    tournament.says(match, "a", 3, 1, record=upload(tournament, match))
    own, other = (entry_token(tournament.entry_at(match, side)) for side in "ab")
    page = Client().get(reverse("player:home", args=[other])).content.decode()
    address = reverse("player:record", args=[other, match.public_id])
    assert address in page
    shown = Client().get(address)
    assert shown.status_code == 200
    assert shown["Cache-Control"] == "private, no-store"
    stranger = entry_token(tournament.entry_at(tournament.playable()[-1], "a"))
    for token in (own, stranger):
        assert Client().get(reverse("player:record", args=[token, match.public_id])).status_code == 404
    tournament.says(match, "b", 3, 1)
    assert Client().get(address).status_code == 404


def test_refused_score_has_the_focus(tournament, match):
    token = entry_token(tournament.entry_at(match, "a"))
    data = {"mine": "9", "theirs": "1", "submission_key": "k1", "kind": "played", "winner": ""}
    page = Client().post(reverse("player:report", args=[token, match.public_id]), data).content.decode()
    assert page.count("autofocus") - page.count('autocomplete="off" autofocus') == 1


def sends(tournament, match, content):
    """What the form says to a file that is only looked at."""
    token = entry_token(tournament.entry_at(match, "a"))
    data = {
        "mine": "0",
        "theirs": "0",
        "submission_key": "k1",
        "kind": "played",
        "winner": "",
        "check": "1",
        "record": SimpleUploadedFile("x.mat", content),
    }
    return Client().post(reverse("player:report", args=[token, match.public_id]), data).content.decode()
