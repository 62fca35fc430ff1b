"""Who has entered by the link and has no place for certain: expected until a director approves them, or on the waiting list."""

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
from people.web.access import actor_of
from tournaments.entries.services.entries import withdraw_entry
from tournaments.entries.services.registration import approve_entries, let_in, set_approval, turn_away
from tournaments.entries.web.members import note_of
from tournaments.entries.web.together import together_shape
from tournaments.models import Division, Entry, Event
from tournaments.selectors.access.phones import phones_asking
from tournaments.selectors.doubts import Candidate, Doubt, candidates_of, first_doubt
from tournaments.selectors.entries import Applicant, applicants_of, entry_of_event
from tournaments.selectors.events.detail import divisions_in
from tournaments.selectors.events.director import stages_of
from tournaments.selectors.events.players import last_events
from tournaments.shared.frames.access import desk_action, desk_page, event_action, helps
from tournaments.shared.frames.director import not_done, show
from tournaments.shared.frames.divisions import chosen_division, switch_to
from tournaments.shared.frames.limits import doubts_by_entry, overrule_in, when_full_in

DOUBT_WORDS: Final[Mapping[Doubt, str | Promise]] = {
    Doubt.ENTERED: gettext_lazy("%(name)s is already entered. Is this the same person?"),
    Doubt.WITHDREW: gettext_lazy("%(name)s withdrew earlier. Reinstate the entry?"),
    Doubt.TWICE: gettext_lazy("%(name)s entered twice with the link. Is this the same person?"),
    Doubt.SEVERAL: gettext_lazy("At least one known player has this name. Who is it?"),
}
ID_LIMIT = 16
ARRIVED = "arrived"  # in the address after many came in at once: what comes next is the draw


def applicants_shape(event: Event, division: Division, *, directs: bool = False) -> dict[str, Any]:
    """Both lists of a division for the page of entries; how ratings stand to its limit is for who ``directs``."""
    found = applicants_of(division)
    doubts = doubts_by_entry(event, division, [one.row.pk for one in found]) if directs else {}
    rows = _rows_of(event, found, doubts)
    expected = [row for row in rows if row["unconfirmed"]]
    return {
        **_decisions(expected),
        "expected": expected,
        "waiting": [row for row in rows if row["place"] and not row["unconfirmed"]],
        "approves_all": event.approves_all,
    }


@desk_page
def expected(request: HttpRequest, event: Event) -> HttpResponse:
    """Who is expected, of all divisions: for those who help with the event and see no other page of its entries."""
    found = [one for division in divisions_in(event) for one in applicants_of(division) if one.unconfirmed]
    rows = _rows_of(event, found)
    undo = together_shape(event, None, is_open=True, helper=True)
    context = {
        "expected": rows,
        "waiting": [],
        **_decisions(rows),
        "asking": phones_asking(event),
        **undo,
    }
    return show(request, "entries/expected.html", event, "expected", context)


@desk_action
def approve(request: HttpRequest, event: Event) -> HttpResponse:
    """One who is expected, or all of the event."""
    switch = chosen_division(request, event, stages_of(event))
    back = switch.address(event, "entries")
    given, _dot, who = request.POST.get("as", "").replace("\0", "")[: 2 * ID_LIMIT].partition(".")
    wanted = given or request.POST.get("entry", "").replace("\0", "")[:ID_LIMIT]
    try:
        if wanted:
            one = entry_of_event(event, wanted)
            back = switch_to(one.division_id, event, stages_of(event)).address(event, "entries")
            made = approve_entries(
                actor=actor_of(request),
                event_id=event.pk,
                entry_ids=[one.pk],
                overrule=overrule_in(request),
                who=who,
            )
            words = _("%(name)s is approved.") % {"name": made[0].name}
        elif request.POST.get("all") == "yes":
            made = approve_entries(actor=actor_of(request), event_id=event.pk, overrule=overrule_in(request))
            words = ngettext("%(count)s entry approved.", "%(count)s entries approved.", len(made)) % {
                "count": len(made)
            }
        else:
            raise Missing("entry.unknown")
    except CrawfordError as error:
        return not_done(request, error, back=_seen_by(request, event, back))
    messages.success(request, words)
    seen = _seen_by(request, event, back)
    if not wanted and seen == back:  # nobody is expected any more: what comes next is the draw
        return redirect(f"{seen}{'&' if '?' in seen else '?'}{ARRIVED}")
    return redirect(f"{seen}#expected")


@desk_action
def refuse(request: HttpRequest, event: Event) -> HttpResponse:
    """It is not them: the entry is gone."""
    return _one(request, event, turn_away, _("The entry of %(name)s has been declined."))


