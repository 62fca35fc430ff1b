"""FIDE's tie-breaks once more, slowly and article by article, in whole points: what the engine and the outside library are held against.

FIDE Handbook C.07, editions of 1 August 2024 and 1 March 2026. Nothing of the engine's own counting is used.
"""

from fractions import Fraction
from functools import cache
from itertools import product
from math import floor

from tests.support.random_rounds import PlayedEvent
from tournaments.engine.pairing.history import SwissRound

HALF, WIN = Fraction(1, 2), Fraction(1)


class Round:
    """What happened to one participant in one round. ``how``: played, forfeit_win, forfeit_loss, full_bye, requested_bye."""

    def __init__(
        self, how: str, points: Fraction, opponent: int | None = None, their: Fraction = Fraction(0)
    ):
        self.how, self.points, self.opponent, self.their = how, points, opponent, their

    @property
    def given_up(self) -> bool:  # 16.1.2, a voluntary unplayed round
        return self.how in {"requested_bye", "forfeit_loss"}


def history_of(event: PlayedEvent) -> dict[int, list[Round | None]]:
    """By participant, round by round; None: the free round of an odd round robin."""
    found: dict[int, list[Round | None]] = {int(entry): [] for entry in event.entries}
    for rnd in event.rounds:
        now: dict[int, Round | None] = dict.fromkeys(found)
        now.update(_of_round(rnd))
        for entry, own in found.items():
            own.append(now[entry])
    return found


def _of_round(rnd: SwissRound) -> dict[int, Round]:
    now = {}
    for m in rnd.meetings:
        a, b = Fraction(m.points_a, 2), Fraction(m.points_b, 2)
        for entry, opponent, own, their in ((m.a, m.b, a, b), (m.b, m.a, b, a)):
            how = "played" if m.played else "forfeit_win" if own > 0 else "forfeit_loss"
            now[int(entry)] = Round(how, own, int(opponent), their)
    for rest in rnd.rests:
        points = Fraction(rest.points, 2)
        how = "full_bye" if rest.is_allotted or points == WIN else "requested_bye"
        now[int(rest.entry)] = Round(how, points)
    return now


