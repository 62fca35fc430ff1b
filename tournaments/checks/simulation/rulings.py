"""Random rulings on a match: points without a game, lateness, an adjournment; and possible results."""

import random
from datetime import timedelta
from typing import Any

from django.utils import timezone

from people.actors import Actor
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.rulings import MANUAL_REASONS, Award
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import Claim, ResultKind, Score, Side
from tournaments.matches.services.rulings import (
    adjourn_match,
    award_for_lateness,
    award_for_slow_play,
    award_points,
    resume_match,
)
from tournaments.models import Match
from tournaments.selectors.matches.claims import minimum_match_score


def random_claim(rng: random.Random, match: Match) -> Claim:
    """Return a random result: nearly always played to the length, rarely a walkover or a retirement."""
    minimum, side, chance = minimum_match_score(match), rng.choice(list(Side)), rng.random()
    if chance < 0.03 and not match.adjourned:
        return Claim(minimum.a, minimum.b, ResultKind.WALKOVER, side)
    if chance < 0.05 and not match.adjourned:
        return Claim(minimum.a, minimum.b, ResultKind.DOUBLE_WALKOVER)
    if chance < 0.08:
        return Claim(minimum.a, minimum.b, ResultKind.RETIRED, side)
    return winning_claim(match, side, rng.randrange(minimum.of(side.other), match.length))


def winning_claim(match: Match, side: Side, other: int) -> Claim:
    """Return a win of ``side`` played to the length, with ``other`` points for the loser."""
    score = Score(match.length, other) if side is Side.A else Score(other, match.length)
    return Claim(score.a, score.b)


def make_ruling(rng: random.Random, director: Actor, match: Match) -> str:
    """Award points, penalise lateness or slow play, or adjourn or resume the match; return what was done."""
    match_kwargs: dict[str, Any] = {
        "actor": director,
        "event_id": match.stage.division.event_id,
        "match_id": match.pk,
        "seen": match.version,
    }
    if match.status == MatchStatus.ADJOURNED:
        resume_match(**match_kwargs)
        return f"match {match.number} resumed"
    if match.status == MatchStatus.PLAYING:
        minimum = minimum_match_score(match)
        score = Score(rng.randrange(minimum.a, match.length), rng.randrange(minimum.b, match.length))
        day = timezone.localdate() + timedelta(days=1)
        adjourn_match(**match_kwargs, adjourned=Adjournment(score, cube=rng.choice([1, 2]), resumes_on=day))
        return f"match {match.number} adjourned at {score}"
    side = rng.choice(list(Side))
    if rng.random() < 0.2:
        award_for_slow_play(**match_kwargs, slow=side, minutes=rng.randrange(60))
        return f"match {match.number}: side {side} plays slowly"
    if rng.random() < 0.5:
        award_for_lateness(**match_kwargs, late=side, minutes=rng.randrange(30))
        return f"match {match.number}: side {side} late"
    award_points(**match_kwargs, award=Award(side, 1, rng.choice(MANUAL_REASONS), note="by chance"))
    return f"match {match.number}: a point for side {side}"
