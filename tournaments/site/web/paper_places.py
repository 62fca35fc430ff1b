"""Template contexts of printouts after the event: places of a division, and all prizes of the event."""

from collections.abc import Mapping, Sequence

from tournaments.models import Event, Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.prizes import Prizes, prize_parts
from tournaments.selectors.standings.tables import is_round_based
from tournaments.shared.fragments.cards import Context, place_rows
from tournaments.shared.fragments.prizes import final_prizes_context
from tournaments.shared.fragments.standings import standings_contexts
from tournaments.shared.frames.divisions import stage_name
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.prizes import find_prize_part, shared_prize_notes, won_prizes_label


def place_parts(
    stages: Sequence[Stage], draws: Mapping[int, Draw], entries: tuple[EntryRow, ...], prizes: Prizes
) -> list[Context]:
    """Return every table and every drawn section of a bracket, with places and prizes."""
    parts: list[Context] = []
    for stage in stages:
        draw = draws[stage.pk]
        if not draw.rounds:
            continue
        name = stage_name(stage, list(stages)) if len(stages) > 1 else ""
        if is_round_based(stage):
            tables = standings_contexts(draw, entries, final=stage.status == "finished", prizes=prizes)
            parts += [
                {
                    "name": " · ".join(filter(None, (name, table["group"]))),
                    "table": table,
                    "notes": table["prize_notes"],
                }
                for table in tables
            ]
            continue
        paid_parts, ladders = prize_parts(prizes, stage, draw), draw.sections_sharing_places()
        for section in ladders:
            section_part = find_prize_part(paid_parts, section)
            prize_by_entry = (
                {e.public_id: won_prizes_label(prizes, section_part, e.pk) for e in entries}
                if section_part
                else {}
            )
            rows = place_rows(entries, draw.places(section))
            section_label = section_name(section) if len(ladders) > 1 else ""
            parts.append(
                {
                    "name": " · ".join(filter(None, (name, section_label))),
                    "rows": [{**row, "prize": prize_by_entry.get(row["key"], "")} for row in rows],
                    "prizes": any(prize_by_entry.values()),
                    "notes": shared_prize_notes(prizes, section_part) if section_part else [],
                }
            )
    return parts


def final_sheet(event: Event) -> Context:
    """Return the template context of all prizes of the event, division by division."""
    return final_prizes_context(event)
