"""Where the random seed of a draw comes from, designed so that it cannot have been chosen.

- *Server.* A secret of 256 bits is created in advance, and its SHA-256 is public (the commitment). At the
  draw the list is frozen; the seed is SHA-256 of "<secret>|<SHA-256 of the list>", and the secret is
  published.
- *Public.* As with the server, and a number that did not exist when it was named (`randomness`) is mixed in:
  the seed is SHA-256 of "<secret>|public <number>|<SHA-256 of the list>". Neither a director nor the site
  operator can have chosen it.
- *Dice.* Physical dice, rolled in public: the seed is SHA-256 of "dice <rolls>|<SHA-256 of the list>".
- *By hand.* Numbers drawn from a bag are entered; the program decides nothing. A seed for later lots is
  SHA-256 of "hand <entries in the order drawn>|<SHA-256 of the list>".
- *Typed.* The seed of an earlier draw, entered to repeat it. It proves nothing, and is marked.

A list is hashed as canonical JSON: keys in order, no spaces, ASCII. It holds ids, seeds and marks, never
names. `tools/verify_draw.py` repeats all of it without this program.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from tournaments.engine.chance import MAX_SEED, Chance, Seed, parse_seed
from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId

Json = Mapping[str, Any]

# Number of rolls of two dice for at least 64 bits: 36 equally likely rolls of distinguishable dice, 21
# unequal ones of identical dice. The number is fixed: stopping at will would allow a choice.
ROLLS_DISTINCT_DICE: Final = 13
ROLLS_IDENTICAL_DICE: Final = 16
_FACES: Final = frozenset("123456")
# The commitments of a stage have to be public for so long before a draw. In a shorter time a director can
# publish several like events unseen, draw each, and keep the one that suits.
MIN_PUBLIC_TIME: Final = timedelta(minutes=10)


class SeedSourceKind(StrEnum):
    """Where the random seed of a draw comes from (see the module)."""

    SERVER = "server"
    PUBLIC = "public"
    DICE = "dice"
    TYPED = "typed"
    HAND = "hand"


class Publicity(StrEnum):
    """Whether a commitment was public before its draw; empty if that was not recorded."""

    UNRECORDED = ""
    PUBLIC = "public"
    PRIVATE = "private"


def is_briefly_public(public_since: datetime | None, until: datetime) -> bool:
    """Return whether a commitment was public before the draw, but for less than ``MIN_PUBLIC_TIME``.

    ``until``: when the result could first be known: the time of the draw, or of the public number.
    """
    return public_since is not None and until - public_since < MIN_PUBLIC_TIME


def unbroken_public_since(
    times: Iterable[tuple[datetime | None, datetime | None]],
) -> list[datetime | None]:
    """Return for each draw of a stage, in order, since when its commitments were public without a break.

    ``times``: when the commitment was made, and since when it was public, None if it was not. A commitment
    made in public replaces that of the previous draw without a break.
    """
    result: list[datetime | None] = []
    for promised_at, public_since in times:
        continues = bool(result) and public_since is not None and public_since == promised_at
        result.append((result[-1] if continues else None) or public_since)
    return result


class DrawKind(StrEnum):
    """What was drawn.

    The bracket or the places in a schedule, the lots of a round, or the place of a late entry.
    """

    DRAW = "draw"
    ROUND = "round"
    LATE = "late"


class DrawReason(StrEnum):
    """Why a draw was made again; ``FIRST``: it is the first one."""

    FIRST = "first"
    ENTRIES = "entries"
    SETTINGS = "settings"
    MISTAKE = "mistake"
    OTHER = "other"
    UNSPECIFIED = "unsaid"


@dataclass(frozen=True, slots=True)
class SeedSource:
    """The source of a random seed that a director has chosen.

    `by`: its kind; `typed`: the dice rolls, the public number (obtained from `read_from`), or the typed seed;
    `order`: the entries in the order drawn by hand; `why`: the reason for the draw.
    """

    by: SeedSourceKind = SeedSourceKind.SERVER
    typed: str = ""
    order: tuple[EntryId, ...] = ()
    why: DrawReason = DrawReason.UNSPECIFIED
    read_from: str = ""


SERVER_SOURCE: Final = SeedSource()
# Sources that use up the secret of the stage.
SECRET_KINDS: Final = frozenset({SeedSourceKind.SERVER, SeedSourceKind.PUBLIC})


@dataclass(frozen=True, slots=True)
class SeedResult:
    """What a source has given: the random seed and, if drawn by hand, the order of the entries."""

    seed: Seed
    order: tuple[EntryId, ...] = ()

    def shuffled(self, entries: Sequence[EntryId], purpose: str) -> list[EntryId]:
        """Return the entries in random order, or in the order drawn by hand.

        `purpose`: keeps apart draws from the same seed. Raises `BadInput` if an order by hand does not
        consist of exactly these entries.
        """
        if not self.order:
            return Chance(self.seed, purpose).shuffled(entries)
        if sorted(self.order) != sorted(entries):
            raise BadInput("lot.order_odd", count=len(entries), have=len(self.order))
        return list(self.order)


def canonical_json(content: object) -> str:
    """Return the canonical text of a JSON value: keys in order, no spaces, ASCII.

    >>> canonical_json({"b": 1, "a": [None, 2]})
    '{"a":[null,2],"b":1}'
    """
    return json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)


def json_digest(content: object) -> str:
    """Return the SHA-256 of a JSON value in its canonical text, as 64 hexadecimal digits."""
    return sha256(canonical_json(content).encode()).hexdigest()


def commitment_for(secret: str) -> str:
    """Return the public commitment to a secret: SHA-256 of its 64 hexadecimal digits as text."""
    return sha256(secret.encode()).hexdigest()


def derive_seed(source: SeedSource, secret: str, list_hash: str) -> Seed:
    """Return the random seed that a source gives for a frozen list.

    `secret`: the secret of the stage; `list_hash`: the SHA-256 of the list. Raises `BadInput` if the text
    that was typed is not valid.
    """
    match source.by:
        case SeedSourceKind.SERVER:
            return _mix_seed(secret, list_hash)
        case SeedSourceKind.PUBLIC:
            return _mix_seed(f"{secret}|public {source.typed}", list_hash)
        case SeedSourceKind.DICE:
            return _mix_seed(f"dice {parse_rolls(source.typed)}", list_hash)
        case SeedSourceKind.HAND:
            return _mix_seed(f"hand {' '.join(map(str, source.order))}", list_hash)
        case SeedSourceKind.TYPED:
            try:
                return parse_seed(source.typed)
            except ValueError:
                raise BadInput("draw.seed_odd", limit=MAX_SEED) from None


def parse_rolls(text: str) -> str:
    """Return typed rolls of two dice as uniform text: "31 64 22 …".

    13 rolls of distinguishable dice, always the same one first; or 16 of identical dice, the higher face of
    which is put first, so that the order cannot be chosen. Characters between the faces are ignored. Raises
    `BadInput` for other numbers of rolls.

    >>> parse_rolls("31, 64; 22 " + "1-1 " * 10)
    '31 64 22 11 11 11 11 11 11 11 11 11 11'
    >>> parse_rolls("13" * 16)[:5]
    '31 31'
    """
    faces = [char for char in text if char.isalnum()]
    rolls = ["".join(faces[start : start + 2]) for start in range(0, len(faces), 2)]
    if set(faces) - _FACES or len(faces) % 2 or len(rolls) not in (ROLLS_DISTINCT_DICE, ROLLS_IDENTICAL_DICE):
        raise BadInput(
            "lot.rolls_odd", apart=ROLLS_DISTINCT_DICE, alike=ROLLS_IDENTICAL_DICE, have=len(rolls)
        )
    if len(rolls) == ROLLS_IDENTICAL_DICE:
        rolls = ["".join(sorted(roll, reverse=True)) for roll in rolls]
    return " ".join(rolls)


def _mix_seed(chance: str, list_hash: str) -> str:
    return sha256(f"{chance}|{list_hash}".encode()).hexdigest()
