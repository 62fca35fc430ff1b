"""What a correction of a confirmed result would change, before anything is written."""

from rating.selectors import Effect, effects_of_correction
from tournaments.engine.reporting import outcome_of
from tournaments.engine.results import RESULT_RULES
from tournaments.engine.types import Claim
from tournaments.models import Match, Report
from tournaments.services.results import ledger_facts, ledger_key


def rating_effects(match: Match, claim: Claim) -> list[Effect]:
    """Ratings now and then, largest change first. Empty where nothing changes or the result was never rated.

    A result that becomes rateable only by the correction shows nothing here: it is rated like any new one.
    """
    facts = ledger_facts(match.stage.division.event, match)
    if facts is None:
        return []
    key = ledger_key(match, Report.objects.get(match=match, state=Report.State.CONFIRMED))
    outcome = outcome_of(match.length, claim)
    if outcome.winner is None or not RESULT_RULES[claim.kind].rated:
        return effects_of_correction(source_key=key, void=True)
    if outcome.winner == match.winner_side:
        return []
    return effects_of_correction(source_key=key, winner_id=facts["loser_id"], loser_id=facts["winner_id"])