class ByText:
    """``capped``: Article 16.4 as of 2026."""

    def __init__(self, event: PlayedEvent, *, capped: bool):
        self.event, self.capped = event, capped
        self.history = history_of(event)
        self.drawn = {  # the last round as Article 8.3 sees it
            entry: [
                Round("played", HALF, one.opponent, HALF)
                if one and one.opponent is not None and at == len(own) - 1
                else one
                for at, one in enumerate(own)
            ]
            for entry, own in self.history.items()
        }
        self._adjusted: dict[tuple[int, int], Fraction] = {}
        self.ratings = {int(entry): int(rating) for entry, rating in event.ratings.items()}

    def points(self, who: int, history: dict[int, list[Round | None]] | None = None) -> Fraction:
        return sum((r.points for r in (history or self.history)[who] if r), Fraction(0))

    def is_regular(self, one: Round) -> bool:
        """15.2: where pairings are fixed forfeits are treated as regular games."""
        return one.how == "played" or (self.event.fixed and one.how.startswith("forfeit"))

    def met(self, who: int) -> list[Round]:
        return [r for r in self.history[who] if r and self.is_regular(r)]

    def at_the_board(self, who: int) -> list[Round]:
        return [r for r in self.history[who] if r and r.how == "played"]

    # --- Article 16

    def adjusted(self, who: int, history: dict[int, list[Round | None]]) -> Fraction:
        if (who, id(history)) not in self._adjusted:
            self._adjusted[who, id(history)] = self._adjusted_now(who, history)
        return self._adjusted[who, id(history)]

    def _adjusted_now(self, who: int, history: dict[int, list[Round | None]]) -> Fraction:
        total = Fraction(0)
        own = history[who]
        for at, one in enumerate(own):
            if one is None:
                continue
            later = [r for r in own[at + 1 :] if r]
            trailing = one.how == "requested_bye" and all(
                r.given_up and not self.is_regular(r) for r in later
            )
            total += HALF if trailing else one.points  # 16.2.5 counts as a draw, all others as they were
        return total

    def contributions(
        self, who: int, history: dict[int, list[Round | None]]
    ) -> list[tuple[Fraction, Fraction, bool]]:
        """Score of the opponent or dummy, points got, and whether the round was given up."""
        found = []
        for one in history[who]:
            if one is None:
                continue
            if self.is_regular(one):
                found.append((self.adjusted(one.opponent, history), one.points, False))
                continue
            dummy = self.points(who, history)  # 16.4
            if self.capped and one.opponent is not None:
                dummy = min(dummy, self.adjusted(one.opponent, history))  # 16.4.1
            elif self.capped:
                dummy = min(dummy, HALF * len(self.event.rounds))  # 16.4.2
            found.append((dummy, one.points, one.given_up))
        return found

    def buchholz(self, who: int, low: int = 0, high: int = 0, history=None) -> Fraction:
        values = [(score, up) for score, _got, up in self.contributions(who, history or self.history)]
        for _ in range(low):
            if not values:
                break
            least = min(values, key=lambda v: v[0])
            ups = [v for v in values if v[1]]
            if ups:  # 16.5.1: the lowest of them is never below the least of all
                least = min(ups, key=lambda v: v[0])
            values.remove(least)
        for _ in range(high):
            if values:
                values.remove(max(values, key=lambda v: v[0]))
        return sum((v for v, _up in values), Fraction(0))

    def fore_buchholz(self, who: int) -> Fraction:
        return self.buchholz(who, history=self.drawn)

    def average_buchholz(self, who: int) -> Fraction:
        met = self.at_the_board(who)
        return sum((self.buchholz(r.opponent) for r in met), Fraction(0)) / len(met) if met else Fraction(0)

    def sonneborn_berger(self, who: int, low: int = 0) -> Fraction:
        values = [(score, score * got, up) for score, got, up in self.contributions(who, self.history)]
        for _ in range(low):
            if not values:
                break
            weakest = min(score for score, _v, _up in values)  # 14.1.1.d
            least = min(v for score, v, _up in values if score == weakest)
            ups = [v for _score, v, up in values if up]
            cut = max(least, min(ups)) if ups else least  # 16.5.1
            values.remove(next(one for one in values if one[1] == cut))
        return sum((v for _score, v, _up in values), Fraction(0))

    def koya(self, who: int) -> Fraction:
        most = Fraction(self.event.most)
        return sum((r.points for r in self.met(who) if self.points(r.opponent) * 2 >= most), Fraction(0))

    # --- Article 7

    def wins(self, who: int) -> int:
        return sum(1 for r in self.history[who] if r and r.points == WIN)

    def wins_played(self, who: int) -> int:
        return sum(1 for r in self.met(who) if r.points == WIN)

    def rounds_elected(self, who: int) -> int:
        lost = (
            {"requested_bye"} if self.event.fixed and not self.capped else {"requested_bye", "forfeit_loss"}
        )
        return sum(1 for r in self.history[who] if r and r.how not in lost)

    def progressive(self, who: int, cut: int = 0) -> Fraction:
        scores = [
            sum((r.points for r in self.history[who][: at + 1] if r), Fraction(0))
            for at in range(len(self.event.rounds))
        ]
        return sum(scores[cut:], Fraction(0))

    # --- Article 6

    def head_to_head(self, tied: list[int]) -> list[set[int]]:
        """The tied, best first, who stays equal together."""
        if len(tied) == 1:
            return [set(tied)]
        missing = [(a, b) for i, a in enumerate(tied) for b in tied[i + 1 :] if not self.between(a, b)]
        sure = {
            a: sum((self.average(a, b) for b in tied if b != a and self.between(a, b)), Fraction(0))
            for a in tied
        }
        if not missing:  # 6.2
            tiers = [
                {a for a in tied if sure[a] == score} for score in sorted(set(sure.values()), reverse=True)
            ]
            if len(tiers) == 1:
                return tiers
            return [part for tier in tiers for part in self.head_to_head(sorted(tier))]
        placed: list[int] = []  # 6.3
        while len(placed) < len(tied):
            rest = [a for a in tied if a not in placed]
            first = [a for a in rest if self._always_alone(a, rest, sure, missing)]
            if not first or len(rest) == 1:
                break
            placed += first
        rest = [a for a in tied if a not in placed]
        if not placed:
            return [set(tied)]
        return [*({a} for a in placed), *(self.head_to_head(rest) if rest else [])]

    def _always_alone(
        self, who: int, rest: list[int], sure: dict[int, Fraction], missing: list[tuple[int, int]]
    ) -> bool:
        """Alone at the top of the rest, whatever the missing meetings bring: every outcome is tried."""
        open_ = [pair for pair in missing if pair[0] in rest or pair[1] in rest]
        for outcome in product((Fraction(0), HALF, WIN), repeat=len(open_)):
            total = dict(sure)
            for (a, b), got in zip(open_, outcome, strict=True):
                total[a] += got
                total[b] += WIN - got
            if any(total[other] >= total[who] for other in rest if other != who):
                return False
        return True

    def between(self, a: int, b: int) -> list[Round]:
        return [r for r in self.met(a) if r.opponent == b]

    def average(self, a: int, b: int) -> Fraction:
        met = self.between(a, b)
        return sum((r.points for r in met), Fraction(0)) / len(met)  # 6.1.2

    # --- Article 10

    def opponents_rating(self, who: int, cut: int = 0) -> int:
        return _rounded(sorted(self.ratings[r.opponent] for r in self.at_the_board(who))[cut:])

    def performance(self, who: int) -> int:
        met = self.at_the_board(who)
        if not met:
            return 0
        share = sum((r.points for r in met), Fraction(0)) / len(met)
        hundredths = int(share * 100 + HALF)
        return self.opponents_rating(who) + (
            DIFFERENCE[hundredths - 50] if hundredths >= 50 else -DIFFERENCE[50 - hundredths]
        )

    def perfect_performance(self, who: int) -> int:
        """Rating by rating from below: the first that is expected to bring enough."""
        met = self.at_the_board(who)
        if not met:
            return 0
        ratings, points = [self.ratings[r.opponent] for r in met], sum((r.points for r in met), Fraction(0))
        own = min(ratings) - 800
        for step in (64, 8, 1):  # more rating never brings less
            while points and sum(expected(own + step - r) for r in ratings) < points:
                own += step
        return own + 1 if points else own

    def of_opponents(self, value, who: int) -> int:
        return _rounded([value(r.opponent) for r in self.at_the_board(who)])


# FIDE Rating Regulations B.02, 8.1, as printed: differences for 50 % to 100 %, and where each expected hundredth begins.
DIFFERENCE = [
    int(one)
    for one in """0 7 14 21 29 36 43 50 57 65 72 80 87 95 102 110 117 125 133 141 149 158 166 175 184 193 202 211 220 230 240
    251 262 273 284 296 309 322 336 351 366 383 401 422 444 470 501 538 589 677 800""".split()
]
BEGINS = [
    int(one)
    for one in """0 4 11 18 26 33 40 47 54 62 69 77 84 92 99 107 114 122 130 138 146 154 163 171 180 189 198 207 216 226 236
    246 257 268 279 291 303 316 329 345 358 375 392 412 433 457 485 518 560 620 736""".split()
]


@cache
def expected(difference: int) -> Fraction:
    """The share of points that is expected against somebody so much weaker."""
    above = Fraction(49 + sum(begin <= abs(difference) for begin in BEGINS), 100)
    return above if difference >= 0 else 1 - above


def _rounded(numbers: list[int]) -> int:
    """The average, a half upwards; 0 of nothing."""
    if not numbers:
        return 0
    return floor(Fraction(sum(numbers), len(numbers)) + HALF)
