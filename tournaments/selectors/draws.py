"""Draws of stages as values: rounds, matches, sides. Three queries for one draw, four for any number."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from faults import Missing
from people.snapshot import snapshot
from tournaments.engine.brackets.progression import MatchState, advance
from tournaments.engine.brackets.sections import SECTIONS
from tournaments.engine.brackets.structure import (
    MAIN,
    THIRD_PLACE,
    Arrival,
    Bracket,
    SlotTarget,
    SourceKind,
    entrant_counts,
)
from tournaments.engine.stages.elimination import bracket_with_flights
from tournaments.engine.standings.ranking import Place, places_from_states
from tournaments.engine.statuses import (
    AWAITING_RESULT,
    OVER,
    PLAYERS_BUSY,
    UNSETTLED,
    EntryStatus,
    MatchStatus,
)
from tournaments.engine.types import EntryId, MatchNo, Outcome, ResultKind, Side
from tournaments.models import Entry, Match, MatchSlot, Round, Stage
from tournaments.selectors.seats import lineup_names_by_id

PLAY_OFF_CODE = "play_off"  # the code of a round that breaks a tie
# Statuses of open matches, in display order.
LIVE_STATUSES = (
    *reversed(PLAYERS_BUSY),
    *UNSETTLED,
    *(status for status in AWAITING_RESULT if status not in (*PLAYERS_BUSY, *UNSETTLED)),
)
MATCH_FIELDS = (
    *("pk", "public_id", "number", "round_id", "position", "status", "length", "table", "result_kind"),
    *("winner_side", "score_a", "score_b", "version", "start_a", "start_b", "adjourned_text"),
)
_NOT_ADJOURNED: Mapping[str, Any] = MappingProxyType({})
# Looked up for every match: three times as fast as calling the enumeration.
_STATUS_BY_VALUE = {status.value: status for status in MatchStatus}
_SIDE_BY_VALUE = {side.value: side for side in Side}
_LOSER, _BYE = MatchSlot.SourceKind.LOSER_OF.value, MatchSlot.SourceKind.BYE.value
EMPTY_LINE_KINDS = (MatchSlot.SourceKind.BYE, MatchSlot.SourceKind.HELD)
SLOT_FIELDS = (
    *("match_id", "side", "source_kind", "source_match_id", "by_hand", "has_won", "former_id", "entry_id"),
)
ENTRY_FIELDS = ("public_id", "name", "seed")


# A tuple, as for matches: there are thousands, and a dataclass takes three times as long to create.
class DrawnSide(NamedTuple):
    """One side of a match. ``entry_id``: None for a bye, for nobody (both lost) or while it is not known yet.

    ``vacant``: no entry will come to this side; ``former_lineup_id``: id of the former lineup that ``name`` names.
    """

    side: Side
    source_kind: str
    source_number: MatchNo | None
    entry_id: EntryId | None
    entry_public_id: str
    name: str
    seed: int | None
    vacant: bool
    is_placed_by_hand: bool = False
    has_won: bool = False
    former_lineup_id: int | None = None

    @property
    def is_open_line(self) -> bool:
        """Whether this side is a bracket line reserved for a late entry or re-entry, and still empty."""
        return self.source_kind == MatchSlot.SourceKind.HELD and self.entry_id is None and not self.vacant


class DrawnMatch(NamedTuple):
    """A match of a draw with its two sides, side a first; ``start``: the points with which they begin."""

    pk: int
    public_id: str
    number: MatchNo
    round_number: int
    round_code: str
    section: str
    position: int
    status: MatchStatus
    length: int
    table: int | None
    result_kind: str
    winner: Side | None
    scores: tuple[int | None, int | None]
    version: int
    sides: tuple[DrawnSide, DrawnSide]
    start: tuple[int, int] = (0, 0)
    adjourned: Mapping[str, Any] = _NOT_ADJOURNED

    @property
    def is_bye(self) -> bool:
        """Whether the draw alone decides the match, so that it is not played."""
        return self.result_kind == ResultKind.BYE or self.status is MatchStatus.VOID

    def side_of(self, entry_id: int) -> DrawnSide | None:
        return next((side for side in self.sides if side.entry_id == entry_id), None)


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round and its matches, from the top of the bracket to the bottom."""

    number: int
    code: str
    length: int
    entries_left: int
    matches: tuple[DrawnMatch, ...]
    section: str = MAIN
    seed: str = ""
    rests: Mapping[str, int] = field(default_factory=dict)
    deadline: date | None = None
    swaps: Sequence[Sequence[int]] = ()
    ratings: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Draw:
    """The whole draw of a stage; ``rounds`` is empty while nothing is drawn.

    ``play_offs``: matches that decide between entries tied in a table; they are not rounds of the stage.
    """

    stage: Stage
    rounds: tuple[DrawnRound, ...]
    play_offs: tuple[DrawnRound, ...] = ()

    @cached_property
    def matches(self) -> tuple[DrawnMatch, ...]:
        return tuple(match for round_ in (*self.rounds, *self.play_offs) for match in round_.matches)

    @cached_property
    def withdrawn(self) -> frozenset[EntryId]:
        """Ids of the withdrawn entries of the division."""
        rows = Entry.objects.filter(division=self.stage.division_id, status=EntryStatus.WITHDRAWN)
        return frozenset(EntryId(pk) for pk in rows.values_list("pk", flat=True))

    @property
    def champion(self) -> DrawnSide | None:
        """The winner of the main draw's final (in a double elimination: of the last final), or None."""
        return self.champion_of(self.sections_sharing_places().get(MAIN, (MAIN,))[-1])

    def champion_of(self, section: str) -> DrawnSide | None:
        """Return the winner of the last match of a section, or None if it is not decided."""
        ladder = [r for r in self.rounds if r.section == section and r.code != THIRD_PLACE]
        final = ladder[-1].matches[0] if ladder else None
        if final is None or final.winner is None:
            return None
        return final.sides[0 if final.winner is Side.A else 1]

    @property
    def sections(self) -> tuple[str, ...]:
        """The names of the bracket's sections in the order of the draw; a Swiss or round robin has one."""
        return tuple(dict.fromkeys(r.section for r in self.rounds))

    def sections_sharing_places(self) -> dict[str, tuple[str, ...]]:
        """Return the groups of sections that share their places, keyed by the first section of each group."""
        sections_by_ladder: dict[str, tuple[str, ...]] = {}
        for section in self.sections:
            ladder = SECTIONS[section].first_ranked_section
            sections_by_ladder[ladder] = (*sections_by_ladder.get(ladder, ()), section)
        return sections_by_ladder

    def now(self) -> list[DrawnMatch]:
        """Return the matches that are being played or could be, in display order."""
        live_matches = [match for match in self.matches if match.status in LIVE_STATUSES]
        return sorted(
            live_matches, key=lambda m: (LIVE_STATUSES.index(m.status), m.table or 10_000, m.number)
        )

    def bracket(self) -> Bracket:
        """Return the engine's bracket with all its sections, rebuilt from the lines of the first round."""
        return self._bracket

    @cached_property
    def _bracket(self) -> Bracket:
        settings = self.stage.settings.bracket
        return bracket_with_flights(self.stage.system, self.stage.lengths, settings, self.lines())

    def lines(self) -> list[EntryId | None]:
        """Return the entry on each bracket line, from the top; None for a bye or a reserved line."""
        return [
            None if side.source_kind in EMPTY_LINE_KINDS else side.entry_id
            for match in self.rounds[0].matches
            for side in match.sides
        ]

    def entries_placed_by_hand(self) -> dict[SlotTarget, EntryId | None]:
        """Return the entries that the director placed, keyed by match number and side; None: no entry."""
        return {
            SlotTarget(match.number, side.side): side.entry_id
            for match in self.matches
            for side in match.sides
            if side.is_placed_by_hand
        }

    def outcomes(self) -> dict[MatchNo, Outcome]:
        """Return the outcomes of confirmed matches, keyed by match number; byes are left out."""
        return {
            match.number: Outcome(match.winner, ResultKind(match.result_kind))
            for match in self.matches
            if match.status is MatchStatus.CONFIRMED and match.result_kind != ResultKind.BYE
        }

    @cached_property
    def _states(self) -> Mapping[MatchNo, MatchState]:
        return advance(self.bracket(), self.outcomes(), self.entries_placed_by_hand()).matches

    def states(self) -> Mapping[MatchNo, MatchState]:
        """Return the engine's state of every match of a bracket, keyed by match number."""
        return self._states

    def places(self, section: str = MAIN) -> dict[EntryId, Place]:
        """Return the current places in the sections that share places with ``section``, keyed by entry id."""
        if not self.rounds:
            return {}
        return places_from_states(self.bracket(), self._states, self.sections_sharing_places()[section])

    @cached_property
    def _entrant_counts(self) -> Mapping[int, int]:
        """The number of entries that can reach each match (at most 2), keyed by match number."""
        return entrant_counts(
            (match.number, map(_arrival, match.sides))
            for match in sorted(self.matches, key=lambda match: match.number)
        )

    def can_have_entry(self, side: DrawnSide) -> bool:
        """Return whether the side has an entry or can still get one; the loser of a bye never comes."""
        arrival = _arrival(side)
        if isinstance(arrival, bool):
            return arrival
        return self._entrant_counts[arrival[1]] > (arrival[0] is SourceKind.LOSER_OF)

    def needs_play(self, match: DrawnMatch) -> bool:
        """Return whether two entries have met in the match or can still meet there."""
        return not match.is_bye and self._entrant_counts[match.number] == len(Side)

    def played(self) -> tuple[int, int]:
        """Return how many matches with two possible entries are over, and how many such matches there are."""
        needed_matches = [match for match in self.matches if self.needs_play(match)]
        return sum(match.status in OVER for match in needed_matches), len(needed_matches)


