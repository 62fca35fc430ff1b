"""What is kept for a time only, and whose time is over: each gives what ended before a moment."""

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
    """Who came in, and who tried to."""
    return SignIn.objects.filter(at__lt=before)


def sessions(before: datetime) -> QuerySet[Session]:
    """Sessions that are over."""
    return Session.objects.filter(expire_date__lt=before)


def lost_sessions() -> QuerySet[UserSession]:
    """Lines of the list of sessions whose session is gone."""
    found: QuerySet[UserSession] = UserSession.objects.exclude(
        session_key__in=Session.objects.values("session_key")
    )
    return found


def waiting_files(before: datetime) -> QuerySet[HeldRecord]:
    """Files that waited beside a form."""
    return HeldRecord.objects.filter(created_at__lt=before)


def stored_answers(before: datetime) -> QuerySet[KeptAnswer]:
    """Answers to what programs sent with a key of their own."""
    return KeptAnswer.objects.filter(began_at__lt=before)


def presences(before: datetime) -> QuerySet[Presence]:
    """Who was at a desk, where that is known by the database."""
    return Presence.objects.filter(seen_at__lt=before)


def abandoned_mail(before: datetime) -> QuerySet[OutgoingMail]:
    """Mail that was given up: to whom, and what the mail server said."""
    given_up = (OutgoingMail.State.GIVEN_UP, OutgoingMail.State.UNSURE)
    return OutgoingMail.objects.filter(state__in=given_up, written_at__lt=before)


def page_reports(before: datetime) -> QuerySet[PageReport]:
    """Reports of pages that operators have handled."""
    return PageReport.objects.filter(handled_at__lt=before)


def invitations(before: datetime) -> QuerySet[RoleInvitation]:
    """Invitations that nobody can accept any more, whatever became of them."""
    return RoleInvitation.objects.filter(expires_at__lt=before)


def player_claims(before: datetime) -> QuerySet[PlayerClaim]:
    """Links by which an account took a player, or did not."""
    return PlayerClaim.objects.filter(expires_at__lt=before)


def merge_requests(before: datetime) -> QuerySet[MergeRequest]:
    """Requests for a merge that were answered."""
    return MergeRequest.objects.filter(answered_at__lt=before)


def contact_details(before: datetime) -> QuerySet[EntryDetail]:
    """Details of entries with an address, a telephone number, a note or something in columns of the event's own, of events that are over."""
    filled = ~Q(email="") | ~Q(phone="") | ~Q(note="") | ~Q(extra={}) | ~Q(undo={})
    return EntryDetail.objects.filter(filled, entry__division__event__in=_past_events(before))


def reports_with_device(before: datetime) -> QuerySet[Report]:
    """Reports that still tell by which browser they came, of events that are over."""
    return Report.objects.filter(match__stage__division__event__in=_past_events(before)).exclude(device="")


def link_phones(before: datetime) -> QuerySet[LinkPhone]:
    """Browsers that spoke by personal links, of events that are over."""
    return LinkPhone.objects.filter(entry__division__event__in=_past_events(before))


def notifications(before: datetime) -> QuerySet[Notification]:
    """What single people were told, with how far it came."""
    return Notification.objects.filter(made_at__lt=before)


def link_subscriptions(before: datetime) -> QuerySet[SubscribedFor]:
    """Browsers that are woken by a personal link, of events that are over."""
    return SubscribedFor.objects.filter(entry__division__event__in=_past_events(before))


def notification_choices(before: datetime) -> QuerySet[NotificationChoice]:
    """What somebody wanted to be told of an event that is over."""
    over = _past_events(before)
    return NotificationChoice.objects.filter(Q(event__in=over) | Q(entry__division__event__in=over))


def call_answers(before: datetime) -> QuerySet[CallAnswer]:
    """What players answered before matches of events that are over."""
    return CallAnswer.objects.filter(entry__division__event__in=_past_events(before))


def arrangements(before: datetime) -> QuerySet[Arrangement]:
    """What two sides arranged and wrote to each other, of events that are over."""
    return Arrangement.objects.filter(match__stage__division__event__in=_past_events(before))


def desk_notes(before: datetime) -> QuerySet[DeskNote]:
    """What those at the desk wrote to each other, of events that are over."""
    return DeskNote.objects.filter(event__in=_past_events(before))


def up_next_notices(before: datetime) -> QuerySet[CallWord]:
    """When players of events that are over were told that a match was near."""
    return CallWord.objects.filter(entry__division__event__in=_past_events(before))


def assistances(before: datetime) -> QuerySet[Assistance]:
    """Who helped with events that are over."""
    return Assistance.objects.filter(scope__in=[audit_scope(event) for event in ended_events(before)])


def guest_accounts(before: datetime) -> QuerySet[User]:
    """Accounts of helpers without one of their own, who help nowhere any more."""
    helping = Assistance.objects.exclude(pk__in=assistances(before).values("pk")).values("user")
    return User.objects.filter(is_guest=True, date_joined__lt=before).exclude(pk__in=helping)


def ended_events(before: datetime) -> list[Event]:
    """Events whose last day was before; one that is still played counts from what was done in it last."""
    return list(_past_events(before).order_by("pk"))


def _past_events(before: datetime) -> QuerySet[Event]:
    past = Event.objects.filter(ends_on__lt=before.date())
    busy = [
        event.pk
        for event in past.filter(status=EventStatus.RUNNING)
        if AuditEntry.objects.filter(scope=audit_scope(event), at__gte=before).exists()
    ]
    return past.exclude(pk__in=busy)
