"""The score game by game that came with a report, and the first game of it that cannot be."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.rules.sheets import Row, SheetFinding, audit_sheet
from tournaments.engine.matches.rulings import AWARDS, awards_from_json
from tournaments.engine.types import Claim, ResultKind
from tournaments.models import Match
from tournaments.selectors.events.formats import match_format


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score after each game, side a first. ``audited``: whether anything can be said of it; ``found``: the first game that cannot be."""

    rows: tuple[Row, ...]
    audited: bool
    found: SheetFinding | None


def build_sheet(match: Match, rows: Sequence[Sequence[int]], claim: Claim) -> Sheet | None:
    """A kept sheet, held against the rules and against the result that it came with. Where points were given without a game while the
    match went on (F10), a score may rise without one, so nothing is said.
    """
    if not rows:
        return None
    kept = tuple((row[0], row[1]) for row in rows)
    if any(AWARDS[award.why].is_allowed_mid_match for award in awards_from_json(match.awards)):
        return Sheet(kept, audited=False, found=None)
    final = (claim.score_a, claim.score_b) if claim.kind is ResultKind.PLAYED else None
    form = match_format(match.stage, match.length)
    found = audit_sheet(form, kept, start=(match.start_a, match.start_b), final=final)
    return Sheet(kept, audited=True, found=found)
