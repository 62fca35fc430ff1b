"""Random arrangements between the two sides of a match: times, messages, and a director who reads them."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from faults import CrawfordError
from people.actors import Actor
from tournaments.checks.simulation.hall import StepContext, phone_of
from tournaments.engine.errors import BadInput
from tournaments.engine.matches.arranging import TimeProposal
from tournaments.engine.statuses import PLAYABLE
from tournaments.leagues.services.arranging import agree_to_time, cancel_time, decline_times, offer_times
from tournaments.leagues.services.talking import report_conversation, settle_conversation, write_message
from tournaments.models import Entry, Match, MatchSlot
from tournaments.selectors.matches.arrangements import (
    arrangement_deadline,
    arrangement_of_match,
    reported_matches,
)

ACTIONS_PER_STEP = 8


def arrange_matches(hall: StepContext) -> str:
    """Do several actions; those rejected with a message are skipped.

    Raises ``BadInput``, which is a fault of the program.
    """
    done = []
    for _ in range(ACTIONS_PER_STEP):
        try:
            done.append(_one_action(hall))
        except BadInput:
            raise
        except CrawfordError as refused:
            done.append(f"refused: {refused.code}")
    return "; ".join(done)


def _one_action(hall: StepContext) -> str:
    """One side does what comes next: offer times, answer, cancel; or messages are exchanged."""
    if hall.rng.random() < 0.3:
        return _exchange_messages(hall)
    found = _some_side(hall)
    if found is None:
        return "nobody who finds a time"
    match, entry = found
    stands = arrangement_of_match(match)
    known: dict[str, Any] = {
        "actor": Actor.named(f"Personal link of {entry.name}"),
        "match_id": match.pk,
        "entry": entry,
        "seen": stands.version if hall.rng.random() < 0.9 else stands.version + 1,
        "phone": phone_of(entry),
    }
    chance = hall.rng.random()
    if stands.offers and stands.offered_by != entry.pk and chance < 0.6:
        agree_to_time(**known, number=hall.rng.choice([one.number for one in stands.offers]))
        return f"a time for match {match.number}"
    if stands.offers and chance < 0.8:
        decline_times(**known)
        return f"no time for match {match.number}"
    if stands.agreed is not None and chance < 0.7:
        cancel_time(**known)
        return f"the time of match {match.number} called off"
    zone, last = ZoneInfo(hall.event.timezone), arrangement_deadline(match, hall.event).day
    hours = hall.rng.sample(range(1, 20), hall.rng.randint(1, 3))
    moments = [timezone.now() + timedelta(hours=hour) for hour in hours]
    times = [
        TimeProposal(at, hall.rng.choice(["", "Café"]))
        for at in moments
        if at.astimezone(zone).date() <= last
    ]
    if not times:
        return "no day is left"
    offer_times(**known, times=times)
    return f"times for match {match.number}"


def _exchange_messages(hall: StepContext) -> str:
    """Write a message or report the conversation to a director, who closes it or leaves it open."""
    reported = reported_matches(hall.event)
    if reported and hall.rng.random() < 0.5:
        match = hall.rng.choice(reported)
        settle_conversation(**hall.where, match_id=match.pk, closed=hall.rng.random() < 0.4)
        return f"what was written about match {match.number} read"
    found = _some_side(hall)
    if found is None:
        return "nobody who writes"
    match, entry = found
    if hall.rng.random() < 0.3:
        actor = Actor.named(f"Personal link of {entry.name}")
        report_conversation(actor=actor, match_id=match.pk, entry=entry, phone=phone_of(entry))
        return f"what was written about match {match.number} reported"
    text = hall.rng.choice(["Friday?", "At eight", " "])
    write_message(match_id=match.pk, entry=entry, text=text, submission_key=hall.key(), phone=phone_of(entry))
    return f"a message about match {match.number}"


def _some_side(hall: StepContext) -> tuple[Match, Entry] | None:
    """A side of an unfinished match that is played by arrangement."""
    rows = Match.objects.filter(
        stage__division__event=hall.event, stage__by_arrangement=True, status__in=PLAYABLE
    ).select_related("stage__division__event", "round")
    found = list(rows.order_by("pk")[:20])
    if not found:
        return None
    match = hall.rng.choice(found)
    slots = (
        MatchSlot.objects.filter(match=match, entry__isnull=False).select_related("entry").order_by("side")
    )
    entries = [slot.entry for slot in slots if slot.entry is not None]
    return (match, hall.rng.choice(entries)) if entries else None