@event_action
def admit(request: HttpRequest, event: Event) -> HttpResponse:
    """From the waiting list to a place at once."""
    lets = partial(let_in, when_full=when_full_in(request))
    return _one(request, event, lets, _("%(name)s has a place now."))


@event_action
def forget(request: HttpRequest, event: Event) -> HttpResponse:
    """Off the waiting list."""
    return _one(request, event, withdraw_entry, _("%(name)s is withdrawn."))


@event_action
def policy(request: HttpRequest, event: Event) -> HttpResponse:
    """Whether new names wait for approval, too."""
    back = chosen_division(request, event, stages_of(event)).address(event, "entries")
    everybody = request.POST.get("approve") == "all"
    try:
        set_approval(actor=actor_of(request), event_id=event.pk, everybody=everybody)
    except CrawfordError as error:
        return not_done(request, error, back=back)
    messages.success(
        request,
        _("From now on, all entries made with the link wait for approval.")
        if everybody
        else _("From now on, new names are entered immediately; known players wait for approval."),
    )
    return redirect(f"{back}#registration")


def _one(request: HttpRequest, event: Event, action: Callable[..., Any], words: str) -> HttpResponse:
    found: Entry = entry_of_event(event, request.POST.get("entry", "").replace("\0", "")[:16])
    back = switch_to(found.division_id, event, stages_of(event)).address(event, "entries")
    back, name = _seen_by(request, event, back), found.name
    try:
        action(actor=actor_of(request), event_id=event.pk, entry_id=found.pk)
    except CrawfordError as error:
        return not_done(request, error, back=back)
    messages.success(request, words % {"name": name})
    return redirect(back)


def _seen_by(request: HttpRequest, event: Event, back: str) -> str:
    """Back to the page of entries, or to the one that helpers have."""
    return reverse("director:expected", args=[event.public_id]) if helps(request) else back


def _rows_of(
    event: Event, found: Sequence[Applicant], doubts: Mapping[int, Sequence[str]] = MappingProxyType({})
) -> list[dict[str, Any]]:
    """A row for each of ``found``; ``doubts``: how ratings stand to the limit, by entry."""
    last = last_events([player for one in found for player in _players(one)]) if found else {}
    known = candidates_of(event, [one.row.pk for one in found if one.unconfirmed])
    return [
        {**_row(one, last), **_names(one, known.get(one.row.pk, ())), "doubts": doubts.get(one.row.pk, [])}
        for one in found
    ]


def _decisions(expected: Sequence[Mapping[str, Any]]) -> dict[str, bool]:
    """Whether some who are expected can be approved together, and whether some need a decision each."""
    return {
        "approvable": any(not row["doubtful"] for row in expected),
        "decide": any(row["doubtful"] for row in expected),
    }


def _players(one: Applicant) -> list[Player]:
    return [Player(pk=player.pk, listed=player.listed) for player in one.row.players]


def _names(one: Applicant, candidates: Sequence[Candidate]) -> dict[str, Any]:
    """What the club knows of the names of an entry, as a question, and what can be answered."""
    doubtful = first_doubt(candidates)
    known = [found.known for found in candidates if found.known is not None]
    question = ""
    if doubtful is not None and doubtful.doubt is not None:
        words = DOUBT_WORDS[doubtful.doubt]
        question = words % {"name": doubtful.other.name if doubtful.other is not None else one.row.name}
    elif known:
        names = ", ".join(note_of(player, {}) or player.name for player in known)
        question = _("Known to the club: %(names)s.") % {"names": names}
    several = doubtful is not None and doubtful.doubt is Doubt.SEVERAL
    return {
        "doubtful": doubtful is not None,
        "withdrew": doubtful is not None and doubtful.doubt is Doubt.WITHDREW,
        "named": doubtful is not None or bool(known),
        "question": question,
        "choices": [
            (f"{one.row.public_id}.{player.public_id}", f"{player.name} ({note_of(player, {}) or '–'})")
            for player in (doubtful.players if doubtful is not None and several else ())
        ],
    }


def _row(one: Applicant, last: dict[int, str]) -> dict[str, Any]:
    """An entry of either list; ``about`` tells namesakes apart."""
    about = [
        part
        for player in one.row.players
        for part in (player.club, player.country, last.get(player.pk, ""))
        if part
    ]
    return {
        "public_id": one.row.public_id,
        "name": one.row.name,
        "about": " · ".join(dict.fromkeys(about)),
        "place": one.place,
        "unconfirmed": one.unconfirmed,
    }
