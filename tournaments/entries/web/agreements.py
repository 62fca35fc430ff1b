"""Pages of players' consents: for players by personal link, and a list for staff and film crews."""

from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from faults import CrawfordError, Missing
from people.actors import Actor
from people.audience import Audience, activate_audience
from people.messages import describe, messages_by_field
from people.pages import UncountedPage
from people.permissions import may_direct
from people.web.access import page_view, request_user
from tournaments.engine.consents import Consent
from tournaments.entries.services.consents import set_consents_by_link
from tournaments.entries.web.consent_fields import consent_fields
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.access.visibility import get_event_for_reader, is_event_staff
from tournaments.selectors.consents import PlayerReplies, consents_at_tables, replies_in_event
from tournaments.selectors.entries import entry_player_rows
from tournaments.selectors.text_search import folded_words, matching_ids
from tournaments.shared.frames.player import secret_view
from tournaments.shared.words.consents import CONSENT_LABELS, consent_badges

PEOPLE_PER_PAGE: Final = 200
MIN_PEOPLE_FOR_SEARCH: Final = 40  # shorter lists need no search
MAX_SEARCH_LENGTH: Final = 80


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def own_agreements(request: HttpRequest, token: str) -> HttpResponse:
    """Show and save the consents of the players of an entry, behind its personal link.

    For minors, the page only says who answers for them.
    """
    entry = entry_from_token(token)
    event = entry.division.event
    rows = {row.player.public_id: row for row in entry_player_rows(entry)}
    faults: dict[str, list[str]] = {}
    status, sent_id, refusal = 200, "", ""
    if request.method == "POST":
        sent_id = request.POST.get("player", "").replace("\0", "")
        if sent_id not in rows:
            raise Missing("player.unknown")
        try:
            set_consents_by_link(
                actor=Actor.with_label(f"link: {entry.name}"),
                entry_id=entry.pk,
                player_id=rows[sent_id].player_id,
                replies={kind.value: request.POST[kind] for kind in Consent if kind in request.POST},
            )
        except CrawfordError as error:
            faults, status = messages_by_field(error.faults), error.status
            refusal = "" if set(faults) & set(Consent) else describe(error)
        else:
            messages.success(request, _("Saved. Directors and streamers can see it immediately."))
            return redirect("player:agreements", token)
    replies_by_id = replies_in_event(event, [row.player_id for row in rows.values()])
    people = [
        {
            "player": row.player,
            "mark": f"p{row.position}",
            "minor": row.player.minor,
            "refused": refusal if public_id == sent_id else "",
            "agrees": consent_fields(
                replies_by_id[row.player_id].replies if row.player_id in replies_by_id else {},
                event,
                faults if public_id == sent_id else {},
            ),
        }
        for public_id, row in rows.items()
    ]
    context = {"token": token, "event": event, "entry": entry, "people": people}
    return render(request, "entries/agreements_own.html", context, status=status)


@page_view
def agreement_list(request: HttpRequest, event: str) -> HttpResponse:
    """Show which players may be photographed, filmed and streamed: those at the tables, then all by name.

    Viewers of the club see the names for the hall; directors and assistants see full names.
    """
    user = request_user(request)
    loaded_event = get_event_for_reader(user, event)
    directs = may_direct(user, loaded_event.club)
    helps = directs or is_event_staff(user, loaded_event)
    if not helps:
        activate_audience(Audience.HALL)
    text = request.GET.get("q", "")[:MAX_SEARCH_LENGTH].replace("\0", "").strip()
    replies_by_id = replies_in_event(loaded_event)
    listed_ids = (
        matching_ids(
            folded_words(text), ((pk, player_replies.name) for pk, player_replies in replies_by_id.items())
        )
        if text
        else replies_by_id
    )
    people = UncountedPage.of(
        [replies_by_id[pk] for pk in listed_ids], request.GET.get("page"), PEOPLE_PER_PAGE
    )
    context: dict[str, Any] = {
        "event": loaded_event,
        "club": loaded_event.club,
        "directs": directs,
        "kinds": list(CONSENT_LABELS.values()),
        "tables": [
            {"row": row, "agrees": consent_badges(row.replies)}
            for row in consents_at_tables(loaded_event, replies_by_id)
        ],
        "people": [_person(player_replies, helps=helps) for player_replies in people],
        "count": len(replies_by_id),
        "text": text,
        "searched": text or len(replies_by_id) > MIN_PEOPLE_FOR_SEARCH,
        "page": people,
        "query": urlencode({"q": text}) if text else "",
    }
    response = render(request, "entries/agreements.html", context)
    response["Cache-Control"] = "private, no-store"
    return response


def _person(player_replies: PlayerReplies, *, helps: bool) -> dict[str, Any]:
    return {
        "name": player_replies.name,
        "minor": player_replies.minor and helps,
        "hall": player_replies.agreed_to_hall_name,
        "agrees": consent_badges(player_replies.replies),
    }
