"""The matches board: what is disputed, reported, under way, ready, waiting, done; one tap to call, start, send back.

The board holds no form in which anything is typed, except the search above it, which the live refresh leaves alone.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.errors import CrawfordError, Missing
from people.models import search_key
from people.web.access import actor_of
from people.web.versioned import page_etag, versioned
from tournaments.engine.lifecycle import EventStatus, MatchAction, MatchStatus, StageStatus, allowed_actions
from tournaments.models import Event, Match, Report
from tournaments.selectors.director import (
    match_of_event,
    open_claims,
    open_objections,
    stages_of,
)
from tournaments.selectors.draws import DrawnMatch, draws_of
from tournaments.selectors.visibility import DRAW_SHOWN
from tournaments.services.matches import move_match, set_table
from tournaments.web.cards import Shape, match_card
from tournaments.web.director.access import event_action, event_page
from tournaments.web.director.frame import not_done, show
from tournaments.web.labels import clock_time, kind_note

CARDS = 36
ROWS = 60
# Columns of the board: statuses, title. What needs a decision stands first.
COLUMNS: tuple[tuple[str, tuple[MatchStatus, ...], str | Promise], ...] = (
    ("disputed", (MatchStatus.DISPUTED,), gettext_lazy("Disputed")),
    ("reported", (MatchStatus.REPORTED,), gettext_lazy("Reported")),
    ("playing", (MatchStatus.PLAYING,), gettext_lazy("Playing")),
    ("called", (MatchStatus.CALLED,), gettext_lazy("Called")),
    ("ready", (MatchStatus.READY,), gettext_lazy("Ready")),
)
_ACTIONS = {
    "call": (MatchAction.CALL, gettext_lazy("Match %(number)s is called.")),
    "start": (MatchAction.START, gettext_lazy("Match %(number)s has started.")),
    "send-back": (MatchAction.SEND_BACK, gettext_lazy("Match %(number)s is ready again.")),
}


@event_page
def board(request: HttpRequest, event: Event) -> HttpResponse:
    """All matches of the published draws."""
    text = request.GET.get("q", "")[:80]
    everything = "all" in request.GET

    def draw() -> HttpResponse:
        return _board(request, event, text, everything=everything)

    return versioned(request, [event.version, event.club.version], draw)


def _board(request: HttpRequest, event: Event, text: str, *, everything: bool) -> HttpResponse:
    stages = stages_of(event)
    shown = [stage for stage in stages if stage.status in DRAW_SHOWN]
    draws = draws_of(shown)
    matches = [
        match
        for stage in shown
        for match in draws[stage.pk].matches
        if not match.is_bye and _fits(match, text)
    ]
    claims = open_claims(event)
    running = event.status == EventStatus.RUNNING
    limit = len(matches) if everything else CARDS
    columns: list[Shape] = []
    for code, statuses, title in COLUMNS:
        found = [match for match in matches if match.status in statuses]
        found.sort(key=lambda m: (m.table is None, m.table or 0, m.number))
        columns.append(
            {
                "code": code,
                "title": title,
                "count": len(found),
                "matches": [_card(event, match, claims, running=running) for match in found[:limit]],
                "more": max(0, len(found) - limit),
            }
        )
    waiting = [match for match in matches if match.status is MatchStatus.WAITING]
    done = [match for match in matches if match.status is MatchStatus.CONFIRMED]
    done.sort(key=lambda m: -m.number)
    rows = len(matches) if everything else ROWS
    url = addresses_of(event)
    context = {
        "etag": page_etag(request, [event.version, event.club.version]),
        "text": text,
        "columns": [column for column in columns if column["matches"]],
        "waiting": [_line(match, url) for match in waiting[:rows]],
        "waiting_count": len(waiting),
        "done": [_line(match, url) for match in done[:rows]],
        "done_count": len(done),
        "to_play": len(matches),
        "more": max(0, len(waiting) - rows) + max(0, len(done) - rows) + sum(c["more"] for c in columns),
        "objections": [
            {
                "row": objection,
                "when": clock_time(objection.created_at, event),
                "url": url(objection.match.public_id),
            }
            for objection in open_objections(event)
        ],
        "tables": _tables(event, [draws[stage.pk].matches for stage in shown]),
        "published": bool(shown),
        "drawn": any(stage.status == StageStatus.DRAWN for stage in stages),
    }
    return show(request, "director/board.html", event, "matches", context, stages=stages)


def _fits(match: DrawnMatch, text: str) -> bool:
    """Whether a name, the number or the table of ``match`` is what was looked for."""
    words = search_key(text).split()
    if not words:
        return True
    if words == [str(match.number)] or words == [str(match.table)]:
        return True
    return any(all(word in search_key(side.name) for word in words) for side in match.sides)


def _card(event: Event, match: DrawnMatch, claims: dict[int, list[Report]], *, running: bool) -> Shape:
    can = {action.value for action in allowed_actions(match.status)} if running else set()
    url = addresses_of(event)(match.public_id)
    return {
        **match_card(match),
        "url": url,
        "can_call": "call" in can,
        "can_start": "start" in can,
        "can_send_back": "send_back" in can,
        "can_report": "report" in can,
        "claims": [
            {
                "who": report.entry.name if report.entry is not None else _("Director"),
                "score": f"{report.score_a}–{report.score_b}",
                "note": kind_note(report.kind),
                "when": clock_time(report.created_at, event),
            }
            for report in claims.get(match.pk, [])
        ],
        "act": {
            name.replace("-", "_"): reverse(
                "director:match-act", args=[event.public_id, match.public_id, name]
            )
            for name in _ACTIONS
        },
    }


def _line(match: DrawnMatch, url: Any) -> Shape:
    """A match in the compact lists of what waits and what is done."""
    card = match_card(match, link=False)
    return {**card, "url": url(match.public_id), "a": card["sides"][0], "b": card["sides"][1]}


def _tables(event: Event, groups: Any) -> list[Shape]:
    """All tables of the event: free, or taken by which match."""
    taken = {
        match.table: match
        for matches in groups
        for match in matches
        if match.table is not None and match.status not in {MatchStatus.CONFIRMED, MatchStatus.VOID}
    }
    return [
        {"number": number, "match": taken[number].number if number in taken else None}
        for number in range(1, event.tables + 1)
    ]


def addresses_of(event: Event) -> Any:
    """A quick ``reverse`` for the director's pages of many matches."""
    before, after = reverse("director:match", args=[event.public_id, "0-mark-0"]).split("0-mark-0")
    return lambda public_id: f"{before}{public_id}{after}"


