"""The registry of tie-breaks: their codes, functions, and articles in each edition of the regulation.

A greater value is always better. Values are whole numbers in the unit of the tie-break (`unit` 2: half
points, 4: quarter points) or exact fractions of it. Rounds without play are treated by edition in `editions`
and `unplayed`; an event keeps the edition it began with. A tie-break is one row here, with its function here
or in `encounters` and `performance`.

Not included: matches of play-offs (their values come with the crosstable and are read by `play_off`);
tie-breaks of FIDE by colours (7.3, 7.4) and by boards of teams (11 to 13), which do not apply; Standard
Points (7.7), which equal the points; errors of play (PR), until matches are analysed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import Final

from faults import Fault
from tournaments.engine.chance import Chance
from tournaments.engine.errors import BadInput
from tournaments.engine.pairing.history import FULL_POINT
from tournaments.engine.standings import performance as by_rating
from tournaments.engine.standings.editions import EDITIONS, Edition
from tournaments.engine.standings.encounters import Tiers, head_to_head, place_by_encounters, sum_among_tied
from tournaments.engine.standings.table import Crosstable, Value
from tournaments.engine.standings.unplayed import (
    VOLUNTARY_UNPLAYED,
    RoundShares,
    fore_opponent_shares,
    opponent_shares,
    sum_parts_after_cuts,
    unplayed_kinds,
)
from tournaments.engine.types import EntryId

LOT_PURPOSE: Final = "tie-break lot"
OWN_DEFINITION: Final = "own definition"  # a source: no regulation defines it
MIN_WIN_RATE: Final = Fraction(33, 100)

Entries = Sequence[EntryId]
Compute = Callable[[Crosstable, Entries], Mapping[EntryId, Value]]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break: how its values are computed, and where it is defined and allowed.

    `compute`: returns the values of entries; empty if it is not defined for them. `articles`: the article of
    each edition that has it; empty: not FIDE's, equal in all editions. `is_among_tied`: the values depend on
    the tied entries only; `tiers`: puts the tied in order, if not by their values; `again`: repeat it for
    those that it leaves tied. `is_fewer_better`: it counts something of which fewer is better; values are
    negative, so that more is better here too. `needs_ratings`: undefined unless all entries have ratings.
    `forbidden_in_round_robin`, `forbidden_in_swiss`: the editions that forbid it there.
    """

    code: str
    compute: Compute
    articles: Mapping[Edition, str] = field(default_factory=dict)
    unit: int = 1
    is_among_tied: bool = False
    tiers: Callable[[Crosstable, Entries, Mapping[EntryId, Value]], Tiers] | None = None
    again: bool = False
    is_fewer_better: bool = False
    needs_ratings: bool = False
    forbidden_in_round_robin: frozenset[Edition] = frozenset()
    forbidden_in_swiss: frozenset[Edition] = frozenset()
    own_source: str = OWN_DEFINITION
    own_version: str = "1"

    def counted(self, value: Value) -> Fraction:
        """Return a value for display: in whole units, and positive if fewer is better.

        Whole units are points instead of half points, for example.
        """
        displayed = Fraction(value, self.unit)
        return -displayed if self.is_fewer_better else displayed

    def source(self, edition: Edition) -> str:
        """Return the title of the regulation that defines the tie-break."""
        return EDITIONS[edition].source if self.articles else self.own_source

    def version(self, edition: Edition) -> str:
        """Return the version of the regulation that defines the tie-break.

        It is the date from which the edition is in force.
        """
        return EDITIONS[edition].version if self.articles else self.own_version

    def refusal_code(self, edition: Edition, *, fixed: bool) -> str:
        """Return the error code if the edition lacks the tie-break or forbids it in this format.

        Empty if it is allowed. `fixed`: True for a round robin, False for a Swiss.
        """
        if self.articles and edition not in self.articles:
            return "tie_break.not_in_edition"
        if edition in (self.forbidden_in_round_robin if fixed else self.forbidden_in_swiss):
            return "tie_break.not_in_round_robin" if fixed else "tie_break.not_in_swiss"
        return ""


def _per_entry(value: Callable[[Crosstable, EntryId], Value]) -> Compute:
    """Return the function of a tie-break whose value is computed for each entry separately."""
    return lambda crosstable, entries: {entry: value(crosstable, entry) for entry in entries}


