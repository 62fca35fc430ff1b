"""Opponents' points round by round, where some rounds were not played: two rules, by edition.

**Article 16** (C.07 of 2024 and 2026). An unplayed round is one of five kinds (16.2). A round requested off
or missed that is never followed by a round that was not given up counts for the opponents as a draw (16.3);
for the entry itself every unplayed round is a match against a dummy with as many points as the entry (16.4),
since 2026 at most those of the scheduled opponent (a walkover), or of a draw in every round (all others).
Where a weakest opponent is cut, rounds that were given up go first (16.5).

**Kallithea, 2009.** For the entry itself a virtual opponent is assumed that had as many points before that
round, scored what the entry did not in it, and half a point in every round after; for its opponents the
entry's unplayed rounds count half a point each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final, NamedTuple, cast

from tournaments.engine.pairing.history import FULL_POINT, HALF_POINT, ZERO_POINTS
from tournaments.engine.standings.table import Crosstable, CrosstableRound
from tournaments.engine.types import EntryId

Lines = Mapping[EntryId, Sequence[CrosstableRound]]


class UnplayedKind(StrEnum):
    """The kinds of unplayed rounds, each named by its number in Article 16.2."""

    BYE = "16.2.1"  # allotted to the odd entry, or a full point without an opponent
    FORFEIT_WON = "16.2.2"
    REQUESTED = "16.2.3"  # requested or missed, and a later round was not given up
    FORFEIT_LOST = "16.2.4"
    TRAILING = "16.2.5"  # as REQUESTED, but every later round was given up: mainly entries that left


VOLUNTARY_UNPLAYED: Final = frozenset(
    {UnplayedKind.REQUESTED, UnplayedKind.FORFEIT_LOST, UnplayedKind.TRAILING}
)  # Article 16.1.2
FORFEITS: Final = frozenset({UnplayedKind.FORFEIT_WON, UnplayedKind.FORFEIT_LOST})


class RoundShare(NamedTuple):
    """What one round contributes to tie-breaks by opponents' points.

    `score`: the points of the opponent or dummy; `points`: those scored against it; `given_up`: the entry
    gave the round up.
    """

    score: int
    points: int
    given_up: bool = False


RoundShares = Mapping[EntryId, Sequence[RoundShare]]


def unplayed_kinds(lines: Sequence[CrosstableRound], *, fixed: bool) -> list[UnplayedKind | None]:
    """Return the kind of each unplayed round of an entry; None for a round that was played or has no record.

    `fixed`: pairings were fixed in advance, so that forfeits count as played.
    """
    if all(line.played or not line.present for line in lines):
        return [None] * len(lines)
    kinds: list[UnplayedKind | None] = []
    has_returned = False
    for line in reversed(lines):
        kind = None if not line.present or line.played else _unplayed_kind(line, has_returned=has_returned)
        if fixed and kind in FORFEITS:
            kind = None
        kinds.append(kind)
        has_returned |= line.present and kind not in VOLUNTARY_UNPLAYED
    return kinds[::-1]


def _unplayed_kind(line: CrosstableRound, *, has_returned: bool) -> UnplayedKind:
    if line.opponent is not None:
        return UnplayedKind.FORFEIT_WON if line.points > ZERO_POINTS else UnplayedKind.FORFEIT_LOST
    if line.is_allotted_bye or line.points >= FULL_POINT:
        return UnplayedKind.BYE
    return UnplayedKind.REQUESTED if has_returned else UnplayedKind.TRAILING


def opponent_shares(crosstable: Crosstable) -> RoundShares:
    """Return for every entry what each round contributes (`RoundShare`), round by round.

    The values are stored in the crosstable and computed once.
    """
    if "shares" not in crosstable.kept:
        crosstable.kept["shares"] = (
            _virtual_shares(crosstable)
            if crosstable.rule.uses_virtual_opponent
            else _article_16(crosstable, crosstable.lines)
        )
    return cast("RoundShares", crosstable.kept["shares"])


def fore_opponent_shares(crosstable: Crosstable) -> RoundShares:
    """Return the same as `opponent_shares`, as if all matches of the last round were drawn (Article 8.3).

    Walkovers of that round count as drawn too. The values are stored in the crosstable and computed once.
    """
    if "fore" not in crosstable.kept:
        last_index = crosstable.planned_rounds - 1
        lines = {
            entry: [
                replace(line, points=HALF_POINT, played=True)
                if number == last_index and line.opponent is not None
                else line
                for number, line in enumerate(entry_lines)
            ]
            for entry, entry_lines in crosstable.lines.items()
        }
        crosstable.kept["fore"] = _article_16(crosstable, lines)
    return cast("RoundShares", crosstable.kept["fore"])


def points_for_opponents(crosstable: Crosstable) -> dict[EntryId, int]:
    """Return the points with which each entry counts for its opponents, keyed by entry id."""
    if crosstable.rule.uses_virtual_opponent:
        return {
            entry: sum(line.points if line.played else HALF_POINT for line in lines if line.present)
            for entry, lines in crosstable.lines.items()
        }
    kinds = {
        entry: unplayed_kinds(entry_lines, fixed=crosstable.has_fixed_pairings)
        for entry, entry_lines in crosstable.lines.items()
    }
    return {
        entry: _adjusted_points(entry_lines, kinds[entry]) for entry, entry_lines in crosstable.lines.items()
    }


def _adjusted_points(lines: Sequence[CrosstableRound], kinds: Sequence[UnplayedKind | None]) -> int:
    """Return the points of an entry as they count for its opponents (Article 16.3)."""
    return sum(
        HALF_POINT if kind is UnplayedKind.TRAILING else line.points
        for line, kind in zip(lines, kinds, strict=True)
    )


def _article_16(crosstable: Crosstable, lines: Lines) -> RoundShares:
    kinds = {
        entry: unplayed_kinds(entry_lines, fixed=crosstable.has_fixed_pairings)
        for entry, entry_lines in lines.items()
    }
    points = {entry: sum(line.points for line in entry_lines) for entry, entry_lines in lines.items()}
    adjusted = {entry: _adjusted_points(entry_lines, kinds[entry]) for entry, entry_lines in lines.items()}
    return {
        entry: [
            _opponent_share(crosstable, line, kind, points[entry], adjusted)
            for line, kind in zip(entry_lines, kinds[entry], strict=True)
            if line.present
        ]
        for entry, entry_lines in lines.items()
    }


def _opponent_share(
    crosstable: Crosstable,
    line: CrosstableRound,
    kind: UnplayedKind | None,
    own_points: int,
    adjusted: Mapping[EntryId, int],
) -> RoundShare:
    if kind is None:
        assert line.opponent is not None  # rounds without an opponent have a kind
        return RoundShare(adjusted[line.opponent], line.points)
    dummy_score = own_points  # 16.4
    if crosstable.rule.capped:
        scheduled = line.opponent
        dummy_score = min(
            own_points, HALF_POINT * crosstable.planned_rounds if scheduled is None else adjusted[scheduled]
        )
    return RoundShare(dummy_score, line.points, kind in VOLUNTARY_UNPLAYED)


def _virtual_shares(crosstable: Crosstable) -> RoundShares:
    adjusted = points_for_opponents(crosstable)
    shares: dict[EntryId, list[RoundShare]] = {}
    for entry, lines in crosstable.lines.items():
        entry_shares, points_before = shares.setdefault(entry, []), 0
        for number, line in enumerate(lines, start=1):
            if line.played and line.opponent is not None:
                entry_shares.append(RoundShare(adjusted[line.opponent], line.points))
            elif line.present:
                virtual = points_before + FULL_POINT - line.points + HALF_POINT * (len(lines) - number)
                entry_shares.append(RoundShare(virtual, line.points))
            points_before += line.points
    return shares


def sum_parts_after_cuts(
    shares: Sequence[RoundShare], low: int, high: int = 0, *, weighted: bool = False
) -> list[int]:
    """Return the parts of a sum over opponents, without the lowest and highest ones (Articles 14.1–14.4).

    `low`, `high`: how many are left out. `weighted`: parts are opponents' points times points scored against
    them; the least is that of the weakest opponent (14.1.1.d). It is compared with the least of a round given
    up, and the greater of the two is cut (16.5.1), cut by cut (16.5.2). The greatest are cut last.
    """
    if not low and not high:
        return [share.score * share.points if weighted else share.score for share in shares]
    remaining = sorted(
        (share.score, share.score * share.points if weighted else share.score, share.given_up)
        for share in shares
    )
    for _cut in range(min(low, len(remaining))):
        lowest = min(remaining, key=lambda part: (part[0], part[1]))
        lowest_given_up = min(
            (part for part in remaining if part[2]), key=lambda part: (part[1], part[0]), default=lowest
        )
        remaining.remove(lowest_given_up if lowest_given_up[1] >= lowest[1] else lowest)
    values = sorted(value for _score, value, _up in remaining)
    return values[: max(0, len(values) - high)]
