"""Storage of rendered pages: compressed, in this process, and in the shared cache if there is one."""

import gzip
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import brotli

from people import caching

MEGABYTE: Final = 1_000_000
GZIP_LEVEL: Final = 6  # of gzip: 9 takes twice as long for one percent
BROTLI_QUALITY: Final = 5  # of Brotli: 10 to 17 percent less than gzip for half a millisecond more; 9 takes ten times as long for one percent
MIN_PACKED_BYTES: Final = 500  # bytes
MAX_PAGE_BYTES: Final = 4 * MEGABYTE  # compressed; larger pages are rendered for each visitor
HEADER_BYTES: Final = 1_500  # bytes of a page beside its body, approximately
_CACHE_SECONDS: Final = 30  # seconds; the minute is part of every stamp
_RENDER_SECONDS: Final = 5  # seconds that one process may render a page before another one renders it, too
_MAX_UNSHARED: Final = 500  # addresses without a shared page that are remembered
_MAX_UNSHARED_BYTES: Final = 40_000  # bytes of an answer that is stored with such an address

Headers = list[tuple[str, str]]
# Headers not stored with a page; `config.shared.serve` adds those of the answer.
_RESPONSE_ONLY_HEADERS: Final = {"content-length", "content-encoding", "cache-control", "vary"}


class AppResponse(NamedTuple):
    """The application's response to an anonymous visitor."""

    status: str
    headers: Headers
    body: bytes


@dataclass(slots=True)
class UnsharedPage:
    """A record that an address has no shared page, as of ``stamp`` (the versions of the page's content).

    ``answer``: what all anonymous visitors get instead, if that is the same for them. ``confirmed_at`` and
    ``epoch``: as for `RenderedPage`.
    """

    stamp: str
    answer: AppResponse | None = None
    confirmed_at: float = 0.0
    epoch: int = 0

    @classmethod
    def of(cls, stamp: str, answer: AppResponse | None) -> "UnsharedPage":
        """Return the record for an address; ``answer`` is stored in it if it is a 404 or 410 without cookie.

        Any other response depends on the visitor.
        """
        if (
            answer is None
            or answer.status[:3] not in {"404", "410"}
            or len(answer.body) > _MAX_UNSHARED_BYTES
            or any(name.lower() == "set-cookie" for name, _ in answer.headers)
        ):
            return cls(stamp)
        return cls(stamp, answer)


@dataclass(slots=True)
class RenderedPage:
    """A page as it was rendered at ``stamp`` (the versions of its content).

    ``confirmed_at``: when it was last known to be current, in seconds of this process's clock. ``epoch``:
    number of changes that this process had made by then. ``body``: compressed by gzip if ``is_gzipped``.
    ``brotli_bytes``: compressed by Brotli, after the first request for it.
    """

    stamp: str
    etag: str
    headers: Headers
    body: bytes
    is_gzipped: bool
    confirmed_at: float = 0.0
    epoch: int = 0
    brotli_bytes: bytes = b""

    @classmethod
    def of(cls, stamp: str, headers: Headers, body: bytes) -> "RenderedPage":
        """Return a page made from the application's response, compressed if that is worthwhile."""
        stored_headers = [
            (name, value) for name, value in headers if name.lower() not in _RESPONSE_ONLY_HEADERS
        ]
        etag = next(value for name, value in stored_headers if name.lower() == "etag")
        is_gzipped = len(body) >= MIN_PACKED_BYTES
        # Without a time in it, the same body gives the same bytes.
        return cls(
            stamp,
            etag,
            stored_headers,
            gzip.compress(body, GZIP_LEVEL, mtime=0) if is_gzipped else body,
            is_gzipped,
        )

    @property
    def size(self) -> int:
        return len(self.body) * (1 + self.is_gzipped) + HEADER_BYTES

    def brotli_body(self) -> bytes:
        """Return the body compressed by Brotli, which is computed once."""
        if not self.brotli_bytes:
            self.brotli_bytes = brotli.compress(
                self.uncompressed_body(), mode=brotli.MODE_TEXT, quality=BROTLI_QUALITY
            )
        return self.brotli_bytes

    def uncompressed_body(self) -> bytes:
        return gzip.decompress(self.body) if self.is_gzipped else self.body


