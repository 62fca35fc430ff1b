"""Corrected copies of records: the copy states what was changed, the original stays as it is."""

from dataclasses import replace
from pathlib import PurePath

from games.records.canonical import canonical
from games.records.checking import CheckResult
from games.records.model import Record, Tag
from games.records.registry import FORMATS, WRITABLE, write_record
from games.records.repair import Proposal, Repair, find_repairs, repaired_record
from games.records.replaying import format_steps
from games.records.slips import TurnChange
from games.services.records import NAME_LIMIT

CORRECTED_TAG = "Corrected"  # the header line with the changes
_COPY_SUFFIX = "-corrected"


def proposed_repairs(check_result: CheckResult) -> tuple[Repair, ...]:
    """Return the games of a checked file for which there are proposals for corrections."""
    record, replay = check_result.record, check_result.verdict.replay
    if record is None or replay is None:
        return ()
    return tuple(repair for repair in find_repairs(record, replayed=replay) if repair.proposals)


def find_proposal(check_result: CheckResult, key: str) -> Proposal | None:
    """Return the proposal with this key for the checked file, or None."""
    proposals = (proposal for repair in proposed_repairs(check_result) for proposal in repair.proposals)
    return next((proposal for proposal in proposals if proposal.key == key), None)


def corrected_copy(record: Record, proposal: Proposal) -> tuple[bytes, str]:
    """Return the bytes of a corrected copy and the code of their format.

    The format is the record's if it can be written, else match text.
    """
    code = record.format if record.format in WRITABLE else WRITABLE[0]
    game = record.game_numbers[proposal.game - 1]
    corrected_tag = Tag(
        CORRECTED_TAG, "; ".join(change_notation(game, change) for change in proposal.changes)
    )
    corrected = replace(repaired_record(record, proposal), tags=(*record.tags, corrected_tag))
    return write_record(canonical(corrected), code).data, code


def copy_name(filename: str, code: str) -> str:
    """Return the file name of a corrected copy in the format ``code``."""
    suffix = _COPY_SUFFIX + FORMATS[code].suffix
    return PurePath(filename).stem[: NAME_LIMIT - len(suffix)] + suffix


def changes_as_json(proposal: Proposal) -> list[dict[str, object]]:
    """Return the changes of a proposal as JSON values; `side` 0 is the left player."""
    return [
        {
            "game": proposal.game,
            "turn": change.turn,
            "side": change.side.column,
            "written_dice": list(change.written_dice),
            "dice": list(change.dice),
            "written": format_steps(change.written),
            "play": format_steps(change.steps),
        }
        for change in proposal.changes
    ]


def change_notation(game: int, change: TurnChange) -> str:
    """Return a change as text: `Game 3 turn 17 left: 63: 13/7 13/10 (was 63: 13/7 8/5)`."""
    corrected_text = f"{change.dice[0]}{change.dice[1]}: {format_steps(change.steps)}".strip()
    written_text = f"{change.written_dice[0]}{change.written_dice[1]}: {format_steps(change.written)}".strip()
    side = "left" if change.side.column == 0 else "right"
    return f"Game {game} turn {change.turn} {side}: {corrected_text} (was {written_text})"
