"""The club's directory of players, one player's data, and the audit trail of the club."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from people.errors import CrawfordError, Missing
from people.models import AuditEntry, Club, Player, User, search_key
from people.services import players as service
from people.web.access import actor_of, directed_club, form_page, page
from people.web.faults import add_faults
from people.web.forms import PlayerForm
from people.web.trail import facts_of, sentence_of

PLAYERS_PER_PAGE = 60
ROWS_PER_PAGE = 50
INVALID = 422


@page
def players(request: HttpRequest, club: str) -> HttpResponse:
    """All players known to the club, to look up and to edit."""
    found, role = directed_club(request, club)
    text = request.GET.get("q", "")[:80].replace("\0", "")
    shown = _players(found)
    for word in search_key(text).split():
        shown = shown.filter(search_name__contains=word)
    listing = Paginator(shown.select_related("home_club").order_by("name", "pk"), PLAYERS_PER_PAGE)
    context = {
        "club": found,
        "role": role,
        "tab": "players",
        "page": listing.get_page(request.GET.get("page")),
        "text": text,
        "query": urlencode({"q": text}) if text else "",
        "duplicates": _likely_duplicates(found),
    }
    return render(request, "people/players.html", context)


@form_page
def player(request: HttpRequest, club: str, player: str) -> HttpResponse:
    """One player's name, country and whether they are public."""
    found, role = directed_club(request, club)
    edited = _players(found).filter(public_id=player).first()
    if edited is None:
        raise Missing("player.unknown")
    form = PlayerForm(
        request.POST or None,
        initial={"name": edited.name, "country": edited.country, "listed": edited.listed},
    )
    if request.method == "POST" and form.is_valid():
        try:
            service.update_player(
                actor=actor_of(request), club_id=found.pk, player_id=edited.pk, **form.cleaned_data
            )
        except CrawfordError as error:
            add_faults(form, error)
        else:
            messages.success(request, _("%(name)s is saved.") % {"name": form.cleaned_data["name"]})
            return redirect("people:players", found.public_id)
    namesakes = _players(found).filter(search_name=edited.search_name).exclude(pk=edited.pk)
    context = {
        "club": found,
        "role": role,
        "tab": "players",
        "player": edited,
        "form": form,
        "namesakes": namesakes.select_related("home_club").order_by("pk"),
    }
    return render(request, "people/player.html", context, status=INVALID if form.errors else 200)


@page
def audit(request: HttpRequest, club: str) -> HttpResponse:
    """What was done in the club and by whom, newest first; events have trails of their own."""
    found, role = directed_club(request, club)
    rows = AuditEntry.objects.filter(club=found, scope="").select_related("actor", "undone_by")
    listing = Paginator(rows.order_by("-pk"), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    names = _subject_names(list(listing))
    entries = [
        {
            "row": row,
            "words": sentence_of(
                row.action, facts_of(row, names.get((row.subject_type, row.subject_id), ""))
            ),
            "undo": row.action == "player.merge" and row.undone_by_id is None,
        }
        for row in listing
    ]
    context = {"club": found, "role": role, "tab": "audit", "page": listing, "entries": entries}
    return render(request, "people/audit.html", context)


def _players(club: Club) -> QuerySet[Player]:
    return Player.objects.filter(club_links__club=club, merged_into=None)


def _likely_duplicates(club: Club) -> int:
    """How many names stand in the directory more than once, accents, case and order of words aside."""
    twice = _players(club).values("search_name").annotate(times=Count("pk")).filter(times__gt=1)
    return twice.count()


def _subject_names(rows: list[AuditEntry]) -> dict[tuple[str, int | None], str]:
    """Names of the players and members that ``rows`` speak of; two queries."""
    player_ids = [
        row.subject_id for row in rows if row.subject_type == "people.player" and row.subject_id is not None
    ]
    names: dict[tuple[str, int | None], str] = {
        ("people.player", pk): name
        for pk, name in Player.objects.filter(pk__in=player_ids).values_list("pk", "name")
    }
    user_ids = [int(row.data["user"]) for row in rows if row.subject_type == "people.membership"]
    users = {user.pk: str(user) for user in User.objects.filter(pk__in=user_ids)}
    for row in rows:
        if row.subject_type == "people.membership":
            names[row.subject_type, row.subject_id] = users.get(int(row.data["user"]), "")
    return names
