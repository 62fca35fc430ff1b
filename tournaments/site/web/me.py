"""A player's own page, and how an account becomes a player's: a link or code from the desk."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from faults import CrawfordError, Missing
from people.messages import describe
from people.selectors import claims_asked_by, clubs_directed_by, player_in_directory, player_of_user
from people.services.claims import offer_player, open_claim, take_player
from people.web.access import action, actor_of, directed_club, page, refused, user_of
from tournaments.entries.services.own import withdraw_own
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.entries import player_ref
from tournaments.selectors.matches.own import OwnEvent, own_events, past_events
from tournaments.shared.fragments.cards import placeholder
from tournaments.shared.fragments.qr import qr_svg
from tournaments.shared.frames.director import absolute
from tournaments.shared.frames.player import private, too_often
from tournaments.shared.words.names import round_in_part, when_words

TRIES, PERIOD = 30, 600


@page
def me(request: HttpRequest) -> HttpResponse:
    """Next matches, links of events that go on, events behind, records."""
    player = player_of_user(user_of(request).pk)
    if player is None:
        asked = claims_asked_by(user_of(request))
        return private(render(request, "site/me.html", {"player": None, "asked": asked}))
    context = {
        "player": player,
        "about": player_ref(player),
        "events": [_event(one) for one in own_events(player)],
        "past": [
            {
                "public_id": one.event.public_id,
                "name": one.event.name,
                "when": when_words(one.event),
                "division": one.division,
                "place": str(one.place) if one.place is not None else "",
            }
            for one in past_events(player)
        ],
    }
    return private(render(request, "site/me.html", context))


@require_safe
def me_json(request: HttpRequest) -> HttpResponse:
    """What pages for everybody do not hold, for `me.js`: who is signed in, the token of their forms, the clubs that they direct.

    Small and never kept. For a stranger it is one word, and no cookie is set.
    """
    if not request.user.is_authenticated:
        return private(JsonResponse({"signed_in": False}))
    user = user_of(request)
    return private(
        JsonResponse(
            {
                "signed_in": True,
                "name": user.name or user.email,
                "token": get_token(request),
                "directs": clubs_directed_by(user),
            }
        )
    )


@action
def withdraw(request: HttpRequest) -> HttpResponse:
    """Leave an event before its draw."""
    back = reverse("player:me")
    wanted = request.POST.get("entry", "").replace("\0", "")[:16]
    try:
        entry = withdraw_own(actor=actor_of(request), public_id=wanted)
    except CrawfordError as error:
        if isinstance(error, Missing):
            raise
        return refused(request, error, back=back)
    messages.success(request, _("You are withdrawn from %(name)s.") % {"name": entry.division.event.name})
    return redirect(back)


@action
def offer(request: HttpRequest, club: str, player: str) -> HttpResponse:
    """The link and code that make somebody who stands at the desk this player; shown this once."""
    found, role = directed_club(request, club)
    known = player_in_directory(found, player)
    back = reverse("people:player", args=[found.public_id, known.public_id])
    try:
        token = offer_player(actor=actor_of(request), club_id=found.pk, player_id=known.pk)
    except CrawfordError as error:
        return refused(request, error, back=back)
    url = absolute(request, reverse("player:claim", args=[token]))
    context = {
        "club": found,
        "role": role,
        "tab": "players",
        "player": known,
        "url": url,
        "qr": qr_svg(url),
        "back": back,
    }
    return private(render(request, "site/claim_offer.html", context))


@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, token: str) -> HttpResponse:
    """Whose player this link gives; taken with a tap by whoever is signed in."""
    if too_often(request, "claim", limit=TRIES, seconds=PERIOD):
        reason = _("That was a lot of tries. Please wait ten minutes.")
        return private(render(request, "shared/gone.html", {"reason": reason}, status=429))
    try:
        found = open_claim(token)
    except Missing as missing:
        return private(render(request, "shared/gone.html", {"reason": describe(missing)}, status=404))
    context: dict[str, Any] = {"player": found.player, "about": player_ref(found.player), "club": found.club}
    if request.method == "POST" and request.user.is_authenticated:
        try:
            player = take_player(user=user_of(request), token=token)
        except CrawfordError as error:
            context["refused"] = describe(error)
            return private(render(request, "site/claim.html", context, status=error.status))
        messages.success(request, _("You are %(name)s here from now on.") % {"name": player.name})
        return redirect("player:me")
    return private(render(request, "site/claim.html", context))


def _event(own: OwnEvent) -> dict[str, Any]:
    event = own.entry.division.event
    return {
        "entry": own.entry.public_id,
        "name": event.name,
        "division": own.entry.division.name,
        "when": when_words(event),
        "place": event.place,
        "token": entry_token(own.entry),
        "queue": own.queue,
        "may_leave": own.may_leave,
        "matches": [
            {
                "round": round_in_part(one.row.section, one.row.round_code),
                "opponent": one.other.name or placeholder(one.other),
                "length": one.row.length,
                "table": one.row.table,
            }
            for one in own.next
        ],
    }
