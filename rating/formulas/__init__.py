"""Rating formulas. PURE: values in, values out; no framework, database, clock or chance.

Terms: a *system* is a way to compute ratings (``registry.py`` lists them); a *rating* is a player's number in
a list; *experience* is the sum of the lengths of the matches rated so far; *length* is the number of points a
match is played to. Which results a list counts, and where they are stored, is decided elsewhere.
"""

from rating.formulas.base import BadParameters, ChangeCalculation, Parameter, Rate, RatedMatch, System
from rating.formulas.rateable import RATED_BY_KIND, Discipline, ResultKind, is_rateable
from rating.formulas.registry import SYSTEMS, UnknownSystem, get_system

__all__ = [
    "RATED_BY_KIND",
    "SYSTEMS",
    "BadParameters",
    "ChangeCalculation",
    "Discipline",
    "Parameter",
    "Rate",
    "RatedMatch",
    "ResultKind",
    "System",
    "UnknownSystem",
    "get_system",
    "is_rateable",
]
