"""The tables of a Swiss or round robin from its published rounds, who goes on from them, and the places of any stage.

Everything is counted anew from the draw: a corrected result changes the table and leaves the later pairings as they
were. A match that is not over counts for nothing yet. A stage in groups has a table for each of them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments.engine.chance import seed_from
from tournaments.engine.matches.result_kinds import RESULT_RULES
from tournaments.engine.pairing.history import NOTHING, Meeting, Rest, SwissRound, still_alive
from tournaments.engine.stages.swiss import SwissSettings, points_of
from tournaments.engine.standings.editions import USUAL_EDITION, Edition
from tournaments.engine.standings.leaving import Withdrawn, behind
from tournaments.engine.standings.order import Row, standings
from tournaments.engine.standings.qualifying import Cut, cut, rest, tied_groups
from tournaments.engine.standings.ranking import Place
from tournaments.engine.standings.table import Book
from tournaments.engine.standings.tie_breaks import tie_break, usable
from tournaments.engine.statuses import OVER, MatchStatus, StageStatus
from tournaments.engine.types import EntryId, Outcome, ResultKind
from tournaments.models import Stage
from tournaments.selectors.arranged import groups_of, play_off_of, struck_in
from tournaments.selectors.draws import PLAY_OFF, Draw, DrawnMatch, DrawnRound


@dataclass(frozen=True, slots=True)
class Table:
    """One table in order. ``codes`` put it in order; ``group`` counts from 1, 0 where the stage has no groups.

    ``lives``: how many each entry has left, empty where nobody goes out. ``edition``: by which tie-breaks were counted;
    ``fixed``: as in a round robin. ``unrated``: entries without a rating, where a tie-break needs one and so says nothing.
    """

    codes: tuple[str, ...]
    rows: tuple[Row, ...]
    points: Mapping[EntryId, int]
    lives: Mapping[EntryId, int]
    group: int = 0
    edition: Edition = USUAL_EDITION
    fixed: bool = False
    unrated: int = 0


def is_swiss(stage: Stage) -> bool:
    return stage.system == Stage.System.SWISS


def in_rounds(stage: Stage) -> bool:
    """Swiss and round robin: rounds, and a table in the place of a bracket."""
    return stage.system in Stage.IN_ROUNDS


def agreed_rounds(stage: Stage) -> SwissSettings:
    """What was set for a Swiss or round robin, with as many rounds as it came to have."""
    settings = stage.settings.swiss
    return settings if stage.rounds_settled is None else replace(settings, rounds=stage.rounds_settled)


def settings_of(stage: Stage) -> SwissSettings:
    """The same without what belongs to the other of the two."""
    settings = agreed_rounds(stage)
    if is_swiss(stage):
        return replace(settings, group_count=1, all_at_once=False)
    return replace(settings, lives=0)


def history_of(draw: Draw, joining: Collection[EntryId] = ()) -> tuple[SwissRound, ...]:
    """The published rounds as the engine reads them. In a Swiss whoever has come late or stayed away rests.

    ``joining``: entries that may play their first round next, and have missed all of these.
    """
    settings = settings_of(draw.stage)
    seated = [_seated(round_) for round_ in draw.rounds]
    joined: dict[EntryId, int] = {}
    for number, entries in enumerate(seated):
        for entry in entries:
            joined.setdefault(entry, number)
    for entry in joining:
        joined.setdefault(entry, len(draw.rounds))
    rounds = []
    for number, round_ in enumerate(draw.rounds):
        meetings, rests = [], []
        for match in round_.matches:
            first, second = (side.entry_id for side in match.sides)
            if match.result_kind == ResultKind.BYE and first is not None:
                rests.append(Rest(first, settings.bye_points, allotted=True))
            elif first is not None and second is not None and match.status is MatchStatus.CONFIRMED:
                meetings.append(_meeting(match, first, second))
        rests += [Rest(EntryId(int(entry)), points) for entry, points in round_.rests.items()]
        for entry, since in joined.items() if is_swiss(draw.stage) else ():
            if entry not in seated[number]:
                rests.append(Rest(entry, settings.late_points if since > number else NOTHING))
        rounds.append(SwissRound(tuple(meetings), tuple(rests)))
    return tuple(rounds)


def entries_in(draw: Draw) -> tuple[EntryId, ...]:
    """Everybody who has a place in a published round, or in the schedule of a round robin."""
    if draw.rounds and not is_swiss(draw.stage):
        return tuple(sorted(entry for group in groups_of(draw.stage) for entry in group))
    return tuple(sorted({entry for round_ in draw.rounds for entry in _seated(round_)}))


def lives_of(draw: Draw, joining: Collection[EntryId] = ()) -> dict[EntryId, int]:
    """Lives left of who is still in, where who has lost so many matches is out."""
    everybody = dict.fromkeys([*entries_in(draw), *joining])
    return still_alive(history_of(draw, joining), everybody, settings_of(draw.stage).lives)


def tables_of(draw: Draw) -> tuple[Table, ...]:
    """The standings after what is confirmed, one for each group."""
    codes = _order(draw)
    lives = lives_of(draw) if settings_of(draw.stage).lives else {}
    return _tables_from(draw, _books(draw), codes, lives)


def tables_under(draw: Draw, edition: Edition) -> tuple[Table, ...]:
    """The same as it would be under another edition, without the tie-breaks that it does not know or forbids here."""
    codes = usable(_order(draw), edition, fixed=not is_swiss(draw.stage))
    lives = lives_of(draw) if settings_of(draw.stage).lives else {}
    return _tables_from(draw, _books(draw, edition), codes, lives)


def keeps(stage: Stage) -> Withdrawn:
    """What an entry that withdrew keeps in a stage: in a bracket all, as it lost its last match like any other."""
    return Withdrawn(stage.division.withdrawn) if in_rounds(stage) else Withdrawn.KEEP


def _tables_from(
    draw: Draw, books: Sequence[Book], codes: tuple[str, ...], lives: Mapping[EntryId, int]
) -> tuple[Table, ...]:
    rated = any(tie_break(code).by_rating for code in codes)
    last = draw.withdrawn if keeps(draw.stage) is Withdrawn.NOTHING else frozenset[EntryId]()
    return tuple(
        Table(
            codes,
            behind(standings(book, codes), last) if last else standings(book, codes),
            book.points,
            {entry: lives.get(entry, 0) for entry in book.entries} if lives else {},
            number if len(books) > 1 else 0,
            book.rule.edition,
            book.fixed,
            sum(entry not in book.ratings for entry in book.entries) if rated else 0,
        )
        for number, book in enumerate(books, start=1)
    )


def table_of(draw: Draw) -> Table:
    """The only table of a stage without groups, the first of one with groups."""
    return tables_of(draw)[0]


def places_of(draw: Draw) -> Mapping[EntryId, Place]:
    """The place of every entry; in a table they are settled when the stage is.

    The winners of all groups share the first places, the seconds the next ones, and so on.
    """
    if not in_rounds(draw.stage):
        return draw.places()
    settled = draw.stage.status == StageStatus.FINISHED
    tables = [table.rows for table in tables_of(draw)]
    sizes = [len(rows) for rows in tables]
    found = {
        row.entry: Place(
            1 + sum(min(row.first - 1, size) for size in sizes),
            sum(min(row.last, size) for size in sizes),
            settled,
        )
        for rows in tables
        for row in rows
    }
    return dict(sorted(found.items(), key=lambda item: (item[1].first, item[1].last, item[0])))


def played_off(draw: Draw) -> tuple[Mapping[EntryId, int], ...]:
    """Matches won in each play-off that is over, by entry; those played again by the same are one."""
    groups: dict[frozenset[EntryId], dict[EntryId, int]] = {}
    open_groups: set[frozenset[EntryId]] = set()
    for round_ in draw.play_offs:
        group = frozenset(_seated(round_))
        won = groups.setdefault(group, dict.fromkeys(group, 0))
        for match in round_.matches:
            if match.status not in OVER:
                open_groups.add(group)
            for side in match.sides:
                if match.winner is side.side and side.entry_id is not None:
                    won[side.entry_id] += 1
    return tuple(won for group, won in groups.items() if group not in open_groups)


def to_play_off(draw: Draw) -> tuple[tuple[EntryId, ...], ...]:
    """Who could play a tie off as the table stands: equal in all that stands before a play-off, and in those before."""
    codes = settings_of(draw.stage).order_with_play_off
    upto = codes[: codes.index(PLAY_OFF) + 1]
    return tuple(tied for book in _books(draw) for tied in tied_groups(standings(book, upto)))


def still_tied(draw: Draw) -> tuple[tuple[EntryId, ...], ...]:
    """Groups of entries that a play-off could tell apart: equal in all that stands before it on the list."""
    codes = settings_of(draw.stage).order_with_play_off
    before = codes[: codes.index("play_off")]
    return tuple(tied for book in _books(draw) for tied in tied_groups(standings(book, before)))


def cut_tables(draw: Draw, takes: int, out: Collection[EntryId] = (), *, first: int = 1) -> tuple[Cut, ...]:
    """Where each table is cut, and by what; who is ``out`` (withdrawn) is passed over."""
    return tuple(cut(book, _order(draw), takes, out, first=first) for book in _books(draw))


def rests_of_tables(
    draw: Draw, elsewhere: Collection[EntryId], out: Collection[EntryId] = ()
) -> tuple[Cut, ...]:
    """Of each table those whom no other stage takes."""
    return tuple(rest(book, _order(draw), elsewhere, out) for book in _books(draw))


def _order(draw: Draw) -> tuple[str, ...]:
    stage, played = draw.stage, bool(draw.play_offs)
    settings = settings_of(stage)
    return settings.order_with_play_off if play_off_of(stage) or played else settings.order


def _books(draw: Draw, edition: Edition | None = None) -> list[Book]:
    """A book for each group, counted by the stage's edition or another one. The lot is drawn by the first round's seed."""
    seed = seed_from(draw.rounds[0].seed or "0") if draw.rounds else 0
    history, settings = history_of(draw), settings_of(draw.stage)
    play_offs = [one for one in (*played_off(draw), play_off_of(draw.stage)) if one]
    groups: Sequence[Collection[EntryId]] = [entries_in(draw)]
    if draw.rounds and not is_swiss(draw.stage):
        struck = set(struck_in(draw.stage))  # left, and all their results with them
        groups = [set(group) - struck for group in groups_of(draw.stage)]
        history_in = [[_inside(round_, group) for round_ in history] for group in groups]
    else:
        history_in = [list(history)]
    fixed, legs = not is_swiss(draw.stage), 1 + (draw.stage.system == Stage.System.DOUBLE_ROUND_ROBIN)
    ratings = _ratings_for(draw)
    return [
        Book(
            group,
            rounds,
            seed=seed,
            play_offs=play_offs,
            lives=settings.lives,
            edition=settings.edition if edition is None else edition,
            fixed=fixed,
            in_all=0 if fixed or settings.lives else settings.rounds,
            most=(len(group) - 1) * legs if fixed else 0,
            ratings=ratings,
        )
        for group, rounds in zip(groups, history_in, strict=True)
    ]


def _ratings_for(draw: Draw) -> Mapping[EntryId, float]:
    """With what ratings everybody came: as they stood when each was first seated."""
    return {
        EntryId(int(entry)): rating
        for round_ in reversed(draw.rounds)
        for entry, rating in round_.ratings.items()
    }


def _inside(round_: SwissRound, group: Collection[EntryId]) -> SwissRound:
    return SwissRound(tuple(one for one in round_.meetings if one.a in group and one.b in group))


def _seated(round_: DrawnRound) -> set[EntryId]:
    placed = {side.entry_id for match in round_.matches for side in match.sides if side.entry_id is not None}
    return placed | {EntryId(int(entry)) for entry in round_.rests}


def _meeting(match: DrawnMatch, first: EntryId, second: EntryId) -> Meeting:
    kind = ResultKind(match.result_kind)
    points_a, points_b = points_of(Outcome(match.winner, kind))
    return Meeting(
        first,
        second,
        points_a,
        points_b,
        played=RESULT_RULES[kind].played,
        score_a=match.scores[0] or 0,
        score_b=match.scores[1] or 0,
        length=match.length,
    )
