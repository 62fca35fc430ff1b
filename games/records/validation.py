"""Compare a record with the rules and with the expected match: one verdict with all findings.

This module has the match around the games (length, running score, Crawford, the end at the right moment), the
expectations, and the verdict. The games themselves are in `replay.py` and `ending.py`; file formats and texts
are elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from games.records.doubts import apply_slip_limits, doubt_many_illegal_plays, settle_name_changes
from games.records.findings import Finding, Severity, finding
from games.records.model import Game, Record, Variation
from games.records.replay import MAX_FINDINGS, AssumedFormat
from games.records.replaying import Replay, ReplayedGame
from games.records.stars import drop_missing_stars, has_stars
from games.records.walking import WalkBudget, walk_game
from games.rules.formats import MAX_MATCH_LENGTH, MatchFormat
from games.rules.policies import DEFAULT_SLIPS, SlipRules
from games.rules.scoring import Crawford, Score, first_score, score_after
from games.rules.sides import Side

_GALAXY_LENGTH = 16  # what Backgammon Galaxy writes above a money game


class VerdictDecision(StrEnum):
    ACCEPT = "accept"
    ACCEPT_WITH_NOTES = "accept_with_notes"
    DOUBTFUL = (
        "doubtful"  # several plays that cannot be, or one that the rest does not fit: a person is to look
    )
    REJECT = "reject"
    UNREADABLE = "unreadable"


# The effect of points given without a game on a record of the match.
_SCORE_CODES = {
    "score.carried",
    "expected.start",
    "expected.unfinished",
    "match.unfinished",
    "match.claimed_over",
}


@dataclass(frozen=True, slots=True)
class ExpectedMatch:
    """The match that a record should be, as the bracket knows it.

    Names are compared without case and spacing; a player may have several. `players` are in the order of
    `score`; a record with exchanged columns is read accordingly. `finished`: True rejects a record without an
    end. `possible_starts`: scores above 0-0 that its first game may begin with, in the order of `score` (rule
    F10), so that a record without its first games is rejected; empty: unknown, and another start than 0-0 is
    a note. `has_awarded_points`: points were given without a game during the match, which no record has, so a
    gap in the score or at the end is a note (rule F10). `slips`: the announced policy on errors at the board
    (rules F7 and F16); None: unknown, so a set-up start is a note and a wrong score is rejected.
    """

    length: int | None = None
    players: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    score: tuple[int, int] | None = None
    finished: bool = True
    possible_starts: tuple[tuple[int, int], ...] = ()
    has_awarded_points: bool = False
    slips: SlipRules | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking a record. `score` is at most the match length (rule F1), left column first.

    `complete`: the match is over; `is_swapped`: the left column is the second expected player.
    """

    decision: VerdictDecision
    complete: bool
    findings: tuple[Finding, ...]
    replay: Replay | None = None
    is_swapped: bool = False

    @property
    def score(self) -> tuple[int, int] | None:
        return self.replay.score.capped if self.replay is not None else None

    @property
    def expected_score(self) -> tuple[int, int] | None:
        """Return the score in the order of the expected players; None without a replay."""
        score = self.score
        return (score[1], score[0]) if score is not None and self.is_swapped else score

    @property
    def is_acceptable(self) -> bool:
        """Return whether the record is valid, so that no person has to look at it."""
        return self.decision in (VerdictDecision.ACCEPT, VerdictDecision.ACCEPT_WITH_NOTES)

    @property
    def is_doubtful(self) -> bool:
        """Return whether points, score and players fit, but not all plays do: evidence, but no proof."""
        return self.decision is VerdictDecision.DOUBTFUL


UNKNOWN_MONEY = MatchFormat(beavers=True, raccoons=True)


def is_galaxy_money(record: Record) -> bool:
    """Return whether the record is a money game as Galaxy writes it.

    That is a `16 point match` of one game, which has the Jacoby rule.
    """
    site = (record.tag("Site") or "").replace(" ", "").casefold()
    return record.length == _GALAXY_LENGTH and len(record.games) == 1 and site == "backgammongalaxy"


