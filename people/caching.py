"""Access to the cache, with keys that belong to the release and the audience.

The cache pickles values, and as a server (Redis) it outlives an update. Another release might fail to read
such a value or misread it, so each key contains the release. Cached values can always be computed again.

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
    """Return the cache key of the value ``name`` with these parts.

    Other parts, release or audience: another key.

    Parts are compared as text.
    """
    return _hashed_key(name, [audience.current_audience(), *parts])


def _hashed_key(name: str, parts: Iterable[object]) -> str:
    """Return a cache key that is the same for all audiences, for values that contain no names of players."""
    hash_input = json.dumps([settings.RELEASE, *map(str, parts)])
    return f"{name}:{hashlib.sha256(hash_input.encode()).hexdigest()[:32]}"


def get_or_compute(name: str, parts: Iterable[object], seconds: int, compute: Callable[[], Value]) -> Value:
    """Return the value cached for these parts, or else ``make()``, cached for ``seconds``."""
    key = cache_key(name, parts)
    value = cache.get(key, MISSING)
    count_cache_lookups(1, int(value is MISSING))
    if value is MISSING:
        value = compute()
        cache.set(key, value, seconds)
    return cast("Value", value)


def get_or_compute_many(
    name: str,
    parts: Mapping[Key, Iterable[object]],
    seconds: int,
    make: Callable[[list[Key]], Mapping[Key, Value]],
) -> dict[Key, Value]:
    """Return the values of all keys of ``parts``, from the cache where possible, in the order of ``parts``.

    ``parts`` gives for each key the parts of its cache key. ``make`` is called once at most, with the keys
    that are not cached; its values are cached for ``seconds``.
    """
    keys = {item: cache_key(name, item_parts) for item, item_parts in parts.items()}
    cached = cache.get_many(keys.values())
    missing = [item for item, key in keys.items() if key not in cached]
    count_cache_lookups(len(keys), len(missing))
    computed = make(missing) if missing else {}
    if computed:
        cache.set_many({keys[item]: value for item, value in computed.items()}, seconds)
    return {item: cached[key] if key in cached else computed[item] for item, key in keys.items()}


def cache_value(name: str, parts: Iterable[object], seconds: int, value: object) -> None:
    cache.set(cache_key(name, parts), value, seconds)


def cached_value(name: str, parts: Iterable[object]) -> Any:
    """Return the value stored by ``cache_value`` for these parts, or None."""
    return cache.get(cache_key(name, parts))


def cached_values(name: str, parts: Iterable[Iterable[object]]) -> list[Any]:
    """Return the values stored by ``cache_value`` for each item of ``parts``, in order.

    None where not cached.
    """
    keys = [cache_key(name, value_parts) for value_parts in parts]
    cached = cache.get_many(keys)
    return [cached.get(key) for key in keys]


def increment_counter(name: str, parts: Iterable[object], seconds: int) -> int:
    """Add 1 to a counter and return it: the number of calls with these parts in the present period.

    A period begins with its first call and lasts ``seconds``.
    """
    key = _hashed_key(name, parts)
    if cache.add(key, 1, seconds):
        return 1
    try:
        return int(cache.incr(key))
    except ValueError:  # it expired in between
        cache.set(key, 1, seconds)
        return 1


def is_shared() -> bool:
    """Return whether the cache is a server, which other processes use, too."""
    return not isinstance(caches[DEFAULT_CACHE_ALIAS], DummyCache | LocMemCache)


def is_shared_now() -> bool:
    """Return whether the cache is a server that is reachable now."""
    return is_shared() and not getattr(caches[DEFAULT_CACHE_ALIAS], "is_away", False)


def acquire_lock(name: str, parts: Iterable[object], seconds: int) -> bool:
    """Return whether this is the first call with these parts within ``seconds``.

    For work that only one of several processes does.
    """
    return bool(cache.add(_hashed_key(name, parts), 1, seconds))
