"""Clubs, their settings, their members: what owners decide about a club."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import CrawfordError, Missing
from people.models import Club, Membership, Role
from people.permissions import may_own
from people.selectors import (
    clubs_owned_by,
    member_clubs,
    member_of,
    members_of,
    memberships_of,
    open_invitations,
    visible_club,
)
from people.services import clubs as service
from people.web.access import action, actor_of, directed_club, form_page, owned_club, page, refused, user_of
from people.web.faults import add_faults
from people.web.forms import ClubForm, FederationForm

INVALID = 422


@page
def clubs(request: HttpRequest) -> HttpResponse:
    """The clubs in which the visitor holds a role."""
    return render(request, "people/clubs.html", {"memberships": memberships_of(user_of(request))})


@form_page
def settings(request: HttpRequest, club: str) -> HttpResponse:
    """Name, place and federation of the club."""
    found = owned_club(request, club)
    fields = ("name", "city", "country", "website", "about")
    form = ClubForm(request.POST or None, initial={name: getattr(found, name) for name in fields})
    if request.method == "POST" and form.is_valid():
        try:
            service.update_club(actor=actor_of(request), club_id=found.pk, **form.cleaned_data)
        except CrawfordError as error:
            add_faults(form, error)
        else:
            messages.success(request, _("The club's settings are saved."))
            return redirect("people:settings", found.public_id)
    return _settings(request, found, form, _federation_form(request, found, bound=False))


@action
def federation(request: HttpRequest, club: str) -> HttpResponse:
    """Join a federation or leave it."""
    found = owned_club(request, club)
    form = _federation_form(request, found, bound=True)
    if form.is_valid():
        chosen = form.cleaned_data["parent"]
        parent = visible_club(chosen) if chosen else None
        try:
            service.join_federation(
                actor=actor_of(request), club_id=found.pk, parent_id=parent.pk if parent is not None else None
            )
        except CrawfordError as error:
            add_faults(form, error)
        else:
            messages.success(request, _("The federation is saved."))
            return redirect("people:settings", found.public_id)
    fields = ("name", "city", "country", "website", "about")
    return _settings(
        request, found, ClubForm(initial={name: getattr(found, name) for name in fields}), form, INVALID
    )


@page
def members(request: HttpRequest, club: str) -> HttpResponse:
    """Who runs the club, and who is invited to."""
    found = owned_club(request, club)
    people = members_of(found)
    context = {
        "club": found,
        "role": Role.OWNER,
        "tab": "members",
        "members": [(member, _less_than(member)) for member in people],
        "invitations": open_invitations(found, service.RANK),
        "owners": sum(member.role == Role.OWNER for member in people),
        "me": user_of(request),
        "here": request.path,
    }
    return render(request, "people/members.html", context)


def _less_than(member: Membership) -> list[tuple[Role, str]]:
    """Their own role, and those with less in them: what an owner may make of somebody without asking."""
    most = service.RANK[Role(member.role)]
    return [(role, str(role.label)) for role, rank in service.RANK.items() if rank <= most]


@action
def leave(request: HttpRequest, club: str) -> HttpResponse:
    """Give up one's own role in the club."""
    found = visible_club(club, user_of(request))
    try:
        service.leave_club(actor=actor_of(request), club_id=found.pk)
    except CrawfordError as error:
        return refused(request, error, back=reverse("people:clubs"))
    messages.success(request, _("You have no role in %(club)s any more.") % {"club": found.name})
    return redirect("people:clubs")


@action
def change_role(request: HttpRequest, club: str) -> HttpResponse:
    """Give a member another role."""
    found = owned_club(request, club)
    member = _member(request, found)
    try:
        service.change_role(
            actor=actor_of(request),
            club_id=found.pk,
            membership_id=member.pk,
            role=request.POST.get("role", ""),
        )
    except CrawfordError as error:
        return refused(request, error, back=reverse("people:members", args=[found.public_id]))
    messages.success(request, _("The role is changed."))
    return _after_members(request, found)


@action
def remove_member(request: HttpRequest, club: str) -> HttpResponse:
    """Take a member's role away."""
    found = owned_club(request, club)
    member = _member(request, found)
    try:
        service.remove_member(actor=actor_of(request), club_id=found.pk, membership_id=member.pk)
    except CrawfordError as error:
        return refused(request, error, back=reverse("people:members", args=[found.public_id]))
    messages.success(request, _("%(name)s no longer has a role in the club.") % {"name": member.user})
    return _after_members(request, found)


@page
def club(request: HttpRequest, club: str) -> HttpResponse:
    """The club's address leads to its first page that the visitor may open."""
    found, _role = directed_club(request, club)
    return redirect("people:players", found.public_id)


def _after_members(request: HttpRequest, club: Club) -> HttpResponse:
    """Back to the list, or home for somebody who has just given up their own role."""
    still = may_own(user_of(request), club)
    return redirect("people:members", club.public_id) if still else redirect("people:clubs")


def _member(request: HttpRequest, club: Club) -> Membership:
    """The member that the form names. The number names a row within this club alone and is shown to owners only."""
    number = request.POST.get("member", "")
    found = (
        member_of(club, int(number)) if number.isascii() and number.isdecimal() and len(number) < 18 else None
    )
    if found is None:
        raise Missing("member.gone")
    return found


def _federation_form(request: HttpRequest, club: Club, *, bound: bool) -> FederationForm:
    offered = [own for own in clubs_owned_by(user_of(request)) if own.pk != club.pk]
    if club.parent is not None and club.parent not in offered:
        offered.append(club.parent)
    return FederationForm(
        request.POST if bound else None,
        clubs=offered,
        initial={"parent": club.parent.public_id if club.parent is not None else ""},
    )


def _settings(
    request: HttpRequest, club: Club, form: ClubForm, federation_form: FederationForm, status: int = 200
) -> HttpResponse:
    context = {
        "club": club,
        "role": Role.OWNER,
        "tab": "settings",
        "form": form,
        "federation_form": federation_form,
        "member_clubs": member_clubs(club),
    }
    return render(request, "people/settings.html", context, status=INVALID if form.errors else status)
