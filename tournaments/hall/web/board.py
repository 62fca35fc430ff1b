"""The matches board: what is disputed, reported, under way, ready, done, over all divisions; one tap to move a match.

The board holds no form in which anything is typed, except the search above it, which the live refresh leaves alone.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import Missing
from names.folding import search_key
from people.web.versioned import page_etag, versioned
from tournaments.engine.statuses import OVER, EventStatus, MatchStatus, StageStatus, allowed_actions
from tournaments.models import Event, Match
from tournaments.selectors.access.versions import club_in_play_version
from tournaments.selectors.draws import DrawnMatch
from tournaments.selectors.events.director import match_of_event, open_objections
from tournaments.selectors.hall.board import Hall, Part, hall_of
from tournaments.selectors.hall.calling import BusyIn
from tournaments.selectors.hall.forecast import shown_end
from tournaments.selectors.rounds.deadlines import today_at
from tournaments.shared.fragments.cards import Shape, match_card
from tournaments.shared.fragments.since import end_words, since_shape
from tournaments.shared.frames.access import event_page
from tournaments.shared.frames.director import show
from tournaments.shared.words.names import clock_time, due_words, kind_note, round_name_of, section_name

CARDS = 36
ROWS = 60
DONE_SHOWN = 8
# Columns of the board: statuses, title. What needs a decision stands first.
COLUMNS: tuple[tuple[str, tuple[MatchStatus, ...], str | Promise], ...] = (
    ("disputed", (MatchStatus.DISPUTED,), gettext_lazy("Disputed")),
    ("reported", (MatchStatus.REPORTED,), gettext_lazy("Reported")),
    ("playing", (MatchStatus.PLAYING,), gettext_lazy("Playing")),
    ("called", (MatchStatus.CALLED,), gettext_lazy("Called")),
    ("ready", (MatchStatus.READY,), gettext_lazy("Ready")),
    ("adjourned", (MatchStatus.ADJOURNED,), gettext_lazy("Adjourned")),
)
# What is written before the minutes, and what after too many of them.
_SINCE: Mapping[MatchStatus, tuple[str | Promise, str | Promise]] = {
    MatchStatus.READY: (gettext_lazy("Waiting"), ""),
    MatchStatus.CALLED: (gettext_lazy("Called"), gettext_lazy("Late")),
    MatchStatus.PLAYING: (gettext_lazy("Playing"), gettext_lazy("Long")),
    MatchStatus.REPORTED: (gettext_lazy("Reported"), gettext_lazy("Unanswered")),
    MatchStatus.DISPUTED: (gettext_lazy("Disputed"), ""),
}
ACTIONS = ("call", "start", "send-back")


def board_versions(event: Event) -> list[object]:
    """All that a page about the hall shows: the event, its club, who plays in other events, the forecast, what is overdue."""
    today = today_at(event)
    return [event.version, event.club.version, club_in_play_version(event), shown_end(event), today]


@event_page
def board(request: HttpRequest, event: Event) -> HttpResponse:
    """All matches of the published draws, or those of one division, stage or section."""
    text = request.GET.get("q", "")[:80]
    part = request.GET.get("part", "")[:40]
    everything = "all" in request.GET
    versions = board_versions(event)

    def draw() -> HttpResponse:
        hall = hall_of(event)
        context = {
            **_context(hall, text, part, everything=everything),
            "etag": page_etag(request, versions),
        }
        return show(request, "hall/board.html", event, "matches", context, stages=list(hall.stages))

    return versioned(request, versions, draw)


def _context(hall: Hall, text: str, part: str, *, everything: bool) -> dict[str, Any]:
    event = hall.event
    matches = [match for match in hall.matches if _in_part(hall, match, part) and _fits(match, text)]
    running = event.status == EventStatus.RUNNING
    limit = len(matches) if everything else CARDS
    columns: list[Shape] = []
    order = {ready.pk: place for place, ready in enumerate(hall.ready)}
    for code, statuses, title in COLUMNS:
        found = [match for match in matches if match.status in statuses]
        # Ready ones in the order in which they are called, then those played by arrangement; the others by table.
        found.sort(
            key=lambda m: (
                order.get(m.pk, len(order)),
                hall.deadlines.get(m.pk, date.max),
                m.table is None,
                m.table or 0,
                m.number,
            )
        )
        columns.append(
            {
                "code": code,
                "title": title,
                "count": len(found),
                "matches": [card(hall, match, running=running) for match in found[:limit]],
                "more": max(0, len(found) - limit),
            }
        )
    waiting = [m for m in matches if m.status is MatchStatus.WAITING]
    done = [m for m in matches if m.status is MatchStatus.CONFIRMED]
    done.sort(key=lambda m: (hall.times[m.pk].confirmed, m.number), reverse=True)
    rows = len(matches) if everything else ROWS
    url = addresses_of(event)
    tables = table_pool(hall)
    free = sum(not table["match"] and not table["closed"] for table in tables)
    can_play = [match for match in hall.matches if match.pk in order and not hall.busy_in(match)]
    tableless = sum(match.table is None for match in can_play)
    return {
        "text": text,
        "part": part,
        "parts": part_choices(hall),
        "columns": [column for column in columns if column["matches"]],
        "waiting": [line(hall, match, url) for match in waiting[:rows]],
        "waiting_count": len(waiting),
        "done": [line(hall, match, url) for match in done[:rows]],
        "done_shown": f":{DONE_SHOWN}",
        "done_more": f"{DONE_SHOWN}:",
        "done_count": len(done),
        "more": max(0, len(waiting) - rows) + max(0, len(done) - rows) + sum(c["more"] for c in columns),
        "objections": [
            {
                "row": objection,
                "when": clock_time(objection.created_at, event),
                "url": url(objection.match.public_id),
            }
            for objection in open_objections(event)
        ],
        "at_tables": hall.at_tables,
        "tables": tables,
        "free_tables": free,
        "callable": len(can_play) - max(0, tableless - free),
        "tableless": max(0, tableless - free),
        "end": end_words(hall.forecast, event),
        "forecast": hall.forecast,
        "minutes_a_point": hall.forecast.seconds_a_point / 60 if hall.forecast is not None else 0,
        "published": bool(hall.draws),
        "drawn": any(stage.status == StageStatus.DRAWN for stage in hall.stages),
    }


def _in_part(hall: Hall, match: DrawnMatch, part: str) -> bool:
    return not part or f"{hall.part_of(match).key}.".startswith(f"{part}.")


def _fits(match: DrawnMatch, text: str) -> bool:
    """Whether a name, the number or the table of ``match`` is what was looked for."""
    words = search_key(text).split()
    if not words:
        return True
    if words == [str(match.number)] or words == [str(match.table)]:
        return True
    return any(all(word in search_key(side.name) for word in words) for side in match.sides)


def part_choices(hall: Hall) -> list[tuple[str, str]]:
    """What the board can be narrowed to: whole divisions where they have several parts, and every part."""
    choices: list[tuple[str, str]] = []
    for part in hall.parts:
        division = part.stage.division
        siblings = [other for other in hall.parts if other.stage.division_id == division.pk]
        if len(siblings) > 1 and len(siblings) < len(hall.parts) and part is siblings[0]:
            choices.append((str(division.position), str(division)))
        choices.append((part.key, part_words(part, named=len(siblings) < len(hall.parts))))
    return choices if len(choices) > 1 else []


def part_words(part: Part, *, named: bool = True) -> str:
    """“Intermediate · Consolation”: as much as tells this part from the others of the event."""
    words = [part.stage.division.name] if named and part.stage.division.name else []
    if part.many_stages:
        words.append(str(part.stage))
    if part.many_sections:
        words.append(section_name(part.section))
    return " · ".join(words) or str(part.stage)


def where(hall: Hall, match: DrawnMatch) -> str:
    """The match's part where the event has more than one, and its round."""
    name = round_name_of(match.round_code)
    if len(hall.parts) < 2:
        return name
    divisions = {part.stage.division_id for part in hall.parts}
    return f"{part_words(hall.part_of(match), named=len(divisions) > 1)} · {name}"


