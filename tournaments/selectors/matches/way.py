"""An entry's path through the draws of its division: matches played, the next match, and possible matches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.engine.brackets.consolation import FLIGHT_RULES
from tournaments.engine.brackets.structure import SourceKind
from tournaments.engine.brackets.way import BracketPaths, PathAhead, PathNode, PathSide, PathStep
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.engine.statuses import OVER, STAGE_UNDER_WAY, MatchStatus
from tournaments.engine.types import EntryId, MatchNo, Side
from tournaments.models import Entry, MatchSlot, Stage
from tournaments.selectors.matches.player import MyMatch
from tournaments.selectors.standings.tables import is_round_based

MAX_NAMED_OPPONENTS: Final = 4  # possible opponents that are named
_SIDE_INDEX: Final = {side.value: index for index, side in enumerate(Side)}


@dataclass(frozen=True, slots=True)
class StagePath:
    """An entry's path through one stage.

    ``onward``: what can come next in a bracket, or None; ``names``: names of possible opponents by entry id,
    as far as they are few; ``entries_by_match``: the two entries of a match from which an opponent comes, if
    both are known.
    """

    stage: Stage
    matches: tuple[MyMatch, ...]
    onward: PathAhead | None
    names: Mapping[EntryId, str]
    entries_by_match: Mapping[MatchNo, tuple[EntryId, EntryId]]


def stage_paths(entry: Entry, matches: Sequence[MyMatch]) -> list[StagePath]:
    """Return the paths of ``entry`` through each stage, in order of play; ``matches``: all its matches.

    Two queries for each bracket in which the entry can still play.
    """
    stages = {match.match.stage_id: match.match.stage for match in matches}
    return [
        _stage_path(entry, stage, [my_match for my_match in matches if my_match.match.stage_id == pk])
        for pk, stage in stages.items()
    ]


def _stage_path(entry: Entry, stage: Stage, matches: Sequence[MyMatch]) -> StagePath:
    own_matches = tuple(matches)
    is_under_way = stage.status in STAGE_UNDER_WAY and any(not match.over for match in own_matches)
    if not is_under_way or is_round_based(stage):
        return StagePath(stage, own_matches, None, {}, {})
    nodes = _bracket_nodes(stage)
    has_won = any(
        match.own_side.has_won or match.row.winner is match.side
        for match in own_matches
        if not match.row.is_bye
    )
    onward = BracketPaths(nodes.values()).onward(
        EntryId(entry.pk), has_won=has_won, closed_sections=_closed_sections(stage.settings.bracket)
    )
    if onward is None:
        return StagePath(stage, own_matches, None, {}, {})
    steps = [onward.now, *onward.wins, *([onward.loss] if onward.loss is not None else [])]
    met_in = {
        number: pair
        for step in steps
        if (number := step.against.match) and (pair := _known_pair(nodes[number]))
    }
    named_ids = {
        entry_id
        for step in steps
        if len(step.candidates) <= MAX_NAMED_OPPONENTS
        for entry_id in step.candidates
    }
    named_ids |= {entry_id for pair in met_in.values() for entry_id in pair}
    names = dict(Entry.objects.filter(pk__in=named_ids).values_list("pk", "name"))
    return StagePath(stage, own_matches, onward, {EntryId(pk): name for pk, name in names.items()}, met_in)


def possible_opponents(path: StagePath, step: PathStep) -> list[str]:
    """Return the names of all possible opponents in a step of the path, sorted.

    Empty if there are more than ``MAX_NAMED_OPPONENTS``.
    """
    if len(step.candidates) > MAX_NAMED_OPPONENTS:
        return []
    return sorted(path.names[entry_id] for entry_id in step.candidates if entry_id in path.names)


def _closed_sections(settings: BracketSettings) -> frozenset[str]:
    """Return the sections that entries cannot enter once they have won a match."""
    rows = (FLIGHT_RULES[flight.kind] for flight in settings.flights)
    return frozenset(row.section for row in rows if row.first_match_only)


def _known_pair(node: PathNode) -> tuple[EntryId, EntryId] | None:
    a, b = (line.entry for line in node.sides)
    return (a, b) if a is not None and b is not None else None


def _bracket_nodes(stage: Stage) -> dict[MatchNo, PathNode]:
    """Return every match of the bracket as needed for paths, without names, keyed by match number."""
    node_parts: dict[MatchNo, tuple[str, str, bool, dict[int, PathSide]]] = {}
    rows = MatchSlot.objects.filter(match__stage=stage).order_by()
    fields = (
        *("match__number", "match__round__section", "match__round__code", "match__status", "side"),
        *("source_kind", "source_match__number", "source_match__status", "by_hand", "entry_id"),
    )
    for number, section, code, status, side, kind, source, source_status, by_hand, entry in rows.values_list(
        *fields
    ):
        vacant = entry is None and (source_status in OVER or by_hand or kind == MatchSlot.SourceKind.BYE)
        line = PathSide(SourceKind(kind), source, entry, vacant)
        is_over = MatchStatus(status) in OVER
        node_parts.setdefault(number, (section, code, is_over, {}))[3][_SIDE_INDEX[side]] = line
    return {
        number: PathNode(number, section, code, (lines[0], lines[1]), is_over)
        for number, (section, code, is_over, lines) in node_parts.items()
    }
