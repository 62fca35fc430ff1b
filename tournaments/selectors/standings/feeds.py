"""Who comes into a stage from the one that feeds it: places of its table, all others, or losers of some of its rounds.

Computed anew each time, from the results as they stand: a correction changes who should be there and never a draw that was made.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import prefetch_related_objects

from tournaments.engine.brackets.progression import MatchState
from tournaments.engine.brackets.seeding import MAX_ENTRIES, MIN_ENTRIES, seeded_draw, with_open_lines
from tournaments.engine.brackets.structure import Bracket, playable
from tournaments.engine.errors import BadInput
from tournaments.engine.pairing.round_robin import dealt, qualified
from tournaments.engine.stages.elimination import family_bracket
from tournaments.engine.stages.feeding import Taken, feeding_rounds, losers_in
from tournaments.engine.standings.qualifying import Cut
from tournaments.engine.statuses import DRAW_SHOWN, OVER, EntryStatus, StageStatus
from tournaments.engine.types import EntryId, MatchNo, ResultKind, Side
from tournaments.models import Entry, MatchSlot, Stage
from tournaments.selectors.again import first_entries
from tournaments.selectors.draws import Draw, draw_of
from tournaments.selectors.standings.tables import cut_tables, is_swiss, rests_of_tables, settings_of

States = Mapping[MatchNo, MatchState]
_BY_DRAW: Final = (MatchSlot.SourceKind.ENTRY, MatchSlot.SourceKind.BYE)  # a late entry takes a bye
Drawn = Mapping[int, frozenset[EntryId]]  # whom the draw of a stage has placed, by stage


@dataclass(frozen=True, slots=True)
class Qualification:
    """Who goes on into a stage, in seeding order or, of losers, round by round; and the cut of each table they come from.

    ``elsewhere``: who would go on, and was drawn already into a stage that takes the others.
    """

    entries: tuple[EntryId, ...]
    cuts: tuple[Cut, ...] = ()
    elsewhere: tuple[EntryId, ...] = ()


def stages_fed_by(stage: Stage) -> list[Stage]:
    """The stages that take their entries from this one, in order."""
    prefetch_related_objects([stage], "feeds")
    return list(stage.feeds.all())


def feed_is_ready(stage: Stage, source: Draw | None = None) -> bool:
    """Whether it is known who comes in: the stage before (``fed_by``) is over, or the rounds whose losers come in are.

    ``source``: its draw, if the caller has it.
    """
    if stage.fed_by is None or stage.fed_by.status == StageStatus.FINISHED:
        return True
    if stage.settings.feed.taken is not Taken.LOSERS or stage.fed_by.status not in DRAW_SHOWN:
        return False
    draw = source or draw_of(stage.fed_by)
    rounds = feeding_rounds(draw.bracket(), stage.settings.feed, stage.takes)
    done = {match.number for match in draw.matches if match.status in OVER}
    return bool(rounds) and done.issuperset(rounds)


def cuts_for(
    draw: Draw, feeds: Iterable[Stage], out: Collection[EntryId] = ()
) -> list[tuple[Stage, tuple[Cut, ...]]]:
    """What each of ``feeds``, all that a table feeds, takes of it; who is ``out`` (withdrawn) is passed over.

    Of whoever has bought back the best entry counts; the others are passed over, too.
    """
    stages = [stage for stage in feeds if stage.settings.feed.by_result]
    out = {*out, *_behind_their_best(draw, out)} if stages else out
    found = {stage.pk: _places(draw, stage, out) for stage in stages if not _takes_rest(stage)}
    if len(found) < len(stages):
        taken = {pk: {entry for one in cuts for entry in one.going_on} for pk, cuts in found.items()}
        placed = placed_in(stages)
        for stage in stages:
            if _takes_rest(stage):
                others = (placed.get(pk) or entries for pk, entries in taken.items())
                found[stage.pk] = rests_of_tables(draw, frozenset().union(*others), out)
    return [(stage, found[stage.pk]) for stage in stages]


def qualification_of(stage: Stage) -> Qualification:
    """Who comes into ``stage`` (``fed_by`` fetched with it). Raises the engine's ``BadInput`` where a table is too small."""
    source = stage.fed_by
    if source is None:
        raise LookupError(f"stage {stage.pk} is not fed by another one")
    draw = draw_of(source)
    if not stage.settings.feed.by_result:
        return Qualification(_losers(stage, draw))
    out = withdrawn_from(source)
    feeds = stages_fed_by(source)
    cuts = next(cuts for one, cuts in cuts_for(draw, feeds, out) if one.pk == stage.pk)
    if stage.settings.feed.taken is Taken.PLACES and stage.settings.feed.first == 1:
        order = qualified([one.order for one in cuts], stage.takes)
    else:
        order = dealt([one.going_on for one in cuts])
    placed = placed_in(one for one in feeds if one.pk != stage.pk and _takes_rest(one))
    elsewhere = frozenset().union(*placed.values())
    return Qualification(
        tuple(entry for entry in order if entry not in elsewhere),
        cuts,
        tuple(entry for entry in order if entry in elsewhere),
    )


def qualified_entries(stage: Stage) -> tuple[EntryId, ...]:
    """Who goes on into ``stage`` (``fed_by`` fetched with it) from the stage that feeds it, in seeding order."""
    return qualification_of(stage).entries


