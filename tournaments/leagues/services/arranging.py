"""Arrangement of a match: one side offers up to three times, the other accepts, declines, or offers others.

Only one side has offers at a time, so two times cannot be accepted at once. Each step takes the version that
the user saw: after another change it raises ``Conflict`` with the current one. An arrangement has no effect
on the match: not appearing has no consequence until a director rules.
"""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry
from people.rows import one_or_none
from people.text import clean_line
from people.transactions import durable
from people.zones import midnight
from tournaments.engine.alerts import TimesAnswered
from tournaments.engine.alerts import TimesOffered as OffersAlert
from tournaments.engine.matches.arranging import (
    MAX_OFFERS_PER_DAY,
    ProposalOutcome,
    TimeProposal,
    resolve_proposals,
)
from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.arranging import AgreedTimeCancelled, TimeAgreed, TimesDeclined, TimesOffered
from tournaments.models import Arrangement, Entry, Event, Match, OfferedTime
from tournaments.models.trail import audit_scope
from tournaments.notices.services.notifying import notify
from tournaments.selectors.access.phones import NO_ORIGIN, RequestOrigin
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.matches.arrangements import (
    arrangement_deadline,
    can_arrange,
    can_write_messages,
    side_by_entry,
)
from tournaments.store.arranging import get_or_build_arrangement
from tournaments.store.lock import lock_event_of_match, record_action
from tournaments.store.phones import authorize_device


class LockedArrangement:
    """A match whose event is locked, with the side that acts, for one step of its arrangement.

    ``arrangement``: that of both sides; ``other``: database id of the other entry.
    """

    def __init__(self, match_id: int, entry: Entry, phone: RequestOrigin, *, times: bool = True) -> None:
        self.event: Event = lock_event_of_match(match_id)
        match = one_or_none(Match.objects.select_related("stage__division", "round").filter(pk=match_id))
        if match is None:
            raise Missing("match.unknown")
        self.match: Match = match
        match.stage.division.event = self.event
        sides = side_by_entry(match)
        if entry.pk not in sides:
            raise NotAllowed("report.not_your_match")
        if not match.stage.by_arrangement:
            raise Conflict("times.at_tables", present=match)
        if len(sides) != 2 or not (can_arrange(match) if times else can_write_messages(match)):
            raise Conflict("times.match_over" if times else "message.match_over", present=match)
        self.entry = entry
        self.by: Reporter = Reporter.for_side(sides[entry.pk])
        (self.other,) = (pk for pk in sides if pk != entry.pk)
        self.arrangement: Arrangement = get_or_build_arrangement(match, entry.pk, self.other)
        self.phone = authorize_device(self.event, entry, phone)
        self.zone = ZoneInfo(self.event.timezone)
        self.now: datetime = timezone.now()

    @property
    def day_start(self) -> datetime:
        """Return the start of the current day in the event's time zone."""
        return midnight(event_today(self.event, self.now), self.zone)

    def require_version(self, expected_version: int) -> Arrangement:
        """Return the arrangement. Raises ``Conflict`` if its version is not ``expected_version``."""
        if expected_version != self.arrangement.version:
            raise Conflict("times.changed", present={"version": self.arrangement.version})
        return self.arrangement

    def keep(self) -> None:
        self.arrangement.changed_at = self.now
        self.arrangement.save()

    def done(self, actor: Actor, action: AuditAction) -> Arrangement:
        """Save a change of times with a new version and an entry in the audit log."""
        self.arrangement.version += 1
        self.keep()
        record_action(self.event, actor=actor, action=action, subject=self.match)
        return self.arrangement

    def notify_other_side(self, outcome: ProposalOutcome) -> None:
        """Notify the other side that offered times were accepted or declined, or a time cancelled."""
        version = self.arrangement.version
        notify(
            self.event, TimesAnswered(match=self.match.pk, what=outcome.value, version=version), [self.other]
        )


