"""The parts of a bracket: one row for each. Those that losers play on in have theirs in `consolation`.

Who needs to know something of a section asks its row; an unknown code is refused loudly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tournaments.engine.brackets.consolation import FLIGHTS_BY_SOURCE
from tournaments.engine.brackets.double import GRAND_FINAL, LOWER
from tournaments.engine.brackets.structure import MAIN


@dataclass(frozen=True, slots=True)
class Section:
    """`fed_by`: the section whose losers come in, None where nobody drops to. `ladder`: the first of those with which it shares places."""

    code: str
    fed_by: str | None
    ladder: str


SECTIONS: Final[Mapping[str, Section]] = {
    section.code: section
    for section in (  # in the order of the draw
        Section(MAIN, None, MAIN),
        *(Section(code, kinds[0].source, code) for code, kinds in FLIGHTS_BY_SOURCE.items()),
        Section(LOWER, MAIN, MAIN),
        Section(GRAND_FINAL, None, MAIN),
    )
}
