"""Reproducible randomness: a stored seed gives the same draw on every machine and Python version.

`random.Random` guarantees that for its core generator only, not for `shuffle`; so the algorithm is defined
here:

- block i is SHA-256 of the text "crawford-chance-2|<purpose>|<seed>|<i>", read as four big-endian 64-bit
  numbers;
- a number below n is the first such number x with x < 2^64 - (2^64 mod n), taken modulo n (no bias);
- a shuffle is Fisher-Yates from the last place down, swapping place i with place `below(i + 1)`.

The purpose separates draws that share a seed. Anyone can repeat a draw with these three rules.
A seed is 64 hexadecimal digits (version 2). Draws made before committed draws existed have a whole number and
"crawford-chance-1" in the text (version 1); they must stay repeatable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from string import digits, hexdigits
from typing import Final, TypeVar

T = TypeVar("T")

Seed = int | str  # of version 1: a whole number; of version 2: 64 hexadecimal digits in lower case

_NUMBER_SEED_PREFIX: Final = "crawford-chance-1"
_DIGEST_SEED_PREFIX: Final = "crawford-chance-2"
_RANGE: Final = 1 << 64
MAX_SEED: Final = (1 << 63) - 1  # fits a database's big integer
SEED_LENGTH: Final = 64
_MAX_SEED_DIGITS: Final = len(str(MAX_SEED))


def parse_seed(text: str) -> Seed:
    """Return the random seed that ``text`` contains; raises ValueError if it is a seed of neither version.

    >>> parse_seed("42"), len(parse_seed("ab" * 32))
    (42, 64)
    """
    if len(text) == SEED_LENGTH and not set(text) - set(hexdigits.lower()):
        return text
    if 0 < len(text) <= _MAX_SEED_DIGITS and not set(text) - set(digits) and int(text) <= MAX_SEED:
        return int(text)
    raise ValueError(text)


class Chance:
    """A stream of pseudo-random numbers that depends only on the purpose and the seed."""

    __slots__ = ("_numbers",)

    def __init__(self, seed: Seed, purpose: str) -> None:
        version = _NUMBER_SEED_PREFIX if isinstance(seed, int) else _DIGEST_SEED_PREFIX
        self._numbers = _numbers(f"{version}|{purpose}|{seed}|")

    def below(self, n: int) -> int:
        """Return the next random number from 0 to n - 1, all equally likely."""
        limit = _RANGE - _RANGE % n
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
