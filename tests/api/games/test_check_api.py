"""POST /api/v1/records/check/ answers what `check_record --json` prints; the report endpoint takes a record."""

import json
import os
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games.models import HeldRecord, StoredRecord
from tests.factories import an_event
from tests.support.described import described
from tests.support.records import BAD_OPENING, a_record
from tournaments.models import Report
from tournaments.selectors.access.links import entry_token

pytestmark = pytest.mark.django_db
CHECK = "/api/v1/records/check/"


def ask(content, name="match.mat", **fields):
    return described(Client().post(CHECK, {"file": SimpleUploadedFile(name, content), **fields}))


def test_answer_is_what_the_command_prints(tmp_path):
    path = tmp_path / "match.mat"
    path.write_bytes(a_record("Ann", "Bob", 3, "lrll"))
    out = StringIO()
    call_command("check_record", str(path), "--json", stdout=out)
    printed = {**json.loads(out.getvalue()), "file": "match.mat"}
    answer = ask(path.read_bytes())
    assert (answer.status_code, answer.json()) == (200, printed)
    assert answer.json()["final_score"] == [3, 1]
    assert not StoredRecord.objects.exists()
    assert not HeldRecord.objects.exists()


def test_command_when_a_file_s_name_is_no_text_then_the_verdict_is_printed_all_the_same(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"match\xff.mat")
    Path(name).write_bytes(a_record("Ann", "Bob", 3, "lrll"))
    out = StringIO()
    call_command("check_record", name, "--json", stdout=out)
    assert json.loads(out.getvalue())["file"] == "match?.mat"


def test_rejected_record_names_its_findings_as_described():
    found = ask(a_record("Ann", "Bob", 3, "lr"), length=5).json()
    assert found["verdict"] == "reject"
    assert {finding["severity"] for finding in found["findings"]} >= {"reject"}


def test_wrong_play_is_answered_with_what_it_may_have_been():
    repairs = ask(a_record("Ann", "Bob", 3, "lrll", opening=BAD_OPENING)).json()["repairs"]
    assert [(repair["game"], repair["turn"]) for repair in repairs] == [(1, 1)]
    keys = {proposal["key"]: proposal["changes"] for proposal in repairs[0]["proposals"]}
    assert keys["1.1=31:8/5-6/5"] == [
        {
            "turn": 1,
            "player": 0,
            "written_dice": [3, 1],
            "dice": [3, 1],
            "written_play": "8/4 6/5",
            "play": "8/5 6/5",
        }
    ]
    assert ask(a_record("Ann", "Bob", 3, "lrll")).json()["repairs"] == []


def test_unreadable_is_an_answer():
    answer = ask(b"\0\1")
    assert (answer.status_code, answer.json()["verdict"]) == (200, "unreadable")


@pytest.mark.parametrize(
    "fields", [{"length": 0}, {"length": 5, "money": "true"}, {"jacoby": "true"}, {"numbering": "up"}]
)
def test_contradicting_wishes_are_refused(fields):
    assert ask(a_record("Ann", "Bob", 3, "lrll"), **fields).status_code == 400


def test_too_big_and_wrong_method():
    assert (
        Client().post(CHECK, b"x" * 4_300_000, content_type="multipart/form-data; boundary=x").status_code
        == 413
    )
    assert Client().get(CHECK).status_code == 405
    assert Client().post(CHECK, {}).status_code == 400


def test_report_takes_a_record():
    tournament = an_event(entries=2, lengths=[3]).publish()
    match = tournament.playable()[0]
    a, b = tournament.entry_at(match, "a"), tournament.entry_at(match, "b")
    address = reverse("api:report", args=[match.public_id])
    head = {"Authorization": f"Link {entry_token(a)}"}

    def report(content, **more):
        data = {
            "score_a": 3,
            "score_b": 1,
            "submission_key": "k",
            "record": SimpleUploadedFile("m.mat", content),
            **more,
        }
        return Client().post(address, data, headers=head)

    refused = report(b"no record")
    assert (refused.status_code, refused.json()["code"]) == (422, "record.unreadable")
    as_json = {"score_a": 3, "score_b": 1, "submission_key": "k", "record": "; [Site]"}
    overlooked = Client().post(address, as_json, content_type="application/json", headers=head)
    assert (overlooked.status_code, overlooked.json()["faults"][0]["field"]) == (400, "record")
    strange = a_record("nick1", "nick2", 3, "rlrr")
    assert report(strange).json()["faults"][0]["params"]["finding"] == "expected.players"
    answer = report(strange, record_left="b")
    assert answer.status_code == 202
    assert Report.objects.get().record_clean
    assert b.name
