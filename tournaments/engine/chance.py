"""Chance as an argument: a stored seed gives the same draw on every machine and every Python, for ever.

`random.Random` promises that for its core only, not for `shuffle`; so the few lines are ours and written down:

- block i is SHA-256 of the text "crawford-chance-1|<purpose>|<seed>|<i>", read as four big-endian 64-bit numbers;
- a number below n is the first such number x with x < 2^64 - (2^64 mod n), taken modulo n (no bias);
- a shuffle is Fisher-Yates from the last place down, swapping place i with place `below(i + 1)`.

The purpose keeps draws apart that share a seed. Whoever distrusts a draw can repeat it with these three lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final, TypeVar

T = TypeVar("T")

_VERSION: Final = "crawford-chance-1"
_SPAN: Final = 1 << 64
MAX_SEED: Final = (1 << 63) - 1  # fits a database's big integer


class Chance:
    """A stream of numbers that depends on nothing but purpose and seed."""

    __slots__ = ("_numbers",)

    def __init__(self, seed: int, purpose: str) -> None:
        self._numbers = _numbers(f"{_VERSION}|{purpose}|{seed}|")

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, all equally likely."""
        limit = _SPAN - _SPAN % n
        return next(x for x in self._numbers if x < limit) % n

    def shuffled(self, items: Iterable[T]) -> list[T]:
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result


def _numbers(prefix: str) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(f"{prefix}{block}".encode()).digest()
        for start in range(0, 32, 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1
