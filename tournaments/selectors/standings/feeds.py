"""The entries that a stage takes from earlier stages: places of a table or bracket, all others, or losers.

Computed from the current results: a correction changes who qualifies, never a draw that was made.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from tournaments.engine.brackets.progression import MatchState
from tournaments.engine.brackets.seeding import MAX_ENTRIES, MIN_ENTRIES, seeded_draw, with_held_lines
from tournaments.engine.brackets.structure import Bracket, playable_matches
from tournaments.engine.chance import parse_seed
from tournaments.engine.errors import BadInput
from tournaments.engine.pairing.round_robin import interleave_tables, qualifiers
from tournaments.engine.stages.elimination import bracket_with_flights
from tournaments.engine.stages.feeding import FeedPart, FeedSource, feeding_matches, incoming_losers
from tournaments.engine.standings.qualifying import (
    PlaceGroups,
    QualifyingCut,
    cut_places,
    place_groups,
    rest_of_places,
)
from tournaments.engine.standings.ranking import places_from_states
from tournaments.engine.statuses import DRAW_PUBLIC, OVER, EntryStatus, StageStatus
from tournaments.engine.types import EntryId, MatchNo, ResultKind, Side
from tournaments.models import Entry, MatchSlot, Stage
from tournaments.selectors.buybacks import first_entries
from tournaments.selectors.draws import Draw, load_draw, load_draws
from tournaments.selectors.standings.sources import Feed, feeds_of, sources_taken, stages_fed_by, takes_rest
from tournaments.selectors.standings.tables import (
    cut_tables,
    is_round_based,
    is_swiss,
    rest_of_tables,
    rounds_settings,
)

States = Mapping[MatchNo, MatchState]
_DRAW_SOURCE_KINDS: Final = (MatchSlot.SourceKind.ENTRY, MatchSlot.SourceKind.BYE)  # a late entry takes a bye
EntriesByStage = Mapping[int, frozenset[EntryId]]  # entries placed by the draw, by stage id


@dataclass(frozen=True, slots=True)
class SourceCuts:
    """Which entries ``stage`` takes from an earlier stage.

    ``source``: what it takes, as configured; ``cuts``: one for each table or group, or one of bracket places.
    """

    stage: Stage
    source: FeedSource
    cuts: tuple[QualifyingCut, ...]

    @property
    def entries(self) -> frozenset[EntryId]:
        return frozenset(entry for cut in self.cuts for entry in cut.advancing)


@dataclass(frozen=True, slots=True)
class Qualification:
    """The entries that qualify for a stage, in seeding order; losers round by round.

    ``source_cuts``: the cuts in each earlier stage; ``drawn_elsewhere``: entries that qualify, but are
    already drawn into a stage that takes the others.
    """

    entries: tuple[EntryId, ...]
    source_cuts: tuple[SourceCuts, ...] = ()
    drawn_elsewhere: tuple[EntryId, ...] = ()


def unresolved_feeds(stage: Stage, draws: Mapping[int, Draw] | None = None) -> tuple[Feed, ...]:
    """Return those feeds of a stage whose entries are not known yet.

    The earlier stage, or the rounds whose losers are taken, are not over. ``draws``: draws that the caller
    has loaded, keyed by stage id.
    """
    return tuple(feed for feed in feeds_of(stage) if not _is_known(feed, draws or {}))


def _is_known(feed: Feed, draws: Mapping[int, Draw]) -> bool:
    if feed.stage.status == StageStatus.FINISHED:
        return True
    if feed.source.by_result or feed.stage.status not in DRAW_PUBLIC:
        return False
    draw = draws.get(feed.stage.pk) or load_draw(feed.stage)
    match_numbers = feeding_matches(draw.bracket(), feed.source)
    finished_numbers = {match.number for match in draw.matches if match.status in OVER}
    return bool(match_numbers) and finished_numbers.issuperset(match_numbers)


def is_feed_resolved(stage: Stage, draws: Mapping[int, Draw] | None = None) -> bool:
    """Return whether a stage's entries are known; always True if it takes all entries of its division."""
    return not unresolved_feeds(stage, draws)


