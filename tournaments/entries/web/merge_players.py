"""Pages for duplicate players in a club's directory: find, preview the merge, merge, undo."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError, Missing
from people.ids import parse_row_id
from people.messages import describe_all
from people.models import Club, Player
from people.permissions import may_direct
from people.selectors import player_for_club, search_players
from people.web.access import action_view, directed_club, form_view, page_view, render_refusal, request_actor
from rating.selectors.merging import MergedOpenings, merged_openings
from tournaments.entries.services.merge_players import merge_players, undo_merge
from tournaments.entries.services.merge_requests import request_merge
from tournaments.selectors.events.director import likely_duplicates, merge_preview
from tournaments.shared.fragments.cards import Context

OPENING_FIELD_PREFIX = "opening-"  # what the fields of lists are called, before the list's id


@page_view
def duplicates(request: HttpRequest, club: str) -> HttpResponse:
    """Show groups of players with the same name, ignoring accents, case and word order."""
    loaded_club, role = directed_club(request, club)
    context = {"club": loaded_club, "role": role, "tab": "players", "groups": likely_duplicates(loaded_club)}
    return render(request, "entries/duplicates.html", context)


@form_view
def merge(request: HttpRequest, club: str) -> HttpResponse:
    """Show the choice of the remaining player, then a preview; when sent, merge or request the merge."""
    loaded_club, role = directed_club(request, club)
    parameters = request.POST if request.method == "POST" else request.GET
    duplicate = _player(loaded_club, parameters.get("duplicate", ""), own=True)
    keep = _player(loaded_club, parameters.get("keep", ""), own=False)
    if duplicate is None:
        raise Missing("player.unknown")
    faults: list[str] = []
    if request.method == "POST":
        if keep is None:
            raise Missing("player.unknown")
        is_request = "ask" in request.POST
        try:
            merge_ids = {"club_id": loaded_club.pk, "keep_id": keep.pk, "duplicate_id": duplicate.pk}
            if is_request:
                request_merge(actor=request_actor(request), **merge_ids)
            else:
                merge_players(actor=request_actor(request), **merge_ids, openings=_openings(request))
        except CrawfordError as error:
            if isinstance(error, Missing):
                raise
            faults = describe_all(error)
        else:
            message = (
                _("The home club of %(name)s has been asked. The answer will appear in the audit log.")
                if is_request
                else _("Merged into %(name)s. You can undo this in the audit log.")
            )
            messages.success(request, message % {"name": keep.name})
            return redirect("people:players", loaded_club.public_id)
    text = request.GET.get("q", duplicate.name)[:80]
    keeper = _keeper_to_ask(request, keep, loaded_club)
    context = {
        "club": loaded_club,
        "role": role,
        "tab": "players",
        "duplicate": duplicate,
        "keep": keep,
        "faults": faults,
        "keeper": keeper,
        "text": text,
        "candidates": [
            player for player in search_players(club=loaded_club, text=text) if player.pk != duplicate.pk
        ]
        if keep is None
        else [],
        "preview": merge_preview(keep, duplicate) if keep is not None else None,
        "merged_openings": _opening_choices(
            request, merged_openings(keep.pk, duplicate.pk), asks=keeper is not None
        )
        if keep is not None
        else [],
    }
    return render(request, "entries/merge.html", context, status=409 if faults else 200)


def _opening_choices(
    request: HttpRequest, all_openings: list[MergedOpenings], *, asks: bool
) -> list[Context]:
    """Return a template context for each rating list on which both players have opening ratings.

    ``field``: name of the form field, empty if the user may not choose; ``chosen``: value chosen before.
    ``asks``: the merge is only requested, so nothing can be chosen; otherwise directors of the list's club
    may choose.
    """
    return [
        {
            "one": list_openings,
            "field": f"{OPENING_FIELD_PREFIX}{list_openings.key}"
            if not asks and may_direct(request.user, list_openings.club)
            else "",
            "chosen": request.POST.get(f"{OPENING_FIELD_PREFIX}{list_openings.key}", ""),
        }
        for list_openings in all_openings
    ]


def _openings(request: HttpRequest) -> list[int]:
    """Return the ledger numbers of the chosen opening ratings.

    Raises ``Conflict`` for a value that is not a number.
    """
    posted_values = [
        str(request.POST[name]) for name in request.POST if name.startswith(OPENING_FIELD_PREFIX)
    ]
    chosen_values = [value for value in posted_values if value]
    if not all(map(parse_row_id, chosen_values)):
        raise Conflict("rating.opening_not_there")
    return [int(value) for value in chosen_values]


@action_view
def undo(request: HttpRequest, club: str) -> HttpResponse:
    """Undo the merge in the audit log row ``merge`` of the form."""
    loaded_club, _role = directed_club(request, club)
    audit_id = parse_row_id(request.POST.get("merge", ""))
    if not audit_id:
        raise Missing("player.merge_unknown")
    return_url = reverse("people:audit", args=[loaded_club.public_id])
    try:
        player = undo_merge(actor=request_actor(request), club_id=loaded_club.pk, audit_id=audit_id)
    except CrawfordError as error:
        return render_refusal(request, error, back_url=return_url)
    messages.success(request, _("%(name)s is a separate player again.") % {"name": player.name})
    return redirect(return_url)


def _keeper_to_ask(request: HttpRequest, keep: Player | None, club: Club) -> Club | None:
    """Return the home club of the remaining player, if the merge must be requested from it.

    None if that is the user's club, or another club that the user directs.
    """
    home_club = keep.home_club if keep is not None else None
    return (
        home_club
        if home_club is not None and home_club.pk != club.pk and not may_direct(request.user, home_club)
        else None
    )


def _player(club: Club, public_id: str, *, own: bool) -> Player | None:
    """Return the player with this public id whom the club's directors may see; None for an empty id.

    ``own``: True only finds players known to the club itself. Raises ``Missing`` for an unknown player.
    """
    if not public_id or "\0" in public_id:
        return None
    return player_for_club(club, public_id, own_only=own)
