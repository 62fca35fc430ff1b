"""All rating systems, as a dictionary keyed by code. PURE. An unknown code raises ``UnknownSystem``."""

from collections.abc import Mapping
from types import MappingProxyType

from rating.formulas.base import System
from rating.formulas.elo import ELO, FIBS, FIBS_FLAT
from rating.formulas.galaxy import GALAXY, GALAXY_2
from rating.formulas.glicko2 import GLICKO2, GLICKO2_LENGTH
from rating.formulas.graded import GRADED
from rating.formulas.master import MASTER, MASTER_2019

_ALL = (FIBS, FIBS_FLAT, ELO, GALAXY_2, GALAXY, GLICKO2, GLICKO2_LENGTH, MASTER_2019, MASTER, GRADED)

# Each edition is a system of its own: a list keeps its code until a director chooses another one.
SYSTEMS: Mapping[str, System] = MappingProxyType({system.code: system for system in _ALL})


class UnknownSystem(LookupError):
    """No rating system has this code."""


def get_system(code: str) -> System:
    try:
        return SYSTEMS[code]
    except KeyError:
        raise UnknownSystem(code) from None
