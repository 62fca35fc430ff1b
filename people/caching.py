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
    """Return the key of ``name`` with these parts (compared as text), the release and the audience."""
    return _hashed_key(name, [audience.current_audience(), *parts])


def _hashed_key(name: str, parts: Iterable[object]) -> str:
    """Return a key that is the same for all audiences, for values without names."""
    hash_input = json.dumps([settings.RELEASE, *map(str, parts)])
    return f"{name}:{hashlib.sha256(hash_input.encode()).hexdigest()[:32]}"


def get_or_compute(name: str, parts: Iterable[object], seconds: int, make: Callable[[], Value]) -> Value:
    """Return the value cached for these parts, or else ``make()``, cached for ``seconds``."""
    key = cache_key(name, parts)
    value = cache.get(key, MISSING)
    count_cache_lookups(1, int(value is MISSING))
    if value is MISSING:
        value = make()
        cache.set(key, value, seconds)
    return cast("Value", value)


def get_or_compute_many(
    name: str,
    parts: Mapping[Key, Iterable[object]],
    seconds: int,
    make: Callable[[list[Key]], Mapping[Key, Value]],
) -> dict[Key, Value]:
    """Return cached values in the order of ``parts``; ``make`` is called once, for those not cached."""
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
    """Return the value set by ``cache_value``, or None."""
    return cache.get(cache_key(name, parts))


def cached_values(name: str, parts: Iterable[Iterable[object]]) -> list[Any]:
    """Return several values set by ``cache_value``, in order, None where not cached."""
    keys = [cache_key(name, value_parts) for value_parts in parts]
    cached = cache.get_many(keys)
    return [cached.get(key) for key in keys]


def increment_counter(name: str, parts: Iterable[object], seconds: int) -> int:
    """Count one more call with these parts; return the number of calls in a period of ``seconds``."""
    key = _hashed_key(name, parts)
    if cache.add(key, 1, seconds):
        return 1
    try:
        return int(cache.incr(key))
    except ValueError:  # it expired in between
        cache.set(key, 1, seconds)
        return 1


def is_shared() -> bool:
    """Return whether other processes share the cache: it is a server."""
    return not isinstance(caches[DEFAULT_CACHE_ALIAS], DummyCache | LocMemCache)


def is_shared_now() -> bool:
    """Return whether the cache is a server that is reachable now."""
    return is_shared() and not getattr(caches[DEFAULT_CACHE_ALIAS], "is_away", False)


def acquire_lock(name: str, parts: Iterable[object], seconds: int) -> bool:
    """Return whether this is the first call with these parts in ``seconds``: for work done once for all."""
    return bool(cache.add(_hashed_key(name, parts), 1, seconds))
