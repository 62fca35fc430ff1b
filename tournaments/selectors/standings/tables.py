"""Tables of a Swiss or round robin, entries that qualify by them, and the places of any stage.

Everything is computed from the draw: a corrected result changes the table and leaves later pairings as they
were. Unfinished matches do not count. A stage with groups has a table for each group.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments.engine.chance import parse_seed
from tournaments.engine.matches.result_kinds import RESULT_RULES
from tournaments.engine.pairing.history import (
    ZERO_POINTS,
    PairedMatch,
    RestingEntry,
    SwissRound,
    remaining_lives,
)
from tournaments.engine.stages.swiss import SwissSettings, half_points
from tournaments.engine.standings.editions import DEFAULT_EDITION, Edition
from tournaments.engine.standings.leaving import WithdrawnRights, rows_with_last
from tournaments.engine.standings.order import StandingsRow, rank_entries
from tournaments.engine.standings.qualifying import QualifyingCut, cut_table, rest_of_table, tied_groups
from tournaments.engine.standings.ranking import Place
from tournaments.engine.standings.table import Crosstable
from tournaments.engine.standings.tie_breaks import get_tie_break, usable_tie_breaks
from tournaments.engine.statuses import OVER, MatchStatus, StageStatus
from tournaments.engine.types import EntryId, Outcome, ResultKind
from tournaments.models import Stage
from tournaments.selectors.arranged import drawn_groups, entries_with_cancelled_results, play_off_points
from tournaments.selectors.draws import PLAY_OFF_CODE, Draw, DrawnMatch, DrawnRound


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """A table of a Swiss, a round robin or one of its groups, sorted by its criteria (``criteria``).

    ``points``: half points by entry id; ``lives_by_entry``: lives left by entry id, empty without lives;
    ``group``: from 1, 0 without groups; ``edition``: the tie-break rules applied; ``has_fixed_schedule``: a
    fixed schedule, as in a round robin; ``unrated_count``: number of entries without a rating that a
    tie-break needs.
    """

    criteria: tuple[str, ...]
    rows: tuple[StandingsRow, ...]
    points: Mapping[EntryId, int]
    lives_by_entry: Mapping[EntryId, int]
    group: int = 0
    edition: Edition = DEFAULT_EDITION
    has_fixed_schedule: bool = False
    unrated_count: int = 0


def is_swiss(stage: Stage) -> bool:
    return stage.system == Stage.System.SWISS


def is_round_based(stage: Stage) -> bool:
    """Return whether the stage is a Swiss or round robin: rounds and a table in place of a bracket."""
    return stage.system in Stage.IN_ROUNDS


def effective_settings(stage: Stage) -> SwissSettings:
    """Return the settings of a Swiss or round robin, with the final number of rounds once that is settled."""
    settings = stage.settings.swiss
    return settings if stage.rounds_settled is None else replace(settings, rounds=stage.rounds_settled)


def rounds_settings(stage: Stage) -> SwissSettings:
    """Return the settings of a Swiss or round robin that apply to its system; all others are reset.

    With the final number of rounds once that is settled.
    """
    settings = effective_settings(stage)
    if is_swiss(stage):
        return replace(settings, group_count=1, all_at_once=False)
    return replace(settings, lives=0)


def pairing_history(draw: Draw, joining_entries: Collection[EntryId] = ()) -> tuple[SwissRound, ...]:
    """Return the published rounds for the engine; in a Swiss, late and absent entries rest.

    ``joining_entries``: ids of entries that may play their first round next, and have missed all of these.
    """
    settings = rounds_settings(draw.stage)
    seated = [_seated_entries(round_) for round_ in draw.rounds]
    joined_in: dict[EntryId, int] = {}
    for number, entries in enumerate(seated):
        for entry in entries:
            joined_in.setdefault(entry, number)
    for entry in joining_entries:
        joined_in.setdefault(entry, len(draw.rounds))
    rounds = []
    for number, round_ in enumerate(draw.rounds):
        meetings, rests = [], []
        for match in round_.matches:
            first, second = (side.entry_id for side in match.sides)
            if match.result_kind == ResultKind.BYE and first is not None:
                rests.append(RestingEntry(first, settings.bye_points, is_allotted=True))
            elif first is not None and second is not None and match.status is MatchStatus.CONFIRMED:
                meetings.append(_build_meeting(match, first, second))
        rests += [RestingEntry(EntryId(int(entry)), points) for entry, points in round_.rests.items()]
        for entry, first_round in joined_in.items() if is_swiss(draw.stage) else ():
            if entry not in seated[number]:
                rests.append(
                    RestingEntry(entry, settings.late_points if first_round > number else ZERO_POINTS)
                )
        rounds.append(SwissRound(tuple(meetings), tuple(rests)))
    return tuple(rounds)


def drawn_entries(draw: Draw) -> tuple[EntryId, ...]:
    """Return the ids of the entries in a published round, or in the schedule of a round robin."""
    if draw.rounds and not is_swiss(draw.stage):
        return tuple(sorted(entry for group in drawn_groups(draw.stage) for entry in group))
    return tuple(sorted({entry for round_ in draw.rounds for entry in _seated_entries(round_)}))


def lives_by_entry(draw: Draw, joining_entries: Collection[EntryId] = ()) -> dict[EntryId, int]:
    """Return the lives left of the entries that are still in, keyed by entry id; for a Swiss with lives.

    ``joining_entries``: ids of entries that may play their first round next.
    """
    all_entries = dict.fromkeys([*drawn_entries(draw), *joining_entries])
    return remaining_lives(
        pairing_history(draw, joining_entries), all_entries, rounds_settings(draw.stage).lives
    )


def standings_tables(draw: Draw) -> tuple[StandingsTable, ...]:
    """Return the current tables by confirmed results, one for each group."""
    codes = _tie_break_order(draw)
    lives = lives_by_entry(draw) if rounds_settings(draw.stage).lives else {}
    return _build_tables(draw, _build_crosstables(draw), codes, lives)


def tables_for_edition(draw: Draw, edition: Edition) -> tuple[StandingsTable, ...]:
    """Return the tables by another edition of the tie-break rules.

    Tie-breaks that the edition does not know, or does not allow here, are left out.
    """
    codes = usable_tie_breaks(_tie_break_order(draw), edition, fixed=not is_swiss(draw.stage))
    lives = lives_by_entry(draw) if rounds_settings(draw.stage).lives else {}
    return _build_tables(draw, _build_crosstables(draw, edition), codes, lives)


def withdrawal_rule(stage: Stage) -> WithdrawnRights:
    """Return what a withdrawn entry keeps in a stage: in a bracket everything, as it lost its last match."""
    return WithdrawnRights(stage.division.withdrawn) if is_round_based(stage) else WithdrawnRights.KEEP


def _build_tables(
    draw: Draw, crosstables: Sequence[Crosstable], codes: tuple[str, ...], lives: Mapping[EntryId, int]
) -> tuple[StandingsTable, ...]:
    needs_ratings = any(get_tie_break(code).needs_ratings for code in codes)
    moved_last = (
        draw.withdrawn if withdrawal_rule(draw.stage) is WithdrawnRights.NOTHING else frozenset[EntryId]()
    )
    return tuple(
        StandingsTable(
            codes,
            rows_with_last(rank_entries(crosstable, codes), moved_last)
            if moved_last
            else rank_entries(crosstable, codes),
            crosstable.points,
            {entry: lives.get(entry, 0) for entry in crosstable.entries} if lives else {},
            number if len(crosstables) > 1 else 0,
            crosstable.rule.edition,
            crosstable.has_fixed_pairings,
            sum(entry not in crosstable.ratings for entry in crosstable.entries) if needs_ratings else 0,
        )
        for number, crosstable in enumerate(crosstables, start=1)
    )


def standings_table(draw: Draw) -> StandingsTable:
    """Return the table of a stage without groups, or the first table of a stage with groups."""
    return standings_tables(draw)[0]


def final_or_current_places(draw: Draw) -> Mapping[EntryId, Place]:
    """Return the place of every entry, keyed by entry id, best first.

    Places of a table are settled when the stage is finished. The winners of all groups share the first
    places, the second-placed entries the next ones, and so on.
    """
    if not is_round_based(draw.stage):
        return draw.places()
    is_settled = draw.stage.status == StageStatus.FINISHED
    tables = [table.rows for table in standings_tables(draw)]
    sizes = [len(rows) for rows in tables]
    place_by_entry = {
        row.entry: Place(
            1 + sum(min(row.first - 1, size) for size in sizes),
            sum(min(row.last, size) for size in sizes),
            is_settled,
        )
        for rows in tables
        for row in rows
    }
    return dict(sorted(place_by_entry.items(), key=lambda item: (item[1].first, item[1].last, item[0])))


def play_off_wins(draw: Draw) -> tuple[Mapping[EntryId, int], ...]:
    """Return the numbers of matches won in each finished play-off, keyed by entry id.

    Replays among the same entries are one play-off.
    """
    groups: dict[frozenset[EntryId], dict[EntryId, int]] = {}
    open_groups: set[frozenset[EntryId]] = set()
    for round_ in draw.play_offs:
        group = frozenset(_seated_entries(round_))
        wins = groups.setdefault(group, dict.fromkeys(group, 0))
        for match in round_.matches:
            if match.status not in OVER:
                open_groups.add(group)
            for side in match.sides:
                if match.winner is side.side and side.entry_id is not None:
                    wins[side.entry_id] += 1
    return tuple(wins for group, wins in groups.items() if group not in open_groups)


def play_off_ties(draw: Draw) -> tuple[tuple[EntryId, ...], ...]:
    """Return the groups of tied entries that a play-off can decide.

    They are equal in all criteria before the play-off, and in earlier play-offs.
    """
    codes = rounds_settings(draw.stage).order_including_play_off
    codes_so_far = codes[: codes.index(PLAY_OFF_CODE) + 1]
    return tuple(
        tied_entries
        for crosstable in _build_crosstables(draw)
        for tied_entries in tied_groups(rank_entries(crosstable, codes_so_far))
    )


def unbroken_ties(draw: Draw) -> tuple[tuple[EntryId, ...], ...]:
    """Return the groups of entries that are equal in all criteria before the play-off."""
    codes = rounds_settings(draw.stage).order_including_play_off
    earlier_codes = codes[: codes.index("play_off")]
    return tuple(
        tied_entries
        for crosstable in _build_crosstables(draw)
        for tied_entries in tied_groups(rank_entries(crosstable, earlier_codes))
    )


def cut_tables(
    draw: Draw, entry_count: int, withdrawn: Collection[EntryId] = (), *, first: int = 1
) -> tuple[QualifyingCut, ...]:
    """Return, for each table, which entries qualify by their places and which criterion decides at the cut.

    ``first`` to ``entry_count_expression``: the places that qualify; ``withdrawn``: ids of withdrawn entries,
    passed over.
    """
    return tuple(
        cut_table(crosstable, _tie_break_order(draw), entry_count, withdrawn, first=first)
        for crosstable in _build_crosstables(draw)
    )


def rest_of_tables(
    draw: Draw, elsewhere: Collection[EntryId], withdrawn: Collection[EntryId] = ()
) -> tuple[QualifyingCut, ...]:
    """Return the entries of each table that no other stage takes; ``elsewhere``: ids of those it takes."""
    return tuple(
        rest_of_table(crosstable, _tie_break_order(draw), elsewhere, withdrawn)
        for crosstable in _build_crosstables(draw)
    )


def _tie_break_order(draw: Draw) -> tuple[str, ...]:
    stage, has_play_offs = draw.stage, bool(draw.play_offs)
    settings = rounds_settings(stage)
    return settings.order_including_play_off if play_off_points(stage) or has_play_offs else settings.order


def _build_crosstables(draw: Draw, edition: Edition | None = None) -> list[Crosstable]:
    """Return a crosstable for each group, by the stage's edition or another one.

    Lots as a tie-break use the seed of the first round.
    """
    seed = parse_seed(draw.rounds[0].seed or "0") if draw.rounds else 0
    history, settings = pairing_history(draw), rounds_settings(draw.stage)
    play_offs = [
        points_by_entry
        for points_by_entry in (*play_off_wins(draw), play_off_points(draw.stage))
        if points_by_entry
    ]
    groups: Sequence[Collection[EntryId]] = [drawn_entries(draw)]
    if draw.rounds and not is_swiss(draw.stage):
        struck_ids = set(entries_with_cancelled_results(draw.stage))  # withdrawn with all results cancelled
        groups = [set(group) - struck_ids for group in drawn_groups(draw.stage)]
        group_histories = [[_round_in_group(round_, group) for round_ in history] for group in groups]
    else:
        group_histories = [list(history)]
    is_fixed, legs = not is_swiss(draw.stage), 1 + (draw.stage.system == Stage.System.DOUBLE_ROUND_ROBIN)
    ratings = _first_ratings(draw)
    return [
        Crosstable(
            group,
            rounds,
            seed=seed,
            play_offs=play_offs,
            lives=settings.lives,
            edition=settings.edition if edition is None else edition,
            has_fixed_pairings=is_fixed,
            planned_rounds=0 if is_fixed or settings.lives else settings.rounds,
            max_wins=(len(group) - 1) * legs if is_fixed else 0,
            ratings=ratings,
        )
        for group, rounds in zip(groups, group_histories, strict=True)
    ]


def _first_ratings(draw: Draw) -> Mapping[EntryId, float]:
    """Return the rating of each entry at its first pairing, keyed by entry id."""
    return {
        EntryId(int(entry)): rating
        for round_ in reversed(draw.rounds)
        for entry, rating in round_.ratings.items()
    }


def _round_in_group(round_: SwissRound, group: Collection[EntryId]) -> SwissRound:
    return SwissRound(
        tuple(meeting for meeting in round_.meetings if meeting.a in group and meeting.b in group)
    )


def _seated_entries(round_: DrawnRound) -> set[EntryId]:
    placed_ids = {
        side.entry_id for match in round_.matches for side in match.sides if side.entry_id is not None
    }
    return placed_ids | {EntryId(int(entry)) for entry in round_.rests}


def _build_meeting(match: DrawnMatch, first: EntryId, second: EntryId) -> PairedMatch:
    kind = ResultKind(match.result_kind)
    points_a, points_b = half_points(Outcome(match.winner, kind))
    return PairedMatch(
        first,
        second,
        points_a,
        points_b,
        played=RESULT_RULES[kind].played,
        score_a=match.scores[0] or 0,
        score_b=match.scores[1] or 0,
        length=match.length,
    )
