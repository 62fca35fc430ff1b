"""Pages of a display in the hall: called players, coming matches with times, matches in play, tables.

A display shows the pages that its address names, of all divisions together or one after the other.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final

from django.utils.translation import gettext as _

from names.folding import fold_text
from tournaments.engine.statuses import (
    OVER,
    PLAYERS_BUSY,
    STAGE_UNDER_WAY,
    UPCOMING,
    EventStatus,
    MatchStatus,
)
from tournaments.models import Stage
from tournaments.selectors.draws import Draw, DrawnMatch
from tournaments.selectors.entries import entries_by_division
from tournaments.selectors.hall.board import EventBoard
from tournaments.selectors.hall.forecast import TimeRange
from tournaments.selectors.rounds.next import open_match_count
from tournaments.selectors.standings.tables import is_round_based
from tournaments.shared.fragments.cards import Context
from tournaments.shared.fragments.rounds import between_rounds_message
from tournaments.shared.fragments.since import (
    approximate_time_label,
    elapsed_time_context,
    expected_end_message,
)
from tournaments.shared.fragments.standings import standings_contexts
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.names import round_name_from_code, round_name_in_section

MAX_NEXT_MATCHES: Final = 12
MAX_NEXT_ROUNDS: Final = 8
DEFAULT_PAGES: Final = ("calls", "next", "rounds", "playing")


@dataclass(frozen=True, slots=True)
class DisplaySettings:
    """Settings of a display.

    ``divisions``: positions of the divisions to show (empty: all); ``apart``: True shows the divisions one
    after the other; ``pages``: keys of `PAGE_BUILDERS`.
    """

    divisions: tuple[int, ...] = ()
    apart: bool = False
    pages: tuple[str, ...] = DEFAULT_PAGES


@dataclass(frozen=True)
class _DisplayPart:
    """Matches displayed together: those of one division, or of all.

    ``place``: position of the division, 0 for all together.
    """

    event_board: EventBoard
    draws: tuple[Draw, ...]
    place: int
    title: str

    @cached_property
    def matches(self) -> list[DrawnMatch]:
        """Unfinished matches of these draws that need play, sorted by table.

        Empty unless the event is running.
        """
        if self.event_board.event.status != EventStatus.RUNNING:
            return []
        stage_ids = {draw.stage.pk for draw in self.draws}
        matches = [
            match
            for match in self.event_board.matches
            if match.status not in OVER and self.event_board.stage_by_match[match.pk].pk in stage_ids
        ]
        return sorted(matches, key=lambda match: (match.table is None, match.table or 0, match.number))

    def page(self, kind: str, title: str, rows: Sequence[Context], **more: object) -> list[Context]:
        """Return a page in a list of one, or an empty list if the page has no rows.

        ``kind``: kind of the page, by which the template displays its rows; ``more``: further template
        variables.
        """
        key = f"wall-{kind}-{self.place}" if self.place else f"wall-{kind}"
        heading = f"{self.title} · {title}" if self.title else title
        return [{"kind": kind, "key": key, "title": heading, "rows": rows, **more}] if rows else []


def display_context(event_board: EventBoard, display_settings: DisplaySettings) -> Context:
    """Return the template context of the display: pages, expected end and divisions.

    While nothing is called or played, it has the standings and next rounds in place of the pages.
    """
    event = event_board.event
    division_by_position = {stage.division.position: stage.division for stage in event_board.stages}
    positions = [
        position
        for position in sorted(division_by_position)
        if not display_settings.divisions or position in display_settings.divisions
    ]
    draws = [draw for draw in event_board.draws.values() if draw.stage.division.position in positions]
    if display_settings.apart and len(positions) > 1:
        parts = [
            _DisplayPart(
                event_board,
                tuple(d for d in draws if d.stage.division.position == position),
                position,
                str(division_by_position[position]),
            )
            for position in positions
        ]
    else:
        parts = [_DisplayPart(event_board, tuple(draws), 0, "")]
    pages = [page for part in parts for kind in display_settings.pages for page in PAGE_BUILDERS[kind](part)]
    is_idle = all(page["kind"] == "rounds" for page in pages)
    return {
        "pages": [] if is_idle else pages,
        "end": expected_end_message(event_board.forecast, event),
        "division": ", ".join(str(division_by_position[position]) for position in positions)
        if display_settings.divisions
        else "",
        "division_ids": [division_by_position[position].pk for position in positions]
        if display_settings.divisions
        else None,
        "divisions": [
            {"position": position, "name": str(division), "here": display_settings.divisions == (position,)}
            for position, division in sorted(division_by_position.items())
        ]
        if len(division_by_position) > 1
        else [],
        **(
            _between_rounds_context(draws) | {"rounds": pages}
            if is_idle and event.status == EventStatus.RUNNING
            else {}
        ),
    }


def _call_pages(part: _DisplayPart) -> list[Context]:
    """Return the pages of called players, by name and by table.

    Only called matches are listed, even if another match has a reserved table.
    """
    called = [match for match in part.matches if match.status is MatchStatus.CALLED]
    sides = [(side, match) for match in called for side in match.sides]
    sides.sort(key=lambda pair: (fold_text(pair[0].name), pair[1].number))
    names = [
        {"key": f"{match.public_id}-{side.side}", "name": side.name, "table": match.table}
        for side, match in sides
    ]
    rows = [_row(part.event_board, match, _("Called")) for match in called]
    return [
        *part.page("names", _("Please go to your table"), names),
        *part.page("go", _("Called matches by table"), rows),
    ]


def _next_pages(part: _DisplayPart) -> list[Context]:
    match_by_pk = {match.pk: match for match in part.matches}
    next_matches = [
        match_by_pk[ready_match.pk]
        for ready_match in part.event_board.ready
        if ready_match.pk in match_by_pk and not part.event_board.busy_players_of(match_by_pk[ready_match.pk])
    ]
    rows = [_row(part.event_board, match, "") for match in next_matches[:MAX_NEXT_MATCHES]]
    return part.page("coming", _("Next"), rows, more=max(0, len(next_matches) - MAX_NEXT_MATCHES))


def _round_pages(part: _DisplayPart) -> list[Context]:
    """Return the page of the next rounds with their expected times.

    A round is listed if none of its matches has started, published or not. No page without a forecast, or
    while the start of the event is not known.
    """
    forecast = part.event_board.forecast
    if forecast is None or forecast.total_duration is not None:  # the start is not known yet
        return []
    rows = []
    for draw in part.draws:
        for round_ in draw.rounds:
            matches = [match for match in round_.matches if draw.needs_play(match)]
            start_bands = [forecast.begins[match.pk] for match in matches if match.pk in forecast.begins]
            is_waiting = any(match.status is MatchStatus.WAITING for match in matches)
            if is_waiting and start_bands and all(match.status in UPCOMING for match in matches):
                name = round_name_in_section(round_.section, round_.code)
                rows.append(
                    (min(start_bands, key=_median), f"{draw.stage.pk}-{round_.number}", draw.stage, name)
                )
    stage_ids = {draw.stage.pk for draw in part.draws}
    divisions = {draw.stage.division_id for draw in part.draws}
    for stage in part.event_board.stages:
        for (pk, number), begins_at in forecast.rounds.items():
            if pk == stage.pk and (pk in stage_ids or stage.division_id in divisions):
                name = round_name_from_code(f"round_{number}") if is_round_based(stage) else str(stage)
                rows.append((begins_at, f"{pk}-{number}", stage, name))
    rows.sort(key=lambda row: _median(row[0]))
    return part.page(
        "rounds",
        _("Next rounds"),
        [
            {
                "key": key,
                "name": _name_with_division(part, stage, name),
                "begins": approximate_time_label(band, part.event_board.event),
            }
            for band, key, stage, name in rows[:MAX_NEXT_ROUNDS]
        ],
    )


def _playing_pages(part: _DisplayPart) -> list[Context]:
    playing_matches = [match for match in part.matches if match.status is MatchStatus.PLAYING]
    return part.page(
        "playing", _("Playing"), [_row(part.event_board, match, "") for match in playing_matches]
    )


def _standings_pages(part: _DisplayPart) -> list[Context]:
    """Return one page with the current table for each stage (or group) that is played in rounds."""
    draws = [draw for draw in part.draws if is_round_based(draw.stage) and draw.rounds]
    entries = entries_by_division({draw.stage.division_id for draw in draws}) if draws else {}
    pages: list[Context] = []
    for draw in draws:
        for table in standings_contexts(draw, tuple(entries[draw.stage.division_id]), final=False):
            rows = [
                {
                    "key": row["key"],
                    "place": row["place"],
                    "name": row["name"],
                    "points": row["lives"] or row["points"],
                }
                for row in table["rows"]
            ]
            title = _name_with_division(part, draw.stage, table["group"] or _("Table"))
            pages += part.page(f"tables-{draw.stage.pk}-{table['key']}", title, rows, standings=True)
    return pages


PAGE_BUILDERS: Final[Mapping[str, Callable[[_DisplayPart], list[Context]]]] = {
    "calls": _call_pages,
    "next": _next_pages,
    "rounds": _round_pages,
    "playing": _playing_pages,
    "tables": _standings_pages,
}


def _between_rounds_context(draws: Iterable[Draw]) -> Context:
    """Return the template context of a display between two rounds, or of a league.

    ``between``: why nothing is called; ``tables``: current tables of the stages played in rounds.
    """
    idle_draws = [(draw, reason) for draw in draws if (reason := _idle_reason(draw))]
    entries = entries_by_division({draw.stage.division_id for draw, _reason in idle_draws})
    return {
        "between": " · ".join(dict.fromkeys(reason for _draw, reason in idle_draws)),
        "tables": [
            {"key": draw.stage.pk, "table": table}
            for draw, _reason in idle_draws
            if is_round_based(draw.stage)
            for table in standings_contexts(draw, tuple(entries[draw.stage.division_id]), final=False)
        ],
    }


def _median(band: TimeRange) -> datetime:
    return band.median


def _idle_reason(draw: Draw) -> str:
    """Return why no match is called: the round is over, or players arrange their matches; else empty."""
    is_arranged = (
        draw.stage.by_arrangement and draw.stage.status in STAGE_UNDER_WAY and open_match_count(draw)
    )
    return _("Matches are played by arrangement") if is_arranged else between_rounds_message(draw)


def _name_with_division(part: _DisplayPart, stage: Stage, name: str) -> str:
    """Return the name, preceded by its division if several divisions are displayed together."""
    divisions = {draw.stage.division_id for draw in part.draws}
    return f"{stage.division.name} · {name}" if stage.division.name and len(divisions) > 1 else name


def _row(event_board: EventBoard, match: DrawnMatch, label: str) -> Context:
    is_called = match.status in PLAYERS_BUSY
    expected_start = (
        event_board.forecast.begins.get(match.pk)
        if event_board.forecast is not None and not is_called
        else None
    )
    labels = [round_name_from_code(match.round_code)]
    if len(event_board.draws[event_board.stage_by_match[match.pk].pk].sections) > 1:
        labels.insert(0, section_name(match.section))
    division = event_board.stage_by_match[match.pk].division.name
    if division and len({part.stage.division_id for part in event_board.parts}) > 1:
        labels.insert(0, division)
    return {
        "public_id": match.public_id,
        "number": match.number,
        "table": match.table,
        "status": match.status.value,
        "a": match.sides[0].name,
        "b": match.sides[1].name,
        "where": " · ".join(labels),
        "length": match.length,
        "begins": approximate_time_label(expected_start, event_board.event)
        if expected_start is not None
        else "",
        "since": elapsed_time_context(event_board.since(match), event_board.event, label)
        if is_called
        else None,
    }