def card(hall: Hall, match: DrawnMatch, *, running: bool) -> Shape:
    """A match with its time, what was said about it, why it cannot be called, and what can be done."""
    event = hall.event
    busy = hall.busy_in(match)
    can = {action.value for action in allowed_actions(match.status)} if running else set()
    arranged = match.status is MatchStatus.READY and hall.is_arranged(match)
    can -= {"call", "start"} if busy or arranged else set()
    label, words = _SINCE.get(match.status, ("", ""))
    return {
        **match_card(match, time=due_words(hall.deadlines.get(match.pk))),
        "round_name": where(hall, match),
        "url": addresses_of(event)(match.public_id),
        "since": since_shape(
            hall.since(match), event, str(label), over=hall.too_long_from(match), words=str(words)
        ),
        "why_not": [busy_words(hall, found) for found in busy],
        "needs_table": match.status is MatchStatus.READY and match.table is None and not (busy or arranged),
        "arranged": arranged,
        "overdue": hall.is_overdue(match),
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
            for report in hall.claims.get(match.pk, [])
        ],
        "act": {
            name.replace("-", "_"): reverse(
                "director:match-act", args=[event.public_id, match.public_id, name]
            )
            for name in ACTIONS
        },
    }


def busy_words(hall: Hall, found: BusyIn) -> str:
    """“Ann Ace is in match 12 (Consolation)”."""
    words = {"name": found.player, "number": found.number, "event": found.event}
    if found.event_id != hall.event.pk:
        return _("%(name)s is in match %(number)s of %(event)s") % words
    match = hall.by_pk.get(found.match_id)
    if match is None or len(hall.parts) < 2:
        return _("%(name)s is in match %(number)s") % words
    part = part_words(hall.part_of(match))
    return _("%(name)s is in match %(number)s (%(part)s)") % {**words, "part": part}


