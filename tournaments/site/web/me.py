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
from people.models import Player
from people.selectors import (
    claims_asked_by,
    clubs_directed_by,
    player_in_directory,
    player_of_user,
    wards_of,
)
from people.services.claims import offer_player, open_claim, take_player
from people.web.access import action, actor_of, directed_club, page, refused, user_of
from tournaments.engine.consents import Consent
from tournaments.entries.services.consents import reply_by_account
from tournaments.entries.services.own import withdraw_own
from tournaments.entries.web.consent_fields import consent_fields
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.columns import asks
from tournaments.selectors.consents import replies_in
from tournaments.selectors.entries import player_ref
from tournaments.selectors.matches.own import OwnEvent, own_entry_ids, own_events, past_events
from tournaments.selectors.returning import own_withdrawn
from tournaments.shared.fragments.cards import placeholder
from tournaments.shared.fragments.qr import qr_svg
from tournaments.shared.fragments.returning import ways_back
from tournaments.shared.frames.director import absolute
from tournaments.shared.frames.player import private, too_often
from tournaments.shared.words.names import clock_time, round_in_part, when_words

TRIES, PERIOD = 30, 600


@page
def me(request: HttpRequest) -> HttpResponse:
    """Next matches, links of events that go on, events behind, records; of the player, and of minors for whom the account speaks."""
    user = user_of(request)
    player = player_of_user(user.pk)
    context: dict[str, Any] = {
        "player": player,
        "wards": [
            {"player": ward, "events": _events(ward), "left": _left(ward)} for ward in wards_of(user.pk)
        ],
    }
    if player is None:
        context["asked"] = claims_asked_by(user)
    else:
        context |= {
            "about": player_ref(player),
            "events": _events(player),
            "left": _left(player),
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
    """What pages for everybody do not hold, for `me.js`: who is signed in, the token of their forms, the clubs that they direct, and
    what they, or minors for whom they speak, have entered, to be marked, and in which events.

    Small and never kept. For a stranger it is one word, and no cookie is set.
    """
    if not request.user.is_authenticated:
        return private(JsonResponse({"signed_in": False}))
    user = user_of(request)
    player = player_of_user(user.pk)
    own = own_entry_ids([*([player] if player is not None else []), *wards_of(user.pk)])
    return private(
        JsonResponse(
            {
                "signed_in": True,
                "account": str(user.pk),
                "name": user.name or user.email,
                "token": get_token(request),
                "directs": clubs_directed_by(user),
                "entries": [entry for entry, _event in own],
                "events": list(dict.fromkeys(event for _entry, event in own)),
            }
        )
    )


@action
def agree(request: HttpRequest) -> HttpResponse:
    """What the player, or a minor for whom the account speaks, agrees to in an event."""
    back = reverse("player:me")
    user = user_of(request)
    wanted = request.POST.get("player", "").replace("\0", "")
    own = player_of_user(user.pk)
    mine = [one for one in (own, *wards_of(user.pk)) if one is not None and one.public_id == wanted]
    if not mine:
        raise Missing("player.unknown")
    try:
        reply_by_account(
            actor=actor_of(request),
            public_id=request.POST.get("entry", "").replace("\0", "")[:16],
            player_id=mine[0].pk,
            replies={kind.value: request.POST[kind] for kind in Consent if kind in request.POST},
        )
    except CrawfordError as error:
        if isinstance(error, Missing):
            raise
        return refused(request, error, back=back)
    messages.success(request, _("Saved. Directors and streamers can see it immediately."))
    return redirect(back)


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
    messages.success(request, _("You have withdrawn from %(name)s.") % {"name": entry.division.event.name})
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
        reason = _("Too many attempts. Wait ten minutes, then try again.")
        return private(render(request, "shared/gone.html", {"reason": reason}, status=429))
    try:
        found = open_claim(token)
    except Missing as missing:
        return private(render(request, "shared/gone.html", {"reason": describe(missing)}, status=404))
    context: dict[str, Any] = {"player": found.player, "about": player_ref(found.player), "club": found.club}
    if request.method == "POST" and request.user.is_authenticated:
        try:
            guardian = request.POST.get("guardian") == "yes"
            player = take_player(user=user_of(request), token=token, guardian=guardian)
        except CrawfordError as error:
            context["refused"] = describe(error)
            return private(render(request, "site/claim.html", context, status=error.status))
        words = (
            _("Your account now acts for %(name)s.")
            if player.minor
            else _("Your account is now linked to %(name)s.")
        )
        messages.success(request, words % {"name": player.name})
        return redirect("player:me")
    return private(render(request, "site/claim.html", context))


def _events(player: Player) -> list[dict[str, Any]]:
    return [_event(player, one) for one in own_events(player)]


def _left(player: Player) -> list[dict[str, Any]]:
    """Events that they withdrew from, and whether they can enter again by themselves."""
    entries = own_withdrawn(player)
    return [
        {
            "name": entry.division.event.name,
            "division": entry.division.name,
            "when": when_words(entry.division.event),
            **way,
        }
        for entry, way in zip(entries, ways_back(entries), strict=True)
    ]


def _event(player: Player, own: OwnEvent) -> dict[str, Any]:
    event = own.entry.division.event
    replies = replies_in(event, [player.pk])
    return {
        "player": player.public_id,
        "locked": player.minor and player.guardian_id is None,
        "agrees": consent_fields(replies[player.pk].replies if player.pk in replies else {}, event),
        "entry": own.entry.public_id,
        "name": event.name,
        "division": own.entry.division.name,
        "when": when_words(event),
        "place": event.place,
        "token": entry_token(own.entry),
        "queue": own.queue,
        "may_leave": own.may_leave,
        "asks": asks(event),
        "checks_in": own.checks_in,
        "here_since": clock_time(own.here_since, event),
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