def _points(crosstable: Crosstable, entry: EntryId) -> int:
    return crosstable.points[entry]


def _survival(crosstable: Crosstable, entry: EntryId) -> int:
    """Return the round in which an entry lost its last life.

    For an entry that is still in, it is the number of all rounds plus the remaining lives.
    """
    lost = crosstable.lost(entry)
    if len(lost) >= crosstable.lives > 0:
        return lost[crosstable.lives - 1]
    return len(crosstable.lines[entry]) + crosstable.lives - len(lost)


def _wins(crosstable: Crosstable, entry: EntryId) -> int:
    return sum(line.points >= FULL_POINT for line in crosstable.lines[entry])


def _wins_played(crosstable: Crosstable, entry: EntryId) -> int:
    return sum(
        crosstable.met(line) is not None and line.points >= FULL_POINT for line in crosstable.lines[entry]
    )


def _rounds_elected(crosstable: Crosstable, entry: EntryId) -> int:
    """Return the number of rounds that an entry did not give up.

    Given up are requested byes, missed rounds and lost walkovers. Between fixed pairings a lost walkover is a
    match like others in 2024, and given up in 2026 (15.2).
    """
    lines = crosstable.lines[entry]
    kinds = unplayed_kinds(lines, fixed=crosstable.has_fixed_pairings and not crosstable.rule.capped)
    return sum(
        line.present and kind not in VOLUNTARY_UNPLAYED for line, kind in zip(lines, kinds, strict=True)
    )


def _progressive(cut: int = 0) -> Compute:
    """Return the function for the sum of the points after every round, so that early wins weigh more.

    The first `cut` of these scores are left out.
    """
    return _per_entry(
        lambda crosstable, entry: sum([*accumulate(line.points for line in crosstable.lines[entry])][cut:])
    )


def _points_scored(crosstable: Crosstable, entry: EntryId) -> int:
    return sum(line.scored for line in crosstable.lines[entry])


def _points_conceded(crosstable: Crosstable, entry: EntryId) -> int:
    return -sum(line.conceded for line in crosstable.lines[entry])


def _difference(crosstable: Crosstable, entry: EntryId) -> int:
    return _points_scored(crosstable, entry) + _points_conceded(crosstable, entry)


def _buchholz(
    low: int = 0, high: int = 0, shares: Callable[[Crosstable], RoundShares] = opponent_shares
) -> Compute:
    """Return the function for the sum of the opponents' points, without so many of the lowest and highest."""
    return _per_entry(
        lambda crosstable, entry: sum(sum_parts_after_cuts(shares(crosstable)[entry], low, high))
    )


def _average_buchholz(crosstable: Crosstable, entry: EntryId) -> Fraction:
    """Return the average Buchholz of the opponents met at the board; 0 without any."""
    opponents = [
        line.opponent for line in crosstable.lines[entry] if line.played and line.opponent is not None
    ]
    total = sum(share.score for opponent in opponents for share in opponent_shares(crosstable)[opponent])
    return Fraction(total, len(opponents)) if opponents else Fraction(0)


def _sonneborn_berger(cut: int = 0) -> Compute:
    """Return the function for the sum of opponents' half points times half points scored against them.

    The values are quarter points; the `cut` weakest opponents are left out.
    """
    return _per_entry(
        lambda crosstable, entry: sum(
            sum_parts_after_cuts(opponent_shares(crosstable)[entry], cut, weighted=True)
        )
    )


def _koya(crosstable: Crosstable, entry: EntryId) -> int:
    """Return the points scored against opponents who have at least half of the possible points."""
    return sum(
        line.points
        for line in crosstable.lines[entry]
        if (opponent := crosstable.met(line)) is not None
        and crosstable.points[opponent] >= crosstable.max_wins
    )


def _win_rate(crosstable: Crosstable, entry: EntryId) -> Fraction:
    """Return the share of possible points in the rounds in which the entry took part; at least 0.33."""
    present_lines = [line for line in crosstable.lines[entry] if line.present]
    rate = (
        Fraction(crosstable.points[entry], FULL_POINT * len(present_lines)) if present_lines else Fraction(0)
    )
    return max(rate, MIN_WIN_RATE)