def line(hall: Hall, match: DrawnMatch, url: Any) -> Shape:
    """A match in the compact lists of what waits and what is done."""
    shape = match_card(match, link=False)
    return {
        **shape,
        "round_name": where(hall, match),
        "url": url(match.public_id),
        "a": shape["sides"][0],
        "b": shape["sides"][1],
    }


def table_pool(hall: Hall) -> list[Shape]:
    """All tables of the event: free, out of use, or taken by which match and since when."""
    taken = {
        match.table: match for match in hall.matches if match.table is not None and match.status not in OVER
    }
    url = addresses_of(hall.event)
    pool: list[Shape] = []
    for number in range(1, hall.event.tables + 1):
        match = taken.get(number)
        pool.append(
            {
                "number": number,
                "closed": number in hall.event.closed_tables,
                "match": match.number if match is not None else None,
                "url": url(match.public_id) if match is not None else "",
                "names": " – ".join(side.name for side in match.sides) if match is not None else "",
                "status": match.status.value if match is not None else "",
                "since": since_shape(
                    hall.since(match), hall.event, str(_SINCE.get(match.status, ("", ""))[0])
                )
                if match is not None
                else None,
            }
        )
    return pool


def addresses_of(event: Event) -> Any:
    """A quick ``reverse`` for the director's pages of many matches."""
    before, after = reverse("director:match", args=[event.public_id, "0-mark-0"]).split("0-mark-0")
    return lambda public_id: f"{before}{public_id}{after}"


def match_or_missing(event: Event, public_id: str) -> Match:
    """The match of a published draw, or a 404."""
    found = match_of_event(event, public_id)
    if found is None:
        raise Missing("match.unknown")
    return found
