"""Registration through the event's link: signed-in players are entered at once, others wait for approval.

No response reveals whether a name is known, entered or withdrawn; only the approving director sees that. The
same form sent twice makes one entry.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from faults import Conflict, CrawfordError, Fault, Invalid, raise_faults
from people.actors import Actor
from people.addresses import without_language
from people.caching import cache_value, cached_value, increment_counter
from people.messages import describe, messages_by_field
from people.models import Player
from people.selectors import player_of_user, refresh_row
from people.services.players import clean_name
from tournaments.engine.consents import Consent, Reply
from tournaments.engine.new_entry import EntryDetails, NewEntry
from tournaments.engine.statuses import ENTRY_UNCONFIRMED, EntryStatus, EventStatus
from tournaments.entries.services.consents import clean_replies
from tournaments.entries.services.registration import missing_consents, register_self
from tournaments.entries.web.columns import custom_field_inputs, custom_values_from
from tournaments.entries.web.consent_fields import CONSENT_FIELD_NAMES, consent_fields
from tournaments.models import Entry, Event
from tournaments.selectors.access.links import (
    entry_from_receipt,
    entry_token,
    event_from_token,
    join_token,
    receipt_token,
)
from tournaments.selectors.access.visibility import is_listed, visible_event
from tournaments.selectors.entries import entries_of_player_in, joinable_divisions
from tournaments.selectors.returning import own_withdrawn_entries
from tournaments.selectors.waiting import full_divisions, place_in_queue
from tournaments.shared.fragments.returning import reinstatement_contexts
from tournaments.shared.frames.keys import new_submission_key
from tournaments.shared.frames.player import client_address, is_rate_limited, secret_view
from tournaments.shared.frames.public import public_view
from tournaments.shared.words.consents import consent_names
from tournaments.shared.words.limits import limit_label, outside_limit_message
from tournaments.shared.words.names import date_and_time, event_dates_label

MAX_TRIES, PERIOD_SECONDS = 60, 600
KEY_LIFETIME_SECONDS = 3600
_SENT_FORM: Final = "join-sent"  # cached by submission key
# Per address and period; further entries need approval, since a whole club may share an address.
MAX_ENTRIES_PER_ADDRESS = 20


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show the registration form; when it is sent, enter the player.

    The response is the same whether the typed name is known or not.
    """
    event = event_from_token(token)
    if request.method != "POST":
        return _render_form(request, event)
    if is_rate_limited(request, "join", limit=MAX_TRIES, seconds=PERIOD_SECONDS):
        return _render_form(
            request, event, status=429, refusal=_("Too many attempts. Wait ten minutes, then try again.")
        )
    if not event.registration_open:
        return _render_form(request, event, status=409)
    key = _cache_key(request, event)
    sent_before = cached_value(_SENT_FORM, key) if key else None
    if sent_before is not None:
        return _repeat_response(request, event, sent_before)
    try:
        chosen_partners = _chosen_divisions(request, event)
        details = _consent_details(request, event)
        new_entry = _new_entry(request)
        entries = register_self(
            actor=_actor(request, new_entry),
            token=token,
            entry=replace(new_entry, details=details),
            partners=chosen_partners,
            extra=custom_values_from(request.POST),
            crowd=increment_counter("join-in", [client_address(request)], PERIOD_SECONDS)
            > MAX_ENTRIES_PER_ADDRESS,
        )
    except Conflict as conflict:
        return _render_form(request, refresh_row(event), status=conflict.status, refusal=describe(conflict))
    except CrawfordError as error:
        sent_before = cached_value(_SENT_FORM, key) if key else None
        if sent_before is not None:  # the same form was sent twice at once, and the other request was first
            return _repeat_response(request, event, sent_before)
        return _render_form(request, event, status=error.status, faults=messages_by_field(error.faults))
    links = [(str(entry.division), receipt_token(entry)) for entry in entries]
    if key:
        sent = (_who_and_what(request), _sent_label(request, entries), links)
        cache_value(_SENT_FORM, key, KEY_LIFETIME_SECONDS, sent)
    if len(links) == 1 and entries[0].status == EntryStatus.ACTIVE:
        messages.success(
            request,
            _(
                "You are entered! Bookmark this page or add it to your home screen. It is your private page: do "
                "not share the link."
            ),
        )
    return _redirect_to_entry(request, event, links)


