"""The error of files that are no records. Problems *in* a record are findings, not exceptions."""

from __future__ import annotations

from typing import Any

from games.records.model import NO_PLACE, Place


class UnreadableRecord(Exception):
    """The bytes cannot be understood as a record; ``code`` has a message in ``games.messages``."""

    def __init__(self, code: str, params: dict[str, Any] | None = None, place: Place = NO_PLACE) -> None:
        super().__init__(code)
        self.code = code
        self.params = params or {}
        self.place = place
