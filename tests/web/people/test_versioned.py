"""The ETag of a page: the same while nothing changed, another when anything it shows did."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import translation

from config.release import release_name
from people.models import User
from people.web.versioned import page_etag, versioned_response


def a_request(path="/e/x/", etag="", user=None):
    headers = {"HTTP_IF_NONE_MATCH": etag} if etag else {}
    request = RequestFactory().get(path, **headers)
    request.user = user or AnonymousUser()
    request.session = SessionStore()
    request._messages = FallbackStorage(request)
    return request


def never():
    raise AssertionError("an unchanged page was rendered")


def test_versioned_when_nothing_changed_then_304_without_rendering():
    first = versioned_response(a_request(), [3, "a"], lambda: HttpResponse("page"))
    again = versioned_response(a_request(etag=first["ETag"]), [3, "a"], never)
    assert (first.status_code, again.status_code) == (200, 304)
    assert again["ETag"] == first["ETag"]
    assert "public" in first["Cache-Control"]
    assert first["Vary"] == "Cookie, Accept-Language"


@pytest.mark.parametrize(
    "changed",
    [
        {"versions": [4, "a"]},
        {"versions": [3, "b"]},
        {"role": "director"},
        {"user": User(pk=5)},
        {"path": "/e/x/?view=hall"},
        {"language": "de"},
        {"release": "9.9"},
    ],
)
def test_page_etag_when_anything_shown_differs_then_another_page(changed, settings):
    before = page_etag(a_request(), [3, "a"])
    settings.RELEASE = changed.get("release", settings.RELEASE)
    with translation.override(changed.get("language", "en")):
        request = a_request(path=changed.get("path", "/e/x/"), user=changed.get("user"))
        after = page_etag(request, changed.get("versions", [3, "a"]), role=changed.get("role", ""))
    assert after != before


def test_page_etag_when_a_template_is_another_then_another_page(settings, tmp_path):
    def of_code(words):
        (tmp_path / "templates").mkdir(exist_ok=True)
        (tmp_path / "templates" / "base.html").write_text(words)
        settings.RELEASE = release_name(tmp_path)
        return page_etag(a_request(), [3])

    assert of_code("<p>") == of_code("<p>") != of_code("<div>")


def test_versioned_when_signed_in_then_kept_out_of_shared_caches():
    response = versioned_response(a_request(user=User(pk=5)), [1], lambda: HttpResponse("page"))
    assert "private" in response["Cache-Control"]


def test_versioned_when_a_message_waits_then_rendered_and_not_kept():
    request = a_request()
    etag = page_etag(request, [1])
    request = a_request(etag=etag)
    request._messages.add(20, "Saved.")
    response = versioned_response(request, [1], lambda: HttpResponse("page with message"))
    assert response.status_code == 200
    assert "ETag" not in response
    assert "private" in response["Cache-Control"]
