"""Where drawn pages lie: compressed, in this process, and in the cache that processes share where there is one."""

import gzip
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import brotli

from people import caching

MEGABYTE: Final = 1_000_000
LEVEL: Final = 6  # of gzip: 9 takes twice as long for a hundredth
QUALITY: Final = 5  # of Brotli: a tenth to a sixth less than gzip for half a millisecond more; 9 takes ten times as long for a hundredth
WORTH_PACKING: Final = 500  # bytes
LARGEST: Final = 4 * MEGABYTE  # compressed; such a page is drawn for each visitor
HEADS: Final = 1_500  # bytes that a page takes beside its body, about
_KEPT: Final = 30  # seconds; the minute is in every stamp
_DRAWS: Final = 5  # seconds that one process may take for a page before another one draws it, too
_UNSHARED: Final = 500  # addresses without a page for everybody that are remembered
_LARGEST_UNSHARED: Final = 40_000  # bytes of an answer that is kept with such an address

Headers = list[tuple[str, str]]
# Of every drawn page; `config.shared.serve` adds those of the answer.
_OF_THE_ANSWER: Final = {"content-length", "content-encoding", "cache-control", "vary"}


class Answer(NamedTuple):
    """What the application has answered to a visitor of whom it knows nothing."""

    status: str
    headers: Headers
    body: bytes


@dataclass(slots=True)
class Unshared:
    """There is no page for everybody at this address as of ``stamp``. ``answer``: what anonymous visitors get instead, if that is the same
    for all of them. ``confirmed`` and ``epoch`` as for `Drawn`.
    """

    stamp: str
    answer: Answer | None = None
    confirmed: float = 0.0
    epoch: int = 0

    @classmethod
    def of(cls, stamp: str, answer: Answer | None) -> "Unshared":
        """Keep ``answer`` where it is a 404 or 410 that sets no cookie; every other one depends on who asks."""
        if (
            answer is None
            or answer.status[:3] not in {"404", "410"}
            or len(answer.body) > _LARGEST_UNSHARED
            or any(name.lower() == "set-cookie" for name, _ in answer.headers)
        ):
            return cls(stamp)
        return cls(stamp, answer)


@dataclass(slots=True)
class Drawn:
    """One page as it was drawn at ``stamp``; ``confirmed`` is when it was last known to be right, on this process's clock, and
    ``epoch`` how many changes this process had made by then. ``body`` is packed by gzip, which everybody reads; ``dense`` is the same by
    Brotli, once somebody has asked for it.
    """

    stamp: str
    etag: str
    headers: Headers
    body: bytes
    packed: bool
    confirmed: float = 0.0
    epoch: int = 0
    dense: bytes = b""

    @classmethod
    def of(cls, stamp: str, headers: Headers, body: bytes) -> "Drawn":
        """What the application has answered, packed if that is worth it."""
        kept = [(name, value) for name, value in headers if name.lower() not in _OF_THE_ANSWER]
        etag = next(value for name, value in kept if name.lower() == "etag")
        packed = len(body) >= WORTH_PACKING
        # Without a time in it, the same body gives the same bytes.
        return cls(stamp, etag, kept, gzip.compress(body, LEVEL, mtime=0) if packed else body, packed)

    @property
    def size(self) -> int:
        return len(self.body) * (1 + self.packed) + HEADS

    def by_brotli(self) -> bytes:
        """The body as Brotli packs it, which is done once."""
        if not self.dense:
            self.dense = brotli.compress(self.plain(), mode=brotli.MODE_TEXT, quality=QUALITY)
        return self.dense

    def plain(self) -> bytes:
        return gzip.decompress(self.body) if self.packed else self.body


class Memory:
    """Pages of this process, the least asked for leave first. Those with a query have a quarter of the room and cannot drive out the
    others: whoever asks for page after page of a list takes nothing from an event that is on.
    """

    def __init__(self, limit: int) -> None:
        self._rooms = (_Room(limit * 3 // 4), _Room(limit // 4))
        # Apart from the pages and few, so that requests for what does not exist push no page out.
        self._unshared: OrderedDict[Address, Unshared] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: "Address") -> Drawn | Unshared | None:
        return self._room(key).get(key) or self._unshared.get(key)

    def put(self, key: "Address", page: Drawn | Unshared) -> None:
        if isinstance(page, Drawn):
            self._forget_unshared(key)
            self._room(key).put(key, page)
            return
        self._room(key).drop(key)
        with self._lock:
            self._unshared[key] = page
            self._unshared.move_to_end(key)
            if len(self._unshared) > _UNSHARED:
                self._unshared.popitem(last=False)

    def drop(self, key: "Address") -> None:
        self._room(key).drop(key)
        self._forget_unshared(key)

    def _forget_unshared(self, key: "Address") -> None:
        with self._lock:
            self._unshared.pop(key, None)

    @property
    def size(self) -> int:
        """Bytes."""
        return sum(room.size for room in self._rooms)

    def _room(self, key: "Address") -> "_Room":
        return self._rooms[bool(key.query)]


class Address(NamedTuple):
    """``path`` with its language in front, ``query`` in one order, and the ``host`` for which it was drawn."""

    path: str
    query: str
    language: str
    host: str
    release: str


@dataclass(slots=True)
class _Room:
    limit: int
    size: int = 0
    pages: OrderedDict[Address, Drawn] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: Address) -> Drawn | None:
        with self.lock:
            page = self.pages.get(key)
            if page is not None:
                self.pages.move_to_end(key)
            return page

    def put(self, key: Address, page: Drawn) -> None:
        with self.lock:
            self._drop(key)
            self.pages[key] = page
            self.size += page.size
            while self.size > self.limit and self.pages:
                self._drop(next(iter(self.pages)))

    def drop(self, key: Address) -> None:
        with self.lock:
            self._drop(key)

    def _drop(self, key: Address) -> None:
        gone = self.pages.pop(key, None)
        if gone is not None:
            self.size -= gone.size


class Far:
    """The same pages in the cache of all processes, so that one draws for all: each under its stamp, for who was slow may come with an
    earlier one after a later one. Where there is none it holds nothing and everybody draws;
    while it is away (`config.caches`) what each has put there is its own.
    """

    def get(self, key: Address, stamp: str) -> Drawn | Unshared | None:
        """The page as it was drawn at this very stamp, or that there is none for everybody."""
        kept = caching.remembered("page", [*key, stamp]) if caching.reaches_others() else None
        if kept is None:
            return None
        kind, values = kept
        if kind == "unshared":
            return Unshared(stamp, Answer(*values) if values else None)
        return Drawn(*values)

    def put(self, key: Address, page: Drawn | Unshared) -> None:
        if not caching.reaches_others():
            return
        kept: tuple[str, tuple[object, ...] | None]
        if isinstance(page, Unshared):
            kept = ("unshared", tuple(page.answer) if page.answer else None)
        else:
            kept = ("drawn", (page.stamp, page.etag, page.headers, page.body, page.packed))
        caching.remember("page", [*key, page.stamp], _KEPT, kept)

    def draws_alone(self, key: Address, stamp: str) -> bool:
        """Whether nobody else is drawing this page."""
        return not caching.reaches_others() or caching.is_first("page-drawn", [*key, stamp], _DRAWS)
