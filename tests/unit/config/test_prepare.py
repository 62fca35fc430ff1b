"""The demo's sign-ins, as they are written down when a site starts."""

import pytest

from people.models import User
from tools.prepare import note_sign_ins
from tournaments.checks.demo import DIRECTOR, OWNER, PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def here(settings, tmp_path, monkeypatch):
    """A folder of its own; the site is for this computer alone until a test says otherwise."""
    settings.VAR, settings.SITE_URL = tmp_path, "http://localhost:8000"
    monkeypatch.delenv("HOST", raising=False)
    for email in (DIRECTOR, OWNER):
        User.objects.create_user(email, PASSWORD)
    return tmp_path


def opens(password: str) -> bool:
    return all(User.objects.get(email=email).check_password(password) for email in (DIRECTOR, OWNER))


def test_sign_ins_when_for_this_computer_alone_then_the_known_password(here):
    note_sign_ins()

    assert PASSWORD in (here / "demo.txt").read_text()
    assert opens(PASSWORD)


@pytest.mark.parametrize("others", [{"HOST": "192.168.1.20"}, {"SITE_URL": "http://192.168.1.20:8000"}])
def test_sign_ins_when_others_come_in_then_a_password_by_chance_that_stays(
    here, settings, monkeypatch, others
):
    note_sign_ins()
    settings.SITE_URL = others.get("SITE_URL", settings.SITE_URL)
    monkeypatch.setenv("HOST", others.get("HOST", ""))

    note_sign_ins()

    said = (here / "demo.txt").read_text()
    assert PASSWORD not in said
    assert not opens(PASSWORD)
    assert opens(said.split("password ")[1].split(":")[0])
    note_sign_ins()
    monkeypatch.delenv("HOST")
    settings.SITE_URL = "http://localhost:8000"
    note_sign_ins()
    assert (here / "demo.txt").read_text() == said
    (here / "demo.txt").unlink()  # restored from a backup, on another computer
    note_sign_ins()
    assert not (here / "demo.txt").exists()


def test_sign_ins_when_the_demo_is_gone_then_nothing_is_noted(here):
    note_sign_ins()
    User.objects.all().delete()

    note_sign_ins()

    assert not (here / "demo.txt").exists()
