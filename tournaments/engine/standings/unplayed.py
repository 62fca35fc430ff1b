"""How strong the opponents were, round by round, where some rounds were not played: two rules, by edition.

**Article 16** (C.07 of 2024 and 2026). An unplayed round is one of five kinds (16.2). A round asked off and never
followed by a round that was not given up counts for one's opponents as a draw (16.3); for the entry itself every
unplayed round is a match against a dummy with as many points as the entry (16.4), since 2026 with no more than the
opponent of that round has (a walk-over), or than a draw in every round would bring (all others). Where a weakest opponent is
cut, rounds that were given up go first (16.5).

**Kallithea, 2009.** For the entry itself an opponent is imagined who had as many points before that round, got what the
entry did not get in it, and half a point in every round after; for its opponents the entry's unplayed rounds count half
a point each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final, NamedTuple, cast

from tournaments.engine.pairing.history import FULL_POINT, HALF_POINT, ZERO_POINTS
from tournaments.engine.standings.table import Crosstable, CrosstableLine
from tournaments.engine.types import EntryId

Lines = Mapping[EntryId, Sequence[CrosstableLine]]


class UnplayedKind(StrEnum):
    """The kinds of unplayed rounds (Article 16.2), by their numbers."""

    BYE = "16.2.1"  # given to the odd one out, or a full point without an opponent
    FORFEIT_WON = "16.2.2"
    REQUESTED = "16.2.3"  # a round asked off or missed, and a later one was not given up
    FORFEIT_LOST = "16.2.4"
    TRAILING = "16.2.5"  # the same, and none was: above all who has left


VOLUNTARY_UNPLAYED: Final = frozenset(
    {UnplayedKind.REQUESTED, UnplayedKind.FORFEIT_LOST, UnplayedKind.TRAILING}
)  # Article 16.1.2
FORFEITS: Final = frozenset({UnplayedKind.FORFEIT_WON, UnplayedKind.FORFEIT_LOST})


class RoundShare(NamedTuple):
    """What one round brings to a sum over opponents: their points (or the dummy's), and what was got from them."""

    score: int
    points: int
    given_up: bool = False


RoundShares = Mapping[EntryId, Sequence[RoundShare]]


def unplayed_kinds(lines: Sequence[CrosstableLine], *, fixed: bool) -> list[UnplayedKind | None]:
    """The kind of each round of an entry; None: played, or nothing was said of it. Between fixed pairings forfeits are played."""
    if all(line.played or not line.present for line in lines):
        return [None] * len(lines)
    kinds: list[UnplayedKind | None] = []
    returned = False
    for line in reversed(lines):
        kind = None if not line.present or line.played else _unplayed_kind(line, returned=returned)
        if fixed and kind in FORFEITS:
            kind = None
        kinds.append(kind)
        returned |= line.present and kind not in VOLUNTARY_UNPLAYED
    return kinds[::-1]


def _unplayed_kind(line: CrosstableLine, *, returned: bool) -> UnplayedKind:
    if line.opponent is not None:
        return UnplayedKind.FORFEIT_WON if line.points > ZERO_POINTS else UnplayedKind.FORFEIT_LOST
    if line.is_allotted_bye or line.points >= FULL_POINT:
        return UnplayedKind.BYE
    return UnplayedKind.REQUESTED if returned else UnplayedKind.TRAILING


def opponent_shares(book: Crosstable) -> RoundShares:
    """Of every entry, round by round."""
    if "shares" not in book.kept:
        book.kept["shares"] = (
            _virtual_shares(book) if book.rule.uses_virtual_opponent else _article_16(book, book.lines)
        )
    return cast("RoundShares", book.kept["shares"])


def fore_opponent_shares(book: Crosstable) -> RoundShares:
    """The same as if everybody who is paired in the last round of all had drawn it (Article 8.3), walk-overs too."""
    if "fore" not in book.kept:
        at = book.in_all - 1
        lines = {
            entry: [
                replace(line, points=HALF_POINT, played=True)
                if number == at and line.opponent is not None
                else line
                for number, line in enumerate(own)
            ]
            for entry, own in book.lines.items()
        }
        book.kept["fore"] = _article_16(book, lines)
    return cast("RoundShares", book.kept["fore"])


def points_for_opponents(book: Crosstable) -> dict[EntryId, int]:
    """How many points each entry counts for those who have met it."""
    if book.rule.uses_virtual_opponent:
        return {
            entry: sum(line.points if line.played else HALF_POINT for line in lines if line.present)
            for entry, lines in book.lines.items()
        }
    kinds = {entry: unplayed_kinds(own, fixed=book.fixed) for entry, own in book.lines.items()}
    return {entry: _adjusted_points(own, kinds[entry]) for entry, own in book.lines.items()}


def _adjusted_points(lines: Sequence[CrosstableLine], kinds: Sequence[UnplayedKind | None]) -> int:
    """Article 16.3."""
    return sum(
        HALF_POINT if kind is UnplayedKind.TRAILING else line.points
        for line, kind in zip(lines, kinds, strict=True)
    )


def _article_16(book: Crosstable, lines: Lines) -> RoundShares:
    kinds = {entry: unplayed_kinds(own, fixed=book.fixed) for entry, own in lines.items()}
    points = {entry: sum(line.points for line in own) for entry, own in lines.items()}
    adjusted = {entry: _adjusted_points(own, kinds[entry]) for entry, own in lines.items()}
    return {
        entry: [
            _opponent_share(book, line, kind, points[entry], adjusted)
            for line, kind in zip(own, kinds[entry], strict=True)
            if line.present
        ]
        for entry, own in lines.items()
    }


def _opponent_share(
    book: Crosstable,
    line: CrosstableLine,
    kind: UnplayedKind | None,
    own: int,
    adjusted: Mapping[EntryId, int],
) -> RoundShare:
    if kind is None:
        assert line.opponent is not None  # a rest has a kind
        return RoundShare(adjusted[line.opponent], line.points)
    dummy = own  # 16.4
    if book.rule.capped:
        scheduled = line.opponent
        dummy = min(own, HALF_POINT * book.in_all if scheduled is None else adjusted[scheduled])
    return RoundShare(dummy, line.points, kind in VOLUNTARY_UNPLAYED)


def _virtual_shares(book: Crosstable) -> RoundShares:
    adjusted = points_for_opponents(book)
    found: dict[EntryId, list[RoundShare]] = {}
    for entry, lines in book.lines.items():
        own, before = found.setdefault(entry, []), 0
        for number, line in enumerate(lines, start=1):
            if line.played and line.opponent is not None:
                own.append(RoundShare(adjusted[line.opponent], line.points))
            elif line.present:
                virtual = before + FULL_POINT - line.points + HALF_POINT * (len(lines) - number)
                own.append(RoundShare(virtual, line.points))
            before += line.points
    return found


def sum_parts_after_cuts(
    own: Sequence[RoundShare], low: int, high: int = 0, *, weighted: bool = False
) -> list[int]:
    """What is left of a sum over opponents without so many of the least and the greatest (Articles 14.1–14.4).

    `weighted`: opponents' points times what was got from them; the least is what came from the weakest opponent
    (14.1.1.d). Against it stands the least that came from a round given up, and the greater of the two is cut (16.5.1),
    cut by cut (16.5.2). The greatest are cut last.
    """
    if not low and not high:
        return [share.score * share.points if weighted else share.score for share in own]
    left = sorted(
        (share.score, share.score * share.points if weighted else share.score, share.given_up)
        for share in own
    )
    for _cut in range(min(low, len(left))):
        least = min(left, key=lambda one: (one[0], one[1]))
        up = min((one for one in left if one[2]), key=lambda one: (one[1], one[0]), default=least)
        left.remove(up if up[1] >= least[1] else least)
    values = sorted(value for _score, value, _up in left)
    return values[: max(0, len(values) - high)]
