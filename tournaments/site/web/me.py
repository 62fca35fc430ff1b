"""Signed-in player's own page and data, and pages that link a player to an account."""

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
    claims_requested_by,
    clubs_directed_by,
    player_in_directory,
    player_of_user,
    wards_of,
)
from people.services.claims import offer_player, open_claim, take_player
from people.web.access import (
    action_view,
    directed_club,
    page_view,
    render_refusal,
    request_actor,
    request_user,
)
from tournaments.engine.consents import Consent
from tournaments.entries.services.consents import set_consents_by_account
from tournaments.entries.services.own import withdraw_own_entry
from tournaments.entries.web.consent_fields import consent_fields
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.columns import has_player_fields
from tournaments.selectors.consents import replies_in_event
from tournaments.selectors.entries import player_ref
from tournaments.selectors.matches.own import OwnEvent, own_entry_ids, own_events, past_events
from tournaments.selectors.returning import own_withdrawn_entries
from tournaments.shared.fragments.cards import placeholder_label
from tournaments.shared.fragments.qr import qr_svg
from tournaments.shared.fragments.returning import reinstatement_contexts
from tournaments.shared.frames.director import absolute_url
from tournaments.shared.frames.player import add_private_headers, is_rate_limited
from tournaments.shared.words.names import clock_time, event_dates_label, round_name_in_section

MAX_TRIES, PERIOD_SECONDS = 30, 600


@page_view
def me(request: HttpRequest) -> HttpResponse:
    """Page of the signed-in player and of minors in their care: matches, personal links, past events."""
    user = request_user(request)
    player = player_of_user(user.pk)
    context: dict[str, Any] = {
        "player": player,
        "wards": [
            {"player": ward, "events": _event_contexts(ward), "left": _withdrawn_events(ward)}
            for ward in wards_of(user.pk)
        ],
    }
    if player is None:
        context["asked"] = claims_requested_by(user)
    else:
        context |= {
            "about": player_ref(player),
            "events": _event_contexts(player),
            "left": _withdrawn_events(player),
            "past": [
                {
                    "public_id": past_event.event.public_id,
                    "name": past_event.event.name,
                    "when": event_dates_label(past_event.event),
                    "division": past_event.division,
                    "place": str(past_event.place) if past_event.place is not None else "",
                }
                for past_event in past_events(player)
            ],
        }
    return add_private_headers(render(request, "site/me.html", context))


@require_safe
def me_json(request: HttpRequest) -> HttpResponse:
    """JSON for `me.js` on shared pages: sign-in, CSRF token, clubs directed, own entries and events.

    Includes entries of minors in the account's care. Small and never cached. For a visitor who is not signed
    in, it is one field and sets no cookie.
    """
    if not request.user.is_authenticated:
        return add_private_headers(JsonResponse({"signed_in": False}))
    user = request_user(request)
    player = player_of_user(user.pk)
    own_entries = own_entry_ids([*([player] if player is not None else []), *wards_of(user.pk)])
    return add_private_headers(
        JsonResponse(
            {
                "signed_in": True,
                "account": str(user.pk),
                "name": user.name or user.email,
                "token": get_token(request),
                "directs": clubs_directed_by(user),
                "entries": [entry for entry, _event in own_entries],
                "events": list(dict.fromkeys(event for _entry, event in own_entries)),
            }
        )
    )


@action_view
def update_consents(request: HttpRequest) -> HttpResponse:
    """Save the consents of the player, or of a minor in the account's care, for an event."""
    back_url = reverse("player:me")
    user = request_user(request)
    public_id = request.POST.get("player", "").replace("\0", "")
    own_player = player_of_user(user.pk)
    players = [
        player
        for player in (own_player, *wards_of(user.pk))
        if player is not None and player.public_id == public_id
    ]
    if not players:
        raise Missing("player.unknown")
    try:
        set_consents_by_account(
            actor=request_actor(request),
            public_id=request.POST.get("entry", "").replace("\0", "")[:16],
            player_id=players[0].pk,
            replies={kind.value: request.POST[kind] for kind in Consent if kind in request.POST},
        )
    except CrawfordError as error:
        if isinstance(error, Missing):
            raise
        return render_refusal(request, error, back_url=back_url)
    messages.success(request, _("Saved. Directors and streamers can see it immediately."))
    return redirect(back_url)


