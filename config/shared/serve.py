"""WSGI middleware for shared pages: rendered once for each version, language and release.

An unchanged page costs a look into this process's memory. Every quarter of a second the first request for a
page reads the versions of its content (`config.shared.versions`) by one statement, before session, user or
template. If they changed, one thread renders the page by calling the application as an anonymous visitor with
the ETag of the stored page: a 304 keeps it. Other requests get the page as it was less than a second ago, or
wait for that thread.

**Withdrawn content** therefore disappears here within a second, and at a proxy a moment later
(`CACHE_CONTROL`). A page is only served as it was within the last second, or as it is.

Signed-in visitors get the same page. Only shared pages are rendered here: for anything else (a draft, an
unlisted player) the request is passed on unchanged, and the application decides. That there is no shared page
is remembered under the same stamp, so such requests wait for nobody; a visitor without cookies gets the
earlier 404.
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

FRESH_SECONDS: Final = 0.25  # seconds for which a page is current without reading its versions
STALE_SECONDS: Final = 1.0  # seconds for which an earlier page may be served while a new one is rendered
WAIT_SECONDS: Final = 10.0  # seconds to wait for another thread before calling the application
# A proxy may serve a page for a second, and for one more while it revalidates.
CACHE_CONTROL: Final = "public, max-age=1, stale-while-revalidate=1"
VARY: Final = "Accept-Encoding"
# For a URL without language.
VARY_BARE: Final = "Accept-Encoding, Accept-Language, Cookie, X-Requested-With"
_POLL_SECONDS: Final = 0.02  # seconds between two looks for a page that another process renders
_UNSAFE_METHODS: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclass(slots=True)
class _PendingPage:
    """A page that one request is fetching; others for the same page wait for ``done``."""

    done: threading.Event = field(default_factory=threading.Event)
    page: RenderedPage | UnsharedPage | None = None


class SharedPages:
    """WSGI application that serves shared pages, and passes other requests on to ``application``.

    ``limit``: bytes of memory for pages in this process. ``clock``: returns seconds.
    """

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
        page_request = requested_page(environ)
        if page_request is None:
            return self._call_application(environ, start_response)
        page = self._find_page(environ, *page_request)
        if isinstance(page, RenderedPage):
            return _send_page(page, environ, start_response)
        response = _anonymous_response(page, environ)
        if response is None:
            return self.application(environ, start_response)
        start_response(response.status, list(response.headers))
        return [response.body]

    def instant_response(self, environ: "WSGIEnvironment") -> tuple[int, Headers, bytes] | None:
        """Return a complete response (status, headers, body) that needs no thread, or None.

        That is a current page in memory, a page less than a second old that is being refreshed, or a
        redirect. Makes no query and never waits, so a server may call it in its event loop.
        """
        page_request = requested_page(environ)
        if page_request is None:
            return language_redirect(environ)
        page = self.memory.get(page_request[1])
        if isinstance(page, UnsharedPage):
            response = _anonymous_response(page, environ) if self._is_fresh(page, self.clock()) else None
            return (
                None
                if response is None
                else (int(response.status[:3]), list(response.headers), response.body)
            )
        if page is None:
            return None
        if page.is_gzipped and not page.brotli_bytes and _response_coding(environ) == "br":
            return None  # compression needs a thread
        now = self.clock()
        if not (
            self._is_fresh(page, now)
            or (page_request[1] in self._flights and self._may_serve_stale(page, now))
        ):
            return None
        responses: list[tuple[str, Headers]] = []
        parts = _send_page(page, environ, lambda status, headers: responses.append((status, headers)))  # type: ignore[arg-type]
        return int(responses[0][0][:3]), responses[0][1], b"".join(parts)

    def _is_fresh(self, page: RenderedPage | UnsharedPage, now: float) -> bool:
        """Return whether the page was confirmed a moment ago, and this process has changed nothing since."""
        return page.epoch == self.epoch and now - page.confirmed_at < FRESH_SECONDS

    def _may_serve_stale(self, page: RenderedPage, now: float) -> bool:
        """Return whether the page may be served while a new one is rendered."""
        return page.epoch == self.epoch and now - page.confirmed_at < STALE_SECONDS

    def _call_application(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Call the application. After a request that may change something, no page counts as current."""
        try:
            return self.application(environ, start_response)
        finally:
            if environ["REQUEST_METHOD"] in _UNSAFE_METHODS:
                self.epoch += 1

    def _find_page(
        self, environ: "WSGIEnvironment", page: Page, key: PageAddress
    ) -> RenderedPage | UnsharedPage | None:
        """Return the page, or that there is no shared page; None if the application has to answer."""
        stored_page = self.memory.get(key)
        now = self.clock()
        if stored_page is not None and self._is_fresh(stored_page, now):
            return stored_page
        with self._lock:
            pending_page = self._flights.get(key)
            is_renderer = pending_page is None
            if pending_page is None:
                pending_page = self._flights[key] = _PendingPage()
        if not is_renderer:
            return self._wait_for_pending(pending_page, stored_page, now)
        try:
            pending_page.page = self._refresh_page(environ, page, key, stored_page)
        finally:
            with self._lock:
                del self._flights[key]
            pending_page.done.set()
        return pending_page.page

    def _wait_for_pending(
        self, pending_page: _PendingPage, stored_page: RenderedPage | UnsharedPage | None, now: float
    ) -> RenderedPage | UnsharedPage | None:
        """Return the recent page, or the result of the pending request, for which this thread waits.

        None if this process changed something since.
        """
        epoch = self.epoch
        if isinstance(stored_page, RenderedPage) and self._may_serve_stale(stored_page, now):
            return stored_page
        pending_page.done.wait(WAIT_SECONDS)
        page = pending_page.page
        return page if page is not None and page.epoch == epoch else None

    def _refresh_page(
        self,
        environ: "WSGIEnvironment",
        page: Page,
        key: PageAddress,
        stored_page: RenderedPage | UnsharedPage | None,
    ) -> RenderedPage | UnsharedPage | None:
        """Return the current page: the stored one if its versions are unchanged, else a new one.

        None if the application has to answer.
        """
        epoch, now = self.epoch, self.clock()
        try:
            stamp = current_stamp(page.keys)
        except Error:
            return None  # the application answers without its database
        if stamp is None:
            self.memory.drop(key)
            return None
        if stored_page is not None and stored_page.stamp == stamp:
            current_page: RenderedPage | UnsharedPage | None = stored_page
        else:
            current_page = self._render_once(
                environ, key, stored_page if isinstance(stored_page, RenderedPage) else None, stamp
            )
        if current_page is None:
            self.memory.drop(key)
            return None
        current_page.confirmed_at, current_page.epoch = now, epoch
        if current_page is not stored_page:
            self.memory.put(key, current_page)
        return current_page

    def _render_once(
        self, environ: "WSGIEnvironment", key: PageAddress, stored_page: RenderedPage | None, stamp: str
    ) -> RenderedPage | UnsharedPage | None:
        """Return the page as another process has rendered it at this stamp, or render it here."""
        page = self.far.get(key, stamp)
        if page is None and not self.far.claims_rendering(key, stamp):
            deadline = time.monotonic() + STALE_SECONDS
            while page is None and time.monotonic() < deadline:
                time.sleep(_POLL_SECONDS)
                page = self.far.get(key, stamp)
        if page is None:
            page = self._render_page(environ, key, stored_page, stamp)
            if page is not None:
                self.far.put(key, page)
        return page

    def _render_page(
        self, environ: "WSGIEnvironment", key: PageAddress, stored_page: RenderedPage | None, stamp: str
    ) -> RenderedPage | UnsharedPage | None:
        page_environ = _anonymous_environ(environ, key)
        if stored_page is not None:
            page_environ["HTTP_IF_NONE_MATCH"] = stored_page.etag
        response = _run_application(self.application, page_environ)
        if response is None:
            return UnsharedPage(stamp)
        if stored_page is not None and response.status.startswith("304"):
            return RenderedPage(
                stamp, stored_page.etag, stored_page.headers, stored_page.body, stored_page.is_gzipped
            )
        if response.status.startswith("200") and _is_public(response.headers):
            new_page = RenderedPage.of(stamp, response.headers, response.body)
            return new_page if len(new_page.body) <= MAX_PAGE_BYTES else UnsharedPage(stamp)
        # Errors and rate limits are temporary, so they are not stored.
        is_temporary = response.status.startswith("5") or response.status.startswith("429")
        return None if is_temporary else UnsharedPage.of(stamp, response)


