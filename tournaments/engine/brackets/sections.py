"""The sections of a bracket, each as a `Section`; sections of flights are defined in `consolation`.

Looking up an unknown section code raises ``KeyError``.
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
    """A section of a bracket: the main draw, or a part for losers or finals.

    `fed_by`: the code of the section whose losers come in, or None. `first_ranked_section`: the code of the
    first of the sections that are ranked together with this one.
    """

    code: str
    fed_by: str | None
    first_ranked_section: str


SECTIONS: Final[Mapping[str, Section]] = {
    section.code: section
    for section in (  # in the order of the draw
        Section(MAIN, None, MAIN),
        *(Section(code, kinds[0].source, code) for code, kinds in FLIGHTS_BY_SOURCE.items()),
        Section(LOWER, MAIN, MAIN),
        Section(GRAND_FINAL, None, MAIN),
    )
}
