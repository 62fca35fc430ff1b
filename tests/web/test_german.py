"""The site in German: what a German browser is shown, for visitors, players and directors, and on the account pages."""

import re
import shutil
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from tests.factories import an_event
from tests.support.door import code_for, with_second_factor
from tests.support.tournaments import first_match, link_of, opened, signed_in, text_of
from tools import catalogues

pytestmark = pytest.mark.django_db
GERMAN = {"accept-language": "de-DE,de;q=0.9,en;q=0.5"}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The German catalogue, compiled apart: a test run finds no compiled one in the repository and leaves none."""
    locale = tmp_path_factory.mktemp("german") / "locale"
    shutil.copytree(catalogues.LOCALE, locale, ignore=shutil.ignore_patterns("*.mo"))
    assert catalogues.compile_all(locale) == []
    return locale


@pytest.fixture(autouse=True)
def german(compiled, settings):
    settings.LOCALE_PATHS = [compiled]
    yield
    translation.activate(settings.LANGUAGE_CODE)


def visitor() -> Client:
    return Client(headers=GERMAN)


def shown(response) -> str:
    """The words of a page that says itself that it is German."""
    assert response.status_code == 200
    assert re.search(r'<html lang="de"', response.content.decode())
    assert response.headers["Content-Language"] == "de"
    return text_of(response)


def test_home_when_the_browser_speaks_german_then_in_german():
    tomorrow = timezone.now().date() + timedelta(days=1)
    opened(an_event(name="Herbstpokal", starts_on=tomorrow, ends_on=tomorrow + timedelta(days=1)))
    text = shown(visitor().get("/"))
    for words in (
        "Zum Inhalt springen",
        "Die nächsten 7 Tage",
        "Herbstpokal",
        "2 Tage",
        "Anmelden",
    ):
        assert words in text
    for words in ("Skip to content", "Next 7 days", "Sign in"):
        assert words not in text


def test_home_when_the_browser_speaks_english_then_in_english():
    response = Client(headers={"accept-language": "en"}).get("/")
    assert '<html lang="en"' in response.content.decode()
    assert "Skip to content" in text_of(response)


def test_event_says_in_german_how_it_is_played():
    tournament = an_event(
        entries=12, place="Altes Zollhaus", starts_on=date(2026, 3, 1), ends_on=date(2026, 3, 1)
    )
    tournament.publish()
    text = shown(visitor().get(reverse("public:event", args=[tournament.event.public_id])))
    for words in (
        "1. März 2026",
        "Verdopplungswürfel, Crawford-Regel, kein Jacoby, keine Beaver",
        "Freie Auslosung",
        "Startzahl",
        "Halbfinale 7 Punkte Finale 9 Punkte",
        "Läuft",
        "K.-o.-System",
    ):
        assert words in text


def test_bracket_and_match_speak_german():
    tournament = an_event(entries=5).publish()
    bracket = shown(visitor().get(reverse("public:bracket", args=[tournament.event.public_id])))
    assert "Freilos" in bracket
    assert "Finale" in bracket
    tournament.settle(first_match(tournament), "a", 2)
    final = tournament.stage.rounds.order_by("-number").first().matches.get()
    match = shown(visitor().get(reverse("public:match", args=[final.public_id])))
    assert "Sieger Match" in match
    assert "auf 9 Punkte" in match


def test_player_page_says_du_and_how_to_report():
    tournament = an_event(entries=4).publish()
    match = first_match(tournament)
    text = shown(visitor().get(reverse("player:home", args=[link_of(tournament, match, "a")])))
    for words in ("Wer hat gewonnen?", "Ich habe gewonnen", "Ergebnis senden", "Das ist deine private Seite"):
        assert words in text


def test_result_when_refused_then_the_reason_is_german():
    tournament = an_event(entries=4).publish()
    match = first_match(tournament)
    answer = visitor().post(
        reverse("player:report", args=[link_of(tournament, match, "a"), match.public_id]),
        {"mine": 3, "theirs": 1, "submission_key": "k1", "kind": "played", "winner": ""},
    )
    assert f"Keine Seite hat {match.length} Punkte" in text_of(answer)


def test_director_board_speaks_german():
    tournament = an_event(entries=8).publish()
    board = reverse("director:board", args=[tournament.event.public_id])
    text = shown(signed_in(tournament.director, **GERMAN).get(board))
    for words in (
        "Aufrufen",
        "Ergebnis",
        "nach Tisch",
        "Zu bestätigen",
        "Auslosung",
        "Meldungen",
        "Änderungsprotokoll",
        "Abmelden",
    ):
        assert words in text
    for words in ("Call", "Start ", "Entries", "Sign out"):
        assert words not in text


def test_audit_trail_tells_in_german_what_was_done_and_when():
    tournament = an_event(entries=8).publish(seed=77)
    trail = reverse("director:audit", args=[tournament.event.public_id])
    text = shown(signed_in(tournament.director, **GERMAN).get(trail))
    assert "Auslosung veröffentlicht (Startzahl 77)." in text
    assert re.search(r"\d{1,2}\. [A-ZÄ][a-zä]+ \d{4} \d\d:\d\d", text)


@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_reset_password"])
def test_entrance_says_du_like_the_rest_of_the_site(name):
    text = shown(visitor().get(reverse(name)))
    assert "Passwort" in text
    assert not re.search(r"\b(Sie|Ihr|Ihre|Ihren|Ihrem|Ihnen)\b", text)


@pytest.mark.parametrize(
    "name",
    [
        "account_email",
        "account_change_password",
        "account_reauthenticate",
        "mfa_index",
        "mfa_list_webauthn",
        "usersessions_list",
    ],
)
def test_account_pages_say_du_like_the_rest_of_the_site(name):
    tournament = an_event()
    text = shown(signed_in(tournament.director, **GERMAN).get(reverse(name), follow=True))
    assert not re.search(r"\b(Sie|Ihr|Ihre|Ihren|Ihrem|Ihnen)\b", text)


def test_pages_behind_the_second_factor_say_du_like_the_rest_of_the_site():
    director = an_event().director
    secret = with_second_factor(director)
    client = signed_in(director, **GERMAN)
    texts = [shown(client.get(reverse("account_change_password"), follow=True))]
    client.post(reverse("mfa_reauthenticate"), {"code": code_for(secret)})
    names = ("mfa_add_webauthn", "mfa_deactivate_totp", "mfa_index", "mfa_reauthenticate")
    texts += [shown(client.get(reverse(name), follow=True)) for name in names]
    assert "Bestätige, dass du es bist" in texts[0]
    assert not re.search(r"\b(Sie|Ihr|Ihre|Ihren|Ihrem|Ihnen)\b", " ".join(texts))


def test_language_when_chosen_then_it_wins_over_the_browser():
    client = Client(headers={"accept-language": "en"})
    client.post("/i18n/setlang/", {"language": "de", "next": "/"})
    assert "Zum Inhalt springen" in shown(client.get("/"))


def test_page_that_is_not_there_is_german_too():
    response = visitor().get("/nirgends/")
    assert response.status_code == 404
    assert "Seite nicht gefunden" in text_of(response)
