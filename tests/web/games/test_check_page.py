"""“Check a record” for anyone: verdict and findings in words, a viewer on what was sent, and nothing kept."""

import json
import re
import zlib
from dataclasses import replace
from random import Random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from games.models import HeldRecord, StoredRecord
from games.records.checking import check_record
from games.records.decoding import MAX_BYTES
from games.records.registry import write_record
from games.records.repair import find_repairs
from games.rules.formats import MatchFormat
from games.services.repairing import corrected_copy
from tests.support.analyses import random_analysis
from tests.support.random_matches import random_match
from tests.support.records import BAD_OPENING, a_record
from tests.support.xg_files import xg_file

pytestmark = pytest.mark.django_db
PAGE = "/records/"


def send(content, name="match.mat", **fields):
    return Client().post(PAGE, {"file": SimpleUploadedFile(name, content), **fields})


def data_of(response):
    found = re.search(
        r'<script id="viewer-data" type="application/json">(.*?)</script>',
        response.content.decode(),
        re.DOTALL,
    )
    return json.loads(found[1])


def test_page_is_for_anybody():
    response = Client().get(PAGE)
    assert response.status_code == 200
    assert "The file is not stored after the check" in response.content.decode()


def test_good_record_is_in_order_and_can_be_replayed():
    response = send(a_record("Ann", "Bob", 3, "lrll"))
    html = response.content.decode()
    assert response.status_code == 200
    assert 'data-decision="accept"' in html
    assert 'Ann <span class="nowrap">3–1</span> Bob' in html
    data = data_of(response)
    assert [game["score"] for game in data["games"]] == [[0, 0], [1, 0], [1, 1], [2, 1]]
    first = data["games"][0]["frames"][0]
    assert (first["d"], first["n"], first["s"], first["p"]) == ([3, 1], "8/5 6/5", 0, [167, 167])
    assert first["x"] == "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:3:10"
    assert first["i"] == "4HPwATDgc/ABMA"


def test_illegal_play_is_said_with_game_turn_and_rule():
    html = send(a_record("Ann", "Bob", 3, "lrll", opening=BAD_OPENING)).content.decode()
    assert 'data-decision="accept_with_notes"' in html
    assert "Game 1, turn 1, line 5" in html
    assert "Rule R12" in html
    assert "8/4 6/5 is not legal" in html


def test_record_of_later_games_when_checked_then_named_as_the_file_counts():
    content = (
        (
            a_record("Ann", "Bob", 3, "lrll", opening=BAD_OPENING)
            .replace(b"Game 2", b"Game 13")
            .replace(b"Game 1\n", b"Game 12\n")
        )
        .replace(b"Game 3", b"Game 14")
        .replace(b"Game 4", b"Game 15")
    )

    response = send(content)

    html = response.content.decode()
    assert "Game 12, turn 1, line 5" in html
    assert "<summary>Game 15 " in html
    assert "Game 1 " not in html
    assert [game["number"] for game in data_of(response)["games"]] == [12, 13, 14, 15]


def test_answer_keeps_nothing_anywhere():
    response = send(a_record("Ann", "Bob", 3, "lrll"), name="../../secret/own name.mat")
    assert response["Cache-Control"] == "no-store"
    assert not StoredRecord.objects.exists()
    assert not HeldRecord.objects.exists()
    assert "secret" not in response.content.decode()


def test_names_from_a_file_are_text_and_never_markup():
    response = send(a_record("</script><b>A", "B & <i>C", 3, "lrll"))
    html = response.content.decode()
    assert "<b>A" not in html
    assert "<i>C" not in html
    assert data_of(response)["players"][0].startswith("</script>")


