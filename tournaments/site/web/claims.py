"""Ways to link an account to a player without a code from staff.

A link is mailed to a stored address, or a director approves a request made with a personal link.
"""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from faults import CrawfordError, Missing
from people.caching import increment_counter
from people.ids import parse_row_id
from people.messages import describe
from people.selectors import player_in_directory
from people.services.claims import decide_claim, request_player
from people.web.access import action_view, directed_club, render_refusal, request_actor, request_user
from tournaments.entries.services.claims import release_player
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.entries import entry_player_rows
from tournaments.shared.frames.player import add_private_headers, is_rate_limited, secret_view
from tournaments.site.services.claim_mail import request_claim_links

MAX_TRIES, PERIOD_SECONDS = 20, 3600
MAX_MAILS_PER_ADDRESS, DAY_SECONDS = 3, 24 * 3600  # mails per address and day


@require_http_methods(["GET", "HEAD", "POST"])
def request_claim_by_mail(request: HttpRequest) -> HttpResponse:
    """Page to have a link mailed. The answer, and its duration, is the same for every address."""
    email = request.POST.get("email", "").replace("\0", "")[:254].strip()
    context: dict[str, Any] = {"typed": email}
    status = 200
    if request.method == "POST":
        try:
            validate_email(email)
        except ValidationError:
            context["fault"], status = _("Enter a complete e-mail address."), 422
        else:
            if is_rate_limited(request, "claim-mail", limit=MAX_TRIES, seconds=PERIOD_SECONDS):
                context["fault"], status = _("Too many attempts. Try again in an hour."), 429
            else:
                if increment_counter("claim-mail-to", [email.lower()], DAY_SECONDS) <= MAX_MAILS_PER_ADDRESS:
                    request_claim_links(address=email, language=get_language() or "en")
                context["sent"] = True
    return add_private_headers(render(request, "site/claim_mail.html", context, status=status))


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def request_claim_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Page to request, with a personal link, that a director links this player to the signed-in account."""
    entry = entry_from_token(token)
    players = [row.player for row in entry_player_rows(entry) if row.player.user_id is None]
    event = entry.division.event
    context: dict[str, Any] = {"token": token, "entry": entry, "event": event, "players": players}
    status = 200
    if request.method == "POST" and request.user.is_authenticated:
        public_id = request.POST.get("player", "")
        player = next((candidate for candidate in players if candidate.public_id == public_id), None)
        try:
            if player is None:
                raise Missing("player.unknown")
            request_player(user=request_user(request), player_id=player.pk, club_id=event.club_id)
        except Missing:
            raise
        except CrawfordError as error:
            context["refused"], status = describe(error), error.status
        else:
            messages.success(
                request, _("Link request sent. Your page appears here once a director accepts it.")
            )
            return redirect("player:me")
    return render(request, "site/claim_keep.html", context, status=status)


@action_view
def answer_claim_request(request: HttpRequest, club: str) -> HttpResponse:
    """Approve or decline, as director, a request to link a player of the club to an account."""
    loaded_club, _role = directed_club(request, club)
    back_url = _return_url(request, reverse("people:players", args=[loaded_club.public_id]))
    number = parse_row_id(request.POST.get("claim", ""))
    accepts = request.POST.get("answer") == "yes"
    try:
        decide_claim(actor=request_actor(request), club_id=loaded_club.pk, claim_id=number, accepts=accepts)
    except CrawfordError as error:
        return render_refusal(request, error, back_url=back_url)
    messages.success(request, _("Link request accepted.") if accepts else _("Link request declined."))
    return redirect(back_url)


@action_view
def release_linked_player(request: HttpRequest, club: str, player: str) -> HttpResponse:
    """Unlink a player from the wrong account, as director."""
    loaded_club, _role = directed_club(request, club)
    loaded_player = player_in_directory(loaded_club, player)
    back_url = reverse("people:player", args=[loaded_club.public_id, loaded_player.public_id])
    try:
        release_player(actor=request_actor(request), club_id=loaded_club.pk, player_id=loaded_player.pk)
    except CrawfordError as error:
        return render_refusal(request, error, back_url=back_url)
    messages.success(
        request,
        _("%(name)s no longer has an account, and has new links in current events.")
        % {"name": loaded_player.name},
    )
    return redirect(back_url)


def _return_url(request: HttpRequest, default: str) -> str:
    """Return the address of the director's page that the form came from, or ``default``."""
    url = request.POST.get("next", "")
    is_valid = url.startswith(reverse("director:home")) and not set(url) & set("\\?#") and "//" not in url
    return url if is_valid else default