def source_cuts(
    draw: Draw, fed_stages: Iterable[Stage], withdrawn: Collection[EntryId] = (), states: States | None = None
) -> list[SourceCuts]:
    """Return, for each of ``fed_stages``, which entries it takes from the tables or places of ``draw``.

    ``fed_stages``: all stages that take entries from this one. ``withdrawn``: ids of withdrawn entries, which
    are passed over; if players re-entered, only their best entry counts. ``states``: a hypothetical state of
    a bracket in place of the current one.
    """
    taken = [Feed(stage, source) for stage in fed_stages for source in sources_taken(stage, draw.stage)]
    if not any(feed.source.by_result for feed in taken):
        return []
    withdrawn = {*withdrawn, *_superseded_entries(draw, withdrawn)}
    has_rest = any(feed.source.taken is FeedPart.REST for feed in taken)
    placed_by_stage = (
        placed_entries_by_stage({feed.stage.pk: feed.stage for feed in taken}.values()) if has_rest else {}
    )
    cuts = []
    for stage, source in taken:
        if source.taken is FeedPart.PLACES:
            cuts.append(SourceCuts(stage, source, _place_cuts(draw, source, withdrawn, states)))
        elif source.taken is FeedPart.REST:
            taken_entries = (
                placed_by_stage.get(other_stage.pk)
                or _entries_if_drawn(draw, other_source, withdrawn, states)
                for other_stage, other_source in taken
                if other_stage.pk != stage.pk
            )
            elsewhere = frozenset().union(*taken_entries)
            cuts.append(SourceCuts(stage, source, _rest_cuts(draw, source, elsewhere, withdrawn, states)))
    return cuts


def _entries_if_drawn(
    draw: Draw, source: FeedSource, withdrawn: Collection[EntryId], states: States | None
) -> frozenset[EntryId]:
    """Return the entries that an undrawn stage would take from ``source``.

    Empty if it takes all others: there is only one such stage.
    """
    if source.taken is FeedPart.LOSERS:
        return (
            frozenset(losers_from_states(source, draw.bracket(), states or draw.states()))
            if draw.rounds
            else frozenset()
        )
    if source.taken is FeedPart.REST:
        return frozenset()
    return frozenset(entry for cut in _place_cuts(draw, source, withdrawn, states) for entry in cut.advancing)


def _place_cuts(
    draw: Draw, source: FeedSource, withdrawn: Collection[EntryId], states: States | None = None
) -> tuple[QualifyingCut, ...]:
    if is_round_based(draw.stage):
        return cut_tables(draw, source.last, withdrawn, first=source.first)
    return (cut_places(_place_groups(draw, source, withdrawn, states), source.last, first=source.first),)


def _rest_cuts(
    draw: Draw,
    source: FeedSource,
    elsewhere: Collection[EntryId],
    withdrawn: Collection[EntryId],
    states: States | None,
) -> tuple[QualifyingCut, ...]:
    if is_round_based(draw.stage):
        return rest_of_tables(draw, elsewhere, withdrawn)
    return (rest_of_places(_place_groups(draw, source, withdrawn, states), elsewhere),)


def _place_groups(
    draw: Draw, source: FeedSource, withdrawn: Collection[EntryId] = (), states: States | None = None
) -> PlaceGroups:
    """Return the entries that share each place of a section, best place first.

    Ties are broken by lot from the seed of the draw. Empty if the field was too small for the section.
    """
    ladders = draw.sections_sharing_places()
    if source.section not in ladders:
        return ()
    places = places_from_states(draw.bracket(), states or draw.states(), ladders[source.section])
    return place_groups(places, parse_seed(draw.stage.draw_seed or "0"), withdrawn)


def load_qualification(stage: Stage) -> Qualification:
    """Return the entries that qualify for ``stage`` (loaded with ``fed_by``).

    Raises the engine's ``BadInput`` if a table is too small, ``LookupError`` if the stage has no feeds.
    """
    source_feeds = feeds_of(stage)
    if not source_feeds:
        raise LookupError(f"stage {stage.pk} is not fed by another one")
    draws = load_draws({feed.stage.pk: feed.stage for feed in source_feeds}.values())
    fed_by_source = {pk: stages_fed_by(draw.stage) for pk, draw in draws.items()}
    first_by_entry = first_entries(stage.division_id) if len(source_feeds) > 1 else {}
    entries: dict[EntryId, EntryId] = {}  # by the first entry of the same players
    elsewhere: list[EntryId] = []
    taken_cuts: list[SourceCuts] = []
    for feed in source_feeds:
        draw = draws[feed.stage.pk]
        fed_stages = fed_by_source[feed.stage.pk]
        if feed.source.by_result:
            cuts = source_cuts(draw, fed_stages, withdrawn_entry_ids(feed.stage))
            own_cuts = next(
                stage_cuts
                for stage_cuts in cuts
                if stage_cuts.stage.pk == stage.pk and stage_cuts.source == feed.source
            )
            seeding_order = _seeding_order(draw, own_cuts)
            taken_cuts.append(own_cuts)
        else:
            seeding_order = _qualifying_losers(feed.source, draw)
        placed_by_stage = placed_entries_by_stage(
            other_stage
            for other_stage in fed_stages
            if other_stage.pk != stage.pk and takes_rest(other_stage, feed.stage)
        )
        placed_elsewhere = frozenset().union(*placed_by_stage.values())
        elsewhere += (entry for entry in seeding_order if entry in placed_elsewhere)
        for entry in seeding_order:
            if entry not in placed_elsewhere:
                entries.setdefault(first_by_entry.get(entry, entry), entry)
    return Qualification(tuple(entries.values()), tuple(taken_cuts), tuple(elsewhere))