def test_format_can_be_given_and_is_held_against_the_file():
    html = send(a_record("Ann", "Bob", 3, "lrll"), kind="match", length="5").content.decode()
    assert 'data-decision="reject"' in html
    assert "a match to 5 points was scheduled" in html


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "match"}, "Enter the match length"),
        ({"kind": "match", "length": "5", "jacoby": "on"}, "R40"),
        ({"kind": "match", "length": "0"}, "greater than or equal to 1"),
        ({"numbering": "sideways"}, "Select a valid choice"),
    ],
)
def test_odd_wish_is_refused_beside_its_field(fields, words):
    response = send(a_record("Ann", "Bob", 3, "lrll"), **fields)
    assert response.status_code == 422
    assert words in response.content.decode()


def test_numbering_of_the_file_is_understood():
    record = a_record("Ann", "Bob", 3, "lrll", opening=("31: 17/20 19/20", "42: 8/4 6/4"))
    read = data_of(send(record, numbering="white_up"))["games"][0]["frames"][0]
    assert read["n"] == "8/5 6/5"
    assert data_of(send(record))["games"][0]["frames"][0]["n"] != "8/5 6/5"


@pytest.mark.parametrize("seed", range(6))
def test_hostile_bytes_are_answered_and_never_an_error(seed):
    rng = Random(seed)
    honest = a_record("Ann", "Bob", 3, "lrll")
    spoilt = bytearray(honest)
    for _ in range(30):
        spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
    for content in (
        bytes(spoilt),
        rng.randbytes(500),
        b"\0" * 100,
        b"",
        b"(;GM[6]" * 2000,
        b"RGMH" + rng.randbytes(300),
    ):
        assert send(content, name="a\x00b.mat").status_code == 200


def test_no_file_is_asked_for():
    response = Client().post(PAGE, {})
    assert response.status_code == 422


def test_file_too_big_is_refused_before_it_is_read():
    response = Client().post(
        PAGE, b"x" * (MAX_BYTES + 200_000), content_type="multipart/form-data; boundary=x"
    )
    assert response.status_code == 413
    assert "The limit is 4 MB" in response.content.decode()


def test_form_needs_its_token():
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(PAGE, {"file": SimpleUploadedFile("a.mat", b"x")}).status_code == 403


def test_too_many_files_are_put_off(clock):
    record = a_record("Ann", "Bob", 1, "l")
    statuses = [send(record).status_code for _ in range(61)]
    assert statuses == [200] * 60 + [429]
    clock.moves(seconds=int(send(record)["Retry-After"]))
    assert send(record).status_code == 200


@pytest.fixture(autouse=True)
def _fresh_limits():
    from django.core.cache import cache

    cache.clear()


def test_position_is_a_picture_that_caches_may_keep():
    response = Client().get(reverse("games:position", args=["4HPwATDgc_ABMA"]))
    assert response.status_code == 200
    assert response["Content-Type"].startswith("image/svg+xml")
    assert "immutable" in response["Cache-Control"]
    assert response["X-Content-Type-Options"] == "nosniff"
    svg = response.content.decode()
    assert svg.count('class="board-white"') == svg.count('class="board-black"') == 15
    again = Client().get(response.request["PATH_INFO"], headers={"If-None-Match": response["ETag"]})
    assert again.status_code == 304


def test_position_with_dice_and_cube_is_a_picture_too():
    doubled = "-b----E-C---eE---c-e----B-:1:1:1:D:0:0:0:7:10"
    svg = Client().get(reverse("games:xgid", args=[doubled])).content.decode()
    assert ">4</text>" in svg
    rolled = Client().get(reverse("games:xgid", args=["-b----E-C---eE---c-e----B-:0:0:1:63:0:0:0:7:10"]))
    assert rolled.content.decode().count('class="board-pip"') == 6 + 3 + 1  # the pips and the cube's number
    for odd in ("x", doubled.replace("7:10", "7"), doubled.replace(":1:1:1:", ":900:1:1:"), "é"):
        assert Client().get(reverse("games:xgid", args=[odd])).status_code == 404


@pytest.mark.parametrize(
    "text", ["nonsense", "4HPwATDgc_ABM", "AAAAAAAAAAAAA<", "______________", "é" * 14, "-" * 14]
)
def test_position_that_is_none_is_missing(text):
    assert Client().get(reverse("games:position", args=[text])).status_code == 404


