"""Printouts for directors: score slips, pairings, attendance, draws to continue by hand, table cards, prizes.

Each printout is a page with its content only (``css/pages/paper.css``); controls on the screen are not
printed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import Missing
from names.folding import fold_text
from people.audience import Audience, activate_audience
from tournaments.engine.statuses import OVER
from tournaments.models import Event, EventColumn, Stage
from tournaments.selectors.columns import custom_field_values
from tournaments.selectors.columns import event_custom_fields as own_columns_of
from tournaments.selectors.draws import LIVE_STATUSES, Draw, DrawnMatch, load_draws
from tournaments.selectors.entries import EntryRow, entries_by_division
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.money import is_money
from tournaments.selectors.prizes import Prizes, event_prizes
from tournaments.selectors.standings.tables import is_round_based
from tournaments.shared.fragments.cards import Context
from tournaments.shared.fragments.qr import qr_svg
from tournaments.shared.frames.access import event_page
from tournaments.shared.frames.director import absolute_url, render_event_page
from tournaments.shared.frames.divisions import DivisionSwitch, chosen_division, division_switch, stage_name
from tournaments.shared.words.names import round_name_in_section
from tournaments.site.web import paper_places
from tournaments.site.web.paper_draw import (
    bracket_columns,
    bracket_sheets,
    empty_columns,
    halving_rounds,
    name_context,
    other_sections,
    round_grid,
)

SLIPS_PER_SHEET, CARDS_PER_SHEET = 8, 4
SLIPS_PER_PAGE = 240  # thirty sheets; a larger round has further pages, because each code takes time to draw
BLANK_ENTRIES = 16


@dataclass(frozen=True)
class PrintSource:
    """Data of a printout: one division of the event, its stages, draws and entries, and the prizes."""

    request: HttpRequest
    event: Event
    switch: DivisionSwitch
    stages: list[Stage]
    draws: dict[int, Draw]
    entries: tuple[EntryRow, ...]
    prizes: Prizes

    @property
    def is_a3(self) -> bool:
        return self.request.GET.get("a3") == "1"

    @property
    def active_entries(self) -> list[EntryRow]:
        """Entries that are not withdrawn, sorted by name."""
        return sorted((e for e in self.entries if not e.withdrawn), key=lambda entry: fold_text(entry.name))

    def rounds(self) -> list[Context]:
        """Return the choices for ``?round=``, each with its key, name and matches.

        The first is all matches that can be played now; the others are the rounds.
        """
        open_matches = [
            m
            for draw in self.draws.values()
            for m in draw.matches
            if m.status in LIVE_STATUSES and draw.needs_play(m)
        ]
        choices = (
            [{"key": "now", "name": _("All matches that can be played now"), "matches": open_matches}]
            if open_matches
            else []
        )
        for stage in self.stages:
            draw = self.draws[stage.pk]
            prefix = f"{stage_name(stage, self.stages)} · " if len(self.stages) > 1 else ""
            for round_ in (*draw.rounds, *draw.play_offs):
                matches = [match for match in round_.matches if draw.needs_play(match)]
                if matches:
                    key = f"{stage.pk}.{round_.number}"
                    name = f"{prefix}{round_name_in_section(round_.section, round_.code)}"
                    choices.append({"key": key, "name": name, "matches": matches})
        return choices

    def chosen(self) -> Context:
        """Return the choice that the address names, or the first one.

        Raises ``Missing`` for an unknown round.
        """
        rounds = self.rounds()
        requested = self.request.GET.get("round", "")
        if not requested:
            return rounds[0] if rounds else {"key": "", "name": "", "matches": []}
        choice = next((candidate for candidate in rounds if candidate["key"] == requested), None)
        if choice is None and requested != "now":
            raise Missing("round.unknown")
        return choice or {"key": "now", "name": _("All matches that can be played now"), "matches": []}

    def round_name(self, match: DrawnMatch) -> str:
        return round_name_in_section(match.section, match.round_code)


def _slips_context(source: PrintSource) -> Context:
    """Return a score slip for every match of the round: score, signatures, and QR code of the match page."""
    matches = sorted(_open_matches(source.chosen()["matches"]), key=_table_sort_key)
    page = Paginator(matches, SLIPS_PER_PAGE).get_page(source.request.GET.get("page"))
    query = source.request.GET.copy()
    query.pop("page", None)
    slips = [
        {
            "number": match.number,
            "table": match.table,
            "length": match.length,
            "round": source.round_name(match),
            "sides": [name_context(side.name) for side in match.sides],
            "qr": qr_svg(
                absolute_url(source.request, reverse("public:match", args=[match.public_id])),
                is_one_of_many=True,
            ),
        }
        for match in page
    ]
    return {"pages": _chunked(SLIPS_PER_SHEET, slips), "page": page, "query": query.urlencode()}


def _pairings_by_table(source: PrintSource) -> Context:
    matches = sorted(source.chosen()["matches"], key=_table_sort_key)
    return {"rows": [_pairing_context(source, match) for match in matches]}


def _pairings_by_name(source: PrintSource) -> Context:
    rows = [
        {**name_context(side.name), "table": match.table, "number": match.number, "against": other.name}
        for match in source.chosen()["matches"]
        for side, other in (match.sides, match.sides[::-1])
        if side.name
    ]
    return {"rows": sorted(rows, key=lambda row: fold_text(row["name"]))}


def _attendance_context(source: PrintSource) -> Context:
    printed_fields = [field for field in own_columns_of(source.event) if field.printed]
    field_values = custom_field_values([source.switch.division.pk]) if printed_fields else {}

    def values(entry: EntryRow) -> list[str]:
        entry_values = field_values.get((entry.pk, entry.players[0].pk), {}) if entry.players else {}
        return [_column_text(entry_values.get(str(field.pk), ""), field) for field in printed_fields]

    return {
        "columns": [field.name for field in printed_fields],
        "rows": [
            {**name_context(entry.name), "players": _player_names(entry), "values": values(entry)}
            for entry in source.active_entries
        ],
    }


def _column_text(value: str, column: EventColumn) -> str:
    return "✓" if value and column.kind == EventColumn.Kind.TICK else value


def _player_names(entry: EntryRow) -> list[str]:
    """Return the names of the players of a pair or team; empty for a single player."""
    return [player.name for player in entry.players] if len(entry.players) > 1 else []


def _draw_context(source: PrintSource) -> Context:
    """Return the draw of every stage with empty fields, or an empty bracket or grid before the draw."""
    parts: list[Context] = []
    for stage in source.stages:
        draw = source.draws[stage.pk]
        name = stage_name(stage, source.stages) if len(source.stages) > 1 else ""
        if is_round_based(stage):
            parts.append({"name": name, "grid": round_grid(stage, draw, source.active_entries)})
            continue
        rounds = halving_rounds(draw)
        entries = len(source.active_entries) if stage.fed_by_id is None else 0
        columns = bracket_columns(rounds) if rounds else empty_columns(entries or BLANK_ENTRIES)
        parts.append(
            {
                "name": name,
                "sheets": bracket_sheets(columns, scale=2 if source.is_a3 else 1)
                if rounds or not draw.rounds
                else [],
                "others": [section for section in other_sections(draw, rounds) if section["matches"]],
            }
        )
    return {"parts": parts}


def _cards_context(source: PrintSource) -> Context:
    tables = [n for n in range(1, source.event.tables + 1) if n not in source.event.closed_tables]
    display_url = absolute_url(source.request, reverse("public:hall", args=[source.event.public_id]))
    return {"pages": _chunked(CARDS_PER_SHEET, tables), "qr": qr_svg(display_url)}


def _places_context(source: PrintSource) -> Context:
    return {"parts": paper_places.place_parts(source.stages, source.draws, source.entries, source.prizes)}


def _final_context(source: PrintSource) -> Context:
    return paper_places.final_sheet(source.event)


@dataclass(frozen=True, slots=True)
class Printout:
    """A kind of printout.

    ``make``: builds its template context. ``by_round``: for the matches of a chosen round.
    ``has_large_print``: available in large print. ``is_for_whole_event``: for the event with all its
    divisions. ``a3``: available on A3.
    """

    name: str | Promise
    text: str | Promise
    make: Callable[[PrintSource], Context]
    by_round: bool = False
    has_large_print: bool = False
    is_for_whole_event: bool = False
    a3: bool = False


PAPERS = {
    "slips": Printout(
        gettext_lazy("Match slips"),
        gettext_lazy(
            "Eight per sheet: table, names, length, score, signatures, and a code that opens the match page."
        ),
        _slips_context,
        by_round=True,
    ),
    "tables": Printout(
        gettext_lazy("Pairings by table"),
        gettext_lazy("To put up in the hall."),
        _pairings_by_table,
        by_round=True,
        has_large_print=True,
    ),
    "names": Printout(
        gettext_lazy("Pairings by name"),
        gettext_lazy("To find your table by your name."),
        _pairings_by_name,
        by_round=True,
        has_large_print=True,
    ),
    "attendance": Printout(
        gettext_lazy("Attendance list"),
        gettext_lazy("Who is here, and who has paid."),
        _attendance_context,
        has_large_print=True,
    ),
    "draw": Printout(
        gettext_lazy("Bracket to continue by hand"),
        gettext_lazy("The current draw, with empty lines. Print it before you need it."),
        _draw_context,
        a3=True,
    ),
    "cards": Printout(
        gettext_lazy("Table cards"),
        gettext_lazy("Four per sheet, with a code that opens the hall’s page: who plays where."),
        _cards_context,
    ),
    "places": Printout(
        gettext_lazy("Final standings"), gettext_lazy("Places and prizes, for signature."), _places_context
    ),
    "final": Printout(
        gettext_lazy("Final sheet"),
        gettext_lazy("All prizes of the event and who gets them, with totals, to sign on receipt."),
        _final_context,
        is_for_whole_event=True,
    ),
}


@event_page
def papers(request: HttpRequest, event: Event) -> HttpResponse:
    """Page with the list of printouts and the rounds to choose from."""
    source = _print_source(request, event)
    context = {
        "papers": [{"code": code, "paper": paper} for code, paper in PAPERS.items()],
        "rounds": source.rounds(),
        "divisions": source.switch.links(event, "papers"),
        "division": source.switch.division if source.switch.has_several_divisions else None,
    }
    return render_event_page(
        request, "site/papers.html", event, "print", context, stages=linked_stages(event)
    )


@event_page
def paper(request: HttpRequest, event: Event, kind: str) -> HttpResponse:
    """Page with one printout; ``kind``: key of `PAPERS`."""
    if kind not in PAPERS:
        raise Missing("paper.unknown")
    activate_audience(Audience.HALL)  # paper may be read by anyone
    context = paper_context(request, event, kind)
    return render_event_page(
        request, "site/paper.html", event, "print", {**context, "own_line": True}, stages=context["stages"]
    )


def paper_context(request: HttpRequest, event: Event, kind: str, *, division: int | None = None) -> Context:
    """Return the template context of a printout.

    ``division``: database id; by default the division in the address.
    """
    printout = PAPERS[kind]
    source = _print_source(request, event, division)
    return {
        "kind": kind,
        "paper": printout,
        "event": event,
        "stages": source.stages,
        "template": f"site/paper/_{kind}.html",
        "large": printout.has_large_print and request.GET.get("large") == "1",
        "a3": printout.a3 and source.is_a3,
        "division": source.switch.division
        if source.switch.has_several_divisions and not printout.is_for_whole_event
        else None,
        "round": source.chosen() if printout.by_round else None,
        "back": source.switch.page_url(event, "papers"),
        **printout.make(source),
    }


def _print_source(request: HttpRequest, event: Event, division: int | None = None) -> PrintSource:
    stages = linked_stages(event)
    switch = (
        chosen_division(request, event, stages)
        if division is None
        else division_switch(division, event, stages)
    )
    own_stages = [s for s in stages if s.division_id == switch.division.pk and not is_money(s)]
    entries = tuple(entries_by_division([switch.division.pk])[switch.division.pk])
    division_stages = [stage for stage in stages if stage.division_id == switch.division.pk]
    return PrintSource(
        request,
        event,
        switch,
        own_stages,
        load_draws(own_stages),
        entries,
        event_prizes(event, division_stages),
    )


def _open_matches(matches: Sequence[DrawnMatch]) -> list[DrawnMatch]:
    """Return the matches that are not over and so need a score slip."""
    return [match for match in matches if match.status not in OVER]


def _table_sort_key(match: DrawnMatch) -> tuple[bool, int, int]:
    return (match.table is None, match.table or 0, match.number)


def _pairing_context(source: PrintSource, match: DrawnMatch) -> Context:
    return {
        "table": match.table,
        "number": match.number,
        "length": match.length,
        "round": source.round_name(match),
        "sides": [name_context(side.name) for side in match.sides],
    }


def _chunked(count: int, items: Sequence[Any]) -> list[Sequence[Any]]:
    """Return ``items`` in lists of at most ``count``."""
    return [items[start : start + count] for start in range(0, len(items), count)]
