"""Registration by link: type your name, and a director approves it; signed in as a player you are in at once.

No answer tells whether a name is known, entered or withdrawn: that is worked out for those who approve. The same form sent twice is one entry.
"""

from dataclasses import replace
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from faults import Conflict, CrawfordError, Fault, Invalid, refuse
from people.actors import Actor
from people.addresses import bare
from people.caching import counted, remember, remembered
from people.messages import by_field, describe
from people.models import Player
from people.selectors import fresh, player_of_user
from people.services.players import clean_name
from tournaments.engine.consents import Consent, Reply
from tournaments.engine.new_entry import EntryDetails, NewEntry
from tournaments.engine.statuses import UNCONFIRMED, EntryStatus, EventStatus
from tournaments.entries.services.consents import checked
from tournaments.entries.services.registration import lacking, register_self
from tournaments.entries.web.columns import own_column_fields, own_columns_in
from tournaments.entries.web.consent_fields import FIELDS, consent_fields
from tournaments.models import Event
from tournaments.selectors.access.links import (
    entry_of_receipt,
    entry_token,
    event_of_token,
    join_token,
    receipt_token,
)
from tournaments.selectors.access.visibility import is_listed, visible_event
from tournaments.selectors.entries import divisions_to_join, entries_of_player_in
from tournaments.selectors.returning import own_withdrawn
from tournaments.selectors.waiting import full_divisions, place_in_queue
from tournaments.shared.fragments.returning import ways_back
from tournaments.shared.frames.keys import new_key
from tournaments.shared.frames.player import address_of, secret_view, too_often
from tournaments.shared.frames.public import public_view
from tournaments.shared.words.consents import names_of
from tournaments.shared.words.limits import limit_words, outside_words
from tournaments.shared.words.names import day_and_time, when_words

TRIES, PERIOD = 60, 600
KEY_KEPT = 3600
# From one address in a period; whoever comes after that is expected, whatever their name: a club's network is not shut out.
CROWD = 20


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """A name, and what the event asks; the answer is the same whether the name is known or not."""
    event = event_of_token(token)
    if request.method != "POST":
        return _draw(request, event)
    if too_often(request, "join", limit=TRIES, seconds=PERIOD):
        return _draw(
            request, event, status=429, refused=_("Too many attempts. Wait ten minutes, then try again.")
        )
    if not event.registration_open:
        return _draw(request, event, status=409)
    key = _key(request, event)
    done = remembered("join", key) if key else None
    if done is not None:
        return _entered(request, event, done)
    try:
        chosen = _chosen(request, event)
        details = _agreed(request, event)
        wanted = _wanted(request)
        entries = register_self(
            actor=_actor(request, wanted),
            token=token,
            entry=replace(wanted, details=details),
            partners=chosen,
            extra=own_columns_in(request.POST),
            crowd=counted("join-in", [address_of(request)], PERIOD) > CROWD,
        )
    except Conflict as conflict:
        return _draw(request, fresh(event), status=conflict.status, refused=describe(conflict))
    except CrawfordError as error:
        done = remembered("join", key) if key else None
        if done is not None:  # the same form came twice at once, and the other one was let in first
            return _entered(request, event, done)
        return _draw(request, event, status=error.status, faults=by_field(error.faults))
    links = [(str(entry.division), receipt_token(entry)) for entry in entries]
    if key:
        remember("join", key, KEY_KEPT, links)
    if len(links) == 1 and entries[0].status == EntryStatus.ACTIVE:
        messages.success(
            request,
            _(
                "You are entered! Bookmark this page or add it to your home screen. It is your private page: do "
                "not share the link."
            ),
        )
    return _entered(request, event, links)


def _agreed(request: HttpRequest, event: Event) -> EntryDetails:
    """What the form agrees to; refuses who wants no name in the hall, or not what the event requires, both together."""
    replies = checked({kind.value: request.POST.get(kind) or Reply.ASK.value for kind in Consent})
    details = EntryDetails(hall=request.POST.get("hall") == "yes", rating=None, paid=None, **replies)
    faults = [Fault("consent.required", kind) for kind in lacking(event.requires, details)]
    if not details.hall:
        faults.insert(0, Fault("registration.hall", "hall"))
    refuse(faults)
    return details


def _entered(request: HttpRequest, event: Event, links: list[tuple[str, str]]) -> HttpResponse:
    """To the page that tells how it stands, and leads on to the personal page; of several divisions each has one."""
    if len(links) == 1:
        return redirect("player:registered", links[0][1])
    return _draw(request, event, links=links)


