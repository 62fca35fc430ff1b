"""Template contexts of a draw on paper, to continue by hand: brackets, lists of matches, grids of rounds.

A bracket with up to 32 entries fits on one sheet of A4. A larger one is split into sheets of 16 entries, and
one sheet of their winners, which has at least four. On A3 both numbers are doubled.
"""

from collections.abc import Sequence

from tournaments.engine.brackets.seeding import bracket_size
from tournaments.engine.brackets.structure import MAIN, THIRD_PLACE
from tournaments.engine.statuses import OVER
from tournaments.engine.types import EntryId, Side
from tournaments.models import Stage
from tournaments.selectors.draws import Draw, DrawnMatch, DrawnRound
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.rounds.next import planned_rounds
from tournaments.shared.fragments.cards import Context, placeholder_label
from tournaments.shared.words.names import round_name_in_section

LINES_PER_SHEET, LINES_PER_TALL_SHEET = 16, 32
NAME_SIZES = {
    90: "is-endless",
    48: "is-longest",
    26: "is-long",
}  # minimum length of a name for each smaller size

Columns = Sequence[Sequence[Context]]


def name_context(name: str) -> Context:
    """Return a name with the CSS class for its size.

    Long names are smaller and wrap, and are never truncated.
    """
    size = next((size for length, size in NAME_SIZES.items() if len(name) > length), "")
    return {"name": name, "size": size}


def halving_rounds(draw: Draw) -> list[DrawnRound]:
    """Return the rounds of the main draw if each has half the matches of the round before; else none."""
    rounds = [r for r in draw.rounds if r.section == MAIN and r.code != THIRD_PLACE]
    sizes = [len(r.matches) for r in rounds]
    is_halving = bool(sizes) and sizes == [2**power for power in reversed(range(len(sizes)))]
    return rounds if is_halving else []


def bracket_columns(rounds: Sequence[DrawnRound]) -> list[list[Context]]:
    """Return the columns of a bracket: the entries, then the winners of each round.

    Cells are empty where the entry is not known.
    """
    first = [
        {
            **name_context(side.name),
            "seed": side.seed,
            "bye": match.is_bye and side.entry_id is None,
            "note": "",
        }
        for match in rounds[0].matches
        for side in match.sides
    ]
    return [first, *([_winner_cell(match) for match in round_.matches] for round_ in rounds)]


def empty_columns(entries: int) -> list[list[Context]]:
    """Return the columns of an empty bracket for this number of entries."""
    size = bracket_size(max(2, entries))
    columns = [[{**name_context(""), "note": ""} for _line in range(size)]]
    while len(columns[-1]) > 1:
        columns.append(columns[-1][::2])
    return columns


def bracket_sheets(columns: Columns, *, scale: int = 1) -> list[Context]:
    """Return the pages of a bracket, each with its columns and number of lines.

    ``scale``: 1 on A4, 2 on A3.
    """
    lines, lines_per_sheet = len(columns[0]), LINES_PER_SHEET * scale
    if lines <= LINES_PER_TALL_SHEET * scale:
        return [{"columns": columns, "lines": lines, "tall": lines > lines_per_sheet}]
    depth = lines_per_sheet.bit_length()
    sheets = [
        {
            "columns": [
                column[part * (lines_per_sheet >> power) : (part + 1) * (lines_per_sheet >> power)]
                for power, column in enumerate(columns[:depth])
            ],
            "lines": lines_per_sheet,
            "tall": False,
        }
        for part in range(lines // lines_per_sheet)
    ]
    return [*sheets, *bracket_sheets(columns[depth - 1 :], scale=scale)]


def other_sections(draw: Draw, displayed_rounds: Sequence[DrawnRound]) -> list[Context]:
    """Return the matches that no bracket displays, to be filled in by hand.

    For example consolations, lower brackets and third place. ``displayed_rounds``: rounds that a bracket
    displays.
    """
    displayed_ids = {id(round_) for round_ in displayed_rounds}
    return [
        {
            "name": round_name_in_section(round_.section, round_.code),
            "length": round_.length,
            "matches": [
                {
                    "number": match.number,
                    "sides": [
                        {**name_context(side.name or placeholder_label(side)), "known": bool(side.name)}
                        for side in match.sides
                    ],
                    "scores": match.scores if match.status in OVER else ("", ""),
                }
                for match in round_.matches
                if draw.needs_play(match)
            ],
        }
        for round_ in draw.rounds
        if id(round_) not in displayed_ids
    ]


def round_grid(stage: Stage, draw: Draw, entries: Sequence[EntryRow]) -> Context:
    """Return a grid of entries and rounds; a cell has the opponent's number with + (won) or − (lost).

    Cells of future rounds are empty.
    """
    number_by_entry = {EntryId(entry.pk): position for position, entry in enumerate(entries, start=1)}
    count = max(len(draw.rounds), planned_rounds(stage, len(entries)))
    cells: dict[tuple[int, int], str] = {}
    for round_index, round_ in enumerate(draw.rounds):
        for match in round_.matches:
            for side, other in (match.sides, match.sides[::-1]):
                if side.entry_id is not None:
                    mark = (
                        ""
                        if match.winner is None or match.is_bye
                        else "+"
                        if match.winner is side.side
                        else "−"
                    )
                    opponent_number = (
                        number_by_entry.get(other.entry_id, "") if other.entry_id is not None else "–"
                    )
                    cells[number_by_entry.get(side.entry_id, 0), round_index] = f"{opponent_number}{mark}"
    return {
        "rounds": list(range(1, count + 1)),
        "rows": [
            {
                "number": n,
                **name_context(entry.name),
                "cells": [cells.get((n, round_index), "") for round_index in range(count)],
            }
            for n, entry in enumerate(entries, start=1)
        ],
    }


def _winner_cell(match: DrawnMatch) -> Context:
    name, note = "", f"{match.number}" if not match.is_bye else ""
    if match.winner is not None:
        name = match.sides[0 if match.winner is Side.A else 1].name
        if not match.is_bye and None not in match.scores:
            high, low = sorted((score or 0 for score in match.scores), reverse=True)
            note = f"{match.number} · {high}–{low}"
    return {**name_context(name), "note": note}
