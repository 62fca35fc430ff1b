"""The result of a writer: the bytes, and what the format could not hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.records.model import NO_PLACE, Place


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that the format cannot hold: code (messages are in `games.messages`), game and parameters."""

    code: str
    game: int = 0
    params: dict[str, Any] = field(default_factory=dict)
    place: Place = NO_PLACE


@dataclass(frozen=True, slots=True)
class WrittenRecord:
    data: bytes
    losses: tuple[Loss, ...] = ()
