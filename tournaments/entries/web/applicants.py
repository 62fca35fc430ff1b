"""Pages for entries from the registration page that are pending approval or on the waiting list."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from faults import CrawfordError, Missing
from people.models import Player
from people.web.access import request_actor
from tournaments.entries.services.entries import withdraw_entry
from tournaments.entries.services.registration import (
    admit_from_waiting_list,
    approve_entries,
    decline_entry,
    set_approval_required,
)
from tournaments.entries.web.members import player_note
from tournaments.entries.web.together import bulk_undo_context
from tournaments.models import Division, Entry, Event
from tournaments.selectors.access.phones import pending_devices
from tournaments.selectors.doubts import ApprovalDoubt, PlayerCandidate, candidates_by_entry, first_doubt
from tournaments.selectors.entries import UnplacedEntry, division_applicants, get_entry
from tournaments.selectors.events.detail import divisions_in
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.events.players import last_event_labels
from tournaments.shared.frames.access import event_action, is_helper, staff_action, staff_page
from tournaments.shared.frames.director import render_event_page, render_refused_action
from tournaments.shared.frames.divisions import chosen_division, division_switch
from tournaments.shared.frames.limits import limit_warnings_by_entry, overrule_reason, when_full_choice

DOUBT_QUESTIONS: Final[Mapping[ApprovalDoubt, str | Promise]] = {
    ApprovalDoubt.ENTERED: gettext_lazy("%(name)s is already entered. Is this the same person?"),
    ApprovalDoubt.WITHDREW: gettext_lazy("%(name)s withdrew earlier. Reinstate the entry?"),
    ApprovalDoubt.DUPLICATE: gettext_lazy("%(name)s entered twice with the link. Is this the same person?"),
    ApprovalDoubt.SEVERAL: gettext_lazy("At least one known player has this name. Who is it?"),
}
MAX_ID_LENGTH = 16
ARRIVED_PARAMETER = "arrived"  # in the address after entering several: the page then offers the draw


def applicants_context(event: Event, division: Division, *, directs: bool = False) -> dict[str, Any]:
    """Return the template context of both lists of a division: pending approval and waiting list.

    ``directs``: the user is a director and also sees how ratings compare with the division's limit.
    """
    applicants = division_applicants(division)
    doubts = (
        limit_warnings_by_entry(event, division, [applicant.row.pk for applicant in applicants])
        if directs
        else {}
    )
    rows = _applicant_rows(event, applicants, doubts)
    expected = [row for row in rows if row["unconfirmed"]]
    return {
        **_decisions(expected),
        "expected": expected,
        "waiting": [row for row in rows if row["place"] and not row["unconfirmed"]],
        "approves_all": event.approves_all,
    }


@staff_page
def pending_entries(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the pending entries of all divisions, for assistants, who have no other page of entries."""
    applicants = [
        applicant
        for division in divisions_in(event)
        for applicant in division_applicants(division)
        if applicant.is_pending
    ]
    rows = _applicant_rows(event, applicants)
    undo = bulk_undo_context(event, None, is_open=True, helper=True)
    context = {
        "expected": rows,
        "waiting": [],
        **_decisions(rows),
        "asking": pending_devices(event),
        **undo,
    }
    return render_event_page(request, "entries/expected.html", event, "expected", context)


@staff_action
def approve(request: HttpRequest, event: Event) -> HttpResponse:
    """Approve one pending entry or, with ``all``, all pending entries of the event except doubtful ones.

    For a doubtful name, ``as`` has the entry and the chosen player: ``entry.player``.
    """
    switch = chosen_division(request, event, linked_stages(event))
    return_url = switch.page_url(event, "entries")
    entry_choice, _dot, player_choice = (
        request.POST.get("as", "").replace("\0", "")[: 2 * MAX_ID_LENGTH].partition(".")
    )
    entry_id = entry_choice or request.POST.get("entry", "").replace("\0", "")[:MAX_ID_LENGTH]
    try:
        if entry_id:
            entry = get_entry(event, entry_id)
            return_url = division_switch(entry.division_id, event, linked_stages(event)).page_url(
                event, "entries"
            )
            approved = approve_entries(
                actor=request_actor(request),
                event_id=event.pk,
                entry_ids=[entry.pk],
                overrule=overrule_reason(request),
                who=player_choice,
            )
            message = _("%(name)s is approved.") % {"name": approved[0].name}
        elif request.POST.get("all") == "yes":
            approved = approve_entries(
                actor=request_actor(request), event_id=event.pk, overrule=overrule_reason(request)
            )
            message = ngettext("%(count)s entry approved.", "%(count)s entries approved.", len(approved)) % {
                "count": len(approved)
            }
        else:
            raise Missing("entry.unknown")
    except CrawfordError as error:
        return render_refused_action(request, error, back=_return_url(request, event, return_url))
    messages.success(request, message)
    redirect_url = _return_url(request, event, return_url)
    if not entry_id and redirect_url == return_url:  # none pending any more: offer the draw
        return redirect(f"{redirect_url}{'&' if '?' in redirect_url else '?'}{ARRIVED_PARAMETER}")
    return redirect(f"{redirect_url}#expected")


