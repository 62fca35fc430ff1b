"""Template contexts of the standings of a Swiss or round robin, with prizes, tie-breaks and who advances."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.standings.order import StandingsRow
from tournaments.engine.standings.qualifying import CutBorder, QualifyingCut
from tournaments.engine.standings.ranking import Place
from tournaments.engine.standings.table import Value
from tournaments.engine.standings.tie_breaks import get_tie_break
from tournaments.engine.types import EntryId
from tournaments.models import Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.prizes import Prizes, prize_parts
from tournaments.selectors.standings.feeds import SourceCuts, source_cuts
from tournaments.selectors.standings.tables import StandingsTable, is_swiss, rounds_settings, standings_tables
from tournaments.shared.fragments.cards import Context, medal_rank, player_urls_by_entry
from tournaments.shared.words.feeds import advancement_message
from tournaments.shared.words.names import entry_title, group_name, half_points_label, separation_label
from tournaments.shared.words.prizes import find_prize_part, shared_prize_notes, won_prizes_label
from tournaments.shared.words.tie_breaks import (
    edition_name,
    tie_break_article,
    tie_break_head,
    tie_break_name,
    tie_break_source,
)

_FRACTIONS = {Fraction(0): "", Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


@lru_cache(maxsize=4096)
def value_label(code: str, value: Value | None) -> str:
    """Return a tie-break's value as text: “4½”, “0.667”; a dash without a value."""
    if value is None:
        return "–"
    exact = get_tie_break(code).counted(value)
    if isinstance(value, Fraction):
        return f"{float(exact):.3f}"
    whole = abs(exact) // 1
    part = _FRACTIONS[abs(exact) - whole]
    sign = "−" if exact < 0 else ""
    return f"{sign}{whole}{part}" if whole or not part else f"{sign}{part}"


def standings_contexts(
    draw: Draw,
    entries: tuple[EntryRow, ...],
    *,
    final: bool,
    feeds: Sequence[Stage] = (),
    prizes: Prizes | None = None,
    max_rows: int | None = None,
) -> list[Context]:
    """Return the template context of each standings table for ``shared/_standings.html``.

    Shared places are written as “3–4”.

    ``feeds``: later stages that take players from these tables. ``prizes``: of the stage's division; they are
    shown once the places are final. ``max_rows``: maximum number of rows of each table; ``more`` in the
    context is how many are omitted.
    """
    by_pk = {entry.pk: entry for entry in entries}
    names = {entry.pk: entry.name for entry in entries}
    pages = player_urls_by_entry(entries)
    tables = standings_tables(draw)
    paid = prize_parts(prizes, draw.stage, draw) if prizes is not None and final and draw.rounds else ()
    withdrawn_ids = {EntryId(entry.pk) for entry in entries if entry.withdrawn}
    cuts = source_cuts(draw, feeds, withdrawn_ids)
    contexts = []
    for index, table in enumerate(tables):
        table_cuts = [(stage_cuts, stage_cuts.cuts[index]) for stage_cuts in cuts]
        part_prizes = find_prize_part(paid, MAIN, table.group)
        advancing_ids = (
            {entry for _stage_cuts, cut in table_cuts for entry in cut.advancing} if final else set()
        )
        codes = [(tie_break_head(code), code) for code in table.criteria[1:]]
        contexts.append(
            {
                "final": final,
                "group": group_name(table.group) if table.group else "",
                "key": table.group,
                "heads": _column_heads(table),
                "rows": [
                    {
                        **_row(table, row.entry, by_pk, pages),
                        **_place(row.first, row.last, final=final, alone=not table.group),
                        "values": [(head, _value_label(row, code)) for head, code in codes],
                        "prize": won_prizes_label(prizes, part_prizes, row.entry)
                        if prizes and part_prizes
                        else "",
                        "through": row.entry in advancing_ids,
                    }
                    for row in table.rows[:max_rows]
                ],
                "more": max(0, len(table.rows) - max_rows) if max_rows is not None else 0,
                "rounds": len(draw.rounds),
                "prizes": part_prizes is not None and part_prizes.shares is not None,
                "prize_notes": shared_prize_notes(prizes, part_prizes) if prizes and part_prizes else [],
                "edition": edition_label(table),
                "notes": [
                    *_unrated_notes(table),
                    *_reapplied_notes(table),
                    *_border_notes(table_cuts, names, final=final),
                ],
            }
        )
    return contexts


def _value_label(row: StandingsRow, code: str) -> str:
    """Return the value of a tie-break.

    If it was applied again to entries still tied, both values: “2 · 1”.
    """
    first = value_label(code, row.values.get(code))
    return (
        f"{first} · {value_label(code, row.repeated_values[code])}" if code in row.repeated_values else first
    )


def edition_label(table: StandingsTable) -> str:
    """Return “Tie-breaks by FIDE 2026”; empty if no tie-break of the table comes from a regulation."""
    if not any(get_tie_break(code).articles for code in table.criteria):
        return ""
    return _("Tie-breaks by %(edition)s") % {"edition": edition_name(table.edition)}


def _unrated_notes(table: StandingsTable) -> list[str]:
    """Return a note on rating tie-breaks, which do not count if an entry has no rating (Article 10)."""
    if not table.unrated_count:
        return []
    names = ", ".join(tie_break_head(code) for code in table.criteria if get_tie_break(code).needs_ratings)
    return [
        ngettext(
            "%(names)s: not counted, %(count)s entry has no rating.",
            "%(names)s: not counted, %(count)s entries have no rating.",
            table.unrated_count,
        )
        % {"names": names, "count": table.unrated_count}
    ]


