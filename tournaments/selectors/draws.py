"""Draws as values: rounds, their matches, who stands on which side and why. Three queries for any number of any size."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tournaments.engine.brackets.structure import THIRD_PLACE, Bracket, single_elimination
from tournaments.engine.lifecycle import MatchStatus
from tournaments.engine.standings.ranking import Place, elimination_places
from tournaments.engine.types import EntryId, MatchNo, Outcome, ResultKind, Side
from tournaments.models import Match, MatchSlot, Round, Stage

OVER = frozenset({MatchStatus.CONFIRMED, MatchStatus.VOID})
NOW = (
    MatchStatus.PLAYING,
    MatchStatus.CALLED,
    MatchStatus.REPORTED,
    MatchStatus.DISPUTED,
    MatchStatus.READY,
)


@dataclass(frozen=True, slots=True)
class DrawnSide:
    """One side of a match. ``entry_id`` None: a bye, nobody (both lost), or not known yet."""

    side: Side
    source_kind: str
    source_number: MatchNo | None
    entry_id: EntryId | None
    entry_public_id: str
    name: str
    seed: int | None
    vacant: bool


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """A match of the draw with both its sides, a first."""

    pk: int
    public_id: str
    number: MatchNo
    round_number: int
    round_code: str
    position: int
    status: MatchStatus
    length: int
    table: int | None
    result_kind: str
    winner: Side | None
    scores: tuple[int | None, int | None]
    version: int
    sides: tuple[DrawnSide, DrawnSide]

    @property
    def is_bye(self) -> bool:
        """Settled by the draw: nobody played, and nobody waits for it."""
        return self.result_kind == ResultKind.BYE or self.status is MatchStatus.VOID

    def side_of(self, entry_id: int) -> DrawnSide | None:
        return next((side for side in self.sides if side.entry_id == entry_id), None)


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round and its matches from the top of the draw down."""

    number: int
    code: str
    length: int
    entries_left: int
    matches: tuple[DrawnMatch, ...]
    seed: str = ""
    rests: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Draw:
    """The whole draw of a stage; one that is not drawn has no rounds."""

    stage: Stage
    rounds: tuple[DrawnRound, ...]

    @cached_property
    def matches(self) -> tuple[DrawnMatch, ...]:
        return tuple(match for round_ in self.rounds for match in round_.matches)

    @property
    def champion(self) -> DrawnSide | None:
        """Who won the final, once somebody has."""
        final = next((r.matches[0] for r in self.rounds if r.code == "final"), None)
        if final is None or final.winner is None:
            return None
        return final.sides[0 if final.winner is Side.A else 1]

    def now(self) -> list[DrawnMatch]:
        """Matches that are being played or can be, in the order in which a hall looks for them."""
        found = [match for match in self.matches if match.status in NOW]
        return sorted(found, key=lambda m: (NOW.index(m.status), m.table or 10_000, m.number))

    def bracket(self) -> Bracket:
        """The engine's bracket, rebuilt from the first round's lines."""
        lines = [side.entry_id for match in self.rounds[0].matches for side in match.sides]
        third = any(round_.code == THIRD_PLACE for round_ in self.rounds)
        return single_elimination(lines, third_place=third)

    def results(self) -> dict[MatchNo, Outcome]:
        """What was played or ruled; byes follow from the bracket itself."""
        return {
            match.number: Outcome(match.winner, ResultKind(match.result_kind))
            for match in self.matches
            if match.status is MatchStatus.CONFIRMED and match.result_kind != ResultKind.BYE
        }

    def places(self) -> dict[EntryId, Place]:
        """The place of every entry at this moment, best first."""
        return elimination_places(self.bracket(), self.results()) if self.rounds else {}

    def played(self) -> tuple[int, int]:
        """How many of the matches that need play are over, and how many there are."""
        real = [match for match in self.matches if not match.is_bye]
        return sum(match.status in OVER for match in real), len(real)


def draw_of(stage: Stage) -> Draw:
    """The draw of one stage."""
    return draws_of([stage])[stage.pk]


def draws_of(stages: Iterable[Stage]) -> dict[int, Draw]:
    """The draws of ``stages`` by their database ids."""
    by_pk = {stage.pk: stage for stage in stages}
    rounds = list(Round.objects.filter(stage__in=by_pk).order_by("stage_id", "number"))
    rounds_by_pk = {round_.pk: round_ for round_ in rounds}
    rows = {match.pk: match for match in Match.objects.filter(stage__in=by_pk).order_by("stage_id", "number")}
    sides = _sides(by_pk, rows)
    matches: dict[int, list[DrawnMatch]] = {pk: [] for pk in rounds_by_pk}
    for match in rows.values():
        matches[match.round_id].append(_match(match, rounds_by_pk[match.round_id], sides[match.pk]))
    found: dict[int, list[DrawnRound]] = {pk: [] for pk in by_pk}
    for r in rounds:
        in_order = tuple(sorted(matches[r.pk], key=lambda m: m.position))
        found[r.stage_id].append(
            DrawnRound(r.number, r.code, r.length, r.entries_left, in_order, r.seed, r.rests)
        )
    return {pk: Draw(stage, tuple(found[pk])) for pk, stage in by_pk.items()}


def drawn_match(match: Match, slots: Mapping[Side, MatchSlot] | None = None) -> DrawnMatch:
    """One match (``round`` fetched with it) in the same shape; one query unless its slots are handed over."""
    if slots is None:
        rows = MatchSlot.objects.filter(match=match).select_related("entry", "source_match")
        slots = {Side(slot.side): slot for slot in rows}
    sides = {side: _side(slot, slot.source_match) for side, slot in slots.items()}
    return _match(match, match.round, sides)


def _sides(stages: Iterable[int], matches: dict[int, Match]) -> dict[int, dict[Side, DrawnSide]]:
    found: dict[int, dict[Side, DrawnSide]] = {pk: {} for pk in matches}
    for slot in MatchSlot.objects.filter(match__stage__in=stages).select_related("entry"):
        source = matches[slot.source_match_id] if slot.source_match_id else None
        found[slot.match_id][Side(slot.side)] = _side(slot, source)
    return found


def _side(slot: MatchSlot, source: Match | None) -> DrawnSide:
    entry = slot.entry
    over = source is not None and source.status in OVER
    return DrawnSide(
        side=Side(slot.side),
        source_kind=slot.source_kind,
        source_number=MatchNo(source.number) if source is not None else None,
        entry_id=EntryId(entry.pk) if entry is not None else None,
        entry_public_id=entry.public_id if entry is not None else "",
        name=entry.name if entry is not None else "",
        seed=entry.seed if entry is not None else None,
        vacant=entry is None and (over or slot.source_kind == MatchSlot.SourceKind.BYE),
    )


def _match(match: Match, round_: Round, sides: dict[Side, DrawnSide]) -> DrawnMatch:
    return DrawnMatch(
        pk=match.pk,
        public_id=match.public_id,
        number=MatchNo(match.number),
        round_number=round_.number,
        round_code=round_.code,
        position=match.position,
        status=MatchStatus(match.status),
        length=match.length,
        table=match.table,
        result_kind=match.result_kind,
        winner=Side(match.winner_side) if match.winner_side else None,
        scores=(match.score_a, match.score_b),
        version=match.version,
        sides=(sides[Side.A], sides[Side.B]),
    )
