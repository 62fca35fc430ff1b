"""The interface of analysis engines, and the codes of their errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from games.records.analysis import Analysis
from games.records.model import Record
from games.records.replaying import Replay

# Called with the number of finished games, from time to time.
Progress = Callable[[int], None]

NO_ENGINE: Final = "analysis.no_engine"
LIMIT_REACHED: Final = "analysis.limit"
MISREAD: Final = "analysis.misread"
BROKEN: Final = "analysis.broken"
NOT_FIT: Final = "analysis.not_fit"


class EngineError(Exception):
    """An analysis failed; ``code`` is one of the codes above, ``params`` are for the log."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class Engine(Protocol):
    """An analysis engine at one level of strength.

    ``rates``: True if it is accurate enough to estimate a performance rating.
    """

    @property
    def code(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def level(self) -> str: ...
    @property
    def rates(self) -> bool: ...

    def analyse(self, record: Record, replay: Replay, progress: Progress) -> Analysis:
        """Return the analysis of a record, with the record's own turns. Raises ``EngineError``.

        ``replay``: the replay of the record; ``progress``: called with the number of finished games.
        """
        ...
