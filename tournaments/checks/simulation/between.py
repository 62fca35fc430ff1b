"""What the two of a match that is played by arrangement have between themselves, by chance: times, messages, and a director who reads some."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from faults import CrawfordError
from people.actors import Actor
from tournaments.checks.simulation.hall import Hall, phone_of
from tournaments.engine.errors import BadInput
from tournaments.engine.matches.arranging import Proposal
from tournaments.engine.statuses import TO_PLAY
from tournaments.leagues.services.arranging import agree_to_time, call_off_time, decline_times, offer_times
from tournaments.leagues.services.talking import report_talk, settle_talk, write_message
from tournaments.models import Entry, Match, MatchSlot
from tournaments.selectors.matches.arrangements import arranged_of, reported_in, until_of

SEVERAL = 8


def arrange(hall: Hall) -> str:
    """Several things one after the other; what is refused in words is left."""
    done = []
    for _ in range(SEVERAL):
        try:
            done.append(_one(hall))
        except BadInput:
            raise
        except CrawfordError as refused:
            done.append(f"refused: {refused.code}")
    return "; ".join(done)


def _one(hall: Hall) -> str:
    """One of the two does what comes next: offers times, answers those of the other, calls off; or somebody writes, or is read."""
    if hall.rng.random() < 0.3:
        return _talk(hall)
    found = _somebody(hall)
    if found is None:
        return "nobody who finds a time"
    match, entry = found
    stands = arranged_of(match)
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
        call_off_time(**known)
        return f"the time of match {match.number} called off"
    zone, last = ZoneInfo(hall.event.timezone), until_of(match, hall.event).day
    hours = hall.rng.sample(range(1, 20), hall.rng.randint(1, 3))
    moments = [timezone.now() + timedelta(hours=hour) for hour in hours]
    times = [
        Proposal(at, hall.rng.choice(["", "Café"])) for at in moments if at.astimezone(zone).date() <= last
    ]
    if not times:
        return "no day is left"
    offer_times(**known, times=times)
    return f"times for match {match.number}"


def _talk(hall: Hall) -> str:
    """Somebody writes, or asks a director to read what was written, who closes it or leaves it open."""
    reported = reported_in(hall.event)
    if reported and hall.rng.random() < 0.5:
        match = hall.rng.choice(reported)
        settle_talk(**hall.where, match_id=match.pk, closed=hall.rng.random() < 0.4)
        return f"what was written about match {match.number} read"
    found = _somebody(hall)
    if found is None:
        return "nobody who writes"
    match, entry = found
    if hall.rng.random() < 0.3:
        actor = Actor.named(f"Personal link of {entry.name}")
        report_talk(actor=actor, match_id=match.pk, entry=entry, phone=phone_of(entry))
        return f"what was written about match {match.number} reported"
    text = hall.rng.choice(["Friday?", "At eight", " "])
    write_message(match_id=match.pk, entry=entry, text=text, submission_key=hall.key(), phone=phone_of(entry))
    return f"a message about match {match.number}"


def _somebody(hall: Hall) -> tuple[Match, Entry] | None:
    """One of the two of a match that is played by arrangement and not over."""
    rows = Match.objects.filter(
        stage__division__event=hall.event, stage__by_arrangement=True, status__in=TO_PLAY
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
