"""Preview of a correction of a result, before anything is written.

A preview contains moves in the bracket, cancelled results, places, tables and ratings, and carries
``version``, a hash of everything it depends on. The service computes the preview again under the event's lock
and raises ``Conflict`` if the hash has changed.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rating.selectors import CorrectionPreview as RatingPreview
from rating.selectors import preview_correction
from tournaments.engine.brackets.correction import Consequence, Repair, preview_repairs
from tournaments.engine.brackets.progression import SlotState, advance
from tournaments.engine.matches.reporting import claim_outcome
from tournaments.engine.matches.result_kinds import RESULT_RULES
from tournaments.engine.standings.ranking import Place, elimination_places
from tournaments.engine.statuses import IN_PROGRESS, OVER, EntryStatus, MatchStatus, StageStatus
from tournaments.engine.types import Claim, EntryId, MatchNo, Outcome, ResultKind, Side
from tournaments.models import Entry, Match, Report, Stage
from tournaments.selectors.draws import Draw, DrawnMatch, load_draw
from tournaments.selectors.matches.ledger import ledger_facts, ledger_key
from tournaments.selectors.standings.feeds import stages_to_redraw, withdrawn_entry_ids
from tournaments.selectors.standings.sources import stages_fed_by
from tournaments.selectors.standings.tables import is_round_based, standings_tables


@dataclass(frozen=True, slots=True)
class SlotChangeView:
    """A side of a match whose entry changes. ``before`` and ``after``: names, empty for no entry.

    ``vacant``: no entry can come to this side after the change.
    """

    match: DrawnMatch
    side: Side
    before: str
    after: str
    vacant: bool


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """An entry's place before and after a repair, in a section of a bracket or in a table.

    None: no settled place. ``points_before``, ``points_after``: in a table, the entry's points in half
    points.
    """

    name: str
    before: Place | None
    after: Place | None
    section: str = ""
    points_before: int | None = None
    points_after: int | None = None


@dataclass(frozen=True, slots=True)
class VoidedReEntry:
    """A re-entry whose reason goes away, because a repair changes or cancels the loss before it.

    ``before`` and ``reentry_name``: names of the first and of the new entry; ``has_begun``: the new entry has
    played.
    """

    before: str
    reentry_name: str
    has_begun: bool


@dataclass(frozen=True, slots=True)
class Cascade:
    """Everything that a repair changes.

    ``consequence``: the change in the engine, None in a table; ``voided_matches``: matches whose results are
    cancelled, with their new status; ``returned_matches``: matches in progress that return to the queue;
    ``byes``, ``awarded_matches``: matches with the entry that advances by a bye or wins; ``affected_stages``:
    stages drawn from what changes.
    """

    consequence: Consequence | None
    side_changes: tuple[SlotChangeView, ...] = ()
    voided_matches: tuple[tuple[DrawnMatch, MatchStatus], ...] = ()
    returned_matches: tuple[DrawnMatch, ...] = ()
    byes: tuple[tuple[DrawnMatch, str], ...] = ()
    awarded_matches: tuple[tuple[DrawnMatch, str], ...] = ()
    places: tuple[PlaceChange, ...] = ()
    affected_stages: tuple[Stage, ...] = ()
    voided_reentries: tuple[VoidedReEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class CorrectionPreview:
    """The possible repairs for a correction of a result, and everything that each of them changes.

    ``outcome``: the corrected outcome, None if the match is to be continued.
    """

    draw: Draw
    match: DrawnMatch
    outcome: Outcome | None
    repairs: Mapping[Repair, Cascade]
    version: str

    @property
    def does_winner_change(self) -> bool:
        return self.outcome is None or self.outcome.winner is not self.match.winner


def correction_preview(match: Match, claim: Claim | None, length: int | None = None) -> CorrectionPreview:
    """Preview ``claim`` as the corrected result of ``match`` (loaded with its stage).

    ``claim`` None: the match is to be continued. ``length``: the length that it should have had (rule F9).
    Raises the engine's ``BadInput`` for an impossible claim.
    """
    draw = load_draw(match.stage)
    row = next(drawn for drawn in draw.matches if drawn.pk == match.pk)
    outcome = claim_outcome(length or match.length, claim) if claim is not None else None
    if is_round_based(match.stage):
        repairs = {Repair.REPLACE: _table_cascade(draw, row, claim, outcome)}
    else:
        withdrawn_ids = withdrawn_entry_ids(match.stage)
        repair_consequences = preview_repairs(
            draw.bracket(), draw.outcomes(), row.number, outcome, draw.entries_placed_by_hand(), withdrawn_ids
        )
        repairs = {
            repair: cascade_from_consequence(draw, consequence)
            for repair, consequence in repair_consequences.items()
        }
    repairs = {
        repair: replace(cascade, voided_reentries=_voided_reentries(draw, row, outcome, cascade))
        for repair, cascade in repairs.items()
    }
    parts = [
        f"{row.version} {length}",
        repr(outcome),
        *(_repair_version(repair, cascade) for repair, cascade in repairs.items()),
    ]
    return CorrectionPreview(draw, row, outcome, repairs, preview_version(*parts))


def _voided_reentries(
    draw: Draw, corrected: DrawnMatch, outcome: Outcome | None, cascade: Cascade
) -> tuple[VoidedReEntry, ...]:
    """Return the active re-entries of entries that lost this match or a match whose result is cancelled."""
    lost_matches = [match for match, _status in cascade.voided_matches]
    if outcome is None or outcome.winner is not corrected.winner:
        lost_matches.append(corrected)
    losers = {
        match.sides[1 if match.winner is Side.A else 0].entry_id
        for match in lost_matches
        if match.winner is not None
    }
    rows = Entry.objects.filter(again_of__in=losers - {None}, status=EntryStatus.ACTIVE)
    begun_ids = {
        side.entry_id
        for match in draw.matches
        if (match.status in IN_PROGRESS or match.status in OVER) and not match.is_bye
        for side in match.sides
    }
    return tuple(
        VoidedReEntry(earlier_name, name, pk in begun_ids)
        for pk, name, earlier_name in rows.order_by("pk").values_list("pk", "name", "again_of__name")
    )


def has_later_play(preview: CorrectionPreview) -> bool:
    """Return whether later matches depend on the result, so that repairs differ or results are cancelled."""
    return len(preview.repairs) > 1 or any(cascade.voided_matches for cascade in preview.repairs.values())


def cascade_from_consequence(
    draw: Draw, consequence: Consequence, names: Mapping[EntryId, str] | None = None
) -> Cascade:
    """Convert a consequence (what the engine says a repair changes) to the value that pages show.

    ``names``: names of entries that are not in the draw yet.
    """
    matches = {match.number: match for match in draw.matches}
    name_by_entry = {
        side.entry_id: side.name
        for match in draw.matches
        for side in match.sides
        if side.entry_id is not None
    } | dict(names or {})
    bracket, results = draw.bracket(), draw.outcomes()
    states_after = advance(bracket, consequence.results, consequence.manual_slots).matches

    def name(entry: EntryId | None) -> str:
        return name_by_entry.get(entry, "") if entry is not None else ""

    seats = tuple(
        SlotChangeView(
            matches[move.match],
            move.side,
            name(move.before.entry),
            name(move.after.entry),
            move.after.state is SlotState.VACANT,
        )
        for move in consequence.moves
    )
    moved_numbers = {move.match for move in consequence.moves}
    bye_numbers = [
        number
        for number in sorted(moved_numbers)
        if (outcome := states_after[number].outcome) is not None
        and outcome.kind is ResultKind.BYE
        and outcome.winner is not None
    ]
    return Cascade(
        consequence=consequence,
        side_changes=seats,
        voided_matches=tuple(
            (matches[number], states_after[number].status) for number in consequence.cancelled_matches
        ),
        returned_matches=tuple(
            matches[n] for n in sorted(moved_numbers) if matches[n].status in IN_PROGRESS and n not in results
        ),
        byes=tuple((matches[number], name(states_after[number].winner().entry)) for number in bye_numbers),
        awarded_matches=tuple(
            (matches[number], name(states_after[number].winner().entry))
            for number in sorted(consequence.results)
            if number not in results or (number in consequence.cancelled_matches)
        ),
        places=tuple(_place_changes(draw, consequence, name)),
        affected_stages=stages_to_redraw(draw, states_after),
    )


def preview_version(*parts: str) -> str:
    """Return a short hash of ``parts``, which together are everything that a preview shows."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def cascade_version(cascade: Cascade) -> str:
    """Return a text of everything a cascade depends on: affected matches with their versions, and changes."""
    touched_matches = (
        [seat.match for seat in cascade.side_changes]
        + [match for match, _status in cascade.voided_matches]
        + [match for match, _name in cascade.awarded_matches]
    )
    consequence = cascade.consequence
    moves = repr(consequence.moves) if consequence is not None else ""
    return repr([(match.number, match.version) for match in touched_matches]) + moves + repr(cascade.places)


