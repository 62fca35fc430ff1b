"""The board on the wall: who is called to which table, who plays where, who comes next; big, live, without a form.

Minutes are counted in the browser (``since.js``) and the page scrolls by itself where it is long (``hall.js``), so an
unchanged board costs a 304 however many screens show it.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from people.caching import cached
from tournaments.engine.statuses import IN_PLAY, UNDER_WAY, EventStatus, MatchStatus
from tournaments.selectors.access.versions import club_in_play_version
from tournaments.selectors.access.visibility import VisibleEvent, visible_event
from tournaments.selectors.draws import Draw, DrawnMatch
from tournaments.selectors.entries import entries_of
from tournaments.selectors.hall.board import Hall, hall_of
from tournaments.selectors.hall.forecast import shown_end
from tournaments.selectors.rounds.next import open_matches
from tournaments.selectors.standings.tables import in_rounds
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.fragments.rounds import between_words
from tournaments.shared.fragments.since import end_words, since_shape
from tournaments.shared.fragments.standings import standings_shapes
from tournaments.shared.frames.public import is_listed, public_page, public_view
from tournaments.shared.words.names import round_name_of, section_name, when_words

CACHE_SECONDS = 3600
NEXT_SHOWN = 12


@public_view
def hall(request: HttpRequest, event: str) -> HttpResponse:
    """Tables and names, to be read from ten metres."""
    visible = visible_event(request.user, event)
    event_ = visible.event
    versions = [event_.version, event_.club.version, club_in_play_version(event_), shown_end(event_)]

    def context() -> dict[str, Any]:
        parts = [visible.event.public_id, get_language(), *versions]
        shaped = cached("hall", parts, CACHE_SECONDS, lambda: _shape(visible))
        return {
            **shaped,
            "event": visible.event,
            "club": visible.event.club,
            "directs": visible.directs,
            "when": when_words(visible.event),
        }

    return public_page(
        request, "hall/hall.html", context, versions=versions, role=visible.role, listed=is_listed(visible)
    )


def _shape(visible: VisibleEvent) -> Shape:
    found = hall_of(visible.event)
    running = visible.event.status == EventStatus.RUNNING
    matches = sorted(
        found.matches if running else (), key=lambda m: (m.table is None, m.table or 0, m.number)
    )
    free = {match.pk for match in matches if match.pk in found.waiting and not found.busy_in(match)}
    go = [m for m in matches if m.status is MatchStatus.CALLED or (m.pk in free and m.table is not None)]
    playing = [m for m in matches if m.status is MatchStatus.PLAYING]
    by_pk = found.by_pk
    coming = [by_pk[ready.pk] for ready in found.ready if ready.pk in free and ready.table is None]
    return {
        "go": [_row(found, match, _("Called")) for match in go],
        "playing": [_row(found, match, "") for match in playing],
        "coming": [_row(found, match, "") for match in coming[:NEXT_SHOWN]] if running else [],
        "more_coming": max(0, len(coming) - NEXT_SHOWN),
        "end": end_words(found.forecast, visible.event),
        **(_tables(found) if running and not go and not playing and not coming else {}),
    }


def _tables(found: Hall) -> Shape:
    """What the wall shows between two rounds, or of a league: what everybody waits for, and the tables as they stand."""
    waiting = [(draw, words) for draw in found.draws.values() if (words := _between(draw))]
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
        "since": since_shape(found.since(match), found.event, label) if called else None,
    }
