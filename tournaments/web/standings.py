"""Standings, rounds and crosstable of a Swiss or round robin in the shape that the fragments draw."""

from fractions import Fraction

from django.utils.translation import gettext as _

from tournaments.engine.lifecycle import MatchStatus
from tournaments.engine.standings.ranking import Place
from tournaments.engine.standings.table import Value
from tournaments.engine.standings.tie_breaks import tie_break
from tournaments.engine.types import ResultKind
from tournaments.models import Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.pairings import schedule_of
from tournaments.selectors.standings import is_swiss, settings_of, table_of
from tournaments.web.cards import Shape, addresses, match_card, medal, player_pages
from tournaments.web.labels import rest_words, round_name_of, tie_break_head, tie_break_name

_PARTS = {Fraction(0): "", Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


def value_words(code: str, value: Value | None) -> str:
    """A tie-break's value as people write it: “4½”, “0.667”; a dash where it had nothing to say."""
    if value is None:
        return "–"
    if isinstance(value, Fraction):
        return f"{float(value):.3f}"
    exact = Fraction(abs(value) if code == "match_points_lost" else value, tie_break(code).unit)
    whole = abs(exact) // 1
    part = _PARTS[abs(exact) - whole]
    sign = "−" if exact < 0 else ""
    return f"{sign}{whole}{part}" if whole or not part else f"{sign}{part}"


def standings_shape(draw: Draw, entries: tuple[EntryRow, ...], *, final: bool) -> Shape:
    """The table for ``public/_standings.html``; shared places are written as “3–4”."""
    table = table_of(draw)
    by_pk = {entry.pk: entry for entry in entries}
    pages = player_pages(entries)
    rows = []
    for row in table.rows:
        entry = by_pk[row.entry]
        place = Place(row.first, row.last, settled=final)
        rows.append(
            {
                "key": entry.public_id,
                "place": str(place),
                "medal": medal(place),
                "name": entry.name,
                "url": pages.get(entry.pk, ""),
                "withdrawn": entry.withdrawn,
                "points": value_words("points", row.values["points"]),
                "values": [
                    (tie_break_head(code), value_words(code, row.values.get(code)))
                    for code in table.codes[1:]
                ],
            }
        )
    return {
        "final": final,
        "heads": [(tie_break_head(code), tie_break_name(code)) for code in table.codes[1:]],
        "rows": rows,
        "rounds": len(draw.rounds),
    }


def rounds_shape(draw: Draw, entries: tuple[EntryRow, ...]) -> list[Shape]:
    """The published rounds, the latest first, with who sat out."""
    names = {entry.pk: entry.name for entry in entries}
    match_url = addresses("public:match")
    rounds = []
    for round_ in reversed(draw.rounds):
        matches = []
        for match in round_.matches:
            card = match_card(match, link=False)
            is_bye = match.result_kind == ResultKind.BYE
            matches.append({**card, "url": "" if is_bye else match_url(match.public_id)})
        rounds.append(
            {
                "number": round_.number,
                "name": round_name_of(round_.code),
                "length": round_.length,
                "seed": round_.seed,
                "matches": matches,
                "rests": [
                    (names.get(int(entry), "–"), rest_words(points)) for entry, points in round_.rests.items()
                ],
            }
        )
    return rounds


def conditions(stage: Stage) -> list[tuple[str, str]]:
    """What is fixed before the start (F13), as label and words."""
    settings = settings_of(stage)
    breaks = (
        _("Tie-breaks"),
        ", ".join(tie_break_name(code) for code in settings.tie_breaks) or _("none"),
    )
    if not is_swiss(stage):
        return [breaks]
    clubs = {
        "ignore": _("may meet"),
        "avoid": _("meet only where it cannot be helped"),
        "never": _("never meet"),
    }[settings.clubs]
    return [
        (_("Rounds"), str(settings.rounds)),
        breaks,
        (_("A bye is worth"), rest_words(settings.bye_points)),
        (_("A round missed by coming late"), rest_words(settings.late_points)),
        (_("Players of one club"), clubs),
    ]


def schedule_shape(stage: Stage, draw: Draw, entries: tuple[EntryRow, ...]) -> list[Shape]:
    """The rounds of a round robin that are drawn and not published, by names."""
    names = {entry.pk: entry.name for entry in entries}
    return [
        {
            "name": round_name_of(f"round_{planned.number}"),
            "pairs": [(names[a], names[b]) for a, b in planned.pairs],
            "rests": names[planned.rests] if planned.rests is not None else "",
        }
        for planned in (() if is_swiss(stage) else schedule_of(stage))
        if planned.number > len(draw.rounds)
    ]


def crosstable_shape(draw: Draw, entries: tuple[EntryRow, ...]) -> Shape | None:
    """Everybody against everybody, in the order of the table; None for a Swiss, and before anything is published."""
    if is_swiss(draw.stage) or not draw.rounds:
        return None
    names = {entry.pk: entry.name for entry in entries}
    met: dict[tuple[int, int], list[Shape]] = {}
    for match in draw.matches:
        a, b = match.sides
        if match.status is not MatchStatus.CONFIRMED or a.entry_id is None or b.entry_id is None:
            continue
        for mine, theirs, scores in ((a, b, match.scores), (b, a, match.scores[::-1])):
            won = match.winner is mine.side
            state = "" if match.winner is None else "is-won" if won else "is-lost"
            cell = {"words": f"{scores[0] or 0}–{scores[1] or 0}", "state": state}
            met.setdefault((mine.entry_id or 0, theirs.entry_id or 0), []).append(cell)
    rows = table_of(draw).rows
    order = [row.entry for row in rows]
    return {
        "heads": list(range(1, len(order) + 1)),
        "rows": [
            {
                "number": number,
                "name": names[row.entry],
                "cells": [
                    {"itself": other == row.entry, "played": met.get((row.entry, other), [])}
                    for other in order
                ],
                "points": value_words("points", row.values["points"]),
            }
            for number, row in enumerate(rows, start=1)
        ],
    }
