"""Create and delete the rounds, matches and slots of brackets and pairings.

Nothing else creates or deletes matches.
"""

from collections.abc import Collection, Mapping, Sequence

from django.utils import timezone

from tournaments.engine.brackets.progression import BracketState
from tournaments.engine.brackets.structure import Bracket, SourceKind
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import EntryId, ResultKind, Side
from tournaments.models import Match, MatchSlot, Round, Stage
from tournaments.selectors.rounds.next import NextRound
from tournaments.selectors.standings.ratings import first_ratings


def clear_draw(stage: Stage) -> None:
    """Delete all rounds and matches of a stage."""
    MatchSlot.objects.filter(match__stage=stage).delete()
    Match.objects.filter(stage=stage).delete()
    Round.objects.filter(stage=stage).delete()


def write_bracket(stage: Stage, bracket: Bracket, lengths: Mapping[int, int], state: BracketState) -> None:
    """Save the structure and initial state of a bracket, in four queries whatever its size.

    ``lengths``: match lengths, keyed by round number.
    """
    rounds = Round.objects.bulk_create(
        [
            Round(
                stage=stage,
                number=r.number,
                section=r.section,
                code=r.code,
                entries_left=r.of,
                length=lengths[r.number],
            )
            for r in bracket.rounds
        ]
    )
    round_by_number = {r.number: r for r in rounds}
    now = timezone.now()
    matches = {}
    for bracket_match in bracket.matches:
        match_state = state.matches[bracket_match.number]
        outcome = match_state.outcome
        match = Match(
            stage=stage,
            round=round_by_number[bracket_match.round],
            number=bracket_match.number,
            position=bracket_match.position,
            length=round_by_number[bracket_match.round].length,
            status=match_state.status,
        )
        if outcome is not None:
            match.result_kind = outcome.kind
            match.winner_side = outcome.winner or ""
            match.confirmed_at = now
        matches[bracket_match.number] = match
    Match.objects.bulk_create(list(matches.values()))
    slots = []
    for bracket_match in bracket.matches:
        match_state = state.matches[bracket_match.number]
        for side, source, slot in (
            (Side.A, bracket_match.a, match_state.a),
            (Side.B, bracket_match.b, match_state.b),
        ):
            is_fed = source.kind in {SourceKind.WINNER_OF, SourceKind.LOSER_OF}
            slots.append(
                MatchSlot(
                    match=matches[bracket_match.number],
                    side=side,
                    source_kind=source.kind,
                    source_match=matches[source.match] if is_fed and source.match is not None else None,
                    entry_id=slot.entry,
                    has_won=slot.has_won,
                )
            )
    MatchSlot.objects.bulk_create(slots)


def write_rounds(
    stage: Stage, next_rounds: Sequence[NextRound], *, first_number: int, code: str = ""
) -> Round:
    """Create these rounds with their matches and return the first round; a bye is a confirmed match.

    ``code``: the code of all of them, instead of one made from the round's number.
    """
    seated_ids = {
        entry
        for next_round in next_rounds
        for pair in pairs_with_bye(next_round)
        for entry in pair
        if entry is not None
    }
    ratings = first_ratings(
        stage, seated_ids | {entry for next_round in next_rounds for entry in next_round.rests}
    )
    rounds = Round.objects.bulk_create(
        [
            Round(
                stage=stage,
                number=next_round.number,
                ratings=ratings if next_round is next_rounds[0] else {},
                code=code or f"round_{next_round.number}",
                entries_left=2 * len(next_round.pairs) + (next_round.bye is not None) + len(next_round.rests),
                length=next_round.length,
                seed=next_round.seed,
                rests={str(entry): points for entry, points in next_round.rests.items()},
                swaps=[list(pair) for pair in next_round.swaps],
                deadline=next_round.deadline,
            )
            for next_round in next_rounds
        ]
    )
    sides: list[tuple[EntryId, EntryId | None]] = []
    matches: list[Match] = []
    for round_row, next_round in zip(rounds, next_rounds, strict=True):
        for position, pair in enumerate(pairs_with_bye(next_round), start=1):
            matches.append(
                _build_match(round_row, first_number + len(matches), position, is_bye=pair[1] is None)
            )
            sides.append(pair)
    Match.objects.bulk_create(matches)
    _create_slots(matches, sides)
    return rounds[0]


def clear_rounds(rounds: Collection[Round]) -> None:
    """Delete these rounds with their matches."""
    MatchSlot.objects.filter(match__round__in=rounds).delete()
    Match.objects.filter(round__in=rounds).delete()
    Round.objects.filter(pk__in=[round_.pk for round_ in rounds]).delete()


def pairs_with_bye(next_round: NextRound) -> list[tuple[EntryId, EntryId | None]]:
    """Return the pairs of a round from the top, with the bye last as ``(entry, None)``."""
    return [*next_round.pairs, *([] if next_round.bye is None else [(next_round.bye, None)])]


def _build_match(round_: Round, number: int, position: int, *, is_bye: bool) -> Match:
    match = Match(
        stage_id=round_.stage_id,
        round=round_,
        number=number,
        position=position,
        length=round_.length,
        status=MatchStatus.CONFIRMED if is_bye else MatchStatus.READY,
    )
    if is_bye:
        match.result_kind = ResultKind.BYE
        match.winner_side = Side.A
        match.confirmed_at = timezone.now()
    return match


def _create_slots(matches: Sequence[Match], sides: Sequence[tuple[EntryId, EntryId | None]]) -> None:
    MatchSlot.objects.bulk_create(
        [
            MatchSlot(
                match=match,
                side=side,
                source_kind=MatchSlot.SourceKind.BYE if entry is None else MatchSlot.SourceKind.ENTRY,
                entry_id=entry,
            )
            for match, pair in zip(matches, sides, strict=True)
            for side, entry in zip(Side, pair, strict=True)
        ]
    )
