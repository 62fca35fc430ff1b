"""The one way to the cache: what is kept there belongs to the release that made it.

A cache pickles what it is given, and outlives an update where it is a server of its own (Redis). Another release's code might
not be able to read such a value, or read it wrongly; so each key holds the release, and another release finds nothing. What is
kept can be made again at any time: nobody loses anything by that.

Nothing else imports Django's cache (`tests/architecture`).
"""

import hashlib
import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final, TypeVar, cast

from django.conf import settings
from django.core.cache import DEFAULT_CACHE_ALIAS, cache, caches
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.locmem import LocMemCache

from people import audience
from people.watched import count_cache_lookups

Value = TypeVar("Value")
Key = TypeVar("Key", bound=Hashable)
MISSING: Final = object()


def cache_key(name: str, parts: Iterable[object]) -> str:
    """The key of what ``name`` is for these parts, compared by their text, in this release and for whom names are read now."""
    return _hashed_key(name, [audience.current_audience(), *parts])


def _hashed_key(name: str, parts: Iterable[object]) -> str:
    """The same whoever reads: of what holds no names."""
    seen = json.dumps([settings.RELEASE, *map(str, parts)])
    return f"{name}:{hashlib.sha256(seen.encode()).hexdigest()[:32]}"


def get_or_compute(name: str, parts: Iterable[object], seconds: int, make: Callable[[], Value]) -> Value:
    """The value kept for these parts, or else ``make()``, kept for so many seconds."""
    key = cache_key(name, parts)
    found = cache.get(key, MISSING)
    count_cache_lookups(1, int(found is MISSING))
    if found is MISSING:
        found = make()
        cache.set(key, found, seconds)
    return cast("Value", found)


def get_or_compute_many(
    name: str,
    parts: Mapping[Key, Iterable[object]],
    seconds: int,
    make: Callable[[list[Key]], Mapping[Key, Value]],
) -> dict[Key, Value]:
    """The same for several at once, in their order: ``make`` is asked once, for those that are not kept."""
    keys = {one: cache_key(name, of_one) for one, of_one in parts.items()}
    found = cache.get_many(keys.values())
    missing = [one for one, key in keys.items() if key not in found]
    count_cache_lookups(len(keys), len(missing))
    fresh = make(missing) if missing else {}
    if fresh:
        cache.set_many({keys[one]: value for one, value in fresh.items()}, seconds)
    return {one: found[key] if key in found else fresh[one] for one, key in keys.items()}


def cache_value(name: str, parts: Iterable[object], seconds: int, value: object) -> None:
    cache.set(cache_key(name, parts), value, seconds)


def cached_value(name: str, parts: Iterable[object]) -> Any:
    """What ``cache_value`` was told, or None."""
    return cache.get(cache_key(name, parts))


def cached_values(name: str, parts: Iterable[Iterable[object]]) -> list[Any]:
    """The same for several at once, in their order."""
    keys = [cache_key(name, one) for one in parts]
    found = cache.get_many(keys)
    return [found.get(key) for key in keys]


def increment_counter(name: str, parts: Iterable[object], seconds: int) -> int:
    """How often this was asked, with this time, in a period of so many seconds."""
    key = _hashed_key(name, parts)
    if cache.add(key, 1, seconds):
        return 1
    try:
        return int(cache.incr(key))
    except ValueError:  # it ran out in between
        cache.set(key, 1, seconds)
        return 1


def is_shared() -> bool:
    """Whether other processes see what is kept: the cache is a server of its own."""
    return not isinstance(caches[DEFAULT_CACHE_ALIAS], DummyCache | LocMemCache)


def is_shared_now() -> bool:
    """The same at this moment: such a server may be away."""
    return is_shared() and not getattr(caches[DEFAULT_CACHE_ALIAS], "is_away", False)


def acquire_lock(name: str, parts: Iterable[object], seconds: int) -> bool:
    """Whether nobody has said the same in so many seconds: for what one process shall do for all."""
    return bool(cache.add(_hashed_key(name, parts), 1, seconds))