def _arrival(side: DrawnSide) -> Arrival:
    if side.entry_id is not None or side.vacant or side.source_number is None:
        return side.entry_id is not None or side.is_open_line
    return SourceKind(side.source_kind), side.source_number


def load_draw(stage: Stage) -> Draw:
    """Load the draw of one stage; without rounds if nothing is drawn."""
    return load_draws([stage])[stage.pk]


@snapshot()
def load_draws(stages: Iterable[Stage]) -> dict[int, Draw]:
    """Load the draws of ``stages``, as a dictionary keyed by stage id."""
    by_pk = {stage.pk: stage for stage in stages}
    rounds = list(Round.objects.filter(stage__in=by_pk).order_by("stage_id", "number"))
    rounds_by_pk = {round_.pk: round_ for round_ in rounds}
    # As text: nearly no match was adjourned, and parsing JSON for every row is slow.
    match_rows = Match.objects.filter(stage__in=by_pk).annotate(adjourned_text=Cast("adjourned", TextField()))
    # Plain rows: a draw of 1,024 has thousands, and model instances take longer than all else together.
    rows = {
        row.pk: row
        for row in match_rows.order_by("stage_id", "number").values_list(*MATCH_FIELDS, named=True)
    }
    sides = _load_sides(by_pk.values(), rows)
    matches: dict[int, list[DrawnMatch]] = {pk: [] for pk in rounds_by_pk}
    # Matches by stage and number that at most one side reaches.
    vacant_sources: set[tuple[int, MatchNo | None]] = set()
    for row in rows.values():
        round_ = rounds_by_pk[row.round_id]
        match_sides = sides[row.pk]
        for side, drawn_side in match_sides.items():
            if (
                drawn_side.source_kind == _LOSER
                and (round_.stage_id, drawn_side.source_number) in vacant_sources
            ):
                match_sides[side] = drawn_side = drawn_side._replace(vacant=drawn_side.entry_id is None)  # noqa: PLW2901
            if drawn_side.vacant:
                vacant_sources.add((round_.stage_id, MatchNo(row.number)))
        matches[row.round_id].append(_build_match(row, round_, match_sides))
    rounds_by_stage: dict[int, list[DrawnRound]] = {pk: [] for pk in by_pk}
    for r in rounds:
        ordered_matches = tuple(sorted(matches[r.pk], key=lambda m: m.position))
        round_fields = (r.section, r.seed, r.rests, r.deadline, r.swaps, r.ratings)
        rounds_by_stage[r.stage_id].append(
            DrawnRound(r.number, r.code, r.length, r.entries_left, ordered_matches, *round_fields)
        )
    return {
        pk: Draw(
            stage,
            tuple(r for r in rounds_by_stage[pk] if r.code != PLAY_OFF_CODE),
            tuple(r for r in rounds_by_stage[pk] if r.code == PLAY_OFF_CODE),
        )
        for pk, stage in by_pk.items()
    }