@action_view
def withdraw_entry(request: HttpRequest) -> HttpResponse:
    """Withdraw an entry of the account's player before the draw. Field ``entry``: its public id."""
    back_url = reverse("player:me")
    public_id = request.POST.get("entry", "").replace("\0", "")[:16]
    try:
        entry = withdraw_own_entry(actor=request_actor(request), public_id=public_id)
    except CrawfordError as error:
        if isinstance(error, Missing):
            raise
        return render_refusal(request, error, back_url=back_url)
    messages.success(request, _("You have withdrawn from %(name)s.") % {"name": entry.division.event.name})
    return redirect(back_url)


@action_view
def offer_link(request: HttpRequest, club: str, player: str) -> HttpResponse:
    """Page with a link and code with which a person at the desk links their account to this player.

    Both are shown only once.
    """
    loaded_club, role = directed_club(request, club)
    loaded_player = player_in_directory(loaded_club, player)
    back_url = reverse("people:player", args=[loaded_club.public_id, loaded_player.public_id])
    try:
        token = offer_player(actor=request_actor(request), club_id=loaded_club.pk, player_id=loaded_player.pk)
    except CrawfordError as error:
        return render_refusal(request, error, back_url=back_url)
    url = absolute_url(request, reverse("player:claim", args=[token]))
    context = {
        "club": loaded_club,
        "role": role,
        "tab": "players",
        "player": loaded_player,
        "url": url,
        "qr": qr_svg(url),
        "back": back_url,
    }
    return add_private_headers(render(request, "site/claim_offer.html", context))


@require_http_methods(["GET", "HEAD", "POST"])
def claim_player(request: HttpRequest, token: str) -> HttpResponse:
    """Page of the player of a link; a confirmed POST links that player to the signed-in account."""
    if is_rate_limited(request, "claim", limit=MAX_TRIES, seconds=PERIOD_SECONDS):
        reason = _("Too many attempts. Wait ten minutes, then try again.")
        return add_private_headers(render(request, "shared/gone.html", {"reason": reason}, status=429))
    try:
        claim = open_claim(token)
    except Missing as missing:
        return add_private_headers(
            render(request, "shared/gone.html", {"reason": describe(missing)}, status=404)
        )
    context: dict[str, Any] = {"player": claim.player, "about": player_ref(claim.player), "club": claim.club}
    if request.method == "POST" and request.user.is_authenticated:
        try:
            guardian = request.POST.get("guardian") == "yes"
            player = take_player(user=request_user(request), token=token, guardian=guardian)
        except CrawfordError as error:
            context["refused"] = describe(error)
            return add_private_headers(render(request, "site/claim.html", context, status=error.status))
        message = (
            _("Your account now acts for %(name)s.")
            if player.minor
            else _("Your account is now linked to %(name)s.")
        )
        messages.success(request, message % {"name": player.name})
        return redirect("player:me")
    return add_private_headers(render(request, "site/claim.html", context))


def _event_contexts(player: Player) -> list[dict[str, Any]]:
    return [_event_context(player, own_event) for own_event in own_events(player)]


def _withdrawn_events(player: Player) -> list[dict[str, Any]]:
    """Return contexts of events that the player withdrew from.

    They include whether the player can enter again without a director.
    """
    entries = own_withdrawn_entries(player)
    return [
        {
            "name": entry.division.event.name,
            "division": entry.division.name,
            "when": event_dates_label(entry.division.event),
            **reinstatement,
        }
        for entry, reinstatement in zip(entries, reinstatement_contexts(entries), strict=True)
    ]


def _event_context(player: Player, own_event: OwnEvent) -> dict[str, Any]:
    event = own_event.entry.division.event
    replies = replies_in_event(event, [player.pk])
    return {
        "player": player.public_id,
        "locked": player.minor and player.guardian_id is None,
        "agrees": consent_fields(replies[player.pk].replies if player.pk in replies else {}, event),
        "entry": own_event.entry.public_id,
        "name": event.name,
        "division": own_event.entry.division.name,
        "when": event_dates_label(event),
        "place": event.place,
        "token": entry_token(own_event.entry),
        "queue": own_event.queue_place,
        "may_leave": own_event.can_withdraw,
        "asks": has_player_fields(event),
        "checks_in": own_event.is_check_in_open,
        "here_since": clock_time(own_event.checked_in_at, event),
        "matches": [
            {
                "round": round_name_in_section(match.row.section, match.row.round_code),
                "opponent": match.other.name or placeholder_label(match.other),
                "length": match.row.length,
                "table": match.row.table,
            }
            for match in own_event.unfinished_matches
        ],
    }
