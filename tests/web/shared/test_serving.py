"""Pages for everybody are drawn once, whoever asks, and never shown once they are withdrawn."""

import gzip
import threading
from concurrent.futures import ThreadPoolExecutor

import brotli
import pytest
from django.core.cache import cache
from django.urls import reverse

from config import environment
from config.shared.memory import PageAddress, RenderedPage, SharedPageCache
from config.shared.serve import CACHE_CONTROL, SharedPages
from people.models import Player
from people.services.players import update_player
from rating.services.lists import ensure_club_list
from tests.factories import a_club, an_event
from tests.support.asking import Site
from tests.support.servers import redis_url
from tests.support.tournaments import first_match
from tournaments.selectors.access.links import display_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(entries=2).publish()


@pytest.fixture
def site():
    return Site()


def url_of(tournament, page="event"):
    return "/en" + reverse(f"public:{page}", args=[tournament.event.public_id])


def test_page_when_asked_again_by_anybody_then_drawn_once(tournament, site, django_assert_num_queries):
    url = url_of(tournament)
    first = site.visitor().get(url)
    director = site.visitor()
    director.force_login(tournament.director)
    with django_assert_num_queries(0):
        again, directors = site.visitor().get(url), director.get(url)
    assert again.content == directors.content == first.content
    assert site.asked == [url]
    assert first["Cache-Control"] == CACHE_CONTROL
    assert not first.cookies
    assert "default-src 'none'" in first["Content-Security-Policy"]
    site.later()
    with django_assert_num_queries(1):
        unchanged = site.visitor().get(url, headers={"If-None-Match": first["ETag"]})
    assert (unchanged.status_code, unchanged.content, site.asked) == (304, b"", [url])


def test_page_when_something_on_it_changes_then_drawn_anew_and_once(tournament, site):
    url = url_of(tournament)
    before = site.visitor().get(url)
    tournament.settle(first_match(tournament), "a")
    site.later()
    after = site.visitor().get(url, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert after["ETag"] != before["ETag"]
    site.visitor().get(url)
    assert site.asked == [url, url]


def test_page_when_something_else_changes_then_asked_and_kept(tournament, site):
    """The keys tell that some list has other numbers; the page's own versions that it does not concern it."""
    url = url_of(tournament)
    before = site.visitor().get(url)
    ensure_club_list(club_id=a_club().pk)
    site.later()
    assert site.visitor().get(url).content == before.content
    assert site.asked == [url, url]
    site.later()
    site.visitor().get(url)
    assert site.asked == [url, url]


def test_page_when_changed_by_a_form_of_this_process_then_new_at_once(tournament, site):
    url = url_of(tournament)
    before = site.visitor().get(url)
    tournament.settle(first_match(tournament), "a")
    assert site.visitor().get(url).content == before.content  # a quarter of a second at most
    site.visitor().post(reverse("set_language"), {"language": "de"})
    assert site.visitor().get(url).content != before.content


def test_page_in_each_language_and_encoding(tournament, site):
    url = url_of(tournament)
    plain = site.visitor().get(url)
    dense = site.visitor(**{"Accept-Encoding": "gzip, deflate, br, zstd"}).get(url)
    assert brotli.decompress(dense.content) == plain.content
    assert (dense["Content-Encoding"], dense["Content-Length"]) == ("br", str(len(dense.content)))
    packed = site.visitor(**{"Accept-Encoding": "br;q=0, gzip;q=0.8"}).get(url)
    refused = site.visitor(**{"Accept-Encoding": "gzip;q=0, *"}).get(url)
    assert gzip.decompress(packed.content) == plain.content == refused.content
    assert (packed["Content-Encoding"], packed["Content-Length"]) == ("gzip", str(len(packed.content)))
    assert len(dense.content) < len(packed.content) < len(plain.content)
    german = site.visitor().get(url.replace("/en/", "/de/"))
    assert b'<html lang="de"' in german.content
    assert german["Content-Language"] == "de"
    assert site.asked == [url, german_url := url.replace("/en/", "/de/")]
    head = site.visitor().head(url)
    assert (head.content, head["Content-Length"], site.asked) == (
        b"",
        plain["Content-Length"],
        [url, german_url],
    )
    part = site.visitor().get(url, headers={"Range": "bytes=0-10"})
    assert (part.status_code, part.content) == (200, plain.content)


def test_page_when_withdrawn_then_gone_for_everybody_and_kept_by_nobody(tournament, site):
    ann = Player.objects.get(name="Ann")
    url = "/en" + reverse("public:player", args=[ann.public_id])
    assert site.visitor().get(url).status_code == 200
    assert site.memory.size > 0
    update_player(
        actor=tournament.actor, club_id=tournament.club.pk, player_id=ann.pk, name="Ann", listed=False
    )
    site.later()
    assert site.visitor().get(url).status_code == 404
    assert site.memory.size == 0
    director = site.visitor()
    director.force_login(tournament.director)
    own = director.get(url)
    assert (own.status_code, "private" in own["Cache-Control"], site.memory.size) == (200, True, 0)


def test_draft_when_its_director_looks_then_theirs_alone(site):
    draft = an_event(entries=2)
    director = site.visitor()
    director.force_login(draft.director)
    assert director.get(url_of(draft)).status_code == 200
    assert site.visitor().get(url_of(draft)).status_code == 404
    assert site.memory.size == 0


def test_hidden_name_when_a_director_asks_first_then_hidden_for_everybody(site):
    tournament = an_event(entries=2)
    ann = Player.objects.get(name="Ann")
    Player.objects.filter(pk=ann.pk).update(public_name="\ue000", version=2)
    tournament.publish()
    director = site.visitor()
    director.force_login(tournament.director)
    for page in (director.get(url_of(tournament)), site.visitor().get(url_of(tournament))):
        assert "Ann" not in page.content.decode()
        assert "Bob" in page.content.decode()


def test_message_that_waits_when_there_is_one_then_the_page_is_drawn_for_that_visitor(tournament, site):
    visitor = site.visitor()
    visitor.cookies["messages"] = "something"
    page = visitor.get(url_of(tournament))
    assert site.memory.size == 0
    assert page["Cache-Control"] != CACHE_CONTROL


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 400),
        ({"X-Forwarded-Host": "evil.example"}, 200),
        ({"X-Forwarded-Proto": "gopher"}, 200),
    ],
)
def test_request_with_an_odd_head_then_nothing_of_it_is_on_the_page(tournament, site, headers, status):
    odd = site.visitor().get(url_of(tournament), headers=headers)
    usual = site.visitor().get(url_of(tournament))
    assert odd.status_code == status
    assert b"evil" not in usual.content
    assert status == 400 or odd.content == usual.content