@durable
def offer_times(
    *,
    actor: Actor,
    match_id: int,
    entry: Entry,
    times: Sequence[TimeProposal],
    seen: int,
    phone: RequestOrigin = NO_ORIGIN,
) -> Arrangement:
    """Offer up to three times to the other side, replacing all offers.

    An agreed time stays valid until one of them is accepted. Raises ``NotAllowed`` (403) for an entry that is
    not a side, ``Conflict`` (409) if the version is not ``seen`` and for a match that cannot be arranged, and
    ``Invalid`` (422, each at its field) for impossible times, such as one after the round's deadline, and for
    more than ten offers of a side in a day (``times.often``).
    """
    pair = LockedArrangement(match_id, entry, phone)
    row = pair.require_version(seen)
    proposals = [TimeProposal(proposal.at, clean_line(proposal.place)) for proposal in times]
    resolved = resolve_proposals(proposals, pair.zone, pair.now, arrangement_deadline(pair.match, pair.event))
    rows = AuditEntry.objects.filter(
        scope=audit_scope(pair.event),
        action=TimesOffered.kind,
        subject_id=pair.match.pk,
        at__gte=pair.day_start,
    )
    if rows.filter(data__by=pair.by.value).count() >= MAX_OFFERS_PER_DAY:
        raise Invalid("times.often", field="time_1", limit=MAX_OFFERS_PER_DAY)
    pair.keep()
    OfferedTime.objects.filter(arrangement=row).delete()
    OfferedTime.objects.bulk_create(
        OfferedTime(arrangement=row, entry=entry, number=number, starts_at=proposal.at, place=proposal.place)
        for number, proposal in enumerate(resolved, start=1)
    )
    starts = tuple(proposal.at.isoformat() for proposal in resolved)
    pair.done(actor, TimesOffered(by=pair.by, times=starts, phone=pair.phone))
    notify(pair.event, OffersAlert(match=pair.match.pk, version=row.version), [pair.other])
    return row


@durable
def decline_times(
    *, actor: Actor, match_id: int, entry: Entry, seen: int, phone: RequestOrigin = NO_ORIGIN
) -> Arrangement:
    """Decline the times that the other side offers, or withdraw the offers of ``entry``.

    Raises ``Conflict`` (409) if there are none or the version is not ``seen``.
    """
    pair = LockedArrangement(match_id, entry, phone)
    row = pair.require_version(seen)
    offers = OfferedTime.objects.filter(arrangement=row) if row.pk else OfferedTime.objects.none()
    offer = offers.first()
    if offer is None:
        raise Conflict("times.none_offered", present={"version": row.version})
    is_own = offer.entry_id == entry.pk
    offers.delete()
    pair.done(actor, TimesDeclined(by=pair.by, own=is_own, phone=pair.phone))
    if not is_own:
        pair.notify_other_side(ProposalOutcome.DECLINED)
    return row


@durable
def agree_to_time(
    *, actor: Actor, match_id: int, entry: Entry, number: int, seen: int, phone: RequestOrigin = NO_ORIGIN
) -> Arrangement:
    """Accept offer ``number`` of the other side: it replaces the time agreed before, and all offers end.

    Raises ``Conflict`` (409) if the version is not ``seen``, or the offer does not exist, was made by
    ``entry``, or its time has passed.
    """
    pair = LockedArrangement(match_id, entry, phone)
    row = pair.require_version(seen)
    offer = OfferedTime.objects.filter(arrangement=row, number=number).first() if row.pk else None
    if offer is None or offer.entry_id == entry.pk:
        raise Conflict("times.none_offered", present={"version": row.version})
    if offer.starts_at <= pair.now:
        raise Conflict("times.over", present={"version": row.version})
    deadline = arrangement_deadline(pair.match, pair.event)
    if offer.starts_at.astimezone(pair.zone).date() > deadline.day:  # a director has moved the deadline since
        code = "times.after_round" if deadline.is_round_deadline else "times.after_event"
        raise Conflict(code, present={"version": row.version}, day=deadline.day)
    before = row.starts_at.isoformat() if row.is_agreed and row.starts_at is not None else ""
    row.starts_at, row.place, row.is_agreed, row.agreed_at = offer.starts_at, offer.place, True, pair.now
    OfferedTime.objects.filter(arrangement=row).delete()
    at = row.starts_at.isoformat()
    pair.done(actor, TimeAgreed(by=pair.by, at=at, before=before, phone=pair.phone))
    pair.notify_other_side(ProposalOutcome.AGREED)
    return row


@durable
def cancel_time(
    *, actor: Actor, match_id: int, entry: Entry, seen: int, phone: RequestOrigin = NO_ORIGIN
) -> Arrangement:
    """Cancel the agreed time. Raises ``Conflict`` (409) if there is none or the version is not ``seen``."""
    pair = LockedArrangement(match_id, entry, phone)
    row = pair.require_version(seen)
    if not row.is_agreed or row.starts_at is None:
        raise Conflict("times.none_agreed", present={"version": row.version})
    row.is_agreed = False
    pair.done(actor, AgreedTimeCancelled(by=pair.by, at=row.starts_at.isoformat(), phone=pair.phone))
    pair.notify_other_side(ProposalOutcome.CALLED_OFF)
    return row
