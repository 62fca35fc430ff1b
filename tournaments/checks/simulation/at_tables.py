"""Random steps at the tables: results, disputes, rulings, calls, matches returned to the queue."""

from people.actors import Actor
from tournaments.checks.simulation.hall import StepContext, link_device
from tournaments.checks.simulation.rulings import make_ruling, random_claim, winning_claim
from tournaments.engine.statuses import PLAYABLE, MatchAction, MatchStatus
from tournaments.engine.types import Claim, Side
from tournaments.hall.services.calling import call_next as call_those_with_a_table
from tournaments.hall.services.calling import move_match
from tournaments.leagues.services.seasons import UnplayedRuling
from tournaments.leagues.services.seasons import rule_unplayed_matches as rule_matches_unplayed
from tournaments.matches.services.reports import submit_report
from tournaments.models import Match, MatchSlot
from tournaments.selectors.leagues import load_season
from tournaments.selectors.matches.claims import minimum_match_score


def play_match(context: StepContext) -> str:
    match = context.some_match(*PLAYABLE)
    if match is None:
        return "nothing to play"
    claim = random_claim(context.rng, match)
    if context.rng.random() < 0.1 and match.status != MatchStatus.ADJOURNED:
        return _dispute(context, match, claim)
    context.report_as_director(match, claim)
    return f"match {match.number} {claim}"


def _dispute(context: StepContext, match: Match, claim: Claim) -> str:
    """Let both sides report that they won, and the director decide by ``claim``."""
    for side in Side:
        entry = MatchSlot.objects.select_related("entry").get(match=match, side=side).entry
        assert entry is not None
        submit_report(
            actor=Actor.with_label(f"Personal link of {entry.name}"),
            match_id=match.pk,
            entry=entry,
            claim=winning_claim(match, side, minimum_match_score(match).of(side.other)),
            submission_key=context.key(),
            phone=link_device(entry),
        )
    context.report_as_director(match, claim)
    return f"dispute in match {match.number}, {claim}"


def give_a_ruling(context: StepContext) -> str:
    match = context.some_match(*PLAYABLE)
    return make_ruling(context.rng, context.director, match) if match is not None else "nothing to rule on"


def rule_unplayed(context: StepContext) -> str:
    """In a league, rule up to three unplayed matches together."""
    matches = [match for _ in range(3) if (match := context.some_match(*PLAYABLE)) is not None]
    if load_season(context.event) is None or not matches:
        return "nothing unplayed"
    rulings = {match.pk: context.rng.choice(list(UnplayedRuling)) for match in matches}
    rule_matches_unplayed(**context.where, rulings=rulings, submission_key=context.key())
    return f"{len(rulings)} unplayed matches ruled"


def call_match(context: StepContext) -> str:
    return _move_match(context, MatchAction.CALL, MatchStatus.READY)


def call_next(hall: StepContext) -> str:
    called = call_those_with_a_table(**hall.where, everything=hall.rng.random() < 0.5)
    return f"{len(called)} matches called"


def return_to_queue(context: StepContext) -> str:
    return _move_match(context, MatchAction.SEND_BACK, MatchStatus.CALLED, MatchStatus.PLAYING)


def _move_match(context: StepContext, action: MatchAction, *statuses: MatchStatus) -> str:
    match = context.some_match(*statuses)
    if match is None:
        return f"no match for {action}"
    if match.status == MatchStatus.CALLED and context.rng.random() < 0.5:
        action = MatchAction.START
    move_match(**context.where, match_id=match.pk, action=action)
    return f"{action} of match {match.number}"
