"""The interface of engines, and their errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from games.records.analysis import Analysis
from games.records.model import Record
from games.records.replaying import Replay

# Called with the number of finished games, from time to time.
Progress = Callable[[int], None]

NO_ENGINE: Final = "analysis.no_engine"
LIMIT: Final = "analysis.limit"
MISREAD: Final = "analysis.misread"
BROKEN: Final = "analysis.broken"
NOT_FIT: Final = "analysis.not_fit"


class EngineError(Exception):
    """A failed analysis, with one of the codes above; ``params`` for the log."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class Engine(Protocol):
    """An engine at one level. ``rates``: accurate enough to estimate a performance rating."""

    @property
    def code(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def level(self) -> str: ...
    @property
    def rates(self) -> bool: ...

    def analyse(self, record: Record, replay: Replay, progress: Progress) -> Analysis:
        """Return the analysis of a replayed record, by the record's own turns. Raises ``EngineError``."""
        ...