def assumed_format(record: Record) -> AssumedFormat:
    """Return the match format that a record implies. Rules of money play that it does not state stay open."""
    options = record.options
    length = record.length
    if length and length <= MAX_MATCH_LENGTH and not is_galaxy_money(record):
        return AssumedFormat(MatchFormat(length=length, crawford=options.crawford is not False))
    is_galaxy = is_galaxy_money(record)
    jacoby = True if is_galaxy else options.jacoby
    beavers = options.beavers is not False
    form = replace(
        UNKNOWN_MONEY,
        jacoby=bool(jacoby),
        beavers=beavers,
        raccoons=beavers,
        automatic_doubles=1 if options.automatic_doubles else 0,
    )
    return AssumedFormat(
        form,
        is_jacoby_open=jacoby is None,
        is_automatic_open=options.automatic_doubles is None,
        max_game_points=_GALAXY_LENGTH if is_galaxy else None,
    )


class _RecordWalk:
    """One replay of all games of a record, with the checks of the match around them."""

    def __init__(self, record: Record, form: MatchFormat | None) -> None:
        self.record = record
        self.findings: list[Finding] = []
        self.assumed = self._assumed_format(form)
        self.form = self.assumed.form
        self.games: list[ReplayedGame] = []
        self.counted: Score | None = None  # the score by the games alone, whatever is written between them

    def _assumed_format(self, form: MatchFormat | None) -> AssumedFormat:
        recorded_format = assumed_format(self.record)
        if is_galaxy_money(self.record) and (form is None or form.is_money):
            self.findings.append(finding("match.galaxy_money"))
        length = self.record.length
        if length is not None and length > MAX_MATCH_LENGTH:
            self.findings.append(finding("match.length_impossible", length=length, longest=MAX_MATCH_LENGTH))
        if form is None:
            if self.record.length and self.record.options.jacoby:
                self.findings.append(finding("match.jacoby", length=self.record.length))
            return recorded_format
        if length is not None and form.length not in (recorded_format.form.length, length):
            # Another length than expected: said once, and the record is read as what it is.
            self.findings.append(
                finding("expected.length", stated=recorded_format.form.length or 0, expected=form.length or 0)
            )
            return recorded_format
        return AssumedFormat(form, max_game_points=recorded_format.max_game_points if form.is_money else None)

    def run(self) -> Replay:
        score: Score | None = None
        games = self.record.games
        starred, budget, right_stars = has_stars(self.record), WalkBudget(), 0
        for index, game in enumerate(games, 1):
            score_before = self._score_before(score, game, index)
            if score_before.is_over:
                self._add_finding("match.games_after_end", index, game, score=score_before.points)
                score = score_before
                break
            is_last = index == len(games)
            walk, ending, findings = walk_game(
                game,
                index,
                self.assumed,
                score_before,
                next_score=None if is_last else games[index].score_before,
                is_last=is_last,
                starred=starred,
                budget=budget,
            )
            self.findings += findings
            right_stars += walk.correct_mark_count
            score = score_before
            if ending.winner is not None and ending.points > 0:
                score = score_after(self.form, score_before, ending.winner, ending.points)
                if self.counted is not None and not self.counted.is_over:
                    self.counted = score_after(self.form, self.counted, ending.winner, ending.points)
            if (
                game.result is not None
                and game.result.wins_match
                and self.form.length is not None
                and not score.is_over
            ):
                self._add_finding("match.claimed_over", index, game, score=score.points)
            self.games.append(
                ReplayedGame(index, score_before, walk.start, tuple(walk.states), ending, score)
            )
            if max(len(self.findings), len(walk.findings)) > MAX_FINDINGS:
                self.findings = self.findings[:MAX_FINDINGS]
                self.findings.append(finding("record.too_many_findings", game=index, limit=MAX_FINDINGS))
                break
        self.findings = drop_missing_stars(self.findings, right_stars)
        return Replay(self.form, tuple(self.games), score or first_score(self.form))

    def _add_finding(self, code: str, index: int, game: Game, **params: Any) -> None:
        self.findings.append(finding(code, game=index, place=game.place, **params))

    def _score_before(self, current_score: Score | None, game: Game, index: int) -> Score:
        """Return the score at the start of a game: as written, because it was on the board (rule F16)."""
        stated = game.score_before
        if current_score is None:
            if stated != (0, 0):
                self._add_finding("match.starting_score", index, game, score=stated)
                if game.number > 1:
                    self._add_finding("match.games_missing", index, game, number=game.number)
            current_score = self.counted = self._first(stated)
        elif self.counted is not None and current_score.points != self.counted.points == stated:
            current_score = (
                self.counted
            )  # a wrong score that was put right: it has been told where it was wrong (F16)
        elif stated not in (current_score.points, current_score.capped):
            uncounted_score = self._score_without_automatic(index - 2)
            code = "score.automatic_uncounted" if stated == uncounted_score else "score.carried"
            self._add_finding(code, index, game, stated=stated, score=current_score.points)
            is_crawford_past = current_score.crawford is not Crawford.BEFORE
            current_score = self._first(stated)
            if is_crawford_past:
                current_score = replace(current_score, crawford=Crawford.AFTER)
        if (
            game.crawford is not None
            and game.crawford is not current_score.is_crawford
            and self.form.length is not None
        ):
            self._add_finding("crawford.flag", index, game, stated=game.crawford)
        return current_score

    def _score_without_automatic(self, index: int) -> tuple[int, int] | None:
        """Return the score after a game without its automatic doubles; None if it had none or no winner.

        GNU Backgammon's SGF counts in this way. ``index``: the position of the game, from 0.
        """
        points_before, automatic_doubles = (
            self.games[index].score.points,
            self.record.games[index].automatic_doubles,
        )
        ending = self.games[index].ending
        if not automatic_doubles or ending.winner is None:
            return None
        points = ending.points >> min(automatic_doubles, 20)
        return (
            (points_before[0] + points, points_before[1])
            if ending.winner is Side.WHITE
            else (points_before[0], points_before[1] + points)
        )

    def _first(self, stated: tuple[int, int]) -> Score:
        """Return the stated score as a first score.

        If both sides have reached the match length, which is impossible, the right column gets one point less
        than it.
        """
        length = self.form.length
        if length is not None and min(stated) >= length:
            stated = (stated[0], length - 1)
        return first_score(self.form, *stated)


