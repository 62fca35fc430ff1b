"""What is frozen of a stage before a draw: who takes part, their seeds and marks, and the settings that a draw depends on."""

from collections.abc import Mapping, Sequence
from typing import Any

from faults import Conflict
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.lots.committed import What
from tournaments.engine.lots.lists import LIST_VERSION, listed, numbered
from tournaments.engine.pairing.round_robin import MOST_IN_GROUP
from tournaments.engine.stages.elimination import Apart
from tournaments.engine.types import EntryId
from tournaments.models import Entry, EntryPlayer, Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.rounds.next import list_to_pair, taking_part
from tournaments.selectors.standings.feeds import waits_for
from tournaments.selectors.standings.tables import in_rounds, is_swiss, settings_of


def entries_to_draw(stage: Stage) -> list[Entry]:
    """The active entries of the division in the order of entering, or of the stages before those who go on, best first; losers by lot."""
    for before, source in waits_for(stage):
        code = "draw.stage_before_not_over" if source.by_result else "draw.rounds_before_not_over"
        raise Conflict(code, present=before)
    return taking_part(stage)


def most_entries(stage: Stage) -> int:
    """How many entries the draw of a stage can have."""
    if in_rounds(stage) and not is_swiss(stage):
        return MOST_IN_GROUP * settings_of(stage).group_count
    return MAX_ENTRIES


def list_to_draw(stage: Stage, entries: Sequence[Entry]) -> dict[str, Any]:
    """The list that the draw of an elimination or round robin falls among, and its settings; ids, seeds, marks and no names."""
    fed = stage.fed_by_id is not None and stage.settings.feed.by_result
    ranked = not fed and stage.draw_method == Stage.DrawMethod.SEEDED
    wanted = () if in_rounds(stage) else stage.settings.bracket.apart
    seeds = {EntryId(entry.pk): entry.seed for entry in entries if ranked and entry.seed is not None}
    marks = {str(kind): numbered(of) for kind, of in _marks(wanted, entries).items()}
    held = stage.settings.bracket.open_lines
    return {
        "v": LIST_VERSION,
        "what": str(What.DRAW),
        "stage": stage.pk,
        "system": str(stage.system),
        "method": str(stage.draw_method),
        "order": "qualified" if fed else "lot",
        "apart": [str(kind) for kind in wanted],
        "groups": settings_of(stage).group_count if in_rounds(stage) else 0,
        **({"open": held} if held else {}),
        "entries": listed([EntryId(entry.pk) for entry in entries], seeds, marks),
    }


def list_of(stage: Stage, draw: Draw, entries: Sequence[Entry]) -> dict[str, Any]:
    """The list on which the next draw of a stage falls, whatever its system."""
    if in_rounds(stage) and is_swiss(stage):
        return list_to_pair(stage, draw)
    return list_to_draw(stage, entries)


def _marks(wanted: Sequence[Apart], entries: Sequence[Entry]) -> dict[Apart, Mapping[EntryId, str]]:
    """For each kind of tie the mark of every entry that has one."""
    if not wanted:
        return {}
    found: dict[Apart, dict[EntryId, str]] = {
        Apart.PARTY: {EntryId(entry.pk): entry.party for entry in entries if entry.party},
        Apart.CLUB: {},
        Apart.COUNTRY: {},
    }
    rows = EntryPlayer.objects.filter(entry__in=entries).order_by("-position", "pk")
    for pk, club, country in rows.values_list("entry_id", "player__home_club_id", "player__country"):
        if club is not None:
            found[Apart.CLUB][EntryId(pk)] = str(club)
        if country:
            found[Apart.COUNTRY][EntryId(pk)] = country
    return {kind: found[kind] for kind in wanted}
