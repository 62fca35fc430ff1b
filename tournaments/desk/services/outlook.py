"""Preview of a result's consequences, computed by the change that would record it, without writing."""

from dataclasses import dataclass

from django.utils import timezone

from faults import Conflict
from people.rows import one_or_none
from tournaments.engine.changes.next_state import ConfirmResult
from tournaments.engine.changes.state import MatchData, NewReport
from tournaments.engine.desk.values import CommandMatch, CommandTargets, ResultCommand
from tournaments.engine.errors import TransitionRefused
from tournaments.engine.hall.calling import callable_matches
from tournaments.engine.types import MatchNo, Side
from tournaments.models import Entry, EntryPlayer, Event, Match, MatchSlot
from tournaments.selectors.hall.calling import engaged_players, ready_matches
from tournaments.selectors.standings.tables import is_round_based
from tournaments.store.load import LoadedStage, load_stage


@dataclass(frozen=True, slots=True)
class NextMatch:
    """A player's next match: the known opponent (``against``), or the match whose winner or loser it will be.

    ``waits_for``: number of that match; None if the opponent is not known at all.
    """

    name: str
    number: MatchNo
    section: str
    code: str
    against: str = ""
    waits_for: MatchNo | None = None


@dataclass(frozen=True, slots=True)
class ResultConsequences:
    """Consequences of a result: the players' next matches (``moves``), and who has none (``out``).

    ``left``: unfinished matches in its round, if rounds are published; ``next_at_table``: the match that gets
    the table.
    """

    moves: tuple[NextMatch, ...] = ()
    out: tuple[str, ...] = ()
    left: int | None = None
    next_at_table: MatchNo | None = None


def result_consequences(event: Event, result: ResultCommand, targets: CommandTargets) -> ResultConsequences:
    """Return the consequences that ``result`` would have, in a dozen queries.

    Only the search for the next match at the table reads the whole event.
    """
    match = Match.objects.select_related("stage__division").get(pk=result.match.pk)
    moves, eliminated = _next_matches(match, result)
    open_count = sum(other.round == result.match.round for other in targets.matches) - 1
    is_in_rounds = is_round_based(match.stage)
    return ResultConsequences(
        moves=moves,
        out=() if is_in_rounds else eliminated,
        left=open_count if is_in_rounds else None,
        next_at_table=_next_at_table(event, result.match),
    )


def _next_matches(match: Match, result: ResultCommand) -> tuple[tuple[NextMatch, ...], tuple[str, ...]]:
    """Return the next matches of both sides, and the names of those who have none."""
    loaded_stage, number = load_stage(match.stage, around=match), MatchNo(match.number)
    try:
        after = loaded_stage.after(
            ConfirmResult(number, result.claim, NewReport(result.claim), timezone.now())
        )
    except (TransitionRefused, Conflict):  # the match has changed; recording the result reports it
        return (), ()
    own_match = loaded_stage.state.match(number)
    names = {own_match.slot(side).entry: result.match.name(side) for side in Side}
    arrivals: list[tuple[MatchNo, Side, MatchData]] = [
        (other, side, new)
        for other, (old, new) in loaded_stage.state.changed(after).items()
        for side in Side
        if other != number and old.slot(side).entry is None and new.slot(side).entry in names
    ]
    opponent_ids = (new.slot(side.other).entry for _number, side, new in arrivals)
    known_ids = [entry for entry in opponent_ids if entry is not None]
    name_by_entry = (
        dict(Entry.objects.filter(pk__in=known_ids).values_list("pk", "name")) if known_ids else {}
    )
    rounds = {
        pk: (section, code)
        for pk, section, code in Match.objects.filter(
            pk__in=[loaded_stage.rows[other].pk for other, _side, _now in arrivals]
        ).values_list("pk", "round__section", "round__code")
    }
    moves = []
    for other, side, new in arrivals:
        section, code = rounds[loaded_stage.rows[other].pk]
        opponent = new.slot(side.other).entry
        awaited = _awaited_match(loaded_stage, other, side.other) if opponent is None else None
        moves.append(
            NextMatch(
                names[new.slot(side).entry],
                other,
                section,
                code,
                against=name_by_entry.get(opponent, "") if opponent is not None else "",
                waits_for=awaited,
            )
        )
    eliminated = [name for name in names.values() if name not in {move.name for move in moves}]
    winner = result.match.name(result.winner) if result.winner is not None else None
    return tuple(moves), tuple(name for name in eliminated if name != winner)


def _awaited_match(loaded_stage: LoadedStage, number: MatchNo, side: Side) -> MatchNo | None:
    source = loaded_stage.slots[number, side].source_match_id
    if source is None:
        return None
    return one_or_none(Match.objects.filter(pk=source).values_list("number", flat=True))  # type: ignore[return-value]


def _next_at_table(event: Event, match: CommandMatch) -> MatchNo | None:
    """Return the match that has waited longest and could be played at this match's table, or None."""
    if match.table is None or match.table in event.closed_tables:
        return None
    waiting = ready_matches(event, without_table=True)
    if not waiting:
        return None
    people = {player for ready in waiting for player in ready.people}
    entries = MatchSlot.objects.filter(match=match.pk).values("entry")
    own_players = set(EntryPlayer.objects.filter(entry__in=entries).values_list("player", flat=True))
    busy_players = engaged_players(event, people) - own_players
    numbers = {ready.pk: MatchNo(ready.number) for ready in waiting}
    return next(
        (
            numbers[pk]
            for pk in callable_matches(((ready.pk, ready.people) for ready in waiting), busy_players)
        ),
        None,
    )
