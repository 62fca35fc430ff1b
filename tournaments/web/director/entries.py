"""Entries of an event: one name at a time, withdraw and return, self-registration.

Nobody becomes two players by accident: a typed name that somebody already has is shown with everybody who has it, and a
new player of the same name needs a choice of its own.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from people.errors import CrawfordError, Missing
from people.messages import describe_all
from people.models import Player, search_key
from people.selectors import players_by_key, players_for_club, search_players
from people.web.access import actor_of
from tournaments.engine.lifecycle import EntryStatus
from tournaments.links import join_token
from tournaments.models import Entry, EntryPlayer, Event, Stage
from tournaments.selectors.director import entries_are_open, stage_to_enter, stages_of
from tournaments.selectors.entries import EntryRow, entries_of
from tournaments.services.entries import NewEntry, add_entry, return_entry, withdraw_entry
from tournaments.services.events import renew_registration_link, set_registration
from tournaments.web.cards import addresses
from tournaments.web.director.access import event_action, event_page
from tournaments.web.director.frame import INVALID, absolute, not_done, show
from tournaments.web.player.qr import qr_svg

NAME_LIMIT = 160
NEW = "new"


@event_page
def entries(request: HttpRequest, event: Event) -> HttpResponse:
    """Who takes part; add one, or withdraw one."""
    return _page(request, event)


def _page(
    request: HttpRequest, event: Event, extra: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    stages = stages_of(event)
    stage = _stage(stages)
    rows = entries_of([stage.division_id])[stage.division_id]
    selves = set(
        Entry.objects.filter(division=stage.division_id, source=Entry.Source.SELF).values_list(
            "pk", flat=True
        )
    )
    url = addresses("public:player")
    context = {
        "open": entries_are_open(stage, event),
        "seeded": stage.draw_method == Stage.DrawMethod.SEEDED or any(row.seed for row in rows),
        "rows": [_row(row, selves, url) for row in rows if not row.withdrawn],
        "gone": [_row(row, selves, url) for row in rows if row.withdrawn],
        "join_url": _join_url(request, event) if event.registration_open else "",
        "join_qr": qr_svg(_join_url(request, event)) if event.registration_open else "",
        "typed": "",
        "typing": "next" in request.GET,
        **(extra or {}),
    }
    return show(request, "director/entries.html", event, "entries", context, stages=stages, status=status)


def _row(row: EntryRow, selves: set[int], url: Any) -> dict[str, Any]:
    players = row.players
    single = players[0] if len(players) == 1 else None
    about = [single.country, single.club] if single is not None else []
    return {
        "public_id": row.public_id,
        "number": row.number or "",
        "seed": row.seed or "",
        "name": row.name,
        "url": url(row.page_of),
        "about": " · ".join(part for part in about if part),
        "self": row.pk in selves,
    }


@event_page
def players_json(request: HttpRequest, event: Event) -> HttpResponse:
    """Players for the combobox: those of the club and public ones, and who of them is entered already."""
    text = request.GET.get("q", "")[:NAME_LIMIT]
    found = search_players(club=event.club, text=text)
    entered = _entered(event, found)
    results = [
        {"id": player.public_id, "text": player.name, "note": _note(player, entered), "url": ""}
        for player in found
    ]
    return JsonResponse({"results": results})


@event_action
def add(request: HttpRequest, event: Event) -> HttpResponse:
    """Enter a chosen player, or the one that a typed name means; ask where that is not certain."""
    typed = " ".join(request.POST.get("name", "").replace("\0", "").split())[:NAME_LIMIT]
    chosen = request.POST.get("player", "").replace("\0", "")
    stage = _stage(stages_of(event))
    if chosen and chosen != NEW:
        player = players_for_club(event.club).filter(public_id=chosen).first()
        if player is None:
            raise Missing("player.unknown")
        wanted = NewEntry(player_id=player.pk)
    else:
        candidates = _candidates(event, typed) if chosen != NEW else []
        if candidates:
            return _choose(request, event, typed, candidates)
        wanted = NewEntry(name=typed)
    try:
        made = add_entry(
            actor=actor_of(request), event_id=event.pk, division_id=stage.division_id, entry=wanted
        )
    except CrawfordError as error:
        if error.status != INVALID:
            return not_done(request, error, back=_address(event))
        return _page(request, event, {"faults": describe_all(error), "typed": typed}, status=INVALID)
    messages.success(request, _("%(name)s is entered.") % {"name": made.name})
    return redirect(f"{_address(event)}?next")


def _candidates(event: Event, typed: str) -> list[Player]:
    """Everybody whom ``typed`` could mean: the same name first, then names that contain it."""
    if not search_key(typed):
        return []
    same = players_by_key(club=event.club, keys=[search_key(typed)])[search_key(typed)]
    others = [player for player in search_players(club=event.club, text=typed) if player not in same]
    return [*same, *others]


def _choose(request: HttpRequest, event: Event, typed: str, candidates: list[Player]) -> HttpResponse:
    entered = _entered(event, candidates)
    key = search_key(typed)
    context = {
        "typed": typed,
        "exact": any(player.search_name == key for player in candidates),
        "candidates": [
            {
                "public_id": player.public_id,
                "name": player.name,
                "note": _note(player, entered),
                "entered": player.pk in entered,
            }
            for player in candidates
        ],
    }
    return show(request, "director/choose_player.html", event, "entries", context)


def _entered(event: Event, players: list[Player]) -> dict[int, str]:
    """Player id → status of their entry in the event's first division."""
    rows = EntryPlayer.objects.filter(division__event=event, player__in=[player.pk for player in players])
    return dict(rows.values_list("player_id", "entry__status"))