def test_wrong_play_when_the_rest_tells_then_what_it_may_have_been_stands_on_the_page():
    body = send(a_record("Ann", "Bob", 3, "lrll", opening=BAD_OPENING)).content.decode()
    assert "Game 1, turn 1, Ann: 8/4 6/5 cannot be played with 31." in body
    assert "roll 41 instead of 31" in body
    assert "8/5 6/5 instead of 8/4 6/5" in body
    repairs = body[body.index('id="repairs"') :]
    assert repairs.count("<svg") >= 3
    assert "Create corrected copy" not in repairs


def test_wrong_play_when_the_file_begins_with_a_later_game_then_called_as_the_file_calls_it():
    data = a_record("Ann", "Bob", 3, "lrll", opening=BAD_OPENING)
    for number in (4, 3, 2, 1):
        data = data.replace(b" Game %d\n" % number, b" Game %d\n" % (number + 11))
    assert "Game 12, turn 1, Ann: 8/4 6/5 cannot be played with 31." in send(data).content.decode()
    record = check_record(data).record
    (proposal, *_others) = find_repairs(record)[0].proposals
    assert b"Game 12 turn 1 left" in corrected_copy(record, proposal)[0]


def test_record_without_a_wrong_play_proposes_nothing():
    assert "Possible corrections" not in send(a_record("Ann", "Bob", 3, "lrll")).content.decode()


@pytest.fixture
def thought():
    """A short match by chance and what a program may think of it."""
    rng = Random(3)
    record = random_match(rng, MatchFormat(length=5), games=1, quick=0.5)
    return record, random_analysis(rng, record)


def test_file_that_holds_an_analysis_when_checked_then_shown_with_what_its_engine_is_good_for(thought):
    record, analysis = thought
    answer = send(xg_file(record, analysis), "match.xg")
    html = answer.content.decode()
    for words in (
        "Analysis from the file: eXtreme Gammon, 3-ply.",
        ">PR<",
        "course-line",
        "viewer_analysis.js",
    ):
        assert words in html
    assert 'href="#viewer" data-jump="1:' in html
    assert "±" not in html
    assert "Comments in the file" in html
    assert "Game<br>of two lines" in html
    assert 'data-jump="1:1">Game 1</a>' in html
    clocked = a_record("Ann", "Bob", 3, "lrll").replace(b"31: 8/5 6/5", b"31: 8/5 6/5 {0:05:12}", 1)
    assert "Ann: 5:12" in send(clocked).content.decode()
    assert data_of(answer)["analysis"]

    def of_gnubg(level):
        rows = tuple(
            replace(row, level=level, plays=tuple(replace(play, level=level) for play in row.plays))
            for row in analysis.decisions
        )
        own = replace(analysis, engine="GNU Backgammon 1.08", decisions=rows)
        return send(write_record(record, "sgf", own).data, "match.sgf").content.decode()

    assert "PR est. (GNU Backgammon 1.08, 2-ply)" in of_gnubg("2-ply")
    rough = of_gnubg("0-ply")
    assert "Analysis from the file: GNU Backgammon 1.08, 0-ply." in rough
    assert "PR" not in rough.split('class="table sums"')[1].split("</table>")[0]
    assert 'class="table sums"' not in send(xg_file(record), "match.xg").content.decode()


def test_analysis_that_makes_no_sense_when_checked_then_never_an_error(thought):
    data = xg_file(*thought)
    cut = data.index(b"\xff\xd9") + 2
    honest = zlib.decompressobj().decompress(data[cut:])
    for seed in range(2):
        rng, body = Random(seed), bytearray(honest)
        for at in range(0, len(body), 2560):
            first, last = {2: (64, 296), 3: (124, 2480)}.get(body[at + 8], (0, 0))
            for _ in range(12 if last else 0):
                body[at + rng.randrange(first, last)] = rng.randrange(256)
        html = send(data[:cut] + zlib.compress(bytes(body)), "match.xg").content.decode()
        assert 'data-decision="accept' in html
