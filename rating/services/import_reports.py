"""The report of an import that a worker checks or writes, as it is stored with the import."""

from collections.abc import Sequence
from typing import Any, Final

from faults import Fault
from rating.services.plans import ImportSummary

UNKNOWN_PLAYER_CODE: Final = "rating.csv.player_unknown"
MAX_REPORTED: Final = 200  # faults, notes and names kept in a report, which counts all


def report_json(faults: Sequence[Fault], summary: ImportSummary | None = None) -> dict[str, Any]:
    """Return the report of an import for pages and the API, as JSON.

    It has the errors, and with a summary also counts, notes and names.
    """
    # Unknown names are listed separately: other faults of lines come first.
    by_kind = sorted(faults, key=lambda fault: fault.code == UNKNOWN_PLAYER_CODE)
    report: dict[str, Any] = {
        "faults": [_fault_json(fault) for fault in by_kind[:MAX_REPORTED]],
        "fault_count": len(faults) + (summary.more_faults if summary else 0),
    }
    if summary is None:
        return report
    counts = ("rows", "new", "known", "taken_back", "filled", "places", "openings")
    return report | {
        **{name: getattr(summary, name) for name in counts},
        "notes": [_fault_json(fault) for fault in summary.notes[:MAX_REPORTED]],
        "note_count": len(summary.notes) + summary.more_notes,
        "players": list(summary.players[:MAX_REPORTED]),
        "player_count": len(summary.players),
        "matches": [
            {"name": match.name, "own": match.own, "candidates": match.candidates}
            for match in summary.matches[:MAX_REPORTED]
        ],
        "unknown": [[name, lines] for name, lines in summary.unknown[:MAX_REPORTED]],
        "unknown_count": len(summary.unknown),
        "weights": [
            [weight.event, weight.division_rank, rows] for weight, rows in summary.weights[:MAX_REPORTED]
        ],
    }


def _fault_json(fault: Fault) -> dict[str, Any]:
    return {"code": fault.code, "field": fault.field, "params": dict(fault.params)}
