"""A checked file as plain data: what `check_record --json` prints and the API returns."""

from __future__ import annotations

from typing import Any

from games.records.checking import Checked
from games.records.findings import Finding
from games.records.replaying import End, ReplayedGame


def report(checked: Checked, filename: str) -> dict[str, Any]:
    """`file, format, players, match_length, games, final_score, complete, verdict, findings`, all JSON values."""
    record, verdict = checked.record, checked.verdict
    played = verdict.replay
    findings = [finding_as_data(found) for found in verdict.findings]
    if checked.unreadable is not None:
        found = checked.unreadable
        findings.append(
            {
                "code": found.code,
                "severity": "unreadable",
                "rule": None,
                "game": 0,
                "turn": 0,
                "line": found.place.line,
                "column": found.place.column,
                "params": _plain(found.params),
            }
        )
    return {
        "file": filename,
        "format": record.format if record is not None else None,
        "players": list(record.players) if record is not None else None,
        "match_length": _length(checked),
        "games": [game_as_data(game) for game in played.games] if played is not None else [],
        "final_score": list(played.score.capped) if played is not None else None,
        "complete": verdict.complete,
        "verdict": verdict.decision.value,
        "findings": findings,
    }


def _length(checked: Checked) -> int | None:
    """0 is money, None a file that does not say and nobody else did."""
    record, played = checked.record, checked.verdict.replay
    if record is None or played is None:
        return None if record is None else record.length
    return None if played.form.length is None and record.length is None else played.form.length or 0


def game_as_data(game: ReplayedGame) -> dict[str, Any]:
    ending = game.ending
    return {
        "number": game.number,
        "score_before": list(game.score.points),
        "crawford": game.crawford,
        "winner": None if ending.winner is None else ending.winner.column,
        "points": ending.points if ending.end is not End.UNFINISHED else None,
        "kind": _kind(game),
        "cube": ending.cube,
        "end": ending.end.value,
    }


def _kind(game: ReplayedGame) -> str | None:
    """How it was won on the board or resigned; a passed or forfeited game is neither."""
    ending = game.ending
    if ending.end in (End.BORE_OFF, End.RESIGNED):
        return ending.kind.name.lower()
    return None if ending.end is End.UNFINISHED else ending.end.value


def finding_as_data(found: Finding) -> dict[str, Any]:
    return {
        "code": found.code,
        "severity": found.severity.value,
        "rule": found.rule,
        "game": found.game,
        "turn": found.turn,
        "line": found.line,
        "column": found.column,
        "params": _plain(found.params),
    }


def _plain(value: Any) -> Any:
    """Parameters as JSON knows them."""
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(part) for part in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return str(value) if isinstance(value, str) else value
    return str(value)