def expected_in(stage: Stage, entries: int) -> int:
    """How many entries a stage that is not drawn will have, as far as can be told; ``entries``: of its division."""
    feed, source = stage.settings.feed, stage.fed_by
    if source is None:
        return entries
    if feed.taken is Taken.LOSERS:
        return _losers_of_some(stage, source, entries)
    groups = settings_of(source).group_count
    if feed.taken is Taken.PLACES:
        wanted = groups * (stage.takes - feed.first + 1)
        return wanted if feed.first == 1 else min(wanted, max(0, entries - groups * (feed.first - 1)))
    ranges = (
        range(one.settings.feed.first, one.takes + 1)
        for one in stages_fed_by(source)
        if one.settings.feed.taken is Taken.PLACES
    )
    return max(0, entries - groups * len({place for places in ranges for place in places}))


def _losers_of_some(stage: Stage, source: Stage, entries: int) -> int:
    """How many lose in the rounds that feed the stage where so many entries are drawn, and everybody plays."""
    if not MIN_ENTRIES <= entries <= MAX_ENTRIES:
        return 0
    settings = source.settings.bracket
    seeded = seeded_draw([EntryId(number) for number in range(1, entries + 1)])
    try:
        lines = with_open_lines(seeded, settings.open_lines)
        bracket = family_bracket(source.system, source.lengths, settings, lines)
    except BadInput:
        return 0
    return len(playable(bracket).intersection(feeding_rounds(bracket, stage.settings.feed, stage.takes)))


def withdrawn_from(stage: Stage) -> frozenset[EntryId]:
    """Entries of the stage's division that are gone for good."""
    rows = Entry.objects.filter(division_id=stage.division_id, status=EntryStatus.WITHDRAWN)
    return frozenset(EntryId(pk) for pk in rows.values_list("pk", flat=True))


def placed_in(stages: Iterable[Stage]) -> Drawn:
    """Whom the draws of ``stages`` have placed, by stage, and who came late; one query, none where nothing is drawn."""
    drawn = [stage.pk for stage in stages if stage.status != StageStatus.SETUP]
    found: dict[int, set[EntryId]] = {}
    if drawn:
        rows = MatchSlot.objects.filter(match__stage__in=drawn, source_kind__in=_BY_DRAW, entry__isnull=False)
        for stage, entry in rows.values_list("match__stage", "entry"):
            found.setdefault(stage, set()).add(EntryId(entry))
    return {pk: frozenset(entries) for pk, entries in found.items()}


def drawn_from_feed(draw: Draw) -> frozenset[EntryId]:
    """Whom the draw of a stage placed; nobody while there is none."""
    return frozenset(
        side.entry_id
        for round_ in draw.rounds[:1]
        for match in round_.matches
        for side in match.sides
        if side.entry_id is not None and side.source_kind != MatchSlot.SourceKind.LOSER_OF
    )


def _behind_their_best(draw: Draw, out: Collection[EntryId]) -> Iterator[EntryId]:
    """Entries of a Swiss whose players stand higher up in its table with another one; in groups nobody buys back."""
    first = first_entries(draw.stage.division_id) if is_swiss(draw.stage) else {}
    seen = set[EntryId]()
    for entry in (entry for one in (cut_tables(draw, 0, out) if first else ()) for entry in one.order):
        person = first.get(entry, entry)
        if person in seen:
            yield entry
        seen.add(person)


def _takes_rest(stage: Stage) -> bool:
    return stage.settings.feed.taken is Taken.REST


def _places(draw: Draw, stage: Stage, out: Collection[EntryId]) -> tuple[Cut, ...]:
    return cut_tables(draw, stage.takes, out, first=stage.settings.feed.first)


def losers_of(stage: Stage, bracket: Bracket, states: States) -> tuple[EntryId, ...]:
    """Who lost in the rounds that feed ``stage``, as its source stands in these states, whether they have left or not."""
    beaten: dict[MatchNo, tuple[EntryId, ResultKind]] = {}
    last: dict[EntryId, MatchNo] = {}
    for number in sorted(states):
        state = states[number]
        for side in Side:
            entry = state.slot(side).entry
            if entry is None:
                continue
            last[entry] = number
            if state.outcome is not None and state.outcome.winner is side.other:
                beaten[number] = entry, state.outcome.kind
    return losers_in(bracket, stage.settings.feed, stage.takes, beaten, last)


def drawn_from_losers(draw: Draw, then: States) -> tuple[Stage, ...]:
    """Stages that are drawn from losers of this bracket and would be drawn from others if it stood as ``then``."""
    feeds = [
        stage
        for stage in stages_fed_by(draw.stage)
        if stage.settings.feed.taken is Taken.LOSERS and stage.status != StageStatus.SETUP
    ]
    if not feeds:
        return ()
    bracket, now = draw.bracket(), draw.states()
    return tuple(
        stage
        for stage in feeds
        if set(losers_of(stage, bracket, now)) != set(losers_of(stage, bracket, then))
    )


def _losers(stage: Stage, draw: Draw) -> tuple[EntryId, ...]:
    """Who lost in the rounds that feed the stage and has not left. Whoever has bought back comes in by the latest entry or not at all."""
    if not draw.rounds:
        return ()
    gone = withdrawn_from(draw.stage)
    first = first_entries(draw.stage.division_id)
    standing = {side.entry_id for match in draw.matches for side in match.sides if side.entry_id is not None}
    latest = {first.get(entry, entry): entry for entry in sorted(standing - gone)}
    found = losers_of(stage, draw.bracket(), draw.states())
    return tuple(entry for entry in found if latest.get(first.get(entry, entry)) == entry)
