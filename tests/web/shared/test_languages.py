"""The language of an address: who is led where, what every page of it says, and what stays as it is without one."""

import io
import re

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from config.gate import build_refusal
from config.shared.languages import language_redirect
from config.shared.pages import SHARED_PAGES, UNSHARED_PAGES, AddressKind, address_kind
from people.addresses import split_language, with_language, without_language
from tests.factories import an_event
from tests.permissions.table import TABLE
from tests.support.asking import Site

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("path", "language", "rest"),
    [
        ("/de/e/x/", "de", "/e/x/"),
        ("/en/", "en", "/"),
        ("/de", "de", "/"),
        ("/e/de/", "", "/e/de/"),
        ("/fr/e/x/", "", "/fr/e/x/"),
        ("/DE/", "", "/DE/"),
        ("/design/", "", "/design/"),
        ("/", "", "/"),
        ("", "", ""),
        ("//de/", "", "//de/"),
    ],
)
def test_address_is_taken_apart_and_put_together(path, language, rest):
    assert split_language(path) == (language, rest)
    assert without_language(path) == rest
    assert with_language("de", path) == f"/de{rest}"


def asked(path: str, method: str = "GET", **more: str) -> dict[str, object]:
    query = path.partition("?")[2]
    return {
        "REQUEST_METHOD": method, "PATH_INFO": path.partition("?")[0], "QUERY_STRING": query, "HTTP_HOST": "testserver",
        "wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(), **more,
    }  # fmt: skip


GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-AT,en;q=0.5"}
CHOSEN = {"HTTP_COOKIE": "a=b; django_language=de"}
MESSAGE = {"HTTP_COOKIE": "messages=x"}


@pytest.mark.parametrize(
    ("path", "more", "to"),
    [
        ("/", {}, "/en/"),
        ("/", GERMAN, "/de/"),
        ("/", CHOSEN | {"HTTP_ACCEPT_LANGUAGE": "en"}, "/de/"),
        ("/", {"HTTP_ACCEPT_LANGUAGE": "fr, *"}, "/en/"),
        ("/e/abc/?division=2&x=%C3%A4", GERMAN, "/de/e/abc/?division=2&x=%C3%A4"),
        ("/e/abc/hall/?hall=key", {}, "/en/e/abc/hall/?hall=key"),
        ("/e/abc/", MESSAGE, "/en/e/abc/"),
        ("/r/list/what-if/", {}, "/en/r/list/what-if/"),
        ("/e/abc/tables.csv", GERMAN, None),  # a program that does not follow fetches it as before
        ("/de/e/abc/tables.csv", {}, None),
        ("/e/abc", GERMAN, None),  # Django adds the slash first
        ("/de", {}, "/de/"),
        ("/de/e/abc/", {"HTTP_COOKIE": "django_language=en"}, None),  # the address says which
        ("/de/direct/", {}, "/direct/"),
        ("/de/account/login/?next=/direct/", {}, "/account/login/?next=/direct/"),
        ("/de/my/token/", {}, "/my/token/"),
        ("/de/api/v1/events/", {}, "/api/v1/events/"),
        ("/de/static/css/base.css", {}, "/static/css/base.css"),
        ("/de//evil.example/direct/", {}, None),
        ("/de/nowhere/", {}, None),
        ("/nowhere/", {}, None),
        ("//evil.example/", {}, None),
        ("/direct/", GERMAN, None),
        ("/api/v1/events/", GERMAN, None),
        ("/my/token/", GERMAN, None),
        ("/e/abc/", {"HTTP_HOST": "evil.example"}, None),  # refused by Django
        ("/e/abc/", {"REQUEST_METHOD": "POST"}, None),
        ("/de/direct/clubs/new/", {"REQUEST_METHOD": "POST"}, None),
    ],
)
def test_who_is_led_where(path, more, to):
    found = language_redirect({**asked(path), **more})  # type: ignore[arg-type]
    headers = dict(found[1]) if found is not None else {}
    assert headers.get("Location") == to
    if found is not None and not path.startswith("/de"):
        assert (found[0], headers["Vary"], "Set-Cookie" in headers) == (302, "Accept-Language, Cookie", False)


@pytest.mark.parametrize(
    ("cookie", "kept"),
    [("", "django_language=de"), ("django_language=en", None), ("django_language=de", None)],
)
def test_page_of_ones_own_is_read_in_the_language_one_came_from_unless_another_was_chosen(cookie, kept):
    found = language_redirect(asked("/de/account/login/", HTTP_COOKIE=cookie))  # type: ignore[arg-type]
    assert found is not None
    given = dict(found[1]).get("Set-Cookie")
    assert (given.partition(";")[0] if given else None) == kept


def paths(resolver: URLResolver, before: str = "/", space: str = "") -> list[tuple[str, str]]:
    """Each address of the site with the name of its page."""
    found = []
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            inner = f"{space}{one.namespace}:" if one.namespace else space
            found += paths(one, before + str(one.pattern), inner)
        elif isinstance(one, URLPattern):
            found.append((before + str(one.pattern), f"{space}{one.name}"))
    return found


