"""The engine's own refusals: a machine code and what it was about.

The words that people read are made from the code in `tournaments/messages.py`; none stand here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass


class EngineError(Exception):
    """Something the engine will not do. `code` is stable, `params` fill the message."""

    def __init__(self, code: str, params: Mapping[str, object] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.params: dict[str, object] = dict(params or {})

    def __str__(self) -> str:
        return f"{self.code} {self.params}" if self.params else self.code


class BadInput(EngineError):
    """The question makes no sense: too few entries, an entry twice, a match that is not in the bracket."""


class TransitionRefused(EngineError):
    """This action is not possible from this status: somebody else was quicker, or the page was old."""

    def __init__(self, code: str, status: str, action: str) -> None:
        super().__init__(code, {"status": status, "action": action})
        self.status = status
        self.action = action


@dataclass(frozen=True, slots=True)
class SettingFault:
    """One thing that is wrong, in words of `messages`, and the field that it stands in."""

    code: str
    field: str
    params: Mapping[str, object] = dataclasses.field(default_factory=dict, hash=False)