def _seeding_order(draw: Draw, stage_cuts: SourceCuts) -> tuple[EntryId, ...]:
    """Return the entries that qualify by ``stage_cuts`` in seeding order, group by group.

    The qualifiers of the first places of a table must all exist; other places may be missing.
    """
    source = stage_cuts.source
    if is_round_based(draw.stage) and source.taken is FeedPart.PLACES and source.first == 1:
        return qualifiers([cut.order for cut in stage_cuts.cuts], source.last)
    return interleave_tables([cut.advancing for cut in stage_cuts.cuts])


def qualified_entries(stage: Stage) -> tuple[EntryId, ...]:
    """Return the ids of the entries that qualify for ``stage`` (loaded with ``fed_by``), in seeding order."""
    return load_qualification(stage).entries


def expected_entry_count(stage: Stage, entries: int) -> int:
    """Return how many entries a stage will have, as far as known before its draw.

    ``entries``: the number of entries in its division.
    """
    feeds = feeds_of(stage)
    return (
        sum(_expected_from_source(stage, feed, expected_entry_count(feed.stage, entries)) for feed in feeds)
        if feeds
        else entries
    )


def _expected_from_source(stage: Stage, feed: Feed, entries: int) -> int:
    """Return the expected number of entries from one feed whose stage has ``entries`` entries."""
    source_stage, source = feed
    if source.taken is FeedPart.LOSERS:
        return _expected_losers(source, source_stage, entries)
    groups = rounds_settings(source_stage).group_count if is_round_based(source_stage) else 1
    if source.taken is FeedPart.PLACES:
        wanted_count = groups * (source.last - source.first + 1)
        is_fixed = is_round_based(source_stage) and source.first == 1
        return wanted_count if is_fixed else min(wanted_count, max(0, entries - groups * (source.first - 1)))
    other_sources = [
        other_source
        for fed_stage in stages_fed_by(source_stage)
        if fed_stage.pk != stage.pk
        for other_source in sources_taken(fed_stage, source_stage)
    ]
    ranges = (
        range(other_source.first, other_source.last + 1)
        for other_source in other_sources
        if other_source.taken is FeedPart.PLACES
    )
    taken_count = groups * len(frozenset(chain.from_iterable(ranges)))
    loser_count = sum(
        _expected_losers(other_source, source_stage, entries)
        for other_source in other_sources
        if other_source.taken is FeedPart.LOSERS
    )
    return max(0, entries - taken_count - loser_count)


def _expected_losers(source: FeedSource, source_stage: Stage, entries: int) -> int:
    """Return the expected number of losers in the rounds of ``source_stage`` that ``source`` takes.

    ``entries``: number of entries of that stage; assumes that every match is played.
    """
    if not MIN_ENTRIES <= entries <= MAX_ENTRIES:
        return 0
    settings = source_stage.settings.bracket
    seeded = seeded_draw([EntryId(number) for number in range(1, entries + 1)])
    try:
        lines = with_held_lines(seeded, settings.open_lines)
        bracket = bracket_with_flights(source_stage.system, source_stage.lengths, settings, lines)
    except BadInput:
        return 0
    return len(playable_matches(bracket).intersection(feeding_matches(bracket, source)))


def withdrawn_entry_ids(stage: Stage) -> frozenset[EntryId]:
    """Return the ids of the withdrawn entries of the stage's division."""
    rows = Entry.objects.filter(division_id=stage.division_id, status=EntryStatus.WITHDRAWN)
    return frozenset(EntryId(pk) for pk in rows.values_list("pk", flat=True))


def placed_entries_by_stage(stages: Iterable[Stage]) -> EntriesByStage:
    """Return the ids of entries that draws placed in ``stages``, late entries included, keyed by stage id.

    One query, none if nothing is drawn.
    """
    drawn_ids = [stage.pk for stage in stages if stage.status != StageStatus.SETUP]
    entries_by_stage: dict[int, set[EntryId]] = {}
    if drawn_ids:
        rows = MatchSlot.objects.filter(
            match__stage__in=drawn_ids, source_kind__in=_DRAW_SOURCE_KINDS, entry__isnull=False
        )
        for stage, entry in rows.values_list("match__stage", "entry"):
            entries_by_stage.setdefault(stage, set()).add(EntryId(entry))
    return {pk: frozenset(entries) for pk, entries in entries_by_stage.items()}


