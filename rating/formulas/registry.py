"""The rating systems by code. PURE. An unknown code is refused loudly."""

from collections.abc import Mapping
from types import MappingProxyType

from rating.formulas.base import System
from rating.formulas.elo import ELO, FIBS, FIBS_FLAT
from rating.formulas.galaxy import GALAXY
from rating.formulas.glicko2 import GLICKO2
from rating.formulas.master import MASTER

SYSTEMS: Mapping[str, System] = MappingProxyType(
    {system.code: system for system in (FIBS, FIBS_FLAT, ELO, GALAXY, GLICKO2, MASTER)}
)


class UnknownSystem(LookupError):
    """No rating system has this code."""


def system_named(code: str) -> System:
    try:
        return SYSTEMS[code]
    except KeyError:
        raise UnknownSystem(code) from None