def _opponents_win_rate(crosstable: Crosstable, entry: EntryId) -> Fraction:
    rates = [
        _win_rate(crosstable, line.opponent)
        for line in crosstable.lines[entry]
        if line.played and line.opponent is not None
    ]
    return sum(rates, Fraction(0)) / len(rates) if rates else Fraction(0)


def _strength_of_schedule(crosstable: Crosstable, entry: EntryId) -> Fraction:
    """Return the share of points that the opponents met at the board won in their matches with others."""
    opponent_points = [
        opponent_line.points
        for line in crosstable.lines[entry]
        if line.played and line.opponent is not None
        for opponent_line in crosstable.lines[line.opponent]
        if opponent_line.played and opponent_line.opponent != entry
    ]
    return (
        Fraction(sum(opponent_points), FULL_POINT * len(opponent_points)) if opponent_points else Fraction(0)
    )


def _mini_table(crosstable: Crosstable, tied: Entries) -> Mapping[EntryId, Value]:
    return sum_among_tied(crosstable, tied, lambda line: line.points)


def _mini_difference(crosstable: Crosstable, tied: Entries) -> Mapping[EntryId, Value]:
    return sum_among_tied(crosstable, tied, lambda line: line.scored - line.conceded)


def _play_off(crosstable: Crosstable, tied: Entries) -> Mapping[EntryId, Value]:
    """Return values that rank a group of entries which have all completed a play-off; empty for other groups.

    Between entries that are equal in a play-off the next play-off decides.
    """
    completed = [play_off for play_off in crosstable.play_offs if all(entry in play_off for entry in tied)]
    if not completed:
        return {}
    base = 1 + max(play_off[entry] for play_off in completed for entry in tied)
    values: dict[EntryId, Value] = dict.fromkeys(tied, 0)
    for play_off in completed:
        values = {entry: values[entry] * base + play_off[entry] for entry in tied}
    return values


def _drawn_lots(crosstable: Crosstable, entries: Entries) -> Mapping[EntryId, Value]:
    """Return the lots of entries; the greater lot is better.

    All lots are drawn at once, so that an entry's lot does not depend on who else is tied.
    """
    shuffled = Chance(crosstable.seed, LOT_PURPOSE).shuffled(crosstable.entries)
    lots = {entry: len(shuffled) - place for place, entry in enumerate(shuffled)}
    return {entry: lots[entry] for entry in entries}


_FIDE_2026, _FIDE_2024, _FIDE_2009 = Edition.FIDE_2026, Edition.FIDE_2024, Edition.FIDE_2009
_MAGIC_RULES: Final = "Magic Tournament Rules, Appendix C; points out of those possible, at least 0.33"
_NO_BUCHHOLZ: Final = frozenset({_FIDE_2026})  # the note on Article 8: "must not be used in round-robins"
_ROUND_ROBIN_ONLY: Final = frozenset({_FIDE_2026, _FIDE_2024})  # Article 9.2 is one for round robins


def _in_every_edition(article: str) -> Mapping[Edition, str]:
    """Return the article for every edition; that of 2009 has no printed articles, so it has an empty text."""
    return {_FIDE_2026: article, _FIDE_2024: article, _FIDE_2009: ""}


def _since_2024(article: str) -> Mapping[Edition, str]:
    return {_FIDE_2026: article, _FIDE_2024: article}


def _by_rating(
    code: str, value: Callable[[Crosstable, EntryId], int], articles: Mapping[Edition, str]
) -> TieBreak:
    return TieBreak(code, by_rating.requires_ratings(value), articles, needs_ratings=True)