def _anonymous_response(page: UnsharedPage | None, environ: "WSGIEnvironment") -> AppResponse | None:
    """Return the stored response for a visitor without cookies, or None if there is none."""
    if page is None or environ.get("HTTP_COOKIE") or environ["REQUEST_METHOD"] == "HEAD":
        return None
    return page.answer


def _anonymous_environ(environ: "WSGIEnvironment", key: PageAddress) -> "WSGIEnvironment":
    """Return the environ of an anonymous request for the page; of the visitor it has only the address."""
    path, query, language, host, _release = key
    site = urlsplit(settings.SITE_URL)
    is_secure = bool(settings.SECURE_SSL_REDIRECT) or site.scheme == "https"
    page_environ = {name: value for name, value in environ.items() if name.startswith(("wsgi.", "SERVER_"))}
    page_environ |= {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REMOTE_ADDR": environ.get("REMOTE_ADDR", ""),
        "HTTP_HOST": host,
        "HTTP_ACCEPT": "*/*",
        "HTTP_ACCEPT_LANGUAGE": language,
        "wsgi.input": io.BytesIO(),
        "wsgi.url_scheme": "https" if is_secure else "http",
    }
    if is_secure and settings.SECURE_PROXY_SSL_HEADER:
        name, value = settings.SECURE_PROXY_SSL_HEADER
        page_environ[name] = value
    return page_environ


