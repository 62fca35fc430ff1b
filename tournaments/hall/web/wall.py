"""What the board on the wall shows: pages of called players, of what comes next with its time, of who plays, of tables.

A screen shows the pages that its address names, of all divisions together or of one after the other.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final

from django.utils.translation import gettext as _

from names.folding import folded
from tournaments.engine.statuses import AHEAD, IN_PLAY, OVER, UNDER_WAY, EventStatus, MatchStatus
from tournaments.models import Stage
from tournaments.selectors.draws import Draw, DrawnMatch
from tournaments.selectors.entries import entries_of
from tournaments.selectors.hall.board import Hall
from tournaments.selectors.hall.forecast import Times
from tournaments.selectors.rounds.next import open_matches
from tournaments.selectors.standings.tables import in_rounds
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.fragments.rounds import between_words
from tournaments.shared.fragments.since import about, end_words, since_shape
from tournaments.shared.fragments.standings import standings_shapes
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.names import round_in_part, round_name_of

NEXT_SHOWN: Final = 12
ROUNDS_SHOWN: Final = 8
USUAL: Final = ("calls", "next", "rounds", "playing")


@dataclass(frozen=True, slots=True)
class Screen:
    """What a screen shows: the places of divisions (none: all), one after the other or together, which pages."""

    divisions: tuple[int, ...] = ()
    apart: bool = False
    pages: tuple[str, ...] = USUAL


@dataclass(frozen=True)
class _Part:
    """The matches of one turn of a screen. ``place``: of its division, 0 where all stand together."""

    found: Hall
    draws: tuple[Draw, ...]
    place: int
    title: str

    @cached_property
    def matches(self) -> list[DrawnMatch]:
        """Those of its draws that need play, by tables, in their order."""
        if self.found.event.status != EventStatus.RUNNING:
            return []
        own = {draw.stage.pk for draw in self.draws}
        matches = [
            match
            for match in self.found.matches
            if match.status not in OVER and self.found.stage_of[match.pk].pk in own
        ]
        return sorted(matches, key=lambda match: (match.table is None, match.table or 0, match.number))

    def page(self, kind: str, title: str, rows: Sequence[Shape], **more: object) -> list[Shape]:
        """One page of the wall; none where nothing stands on it."""
        key = f"wall-{kind}-{self.place}" if self.place else f"wall-{kind}"
        words = f"{self.title} · {title}" if self.title else title
        return [{"kind": kind, "key": key, "title": words, "rows": rows, **more}] if rows else []


def wall_shape(found: Hall, screen: Screen) -> Shape:
    """Everything that the template shows of the hall."""
    event = found.event
    known = {stage.division.position: stage.division for stage in found.stages}
    shown = [place for place in sorted(known) if not screen.divisions or place in screen.divisions]
    draws = [draw for draw in found.draws.values() if draw.stage.division.position in shown]
    if screen.apart and len(shown) > 1:
        parts = [
            _Part(
                found, tuple(d for d in draws if d.stage.division.position == place), place, str(known[place])
            )
            for place in shown
        ]
    else:
        parts = [_Part(found, tuple(draws), 0, "")]
    pages = [page for part in parts for kind in screen.pages for page in PAGES[kind](part)]
    idle = all(page["kind"] == "rounds" for page in pages)
    return {
        "pages": [] if idle else pages,
        "end": end_words(found.forecast, event),
        "division": ", ".join(str(known[place]) for place in shown) if screen.divisions else "",
        "division_ids": [known[place].pk for place in shown] if screen.divisions else None,
        "divisions": [
            {"position": place, "name": str(one), "here": screen.divisions == (place,)}
            for place, one in sorted(known.items())
        ]
        if len(known) > 1
        else [],
        **(
            _between_rounds(draws) | {"rounds": pages} if idle and event.status == EventStatus.RUNNING else {}
        ),
    }


def _calls(part: _Part) -> list[Shape]:
    """Who is called, by name and by table. Whom nobody has called is sent nowhere, even where a table is kept for the match."""
    go = [match for match in part.matches if match.status is MatchStatus.CALLED]
    sides = [(side, match) for match in go for side in match.sides]
    sides.sort(key=lambda one: (folded(one[0].name), one[1].number))
    names = [
        {"key": f"{match.public_id}-{side.side}", "name": side.name, "table": match.table}
        for side, match in sides
    ]
    rows = [_row(part.found, match, _("Called")) for match in go]
    return [
        *part.page("names", _("Please go to your table"), names),
        *part.page("go", _("Called matches by table"), rows),
    ]


def _next(part: _Part) -> list[Shape]:
    here = {match.pk: match for match in part.matches}
    coming = [
        here[ready.pk]
        for ready in part.found.ready
        if ready.pk in here and not part.found.busy_in(here[ready.pk])
    ]
    rows = [_row(part.found, match, "") for match in coming[:NEXT_SHOWN]]
    return part.page("coming", _("Next"), rows, more=max(0, len(coming) - NEXT_SHOWN))


def _rounds(part: _Part) -> list[Shape]:
    """Rounds of which nothing has begun, with the time at which they should: drawn ones, and those still to be published."""
    forecast = part.found.forecast
    if forecast is None or forecast.ahead is not None:  # nobody knows yet when it begins
        return []
    rows = []
    for draw in part.draws:
        for one in draw.rounds:
            matches = [match for match in one.matches if draw.needs_play(match)]
            begins = [forecast.begins[match.pk] for match in matches if match.pk in forecast.begins]
            waits = any(match.status is MatchStatus.WAITING for match in matches)
            if waits and begins and all(match.status in AHEAD for match in matches):
                name = round_in_part(one.section, one.code)
                rows.append((min(begins, key=_median), f"{draw.stage.pk}-{one.number}", draw.stage, name))
    own = {draw.stage.pk for draw in part.draws}
    divisions = {draw.stage.division_id for draw in part.draws}
    for stage in part.found.stages:
        for (pk, number), begins_at in forecast.rounds.items():
            if pk == stage.pk and (pk in own or stage.division_id in divisions):
                name = round_name_of(f"round_{number}") if in_rounds(stage) else str(stage)
                rows.append((begins_at, f"{pk}-{number}", stage, name))
    rows.sort(key=lambda row: _median(row[0]))
    return part.page(
        "rounds",
        _("Next rounds"),
        [
            {"key": key, "name": _named(part, stage, name), "begins": about(at, part.found.event)}
            for at, key, stage, name in rows[:ROUNDS_SHOWN]
        ],
    )


def _playing(part: _Part) -> list[Shape]:
    playing = [match for match in part.matches if match.status is MatchStatus.PLAYING]
    return part.page("playing", _("Playing"), [_row(part.found, match, "") for match in playing])


def _tables(part: _Part) -> list[Shape]:
    """The tables of everything that is played in rounds, as they stand."""
    draws = [draw for draw in part.draws if in_rounds(draw.stage) and draw.rounds]
    entries = entries_of({draw.stage.division_id for draw in draws}) if draws else {}
    pages: list[Shape] = []
    for draw in draws:
        for table in standings_shapes(draw, tuple(entries[draw.stage.division_id]), final=False):
            rows = [
                {
                    "key": row["key"],
                    "place": row["place"],
                    "name": row["name"],
                    "points": row["lives"] or row["points"],
                }
                for row in table["rows"]
            ]
            title = _named(part, draw.stage, table["group"] or _("Table"))
            pages += part.page(f"tables-{draw.stage.pk}-{table['key']}", title, rows, standings=True)
    return pages


PAGES: Final[Mapping[str, Callable[[_Part], list[Shape]]]] = {
    "calls": _calls,
    "next": _next,
    "rounds": _rounds,
    "playing": _playing,
    "tables": _tables,
}


def _between_rounds(draws: Iterable[Draw]) -> Shape:
    """What the wall shows between two rounds, or of a league: what everybody waits for, and the tables as they stand."""
    waiting = [(draw, words) for draw in draws if (words := _between(draw))]
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


def _median(at: Times) -> datetime:
    return at.median


def _between(draw: Draw) -> str:
    """Why nobody is called: the round is over, or the two of a match agree themselves on when they play."""
    arranged = draw.stage.by_arrangement and draw.stage.status in UNDER_WAY and open_matches(draw)
    return _("Matches are played by arrangement") if arranged else between_words(draw)


def _named(part: _Part, stage: Stage, name: str) -> str:
    """With the division where several stand together."""
    divisions = {draw.stage.division_id for draw in part.draws}
    return f"{stage.division.name} · {name}" if stage.division.name and len(divisions) > 1 else name


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
