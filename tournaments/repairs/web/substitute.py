"""Replacement of a wrongly entered player: choice of the right one, preview, change."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import CrawfordError, Missing
from people.messages import describe_all
from people.models import Player
from people.selectors import player_with_id
from people.snapshot import snapshot
from people.web.access import request_actor
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.web.members import Member, member_contexts, read_members
from tournaments.models import Entry, EntryPlayer, Event
from tournaments.repairs.services.substitute import change_player, check_substitution
from tournaments.repairs.web.preview_words import match_label
from tournaments.repairs.web.withdraw import MAX_VERSION_LENGTH
from tournaments.selectors.draws import drawn_match
from tournaments.selectors.entries import entry_player_rows, get_entry
from tournaments.selectors.repairs.substitutions import Substitution, build_substitution, slots_to_freeze
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.limits import (
    limit_context,
    limit_warnings,
    overrule_reason,
    player_limit_warnings,
)


@event_form
def replace_player(request: HttpRequest, event: Event, entry: str) -> HttpResponse:
    """Page to choose the right player and preview the consequences; with ``apply`` replace the player."""
    entry_row = get_entry(event, entry)
    rows = entry_player_rows(entry_row)
    if request.method != "POST":
        return _page(request, event, entry_row, rows)
    wrong = next((row.player for row in rows if row.player.public_id == request.POST.get("wrong", "")), None)
    if wrong is None:
        raise Missing("player.unknown")
    (member,) = read_members(request, event, [None])
    right = member.new_entry
    if right is None:
        return _page(request, event, entry_row, rows, wrong=wrong, member=member)
    preview: Substitution | None = None
    try:
        known_player = player_with_id(right.player_id) if right.player_id else None
        from_now = "from_now" in request.POST
        check_substitution(
            entry=entry_row, wrong=wrong, right=known_player, name=right.name, from_now=from_now
        )
        preview = build_substitution(entry_row, wrong, known_player, right.name)
        if "apply" not in request.POST:
            return _preview(request, event, entry_row, preview, right)
        changed_entry = change_player(
            actor=request_actor(request),
            event_id=event.pk,
            entry_id=entry_row.pk,
            wrong_id=wrong.pk,
            right=right,
            from_now=from_now,
            seen=request.POST.get("seen", "")[:MAX_VERSION_LENGTH],
            overrule=overrule_reason(request),
        )
        warnings = [] if preview.is_exchange else limit_warnings(event, [changed_entry])
    except CrawfordError as error:
        # A changed preview and an exceeded limit are shown on the preview page.
        if preview is not None and (
            error.code == "correction.changed_meanwhile" or error.field == "overrule"
        ):
            return _preview(request, event, entry_row, preview, right, error)
        if error.status != INVALID_STATUS:
            return render_refused_action(request, error, back=_page_url(event, entry_row))
        return _page(request, event, entry_row, rows, wrong=wrong, member=member, faults=describe_all(error))
    messages.success(
        request,
        _("%(right)s has replaced %(wrong)s.")
        % {"right": _right_name(known_player, right), "wrong": wrong.name},
    )
    for warning in warnings:
        messages.warning(request, warning)
    return redirect("director:entries", event.public_id)


@snapshot()
def _page(
    request: HttpRequest,
    event: Event,
    found: Entry,
    rows: list[EntryPlayer],
    *,
    wrong: Player | None = None,
    member: Member | None = None,
    faults: list[str] | None = None,
) -> HttpResponse:
    member_rows = member_contexts([member], found.division) if member is not None else []
    context: dict[str, Any] = {
        "entry": found,
        "players": [row.player for row in rows],
        "wrong": wrong.public_id if wrong is not None else "",
        "member": member_rows[0] if member_rows and not faults else None,
        "typed": member.typed if member is not None else "",
        "from_now": "from_now" in request.POST,
        "faults": faults or [],
    }
    status = INVALID_STATUS if faults else 200
    return render_event_page(request, "repairs/wrong_player.html", event, "entries", context, status=status)


@snapshot()
def _preview(
    request: HttpRequest,
    event: Event,
    entry: Entry,
    preview: Substitution,
    right: NewEntry,
    error: CrawfordError | None = None,
) -> HttpResponse:
    from_now = "from_now" in request.POST
    results = []
    for match in preview.rated:
        a, b = drawn_match(match).sides
        params = {"match": match_label(drawn_match(match)), "a": a.name, "b": b.name}
        results.append(
            _("%(match)s: %(a)s – %(b)s %(score)s") % {**params, "score": f"{match.score_a}–{match.score_b}"}
        )
    name = _right_name(preview.right, right)
    warnings = (
        [] if preview.is_exchange else player_limit_warnings(event, entry.division, preview.right, name)
    )
    context: dict[str, Any] = {
        "entry": entry,
        "doubts": warnings,
        **(limit_context(request, entry.division) if warnings else {}),
        "wrong": preview.replaced_player,
        "right": name,
        "chosen": preview.right.public_id if preview.right is not None else "new",
        "from_now": from_now,
        "exchange": preview.is_exchange,
        "renamed": preview.renamings,
        "results": results,
        "kept": len(
            {slot.match_id for slot in slots_to_freeze(renamed.entry for renamed in preview.renamings)}
        )
        if from_now
        else 0,
        "seen": preview.version,
        "sentences": describe_all(error) if error is not None else [],
    }
    status = error.status if error is not None else 200
    return render_event_page(
        request, "repairs/wrong_player_preview.html", event, "entries", context, status=status
    )


def _right_name(known_player: Player | None, right: NewEntry) -> str:
    return known_player.name if known_player is not None else right.name


def _page_url(event: Event, entry: Entry) -> str:
    return reverse("director:wrong-player", args=[event.public_id, entry.public_id])
