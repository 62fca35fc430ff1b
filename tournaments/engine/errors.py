"""Errors of the engine; pages and API handle them directly, without translation.

Their messages are made from the code in `tournaments/shared/words/refusals.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from faults import Conflict, Invalid


class BadInput(Invalid):
    """The arguments are not valid: too few entries, an entry twice, a match that is not in the bracket."""


class TransitionRefused(Conflict):
    """The action is not possible in the present status, for example because the page was out of date."""

    def __init__(self, code: str, status: str, action: str) -> None:
        super().__init__(code, present={"status": status}, status=status, action=action)

    def about(self, present: Mapping[str, Any]) -> Self:
        """Replace the description of the present state and return the error.

        Used where the status alone does not describe the present state.
        """
        self.present = present
        return self
