"""What every answer carries, and the answers that belong to no app."""

import io
import logging
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.handlers.wsgi import WSGIHandler
from django.test import Client
from django.urls import URLResolver, get_resolver
from django.utils import timezone

from config import wsgi
from config.gate import MAX_BODY_BYTES, reject_malformed
from config.log import KeylessFormatter, RequesterFilter, without_keys
from games.services.archives import MAX_ARCHIVE_BYTES
from games.web.uploads import FORM_OVERHEAD_BYTES
from tests.factories import a_club, a_user


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
@pytest.mark.parametrize("address", ["/account/login/", "/api/v1/clubs/", "/no-such-page/"])
def test_answer_when_given_then_the_browser_keeps_camera_and_place_to_itself(
    client: Client, address: str
) -> None:
    allowed = dict(
        part.strip().split("=", 1) for part in client.get(address)["Permissions-Policy"].split(",")
    )

    assert allowed["camera"] == allowed["geolocation"] == allowed["microphone"] == "()"
    assert allowed["publickey-credentials-get"] == "(self)"


@pytest.mark.django_db
def test_security_txt_when_there_is_somebody_to_tell_then_says_whom_and_until_when(
    client: Client, settings
) -> None:
    settings.SECURITY_CONTACT = "mailto:security@club.example.org"

    answer = client.get("/.well-known/security.txt")

    lines = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert lines["Contact"] == "mailto:security@club.example.org"
    assert lines["Canonical"] == "http://testserver/.well-known/security.txt"
    left = datetime.fromisoformat(lines["Expires"]) - timezone.now()
    assert timedelta(days=88) < left < timedelta(days=365)


@pytest.mark.django_db
def test_security_txt_when_nobody_is_named_then_there_is_none(client: Client) -> None:
    assert client.get("/.well-known/security.txt").status_code == 404


