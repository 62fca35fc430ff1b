"""What happens at the tables by chance: results, disputes, rulings, calls, matches sent back."""

from people.actors import Actor
from tournaments.checks.simulation.hall import Hall, phone_of
from tournaments.checks.simulation.rulings import a_result, rule, won_by
from tournaments.engine.statuses import TO_PLAY, MatchAction, MatchStatus
from tournaments.engine.types import Claim, Side
from tournaments.hall.services.calling import call_next as call_those_with_a_table
from tournaments.hall.services.calling import move_match
from tournaments.leagues.services.seasons import Ruling
from tournaments.leagues.services.seasons import rule_unplayed as rule_matches_unplayed
from tournaments.matches.services.reports import submit_report
from tournaments.models import Match, MatchSlot
from tournaments.selectors.leagues import season_of
from tournaments.selectors.matches.claims import least_of


def play(hall: Hall) -> str:
    match = hall.some_match(*TO_PLAY)
    if match is None:
        return "nothing to play"
    claim = a_result(hall.rng, match)
    if hall.rng.random() < 0.1 and match.status != MatchStatus.ADJOURNED:
        return _dispute(hall, match, claim)
    hall.director_reports(match, claim)
    return f"match {match.number} {claim}"


def _dispute(hall: Hall, match: Match, claim: Claim) -> str:
    """Both sides say that they won, and the director decides."""
    for side in Side:
        entry = MatchSlot.objects.select_related("entry").get(match=match, side=side).entry
        assert entry is not None
        submit_report(
            actor=Actor.named(f"Personal link of {entry.name}"),
            match_id=match.pk,
            entry=entry,
            claim=won_by(match, side, least_of(match).of(side.other)),
            submission_key=hall.key(),
            phone=phone_of(entry),
        )
    hall.director_reports(match, claim)
    return f"dispute in match {match.number}, {claim}"


def give_a_ruling(hall: Hall) -> str:
    match = hall.some_match(*TO_PLAY)
    return rule(hall.rng, hall.director, match) if match is not None else "nothing to rule on"


def rule_unplayed(hall: Hall) -> str:
    """Of a league: a few matches that nobody played are ruled together."""
    found = [match for _ in range(3) if (match := hall.some_match(*TO_PLAY)) is not None]
    if season_of(hall.event) is None or not found:
        return "nothing unplayed"
    rulings = {match.pk: hall.rng.choice(list(Ruling)) for match in found}
    rule_matches_unplayed(**hall.where, rulings=rulings, submission_key=hall.key())
    return f"{len(rulings)} unplayed matches ruled"


def call(hall: Hall) -> str:
    return _move(hall, MatchAction.CALL, MatchStatus.READY)


def call_next(hall: Hall) -> str:
    called = call_those_with_a_table(**hall.where, everything=hall.rng.random() < 0.5)
    return f"{len(called)} matches called"


def send_back(hall: Hall) -> str:
    return _move(hall, MatchAction.SEND_BACK, MatchStatus.CALLED, MatchStatus.PLAYING)


def _move(hall: Hall, action: MatchAction, *statuses: MatchStatus) -> str:
    match = hall.some_match(*statuses)
    if match is None:
        return f"no match for {action}"
    if match.status == MatchStatus.CALLED and hall.rng.random() < 0.5:
        action = MatchAction.START
    move_match(**hall.where, match_id=match.pk, action=action)
    return f"{action} of match {match.number}"