TIE_BREAKS: Final[Mapping[str, TieBreak]] = {
    breaker.code: breaker
    for breaker in (
        TieBreak("points", _per_entry(_points), unit=2),
        TieBreak("survival", _per_entry(_survival)),
        TieBreak("wins", _per_entry(_wins), _in_every_edition("7.1")),
        TieBreak("wins_played", _per_entry(_wins_played), _in_every_edition("7.2")),
        TieBreak("rounds_elected", _per_entry(_rounds_elected), _since_2024("7.6")),
        TieBreak(
            "head_to_head",
            head_to_head,
            _in_every_edition("6"),
            unit=2,
            is_among_tied=True,
            tiers=place_by_encounters,
            again=True,
        ),
        TieBreak("mini_table", _mini_table, unit=2, is_among_tied=True, again=True),
        TieBreak("mini_table_difference", _mini_difference, is_among_tied=True),
        TieBreak(
            "buchholz", _buchholz(), _in_every_edition("8.1"), unit=2, forbidden_in_round_robin=_NO_BUCHHOLZ
        ),
        TieBreak(
            "buchholz_cut_1",
            _buchholz(1),
            _in_every_edition("8.1, 14.1"),
            unit=2,
            forbidden_in_round_robin=_NO_BUCHHOLZ,
        ),
        TieBreak(
            "buchholz_cut_2",
            _buchholz(2),
            _in_every_edition("8.1, 14.2"),
            unit=2,
            forbidden_in_round_robin=_NO_BUCHHOLZ,
        ),
        TieBreak(
            "buchholz_median_1",
            _buchholz(1, 1),
            _in_every_edition("8.1, 14.3"),
            unit=2,
            forbidden_in_round_robin=_NO_BUCHHOLZ,
        ),
        TieBreak(
            "buchholz_median_2",
            _buchholz(2, 2),
            _since_2024("8.1, 14.4"),
            unit=2,
            forbidden_in_round_robin=_NO_BUCHHOLZ,
        ),
        TieBreak(
            "average_buchholz",
            _per_entry(_average_buchholz),
            _since_2024("8.2"),
            unit=2,
            forbidden_in_round_robin=_NO_BUCHHOLZ,
        ),
        TieBreak(
            "fore_buchholz",
            _buchholz(shares=fore_opponent_shares),
            _since_2024("8.3"),
            unit=2,
            forbidden_in_round_robin=_NO_BUCHHOLZ,
        ),
        TieBreak("sonneborn_berger", _sonneborn_berger(), _in_every_edition("9.1"), unit=4),
        TieBreak("sonneborn_berger_cut_1", _sonneborn_berger(1), _since_2024("9.1, 14.1"), unit=4),
        TieBreak("koya", _per_entry(_koya), _since_2024("9.2"), unit=2, forbidden_in_swiss=_ROUND_ROBIN_ONLY),
        TieBreak("progressive", _progressive(), _in_every_edition("7.5"), unit=2),
        TieBreak("progressive_cut_1", _progressive(1), _since_2024("7.5, 14.1"), unit=2),
        _by_rating("opponents_rating", by_rating.average_opponents_rating(), _since_2024("10.1")),
        _by_rating(
            "opponents_rating_cut_1", by_rating.average_opponents_rating(1), _since_2024("10.1, 14.1")
        ),
        _by_rating("performance", by_rating.performance, _since_2024("10.2")),
        _by_rating("perfect_performance", by_rating.perfect_performance, _since_2024("10.3")),
        _by_rating(
            "opponents_performance",
            by_rating.average_of_opponents(by_rating.performance),
            _since_2024("10.4"),
        ),
        _by_rating(
            "opponents_perfect_performance",
            by_rating.average_of_opponents(by_rating.perfect_performance),
            _since_2024("10.5"),
        ),
        _by_rating("rating", by_rating.rounded_rating, {_FIDE_2026: "10.6"}),
        _by_rating("performance_by_length", by_rating.performance_by_length, {}),
        TieBreak(
            "opponents_win_rate", _per_entry(_opponents_win_rate), own_source=_MAGIC_RULES, own_version="2020"
        ),
        TieBreak("strength_of_schedule", _per_entry(_strength_of_schedule)),
        TieBreak("match_points_won", _per_entry(_points_scored)),
        TieBreak("match_points_lost", _per_entry(_points_conceded), is_fewer_better=True),
        TieBreak("match_points_difference", _per_entry(_difference)),
        TieBreak("play_off", _play_off, own_version="2", is_among_tied=True, again=True),
        TieBreak("lot", _drawn_lots, is_among_tied=True),
    )
}


def get_tie_break(code: str) -> TieBreak:
    """Return the tie-break of this code; raises ``BadInput`` if it is unknown."""
    try:
        return TIE_BREAKS[code]
    except KeyError:
        raise BadInput(faults=[Fault("tie_break.unknown", None, {"code": code})]) from None


def usable_tie_breaks(codes: Sequence[str], edition: Edition, *, fixed: bool) -> tuple[str, ...]:
    """Return those of these tie-breaks that an edition allows; `fixed`: in a round robin, else in a Swiss."""
    return tuple(code for code in codes if not get_tie_break(code).refusal_code(edition, fixed=fixed))
