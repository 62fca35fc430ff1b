"""Stored data with a retention period: each function returns the rows that may be deleted.

``before``: rows count that are older than this time or, for data of an event, whose event ended before it.
"""

from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet

from games.models import HeldRecord
from people.models import (
    Assistance,
    AuditEntry,
    KeptAnswer,
    MergeRequest,
    OutgoingMail,
    PageReport,
    PlayerClaim,
    Presence,
    RoleInvitation,
    SignIn,
    User,
)
from tournaments.engine.statuses import EventStatus
from tournaments.models import (
    Arrangement,
    CallAnswer,
    CallWord,
    DeskNote,
    EntryDetail,
    Event,
    LinkPhone,
    Notification,
    NotificationChoice,
    Report,
    SubscribedFor,
)
from tournaments.models.trail import audit_scope


def deletable_sign_ins(before: datetime) -> QuerySet[SignIn]:
    """Return the records of sign-ins and of failed attempts before ``before``."""
    return SignIn.objects.filter(at__lt=before)


def deletable_sessions(before: datetime) -> QuerySet[Session]:
    """Return the sessions that expired before ``before``."""
    return Session.objects.filter(expire_date__lt=before)


def lost_sessions() -> QuerySet[UserSession]:
    """Return the entries in accounts' lists of sessions whose session no longer exists."""
    user_sessions: QuerySet[UserSession] = UserSession.objects.exclude(
        session_key__in=Session.objects.values("session_key")
    )
    return user_sessions


def waiting_files(before: datetime) -> QuerySet[HeldRecord]:
    """Return the uploaded files that were stored before ``before`` with a form that was not finished."""
    return HeldRecord.objects.filter(created_at__lt=before)


def deletable_stored_answers(before: datetime) -> QuerySet[KeptAnswer]:
    """Return the stored answers to requests with an idempotency key that began before ``before``."""
    return KeptAnswer.objects.filter(began_at__lt=before)


def deletable_presences(before: datetime) -> QuerySet[Presence]:
    """Return the records of staff being present that were last updated before ``before``."""
    return Presence.objects.filter(seen_at__lt=before)


def abandoned_mail(before: datetime) -> QuerySet[OutgoingMail]:
    """Return the mail written before ``before`` that could not be delivered.

    The rows contain the recipient and the mail server's message.
    """
    given_up = (OutgoingMail.State.GIVEN_UP, OutgoingMail.State.UNSURE)
    return OutgoingMail.objects.filter(state__in=given_up, written_at__lt=before)


def deletable_page_reports(before: datetime) -> QuerySet[PageReport]:
    """Return the visitors' reports about pages that were handled before ``before``."""
    return PageReport.objects.filter(handled_at__lt=before)


def deletable_invitations(before: datetime) -> QuerySet[RoleInvitation]:
    """Return the invitations to a role that expired before ``before``, accepted or not."""
    return RoleInvitation.objects.filter(expires_at__lt=before)


def deletable_player_claims(before: datetime) -> QuerySet[PlayerClaim]:
    """Return the requests to link an account and a player that expired before ``before``, accepted or not."""
    return PlayerClaim.objects.filter(expires_at__lt=before)


def deletable_merge_requests(before: datetime) -> QuerySet[MergeRequest]:
    """Return the requests to merge two players that were answered before ``before``."""
    return MergeRequest.objects.filter(answered_at__lt=before)


def deletable_contact_details(before: datetime) -> QuerySet[EntryDetail]:
    """Return the entry details with an address, phone, note or custom field of events before ``before``."""
    filled = ~Q(email="") | ~Q(phone="") | ~Q(note="") | ~Q(extra={}) | ~Q(undo={})
    return EntryDetail.objects.filter(filled, entry__division__event__in=_past_events(before))


def reports_with_device(before: datetime) -> QuerySet[Report]:
    """Return the reports of matches of events that ended before ``before`` that still name a browser.

    That is the random id of the browser that sent the report.
    """
    return Report.objects.filter(match__stage__division__event__in=_past_events(before)).exclude(device="")


def deletable_link_phones(before: datetime) -> QuerySet[LinkPhone]:
    """Return the records of devices that used personal links of events that ended before ``before``."""
    return LinkPhone.objects.filter(entry__division__event__in=_past_events(before))


def deletable_notifications(before: datetime) -> QuerySet[Notification]:
    """Return the notifications created before ``before``; their deliveries are deleted with them."""
    return Notification.objects.filter(made_at__lt=before)


def deletable_link_subscriptions(before: datetime) -> QuerySet[SubscribedFor]:
    """Return the push subscriptions made by personal links of events that ended before ``before``."""
    return SubscribedFor.objects.filter(entry__division__event__in=_past_events(before))


def deletable_notification_choices(before: datetime) -> QuerySet[NotificationChoice]:
    """Return the notification settings made for events that ended before ``before``."""
    past_events = _past_events(before)
    return NotificationChoice.objects.filter(
        Q(event__in=past_events) | Q(entry__division__event__in=past_events)
    )


def deletable_call_answers(before: datetime) -> QuerySet[CallAnswer]:
    """Return players' answers to calls and up-next notices of events that ended before ``before``."""
    return CallAnswer.objects.filter(entry__division__event__in=_past_events(before))


def deletable_arrangements(before: datetime) -> QuerySet[Arrangement]:
    """Return the arrangements about matches of events that ended before ``before``, with their messages."""
    return Arrangement.objects.filter(match__stage__division__event__in=_past_events(before))


def deletable_desk_notes(before: datetime) -> QuerySet[DeskNote]:
    """Return the staff notes of events that ended before ``before``."""
    return DeskNote.objects.filter(event__in=_past_events(before))


def deletable_up_next_notices(before: datetime) -> QuerySet[CallWord]:
    """Return the up-next notices of events that ended before ``before``."""
    return CallWord.objects.filter(entry__division__event__in=_past_events(before))


def deletable_assistances(before: datetime) -> QuerySet[Assistance]:
    """Return the assistants' roles in events that ended before ``before``."""
    return Assistance.objects.filter(scope__in=[audit_scope(event) for event in ended_events(before)])


def deletable_guest_accounts(before: datetime) -> QuerySet[User]:
    """Return the guest accounts created before ``before`` that assist no event any more."""
    helping = Assistance.objects.exclude(pk__in=deletable_assistances(before).values("pk")).values("user")
    return User.objects.filter(is_guest=True, date_joined__lt=before).exclude(pk__in=helping)


def ended_events(before: datetime) -> list[Event]:
    """Return the events that ended before ``before``; an event still running counts from its last action."""
    return list(_past_events(before).order_by("pk"))


def _past_events(before: datetime) -> QuerySet[Event]:
    past = Event.objects.filter(ends_on__lt=before.date())
    active_ids = [
        event.pk
        for event in past.filter(status=EventStatus.RUNNING)
        if AuditEntry.objects.filter(scope=audit_scope(event), at__gte=before).exists()
    ]
    return past.exclude(pk__in=active_ids)