def _consent_details(request: HttpRequest, event: Event) -> EntryDetails:
    """Return the consents from the form as entry details.

    Raises ``Invalid`` with all that are missing: to the name in the hall, and those that the event requires.
    """
    replies = clean_replies({kind.value: request.POST.get(kind) or Reply.ASK.value for kind in Consent})
    details = EntryDetails(hall=request.POST.get("hall") == "yes", rating=None, paid=None, **replies)
    faults = [Fault("consent.required", kind) for kind in missing_consents(event.requires, details)]
    if not details.hall:
        faults.insert(0, Fault("registration.hall", "hall"))
    raise_faults(faults)
    return details


def _repeat_response(
    request: HttpRequest, event: Event, sent_before: tuple[list[list[str]], str, list[tuple[str, str]]]
) -> HttpResponse:
    """Answer a form that was sent before: with its entries, or, if it now enters others, with a question.

    A form is changed after it was sent when the player goes back to it in the browser.
    """
    who_and_what, label, links = sent_before
    if who_and_what == _who_and_what(request):
        return _redirect_to_entry(request, event, links)
    message = _(
        "This form was already sent: %(entries)s. To correct that, ask the director. To enter another "
        "player or division as well, choose only what is new and send the form again."
    )
    return _render_form(
        request, event, status=409, refusal=message % {"entries": label}, key=new_submission_key()
    )


def _who_and_what(request: HttpRequest) -> list[list[str]]:
    """Return whom the form enters and in which divisions, to be compared with a later one."""
    return [[request.POST.get("player", "")], _typed_names(request), sorted(request.POST.getlist("division"))]


def _sent_label(request: HttpRequest, entries: Sequence[Entry]) -> str:
    """Return a label of the entries made: the names as typed, which do not tell who is known, and divisions."""
    names = ", ".join(_typed_names(request) or [entries[0].name])
    divisions = ", ".join(division for entry in entries if (division := entry.division.name))
    return f"{names} ({divisions})" if divisions else names


def _typed_names(request: HttpRequest) -> list[str]:
    """Return all names in the form: of the player and of the other members of each team."""
    fields = ["name", *sorted(field for field in request.POST if field.startswith("partner-"))]
    return [name for field in fields if (name := " ".join(request.POST.get(field, "").split()))]


def _redirect_to_entry(request: HttpRequest, event: Event, links: list[tuple[str, str]]) -> HttpResponse:
    """Redirect to the status page of the registration; for several divisions, show the links to all of them.

    ``links``: pairs of division name and receipt token.
    """
    if len(links) == 1:
        return redirect("player:registered", links[0][1])
    return _render_form(request, event, links=links)


@public_view
@never_cache
def registration_redirect(request: HttpRequest, event: str) -> HttpResponse:
    """Redirect from an event's public page to the registration form, or back while registration is closed."""
    loaded_event = visible_event(request.user, event).event
    if loaded_event.registration_open and is_listed(loaded_event):
        return redirect(without_language(reverse("player:join", args=[join_token(loaded_event)])))
    return redirect("public:event", loaded_event.public_id)


@secret_view
@require_safe
def registration_status(request: HttpRequest, token: str) -> HttpResponse:
    """Show whether a registration is pending approval or on the waiting list.

    Redirects to the personal page of the entry once the entry has been approved.
    """
    entry = entry_from_receipt(token)
    if entry.status not in ENTRY_UNCONFIRMED:
        return redirect("player:home", entry_token(entry))
    event = entry.division.event
    context = {
        "event": event,
        "club": event.club,
        "when": event_dates_label(event),
        "entry": entry,
        "division": entry.division.name,
        "place": place_in_queue(entry),
        "public": event.status != EventStatus.DRAFT,
    }
    return render(request, "entries/registered.html", context)


