"""The engine's own refusals: errors that pages and API know as they are, so nobody turns them into others.

The words that people read are made from the code in `tournaments/shared/words/refusals.py`; none stand here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from faults import Conflict, Invalid


class BadInput(Invalid):
    """The question makes no sense: too few entries, an entry twice, a match that is not in the bracket."""


class TransitionRefused(Conflict):
    """This action is not possible from this status: somebody else was quicker, or the page was old."""

    def __init__(self, code: str, status: str, action: str) -> None:
        super().__init__(code, present={"status": status}, status=status, action=action)

    def about(self, present: Mapping[str, Any]) -> Self:
        """The same, where the status alone would say too little of what there is now."""
        self.present = present
        return self
