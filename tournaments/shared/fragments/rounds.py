"""Template contexts of a Swiss or round robin: published rounds, planned rounds and crosstables."""

from collections.abc import Mapping
from datetime import date

from django.utils.translation import gettext as _

from tournaments.engine.statuses import STAGE_UNDER_WAY, MatchStatus
from tournaments.engine.types import EntryId, ResultKind
from tournaments.models import Stage
from tournaments.selectors.arranged import drawn_groups, planned_deadlines
from tournaments.selectors.draws import Draw, DrawnMatch, DrawnRound
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.rounds.deadlines import overdue_matches
from tournaments.selectors.rounds.next import drawn_schedule, open_match_count, rounds_left
from tournaments.selectors.standings.tables import is_round_based, is_swiss, rounds_settings, standings_tables
from tournaments.shared.fragments.cards import Context, match_card, url_builder
from tournaments.shared.fragments.standings import value_label
from tournaments.shared.words.names import date_label, group_name, half_points_label, round_name_from_code

MANY_MATCHES = 12  # matches of a round above which the page offers a search


def round_contexts(draw: Draw, entries: tuple[EntryRow, ...], today: date) -> list[Context]:
    """Return the template contexts of the published rounds, with matches and players without a match.

    The latest round is first, or the first one if all rounds were published at once. Matches past their
    deadline on ``today`` are marked.
    """
    names = {entry.pk: entry.name for entry in entries}
    overdue_ids = {overdue.match.pk for overdue in overdue_matches(draw, today)}
    in_order = rounds_settings(draw.stage).all_at_once
    return [
        {
            "number": round_.number,
            "name": round_name_from_code(round_.code),
            "length": round_.length,
            "seed": round_.seed,
            "parts": _parts(draw.stage, round_, overdue_ids),
            "rests": [
                (names.get(int(entry), "–"), half_points_label(points))
                for entry, points in round_.rests.items()
            ],
            "swaps": [" ↔ ".join(names.get(entry, "–") for entry in pair) for pair in round_.swaps],
            "deadline": date_label(round_.deadline) if round_.deadline else "",
            "many": len(round_.matches) > MANY_MATCHES,
            "overdue": sum(match.pk in overdue_ids for match in round_.matches),
        }
        for round_ in (draw.rounds if in_order else reversed(draw.rounds))
    ]


def play_off_context(draw: Draw) -> Context | None:
    """Return the template context of the play-off matches for ``shared/_round_matches.html``, or None."""
    if not draw.play_offs:
        return None
    match_url = url_builder("public:match")
    matches = [match for round_ in draw.play_offs for match in round_.matches]
    cards = [{**match_card(match, has_link=False), "url": match_url(match.public_id)} for match in matches]
    return {
        "length": draw.play_offs[0].length,
        "parts": [{"name": "", "matches": cards}],
    }


def between_rounds_message(draw: Draw) -> str:
    """Return a message between the end of a round and the publication of the next.

    Empty at any other time.
    """
    stage = draw.stage
    if not is_round_based(stage) or stage.status not in STAGE_UNDER_WAY or not draw.rounds:
        return ""
    if open_match_count(draw) or not rounds_left(stage, draw):
        return ""
    return _("%(round)s has finished; the next round follows soon") % {
        "round": round_name_from_code(draw.rounds[-1].code)
    }


def _parts(stage: Stage, round_: DrawnRound, overdue_ids: set[int]) -> list[Context]:
    """Return the matches of a round as contexts with ``name`` and ``matches``, one for each group.

    Without groups there is one context without a name.
    """
    match_url = url_builder("public:match")
    groups = [] if is_swiss(stage) else drawn_groups(stage)
    group_by_entry = {entry: position for position, group in enumerate(groups, start=1) for entry in group}
    parts: dict[int, list[Context]] = {}
    for match in round_.matches:
        is_bye = match.result_kind == ResultKind.BYE
        card = {
            **match_card(match, has_link=False),
            "url": "" if is_bye else match_url(match.public_id),
            "overdue": match.pk in overdue_ids,
        }
        parts.setdefault(_group_of(match, group_by_entry) if len(groups) > 1 else 0, []).append(card)
    return [
        {"name": group_name(group) if group else "", "matches": matches}
        for group, matches in sorted(parts.items())
    ]