def _note(player: Player, entered: dict[int, str]) -> str:
    parts = [player.home_club.name if player.home_club is not None else "", player.country]
    if player.pk in entered:
        parts.append(_("withdrawn") if entered[player.pk] == EntryStatus.WITHDRAWN else _("already entered"))
    return " · ".join(part for part in parts if part)


@event_action
def withdraw(request: HttpRequest, event: Event) -> HttpResponse:
    """Take an entry out; it stays on the list and can come back."""
    entry = _entry(request, event)
    try:
        withdraw_entry(actor=actor_of(request), event_id=event.pk, entry_id=entry.pk)
    except CrawfordError as error:
        return not_done(request, error, back=_address(event))
    messages.success(request, _("%(name)s is withdrawn.") % {"name": entry.name})
    return redirect(_address(event))


@event_action
def give_back(request: HttpRequest, event: Event) -> HttpResponse:
    """Let a withdrawn entry take part again."""
    entry = _entry(request, event)
    try:
        return_entry(actor=actor_of(request), event_id=event.pk, entry_id=entry.pk)
    except CrawfordError as error:
        return not_done(request, error, back=_address(event))
    messages.success(request, _("%(name)s takes part again.") % {"name": entry.name})
    return redirect(_address(event))


@event_action
def registration(request: HttpRequest, event: Event) -> HttpResponse:
    """Open or close self-registration, or make its link anew."""
    asked = request.POST.get("do", "")
    actor = actor_of(request)
    try:
        if asked == "renew":
            renew_registration_link(actor=actor, event_id=event.pk)
            words = _("The old registration link no longer works. Here is the new one.")
        elif asked in {"open", "close"}:
            set_registration(actor=actor, event_id=event.pk, is_open=asked == "open")
            words = (
                _("Players can now enter themselves by the link.")
                if asked == "open"
                else _("Registration is closed.")
            )
        else:
            raise Missing("registration.action_unknown")
    except CrawfordError as error:
        return not_done(request, error, back=_address(event))
    messages.success(request, words)
    return redirect(f"{_address(event)}#registration")


def _entry(request: HttpRequest, event: Event) -> Entry:
    entry = Entry.objects.filter(
        division__event=event, public_id=request.POST.get("entry", "").replace("\0", "")
    ).first()
    if entry is None:
        raise Missing("entry.unknown")
    return entry


def _stage(stages: list[Stage]) -> Stage:
    stage = stage_to_enter(stages)
    if stage is None:
        raise Missing("stage.unknown")
    return stage


def _address(event: Event) -> str:
    return reverse("director:entries", args=[event.public_id])


def _join_url(request: HttpRequest, event: Event) -> str:
    return absolute(request, reverse("player:join", args=[join_token(event)]))
