"""Random arrangements between the two sides of a match: times, messages, and a director who reads them."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from faults import CrawfordError
from people.actors import Actor
from tournaments.checks.simulation.hall import StepContext, link_device
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


def arrange_matches(context: StepContext) -> str:
    """Do several actions; those rejected with a message are skipped.

    Raises ``BadInput``, which means an error in the program.
    """
    outcomes = []
    for _ in range(ACTIONS_PER_STEP):
        try:
            outcomes.append(_one_action(context))
        except BadInput:
            raise
        except CrawfordError as error:
            outcomes.append(f"refused: {error.code}")
    return "; ".join(outcomes)


def _one_action(context: StepContext) -> str:
    """Let one side offer times, answer, or cancel; or exchange messages."""
    if context.rng.random() < 0.3:
        return _exchange_messages(context)
    match_side = _some_side(context)
    if match_side is None:
        return "nobody who finds a time"
    match, entry = match_side
    arrangement = arrangement_of_match(match)
    arrangement_kwargs: dict[str, Any] = {
        "actor": Actor.with_label(f"Personal link of {entry.name}"),
        "match_id": match.pk,
        "entry": entry,
        "seen": arrangement.version if context.rng.random() < 0.9 else arrangement.version + 1,
        "phone": link_device(entry),
    }
    chance = context.rng.random()
    if arrangement.offers and arrangement.offered_by != entry.pk and chance < 0.6:
        agree_to_time(
            **arrangement_kwargs, number=context.rng.choice([offer.number for offer in arrangement.offers])
        )
        return f"a time for match {match.number}"
    if arrangement.offers and chance < 0.8:
        decline_times(**arrangement_kwargs)
        return f"no time for match {match.number}"
    if arrangement.agreed is not None and chance < 0.7:
        cancel_time(**arrangement_kwargs)
        return f"the time of match {match.number} called off"
    zone, last_day = ZoneInfo(context.event.timezone), arrangement_deadline(match, context.event).day
    hours = context.rng.sample(range(1, 20), context.rng.randint(1, 3))
    moments = [timezone.now() + timedelta(hours=hour) for hour in hours]
    times = [
        TimeProposal(moment, context.rng.choice(["", "Café"]))
        for moment in moments
        if moment.astimezone(zone).date() <= last_day
    ]
    if not times:
        return "no day is left"
    offer_times(**arrangement_kwargs, times=times)
    return f"times for match {match.number}"


def _exchange_messages(context: StepContext) -> str:
    """Write a message, report the conversation to a director, or settle a reported one."""
    reported = reported_matches(context.event)
    if reported and context.rng.random() < 0.5:
        match = context.rng.choice(reported)
        settle_conversation(**context.where, match_id=match.pk, closed=context.rng.random() < 0.4)
        return f"what was written about match {match.number} read"
    match_side = _some_side(context)
    if match_side is None:
        return "nobody who writes"
    match, entry = match_side
    if context.rng.random() < 0.3:
        actor = Actor.with_label(f"Personal link of {entry.name}")
        report_conversation(actor=actor, match_id=match.pk, entry=entry, phone=link_device(entry))
        return f"what was written about match {match.number} reported"
    text = context.rng.choice(["Friday?", "At eight", " "])
    write_message(
        match_id=match.pk, entry=entry, text=text, submission_key=context.key(), phone=link_device(entry)
    )
    return f"a message about match {match.number}"


def _some_side(context: StepContext) -> tuple[Match, Entry] | None:
    """Return an unfinished match played by arrangement and one of its entries; None if there is none."""
    rows = Match.objects.filter(
        stage__division__event=context.event, stage__by_arrangement=True, status__in=PLAYABLE
    ).select_related("stage__division__event", "round")
    matches = list(rows.order_by("pk")[:20])
    if not matches:
        return None
    match = context.rng.choice(matches)
    slots = (
        MatchSlot.objects.filter(match=match, entry__isnull=False).select_related("entry").order_by("side")
    )
    entries = [slot.entry for slot in slots if slot.entry is not None]
    return (match, context.rng.choice(entries)) if entries else None