def _group_of(match: DrawnMatch, group_by_entry: Mapping[EntryId, int]) -> int:
    entries = [side.entry_id for side in match.sides if side.entry_id is not None]
    return group_by_entry.get(entries[0], 0) if entries else 0


def planned_round_contexts(stage: Stage, draw: Draw, entries: tuple[EntryRow, ...]) -> list[Context]:
    """Return the rounds of a round robin that are drawn but not published: players' names and deadlines.

    Empty for a Swiss, which is paired round by round.
    """
    planned_rounds = (
        () if is_swiss(stage) else drawn_schedule(stage)[len(draw.rounds) : rounds_settings(stage).rounds]
    )
    names = {entry.pk: entry.name for entry in entries}
    deadlines = planned_deadlines(stage) if planned_rounds else {}
    return [
        {
            "name": round_name_from_code(f"round_{planned.number}"),
            "pairs": [(names[a], names[b]) for a, b in planned.pairs],
            "rests": ", ".join(names[entry] for entry in planned.rests),
            "deadline": date_label(deadlines[planned.number]) if planned.number in deadlines else "",
        }
        for planned in planned_rounds
    ]


def group_contexts(stage: Stage, entries: tuple[EntryRow, ...]) -> list[Context]:
    """Return the name and the players' names of each drawn group of a round robin, in drawn order.

    Empty for a single group and for a Swiss.
    """
    names = {entry.pk: entry.name for entry in entries}
    groups = () if is_swiss(stage) else drawn_groups(stage)
    if len(groups) < 2:
        return []
    return [
        {"name": group_name(number), "entries": [names.get(entry, "–") for entry in group]}
        for number, group in enumerate(groups, start=1)
    ]


def crosstable_contexts(draw: Draw, entries: tuple[EntryRow, ...]) -> list[Context]:
    """Return the crosstable of each group, with rows and columns in the order of its standings.

    Empty for a Swiss, or before a round is published.
    """
    if is_swiss(draw.stage) or not draw.rounds:
        return []
    names = {entry.pk: entry.name for entry in entries}
    cells_by_pair = _results_by_pair(draw)
    return [
        {
            "group": group_name(table.group) if table.group else "",
            "key": table.group,
            "heads": list(range(1, len(table.rows) + 1)),
            "rows": [
                {
                    "number": number,
                    "name": names[row.entry],
                    "cells": [
                        {
                            "itself": other.entry == row.entry,
                            "played": cells_by_pair.get((row.entry, other.entry), []),
                        }
                        for other in table.rows
                    ],
                    "points": value_label("points", row.values["points"]),
                }
                for number, row in enumerate(table.rows, start=1)
            ],
        }
        for table in standings_tables(draw)
    ]


def _results_by_pair(draw: Draw) -> dict[tuple[EntryId, EntryId], list[Context]]:
    """Return the cells of a crosstable, keyed by two entry ids: of the row and of the column.

    Each confirmed match is in two cells, once as each side sees it; a cell lists all matches of the pair.
    """
    cells_by_pair: dict[tuple[EntryId, EntryId], list[Context]] = {}
    for match in (match for round_ in draw.rounds for match in round_.matches):
        a, b = match.sides
        if match.status is not MatchStatus.CONFIRMED or a.entry_id is None or b.entry_id is None:
            continue
        for own_side, other_side, scores in ((a, b, match.scores), (b, a, match.scores[::-1])):
            is_won = match.winner is own_side.side
            state = "" if match.winner is None else "is-won" if is_won else "is-lost"
            assert own_side.entry_id is not None
            assert other_side.entry_id is not None
            cell = {"words": f"{scores[0] or 0}–{scores[1] or 0}", "state": state, "note": _note(match)}
            cells_by_pair.setdefault((own_side.entry_id, other_side.entry_id), []).append(cell)
    return cells_by_pair


def _note(match: DrawnMatch) -> str:
    """Return “½ each” for a match that was left unfinished, because its score does not show this.

    Otherwise empty.
    """
    return _("½ each") if match.result_kind == ResultKind.UNFINISHED else ""
