"""What every answer carries, and the answers that belong to no app."""

import pytest
from django.test import Client


@pytest.mark.django_db
def test_healthz_when_database_is_there_then_ok_for_any_host(client: Client, settings) -> None:
    settings.SECURE_SSL_REDIRECT = True

    answer = client.get("/healthz", headers={"host": "10.0.0.7:8000"})

    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "release": settings.RELEASE}
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_page_when_answered_then_policy_is_strict(client: Client) -> None:
    answer = client.get("/account/login/")

    policy = dict(
        part.strip().split(" ", 1) for part in answer["Content-Security-Policy"].split(";") if part.strip()
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.django_db
def test_page_when_host_is_unknown_then_400(client: Client) -> None:
    assert client.get("/account/login/", headers={"host": "elsewhere.example.org"}).status_code == 400


@pytest.mark.django_db
def test_api_description_when_asked_then_shown_without_scripts_in_the_page(client: Client) -> None:
    page = client.get("/api/v1/docs/")
    script = client.get("/api/v1/docs/?script=")
    schema = client.get("/api/v1/schema/")

    assert page.status_code == script.status_code == schema.status_code == 200
    assert "script-src 'self'" in page["Content-Security-Policy"]
    assert b"<script>" not in page.content
    assert script["Content-Type"].startswith("application/javascript")
