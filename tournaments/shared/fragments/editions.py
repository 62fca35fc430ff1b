"""Comparison of the standings under each edition of the tie-break rules, for Swiss and round robin."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.standings.editions import EDITIONS, Edition
from tournaments.engine.standings.ranking import Place
from tournaments.engine.types import EntryId
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.standings.tables import StandingsTable, standings_tables, tables_for_edition
from tournaments.shared.fragments.cards import Context, player_urls_by_entry
from tournaments.shared.fragments.standings import value_label
from tournaments.shared.words.names import entry_title, group_name
from tournaments.shared.words.tie_breaks import edition_description, edition_name, tie_break_head


def edition_contexts(draw: Draw, entries: tuple[EntryRow, ...]) -> list[Context]:
    """Return a context for each table of a stage, with the places that every edition of the rules would give.

    Rows are in the order of the stage's own edition; each cell has the place and its difference from the
    place there.
    """
    by_pk, pages = {entry.pk: entry for entry in entries}, player_urls_by_entry(entries)
    tables = standings_tables(draw)
    edition_tables = {edition: tables_for_edition(draw, edition) for edition in EDITIONS}
    contexts = []
    for index, table in enumerate(tables):
        tables_by_edition = {edition: edition_tables[edition][index] for edition in EDITIONS}
        places = {edition: _places(edition_table) for edition, edition_table in tables_by_edition.items()}
        current_places = places[table.edition]
        contexts.append(
            {
                "key": table.group,
                "group": group_name(table.group) if table.group else "",
                "editions": [
                    _edition(edition, edition_table, table)
                    for edition, edition_table in tables_by_edition.items()
                ],
                "rows": [
                    {
                        "key": by_pk[row.entry].public_id,
                        "name": entry_title(by_pk[row.entry]),
                        "url": pages.get(row.entry, ""),
                        "points": value_label("points", table.points[row.entry]),
                        "places": [
                            _cell(
                                edition,
                                places[edition][row.entry],
                                current_places[row.entry],
                                is_own=edition is table.edition,
                            )
                            for edition in EDITIONS
                        ],
                    }
                    for row in table.rows
                ],
                "moved": _moved_messages(places, table.edition),
            }
        )
    return contexts


def edition_descriptions() -> list[Context]:
    """Return a template context for each edition: its ``name``, and in ``says`` how its rules differ."""
    return [{"name": edition_name(edition), "says": edition_description(edition)} for edition in EDITIONS]


def _places(table: StandingsTable) -> dict[EntryId, Place]:
    return {row.entry: Place(row.first, row.last, settled=True) for row in table.rows}


def _edition(edition: Edition, table: StandingsTable, own_table: StandingsTable) -> Context:
    left_out = [code for code in own_table.criteria if code not in table.criteria]
    return {
        "name": edition_name(edition),
        "is_own": edition is own_table.edition,
        "left_out": ", ".join(tie_break_head(code) for code in left_out),
    }


def _cell(edition: Edition, place: Place, current_place: Place, *, is_own: bool) -> Context:
    difference = current_place.first - place.first or current_place.last - place.last
    return {
        "label": edition_name(edition),
        "place": str(place),
        "is_own": is_own,
        "up": difference > 0,
        "down": difference < 0,
        "words": _difference_label(difference),
    }


def _difference_label(difference: int) -> str:
    if difference > 0:
        return ngettext("%(count)s place better", "%(count)s places better", difference) % {
            "count": difference
        }
    if difference < 0:
        return ngettext("%(count)s place worse", "%(count)s places worse", -difference) % {
            "count": -difference
        }
    return ""


def _moved_messages(places: Mapping[Edition, Mapping[EntryId, Place]], own_edition: Edition) -> list[str]:
    """Return for each other edition a message on how many entries would have another place under it."""
    sentences = []
    for edition in EDITIONS:
        if edition is own_edition:
            continue
        moved_count = sum(place != places[own_edition][entry] for entry, place in places[edition].items())
        if moved_count:
            moved_label = ngettext(
                "%(count)s player would have a different place",
                "%(count)s players would have a different place",
                moved_count,
            )
            sentences.append(f"{edition_name(edition)}: {moved_label % {'count': moved_count}}.")
        else:
            same_label = _("all places would be the same")
            sentences.append(f"{edition_name(edition)}: {same_label}.")
    return sentences