@public_view
@never_cache
def enter(request: HttpRequest, event: str) -> HttpResponse:
    """From the public page of an event to its registration form, while registration is open; else back to that page."""
    found = visible_event(request.user, event).event
    if found.registration_open and is_listed(found):
        return redirect(bare(reverse("player:join", args=[join_token(found)])))
    return redirect("public:event", found.public_id)


@secret_view
@require_safe
def registered(request: HttpRequest, token: str) -> HttpResponse:
    """What became of a registration: expected, on the waiting list, or in, and then the personal page."""
    entry = entry_of_receipt(token)
    if entry.status not in UNCONFIRMED:
        return redirect("player:home", entry_token(entry))
    event = entry.division.event
    context = {
        "event": event,
        "club": event.club,
        "when": when_words(event),
        "entry": entry,
        "division": entry.division.name,
        "place": place_in_queue(entry),
        "public": event.status != EventStatus.DRAFT,
    }
    return render(request, "entries/registered.html", context)


def _chosen(request: HttpRequest, event: Event) -> dict[int, list[str]]:
    """The divisions that were ticked, each with the names of the others of a team; the only one needs no tick."""
    open_ones = divisions_to_join(event)
    ticked = set(request.POST.getlist("division"))
    divisions = [one for one in open_ones if str(one.position) in ticked] if len(open_ones) > 1 else open_ones
    if not divisions:
        raise Invalid("registration.no_division", field="division")
    return {
        division.pk: [
            request.POST.get(f"partner-{division.position}-{number}", "").replace("\0", "")
            for number in range(2, division.team_size + 1)
        ]
        for division in divisions
    }


def _key(request: HttpRequest, event: Event) -> list[str]:
    """Where this form's entry is remembered, so that the form sent twice enters once.

    What is remembered is somebody's personal link, so only the random key of a form of ours opens it.
    """
    try:
        return [event.public_id, UUID(request.POST.get("submission_key", "")).hex]
    except ValueError:
        return []


def _wanted(request: HttpRequest) -> NewEntry:
    """Whom to enter: the player who is signed in, or whoever bears the name that was typed."""
    if request.POST.get("player", "") != "me":
        return NewEntry(name=clean_name(request.POST.get("name", "").replace("\0", "")))
    own = _own_player(request)
    if own is None:
        raise Invalid("player.unknown", field="player")
    return NewEntry(player_id=own.pk)


def _own_player(request: HttpRequest) -> Player | None:
    if not request.user.is_authenticated:
        return None
    return player_of_user(request.user.pk)


def _actor(request: HttpRequest, wanted: NewEntry) -> Actor:
    if request.user.is_authenticated:
        return Actor.of(request.user)
    return Actor.named(f"registration: {wanted.name or 'player'}")


def _draw(
    request: HttpRequest,
    event: Event,
    *,
    faults: dict[str, list[str]] | None = None,
    links: list[tuple[str, str]] | None = None,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    own = _own_player(request)
    divisions = divisions_to_join(event)
    mine = entries_of_player_in(event, own) if own is not None else []
    ticked = set(request.POST.getlist("division"))
    full = full_divisions(divisions)
    gone = own_withdrawn(own, event) if own is not None else []
    taken = {entry.division_id for entry in (*mine, *gone)}
    left = [one for one in divisions if one.pk not in taken]
    context = {
        "event": event,
        "club": event.club,
        "when": when_words(event),
        "open": event.registration_open and bool(divisions),
        "own": own,
        "mine": [(str(entry.division), entry_token(entry)) for entry in mine],
        "gone": [
            {"name": str(entry.division), **way} for entry, way in zip(gone, ways_back(gone), strict=True)
        ],
        "everywhere": bool(mine or gone) and not left,
        "divisions": [
            {
                "division": one,
                "name": str(one),
                "ticked": str(one.position) in ticked,
                "entered": one not in left,
                "until": day_and_time(one.entries_until, event),
                "full": one.pk in full,
                "limit": limit_words(one),
                "outside": outside_words(one),
                "partners": [
                    (number, field, request.POST.get(field, ""), (faults or {}).get(field, []))
                    for number in range(2, one.team_size + 1)
                    for field in [f"partner-{one.position}-{number}"]
                ],
            }
            for one in divisions
        ],
        "several": len(divisions) > 1,
        "links": links or [],
        "name": request.POST.get("name", ""),
        "key": request.POST.get("submission_key") or new_key(),
        "faults": {
            field: words
            for field, words in (faults or {}).items()
            if "partner-" not in field and field not in FIELDS
        },
        "agrees": consent_fields(request.POST, event, faults or {}),
        "required": names_of(event.requires),
        "hall_faults": (faults or {}).get("hall", []),
        "hall": request.POST.get("hall") == "yes",
        "own_columns": own_column_fields(event, request.POST),
        "refused": refused,
    }
    return render(request, "entries/join.html", context, status=status)
