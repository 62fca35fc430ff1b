"""Official lists in the browser: made and corrected by a director, read, downloaded and checked by anybody."""

import base64
import csv
import io
import json
from datetime import date
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from people.actors import Actor
from people.services.players import update_player
from rating.models import OfficialList, OfficialSchedule
from tests.support.lanes import ON_ONE
from tests.support.rating import visit

pytestmark = [pytest.mark.django_db, *ON_ONE]
DAY = "2026-03-02"


@pytest.fixture
def desk(book, director):
    """Sends the form of the official lists."""

    def send(part, **data):
        address = reverse("rating_director:official", args=[book.list.public_id])
        return director.post(address, {"part": part, **data})

    return send


def text_of(answer) -> str:
    return answer.content.decode()


def test_list_is_made_read_corrected_and_both_are_told(book, desk, director):
    assert "No official lists yet" in text_of(visit("official", book))
    assert "/official/" not in text_of(visit("list", book))
    assert desk("make", day=DAY).status_code == 302
    first = text_of(visit("official", book))
    assert "as of 2 March 2026" in first
    assert "Ann" in first
    assert "No. 1" in first
    assert "/official/" in text_of(visit("list", book))
    again = desk("make", day=DAY)
    assert again.status_code == 409
    assert "An official list for this date already exists" in text_of(again)
    form = director.get(reverse("rating_director:official", args=[book.list.public_id]), {"replaces": "1"})
    assert "Correct number 1" in text_of(form)
    assert f'value="{DAY}"' in text_of(form)
    unsaid = desk("make", day=DAY, replaces="1")
    assert unsaid.status_code == 422
    assert "Explain what was wrong" in text_of(unsaid)
    assert desk("make", day=DAY, replaces="1", note="One was <missing>").status_code == 302
    assert "One was &lt;missing&gt;" in text_of(visit("official", book))
    assert "replaced by number 2" in text_of(visit("official-issue", book, 1))
    dates = text_of(visit("official-dates", book))
    assert "Replaces number 1." in dates
    assert "Replaced by number 2." in dates


@pytest.mark.parametrize(
    "data", [{}, {"day": "soon"}, {"day": "9999-12-31"}, {"day": DAY, "note": "x" * 201}, {"day": DAY, "replaces": "x"}]
)  # fmt: skip
def test_nonsense_makes_no_list_and_is_told(desk, data):
    assert desk("make", **data).status_code == 422
    assert not OfficialList.objects.exists()


def test_schedule_is_kept_and_nonsense_refused(book, desk):
    assert desk("schedule", every="week", day="8").status_code == 422
    assert desk("schedule", every="week").status_code == 422
    assert desk("schedule", every="fortnight", day="1").status_code == 422
    assert desk("nothing").status_code == 422
    assert desk("schedule", every="month", day="28").status_code == 302
    kept = OfficialSchedule.objects.get()
    assert (kept.rating_list, kept.every, kept.day) == (book.list, "month", 28)
    assert desk("schedule", every="", day="").status_code == 302
    assert OfficialSchedule.objects.get().every == ""


def test_page_is_searched_and_costs_a_304_until_a_name_changes(book, desk):
    desk("make", day=DAY)
    assert "Bob" not in text_of(visit("official", book, q="ann"))
    page = visit("official", book)
    address = reverse("rating:official", args=[book.list.public_id])
    same = {"if-none-match": page["ETag"]}
    assert Client().get(address, headers=same).status_code == 304
    bob = book.player("Bob")
    update_player(actor=Actor.program(), club_id=book.club.pk, player_id=bob.pk, name="Bob", listed=False)
    assert "Private player" in text_of(Client().get(address, headers=same))


def test_files_hold_what_the_page_shows_and_ids_alone_are_signed(book, desk, tmp_path):
    desk("make", day=DAY)
    answer = visit("official-csv", book, 1)
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))
    assert (rows[0]["rank"], rows[0]["player"], rows[0]["moved"]) == ("1", "Ann", "")
    signed = visit("official-signed", book, 1)
    assert signed["ETag"]
    ids = [row["player"] for row in signed.json()["document"]["players"]]
    assert ids == [row["player_id"] for row in rows]
    file, keys = tmp_path / "signed.json", tmp_path / "keys.json"
    file.write_bytes(signed.content)
    keys.write_bytes(Client().get("/.well-known/crawford-keys.json").content)
    out = io.StringIO()
    call_command("check_official", str(file), stdout=out)
    call_command("check_official", str(file), keys=keys, stdout=out)
    assert out.getvalue().count("Valid signature") == 2
    file.write_bytes(signed.content.replace(b'"rank":1', b'"rank":2'))
    with pytest.raises(CommandError, match="changed after"):
        call_command("check_official", str(file))
    keys.write_text("{}")
    with pytest.raises(CommandError, match="no Ed25519 public key"):
        call_command("check_official", str(file), keys=Path(keys))


def test_openssl_says_the_same_as_the_page_of_keys_teaches(book, desk):
    """The signature is of the canonical document, and the key is in the form that others read."""
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    desk("make", day=date(2026, 3, 1).isoformat())
    whole = visit("official-signed", book, 1).json()
    found = Client().get("/.well-known/crawford-keys.json").json()["keys"]
    (key,) = [one for one in found if one["kid"] == whole["signature"]["key"]]
    document = json.dumps(whole["document"], sort_keys=True, separators=(",", ":")).encode()
    load_pem_public_key(key["pem"].encode()).verify(base64.b64decode(whole["signature"]["value"]), document)
    assert "crawford-keys.json" in text_of(Client().get("/signed/"))


def test_api_tells_issues_rows_and_refuses_nonsense(book, desk):
    desk("make", day="2026-03-01")
    desk("make", day=DAY)
    base = f"/api/v1/ratings/{book.list.public_id}/official/"
    found = Client().get(base).json()
    assert [(one["day"], one["number"], one["players"]) for one in found["results"]] == [
        (DAY, 2, 3), ("2026-03-01", 1, 0),
    ]  # fmt: skip
    rows = Client().get(f"{base}2/players/", {"page_size": 2}).json()
    assert (rows["count"], rows["results"][0]["name"], rows["results"][0]["is_new"]) == (3, "Ann", True)
    assert Client().get(base, {"day": "soon"}).status_code == 422
    assert Client().get(base, {"page": 9}).status_code == 404
    assert Client().get(f"{base}7/").status_code == 404
