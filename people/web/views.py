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
    action,
    directed_club,
    form_page,
    owned_club,
    page,
    render_refusal,
    request_actor,
    request_user,
)
from people.web.faults import add_faults
from people.web.forms import ClubForm, FederationForm, LeaveFederationForm

INVALID = 422


@page
def clubs(request: HttpRequest) -> HttpResponse:
    """List the clubs in which the visitor has a role."""
    return render(request, "people/clubs.html", {"memberships": memberships_of(request_user(request))})


@form_page
def settings(request: HttpRequest, club: str) -> HttpResponse:
    """Edit the club's name, place and other settings."""
    found = owned_club(request, club)
    form = ClubForm(request.POST or None, initial=_club_initial(found))
    if request.method == "POST" and form.is_valid():
        try:
            service.update_club(actor=request_actor(request), club_id=found.pk, **form.cleaned_data)
        except CrawfordError as error:
            add_faults(form, error)
        else:
            messages.success(request, _("Club settings saved."))
            return redirect("people:settings", found.public_id)
    return _render_settings(request, found, form, _federation_form(request, found, bound=False))


@action
def federation(request: HttpRequest, club: str) -> HttpResponse:
    """Join a federation from a day on, or (``leave``) leave it after one."""
    found = owned_club(request, club)
    leaving = "leave" in request.POST
    form = _federation_form(request, found, bound=not leaving)
    leave_form = LeaveFederationForm(request.POST if leaving else None)
    try:
        if leaving and leave_form.is_valid():
            federations.leave_federation(
                actor=request_actor(request), club_id=found.pk, until=leave_form.until()
            )
        elif not leaving and form.is_valid():
            federations.join_federation(
                actor=request_actor(request),
                club_id=found.pk,
                parent_id=visible_club(form.cleaned_data["parent"], request_user(request)).pk,
                since=form.cleaned_data["since"],
            )
    except CrawfordError as error:
        if leaving:
            add_faults(leave_form, error, {"until": "last_day"})
        else:
            add_faults(form, error)
    if not form.errors and not leave_form.errors:
        messages.success(request, _("Federation saved."))
        return redirect("people:settings", found.public_id)
    return _render_settings(request, found, ClubForm(initial=_club_initial(found)), form, INVALID, leave_form)


def _club_initial(club: Club) -> dict[str, str]:
    """Return the initial values of the club's form."""
    fields = ("name", "city", "country", "website", "about", "timezone")
    return {name: getattr(club, name) for name in fields}


@page
def members(request: HttpRequest, club: str) -> HttpResponse:
    """List the members of the club and the open invitations."""
    found = owned_club(request, club)
    people = members_of(found)
    context = {
        "club": found,
        "role": Role.OWNER,
        "tab": "members",
        "members": [(member, _assignable_roles(member)) for member in people],
        "invitations": open_invitations(found, service.ROLE_RANKS),
        "owners": sum(member.role == Role.OWNER for member in people),
        "me": request_user(request),
        "here": request.path,
    }
    return render(request, "people/members.html", context)


def _assignable_roles(member: Membership) -> list[tuple[Role, str]]:
    """Return a member's own role and lower ones: what an owner may set without an invitation."""
    most = service.ROLE_RANKS[Role(member.role)]
    return [(role, str(role.label)) for role, rank in service.ROLE_RANKS.items() if rank <= most]


@action
def leave(request: HttpRequest, club: str) -> HttpResponse:
    """Give up one's own role in the club."""
    found = visible_club(club, request_user(request))
    try:
        service.leave_club(actor=request_actor(request), club_id=found.pk)
    except CrawfordError as error:
        return render_refusal(request, error, back=reverse("people:clubs"))
    messages.success(request, _("You no longer have a role in %(club)s.") % {"club": found.name})
    return redirect("people:clubs")


@action
def change_role(request: HttpRequest, club: str) -> HttpResponse:
    """Give a member another role."""
    found = owned_club(request, club)
    member = _posted_member(request, found)
    try:
        service.change_role(
            actor=request_actor(request),
            club_id=found.pk,
            membership_id=member.pk,
            role=request.POST.get("role", ""),
        )
    except CrawfordError as error:
        return render_refusal(request, error, back=reverse("people:members", args=[found.public_id]))
    messages.success(request, _("Role changed."))
    return _redirect_to_members(request, found)


@action
def remove_member(request: HttpRequest, club: str) -> HttpResponse:
    """Remove a member's role."""
    found = owned_club(request, club)
    member = _posted_member(request, found)
    try:
        service.remove_member(actor=request_actor(request), club_id=found.pk, membership_id=member.pk)
    except CrawfordError as error:
        return render_refusal(request, error, back=reverse("people:members", args=[found.public_id]))
    messages.success(request, _("%(name)s no longer has a role in the club.") % {"name": member.user})
    return _redirect_to_members(request, found)


@page
def club(request: HttpRequest, club: str) -> HttpResponse:
    """Redirect to the club's first page that the visitor may open."""
    found, _role = directed_club(request, club)
    return redirect("people:players", found.public_id)


def _redirect_to_members(request: HttpRequest, club: Club) -> HttpResponse:
    """Redirect to the list, or to the start page after giving up one's own role."""
    still = is_club_owner(request_user(request), club)
    return redirect("people:members", club.public_id) if still else redirect("people:clubs")


def _posted_member(request: HttpRequest, club: Club) -> Membership:
    """Return the member named by the form: the id of a row of this club, shown to owners only."""
    found = member_of(club, parse_row_id(request.POST.get("member", "")))
    if found is None:
        raise Missing("member.gone")
    return found


def _federation_form(request: HttpRequest, club: Club, *, bound: bool) -> FederationForm:
    offered = [own for own in clubs_owned_by(request_user(request)) if own.pk != club.pk]
    return FederationForm(
        request.POST if bound else None,
        clubs=offered,
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