def _run_application(application: "WSGIApplication", environ: "WSGIEnvironment") -> AppResponse | None:
    """Return the application's complete answer, or None for a streamed one."""
    response_start: list[tuple[str, Headers]] = []

    def start_response(status: str, headers: Headers, _error: object = None) -> None:
        response_start[:] = [(status, headers)]

    parts = application(environ, start_response)  # type: ignore[arg-type]
    try:
        if getattr(parts, "streaming", False):
            return None
        body = b"".join(parts)
    finally:
        close = getattr(parts, "close", None)
        if close is not None:
            close()
    return AppResponse(*response_start[0], body)


def _is_public(headers: Headers) -> bool:
    """Return whether the response is public, has an ETag, and sets no cookie."""
    header_values = {name.lower(): value for name, value in headers}
    return (
        "public" in header_values.get("cache-control", "")
        and "etag" in header_values
        and "set-cookie" not in header_values
    )


def _send_page(
    page: RenderedPage, environ: "WSGIEnvironment", start_response: "StartResponse"
) -> Iterable[bytes]:
    """Send the page, or a 304 if the visitor's copy is current. Range requests get the whole page."""
    cache_headers = [
        ("Cache-Control", CACHE_CONTROL),
        ("Vary", VARY if split_language(environ["PATH_INFO"]).language else VARY_BARE),
    ]
    if _etag_matches(environ.get("HTTP_IF_NONE_MATCH", ""), page.etag):
        start_response("304 Not Modified", [("ETag", page.etag), *cache_headers])
        return [b""]
    headers = [*page.headers, *cache_headers]
    body = page.body
    if page.is_gzipped:
        coding = _response_coding(environ)
        body = page.brotli_body() if coding == "br" else page.body if coding else page.uncompressed_body()
        if coding:
            headers.append(("Content-Encoding", coding))
    headers.append(("Content-Length", str(len(body))))
    start_response("200 OK", headers)
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]


_MAX_HEADER_LENGTH: Final = 300


def _etag_matches(if_none_match: str, etag: str) -> bool:
    """Return whether the ETag matches the header `If-None-Match` by weak comparison (RFC 9110, 13.1.2)."""
    if not if_none_match:
        return False
    bare_etag = etag.removeprefix("W/")
    return if_none_match.strip() == "*" or any(
        candidate.strip().removeprefix("W/") == bare_etag for candidate in if_none_match.split(",")
    )


def _response_coding(environ: "WSGIEnvironment") -> str:
    return _negotiated_coding(environ.get("HTTP_ACCEPT_ENCODING", "")[:_MAX_HEADER_LENGTH])


@lru_cache(maxsize=256)
def _negotiated_coding(accept_header: str) -> str:
    """Return the content coding for this header (RFC 9110, 12.5.3): ``br``, ``gzip``, or "" for none."""
    accepted_codings = {}
    for element in accept_header.lower().split(","):
        coding, _, parameters = element.strip().partition(";")
        weight = parameters.replace(" ", "").removeprefix("q=")
        accepted_codings[coding.strip()] = weight not in {"0", "0.0", "0.00", "0.000"}
    if accepted_codings.get("br"):
        return "br"
    return "gzip" if accepted_codings.get("gzip", accepted_codings.get("*", False)) else ""
