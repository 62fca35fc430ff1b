"""Values of public random numbers, typed with the draw or fetched before."""

from typing import Final

from django.utils import timezone

from faults import Conflict, Invalid
from tournaments.engine.lots.committed import SeedSource
from tournaments.engine.lots.randomness import (
    MAX_READ_FROM_LENGTH,
    PublicNumber,
    ValueOrigin,
    parse_drand_value,
    parse_lottery_value,
)
from tournaments.models import PublicRandomness

VALUE_FIELDS: Final = ("value", "signature", "previous", "origin", "read_from", "value_at")


def resolve_value(randomness: PublicRandomness | None, source: SeedSource) -> PublicRandomness:
    """Return the public number with its value: the fetched one, else the typed one. Not saved.

    Raises ``Conflict`` if no number was named or its time has not come, and ``Invalid`` if the typed value is
    malformed or it is not stated where it was read.
    """
    if randomness is None:
        raise Conflict("randomness.none_named", present={})
    if timezone.now() < randomness.due_at:
        raise Conflict("randomness.too_early", present={})
    if not randomness.value:
        read_from = " ".join(source.read_from.split())
        if not read_from or len(read_from) > MAX_READ_FROM_LENGTH:
            raise Invalid("randomness.read_from_missing", field="read_from", limit=MAX_READ_FROM_LENGTH)
        is_drand = randomness.drand is not None and randomness.round is not None
        value = (
            parse_drand_value(source.typed, randomness.round or 0)
            if is_drand
            else parse_lottery_value(source.typed)
        )
        set_value(randomness, value, ValueOrigin.TYPED, read_from)
    return randomness


def set_value(randomness: PublicRandomness, value: PublicNumber, origin: ValueOrigin, read_from: str) -> None:
    """Set the value and its origin on the row; the caller saves it (``VALUE_FIELDS``)."""
    randomness.value, randomness.signature, randomness.previous = value.value, value.signature, value.previous
    randomness.origin, randomness.read_from, randomness.value_at = origin, read_from, timezone.now()
