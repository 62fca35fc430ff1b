"""*My event, now*: one file that a director takes along, with all that is needed if the site goes."""

import io
import re
import zipfile

import pytest
from django.test import Client
from django.urls import reverse

from people.signing import current_public_key, parse_keys
from tests.factories import an_event
from tests.support.door import sign_in
from tournaments.backups.services.archive import ArchiveKind, open_archive

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[3, 3]).publish()


def test_file_when_a_director_takes_it_then_papers_lists_and_the_signed_event(tournament, tmp_path):
    tournament.settle(tournament.playable()[0], "a", 2)
    client = Client()
    sign_in(client, tournament.director)
    page = client.get(reverse("director:papers", args=[tournament.event.public_id]))
    address = reverse("bundles:event", args=[tournament.event.public_id])
    assert address in page.content.decode()
    answer = client.get(address)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        names = set(file.namelist())
        assert names == {
            f"{tournament.event.public_id}.bundle", "1-draw.html", "1-attendance.html", "1-places.html", "1-entries.csv", "index.html",
        }  # fmt: skip
        draw = file.read("1-draw.html").decode()
        start = file.read("index.html").decode()
        assert set(re.findall(r'href="([^"]+)"', start)) == names - {
            "index.html",
            f"{tournament.event.public_id}.bundle",
        }
        assert f"{tournament.event.public_id}.bundle" in start
        file.extract(f"{tournament.event.public_id}.bundle", tmp_path)
        entries = file.read("1-entries.csv").decode()
    for name in (entry.name for entry in tournament.division.entries.all()):
        assert name in draw
        assert name in entries
    assert ".paper-table" in draw
    assert "As of" in draw
    assert "src=" not in draw
    assert "<link" not in draw
    with open_archive(tmp_path / f"{tournament.event.public_id}.bundle", ArchiveKind.BUNDLE) as bundle:
        assert bundle.manifest.subject == tournament.event.public_id
        assert bundle.manifest.key == current_public_key()


def test_keys_of_the_site_when_asked_for_then_the_one_that_signs_is_among_them():
    assert current_public_key() in parse_keys(Client().get("/.well-known/crawford").content.decode())
