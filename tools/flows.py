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
    """Yield the rows of a table of statuses as texts, the head first.

    ``name``: `event`, `stage`, `entry`, `match` or `repair`.
    """
    if name != "repair":
        yield "from", "action", "to"
        for (status, action), next_status in LIVE[name].items():
            yield str(status), str(action), str(next_status)
        return
    yield "action", "from", "to"
    for action, targets_by_status in REPAIR_TRANSITIONS.items():
        statuses_by_targets: dict[tuple[MatchStatus, ...], list[MatchStatus]] = {}
        for status in MatchStatus:
            statuses_by_targets.setdefault(
                tuple(
                    reachable for reachable in MatchStatus if reachable in targets_by_status.get(status, ())
                ),
                [],
            ).append(status)
        for targets, statuses in statuses_by_targets.items():
            if targets:
                yield str(action), ", ".join(statuses), ", ".join(targets)


def with_tables(page: str) -> str:
    """Return the text of the page with every table between its markers replaced by the one from the code."""
    for name in (*LIVE, "repair"):
        head, *rows = rows_of(name)
        lines = [head, tuple("---" for _ in head), *rows]
        table = "\n".join(
            f"| {' | '.join(line)} |".replace("| --- ", "|---").replace("|--- |", "|---|") for line in lines
        )
        start_mark, end_mark = f"<!-- table: {name} -->\n", f"\n<!-- end: {name} -->"
        before, rest = page.split(start_mark, 1)
        page = f"{before}{start_mark}\n{table}\n{end_mark}{rest.split(end_mark, 1)[1]}"
    return page


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    PAGE.write_text(with_tables(PAGE.read_text()))