def logged(path: str, client: Client, **more: str) -> str:
    """What the log says of a visit, as it is written."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(KeylessFormatter("%(levelname)s %(message)s"))
    handler.addFilter(RequesterFilter())
    logger = logging.getLogger("django.request")
    logger.addHandler(handler)
    try:
        client.get(path, **more)
    finally:
        logger.removeHandler(handler)
    return out.getvalue()


@pytest.mark.django_db
def test_log_when_a_page_is_not_allowed_then_one_line_with_address_and_user_and_no_traceback(
    client: Client,
) -> None:
    stranger = a_user("Sam Stranger")
    client.force_login(stranger)
    club = a_club()

    said = logged(f"/clubs/{club.public_id}/settings/", client, REMOTE_ADDR="203.0.113.9")

    assert said == (
        f"WARNING Forbidden (Permission denied): /clubs/{club.public_id}/settings/ [203.0.113.9, user {stranger.pk}]\n"
    )


@pytest.mark.django_db
def test_log_when_behind_a_proxy_then_the_address_that_it_tells(client: Client, settings) -> None:
    headers = {"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": "6.6.6.6, 203.0.113.9"}

    assert "[10.0.0.1, user -]" in logged("/no-such-page/", client, **headers)
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert "[203.0.113.9, user -]" in logged("/no-such-page/", client, **headers)


@pytest.mark.django_db
def test_page_when_host_is_unknown_then_400(client: Client) -> None:
    assert client.get("/account/login/", headers={"host": "elsewhere.example.org"}).status_code == 400


@pytest.mark.django_db
def test_api_description_when_asked_then_a_page_without_scripts_that_leads_to_every_value(
    client: Client,
) -> None:
    page = client.get("/api/v1/docs/")
    text = page.content.decode()

    assert page.status_code == 200
    assert "unsafe-inline" not in page["Content-Security-Policy"]
    assert "/api/v1/matches/{match}/report/" in text
    assert "“Link ” followed by the token of a personal link" in text
    assert set(re.findall('href="#([^"]+)"', text)) - {"main"} <= set(re.findall('id="([^"]+)"', text))


def through_the_door(method: str, content_type: str, query: str = "") -> tuple[str, bytes]:
    """Status line and body as the server in front of the site gets them."""
    body = b"login=a"
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "PATH_INFO": "/account/login/",
        "QUERY_STRING": query,
        "CONTENT_TYPE": content_type,
        "CONTENT_LENGTH": str(len(body)) if method == "POST" else "",
        "REMOTE_ADDR": "127.0.0.1",
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "wsgi.url_scheme": "http",
    }
    said: list[str] = []
    answer = b"".join(reject_malformed(WSGIHandler())(environ, lambda status, _headers: said.append(status)))
    return said[0], answer


ODD_TYPES = [
    *(
        f"application/x-www-form-urlencoded; charset={codec}"
        for codec in ("rot13", "unicode_escape", "utf-7", "no\0")
    ),
    "multipart/form-data; boundary=x; charset=base64",
    "text/html; charset=latin-1",
    "text/html; x*=no-such'en'a%41",
]


@pytest.mark.django_db
@pytest.mark.parametrize("odd", ODD_TYPES)
def test_request_when_it_names_another_encoding_then_a_page_is_shown_and_a_form_refused(odd: str) -> None:
    assert through_the_door("GET", odd, "next=%5cud800%5cx00")[0] == "200 OK"
    assert through_the_door("HEAD", odd, "next=a")[0] == "200 OK"
    status, words = through_the_door("POST", odd)
    assert (status, b"UTF-8" in words) == ("400 Bad Request", True)


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["utf-8", "UTF8", '"utf-8"'])
def test_form_when_it_names_utf8_then_read(charset: str) -> None:
    status, page = through_the_door("POST", f"application/x-www-form-urlencoded; charset={charset}")
    assert status == "403 Forbidden"  # the CSRF check has its say
    assert page.lstrip().startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize("size", [str(MAX_BODY_BYTES + 1), "9" * 5000])
def test_form_when_it_is_larger_than_any_page_takes_then_refused_unread(size: str) -> None:
    environ = {
        "REQUEST_METHOD": "POST",
        "CONTENT_TYPE": "multipart/form-data; boundary=x",
        "CONTENT_LENGTH": size,
    }
    said: list[str] = []
    reject_malformed(WSGIHandler())(environ, lambda status, _headers: said.append(status))
    assert said == ["413 Content Too Large"]
    assert MAX_BODY_BYTES > MAX_ARCHIVE_BYTES + FORM_OVERHEAD_BYTES


def test_door_of_the_site_is_guarded() -> None:
    assert wsgi.application.site.application.__qualname__.startswith("reject_malformed.")


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["sessionid", "csrftoken", "messages", "django_language"])
def test_cookie_when_it_holds_a_nul_then_as_if_it_were_not_there(client: Client, name: str) -> None:
    """PostgreSQL refuses to look for a session of that name."""
    client.raise_request_exception = False
    for address in ("/", "/direct/", "/records/"):
        answer = client.get(address, headers={"cookie": rf'{name}="{chr(92)}000{"a" * 40}"'})
        assert answer.status_code in {200, 302}


@pytest.mark.django_db
def test_public_page_when_answered_then_one_word_says_who_may_keep_it(client: Client) -> None:
    words = {word.strip() for word in client.get("/")["Cache-Control"].split(",")}
    assert words == {"public", "no-cache"}


@pytest.mark.parametrize(
    "line",
    [
        "Not Found: /my/abc-1.KEY/nowhere/",
        "Forbidden (CSRF token missing.): /my/abc-1.KEY/report/xyz/",
        '"POST /join/abc-1.KEY/?q=1 HTTP/1.1" 403 12',
        "Bad request (Unable to parse request body): /my/abc-1.KEY",
        "Forbidden: /account/password/reset/key/1-KEY/",
        "Not Found: /account/confirm-email/KEY/x",
        "Internal Server Error: /records/held/KEY/",
    ],
)
def test_log_when_an_address_holds_a_key_then_it_is_left_out(line: str) -> None:
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, "%s", (line,), None)
    written = KeylessFormatter("{message}", style="{").format(record)
    assert "KEY" not in written
    assert "…" in written


def addresses(resolver: URLResolver, before: str = "/") -> Iterator[str]:
    for one in resolver.url_patterns:
        address = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from addresses(one, address)
        else:
            yield address


def test_log_when_any_address_of_the_site_is_opened_by_what_it_holds_then_that_is_left_out() -> None:
    with_keys = [one for one in addresses(get_resolver()) if re.search(r"<str:(?:token|key)>", one)]

    assert len(with_keys) > 20
    assert [
        one for one in with_keys if "KEY" in without_keys(re.sub(r"<str:(?:token|key)>", "KEY", one))
    ] == []


def test_log_when_an_address_holds_no_key_then_told_as_it_is() -> None:
    record = logging.LogRecord(
        "django.request", logging.WARNING, "", 0, "Not Found: %s", ("/e/abc/mymy/x/",), None
    )
    assert KeylessFormatter().format(record) == "Not Found: /e/abc/mymy/x/"


def test_log_of_the_site_leaves_keys_out() -> None:
    made = {formatter["()"] for formatter in django_settings.LOGGING["formatters"].values()}
    assert made == {"config.log.KeylessFormatter"}


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["OPTIONS", "POST", "PUT", "DELETE", "BREW"])
def test_api_description_when_asked_oddly_then_405(client: Client, method: str) -> None:
    client.raise_request_exception = False
    assert client.generic(method, "/api/v1/docs/").status_code == 405
