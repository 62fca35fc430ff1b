"""Editions of the regulation that defines tie-breaks, with their differences.

FIDE Handbook C.07, *Play-Off and Tie-Break Regulations*, of 1 August 2024 and of 1 March 2026; and the former
default, which counts unplayed rounds by the rule of the FIDE congress of Kallithea, 2009. An event keeps the
edition that it began with. A new edition is one more row here, and its articles in `tie_breaks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Edition(StrEnum):
    """The editions of the regulation that defines tie-breaks, newest first; the first is the default."""

    FIDE_2026 = "fide_2026"
    FIDE_2024 = "fide_2024"
    FIDE_2009 = "fide_2009"


@dataclass(frozen=True, slots=True)
class EditionRule:
    """How an edition of the tie-break regulation differs from others.

    `source`, `version`: its title and date. `uses_virtual_opponent`: unplayed rounds count as against a
    virtual opponent (2009); else by Article 16, and forfeits between fixed pairings are matches like others
    (Article 15.2). `capped`: the dummy of Article 16.4 has at most the points that 16.4.1 and 16.4.2 allow.
    `allows_partial`: a head-to-head may place some even if not all of the tied have met (6.3), and several
    meetings of two count as their average (6.1.2). `floats`: number of previous rounds whose floats count in
    the pairing (C.04.3: two, the last one first); 0: all rounds alike, and walkovers as if they had been
    played.
    """

    edition: Edition
    source: str
    version: str
    uses_virtual_opponent: bool = False
    capped: bool = False
    allows_partial: bool = True
    floats: int = 2


_C07: Final = "FIDE Handbook C.07 Play-Off and Tie-Break Regulations"

EDITIONS: Final[Mapping[Edition, EditionRule]] = {
    rule.edition: rule
    for rule in (
        EditionRule(Edition.FIDE_2026, _C07, "2026-03-01", capped=True),
        EditionRule(Edition.FIDE_2024, _C07, "2024-08-01"),
        EditionRule(
            Edition.FIDE_2009,
            "FIDE Handbook C.07 Tie-Break Regulations; unplayed rounds: FIDE Congress 2009 (Kallithea)",
            "2009",
            uses_virtual_opponent=True,
            allows_partial=False,
            floats=0,
        ),
    )
}
DEFAULT_EDITION: Final = Edition.FIDE_2026