def _chosen_divisions(request: HttpRequest, event: Event) -> dict[int, list[str]]:
    """Return the names of the other team members, keyed by the id of each chosen division.

    If only one division is open, it counts as chosen. Raises ``Invalid`` if none is chosen.
    """
    open_divisions = joinable_divisions(event)
    ticked = set(request.POST.getlist("division"))
    divisions = (
        [division for division in open_divisions if str(division.position) in ticked]
        if len(open_divisions) > 1
        else open_divisions
    )
    if not divisions:
        raise Invalid("registration.no_division", field="division")
    return {
        division.pk: [
            request.POST.get(f"partner-{division.position}-{number}", "").replace("\0", "")
            for number in range(2, division.team_size + 1)
        ]
        for division in divisions
    }


def _cache_key(request: HttpRequest, event: Event) -> list[str]:
    """Return the key under which the links to this form's entries are cached.

    The cache makes a form sent twice enter once. Empty without a valid submission key. The cached value is a
    personal link, so only the form's random key gives access to it.
    """
    try:
        return [event.public_id, UUID(request.POST.get("submission_key", "")).hex]
    except ValueError:
        return []


def _new_entry(request: HttpRequest) -> NewEntry:
    """Return the entry to create, for the signed-in player or for a player of the typed name."""
    if request.POST.get("player", "") != "me":
        return NewEntry(name=clean_name(request.POST.get("name", "").replace("\0", "")))
    own_player = _own_player(request)
    if own_player is None:
        raise Invalid("player.unknown", field="player")
    return NewEntry(player_id=own_player.pk)


def _own_player(request: HttpRequest) -> Player | None:
    if not request.user.is_authenticated:
        return None
    return player_of_user(request.user.pk)


def _actor(request: HttpRequest, new_entry: NewEntry) -> Actor:
    if request.user.is_authenticated:
        return Actor.of(request.user)
    return Actor.with_label(f"registration: {new_entry.name or 'player'}")


def _render_form(
    request: HttpRequest,
    event: Event,
    *,
    faults: dict[str, list[str]] | None = None,
    links: list[tuple[str, str]] | None = None,
    refusal: str = "",
    status: int = 200,
    key: str = "",
) -> HttpResponse:
    """Render the registration form with what was typed; ``key``: a new submission key, instead of the sent one."""
    own_player = _own_player(request)
    divisions = joinable_divisions(event)
    own_entries = entries_of_player_in(event, own_player) if own_player is not None else []
    ticked = set(request.POST.getlist("division"))
    full_ids = full_divisions(divisions)
    withdrawn_entries = own_withdrawn_entries(own_player, event) if own_player is not None else []
    entered_ids = {entry.division_id for entry in (*own_entries, *withdrawn_entries)}
    open_divisions = [division for division in divisions if division.pk not in entered_ids]
    context = {
        "event": event,
        "club": event.club,
        "when": event_dates_label(event),
        "open": event.registration_open and bool(divisions),
        "own": own_player,
        "mine": [(str(entry.division), entry_token(entry)) for entry in own_entries],
        "gone": [
            {"name": str(entry.division), **reinstatement}
            for entry, reinstatement in zip(
                withdrawn_entries, reinstatement_contexts(withdrawn_entries), strict=True
            )
        ],
        "everywhere": bool(own_entries or withdrawn_entries) and not open_divisions,
        "divisions": [
            {
                "division": division,
                "name": str(division),
                "ticked": str(division.position) in ticked,
                "entered": division not in open_divisions,
                "until": date_and_time(division.entries_until, event),
                "full": division.pk in full_ids,
                "limit": limit_label(division),
                "outside": outside_limit_message(division),
                "partners": [
                    (number, field, request.POST.get(field, ""), (faults or {}).get(field, []))
                    for number in range(2, division.team_size + 1)
                    for field in [f"partner-{division.position}-{number}"]
                ],
            }
            for division in divisions
        ],
        "several": len(divisions) > 1,
        "links": links or [],
        "name": request.POST.get("name", ""),
        "key": key or request.POST.get("submission_key") or new_submission_key(),
        "faults": {
            field: field_faults
            for field, field_faults in (faults or {}).items()
            if "partner-" not in field and field not in CONSENT_FIELD_NAMES
        },
        "agrees": consent_fields(request.POST, event, faults or {}),
        "required": consent_names(event.requires),
        "hall_faults": (faults or {}).get("hall", []),
        "hall": request.POST.get("hall") == "yes",
        "own_columns": custom_field_inputs(event, request.POST),
        "refused": refusal,
    }
    return render(request, "entries/join.html", context, status=status)