def test_every_address_is_for_everybody_with_a_language_or_somebodys_own_without():
    """What a `reverse` under a prefix makes is answered there or led to where it is."""
    kinds = {}
    for pattern, name in paths(get_resolver()):
        path = re.sub(r"<(?:(\w+):)?\w+>", lambda kind: "7" if kind[1] == "int" else "abc", pattern)
        if "(" not in path and "\\" not in path:
            kinds[name] = address_kind(path)
    assert AddressKind.UNKNOWN not in kinds.values()
    public = {name for name, kind in kinds.items() if kind is not AddressKind.PRIVATE}
    assert public <= set(SHARED_PAGES) | set(UNSHARED_PAGES)
    assert {name for name in SHARED_PAGES if not SHARED_PAGES[name].is_file} <= {
        name for name in kinds if kinds[name] is AddressKind.LOCALIZED
    }
    assert {"public:draws-json", "records:export", "report-page"} <= public
    assert {row.name for row in TABLE} - public >= {
        "player:me-json",
        "director:home",
        "account_login",
        "set_language",
        "api:events",
    }


@pytest.fixture
def tournament():
    return an_event(entries=2, lengths=[5]).publish()


def test_page_in_a_language_is_one_body_for_all_and_leads_on_within_it(tournament):
    site = Site()
    path = reverse("public:event", args=[tournament.event.public_id])
    german = site.visitor(**{"Accept-Language": "de"}).get(f"/de{path}")
    english = site.visitor(**{"Accept-Language": "en", "Cookie": "django_language=en"}).get(f"/de{path}")
    assert german.content == english.content
    assert (german["Vary"], german["Content-Language"]) == ("Accept-Encoding", "de")
    assert len(site.asked) == 1
    page = german.content.decode()
    alternates = dict(re.findall(r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">', page))
    whole = "http://testserver"
    assert alternates == {"en": f"{whole}/en{path}", "de": f"{whole}/de{path}", "x-default": f"{whole}{path}"}
    assert f'<link rel="canonical" href="{whole}/de{path}">' in page
    assert f'<a href="/en{path}" hreflang="en" lang="en">English</a>' in page
    links = set(re.findall(r'<a [^>]*href="(/[^"]*)"', page)) - {f"/en{path}"}
    assert {split_language(link).language for link in links} == {"de"}
    assert 'data-me="/me.json"' in page
    assert f"/de/report/?page={path}" in page
    for link in sorted(links):
        there = site.visitor().get(link)
        assert there.status_code == 200 or there["Location"] == without_language(link)


def test_address_without_a_language_leads_to_the_page_and_a_form_is_taken_at_either(tournament):
    site = Site()
    visitor = site.visitor(**{"Accept-Language": "de"})
    path = reverse("public:event", args=[tournament.event.public_id])
    led_to = visitor.get(path)
    assert (led_to.status_code, led_to["Location"], led_to["Vary"]) == (
        302,
        f"/de{path}",
        "Accept-Language, Cookie",
    )
    visitor.get("/account/login/")
    token = visitor.cookies["csrftoken"].value
    for address, language in (("/i18n/setlang/", "en"), ("/de/i18n/setlang/", "de")):
        sent = visitor.post(address, {"language": language, "next": path, "csrfmiddlewaretoken": token})
        assert (sent.status_code, sent["Location"]) == (302, path)
        assert (
            visitor.get(path)["Location"] == f"/{language}{path}"
        )  # what was chosen goes before what the browser likes
    open_since_before = visitor.get(
        path, headers={"X-Requested-With": "live"}
    )  # a redirect would be a broken line to its script
    assert open_since_before.content == visitor.get(f"/de{path}").content
    assert "X-Requested-With" in open_since_before["Vary"]
    file = visitor.get(f"{path}tables.csv")
    assert (file.status_code, file["Vary"]) == (
        200,
        "Accept-Encoding, Accept-Language, Cookie, X-Requested-With",
    )
    assert visitor.get(f"/de{path}tables.csv")["Vary"] == "Accept-Encoding"
    checked = visitor.post("/en/records/", {"csrfmiddlewaretoken": token})
    assert (checked.status_code, checked["Content-Language"]) == (422, "en")


def test_what_is_refused_is_said_in_the_language_of_the_address(tournament):
    site = Site()
    reader = site.visitor(**{"Accept-Language": "de", "Cookie": "django_language=de"})
    missing = reader.get("/en/e/nothing-of-ours/")
    assert (missing.status_code, b'<html lang="en"' in missing.content) == (404, True)
    assert b'href="/en/"' in missing.content
    assert b'<html lang="de"' in reader.get("/nothing/").content
    odd = site.visitor().get("/de/", headers={"host": "evil.example"})
    assert (odd.status_code, b'<html lang="de"' in odd.content) == (400, True)
    assert build_refusal("/de/e/abc/", 503, "site.busy") != build_refusal("/en/e/abc/", 503, "site.busy")


def test_draft_of_a_director_is_theirs_in_the_language_of_the_address():
    draft = an_event(entries=2)
    site = Site()
    director = site.visitor(**{"Accept-Language": "en"})
    director.force_login(draft.director)
    page = director.get("/de" + reverse("public:event", args=[draft.event.public_id]))
    assert (page.status_code, b'<html lang="de"' in page.content) == (200, True)
    assert ("private" in page["Cache-Control"], page["Vary"]) == (True, "Accept-Encoding, Cookie")
