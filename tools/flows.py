"""Write the tables of statuses from the code to docs/flows.md: `python tools/flows.py`.

The code is the source; a test checks that the page agrees with it.
"""

import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "flows.md"
sys.path.insert(0, str(ROOT))

from tournaments.engine.changes.statuses import REPAIR_TRANSITIONS  # noqa: E402
from tournaments.engine.statuses import (  # noqa: E402
    ENTRY_TRANSITIONS,
    EVENT_TRANSITIONS,
    MATCH_TRANSITIONS,
    STAGE_TRANSITIONS,
    MatchStatus,
)

LIVE: Mapping[str, Mapping[Any, StrEnum]] = {
    "event": EVENT_TRANSITIONS,
    "stage": STAGE_TRANSITIONS,
    "entry": ENTRY_TRANSITIONS,
    "match": MATCH_TRANSITIONS,
}


def rows_of(name: str) -> Iterator[tuple[str, ...]]:
    """Rows of a table as text, the head first."""
    if name != "repair":
        yield "from", "action", "to"
        for (status, action), then in LIVE[name].items():
            yield str(status), str(action), str(then)
        return
    yield "action", "from", "to"
    for action, ways in REPAIR_TRANSITIONS.items():
        together: dict[tuple[MatchStatus, ...], list[MatchStatus]] = {}
        for status in MatchStatus:
            together.setdefault(tuple(to for to in MatchStatus if to in ways.get(status, ())), []).append(
                status
            )
        for to, statuses in together.items():
            if to:
                yield str(action), ", ".join(statuses), ", ".join(to)


def printed(page: str) -> str:
    """Return the page with every table between its markers replaced by the one from the code."""
    for name in (*LIVE, "repair"):
        head, *rows = rows_of(name)
        lines = [head, tuple("---" for _ in head), *rows]
        table = "\n".join(
            f"| {' | '.join(line)} |".replace("| --- ", "|---").replace("|--- |", "|---|") for line in lines
        )
        begin, end = f"<!-- table: {name} -->\n", f"\n<!-- end: {name} -->"
        before, rest = page.split(begin, 1)
        page = f"{before}{begin}\n{table}\n{end}{rest.split(end, 1)[1]}"
    return page


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    PAGE.write_text(printed(PAGE.read_text()))
