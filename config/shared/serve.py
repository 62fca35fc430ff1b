"""In front of Django: pages for everybody, drawn once for each version, language and release, whoever asks.

Two requests in a row for an unchanged page cost a look into this process's memory. Every quarter of a second the first one to ask for a page
also asks the database for the versions of what stands on it (`config.shared.versions`), by one statement, before there is a session, a
visitor or a template. When they moved, one thread draws anew, by asking the application itself without anything of the visitor,
and with the ETag of what it has: what is the same after all is told by a 304 and kept. The others get the page as it was less than a second
ago, or wait for that one.

**What is withdrawn** is therefore gone here within a second, and at a proxy a moment later (`CACHE_CONTROL`). A page is only ever given out as
it was at a moment of the last second, or as it is.

Whoever is signed in gets the same page. Only what there is for everybody is ever drawn here, so for what there is not (a draft, a
player who left the lists) the request goes on as it came, and the application decides by who asks. That there is nothing is remembered under
the same stamp, so such requests wait for nobody; a visitor without cookies gets the 404 that was answered before.
"""

import io
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db import Error

from config.shared.asked import requested_page
from config.shared.languages import language_redirect
from config.shared.memory import (
    MAX_PAGE_BYTES,
    AppResponse,
    Headers,
    PageAddress,
    PageMemory,
    RenderedPage,
    SharedPageCache,
    UnsharedPage,
)
from config.shared.pages import Page
from config.shared.versions import current_stamp
from people.addresses import split_language

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

FRESH_SECONDS: Final = 0.25  # seconds for which a page is right without a look at its versions
STALE_SECONDS: Final = 1.0  # seconds for which an earlier page may be given out while a new one is drawn
WAIT_SECONDS: Final = (
    10.0  # seconds that somebody waits for another one's drawing before asking the application
)
# A proxy may hold a page for a second, and give it out for one more while it asks.
CACHE_CONTROL: Final = "public, max-age=1, stale-while-revalidate=1"
VARY: Final = "Accept-Encoding"
# Where the address names no language.
VARY_BARE: Final = "Accept-Encoding, Accept-Language, Cookie, X-Requested-With"
_POLL_SECONDS: Final = 0.02  # seconds between two looks for what another process draws
_UNSAFE_METHODS: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclass(slots=True)
class _PendingPage:
    """A page that one request is fetching; others for the same page wait for ``done``."""

    done: threading.Event = field(default_factory=threading.Event)
    page: RenderedPage | UnsharedPage | None = None


