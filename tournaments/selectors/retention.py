"""Data with a retention period: each function returns rows that ended before a moment."""

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


def sign_ins(before: datetime) -> QuerySet[SignIn]:
    """Sign-ins and failed attempts."""
    return SignIn.objects.filter(at__lt=before)


def sessions(before: datetime) -> QuerySet[Session]:
    """Expired sessions."""
    return Session.objects.filter(expire_date__lt=before)


def lost_sessions() -> QuerySet[UserSession]:
    """Listed sessions that no longer exist."""
    user_sessions: QuerySet[UserSession] = UserSession.objects.exclude(
        session_key__in=Session.objects.values("session_key")
    )
    return user_sessions


def waiting_files(before: datetime) -> QuerySet[HeldRecord]:
    """Files stored with an unfinished form."""
    return HeldRecord.objects.filter(created_at__lt=before)


def stored_answers(before: datetime) -> QuerySet[KeptAnswer]:
    """Stored answers to requests with an idempotency key."""
    return KeptAnswer.objects.filter(began_at__lt=before)


def presences(before: datetime) -> QuerySet[Presence]:
    """Presences of staff, where stored in the database."""
    return Presence.objects.filter(seen_at__lt=before)


def abandoned_mail(before: datetime) -> QuerySet[OutgoingMail]:
    """Mail that could not be delivered, with its recipient and the mail server's message."""
    given_up = (OutgoingMail.State.GIVEN_UP, OutgoingMail.State.UNSURE)
    return OutgoingMail.objects.filter(state__in=given_up, written_at__lt=before)


def page_reports(before: datetime) -> QuerySet[PageReport]:
    """Handled page reports."""
    return PageReport.objects.filter(handled_at__lt=before)


def invitations(before: datetime) -> QuerySet[RoleInvitation]:
    """Invitations that cannot be accepted any more, whatever their outcome."""
    return RoleInvitation.objects.filter(expires_at__lt=before)


def player_claims(before: datetime) -> QuerySet[PlayerClaim]:
    """Link requests between accounts and players, accepted or not."""
    return PlayerClaim.objects.filter(expires_at__lt=before)


def merge_requests(before: datetime) -> QuerySet[MergeRequest]:
    """Answered merge requests."""
    return MergeRequest.objects.filter(answered_at__lt=before)


def contact_details(before: datetime) -> QuerySet[EntryDetail]:
    """Details of entries with an address, phone, note or custom fields, of past events."""
    filled = ~Q(email="") | ~Q(phone="") | ~Q(note="") | ~Q(extra={}) | ~Q(undo={})
    return EntryDetail.objects.filter(filled, entry__division__event__in=_past_events(before))


def reports_with_device(before: datetime) -> QuerySet[Report]:
    """Reports that still name the browser that sent them, of past events."""
    return Report.objects.filter(match__stage__division__event__in=_past_events(before)).exclude(device="")


def link_phones(before: datetime) -> QuerySet[LinkPhone]:
    """Phones of personal links, of past events."""
    return LinkPhone.objects.filter(entry__division__event__in=_past_events(before))


def notifications(before: datetime) -> QuerySet[Notification]:
    """Notifications and their deliveries."""
    return Notification.objects.filter(made_at__lt=before)


def link_subscriptions(before: datetime) -> QuerySet[SubscribedFor]:
    """Push subscriptions by personal links, of past events."""
    return SubscribedFor.objects.filter(entry__division__event__in=_past_events(before))


def notification_choices(before: datetime) -> QuerySet[NotificationChoice]:
    """Notification settings for past events."""
    past_events = _past_events(before)
    return NotificationChoice.objects.filter(
        Q(event__in=past_events) | Q(entry__division__event__in=past_events)
    )


def call_answers(before: datetime) -> QuerySet[CallAnswer]:
    """Answers of players before matches of past events."""
    return CallAnswer.objects.filter(entry__division__event__in=_past_events(before))


def arrangements(before: datetime) -> QuerySet[Arrangement]:
    """Arrangements and messages of two sides, of past events."""
    return Arrangement.objects.filter(match__stage__division__event__in=_past_events(before))


def desk_notes(before: datetime) -> QuerySet[DeskNote]:
    """Staff notes of past events."""
    return DeskNote.objects.filter(event__in=_past_events(before))


def up_next_notices(before: datetime) -> QuerySet[CallWord]:
    """Up-next notices of past events."""
    return CallWord.objects.filter(entry__division__event__in=_past_events(before))


def assistances(before: datetime) -> QuerySet[Assistance]:
    """Assistants of past events."""
    return Assistance.objects.filter(scope__in=[audit_scope(event) for event in ended_events(before)])


def guest_accounts(before: datetime) -> QuerySet[User]:
    """Guest accounts that assist no event any more."""
    helping = Assistance.objects.exclude(pk__in=assistances(before).values("pk")).values("user")
    return User.objects.filter(is_guest=True, date_joined__lt=before).exclude(pk__in=helping)


def ended_events(before: datetime) -> list[Event]:
    """Events that ended before; one still in play counts from its last action."""
    return list(_past_events(before).order_by("pk"))


def _past_events(before: datetime) -> QuerySet[Event]:
    past = Event.objects.filter(ends_on__lt=before.date())
    active_ids = [
        event.pk
        for event in past.filter(status=EventStatus.RUNNING)
        if AuditEntry.objects.filter(scope=audit_scope(event), at__gte=before).exists()
    ]
    return past.exclude(pk__in=active_ids)
