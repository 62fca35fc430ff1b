"""A cache on Redis that may be unavailable.

Then all values count as missing, and each process caches for itself.

Cached values can be computed again; rate limits are counted in each process until Redis is back, which is
tried every `UNAVAILABLE_SECONDS` seconds. Values are signed, so that write access to Redis is not enough to make
this site read a forged value.
"""

import hmac
import logging
from collections.abc import Callable
from functools import cache
from typing import Any

import redis
from django.conf import settings
from django.core.cache import DEFAULT_CACHE_ALIAS, caches
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisSerializer
from redis.backoff import NoBackoff
from redis.retry import Retry

from people.away import CircuitBreaker

log = logging.getLogger(__name__)
UNAVAILABLE_SECONDS = 2.0
# Longest wait of a page for a silent cache, once in `UNAVAILABLE_SECONDS` seconds; the retry is for a stale connection.
CONNECTION_OPTIONS: dict[str, Any] = {
    "socket_connect_timeout": 0.3,
    "socket_timeout": 0.5,
    "retry": Retry(NoBackoff(), 1),
    "serializer": "config.caches.SignedSerializer",
}
_SIGNATURE_BYTES = 32
_PROBE_KEY = "config.caches.probe"


class UnreadableValue(Exception):
    """A cached value was written by another program, with another key, or by another release."""


@cache
def _key() -> bytes:
    return hmac.digest(settings.SECRET_KEY.encode(), b"config.caches", "sha256")


class SignedSerializer(RedisSerializer):
    """Django's serializer with a signature before each value.

    Integers are not signed, because Redis counts with them.
    """

    def dumps(self, obj: Any) -> Any:
        pickled: Any = super().dumps(obj)
        return pickled if isinstance(pickled, int) else hmac.digest(_key(), pickled, "sha256") + pickled

    def loads(self, data: Any) -> Any:
        try:
            return int(data)
        except ValueError:
            pass
        signature, pickled = data[:_SIGNATURE_BYTES], data[_SIGNATURE_BYTES:]
        if not hmac.compare_digest(signature, hmac.digest(_key(), pickled, "sha256")):
            raise UnreadableValue
        try:
            return super().loads(pickled)
        except (AttributeError, ImportError):  # a class that another release has moved
            raise UnreadableValue from None


_REDIS_LINK = CircuitBreaker(UNAVAILABLE_SECONDS)


class FallbackRedisCache(RedisCache):
    """Django's cache on Redis, with a local cache of the process while Redis is unavailable."""

    link = _REDIS_LINK
    speaks = True  # whether it logs that Redis is away and that it is back

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, {**params, "OPTIONS": {**CONNECTION_OPTIONS, **params.get("OPTIONS", {})}})
        self.spare: BaseCache = LocMemCache("while Redis is away", {})

    @property
    def is_away(self) -> bool:
        """Whether Redis is unavailable and the local cache of the process is in use."""
        return self.link.lost

    def _call(self, asked: Callable[..., Any], spare: Callable[..., Any], *given: Any, **more: Any) -> Any:
        if self.link.allows_request():
            try:
                if self.link.lost:
                    super().set(_PROBE_KEY, 1, 1)  # a full Redis can still be read, but would not count tries
                result = asked(*given, **more)
            except (redis.RedisError, OSError) as error:
                if self.link.record_failure() and self.speaks:
                    log.warning("Redis is away, the cache is kept in the process: %s", error)
            except UnreadableValue:
                pass
            else:
                if self.link.record_success():
                    if self.speaks:
                        log.warning("Redis is back, the cache is shared again.")
                    self.spare.clear()
                return result
        return spare(*given, **more)

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(super().add, self.spare.add, *args, **kwargs)

    def get(self, *given: Any, **more: Any) -> Any:
        return self._call(super().get, self.spare.get, *given, **more)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(super().set, self.spare.set, *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(super().touch, self.spare.touch, *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(super().delete, self.spare.delete, *args, **kwargs)

    def get_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(super().get_many, self.spare.get_many, *args, **kwargs)

    def has_key(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(super().has_key, self.spare.has_key, *args, **kwargs)

    def incr(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(super().incr, self.spare.incr, *args, **kwargs)

    def set_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(super().set_many, self.spare.set_many, *args, **kwargs)

    def delete_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(super().delete_many, self.spare.delete_many, *args, **kwargs)

    def clear(self) -> Any:
        return self._call(super().clear, self.spare.clear)


class MarkerCache(FallbackRedisCache):
    """Cache of markers that say which task messages are waiting; empty while its Redis is unavailable.

    It is in the Redis of the queues. See `people.services.hints`.
    """

    link = CircuitBreaker(UNAVAILABLE_SECONDS)
    speaks = False  # the queue logs it

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.spare = DummyCache("", {})


def ping() -> None:
    """Check that Redis answers, for monitoring. Raises the errors of its client."""
    redis_cache = caches[DEFAULT_CACHE_ALIAS]
    if isinstance(redis_cache, FallbackRedisCache):
        redis_cache._cache.get_client().ping()  # noqa: SLF001 (Django has no other way to it)
