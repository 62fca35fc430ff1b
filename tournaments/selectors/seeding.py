"""The frozen list of a stage before a draw: entries, seeds, marks, and the settings of the draw."""

from collections.abc import Mapping, Sequence
from typing import Any

from faults import Conflict
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.lots.committed import DrawKind
from tournaments.engine.lots.lists import FROZEN_LIST_VERSION, entries_to_json, number_marks
from tournaments.engine.pairing.round_robin import MAX_GROUP_SIZE
from tournaments.engine.stages.elimination import SeparateBy
from tournaments.engine.types import EntryId
from tournaments.models import Entry, EntryPlayer, Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.rounds.next import pairing_list, stage_participants
from tournaments.selectors.standings.feeds import unresolved_feeds
from tournaments.selectors.standings.tables import is_round_based, is_swiss, rounds_settings


def draw_participants(stage: Stage) -> list[Entry]:
    """Return the participants of a draw: active entries of the division, or those that have qualified.

    Entries qualified by result come best first, all others sorted by id. Raises ``Conflict`` if an earlier
    stage from which they qualify, or the required rounds of it, are not over.
    """
    for previous_stage, source in unresolved_feeds(stage):
        code = "draw.stage_before_not_over" if source.by_result else "draw.rounds_before_not_over"
        raise Conflict(code, present=previous_stage)
    return stage_participants(stage)


def max_entries(stage: Stage) -> int:
    """Return the maximum number of entries that the draw of a stage can have."""
    if is_round_based(stage) and not is_swiss(stage):
        return MAX_GROUP_SIZE * rounds_settings(stage).group_count
    return MAX_ENTRIES


def draw_list(stage: Stage, entries: Sequence[Entry]) -> dict[str, Any]:
    """Return the frozen list (the input as JSON) for the draw of a bracket or round robin.

    It contains ids, seeds, marks and settings, no names. Seeds are included only if the stage is seeded and
    not fed by results.
    """
    is_fed = stage.fed_by_id is not None and stage.settings.feed.by_result
    is_seeded = not is_fed and stage.draw_method == Stage.DrawMethod.SEEDED
    separate_by = () if is_round_based(stage) else stage.settings.bracket.apart
    seeds = {EntryId(entry.pk): entry.seed for entry in entries if is_seeded and entry.seed is not None}
    marks = {
        str(kind): number_marks(entry_marks)
        for kind, entry_marks in _apart_marks_by_kind(separate_by, entries).items()
    }
    open_lines = stage.settings.bracket.open_lines
    return {
        "v": FROZEN_LIST_VERSION,
        "what": str(DrawKind.DRAW),
        "stage": stage.pk,
        "system": str(stage.system),
        "method": str(stage.draw_method),
        "order": "qualified" if is_fed else "lot",
        "apart": [str(kind) for kind in separate_by],
        "groups": rounds_settings(stage).group_count if is_round_based(stage) else 0,
        **({"open": open_lines} if open_lines else {}),
        "entries": entries_to_json([EntryId(entry.pk) for entry in entries], seeds, marks),
    }


def next_draw_list(stage: Stage, draw: Draw, entries: Sequence[Entry]) -> dict[str, Any]:
    """Return the frozen list (the input as JSON) for the next draw of a stage of any system.

    ``entries``: the participants of the draw.
    """
    if is_round_based(stage) and is_swiss(stage):
        return pairing_list(stage, draw)
    return draw_list(stage, entries)


def _apart_marks_by_kind(
    separate_by: Sequence[SeparateBy], entries: Sequence[Entry]
) -> dict[SeparateBy, Mapping[EntryId, str]]:
    """Return the marks that keep entries apart: kind of separation to a dictionary of entry id to mark.

    For a team, the first player's club and country count.
    """
    if not separate_by:
        return {}
    marks_by_kind: dict[SeparateBy, dict[EntryId, str]] = {
        SeparateBy.PARTY: {EntryId(entry.pk): entry.party for entry in entries if entry.party},
        SeparateBy.CLUB: {},
        SeparateBy.COUNTRY: {},
    }
    rows = EntryPlayer.objects.filter(entry__in=entries).order_by("-position", "pk")
    for pk, club, country in rows.values_list("entry_id", "player__home_club_id", "player__country"):
        if club is not None:
            marks_by_kind[SeparateBy.CLUB][EntryId(pk)] = str(club)
        if country:
            marks_by_kind[SeparateBy.COUNTRY][EntryId(pk)] = country
    return {kind: marks_by_kind[kind] for kind in separate_by}