def drawn_match(match: Match, slots: Mapping[Side, MatchSlot] | None = None) -> DrawnMatch:
    """Return one match (``round`` fetched with it) as a value; one query unless ``slots`` are given."""
    if slots is None:
        rows = MatchSlot.objects.filter(match=match).select_related("entry", "former", "source_match")
        slots = {Side(slot.side): slot for slot in rows}
    sides = {side: _side_from_slot(slot) for side, slot in slots.items()}
    return _build_match(match, match.round, sides)


def match_with_slots(slot_filter: Q) -> tuple[Match, dict[Side, MatchSlot]] | None:
    """Return the match whose slots fit ``slot_filter``, and its slots by side, or None; one query."""
    rows = MatchSlot.objects.filter(slot_filter).order_by()
    rows = rows.select_related("entry", "former", "source_match", "match__round")
    match_slots = list(rows.select_related("match__stage__division__event__club"))
    return (match_slots[0].match, {Side(slot.side): slot for slot in match_slots}) if match_slots else None


def current_match(pk: int) -> tuple[Match, DrawnMatch]:
    """Return the match of this id as row and as value; raise ``Missing`` if there is none. One query."""
    match_and_slots = match_with_slots(Q(match=pk))
    if match_and_slots is None:
        raise Missing("match.unknown")
    return match_and_slots[0], drawn_match(*match_and_slots)


