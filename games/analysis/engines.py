"""The choice of the analysis engine of this site."""

from __future__ import annotations

from games.analysis.gnubg import GnuBackgammon, program_path
from games.analysis.port import Engine
from games.analysis.sage import Sage, is_installed


def installed_engine() -> Engine | None:
    """Return the best installed engine (GNU Backgammon, else the less accurate Sage), or None."""
    path = program_path()
    if path is not None:
        return GnuBackgammon(path)
    return Sage() if is_installed() else None
