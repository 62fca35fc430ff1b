"""Pages of clubs, their settings and their members."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from faults import CrawfordError, Missing
from people.affiliations import affiliations_of, member_affiliations
from people.ids import parse_row_id
from people.models import Club, Membership, Role
from people.permissions import is_club_owner
from people.selectors import (
    clubs_owned_by,
    member_of,
    members_of,
    memberships_of,
    open_invitations,
    visible_club,
)
from people.services import clubs as service
from people.services import federations
from people.timezones import zone_choices
from people.web.access import (
    action_view,
    directed_club,
    form_view,
    owned_club,
    page_view,
    render_refusal,
    request_actor,
    request_user,
)
from people.web.faults import add_faults
from people.web.forms import ClubForm, FederationForm, LeaveFederationForm

INVALID = 422


@page_view
def clubs(request: HttpRequest) -> HttpResponse:
    """Page of the clubs in which the visitor has a role."""
    return render(request, "people/clubs.html", {"memberships": memberships_of(request_user(request))})


@form_view
def club_settings(request: HttpRequest, club: str) -> HttpResponse:
    """Page to edit the club's name, place and other settings."""
    club_object = owned_club(request, club)
    form = ClubForm(request.POST or None, initial=_club_initial(club_object))
    if request.method == "POST" and form.is_valid():
        try:
            service.update_club(actor=request_actor(request), club_id=club_object.pk, **form.cleaned_data)
        except CrawfordError as error:
            add_faults(form, error)
        else:
            messages.success(request, _("Club settings saved."))
            return redirect("people:settings", club_object.public_id)
    return _render_settings(
        request, club_object, form, _federation_form(request, club_object, is_bound=False)
    )


@action_view
def federation(request: HttpRequest, club: str) -> HttpResponse:
    """Join a federation from a day on, or leave it after a last day if the form contains ``leave_club``."""
    club_object = owned_club(request, club)
    is_leaving = "leave" in request.POST
    form = _federation_form(request, club_object, is_bound=not is_leaving)
    leave_form = LeaveFederationForm(request.POST if is_leaving else None)
    try:
        if is_leaving and leave_form.is_valid():
            federations.leave_federation(
                actor=request_actor(request), club_id=club_object.pk, until=leave_form.until()
            )
        elif not is_leaving and form.is_valid():
            federations.join_federation(
                actor=request_actor(request),
                club_id=club_object.pk,
                parent_id=visible_club(form.cleaned_data["parent"], request_user(request)).pk,
                since=form.cleaned_data["since"],
            )
    except CrawfordError as error:
        if is_leaving:
            add_faults(leave_form, error, {"until": "last_day"})
        else:
            add_faults(form, error)
    if not form.errors and not leave_form.errors:
        messages.success(request, _("Federation saved."))
        return redirect("people:settings", club_object.public_id)
    return _render_settings(
        request, club_object, ClubForm(initial=_club_initial(club_object)), form, INVALID, leave_form
    )


def _club_initial(club: Club) -> dict[str, str]:
    """Return the initial values of ``ClubForm``."""
    fields = ("name", "city", "country", "website", "about", "timezone")
    return {name: getattr(club, name) for name in fields}


@page_view
def members(request: HttpRequest, club: str) -> HttpResponse:
    """Page of the members of the club and the invitations that are not yet answered."""
    club_object = owned_club(request, club)
    people = members_of(club_object)
    context = {
        "club": club_object,
        "role": Role.OWNER,
        "tab": "members",
        "members": [(member, _assignable_roles(member)) for member in people],
        "invitations": open_invitations(club_object, service.ROLE_RANKS),
        "owners": sum(member.role == Role.OWNER for member in people),
        "me": request_user(request),
        "here": request.path,
    }
    return render(request, "people/members.html", context)


def _assignable_roles(member: Membership) -> list[tuple[Role, str]]:
    """Return a member's own role and lower ones: what an owner may set without an invitation."""
    highest_rank = service.ROLE_RANKS[Role(member.role)]
    return [(role, str(role.label)) for role, rank in service.ROLE_RANKS.items() if rank <= highest_rank]


@action_view
def leave_club(request: HttpRequest, club: str) -> HttpResponse:
    """Remove the user's own role in the club."""
    club_object = visible_club(club, request_user(request))
    try:
        service.leave_club(actor=request_actor(request), club_id=club_object.pk)
    except CrawfordError as error:
        return render_refusal(request, error, back_url=reverse("people:clubs"))
    messages.success(request, _("You no longer have a role in %(club)s.") % {"club": club_object.name})
    return redirect("people:clubs")


@action_view
def change_role(request: HttpRequest, club: str) -> HttpResponse:
    """Give a member another role."""
    club_object = owned_club(request, club)
    member = _posted_member(request, club_object)
    try:
        service.change_role(
            actor=request_actor(request),
            club_id=club_object.pk,
            membership_id=member.pk,
            role=request.POST.get("role", ""),
        )
    except CrawfordError as error:
        return render_refusal(
            request, error, back_url=reverse("people:members", args=[club_object.public_id])
        )
    messages.success(request, _("Role changed."))
    return _redirect_to_members(request, club_object)


@action_view
def remove_member(request: HttpRequest, club: str) -> HttpResponse:
    """Remove a member's role."""
    club_object = owned_club(request, club)
    member = _posted_member(request, club_object)
    try:
        service.remove_member(actor=request_actor(request), club_id=club_object.pk, membership_id=member.pk)
    except CrawfordError as error:
        return render_refusal(
            request, error, back_url=reverse("people:members", args=[club_object.public_id])
        )
    messages.success(request, _("%(name)s no longer has a role in the club.") % {"name": member.user})
    return _redirect_to_members(request, club_object)


@page_view
def club(request: HttpRequest, club: str) -> HttpResponse:
    """Redirect to the club's list of players."""
    club_object, _role = directed_club(request, club)
    return redirect("people:players", club_object.public_id)


def _redirect_to_members(request: HttpRequest, club: Club) -> HttpResponse:
    """Redirect to the list of members, or to the user's clubs after giving up the owner's role."""
    is_still_owner = is_club_owner(request_user(request), club)
    return redirect("people:members", club.public_id) if is_still_owner else redirect("people:clubs")


def _posted_member(request: HttpRequest, club: Club) -> Membership:
    """Return the membership whose id the form sent. Raises ``Missing`` if it is not in this club."""
    membership = member_of(club, parse_row_id(request.POST.get("member", "")))
    if membership is None:
        raise Missing("member.gone")
    return membership


def _federation_form(request: HttpRequest, club: Club, *, is_bound: bool) -> FederationForm:
    own_clubs = [own_club for own_club in clubs_owned_by(request_user(request)) if own_club.pk != club.pk]
    return FederationForm(
        request.POST if is_bound else None,
        clubs=own_clubs,
    )


def _render_settings(
    request: HttpRequest,
    club: Club,
    form: ClubForm,
    federation_form: FederationForm,
    status: int = 200,
    leave_form: LeaveFederationForm | None = None,
) -> HttpResponse:
    context = {
        "club": club,
        "role": Role.OWNER,
        "tab": "settings",
        "form": form,
        "federation_form": federation_form,
        "leave_form": leave_form or LeaveFederationForm(),
        "federations": affiliations_of(club),
        "members": member_affiliations(club),
        "zones": zone_choices(get_language() or "en"),
    }
    return render(request, "people/settings.html", context, status=INVALID if form.errors else status)