def replay(record: Record, form: MatchFormat | None = None) -> Replay:
    """Return the replay of a record, without a verdict.

    ``form``: the match format, None for that of the file.
    """
    return _RecordWalk(record, form).run()


def validate(
    record: Record,
    form: MatchFormat | None = None,
    expected: ExpectedMatch | None = None,
    read_findings: tuple[Finding, ...] = (),
) -> Verdict:
    """Return the verdict on a record, including what the reader found (``read_findings``).

    ``form``: the match format, None for that of the file; ``expected``: the match that the record should be.
    """
    if form is None and record.length is None and expected is not None and expected.length:
        form = MatchFormat(length=expected.length)
    record_walk = _RecordWalk(record, form)
    if form is not None:  # whoever asks knows the length that the file does not say
        read_findings = tuple(item for item in read_findings if item.code != "match.length_missing")
    if record.options.variation is not Variation.BACKGAMMON:
        variation_findings = (
            *read_findings,
            finding(
                "record.variation", variation=record.options.variation_name or record.options.variation.value
            ),
        )
        return Verdict(VerdictDecision.REJECT, complete=False, findings=variation_findings)
    replayed = record_walk.run()
    findings = [*settle_name_changes(read_findings, record_walk.findings), *record_walk.findings]
    complete = replayed.is_complete and (record.length is not None or form is not None)
    if not complete and not any(f.code in ("match.length_missing", "game.unfinished") for f in findings):
        findings.append(finding("match.unfinished", score=replayed.score.points))
    is_swapped = False
    if expected is not None:
        is_swapped = _compare_with_expected(record, replayed, expected, findings, complete=complete)
        if expected.slips is not None:
            findings = apply_slip_limits(findings, record, expected.slips)
        if expected.has_awarded_points:
            findings = [replace(f, severity=Severity.NOTE) if f.code in _SCORE_CODES else f for f in findings]
    complete = complete and not any(f.code == "match.games_missing" for f in findings)
    slips = expected.slips if expected is not None else None
    findings += doubt_many_illegal_plays(findings, (slips or DEFAULT_SLIPS).moves)
    findings.sort(key=_sort_key)
    return Verdict(_decide(findings), complete, tuple(findings), replayed, is_swapped)


