"""Pages of the club's directory of players, of a single player, and of the club's audit log."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from faults import CrawfordError
from people.selectors import (
    club_audit_entries,
    directory_players,
    duplicate_name_count,
    namesakes_of,
    open_claims,
    open_merge_request_count,
    player_in_directory,
    subject_names,
)
from people.services import players as service
from people.web.access import directed_club, form_view, page_view, request_actor
from people.web.faults import add_faults
from people.web.forms import PlayerForm
from people.web.trail import action_sentence, sentence_facts

PLAYERS_PER_PAGE = 60
ROWS_PER_PAGE = 50
INVALID = 422


@page_view
def players(request: HttpRequest, club: str) -> HttpResponse:
    """Page of all players known to the club, with a search by name."""
    club_object, role = directed_club(request, club)
    text = request.GET.get("q", "")[:80].replace("\0", "")
    paginator = Paginator(directory_players(club_object, text), PLAYERS_PER_PAGE)
    context = {
        "club": club_object,
        "role": role,
        "tab": "players",
        "page": paginator.get_page(request.GET.get("page")),
        "text": text,
        "query": urlencode({"q": text}) if text else "",
        "duplicates": duplicate_name_count(club_object),
        "asked": open_merge_request_count(club_object),
        "claims": open_claims(club_object),
    }
    return render(request, "people/players.html", context)


@form_view
def player(request: HttpRequest, club: str, player: str) -> HttpResponse:
    """Page to edit a player's name, country and visibility."""
    club_object, role = directed_club(request, club)
    player_object = player_in_directory(club_object, player)
    fields = ("name", "country", "listed", "listed_with_draw", "shown_as", "minor")
    initial = {name: getattr(player_object, name) for name in fields}
    form = PlayerForm(request.POST or None, initial=initial)
    if not player_object.listed_with_draw:
        del form.fields["listed_with_draw"]
    if player_object.user_id is not None:
        form.fields["shown_as"].disabled = True
        form.fields["shown_as"].help_text = _("This player has an account and chooses this themselves.")
    if request.method == "POST" and form.is_valid():
        try:
            service.update_player(
                actor=request_actor(request),
                club_id=club_object.pk,
                player_id=player_object.pk,
                **form.cleaned_data,
            )
        except CrawfordError as error:
            add_faults(form, error)
        else:
            messages.success(request, _("%(name)s has been saved.") % {"name": form.cleaned_data["name"]})
            return redirect("people:players", club_object.public_id)
    context = {
        "club": club_object,
        "role": role,
        "tab": "players",
        "player": player_object,
        "form": form,
        "namesakes": namesakes_of(player_object, club_object),
    }
    return render(request, "people/player.html", context, status=INVALID if form.errors else 200)


@page_view
def club_audit_log(request: HttpRequest, club: str) -> HttpResponse:
    """Page of the club's audit log, newest first; events have audit logs of their own."""
    club_object, role = directed_club(request, club)
    entries_page = Paginator(club_audit_entries(club_object), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    names = subject_names(list(entries_page))
    entries = [
        {
            "row": row,
            "words": action_sentence(
                row.action, sentence_facts(row, names.get((row.subject_type, row.subject_id), ""))
            ),
            "undo": row.action == "player.merge" and row.undone_by_id is None,
        }
        for row in entries_page
    ]
    context = {"club": club_object, "role": role, "tab": "audit", "page": entries_page, "entries": entries}
    return render(request, "people/audit.html", context)