def test_queries_when_many_and_odd_then_one_page_and_bounded_memory(tournament):
    site = Site(limit=60_000)
    event = url_of(tournament)
    page = site.visitor().get(event)
    for query in ("utm_source=x", "a=%00&b=%ff", "=&=&", "view", ";;", "x=" + "y" * 5000):
        assert site.visitor().get(f"{event}?{query}").content == page.content or query == "view"
    assert len(site.asked) <= 2
    for number in range(12):
        site.visitor().get(f"{url_of(tournament, 'bracket')}?stage={number}&view={number}")
    assert site.memory.size <= 60_000
    assert site.memory.get(next(iter(site.memory._rooms[0].pages)))  # what has no query stayed


def test_page_of_another_release_is_never_given_out(tournament, site, settings):
    site.visitor().get(url_of(tournament))
    settings.RELEASE = "another"
    site.visitor().get(url_of(tournament))
    assert len(site.asked) == 2


def test_hall_names_by_their_key_are_kept_by_nobody(tournament, site):
    Player.objects.filter(name="Ann").update(public_name="A.")
    by_key = site.visitor().get(f"{url_of(tournament, 'hall')}?hall={display_key(tournament.event)}")
    assert "Ann" in by_key.content.decode()
    assert (site.memory.size, "private" in by_key["Cache-Control"]) == (0, True)
    site.visitor().get(url_of(tournament, "hall") + "?hall=some-key")
    assert site.memory.size == 0


def test_unlisted_event_is_shared_by_its_link_and_kept_from_search_engines(site):
    tournament = an_event(entries=2, visibility="unlisted").publish()
    for _ in range(2):
        page = site.visitor().get(url_of(tournament))
        assert (page.status_code, page["X-Robots-Tag"], page["Cache-Control"]) == (
            200,
            "noindex",
            CACHE_CONTROL,
        )
    assert len(site.asked) == 1


def test_page_where_https_is_spoken_then_http_is_led_there_and_https_is_told_to_stay(tournament, settings):
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 60
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    site, safe = Site(), {"X-Forwarded-Proto": "https"}
    assert site.visitor(**safe).get(url_of(tournament))["Strict-Transport-Security"] == "max-age=60"
    led = site.visitor().get(url_of(tournament))
    assert (led.status_code, led["Location"]) == (301, f"https://testserver{url_of(tournament)}")
    assert site.visitor(**safe).get(url_of(tournament)).status_code == 200
    assert len(site.asked) == 2