@staff_action
def decline(request: HttpRequest, event: Event) -> HttpResponse:
    """Decline an entry, which deletes it."""
    return _act_on_entry(request, event, decline_entry, _("The entry of %(name)s has been declined."))


@event_action
def admit(request: HttpRequest, event: Event) -> HttpResponse:
    """Give an entry on the waiting list a place in the division."""
    service = partial(admit_from_waiting_list, when_full=when_full_choice(request))
    return _act_on_entry(request, event, service, _("%(name)s has a place now."))


@event_action
def remove_from_waiting_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Withdraw an entry from the waiting list."""
    return _act_on_entry(request, event, withdraw_entry, _("%(name)s is withdrawn."))


@event_action
def approval_policy(request: HttpRequest, event: Event) -> HttpResponse:
    """Set whether all entries through the link wait for approval, or only those under a known name."""
    return_url = chosen_division(request, event, linked_stages(event)).page_url(event, "entries")
    everybody = request.POST.get("approve") == "all"
    try:
        set_approval_required(actor=request_actor(request), event_id=event.pk, everybody=everybody)
    except CrawfordError as error:
        return render_refused_action(request, error, back=return_url)
    messages.success(
        request,
        _("From now on, all entries made with the link wait for approval.")
        if everybody
        else _("From now on, new names are entered immediately; known players wait for approval."),
    )
    return redirect(f"{return_url}#registration")


def _act_on_entry(
    request: HttpRequest, event: Event, action: Callable[..., Any], message: str
) -> HttpResponse:
    entry: Entry = get_entry(event, request.POST.get("entry", "").replace("\0", "")[:16])
    return_url = division_switch(entry.division_id, event, linked_stages(event)).page_url(event, "entries")
    return_url, name = _return_url(request, event, return_url), entry.name
    try:
        action(actor=request_actor(request), event_id=event.pk, entry_id=entry.pk)
    except CrawfordError as error:
        return render_refused_action(request, error, back=return_url)
    messages.success(request, message % {"name": name})
    return redirect(return_url)


def _return_url(request: HttpRequest, event: Event, default_url: str) -> str:
    """Return ``default_url``, the page of entries, for directors.

    For assistants the page of pending entries.
    """
    return reverse("director:expected", args=[event.public_id]) if is_helper(request) else default_url


def _applicant_rows(
    event: Event,
    applicants: Sequence[UnplacedEntry],
    doubts: Mapping[int, Sequence[str]] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """Return the template context of each applicant's row.

    ``doubts``: warnings about the rating limit, keyed by entry id.
    """
    last_events = (
        last_event_labels([player for applicant in applicants for player in _players(applicant)])
        if applicants
        else {}
    )
    entry_candidates = candidates_by_entry(
        event, [applicant.row.pk for applicant in applicants if applicant.is_pending]
    )
    return [
        {
            **_row(applicant, last_events),
            **_name_context(applicant, entry_candidates.get(applicant.row.pk, ())),
            "doubts": doubts.get(applicant.row.pk, []),
        }
        for applicant in applicants
    ]


def _decisions(expected: Sequence[Mapping[str, Any]]) -> dict[str, bool]:
    """Return ``approvable``: some entries can be approved together.

    ``decide``: some need a decision on their name.
    """
    return {
        "approvable": any(not row["doubtful"] for row in expected),
        "decide": any(row["doubtful"] for row in expected),
    }


def _players(applicant: UnplacedEntry) -> list[Player]:
    return [Player(pk=player.pk, listed=player.listed) for player in applicant.row.players]


def _name_context(applicant: UnplacedEntry, candidates: Sequence[PlayerCandidate]) -> dict[str, Any]:
    """Return what the club knows about the names of an entry, as a question with possible answers."""
    doubtful = first_doubt(candidates)
    known_players = [candidate.known for candidate in candidates if candidate.known is not None]
    question = ""
    if doubtful is not None and doubtful.doubt is not None:
        template = DOUBT_QUESTIONS[doubtful.doubt]
        question = template % {
            "name": doubtful.other.name if doubtful.other is not None else applicant.row.name
        }
    elif known_players:
        names = ", ".join(player_note(player, {}) or player.name for player in known_players)
        question = _("Known to the club: %(names)s.") % {"names": names}
    several = doubtful is not None and doubtful.doubt is ApprovalDoubt.SEVERAL
    return {
        "doubtful": doubtful is not None,
        "withdrew": doubtful is not None and doubtful.doubt is ApprovalDoubt.WITHDREW,
        "named": doubtful is not None or bool(known_players),
        "question": question,
        "choices": [
            (
                f"{applicant.row.public_id}.{player.public_id}",
                f"{player.name} ({player_note(player, {}) or '–'})",
            )
            for player in (doubtful.players if doubtful is not None and several else ())
        ],
    }


def _row(applicant: UnplacedEntry, last_events: dict[int, str]) -> dict[str, Any]:
    """Return the context of an entry's row; ``about`` helps to distinguish players of the same name."""
    about = [
        part
        for player in applicant.row.players
        for part in (player.club, player.country, last_events.get(player.pk, ""))
        if part
    ]
    return {
        "public_id": applicant.row.public_id,
        "name": applicant.row.name,
        "about": " · ".join(dict.fromkeys(about)),
        "place": applicant.place,
        "unconfirmed": applicant.is_pending,
    }
