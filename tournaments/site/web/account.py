"""Privacy pages of an account: public name, export of stored data, deletion."""

import json
import zipfile
from io import BytesIO

from django.contrib import messages
from django.contrib.auth import logout
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from faults import CrawfordError, Missing
from people.messages import describe_all
from people.selectors import own_page_clubs, player_of_user, wards_of
from people.services.consents import set_own_consent
from people.services.players import choose_public_name
from people.spreadsheets import BYTE_ORDER_MARK, csv_text
from people.web.access import action_view, form_view, page_view, request_actor, request_user
from people.web.door.proof import require_reauthentication
from people.web.faults import add_faults
from people.web.forms import NameForm
from tournaments.selectors.about_me import Table, account_tables
from tournaments.selectors.forgetting import erasure_summary
from tournaments.site.services.forgetting import delete_account

INVALID = 422


@form_view
def privacy_settings(request: HttpRequest) -> HttpResponse:
    """Page of the public names of the account's player and of minors in its care.

    A POST saves one name. Links lead to export and deletion.
    """
    user = request_user(request)
    own_player = player_of_user(user.pk)
    # A guardian chooses a minor's name, even if the minor has an account.
    people = [*([own_player] if own_player is not None and not own_player.minor else []), *wards_of(user.pk)]
    submitted_id = request.POST.get("player", people[0].public_id if people else "")
    name_forms = []
    for number, player in enumerate(people):
        initial = {"shown_as": player.shown_as, "listed": player.listed}
        data = request.POST if request.method == "POST" and submitted_id == player.public_id else None
        form = NameForm(data, initial=initial, auto_id=f"id_{number}_%s" if number else "id_%s")
        if player.minor:
            del form.fields["listed"]
        name_forms.append((player, form))
        if data is None or not form.is_valid():
            continue
        try:
            choose_public_name(
                actor=request_actor(request),
                player_id=player.pk,
                **{"listed": False, **form.cleaned_data},
            )
        except CrawfordError as error:
            add_faults(form, error)
        else:
            messages.success(
                request,
                _("Saved. This is now your public name.")
                if player == own_player
                else _("Saved. This is now the public name of %(name)s.") % {"name": player.name},
            )
            return redirect("account_privacy")
    has_errors = any(form.errors for _player, form in name_forms)
    context = {
        "names": name_forms,
        "own": own_player,
        "clubs": own_page_clubs(own_player) if own_player is not None else [],
    }
    return render(request, "site/account_privacy.html", context, status=INVALID if has_errors else 200)


@action_view
def set_page_consent(request: HttpRequest) -> HttpResponse:
    """Set whether a club's events and rating lists are on the player's public page.

    Field ``given``: ``yes``, ``no``, or anything else for the home club's default.
    """
    player = player_of_user(request_user(request).pk)
    if player is None:
        raise Missing("player.unknown")
    consent = {"yes": True, "no": False}.get(request.POST.get("given", ""))
    other_club = request.POST.get("club", "").replace("\0", "")[:16]
    set_own_consent(
        actor=request_actor(request), player_id=player.pk, other_club_id=other_club, is_given=consent
    )
    messages.success(request, _("Saved."))
    return redirect("account_privacy")


@page_view
@require_reauthentication
def export_data(request: HttpRequest) -> HttpResponse:
    """Download of all stored data of the signed-in account: a ZIP with JSON, and CSV for each table."""
    tables = account_tables(request_user(request))
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        text = json.dumps(tables, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        archive.writestr("about-me.json", text)
        for name, rows in tables.items():
            archive.writestr(f"{name}.csv", _table_csv(rows))
    response = HttpResponse(buffer.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="about-me.zip"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _table_csv(rows: Table) -> str:
    header = [list(rows[0])] if rows else []
    return BYTE_ORDER_MARK + csv_text([*header, *(map(_csv_cell, row.values()) for row in rows)])


def _csv_cell(value: object) -> object:
    if isinstance(value, dict | list):
        return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
    return value


@form_view
@require_reauthentication
def delete(request: HttpRequest) -> HttpResponse:
    """Page that says what is deleted with an account; a confirmed POST deletes the account."""
    user = request_user(request)
    player = player_of_user(user.pk)
    faults: list[str] = []
    if request.method == "POST" and request.POST.get("sure") != "yes":
        faults = [_("To continue, select “I understand that this cannot be undone”.")]
    elif request.method == "POST":
        try:
            delete_account(user_id=user.pk, with_player=request.POST.get("player") == "yes")
        except CrawfordError as error:
            faults = describe_all(error)
        else:
            logout(request)
            messages.success(request, _("Your account has been deleted."))
            return redirect("public:home")
    context = {
        "player": player,
        "leaving": erasure_summary(player) if player is not None else None,
        "faults": faults,
        "with_player": request.POST.get("player") == "yes",
    }
    return render(request, "site/account_delete.html", context, status=INVALID if faults else 200)
