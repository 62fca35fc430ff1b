"""Invitations to roles: owners of a club invite, the holder of the link accepts or declines."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from faults import CrawfordError, Invalid, Missing
from people.messages import describe, describe_all
from people.models import Role, RoleInvitation, User
from people.services import invitations as service
from people.web.access import (
    action_view,
    directed_club,
    form_view,
    owned_club,
    render_refusal,
    request_actor,
    request_user,
)
from people.web.door.limits import may_look_up_account
from people.web.faults import add_faults
from people.web.forms import InvitationForm
from people.web.letters import send_invitation
from tournaments.models import Event
from tournaments.selectors.events.helpers import events_by_scopes
from tournaments.shared.fragments.qr import qr_svg
from tournaments.shared.frames.director import absolute_url
from tournaments.shared.frames.player import add_private_headers
from tournaments.shared.words.names import event_dates_label

INVALID = 422
INVITED_SESSION_KEY = "invited"  # in the session of a person who may create an account by an invitation


@form_view
def invite(request: HttpRequest, club: str) -> HttpResponse:
    """Page to invite a person as owner, director or viewer of a club; only for its owners."""
    loaded_club = owned_club(request, club)
    form = InvitationForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            if not may_look_up_account(request):
                raise Invalid("member.asked_often", field="email")
            new_invitation = service.invite(
                actor=request_actor(request), club_id=loaded_club.pk, **form.cleaned_data
            )
        except CrawfordError as error:
            add_faults(form, error)
        else:
            return render_invitation(
                request, new_invitation, back_url=reverse("people:members", args=[loaded_club.public_id])
            )
    context = {"club": loaded_club, "role": Role.OWNER, "tab": "members", "form": form}
    return render(request, "site/invite.html", context, status=INVALID if form.errors else 200)


def render_invitation(
    request: HttpRequest, new_invitation: service.NewInvitation, *, back_url: str
) -> HttpResponse:
    """Render a new invitation's link and QR code, and mail the link if there is an address.

    This is the only time: the database stores only a hash of the link.
    """
    url = absolute_url(request, reverse("player:invitation", args=[new_invitation.token]))
    context = {
        "invitation": new_invitation.invitation,
        "role_name": new_invitation.invitation.get_role_display(),
        "url": url,
        "qr": qr_svg(url),
        "sent": send_invitation(new_invitation.invitation, url),
        "back": back_url,
    }
    return add_private_headers(render(request, "site/invited.html", context))


@action_view
def withdraw_invitation(request: HttpRequest, club: str, invitation: str) -> HttpResponse:
    """Withdraw an invitation before it is accepted."""
    loaded_club, role = directed_club(request, club)
    members_url = reverse("people:members", args=[loaded_club.public_id])
    back_url = request.POST.get("back", "")
    if not back_url.startswith(reverse("director:home")) or "//" in back_url or "\\" in back_url:
        back_url = members_url if role is Role.OWNER else reverse("director:home")
    try:
        service.withdraw_invitation(
            actor=request_actor(request), club_id=loaded_club.pk, public_id=invitation
        )
    except CrawfordError as error:
        return render_refusal(request, error, back_url=back_url)
    messages.success(request, _("Invitation withdrawn. Its link no longer works."))
    return redirect(back_url)


@require_http_methods(["GET", "HEAD", "POST"])
def answer_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Page of an invitation; a POST accepts or declines it, with or without an account."""
    try:
        invitation = service.open_invitation(token)
        events = _helper_events(invitation)
        return add_private_headers(_invitation_page(request, invitation, events, token))
    except Missing as error:
        context = {"reason": describe(error)}
        return add_private_headers(render(request, "site/invitation_gone.html", context, status=404))


def _helper_events(invitation: RoleInvitation) -> list[Event]:
    """Return the events to which an assistant is invited. Raises ``Missing`` if all are over."""
    events = events_by_scopes(invitation.scopes)
    if invitation.scopes and not events:
        raise Missing("invitation.expired")
    return events


def _invitation_page(
    request: HttpRequest, invitation: RoleInvitation, events: list[Event], token: str
) -> HttpResponse:
    name, faults, status = request.POST.get("name", ""), [], 200
    if request.method == "POST":
        try:
            return _handle_answer(request, events, token)
        except Missing:
            raise
        except CrawfordError as error:
            faults, status = describe_all(error), error.status
    if not request.user.is_authenticated:
        request.session[INVITED_SESSION_KEY] = token
    context = {
        "invitation": invitation,
        "club": invitation.club,
        "role_name": invitation.get_role_display(),
        "events": [{"event": event, "when": event_dates_label(event)} for event in events],
        "here": request.path,
        "name": name,
        "faults": faults,
    }
    return render(request, "site/invitation.html", context, status=status)


def _handle_answer(request: HttpRequest, events: list[Event], token: str) -> HttpResponse:
    if "decline" in request.POST:
        service.decline_invitation(token=token)
        messages.info(request, _("Invitation declined. Nothing was changed."))
        return redirect("public:home")
    if request.user.is_authenticated:
        invitation = service.accept_invitation(user=request_user(request), token=token)
    else:
        invitation = service.accept_invitation_as_guest(name=request.POST.get("name", ""), token=token)
        assert invitation.accepted_by is not None
        _sign_in_guest(request, invitation.accepted_by, events)
    request.session.pop(INVITED_SESSION_KEY, None)
    messages.success(
        request,
        _("Welcome! You are now %(role)s of %(club)s.")
        % {"role": invitation.get_role_display(), "club": invitation.club.name},
    )
    return redirect("director:board", events[0].public_id) if events else redirect("director:home")


def _sign_in_guest(request: HttpRequest, guest: User, events: list[Event]) -> None:
    """Sign in an assistant without an account, until the day after the last of the events."""
    login(request, guest)
    last_event = max(events, key=lambda event: event.ends_on)
    expires_at = datetime.combine(
        last_event.ends_on + timedelta(days=2), time.min, ZoneInfo(last_event.timezone)
    )
    request.session.set_expiry(max(expires_at, datetime.now(expires_at.tzinfo) + timedelta(days=1)))
