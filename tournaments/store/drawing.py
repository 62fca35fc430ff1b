"""Create and delete the rounds, matches and slots of draws and pairings.

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
    """Delete the whole draw of a stage."""
    MatchSlot.objects.filter(match__stage=stage).delete()
    Match.objects.filter(stage=stage).delete()
    Round.objects.filter(stage=stage).delete()


def write_bracket(stage: Stage, bracket: Bracket, lengths: Mapping[int, int], state: BracketState) -> None:
    """Store the structure and initial state of a bracket, in four statements whatever its size."""
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
    by_number = {r.number: r for r in rounds}
    now = timezone.now()
    matches = {}
    for planned in bracket.matches:
        settled = state.matches[planned.number]
        outcome = settled.outcome
        match = Match(
            stage=stage,
            round=by_number[planned.round],
            number=planned.number,
            position=planned.position,
            length=by_number[planned.round].length,
            status=settled.status,
        )
        if outcome is not None:
            match.result_kind = outcome.kind
            match.winner_side = outcome.winner or ""
            match.confirmed_at = now
        matches[planned.number] = match
    Match.objects.bulk_create(list(matches.values()))
    slots = []
    for planned in bracket.matches:
        settled = state.matches[planned.number]
        for side, source, slot in ((Side.A, planned.a, settled.a), (Side.B, planned.b, settled.b)):
            fed = source.kind in {SourceKind.WINNER_OF, SourceKind.LOSER_OF}
            slots.append(
                MatchSlot(
                    match=matches[planned.number],
                    side=side,
                    source_kind=source.kind,
                    source_match=matches[source.match] if fed and source.match is not None else None,
                    entry_id=slot.entry,
                    has_won=slot.has_won,
                )
            )
    MatchSlot.objects.bulk_create(slots)


def write_rounds(stage: Stage, planned: Sequence[NextRound], *, first_number: int, code: str = "") -> Round:
    """Create these rounds with their matches and return the first; a bye is a confirmed match.

    ``code``: the code of all of them, instead of one made from the number.
    """
    seated = {entry for one in planned for pair in pairs_with_bye(one) for entry in pair if entry is not None}
    ratings = first_ratings(stage, seated | {entry for one in planned for entry in one.rests})
    rounds = Round.objects.bulk_create(
        [
            Round(
                stage=stage,
                number=one.number,
                ratings=ratings if one is planned[0] else {},
                code=code or f"round_{one.number}",
                entries_left=2 * len(one.pairs) + (one.bye is not None) + len(one.rests),
                length=one.length,
                seed=one.seed,
                rests={str(entry): points for entry, points in one.rests.items()},
                swaps=[list(pair) for pair in one.swaps],
                deadline=one.deadline,
            )
            for one in planned
        ]
    )
    sides: list[tuple[EntryId, EntryId | None]] = []
    matches: list[Match] = []
    for made, one in zip(rounds, planned, strict=True):
        for position, pair in enumerate(pairs_with_bye(one), start=1):
            matches.append(_build_match(made, first_number + len(matches), position, is_bye=pair[1] is None))
            sides.append(pair)
    Match.objects.bulk_create(matches)
    _create_slots(matches, sides)
    return rounds[0]


def clear_rounds(rounds: Collection[Round]) -> None:
    """Delete rounds with their matches."""
    MatchSlot.objects.filter(match__round__in=rounds).delete()
    Match.objects.filter(round__in=rounds).delete()
    Round.objects.filter(pk__in=[one.pk for one in rounds]).delete()


def pairs_with_bye(planned: NextRound) -> list[tuple[EntryId, EntryId | None]]:
    """The pairs of a round from the top, with the bye last as ``(entry, None)``."""
    return [*planned.pairs, *([] if planned.bye is None else [(planned.bye, None)])]


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