class SharedPages:
    """A WSGI application around ``application``; ``limit``: bytes of memory for pages in this process; ``clock``: seconds."""

    def __init__(
        self, application: "WSGIApplication", limit: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.application = application
        self.clock = clock
        self.memory = PageMemory(limit)
        self.far = SharedPageCache()
        self.epoch = 0
        self._flights: dict[PageAddress, _PendingPage] = {}
        self._lock = threading.Lock()

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        wanted = requested_page(environ)
        if wanted is None:
            return self._call_application(environ, start_response)
        found = self._find_page(environ, *wanted)
        if isinstance(found, RenderedPage):
            return _send_page(found, environ, start_response)
        answer = _anonymous_response(found, environ)
        if answer is None:
            return self.application(environ, start_response)
        start_response(answer.status, list(answer.headers))
        return [answer.body]

    def instant_response(self, environ: "WSGIEnvironment") -> tuple[int, Headers, bytes] | None:
        """The whole answer where it needs nobody's time: the page lies here and was right a moment ago, or was so within the second and
        somebody is about to know; or it is at another address. Asks no database and waits for nothing, so a server may call it in its loop.
        """
        wanted = requested_page(environ)
        if wanted is None:
            return language_redirect(environ)
        kept = self.memory.get(wanted[1])
        if isinstance(kept, UnsharedPage):
            answer = _anonymous_response(kept, environ) if self._is_fresh(kept, self.clock()) else None
            return None if answer is None else (int(answer.status[:3]), list(answer.headers), answer.body)
        if kept is None:
            return None
        if kept.is_gzipped and not kept.brotli_bytes and _response_coding(environ) == "br":
            return None  # packing takes a thread's time
        now = self.clock()
        if not (
            self._is_fresh(kept, now) or (wanted[1] in self._flights and self._may_serve_stale(kept, now))
        ):
            return None
        given: list[tuple[str, Headers]] = []
        parts = _send_page(kept, environ, lambda status, headers: given.append((status, headers)))  # type: ignore[arg-type]
        return int(given[0][0][:3]), given[0][1], b"".join(parts)

    def _is_fresh(self, kept: RenderedPage | UnsharedPage, now: float) -> bool:
        """Whether it was looked at a moment ago, and nothing was changed in this process since."""
        return kept.epoch == self.epoch and now - kept.confirmed < FRESH_SECONDS

    def _may_serve_stale(self, kept: RenderedPage, now: float) -> bool:
        """Whether it may be given out while a new one is drawn."""
        return kept.epoch == self.epoch and now - kept.confirmed < STALE_SECONDS

    def _call_application(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """To the application. Whoever has changed something sees it at once, wherever they look in this process."""
        try:
            return self.application(environ, start_response)
        finally:
            if environ["REQUEST_METHOD"] in _UNSAFE_METHODS:
                self.epoch += 1

    def _find_page(
        self, environ: "WSGIEnvironment", page: Page, key: PageAddress
    ) -> RenderedPage | UnsharedPage | None:
        """The page, or that there is none for everybody; None where the application must be asked and nothing is known."""
        kept = self.memory.get(key)
        now = self.clock()
        if kept is not None and self._is_fresh(kept, now):
            return kept
        with self._lock:
            flight = self._flights.get(key)
            mine = flight is None
            if flight is None:
                flight = self._flights[key] = _PendingPage()
        if not mine:
            return self._wait_for_pending(flight, kept, now)
        try:
            flight.page = self._refresh_page(environ, page, key, kept)
        finally:
            with self._lock:
                del self._flights[key]
            flight.done.set()
        return flight.page

    def _wait_for_pending(
        self, flight: _PendingPage, kept: RenderedPage | UnsharedPage | None, now: float
    ) -> RenderedPage | UnsharedPage | None:
        """The page as it was a moment ago, or else what the request that fetches it brings, unless something was changed here meanwhile."""
        epoch = self.epoch
        if isinstance(kept, RenderedPage) and self._may_serve_stale(kept, now):
            return kept
        flight.done.wait(WAIT_SECONDS)
        found = flight.page
        return found if found is not None and found.epoch == epoch else None

    def _refresh_page(
        self,
        environ: "WSGIEnvironment",
        page: Page,
        key: PageAddress,
        kept: RenderedPage | UnsharedPage | None,
    ) -> RenderedPage | UnsharedPage | None:
        """The page as it is now."""
        epoch, now = self.epoch, self.clock()
        try:
            stamp = current_stamp(page.keys)
        except Error:
            return None  # the application tells what it does without its database
        if stamp is None:
            self.memory.drop(key)
            return None
        if kept is not None and kept.stamp == stamp:
            found: RenderedPage | UnsharedPage | None = kept
        else:
            found = self._render_once(environ, key, kept if isinstance(kept, RenderedPage) else None, stamp)
        if found is None:
            self.memory.drop(key)
            return None
        found.confirmed, found.epoch = now, epoch
        if found is not kept:
            self.memory.put(key, found)
        return found

    def _render_once(
        self, environ: "WSGIEnvironment", key: PageAddress, kept: RenderedPage | None, stamp: str
    ) -> RenderedPage | UnsharedPage | None:
        """By another process, if one has drawn it at this stamp or is about to; else here."""
        found = self.far.get(key, stamp)
        if found is None and not self.far.claims_rendering(key, stamp):
            until = time.monotonic() + STALE_SECONDS
            while found is None and time.monotonic() < until:
                time.sleep(_POLL_SECONDS)
                found = self.far.get(key, stamp)
        if found is None:
            found = self._render_page(environ, key, kept, stamp)
            if found is not None:
                self.far.put(key, found)
        return found

    def _render_page(
        self, environ: "WSGIEnvironment", key: PageAddress, kept: RenderedPage | None, stamp: str
    ) -> RenderedPage | UnsharedPage | None:
        asked = _anonymous_environ(environ, key)
        if kept is not None:
            asked["HTTP_IF_NONE_MATCH"] = kept.etag
        answer = _run_application(self.application, asked)
        if answer is None:
            return UnsharedPage(stamp)
        if kept is not None and answer.status.startswith("304"):
            return RenderedPage(stamp, kept.etag, kept.headers, kept.body, kept.is_gzipped)
        if answer.status.startswith("200") and _is_public(answer.headers):
            drawn = RenderedPage.of(stamp, answer.headers, answer.body)
            return drawn if len(drawn.body) <= MAX_PAGE_BYTES else UnsharedPage(stamp)
        # A fault or a limit passes, whatever the stamp says: nothing is remembered of it.
        passes = answer.status.startswith("5") or answer.status.startswith("429")
        return None if passes else UnsharedPage.of(stamp, answer)


def _anonymous_response(found: UnsharedPage | None, environ: "WSGIEnvironment") -> AppResponse | None:
    """What this visitor gets without asking the application: they must be one of whom nothing is known."""
    if found is None or environ.get("HTTP_COOKIE") or environ["REQUEST_METHOD"] == "HEAD":
        return None
    return found.answer


def _anonymous_environ(environ: "WSGIEnvironment", key: PageAddress) -> "WSGIEnvironment":
    """A request for a page by nobody: of what came, nothing but the server's own values is left."""
    path, query, language, host, _release = key
    site = urlsplit(settings.SITE_URL)
    secure = bool(settings.SECURE_SSL_REDIRECT) or site.scheme == "https"
    asked = {name: value for name, value in environ.items() if name.startswith(("wsgi.", "SERVER_"))}
    asked |= {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REMOTE_ADDR": environ.get("REMOTE_ADDR", ""),
        "HTTP_HOST": host,
        "HTTP_ACCEPT": "*/*",
        "HTTP_ACCEPT_LANGUAGE": language,
        "wsgi.input": io.BytesIO(),
        "wsgi.url_scheme": "https" if secure else "http",
    }
    if secure and settings.SECURE_PROXY_SSL_HEADER:
        name, value = settings.SECURE_PROXY_SSL_HEADER
        asked[name] = value
    return asked


def _run_application(application: "WSGIApplication", environ: "WSGIEnvironment") -> AppResponse | None:
    """All of what it answers; None for what it sends part by part, which nobody keeps."""
    begun: list[tuple[str, Headers]] = []

    def start_response(status: str, headers: Headers, _error: object = None) -> None:
        begun[:] = [(status, headers)]

    parts = application(environ, start_response)  # type: ignore[arg-type]
    try:
        if getattr(parts, "streaming", False):
            return None
        body = b"".join(parts)
    finally:
        close = getattr(parts, "close", None)
        if close is not None:
            close()
    return AppResponse(*begun[0], body)


def _is_public(headers: Headers) -> bool:
    """Whether the application says so: it is public, has an ETag, and sets no cookie."""
    given = {name.lower(): value for name, value in headers}
    return "public" in given.get("cache-control", "") and "etag" in given and "set-cookie" not in given


def _send_page(
    page: RenderedPage, environ: "WSGIEnvironment", start_response: "StartResponse"
) -> Iterable[bytes]:
    """The page, or that the visitor's copy is still right. Parts of it are not given out: whoever wants one gets all of it."""
    held = [
        ("Cache-Control", CACHE_CONTROL),
        ("Vary", VARY if split_language(environ["PATH_INFO"]).language else VARY_BARE),
    ]
    if _etag_matches(environ.get("HTTP_IF_NONE_MATCH", ""), page.etag):
        start_response("304 Not Modified", [("ETag", page.etag), *held])
        return [b""]
    headers = [*page.headers, *held]
    body = page.body
    if page.is_gzipped:
        coding = _response_coding(environ)
        body = page.brotli_body() if coding == "br" else page.body if coding else page.plain()
        if coding:
            headers.append(("Content-Encoding", coding))
    headers.append(("Content-Length", str(len(body))))
    start_response("200 OK", headers)
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]


_MAX_HEADER_LENGTH: Final = 300


def _etag_matches(held: str, etag: str) -> bool:
    """Whether the visitor holds this page: compared weakly, as `If-None-Match` is (RFC 9110, 13.1.2)."""
    if not held:
        return False
    bare = etag.removeprefix("W/")
    return held.strip() == "*" or any(one.strip().removeprefix("W/") == bare for one in held.split(","))


def _response_coding(environ: "WSGIEnvironment") -> str:
    return _negotiated_coding(environ.get("HTTP_ACCEPT_ENCODING", "")[:_MAX_HEADER_LENGTH])


@lru_cache(maxsize=256)
def _negotiated_coding(accepted: str) -> str:
    """How the body may be sent (RFC 9110, 12.5.3): ``br``, which browsers take by https alone, ``gzip``, or as it is."""
    takes = {}
    for one in accepted.lower().split(","):
        coding, _, parameters = one.strip().partition(";")
        weight = parameters.replace(" ", "").removeprefix("q=")
        takes[coding.strip()] = weight not in {"0", "0.0", "0.00", "0.000"}
    if takes.get("br"):
        return "br"
    return "gzip" if takes.get("gzip", takes.get("*", False)) else ""