def _repair_version(repair: Repair, cascade: Cascade) -> str:
    return f"{repair}:{cascade_version(cascade)}"


def _place_changes(
    draw: Draw, consequence: Consequence, name: Callable[[EntryId | None], str]
) -> list[PlaceChange]:
    """Return the places that were settled and no longer are, or that become settled or change."""
    changes = []
    bracket, results, by_hand = draw.bracket(), draw.outcomes(), draw.entries_placed_by_hand()
    for section, ladder in draw.sections_sharing_places().items():
        places_before = elimination_places(bracket, results, ladder, by_hand)
        places_after = elimination_places(bracket, consequence.results, ladder, consequence.manual_slots)
        for entry in places_before.keys() | places_after.keys():
            place_before, place_after = places_before.get(entry), places_after.get(entry)
            settled_places = [
                place if place is not None and place.settled else None
                for place in (place_before, place_after)
            ]
            if settled_places[0] != settled_places[1]:
                changes.append(PlaceChange(name(entry), settled_places[0], settled_places[1], section))
    return sorted(changes, key=_best_first)


def _best_first(change: PlaceChange) -> tuple[str, int, str]:
    place = change.after or change.before
    return change.section, place.first if place is not None else 0, change.name


def _table_cascade(draw: Draw, row: DrawnMatch, claim: Claim | None, outcome: Outcome | None) -> Cascade:
    """Preview a correction in a Swiss or round robin: only the table changes, published pairings stay."""
    if claim is None or outcome is None:
        reopened = row._replace(status=MatchStatus.READY, winner=None, result_kind="", scores=(None, None))
        return table_cascade(draw, {row.number: reopened})
    corrected = row._replace(
        winner=outcome.winner, result_kind=outcome.kind, scores=(claim.score_a, claim.score_b)
    )
    return table_cascade(draw, {row.number: corrected})