def _reapplied_notes(table: StandingsTable) -> list[str]:
    """Return a note for each tie-break that was applied again to entries still tied.

    The note explains the second value in the column.
    """
    codes = [code for code in table.criteria if any(code in row.repeated_values for row in table.rows)]
    return [
        _("%(name)s: the second number applies to players still tied after the first.")
        % {"name": tie_break_head(code)}
        for code in codes
    ]


def _column_heads(table: StandingsTable) -> list[tuple[str, str]]:
    """Return short and full column heads: lives first if the system has them, then points and tie-breaks."""
    lives = [(tie_break_head("survival"), _("Lives left"))] if table.lives_by_entry else []
    points = [(tie_break_head("points"), tie_break_name("points"))]
    return [*lives, *points, *((tie_break_head(code), tie_break_name(code)) for code in table.criteria[1:])]


def _row(
    table: StandingsTable, entry_id: EntryId, by_pk: Mapping[int, EntryRow], pages: Mapping[int, str]
) -> Context:
    entry = by_pk[entry_id]
    lives = table.lives_by_entry.get(entry_id)
    return {
        "key": entry.public_id,
        "name": entry_title(entry),
        "url": pages.get(entry.pk, ""),
        "withdrawn": entry.withdrawn,
        "out": lives == 0,
        "lives": None if lives is None else str(lives),
        "points": value_label("points", table.points[entry_id]),
    }


def _place(first: int, last: int, *, final: bool, alone: bool) -> Context:
    place = Place(first, last, settled=final)
    return {"place": str(place), "medal": medal_rank(place) if alone else None}


def _border_notes(
    cuts: Iterable[tuple[SourceCuts, QualifyingCut]], names: Mapping[int, str], *, final: bool
) -> list[str]:
    """Return the messages on who advances, for all later stages, without duplicates.

    Two stages may take their players at the same place of the table.
    """
    notes = (
        note for stage_cuts, cut in cuts for note in border_messages(stage_cuts, cut, names, final=final)
    )
    return list(dict.fromkeys(notes))


def border_messages(
    stage_cuts: SourceCuts, cut: QualifyingCut, names: Mapping[int, str], *, final: bool
) -> list[str]:
    """Return messages on which players advance from a table to a later stage, and what decided it.

    ``names``: names of the entries, keyed by id; ``final``: False leaves out what decided, because the places
    can still change.
    """
    message = advancement_message(stage_cuts.stage, stage_cuts.source, everybody=cut.takes >= len(cut.order))
    if not final:
        return [message]
    decisions = [
        decision for border in (cut.upper_border, cut.below) for decision in _decision_messages(border, names)
    ]
    return [message, *decisions] + [
        _(
            "%(names)s are tied on all criteria and all advance: a drawing of lots from the stored seed "
            "decides their order."
        )
        % {"names": _joined_names(group, names)}
        for group in cut.groups_ordered_by_lot
    ]


def _decision_messages(border: CutBorder, names: Mapping[int, str]) -> list[str]:
    if border.decided_by == "lot":
        template = _(
            "%(names)s are tied on all criteria: a drawing of lots from the stored seed decides who advances."
        )
        return [template % {"names": _joined_names(border.tied, names)}]
    if border.decided_by:
        template = _("The last qualifying place was decided by: %(name)s.")
        return [template % {"name": tie_break_name(border.decided_by)}]
    return []


def _joined_names(entries: Iterable[EntryId], names: Mapping[int, str]) -> str:
    return ", ".join(names[entry] for entry in entries)


def condition_rows(stage: Stage) -> list[tuple[str, str]]:
    """Return what a Swiss or round robin fixes before its start (rule F13), as (label, value) pairs."""
    settings = rounds_settings(stage)
    tie_break_row = (
        _("Tie-breaks"),
        ", ".join(tie_break_name(code) for code in settings.tie_breaks) or _("none"),
    )
    edition_row = (_("Tie-break rules"), edition_name(settings.edition))
    if not is_swiss(stage):
        groups = [(_("Groups"), str(settings.group_count))] if settings.group_count > 1 else []
        return [*groups, tie_break_row, edition_row]
    lives = [(_("Eliminated after"), _losses_label(settings.lives))] if settings.lives else []
    rounds = [] if settings.lives else [(_("Rounds"), str(settings.rounds))]
    return [
        *rounds,
        *lives,
        tie_break_row,
        edition_row,
        (_("Points for a bye"), half_points_label(settings.bye_points)),
        (_("Missed round (late entry)"), half_points_label(settings.late_points)),
        (_("Players of the same club"), separation_label(settings.clubs)),
    ]


def tie_break_contexts(stage: Stage) -> list[Context]:
    """Return the name, source, version and article of each tie-break of the stage, in order (rule F13)."""
    settings = rounds_settings(stage)
    return [
        {
            "name": tie_break_name(code),
            "source": tie_break_source(code, settings.edition),
            "version": get_tie_break(code).version(settings.edition),
            "article": tie_break_article(code, settings.edition),
        }
        for code in settings.tie_breaks
    ]


def _losses_label(lives: int) -> str:
    return ngettext("%(count)s loss", "%(count)s losses", lives) % {"count": lives}