class PageMemory:
    """Store of pages in this process, up to ``limit`` bytes; the least recently used ones are dropped.

    Pages with a query have a quarter of the room and cannot displace the others.
    """

    def __init__(self, limit: int) -> None:
        self._rooms = (_PageStore(limit * 3 // 4), _PageStore(limit // 4))
        # Separate and limited, so that requests for missing addresses displace no page.
        self._unshared: OrderedDict[PageAddress, UnsharedPage] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: "PageAddress") -> RenderedPage | UnsharedPage | None:
        return self._store_for(key).get(key) or self._unshared.get(key)

    def put(self, key: "PageAddress", page: RenderedPage | UnsharedPage) -> None:
        if isinstance(page, RenderedPage):
            self._forget_unshared(key)
            self._store_for(key).put(key, page)
            return
        self._store_for(key).drop(key)
        with self._lock:
            self._unshared[key] = page
            self._unshared.move_to_end(key)
            if len(self._unshared) > _MAX_UNSHARED:
                self._unshared.popitem(last=False)

    def drop(self, key: "PageAddress") -> None:
        self._store_for(key).drop(key)
        self._forget_unshared(key)

    def _forget_unshared(self, key: "PageAddress") -> None:
        with self._lock:
            self._unshared.pop(key, None)

    @property
    def size(self) -> int:
        """Size of all stored pages in bytes."""
        return sum(store.size for store in self._rooms)

    def _store_for(self, key: "PageAddress") -> "_PageStore":
        return self._rooms[bool(key.query)]


class PageAddress(NamedTuple):
    """Key of a rendered page: ``path`` with its language prefix, ``query`` in a fixed order, and ``host``."""

    path: str
    query: str
    language: str
    host: str
    release: str


@dataclass(slots=True)
class _PageStore:
    limit: int
    size: int = 0
    pages: OrderedDict[PageAddress, RenderedPage] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: PageAddress) -> RenderedPage | None:
        with self.lock:
            page = self.pages.get(key)
            if page is not None:
                self.pages.move_to_end(key)
            return page

    def put(self, key: PageAddress, page: RenderedPage) -> None:
        with self.lock:
            self._drop(key)
            self.pages[key] = page
            self.size += page.size
            while self.size > self.limit and self.pages:
                self._drop(next(iter(self.pages)))

    def drop(self, key: PageAddress) -> None:
        with self.lock:
            self._drop(key)

    def _drop(self, key: PageAddress) -> None:
        dropped_page = self.pages.pop(key, None)
        if dropped_page is not None:
            self.size -= dropped_page.size


class SharedPageCache:
    """Rendered pages in the cache of all processes, so that one process renders for all.

    Each page is stored under its stamp, because a slow process may deliver an earlier page after a later one.
    Without a shared cache it is empty; while the cache is unavailable (`config.caches`), each process has its
    own.
    """

    def get(self, key: PageAddress, stamp: str) -> RenderedPage | UnsharedPage | None:
        """Return the page rendered at exactly this stamp, or that there is no shared page.

        None if not cached.
        """
        cached = caching.cached_value("page", [*key, stamp]) if caching.is_shared() else None
        if cached is None:
            return None
        kind, values = cached
        if kind == "unshared":
            return UnsharedPage(stamp, AppResponse(*values) if values else None)
        return RenderedPage(*values)

    def put(self, key: PageAddress, page: RenderedPage | UnsharedPage) -> None:
        if not caching.is_shared():
            return
        cached: tuple[str, tuple[object, ...] | None]
        if isinstance(page, UnsharedPage):
            cached = ("unshared", tuple(page.answer) if page.answer else None)
        else:
            cached = ("drawn", (page.stamp, page.etag, page.headers, page.body, page.is_gzipped))
        caching.cache_value("page", [*key, page.stamp], _CACHE_SECONDS, cached)

    def claims_rendering(self, key: PageAddress, stamp: str) -> bool:
        """Return whether this process should render the page, because no other process is doing so."""
        return not caching.is_shared() or caching.acquire_lock("page-drawn", [*key, stamp], _RENDER_SECONDS)