def _sort_key(item: Finding) -> tuple[int, int]:
    return item.game, item.turn


def _decide(findings: list[Finding]) -> VerdictDecision:
    if any(item.severity is Severity.REJECT for item in findings):
        return VerdictDecision.REJECT
    if any(item.severity is Severity.DOUBT for item in findings):
        return VerdictDecision.DOUBTFUL
    return VerdictDecision.ACCEPT_WITH_NOTES if findings else VerdictDecision.ACCEPT


def _compare_with_expected(
    record: Record, replayed: Replay, expected: ExpectedMatch, findings: list[Finding], *, complete: bool
) -> bool:
    """Add findings on differences from the expected match; return whether the columns are exchanged."""
    length = replayed.form.length or 0
    is_length_reported = any(item.code == "expected.length" for item in findings)
    if expected.length is not None and expected.length != length and not is_length_reported:
        findings.append(finding("expected.length", stated=length, expected=expected.length))
    is_swapped = False
    if expected.players is not None:
        are_swapped = are_sides_swapped(record.players, expected.players)
        if are_swapped is None:
            findings.append(finding("expected.players", stated=record.players, expected=expected.players))
        else:
            is_swapped = are_swapped
    if (
        expected.possible_starts
        and replayed.games
        and not any(item.code == "expected.players" for item in findings)
    ):
        start_points = replayed.games[0].score.points
        stated = (start_points[1], start_points[0]) if is_swapped else start_points
        start_codes = {"match.starting_score", "match.games_missing"}
        findings[:] = [item for item in findings if item.code not in start_codes]
        if stated not in expected.possible_starts:
            findings.append(
                finding("expected.start", game=1, stated=stated, expected=expected.possible_starts[0])
            )
    if expected.finished and not complete:
        findings.append(finding("expected.unfinished", score=replayed.score.points))
    if expected.score is not None:
        score = replayed.score.capped
        stated = (score[1], score[0]) if is_swapped else score
        if stated != _capped(expected.score, replayed.form.length):
            findings.append(finding("expected.score", stated=stated, expected=expected.score))
    return is_swapped


def _capped(score: tuple[int, int], length: int | None) -> tuple[int, int]:
    return score if length is None else (min(score[0], length), min(score[1], length))


def normalize_name(name: str) -> str:
    """Return a name for comparison: without case, spacing, and a number after a comma.

    Some programs add a player's rating in this way.

    >>> normalize_name("Ann  LEE (1800)")
    'annlee(1800)'
    """
    name_only = name.rsplit(",", 1)[0] if name.rsplit(",", 1)[-1].strip().isdigit() else name
    return "".join(name_only.split()).casefold()


def are_sides_swapped(
    stated: tuple[str, str], expected: tuple[tuple[str, ...], tuple[str, ...]]
) -> bool | None:
    """Return False if the columns are in the expected order, True if exchanged, None for other players."""
    left, right = (normalize_name(name) for name in stated)
    first_names, second_names = ({normalize_name(name) for name in names} for names in expected)
    if left in first_names and right in second_names:
        return False
    return True if left in second_names and right in first_names else None