def table_cascade(draw: Draw, changed_matches: Mapping[MatchNo, DrawnMatch]) -> Cascade:
    """Preview the table with these matches, keyed by match number, in place of the present matches."""
    rounds, play_offs = (
        tuple(
            replace(
                round_, matches=tuple(changed_matches.get(match.number, match) for match in round_.matches)
            )
            for round_ in round_group
        )
        for round_group in (draw.rounds, draw.play_offs)
    )
    changed_draw = Draw(draw.stage, rounds, play_offs)
    rows_before, rows_after = (
        {row.entry: row for table in standings_tables(some_draw) for row in table.rows}
        for some_draw in (draw, changed_draw)
    )
    names = dict(
        Entry.objects.filter(pk__in=rows_before.keys() | rows_after.keys()).values_list("pk", "name")
    )
    changes = []
    for entry, row in rows_after.items():
        row_before = rows_before.get(entry)
        if row_before is None or (row_before.first, row_before.last, row_before.values.get("points")) != (
            row.first,
            row.last,
            row.values.get("points"),
        ):
            changes.append(
                PlaceChange(
                    names[entry],
                    Place(row_before.first, row_before.last, settled=True)
                    if row_before is not None
                    else None,
                    Place(row.first, row.last, settled=True),
                    points_before=_points(row_before.values.get("points"))
                    if row_before is not None
                    else None,
                    points_after=_points(row.values.get("points")),
                )
            )
    drawn_stages = (
        (stage for stage in stages_fed_by(draw.stage) if stage.status != StageStatus.SETUP) if changes else ()
    )
    return Cascade(None, places=tuple(sorted(changes, key=_best_first)), affected_stages=tuple(drawn_stages))


def _points(value: object) -> int | None:
    return int(value) if isinstance(value, int) else None


def rating_effects(
    match: Match, claim: Claim | None, length: int | None = None, cascade: Cascade | None = None
) -> RatingPreview:
    """Return the ratings before and after a correction, the largest change first.

    Empty if nothing changes or the result was never rated. ``cascade``: also reverse the results that this
    repair cancels. A result that becomes rateable only by the correction is not included: it is rated like
    any new one.
    """
    facts = ledger_facts(match.stage.division.event, match)
    if facts is None:
        return RatingPreview()
    key = ledger_key(match, Report.objects.get(match=match, state=Report.State.CONFIRMED))
    voided_keys = _voided_ledger_keys(cascade) if cascade is not None else ()
    outcome = claim_outcome(length or match.length, claim) if claim is not None else None
    if outcome is None or outcome.winner is None or not RESULT_RULES[outcome.kind].rated:
        return preview_correction(source_key=key, void=True, without=voided_keys)
    sides = (facts["winner_id"], facts["loser_id"])
    if outcome.winner != match.winner_side:
        sides = (sides[1], sides[0])
    elif length in (None, match.length):
        return RatingPreview()
    return preview_correction(
        source_key=key, winner_id=sides[0], loser_id=sides[1], length=length, without=voided_keys
    )


def _voided_ledger_keys(cascade: Cascade) -> list[str]:
    """Return the ledger keys of the results that the cascade cancels."""
    voided_ids = [match.pk for match, _status in cascade.voided_matches]
    reports = Report.objects.filter(match__in=voided_ids, state=Report.State.CONFIRMED).select_related(
        "match"
    )
    return [ledger_key(report.match, report) for report in reports]
