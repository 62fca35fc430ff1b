"""Papers of the end: the places of a division with its prizes, and who gets which prize in the whole event."""

from collections.abc import Mapping, Sequence

from tournaments.models import Event, Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.prizes import Prizes, paid_in
from tournaments.selectors.standings.tables import in_rounds
from tournaments.shared.fragments.cards import Shape, place_rows
from tournaments.shared.fragments.prizes import final_shape
from tournaments.shared.fragments.standings import standings_shapes
from tournaments.shared.frames.divisions import stage_name
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.prizes import paid_for, share_notes, share_words


def places(
    stages: Sequence[Stage], draws: Mapping[int, Draw], entries: tuple[EntryRow, ...], prizes: Prizes
) -> list[Shape]:
    """Every table and every part of a bracket that has been drawn, with places and what they bring."""
    parts: list[Shape] = []
    for stage in stages:
        draw = draws[stage.pk]
        if not draw.rounds:
            continue
        name = stage_name(stage, list(stages)) if len(stages) > 1 else ""
        if in_rounds(stage):
            tables = standings_shapes(draw, entries, final=stage.status == "finished", prizes=prizes)
            parts += [
                {
                    "name": " · ".join(filter(None, (name, one["group"]))),
                    "table": one,
                    "notes": one["prize_notes"],
                }
                for one in tables
            ]
            continue
        paid, ladders = paid_in(prizes, stage, draw), draw.ladders()
        for section in ladders:
            own = paid_for(paid, section)
            won = {e.public_id: share_words(prizes, own, e.pk) for e in entries} if own else {}
            rows = place_rows(entries, draw.places(section))
            part = section_name(section) if len(ladders) > 1 else ""
            parts.append(
                {
                    "name": " · ".join(filter(None, (name, part))),
                    "rows": [{**row, "prize": won.get(row["key"], "")} for row in rows],
                    "prizes": any(won.values()),
                    "notes": share_notes(prizes, own) if own else [],
                }
            )
    return parts


def final_sheet(event: Event) -> Shape:
    """All prizes of the event, division by division."""
    return final_shape(event)
