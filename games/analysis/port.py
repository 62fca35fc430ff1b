"""What an engine is to us, and how it fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from games.records.analysis import Analysis
from games.records.model import Record
from games.records.replaying import Replay

# Called with the number of games that are done, from time to time.
Progress = Callable[[int], None]

NO_ENGINE: Final = "analysis.no_engine"
LIMIT: Final = "analysis.limit"
MISREAD: Final = "analysis.misread"
BROKEN: Final = "analysis.broken"
NOT_FIT: Final = "analysis.not_fit"


class EngineError(Exception):
    """Why there is no analysis: one of the codes above; ``params`` for whoever reads the log."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class Engine(Protocol):
    """An engine at one level. ``rates``: good enough to estimate a performance rating from."""

    @property
    def code(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def level(self) -> str: ...
    @property
    def rates(self) -> bool: ...

    def analyse(self, record: Record, replay: Replay, progress: Progress) -> Analysis:
        """What it thinks of a record that was replayed; turns are the record's own. Raises `EngineError`."""
        ...
