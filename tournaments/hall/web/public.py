"""The board on the wall: who is called to which table, by name and by table, who plays where, who comes next.

To be read from ten metres: a name is 60 px of a screen of 1080 (``wall.css``). The clock, minutes (``since.js``) and the
turning of pages (``wall.js``) are the browser's, so an unchanged board costs a 304 however many screens show it.
"""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from faults import Missing
from names.folding import folded
from people.caching import cached
from tournaments.engine.statuses import IN_PLAY, UNDER_WAY, EventStatus, MatchStatus
from tournaments.notices.web.shown import notice_shapes
from tournaments.selectors.access.versions import club_in_play_version
from tournaments.selectors.access.visibility import VisibleEvent, visible_event
from tournaments.selectors.draws import Draw, DrawnMatch
from tournaments.selectors.entries import entries_of
from tournaments.selectors.hall.board import Hall, hall_of
from tournaments.selectors.hall.forecast import shown_begins, shown_end
from tournaments.selectors.rounds.next import open_matches
from tournaments.selectors.standings.tables import in_rounds
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.fragments.rounds import between_words
from tournaments.shared.fragments.since import about, end_words, since_shape
from tournaments.shared.fragments.standings import standings_shapes
from tournaments.shared.frames.public import is_listed, public_page, public_view
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.names import round_name_of, when_words

CACHE_SECONDS = 3600
NEXT_SHOWN = 12
_DIGITS = 4


@public_view
def hall(request: HttpRequest, event: str) -> HttpResponse:
    """Tables and names of an event, or of one division (``?division=2``, the second): a screen for each."""
    visible = visible_event(request.user, event)
    event_ = visible.event
    division = _place(request.GET.get("division", ""))
    versions = [
        event_.version,
        event_.club.version,
        club_in_play_version(event_),
        shown_end(event_),
        shown_begins(event_),
        visible.notice_ends,
    ]

    def context() -> dict[str, Any]:
        parts = [visible.event.public_id, get_language(), division, *versions]
        shaped = cached("hall", parts, CACHE_SECONDS, lambda: _shape(visible, division))
        return {
            **shaped,
            "event": visible.event,
            "club": visible.event.club,
            "directs": visible.directs,
            "notices": notice_shapes(event_, [shaped["division_id"]] if division else None),
            "when": when_words(visible.event),
        }

    return public_page(
        request, "hall/hall.html", context, versions=versions, role=visible.role, listed=is_listed(visible)
    )


def _place(division: str) -> int:
    """The place of a division as the address gives it; 0 for all of them."""
    if division and not (division.isascii() and division.isdecimal() and len(division) <= _DIGITS):
        raise Missing("division.unknown")
    return int(division or 0)


def _shape(visible: VisibleEvent, division: int) -> Shape:
    found = hall_of(visible.event)
    divisions = {stage.division.position: stage.division for stage in found.stages}
    if division and division not in divisions:
        raise Missing("division.unknown")
    running = visible.event.status == EventStatus.RUNNING
    shown = [m for m in found.matches if division in (0, found.stage_of[m.pk].division.position)]
    matches = sorted(shown if running else (), key=lambda m: (m.table is None, m.table or 0, m.number))
    # Whom nobody has called is sent nowhere, even where a table is kept for the match.
    go = [m for m in matches if m.status is MatchStatus.CALLED]
    playing = [m for m in matches if m.status is MatchStatus.PLAYING]
    here = {match.pk: match for match in matches}
    coming = [
        here[ready.pk] for ready in found.ready if ready.pk in here and not found.busy_in(here[ready.pk])
    ]
    return {
        "names": _by_name(go),
        "go": [_row(found, match, _("Called")) for match in go],
        "playing": [_row(found, match, "") for match in playing],
        "coming": [_row(found, match, "") for match in coming[:NEXT_SHOWN]],
        "more_coming": max(0, len(coming) - NEXT_SHOWN),
        "end": end_words(found.forecast, visible.event),
        "division": divisions[division].name if division else "",
        "division_id": divisions[division].pk if division else None,
        "divisions": [
            {"position": position, "name": str(one), "here": position == division}
            for position, one in sorted(divisions.items())
        ]
        if len(divisions) > 1
        else [],
        **(_tables(found, division) if running and not go and not playing and not coming else {}),
    }


def _by_name(go: Sequence[DrawnMatch]) -> list[Shape]:
    """Everybody who is called with their table, in the order of the alphabet: people look for their name."""
    sides = [(side, match) for match in go for side in match.sides]
    sides.sort(key=lambda found: (folded(found[0].name), found[1].number))
    return [
        {"key": f"{match.public_id}-{side.side}", "name": side.name, "table": match.table}
        for side, match in sides
    ]


def _tables(found: Hall, division: int) -> Shape:
    """What the wall shows between two rounds, or of a league: what everybody waits for, and the tables as they stand."""
    shown = [draw for draw in found.draws.values() if division in (0, draw.stage.division.position)]
    waiting = [(draw, words) for draw in shown if (words := _between(draw))]
    entries = entries_of({draw.stage.division_id for draw, _words in waiting})
    return {
        "between": " · ".join(dict.fromkeys(words for _draw, words in waiting)),
        "tables": [
            {"key": draw.stage.pk, "table": table}
            for draw, _words in waiting
            if in_rounds(draw.stage)
            for table in standings_shapes(draw, tuple(entries[draw.stage.division_id]), final=False)
        ],
    }


def _between(draw: Draw) -> str:
    """Why nobody is called: the round is over, or the two of a match agree themselves on when they play."""
    arranged = draw.stage.by_arrangement and draw.stage.status in UNDER_WAY and open_matches(draw)
    return _("Matches are played by arrangement") if arranged else between_words(draw)


def _row(found: Hall, match: DrawnMatch, label: str) -> Shape:
    called = match.status in IN_PLAY
    begins = found.forecast.begins.get(match.pk) if found.forecast is not None and not called else None
    words = [round_name_of(match.round_code)]
    if len(found.draws[found.stage_of[match.pk].pk].sections) > 1:
        words.insert(0, section_name(match.section))
    division = found.stage_of[match.pk].division.name
    if division and len({part.stage.division_id for part in found.parts}) > 1:
        words.insert(0, division)
    return {
        "public_id": match.public_id,
        "number": match.number,
        "table": match.table,
        "status": match.status.value,
        "a": match.sides[0].name,
        "b": match.sides[1].name,
        "where": " · ".join(words),
        "length": match.length,
        "begins": about(begins, found.event) if begins is not None else "",
        "since": since_shape(found.since(match), found.event, label) if called else None,
    }
