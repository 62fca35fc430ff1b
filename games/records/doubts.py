"""Doubts about a whole record: the number of illegal plays, wrong starts and scores, and changed names.

Used by ``validation.py``; each function returns findings.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from games.records.findings import Finding, Severity, finding
from games.records.model import Record, Roll
from games.rules.policies import CorrectedUntil, MovesPolicy, SlipRules
from games.rules.sides import Side

# How many illegal plays that stand a record may have before a person has to look at it (F7 R42). Of 1,719 real records 1,714
# have none, and those with more than a few are broken logs.
MAX_ILLEGAL_PLAYS: Final = {MovesPolicy.LEGAL: 1, MovesPolicy.RESPONSIBLE: 3}
_ILLEGAL_PLAY_CODES = ("play.illegal_stands", "play.unplayed")
_MATCH_BREAK_CODES = ("score.carried", "match.games_after_end")


def doubt_many_illegal_plays(findings: Iterable[Finding], moves: MovesPolicy) -> list[Finding]:
    """Return a doubt if the record has many illegal plays, even if each of them stands (rules F7 and R42).

    ``moves``: the policy on illegal plays of the match format. Empty without a doubt.
    """
    number, max_plays = sum(item.code in _ILLEGAL_PLAY_CODES for item in findings), MAX_ILLEGAL_PLAYS[moves]
    return [finding("play.several_illegal", number=number, most=max_plays)] if number > max_plays else []


def apply_slip_limits(findings: Iterable[Finding], record: Record, slips: SlipRules) -> list[Finding]:
    """Return the findings with severities by the director's limits for wrong starts and scores (rule F16).

    Past its limit, a wrong start is a note, before it a doubt. Past its limit, a wrong score is a doubt, as a
    missing game looks the same; before it, the record is rejected.
    """
    adjusted: list[Finding] = []
    for item in findings:
        if (
            item.code == "start.set_up"
            and item.turn == 1
            and not _is_past_limit(record, item.game, slips.start)
        ) or (item.code == "score.carried" and _is_past_limit(record, item.game, slips.score)):
            adjusted.append(replace(item, severity=Severity.DOUBT))
        else:
            adjusted.append(item)
    return adjusted


def _is_past_limit(record: Record, game: int, limit: CorrectedUntil) -> bool:
    """Return whether the record goes beyond the time until which a wrong start of the game is corrected.

    ``game`` counts from 1.
    """
    if limit is CorrectedUntil.RESULT:
        return False
    if game < len(record.games):
        return True
    sides_played = {action.side for action in record.games[game - 1].actions if isinstance(action, Roll)}
    return limit is CorrectedUntil.FIRST_PLAY and len(sides_played) == len(Side)


def settle_name_changes(
    reader_findings: Iterable[Finding], replay_findings: Iterable[Finding]
) -> list[Finding]:
    """Return the reader's findings, with one note for a name that changes while score and length continue.

    A player may change a nickname. If the score does not continue either, or both names change at once, it is
    another match.
    """
    broken_games = {item.game for item in replay_findings if item.code in _MATCH_BREAK_CODES}
    settled: list[Finding] = []
    name_changes: list[Finding] = []
    for item in reader_findings:
        is_continued = item.code == "match.players_change" and item.game not in broken_games
        (name_changes if is_continued and not item.params["both"] else settled).append(item)
    if name_changes:
        first = name_changes[0]
        note = finding("match.name_changes", game=first.game, place=first.place)
        settled.append(replace(note, params={"names": first.params["names"], "more": len(name_changes) - 1}))
    return settled