def _load_sides(stages: Collection[Stage], matches: Mapping[int, Any]) -> dict[int, dict[Side, DrawnSide]]:
    fields: tuple[str, ...] = (*SLOT_FIELDS, *(f"entry__{name}" for name in ENTRY_FIELDS))
    entries: dict[int, list[Any]] = {}
    if len(stages) > 1:  # of one, a statement more costs as much as it spares
        entered = Entry.objects.filter(division__in={stage.division_id for stage in stages}).order_by()
        entries = {pk: entry for pk, *entry in entered.values_list("pk", *ENTRY_FIELDS)}
        fields = SLOT_FIELDS
    sides_by_match: dict[int, dict[Side, DrawnSide]] = {pk: {} for pk in matches}
    rows = MatchSlot.objects.filter(match__stage__in=stages).order_by()
    former_sides: list[tuple[int, Side, int]] = []
    for match, side_code, kind, source_id, by_hand, has_won, former, pk, *entry_fields in rows.values_list(
        *fields
    ):
        side, source = _SIDE_BY_VALUE[side_code], matches[source_id] if source_id else None
        entry = (pk, *(entry_fields or entries[pk])) if pk else None
        sides_by_match[match][side] = _build_side(side, kind, source, by_hand, has_won, entry)
        if former is not None:
            former_sides.append((match, side, former))
    names = lineup_names_by_id(pk for *_seat, pk in former_sides)
    for match, side, pk in former_sides:
        sides_by_match[match][side] = sides_by_match[match][side]._replace(
            name=names[pk], former_lineup_id=pk
        )
    return sides_by_match


def _build_side(
    side: Side, kind: str, source: Any, by_hand: bool, has_won: bool, entry: Sequence[Any] | None
) -> DrawnSide:
    """``source``: row of the match that the entry comes from; ``entry``: id, public id, name and seed."""
    pk, public_id, name, seed = entry or (None, "", "", None)
    is_source_over = source is not None and source.status in OVER
    number = None if source is None else source.number
    vacant = pk is None and (is_source_over or by_hand or kind == _BYE)
    return DrawnSide(side, kind, number, pk, public_id, name, seed, vacant, by_hand, has_won)


def _side_from_slot(slot: MatchSlot) -> DrawnSide:
    entry = slot.entry
    entry_fields = (entry.pk, entry.public_id, entry.name, entry.seed) if entry is not None else None
    side = _build_side(
        Side(slot.side), slot.source_kind, slot.source_match, slot.by_hand, slot.has_won, entry_fields
    )
    return (
        side if slot.former is None else side._replace(name=slot.former.name, former_lineup_id=slot.former_id)
    )


def _build_match(match: Any, round_: Round, sides: Mapping[Side, DrawnSide]) -> DrawnMatch:
    return DrawnMatch(
        match.pk,
        match.public_id,
        match.number,
        round_.number,
        round_.code,
        round_.section,
        match.position,
        _STATUS_BY_VALUE[match.status],
        match.length,
        match.table,
        match.result_kind,
        _SIDE_BY_VALUE[match.winner_side] if match.winner_side else None,
        (match.score_a, match.score_b),
        match.version,
        (sides[Side.A], sides[Side.B]),
        (match.start_a, match.start_b),
        match.adjourned if isinstance(match, Match) else _parse_adjourned(match.adjourned_text),
    )


def _parse_adjourned(text: str) -> Mapping[str, Any]:
    return _NOT_ADJOURNED if text == "{}" else json.loads(text)
