"""Public randomness that is mixed into a draw: a number that did not exist when its source was named.

Before the draw a director names the source: a round of the drand network (https://drand.love), or a lottery
number. The source is hashed together with the commitment to the server's secret and the hash of the closed
list: one hash, to be noted by witnesses. When the value is due it is fetched or typed; the seed is SHA-256 of
"<secret>|public <value>|<SHA-256 of the list>" (`committed.derive_seed`).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from tournaments.engine.errors import BadInput

MIN_LEAD_TIME: Final = timedelta(minutes=1)
MAX_LEAD_TIME: Final = timedelta(days=366)
MAX_LABEL_LENGTH: Final = 160
MAX_VALUE_LENGTH: Final = 80
MAX_READ_FROM_LENGTH: Final = 200
MAX_PASTED_LENGTH: Final = 2000
_HEX: Final = re.compile(r"[0-9a-f]+")
_WORD: Final = re.compile(r"[0-9A-Za-z]+")
_DIGEST_LENGTH: Final = 64  # hexadecimal digits of a SHA-256


class RandomnessKind(StrEnum):
    """Where a public random number comes from: the drand network, or a lottery."""

    DRAND = "drand"
    LOTTERY = "lottery"


class ValueOrigin(StrEnum):
    """How the public number was obtained; ``NONE``: it has not been obtained."""

    NONE = ""
    TYPED = "typed"
    FETCHED = "fetched"


@dataclass(frozen=True, slots=True)
class DrandNetwork:
    """A drand network, which publishes random numbers in rounds.

    Round 1 was at ``genesis`` (Unix seconds), and another one follows every ``period`` seconds.
    """

    hash: str
    name: str
    genesis: int
    period: int

    def round_at(self, at: datetime) -> int:
        """Return the number of the first round that the network publishes at ``at`` or later."""
        return 1 + max(0, -(-(int(at.timestamp()) - self.genesis) // self.period))

    def time_of(self, number: int) -> datetime:
        """Return when the round of this number is published."""
        return datetime.fromtimestamp(self.genesis + (number - 1) * self.period, UTC)


QUICKNET: Final = DrandNetwork(
    "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971", "quicknet", 1692803367, 3
)
DEFAULT_NETWORK: Final = DrandNetwork(
    "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce", "default", 1595431050, 30
)
NETWORKS: Final = {network.hash: network for network in (QUICKNET, DEFAULT_NETWORK)}


@dataclass(frozen=True, slots=True)
class RandomnessChoice:
    """The source of a public number that a director names, and when the number is due.

    ``label``: describes the number of a lottery; ``network``: the hash of the drand network.
    """

    kind: RandomnessKind
    due_at: datetime
    label: str = ""
    network: str = QUICKNET.hash


@dataclass(frozen=True, slots=True)
class PublicNumber:
    """A public random number.

    ``signature``: that of the drand round; ``previous``: the signature of the round before, in a network that
    chains rounds. Both are empty if not given.
    """

    value: str
    signature: str = ""
    previous: str = ""


def parse_drand_value(text: str, number: int) -> PublicNumber:
    """Return the number of a drand round from its JSON, or from the number alone (64 hexadecimal digits).

    `number`: which round it has to be. Raises `BadInput` for another round, and if the number is not the
    SHA-256 of the signature.
    """
    text = text.strip()
    if not text.startswith("{"):
        value = text.lower()
        if len(value) != _DIGEST_LENGTH or not _HEX.fullmatch(value):
            raise BadInput("randomness.value_odd")
        return PublicNumber(value)
    try:
        document: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput("randomness.value_odd") from None
    signature, previous = _check_hex(document, "signature"), _check_hex(document, "previous_signature")
    if document.get("round") != number:
        raise BadInput("randomness.other_round", round=number)
    value = drand_number(signature)
    if not signature or document.get("randomness", value) != value:
        raise BadInput("randomness.value_odd")
    return PublicNumber(value, signature, previous)


def drand_number(signature: str) -> str:
    """Return the random number of a drand round: SHA-256 of its signature."""
    return sha256(bytes.fromhex(signature)).hexdigest()


def parse_lottery_value(text: str) -> PublicNumber:
    """Return a lottery number as uniform text: its groups of letters and digits, separated by spaces.

    Raises `BadInput` if it is empty or too long.

    >>> parse_lottery_value(" 3, 17 - 24; Z4 ").value
    '3 17 24 z4'
    """
    value = " ".join(_WORD.findall(text)).lower()
    if not value or len(value) > MAX_VALUE_LENGTH:
        raise BadInput("randomness.number_odd", limit=MAX_VALUE_LENGTH)
    return PublicNumber(value)


def _check_hex(document: Any, name: str) -> str:
    text = document.get(name, "") if isinstance(document, dict) else None
    if not isinstance(text, str) or len(text) > 192 or len(text) % 2 or (text and not _HEX.fullmatch(text)):
        raise BadInput("randomness.value_odd")
    return text