@pytest.mark.redis
def test_page_when_another_process_has_drawn_it_then_taken_from_the_cache_and_drawn_again_when_that_is_away(
    tournament, settings
):
    url, address = url_of(tournament), f"{redis_url().rpartition('/')[0]}/9"
    settings.CACHES = {
        "default": environment.cache_settings(
            {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": address}
        )
    }
    cache.clear()
    first, second = Site(), Site()
    page = first.visitor().get(url)
    assert second.visitor().get(url).content == page.content
    assert (first.asked, second.asked) == ([url], [])
    tournament.settle(first_match(tournament), "a")
    for one in (first, second):
        one.later()
    new = second.visitor().get(url)
    assert new.content != page.content
    assert first.visitor().get(url).content == new.content
    assert (first.asked, second.asked) == ([url], [url])
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1/0"}}
    third = Site()
    assert third.visitor().get(url).content == new.content
    assert third.asked == [url]


@pytest.fixture
def cache_of_all(settings, tmp_path):
    """A cache that other processes see."""
    backend = "django.core.cache.backends.filebased.FileBasedCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": str(tmp_path)}}


def test_missing_page_when_asked_again_then_answered_without_the_application_by_any_process(
    tournament, cache_of_all
):
    url = "/en" + reverse("public:way", args=[tournament.event.public_id, "nosuchentry"])
    one, other = Site(), Site()
    first = one.visitor().get(url)
    again, elsewhere = one.visitor().get(url), other.visitor().get(url)
    one.later()
    unchanged = one.visitor().get(url)
    assert {first.status_code, again.status_code, elsewhere.status_code, unchanged.status_code} == {404}
    assert first.content == again.content == elsewhere.content == unchanged.content
    assert (one.asked, other.asked) == ([url], [])
    assert one.memory.size == 0  # it takes no room from pages


def test_draft_when_its_director_looks_again_then_no_page_for_everybody_is_tried(cache_of_all):
    draft, site = an_event(entries=2), Site()
    url, director = url_of(draft), site.visitor()
    director.force_login(draft.director)
    assert director.get(url).status_code == 200
    assert site.asked == [url, url]  # for everybody, and for the director
    for _ in range(3):
        site.later()
        assert director.get(url).status_code == 200
    assert site.asked == [url] * 5
    draft.publish()
    site.later()
    assert site.visitor().get(url).status_code == 200


class Slow:
    """An application that draws a page when it is told to, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked, self.may, self.begun = 0, threading.Event(), threading.Event()

    def __call__(self, _environ, start_response):
        self.asked += 1
        self.begun.set()
        assert self.may.wait(20)
        sent = [
            ("ETag", f'W/"{self.asked}"'),
            ("Cache-Control", "public, no-cache"),
            ("Content-Type", "text/plain"),
        ]
        start_response("200 OK", sent)
        return [f"drawing {self.asked}".encode()]


def a_request(path="/en/verify/", **more):
    return {
        "REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": "", "HTTP_HOST": "testserver",
        "wsgi.url_scheme": "http", **more,
    }  # fmt: skip


def ask(site: SharedPages) -> bytes:
    """What somebody gets; the page of this address has no keys, so no database is asked."""
    return b"".join(site(a_request(), lambda _status, _headers: None))  # type: ignore[arg-type, return-value]


def test_page_when_many_ask_at_once_then_one_draws_and_the_others_wait_or_get_the_last_one():
    now = [100.0]
    slow = Slow()
    site = SharedPages(slow, 1_000_000, lambda: now[0])
    with ThreadPoolExecutor(5) as people:
        first = [people.submit(ask, site) for _ in range(5)]
        assert slow.begun.wait(20)
        slow.may.set()
        assert {one.result(20) for one in first} == {b"drawing 1"}
        assert slow.asked == 1
        assert site.instant_response(a_request()) is not None
        slow.may.clear()
        slow.begun.clear()
        kept = site.memory.get(next(iter(site.memory._rooms[0].pages)))
        kept.stamp = "something on it has changed"
        now[0] += 0.5
        assert site.instant_response(a_request()) is None
        drawing = people.submit(ask, site)
        assert slow.begun.wait(20)
        assert ask(site) == b"drawing 1"  # as it was half a second ago
        assert site.instant_response(a_request()) is not None  # and that in the loop
        now[0] += 0.6
        waiting = people.submit(ask, site)
        slow.may.set()
        assert drawing.result(20) == waiting.result(20) == b"drawing 2"
        assert slow.asked == 2


def test_page_when_a_slow_process_comes_with_an_earlier_one_then_the_later_one_is_still_there(cache_of_all):
    address = PageAddress("/en/e/x/", "", "en", "testserver", "1")
    earlier, later = (RenderedPage.of(stamp, [("ETag", stamp)], stamp.encode()) for stamp in ("1", "2"))
    quick, slow = SharedPageCache(), SharedPageCache()
    assert slow.claims_rendering(address, "1")
    assert quick.claims_rendering(address, "2")
    quick.put(address, later)
    slow.put(address, earlier)
    assert not slow.claims_rendering(address, "2")
    found = slow.get(address, "2")
    assert found is not None
    assert found.body == later.body