@event_action
def act(request: HttpRequest, event: Event, match: str, deed: str) -> HttpResponse:
    """Call, start or send back a match."""
    if deed not in _ACTIONS:
        raise Missing("match.action_unknown")
    action, words = _ACTIONS[deed]
    found = match_or_missing(event, match)
    back = came_from(request, event)
    try:
        move_match(actor=actor_of(request), event_id=event.pk, match_id=found.pk, action=action)
    except CrawfordError as error:
        return not_done(request, error, back=back, match=found)
    messages.success(request, str(words) % {"number": found.number})
    return redirect(back)


@event_action
def table(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Give a match a certain table, or none."""
    found = match_or_missing(event, match)
    back = reverse("director:match", args=[event.public_id, found.public_id])
    text = request.POST.get("table", "").strip()
    # Nonsense becomes a table that no event has, so that the service says which ones there are.
    number = None if not text else int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0
    try:
        set_table(actor=actor_of(request), event_id=event.pk, match_id=found.pk, table=number)
    except CrawfordError as error:
        return not_done(request, error, back=back, match=found)
    messages.success(
        request,
        _("Match %(number)s has table %(table)s.") % {"number": found.number, "table": number}
        if number
        else _("Match %(number)s has no table now.") % {"number": found.number},
    )
    return redirect(back)


def match_or_missing(event: Event, public_id: str) -> Match:
    """The match of a published draw, or a 404."""
    found = match_of_event(event, public_id)
    if found is None:
        raise Missing("match.unknown")
    return found


def came_from(request: HttpRequest, event: Event) -> str:
    """Back to the match's page if the button was pressed there, else to the board."""
    own = request.POST.get("back", "")
    address = reverse("director:board", args=[event.public_id])
    return own if own.startswith(address) and "//" not in own and "\\" not in own else address
