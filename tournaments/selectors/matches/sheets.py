"""Check of the score sheet of a report: the score game by game, and its first impossible game."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.rules.sheets import Row, SheetFinding, audit_sheet
from tournaments.engine.matches.rulings import AWARD_RULES, awards_from_json
from tournaments.engine.types import Claim, ResultKind
from tournaments.models import Match
from tournaments.selectors.events.formats import match_format


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A score sheet: the score after each game, side a first.

    ``is_checked``: whether the score sheet could be checked; ``first_error``: its first impossible game, or
    None.
    """

    rows: tuple[Row, ...]
    is_checked: bool
    first_error: SheetFinding | None


def build_score_sheet(match: Match, rows: Sequence[Sequence[int]], claim: Claim) -> ScoreSheet | None:
    """Return the saved score sheet, checked against the rules and the reported result; None without rows.

    It is not checked if awards during the match (rule F10) may have raised the score without a game.
    """
    if not rows:
        return None
    score_rows = tuple((row[0], row[1]) for row in rows)
    if any(AWARD_RULES[award.why].is_allowed_mid_match for award in awards_from_json(match.awards)):
        return ScoreSheet(score_rows, is_checked=False, first_error=None)
    final = (claim.score_a, claim.score_b) if claim.kind is ResultKind.PLAYED else None
    match_rules = match_format(match.stage, match.length)
    finding = audit_sheet(match_rules, score_rows, start=(match.start_a, match.start_b), final=final)
    return ScoreSheet(score_rows, is_checked=True, first_error=finding)
