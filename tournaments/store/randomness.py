"""Values of public randomness, typed with the draw or fetched before."""

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


def resolve_value(named: PublicRandomness | None, source: SeedSource) -> PublicRandomness:
    """Return the open public number with its value: the fetched one, else the typed one. Not saved.

    Raises ``Conflict`` if none is open or its time has not come, and ``Invalid`` if the typed value is
    malformed or has no place where it was read.
    """
    if named is None:
        raise Conflict("randomness.none_named", present={})
    if timezone.now() < named.due_at:
        raise Conflict("randomness.too_early", present={})
    if not named.value:
        read_from = " ".join(source.read_from.split())
        if not read_from or len(read_from) > MAX_READ_FROM_LENGTH:
            raise Invalid("randomness.read_from_missing", field="read_from", limit=MAX_READ_FROM_LENGTH)
        drand = named.drand is not None and named.round is not None
        value = (
            parse_drand_value(source.typed, named.round or 0) if drand else parse_lottery_value(source.typed)
        )
        set_value(named, value, ValueOrigin.TYPED, read_from)
    return named


def set_value(named: PublicRandomness, value: PublicNumber, origin: ValueOrigin, read_from: str) -> None:
    """Set the value on the row; the caller saves it (``VALUE_FIELDS``)."""
    named.value, named.signature, named.previous = value.value, value.signature, value.previous
    named.origin, named.read_from, named.value_at = origin, read_from, timezone.now()
