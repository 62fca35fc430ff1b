"""The privacy page and the imprint: on every page's foot, true to what is stored, and by whom."""

import pytest
from django.conf import settings as site
from django.core.checks import run_checks
from django.test import Client

from config.shared.hint import HINT_COOKIE
from tests.factories import a_user
from tournaments.entries.web import showing
from tournaments.hall.web import narrowing
from tournaments.matches.web import answered
from tournaments.shared.frames import device
from tournaments.site.services.retention import RULES
from tournaments.site.web.about import COOKIES, PERIOD_TEXTS, STORED_DATA

pytestmark = pytest.mark.django_db


def text_of(path: str, language: str = "en") -> str:
    answer = Client().get(path, headers={"Accept-Language": language})
    assert answer.status_code == 200
    return answer.content.decode()


def test_every_rule_of_retention_and_every_cookie_stands_there():
    assert set(STORED_DATA) == {rule.code for rule in RULES}
    assert set(PERIOD_TEXTS) <= set(STORED_DATA)
    names = {name for group, _what, _long in COOKIES for name in group.split(", ")}
    ours = {
        showing.COOKIE,
        narrowing.COOKIE_NAME,
        device.COOKIE,
        answered.COOKIE_NAME,
        "crawford_device",
        HINT_COOKIE,
        "messages",
    }
    assert names == {site.SESSION_COOKIE_NAME, site.CSRF_COOKIE_NAME, site.LANGUAGE_COOKIE_NAME, *ours}
    page = text_of("/privacy/")
    assert "90 days after the event" in page
    assert "1 hour" in page
    german = text_of("/privacy/", "de")
    assert "90 Tage nach dem Turnier" in german
    assert "Datenschutz" in german


def test_operator_when_set_then_named_and_when_not_then_a_warning(settings, tmp_path):
    assert "has not added contact details yet" in text_of("/imprint/")
    assert [one.id for one in run_checks(include_deployment_checks=True) if one.id == "crawford.W001"]
    settings.OPERATOR_NAME = "Club <Zug>"
    settings.OPERATOR_ADDRESS = "Gasse 1 | 6300 Zug"
    settings.OPERATOR_CONTACT = "club@example.org"
    settings.OPERATOR_TEXTS = str(tmp_path)
    (tmp_path / "imprint.txt").write_text("First.\n\nSecond <b>.")
    (tmp_path / "imprint.de.txt").write_text("Erstens.")
    page = text_of("/imprint/")
    for words in (
        "Club &lt;Zug&gt;",
        "Gasse 1<br>6300 Zug",
        'href="mailto:club@example.org"',
        "<p>First.</p>",
        "Second &lt;b",
    ):
        assert words in page
    assert "Erstens." in text_of("/imprint/", "de")
    assert "First." not in text_of("/privacy/")
    assert "6300 Zug" in text_of("/privacy/")
    assert not [one for one in run_checks(include_deployment_checks=True) if one.id == "crawford.W001"]


@pytest.mark.parametrize("path", ["/", "/account/login/", "/direct/", "/privacy/", "/nowhere/"])
def test_foot_when_of_any_page_then_leads_there(path):
    browser = Client()
    if path == "/direct/":
        browser.force_login(a_user())
    page = browser.get(path).content.decode()
    assert 'href="/privacy/"' in page
    assert 'href="/imprint/"' in page


def test_privacy_when_a_mail_server_sends_then_it_says_so(settings):
    assert "E-mail is sent through a mail service" not in text_of("/privacy/")
    settings.EMAIL_HOST, settings.MAIL_BACKEND = "mail.example.org", "people.services.smtp.EmailBackend"
    assert "E-mail is sent through a mail service" in text_of("/privacy/")