def first_round_entries(draw: Draw) -> frozenset[EntryId]:
    """Return the ids of the entries that the draw of a stage placed; empty before the draw."""
    return frozenset(
        side.entry_id
        for round_ in draw.rounds[:1]
        for match in round_.matches
        for side in match.sides
        if side.entry_id is not None and side.source_kind != MatchSlot.SourceKind.LOSER_OF
    )


def _superseded_entries(draw: Draw, withdrawn: Collection[EntryId]) -> Iterator[EntryId]:
    """Yield the entries whose players have a better entry in the same order; groups have no re-entries."""
    has_table = is_round_based(draw.stage)
    first_by_entry = first_entries(draw.stage.division_id) if is_swiss(draw.stage) or not has_table else {}
    if not first_by_entry:
        return
    orders = (
        cut.order
        for cut in (
            cut_tables(draw, 0, withdrawn)
            if has_table
            else (cut_places(_all_place_groups(draw, withdrawn), 0),)
        )
    )
    seen_entries = set[EntryId]()
    for entry in chain.from_iterable(orders):
        first_entry = first_by_entry.get(entry, entry)
        if first_entry in seen_entries:
            yield entry
        seen_entries.add(first_entry)


def _all_place_groups(draw: Draw, withdrawn: Collection[EntryId]) -> PlaceGroups:
    return _place_groups(draw, FeedSource(), withdrawn) if draw.rounds else ()


def losers_from_states(source: FeedSource, bracket: Bracket, states: States) -> tuple[EntryId, ...]:
    """Return the losers of the rounds that ``source`` takes, in these states, withdrawn entries included."""
    losses: dict[MatchNo, tuple[EntryId, ResultKind]] = {}
    last_matches: dict[EntryId, MatchNo] = {}
    for number in sorted(states):
        state = states[number]
        for side in Side:
            entry = state.slot(side).entry
            if entry is None:
                continue
            last_matches[entry] = number
            if state.outcome is not None and state.outcome.winner is side.other:
                losses[number] = entry, state.outcome.kind
    return incoming_losers(bracket, source, losses, last_matches)


def stages_to_redraw(draw: Draw, states_after: States) -> tuple[Stage, ...]:
    """Return the drawn stages fed by this bracket that would have other entries if its state was this one.

    ``states_after``: the state of every match.
    """
    fed_stages = stages_fed_by(draw.stage)
    drawn_stages = [stage for stage in fed_stages if stage.status != StageStatus.SETUP]
    if not drawn_stages:
        return ()
    withdrawn = withdrawn_entry_ids(draw.stage)
    entries_now, entries_after = (
        _entries_by_feed(draw, fed_stages, withdrawn, states) for states in (draw.states(), states_after)
    )
    return tuple(stage for stage in drawn_stages if entries_now[stage.pk] != entries_after[stage.pk])


def _entries_by_feed(
    draw: Draw, fed_stages: Sequence[Stage], withdrawn: Collection[EntryId], states: States
) -> dict[int, frozenset[EntryId]]:
    """Return the entries that each stage takes from the bracket in the given states, keyed by stage id."""
    entries_by_stage = {stage.pk: frozenset[EntryId]() for stage in fed_stages}
    for stage_cuts in source_cuts(draw, fed_stages, withdrawn, states):
        entries_by_stage[stage_cuts.stage.pk] |= stage_cuts.entries
    for stage in fed_stages:
        for source in sources_taken(stage, draw.stage):
            if source.taken is FeedPart.LOSERS:
                entries_by_stage[stage.pk] |= frozenset(losers_from_states(source, draw.bracket(), states))
    return entries_by_stage


def _qualifying_losers(source: FeedSource, draw: Draw) -> tuple[EntryId, ...]:
    """Return the losers of the rounds that ``source`` takes, without withdrawn entries.

    Players with a re-entry qualify only with their latest entry.
    """
    if not draw.rounds:
        return ()
    withdrawn_ids = withdrawn_entry_ids(draw.stage)
    first_by_entry = first_entries(draw.stage.division_id)
    drawn_ids = {side.entry_id for match in draw.matches for side in match.sides if side.entry_id is not None}
    latest_by_first = {first_by_entry.get(entry, entry): entry for entry in sorted(drawn_ids - withdrawn_ids)}
    losers = losers_from_states(source, draw.bracket(), draw.states())
    return tuple(entry for entry in losers if latest_by_first.get(first_by_entry.get(entry, entry)) == entry)
