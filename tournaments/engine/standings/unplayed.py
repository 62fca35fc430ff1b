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

from tournaments.engine.pairing.history import HALF, NOTHING, WIN
from tournaments.engine.standings.table import Book, Line
from tournaments.engine.types import EntryId

Lines = Mapping[EntryId, Sequence[Line]]


class Unplayed(StrEnum):
    """The kinds of unplayed rounds (Article 16.2), by their numbers."""

    BYE = "16.2.1"  # given to the odd one out, or a full point without an opponent
    FORFEIT_WON = "16.2.2"
    REQUESTED = "16.2.3"  # a round asked off or missed, and a later one was not given up
    FORFEIT_LOST = "16.2.4"
    TRAILING = "16.2.5"  # the same, and none was: above all who has left


GIVEN_UP: Final = frozenset({Unplayed.REQUESTED, Unplayed.FORFEIT_LOST, Unplayed.TRAILING})  # Article 16.1.2
FORFEITS: Final = frozenset({Unplayed.FORFEIT_WON, Unplayed.FORFEIT_LOST})


class Share(NamedTuple):
    """What one round brings to a sum over opponents: their points (or the dummy's), and what was got from them."""

    score: int
    points: int
    given_up: bool = False


Shares = Mapping[EntryId, Sequence[Share]]


def kinds_of(lines: Sequence[Line], *, fixed: bool) -> list[Unplayed | None]:
    """The kind of each round of an entry; None: played, or nothing was said of it. Between fixed pairings forfeits are played."""
    if all(line.played or not line.present for line in lines):
        return [None] * len(lines)
    kinds: list[Unplayed | None] = []
    returned = False
    for line in reversed(lines):
        kind = None if not line.present or line.played else _kind(line, returned=returned)
        if fixed and kind in FORFEITS:
            kind = None
        kinds.append(kind)
        returned |= line.present and kind not in GIVEN_UP
    return kinds[::-1]


def _kind(line: Line, *, returned: bool) -> Unplayed:
    if line.opponent is not None:
        return Unplayed.FORFEIT_WON if line.points > NOTHING else Unplayed.FORFEIT_LOST
    if line.allotted or line.points >= WIN:
        return Unplayed.BYE
    return Unplayed.REQUESTED if returned else Unplayed.TRAILING


def shares(book: Book) -> Shares:
    """Of every entry, round by round."""
    if "shares" not in book.kept:
        book.kept["shares"] = _virtual(book) if book.rule.virtual else _article_16(book, book.lines)
    return cast("Shares", book.kept["shares"])


def fore_shares(book: Book) -> Shares:
    """The same as if everybody who is paired in the last round of all had drawn it (Article 8.3), walk-overs too."""
    if "fore" not in book.kept:
        at = book.in_all - 1
        lines = {
            entry: [
                replace(line, points=HALF, played=True)
                if number == at and line.opponent is not None
                else line
                for number, line in enumerate(own)
            ]
            for entry, own in book.lines.items()
        }
        book.kept["fore"] = _article_16(book, lines)
    return cast("Shares", book.kept["fore"])


def for_opponents(book: Book) -> dict[EntryId, int]:
    """How many points each entry counts for those who have met it."""
    if book.rule.virtual:
        return {
            entry: sum(line.points if line.played else HALF for line in lines if line.present)
            for entry, lines in book.lines.items()
        }
    kinds = {entry: kinds_of(own, fixed=book.fixed) for entry, own in book.lines.items()}
    return {entry: _adjusted(own, kinds[entry]) for entry, own in book.lines.items()}


def _adjusted(lines: Sequence[Line], kinds: Sequence[Unplayed | None]) -> int:
    """Article 16.3."""
    return sum(
        HALF if kind is Unplayed.TRAILING else line.points for line, kind in zip(lines, kinds, strict=True)
    )


def _article_16(book: Book, lines: Lines) -> Shares:
    kinds = {entry: kinds_of(own, fixed=book.fixed) for entry, own in lines.items()}
    points = {entry: sum(line.points for line in own) for entry, own in lines.items()}
    adjusted = {entry: _adjusted(own, kinds[entry]) for entry, own in lines.items()}
    return {
        entry: [
            _share(book, line, kind, points[entry], adjusted)
            for line, kind in zip(own, kinds[entry], strict=True)
            if line.present
        ]
        for entry, own in lines.items()
    }


def _share(book: Book, line: Line, kind: Unplayed | None, own: int, adjusted: Mapping[EntryId, int]) -> Share:
    if kind is None:
        assert line.opponent is not None  # a rest has a kind
        return Share(adjusted[line.opponent], line.points)
    dummy = own  # 16.4
    if book.rule.capped:
        scheduled = line.opponent
        dummy = min(own, HALF * book.in_all if scheduled is None else adjusted[scheduled])
    return Share(dummy, line.points, kind in GIVEN_UP)


def _virtual(book: Book) -> Shares:
    adjusted = for_opponents(book)
    found: dict[EntryId, list[Share]] = {}
    for entry, lines in book.lines.items():
        own, before = found.setdefault(entry, []), 0
        for number, line in enumerate(lines, start=1):
            if line.played and line.opponent is not None:
                own.append(Share(adjusted[line.opponent], line.points))
            elif line.present:
                virtual = before + WIN - line.points + HALF * (len(lines) - number)
                own.append(Share(virtual, line.points))
            before += line.points
    return found


def kept_after(own: Sequence[Share], low: int, high: int = 0, *, weighted: bool = False) -> list[int]:
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
