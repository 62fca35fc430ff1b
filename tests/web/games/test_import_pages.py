"""Imports on the web: for directors of the club alone."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from games.models import RecordImport
from games.services.imports import process_import
from tests.factories import a_club, a_user
from tests.services.games.test_imports import season

pytestmark = pytest.mark.django_db(transaction=True)


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def club():
    return a_club()


@pytest.fixture
def owner(club):
    return signed_in(club.memberships.get().user)


def send(client, club, content, name="season.zip"):
    data = {"club": club.public_id, "file": SimpleUploadedFile(name, content)}
    return client.post(reverse("games:imports"), data)


def test_archive_leads_to_its_report(owner, club):
    response = send(owner, club, season(3, **{"prose.txt": "x y z"}))
    batch = RecordImport.objects.get()
    address = reverse("games:import", args=[batch.public_id])
    assert response["Location"] == address
    waiting = owner.get(address).content.decode()
    assert "0 of 4" in waiting
    assert "data-live=" in waiting
    process_import(batch_id=batch.pk)
    html = owner.get(address).content.decode()
    assert "4 of 4" in html
    assert "data-live=" not in html
    assert "Left 0 – Right" in html
    assert "No game record was found in this file" in html
    only = owner.get(address, {"show": "unreadable"}).content.decode()
    assert "prose.txt" in only
    assert "000.mat" not in only
    viewer = owner.get(reverse("games:import-file", args=[batch.public_id, 1])).content.decode()
    assert "Left 1" in viewer


def test_unchanged_report_costs_nothing(owner, club):
    send(owner, club, season(1))
    address = reverse("games:import", args=[RecordImport.objects.get().public_id])
    owner.get(address)
    etag = owner.get(address)["ETag"]
    assert owner.get(address, headers={"If-None-Match": etag}).status_code == 304
    process_import(batch_id=RecordImport.objects.get().pk)
    assert owner.get(address, headers={"If-None-Match": etag}).status_code == 200


def test_what_is_no_archive_is_refused_beside_the_field(owner, club):
    response = send(owner, club, b"no archive")
    assert response.status_code == 422
    assert "not a zip archive" in response.content.decode()
    assert owner.post(reverse("games:imports"), {"club": "nobody"}).status_code == 422
    assert not RecordImport.objects.exists()


def test_others_see_and_do_nothing(owner, club):
    send(owner, club, season(1))
    batch = RecordImport.objects.get()
    process_import(batch_id=batch.pk)
    addresses = [
        reverse("games:import", args=[batch.public_id]),
        reverse("games:import-file", args=[batch.public_id, 0]),
    ]
    other = signed_in(a_club().memberships.get().user)
    for address in addresses:
        assert Client().get(address).status_code == 302
        assert signed_in(a_user()).get(address).status_code == 404
        assert other.get(address).status_code == 404
    assert Client().get(reverse("games:imports")).status_code == 302
    assert signed_in(a_user()).get(reverse("games:imports")).status_code == 403
    assert batch.public_id not in other.get(reverse("games:imports")).content.decode()
    assert send(other, club, season(2)).status_code == 422


def test_missing_file_and_import_are_missing(owner, club):
    send(owner, club, season(1))
    batch = RecordImport.objects.get()
    assert owner.get(reverse("games:import-file", args=[batch.public_id, 77])).status_code == 404
    assert owner.get(reverse("games:import", args=["nothing"])).status_code == 404
