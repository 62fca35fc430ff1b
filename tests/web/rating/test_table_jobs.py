"""A long table is a worker's: the page says how far it is and asks; programs do the same."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from people.models import Player
from rating.models import Fact, TableImport
from rating.services.table_jobs import process_import
from rating.web.director.imports import MAX_INLINE_ROWS
from tests.support.director import words
from tests.support.rating import a_bare_club
from tests.web.rating.test_director import upload, url

pytestmark = pytest.mark.django_db
HEAD = "date,winner,loser,length\n"


def test_long_table_is_handed_to_a_worker_and_its_page_asks_before_anything_comes_in(book, director):
    before = Fact.objects.count()
    text = HEAD + "".join(
        f"2026-01-05 10:{n % 60:02},Ann,Bob,{1 + n % 25}\n" for n in range(MAX_INLINE_ROWS + 1)
    )
    sent = director.post(url("import-results", book.club.public_id), {"file": upload(text)})
    job = TableImport.objects.get()
    page = url("import", book.club.public_id, job.public_id)
    assert sent.headers["location"] == page
    assert "Waiting to be processed" in words(director.get(page))
    assert "An import is in progress for this club" in words(
        director.get(url("import-results", book.club.public_id))
    )
    process_import(import_id=job.pk)
    shown = words(director.get(page))
    assert "Checked, nothing imported yet" in shown
    assert str(MAX_INLINE_ROWS + 1) in shown
    director.post(page, {"act": "take"})
    assert Fact.objects.count() == before
    process_import(import_id=job.pk)
    assert "Table imported" in words(director.get(page))
    assert Fact.objects.count() == before + MAX_INLINE_ROWS + 1
    assert "This import has already ended" in words(director.post(page, {"act": "stop"}, follow=True))


def test_program_hands_a_table_in_asks_how_it_stands_and_decides(book, director):
    start = reverse("rating_api:imports", args=[book.club.public_id])

    def sent(text: str, **more: object):
        file = SimpleUploadedFile("old.csv", text.encode())
        return director.post(start, {"file": file, **more})

    made = sent(HEAD + "2026-01-05,Ann,Nobody,7\n")
    assert (made.status_code, made.json()["state"]) == (202, "check")
    again = sent(HEAD + "2026-01-05,Ann,Bob,7\n")
    assert (again.status_code, again.json()["code"]) == (409, "rating.import_running")
    job = TableImport.objects.get()
    process_import(import_id=job.pk)
    shown = words(director.get(url("import", book.club.public_id, job.public_id)))
    assert "Unknown names, with number of lines: Nobody (1)" in shown
    assert "Add these players and check again" in shown
    assert "no player named" not in shown
    stands = director.get(made.json()["url"]).json()
    assert (stands["state"], stands["report"]["unknown"]) == ("asked", [{"name": "Nobody", "lines": 1}])
    assert stands["report"]["faults"][0]["line"] == 2

    def ask(name: str, **body: object):
        address = reverse(f"rating_api:import-{name}", args=[job.public_id])
        return director.post(address, body, content_type="application/json")

    assert ask("take").json()["code"] == "rating.import_faulty"
    assert ask("check", create_unknown=True).status_code == 202
    process_import(import_id=job.pk)
    for _twice in range(2):
        assert ask("take").json()["state"] == "take"
    process_import(import_id=job.pk)
    assert director.get(made.json()["url"]).json()["report"]["players"] == ["Nobody"]
    assert ask("stop").json()["code"] == "rating.import_over"
    assert director.get(start).json()[0]["state"] == "done"
    unfit = sent(HEAD, as_of="2026-01-01")
    assert (unfit.status_code, "rating_list" in unfit.content.decode()) == (400, True)


def test_large_table_when_another_club_has_a_name_then_page_and_program_can_say_who_is_meant(book, director):
    lee = Player.objects.create(name="Lee", home_club=a_bare_club("North"), listed=True)
    start = reverse("rating_api:imports", args=[book.club.public_id])
    file = SimpleUploadedFile("old.csv", f"{HEAD}2026-01-05,Lee,Ann,7\n".encode())
    made = director.post(start, {"file": file, "create_unknown": "true", "public_page": "now"}).json()
    job = TableImport.objects.get()
    assert job.public_page == "now"
    process_import(import_id=job.pk)
    report = director.get(made["url"]).json()["report"]
    assert report["matches"] == [
        {"name": "Lee", "own": False, "candidates": [{"id": lee.public_id, "club": "North"}]}
    ]
    assert report["players"] == ["Lee"]
    page = url("import", book.club.public_id, job.public_id)
    assert "Same person?" in words(director.get(page))
    director.post(page, {"act": "check", "same": ["", lee.public_id]})
    job.refresh_from_db()
    assert (job.same_players, job.create_unknown, job.public_page) == ([lee.public_id], False, "now")
    process_import(import_id=job.pk)
    check = reverse("rating_api:import-check", args=[job.public_id])
    assert (
        director.post(check, {"same_players": [lee.public_id]}, content_type="application/json").status_code
        == 202
    )
    process_import(import_id=job.pk)
    report = director.get(made["url"]).json()["report"]
    assert (report["new"], report["players"], report["matches"]) == (1, [], [])


def test_large_table_when_names_are_unknown_then_its_page_asks_from_when_they_are_public(book, director):
    start = reverse("rating_api:imports", args=[book.club.public_id])
    file = SimpleUploadedFile("old.csv", f"{HEAD}2026-01-05,Nova,Ann,7\n".encode())
    director.post(start, {"file": file})
    job = TableImport.objects.get()
    process_import(import_id=job.pk)
    page = url("import", book.club.public_id, job.public_id)
    assert '<option value="with_draw" selected>' in director.get(page).content.decode()
    director.post(page, {"act": "check", "create_unknown": "on", "public_page": "none"})
    process_import(import_id=job.pk)
    director.post(page, {"act": "take"})
    process_import(import_id=job.pk)
    nova = Player.objects.get(name="Nova")
    assert (nova.listed, nova.listed_with_draw) == (False, False)
