"""Which engine this site has."""

from __future__ import annotations

from games.analysis.gnubg import GnuBackgammon, program
from games.analysis.port import Engine


def installed() -> Engine | None:
    """The best one that is installed: GNU Backgammon; None where there is none."""
    path = program()
    return GnuBackgammon(path) if path is not None else None
