"""Which engine this site has."""

from __future__ import annotations

from games.analysis.gnubg import GnuBackgammon, program_path
from games.analysis.port import Engine
from games.analysis.sage import Sage, is_installed


def installed_engine() -> Engine | None:
    """The best one that is installed: GNU Backgammon, else Sage, which is rougher; None where there is none."""
    path = program_path()
    if path is not None:
        return GnuBackgammon(path)
    return Sage() if is_installed() else None
