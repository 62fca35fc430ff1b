"""Compute the entries of a stage from its feeds.

Places of a table or bracket, all others, or losers of some rounds.

Computed from the present results: a correction changes who qualifies, never a draw that was made.
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
    """The cuts by which ``stage`` takes entries from a table, from each group, or from bracket places."""

    stage: Stage
    source: FeedSource
    cuts: tuple[QualifyingCut, ...]

    @property
    def entries(self) -> frozenset[EntryId]:
        return frozenset(entry for cut in self.cuts for entry in cut.going_on)


@dataclass(frozen=True, slots=True)
class Qualification:
    """The qualifiers of a stage, source by source, with the cuts applied.

    In seeding order; losers round by round. ``elsewhere``: entries that qualify but are already drawn into a
    stage that takes the others.
    """

    entries: tuple[EntryId, ...]
    source_cuts: tuple[SourceCuts, ...] = ()
    elsewhere: tuple[EntryId, ...] = ()


def unresolved_feeds(stage: Stage, draws: Mapping[int, Draw] | None = None) -> tuple[Feed, ...]:
    """Return those feeds of a stage whose entries are not known yet.

    That is, the stage that feeds it is not over, or not those rounds of it. ``draws``: draws that the caller
    has loaded, by stage id.
    """
    return tuple(part for part in feeds_of(stage) if not _is_known(part, draws or {}))


def _is_known(part: Feed, draws: Mapping[int, Draw]) -> bool:
    if part.stage.status == StageStatus.FINISHED:
        return True
    if part.source.by_result or part.stage.status not in DRAW_PUBLIC:
        return False
    draw = draws.get(part.stage.pk) or load_draw(part.stage)
    rounds = feeding_matches(draw.bracket(), part.source)
    done = {match.number for match in draw.matches if match.status in OVER}
    return bool(rounds) and done.issuperset(rounds)


def is_feed_resolved(stage: Stage, draws: Mapping[int, Draw] | None = None) -> bool:
    """Return whether the entries of a stage are known; always if it takes all entries of its division."""
    return not unresolved_feeds(stage, draws)


def source_cuts(
    draw: Draw, feeds: Iterable[Stage], out: Collection[EntryId] = (), states: States | None = None
) -> list[SourceCuts]:
    """Return the cuts of each of ``feeds``, which are all stages fed by this one.

    ``out``: withdrawn entries, passed over; of players with a re-entry only the best entry counts.
    ``states``: a hypothetical state of a bracket.
    """
    parts = [Feed(stage, source) for stage in feeds for source in sources_taken(stage, draw.stage)]
    if not any(part.source.by_result for part in parts):
        return []
    out = {*out, *_superseded_entries(draw, out)}
    rest = any(part.source.taken is FeedPart.REST for part in parts)
    placed = placed_entries_by_stage({part.stage.pk: part.stage for part in parts}.values()) if rest else {}
    found = []
    for stage, source in parts:
        if source.taken is FeedPart.PLACES:
            found.append(SourceCuts(stage, source, _place_cuts(draw, source, out, states)))
        elif source.taken is FeedPart.REST:
            others = (
                placed.get(other.pk) or _entries_if_drawn(draw, part, out, states)
                for other, part in parts
                if other.pk != stage.pk
            )
            elsewhere = frozenset().union(*others)
            found.append(SourceCuts(stage, source, _rest_cuts(draw, source, elsewhere, out, states)))
    return found


def _entries_if_drawn(
    draw: Draw, source: FeedSource, out: Collection[EntryId], states: States | None
) -> frozenset[EntryId]:
    """Entries that an undrawn stage would take.

    Empty for a stage that takes the rest: there is only one of those.
    """
    if source.taken is FeedPart.LOSERS:
        return (
            frozenset(losers_from_states(source, draw.bracket(), states or draw.states()))
            if draw.rounds
            else frozenset()
        )
    if source.taken is FeedPart.REST:
        return frozenset()
    return frozenset(entry for cut in _place_cuts(draw, source, out, states) for entry in cut.going_on)


def _place_cuts(
    draw: Draw, source: FeedSource, out: Collection[EntryId], states: States | None = None
) -> tuple[QualifyingCut, ...]:
    if is_round_based(draw.stage):
        return cut_tables(draw, source.last, out, first=source.first)
    return (cut_places(_place_groups(draw, source, out, states), source.last, first=source.first),)


def _rest_cuts(
    draw: Draw,
    source: FeedSource,
    elsewhere: Collection[EntryId],
    out: Collection[EntryId],
    states: States | None,
) -> tuple[QualifyingCut, ...]:
    if is_round_based(draw.stage):
        return rest_of_tables(draw, elsewhere, out)
    return (rest_of_places(_place_groups(draw, source, out, states), elsewhere),)


def _place_groups(
    draw: Draw, source: FeedSource, out: Collection[EntryId] = (), states: States | None = None
) -> PlaceGroups:
    """Entries that share a place of a section, best first; empty if the field was too small for the section.

    Ties are broken by lot from the seed of the draw.
    """
    ladders = draw.ladders()
    if source.section not in ladders:
        return ()
    places = places_from_states(draw.bracket(), states or draw.states(), ladders[source.section])
    return place_groups(places, parse_seed(draw.stage.draw_seed or "0"), out)


def load_qualification(stage: Stage) -> Qualification:
    """Return the qualifiers of ``stage`` (loaded with ``fed_by``).

    Raises the engine's ``BadInput`` if a table is too small, ``LookupError`` if the stage has no feeds.
    """
    parts = feeds_of(stage)
    if not parts:
        raise LookupError(f"stage {stage.pk} is not fed by another one")
    draws = load_draws({part.stage.pk: part.stage for part in parts}.values())
    feeds = {pk: stages_fed_by(draw.stage) for pk, draw in draws.items()}
    first = first_entries(stage.division_id) if len(parts) > 1 else {}
    entries: dict[EntryId, EntryId] = {}  # by the first entry of the same players
    elsewhere: list[EntryId] = []
    going: list[SourceCuts] = []
    for part in parts:
        draw = draws[part.stage.pk]
        others = feeds[part.stage.pk]
        if part.source.by_result:
            cuts = source_cuts(draw, others, withdrawn_entry_ids(part.stage))
            own = next(one for one in cuts if one.stage.pk == stage.pk and one.source == part.source)
            order = _seeding_order(draw, own)
            going.append(own)
        else:
            order = _qualifying_losers(part.source, draw)
        placed = placed_entries_by_stage(
            one for one in others if one.pk != stage.pk and takes_rest(one, part.stage)
        )
        there = frozenset().union(*placed.values())
        elsewhere += (entry for entry in order if entry in there)
        for entry in order:
            if entry not in there:
                entries.setdefault(first.get(entry, entry), entry)
    return Qualification(tuple(entries.values()), tuple(going), tuple(elsewhere))


def _seeding_order(draw: Draw, going: SourceCuts) -> tuple[EntryId, ...]:
    """Seeding order, group by group.

    The qualifiers of the first places of a table must all exist; other places may be missing.
    """
    source = going.source
    if is_round_based(draw.stage) and source.taken is FeedPart.PLACES and source.first == 1:
        return qualifiers([one.order for one in going.cuts], source.last)
    return interleave_tables([one.going_on for one in going.cuts])


def qualified_entries(stage: Stage) -> tuple[EntryId, ...]:
    """Return the qualifiers of ``stage`` (loaded with ``fed_by``) from all its feeds, in seeding order."""
    return load_qualification(stage).entries


def expected_entry_count(stage: Stage, entries: int) -> int:
    """Return how many entries an undrawn stage will have, as far as known.

    ``entries``: number in its division.
    """
    parts = feeds_of(stage)
    return (
        sum(_expected_from_source(stage, part, expected_entry_count(part.stage, entries)) for part in parts)
        if parts
        else entries
    )


def _expected_from_source(stage: Stage, part: Feed, entries: int) -> int:
    """The expected number of entries from one feed whose stage has ``entries`` entries."""
    before, source = part
    if source.taken is FeedPart.LOSERS:
        return _expected_losers(source, before, entries)
    groups = rounds_settings(before).group_count if is_round_based(before) else 1
    if source.taken is FeedPart.PLACES:
        wanted = groups * (source.last - source.first + 1)
        fixed = is_round_based(before) and source.first == 1
        return wanted if fixed else min(wanted, max(0, entries - groups * (source.first - 1)))
    others = [
        other for one in stages_fed_by(before) if one.pk != stage.pk for other in sources_taken(one, before)
    ]
    ranges = (range(one.first, one.last + 1) for one in others if one.taken is FeedPart.PLACES)
    taken = groups * len(frozenset(chain.from_iterable(ranges)))
    lost = sum(_expected_losers(one, before, entries) for one in others if one.taken is FeedPart.LOSERS)
    return max(0, entries - taken - lost)


def _expected_losers(source: FeedSource, before: Stage, entries: int) -> int:
    """The number of losers in the rounds of ``before`` that feed a stage, with ``entries`` entries.

    Assumes that everyone plays.
    """
    if not MIN_ENTRIES <= entries <= MAX_ENTRIES:
        return 0
    settings = before.settings.bracket
    seeded = seeded_draw([EntryId(number) for number in range(1, entries + 1)])
    try:
        lines = with_held_lines(seeded, settings.open_lines)
        bracket = bracket_with_flights(before.system, before.lengths, settings, lines)
    except BadInput:
        return 0
    return len(playable_matches(bracket).intersection(feeding_matches(bracket, source)))


def withdrawn_entry_ids(stage: Stage) -> frozenset[EntryId]:
    """Ids of the withdrawn entries of the stage's division."""
    rows = Entry.objects.filter(division_id=stage.division_id, status=EntryStatus.WITHDRAWN)
    return frozenset(EntryId(pk) for pk in rows.values_list("pk", flat=True))


def placed_entries_by_stage(stages: Iterable[Stage]) -> EntriesByStage:
    """Entries placed by the draws of ``stages`` or as late entries, by stage id.

    One query, none if nothing is drawn.
    """
    drawn = [stage.pk for stage in stages if stage.status != StageStatus.SETUP]
    found: dict[int, set[EntryId]] = {}
    if drawn:
        rows = MatchSlot.objects.filter(
            match__stage__in=drawn, source_kind__in=_DRAW_SOURCE_KINDS, entry__isnull=False
        )
        for stage, entry in rows.values_list("match__stage", "entry"):
            found.setdefault(stage, set()).add(EntryId(entry))
    return {pk: frozenset(entries) for pk, entries in found.items()}


def first_round_entries(draw: Draw) -> frozenset[EntryId]:
    """Entries placed by the draw of a stage; empty before the draw."""
    return frozenset(
        side.entry_id
        for round_ in draw.rounds[:1]
        for match in round_.matches
        for side in match.sides
        if side.entry_id is not None and side.source_kind != MatchSlot.SourceKind.LOSER_OF
    )


def _superseded_entries(draw: Draw, out: Collection[EntryId]) -> Iterator[EntryId]:
    """Entries whose players have a better entry in the same order; groups have no re-entries."""
    table = is_round_based(draw.stage)
    first = first_entries(draw.stage.division_id) if is_swiss(draw.stage) or not table else {}
    if not first:
        return
    orders = (
        one.order
        for one in (cut_tables(draw, 0, out) if table else (cut_places(_all_place_groups(draw, out), 0),))
    )
    seen = set[EntryId]()
    for entry in chain.from_iterable(orders):
        person = first.get(entry, entry)
        if person in seen:
            yield entry
        seen.add(person)


def _all_place_groups(draw: Draw, out: Collection[EntryId]) -> PlaceGroups:
    return _place_groups(draw, FeedSource(), out) if draw.rounds else ()


def losers_from_states(source: FeedSource, bracket: Bracket, states: States) -> tuple[EntryId, ...]:
    """Return the losers of a source's rounds in the given states, including withdrawn ones."""
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
    return incoming_losers(bracket, source, beaten, last)


def stages_to_redraw(draw: Draw, then: States) -> tuple[Stage, ...]:
    """Return drawn stages fed by this bracket that would have other entries if it stood as ``then``."""
    feeds = stages_fed_by(draw.stage)
    drawn = [stage for stage in feeds if stage.status != StageStatus.SETUP]
    if not drawn:
        return ()
    out = withdrawn_entry_ids(draw.stage)
    now, other = (_entries_by_feed(draw, feeds, out, states) for states in (draw.states(), then))
    return tuple(stage for stage in drawn if now[stage.pk] != other[stage.pk])


def _entries_by_feed(
    draw: Draw, feeds: Sequence[Stage], out: Collection[EntryId], states: States
) -> dict[int, frozenset[EntryId]]:
    """Entries that each stage takes from the bracket in the given states, by stage id."""
    found = {stage.pk: frozenset[EntryId]() for stage in feeds}
    for going in source_cuts(draw, feeds, out, states):
        found[going.stage.pk] |= going.entries
    for stage in feeds:
        for source in sources_taken(stage, draw.stage):
            if source.taken is FeedPart.LOSERS:
                found[stage.pk] |= frozenset(losers_from_states(source, draw.bracket(), states))
    return found


def _qualifying_losers(source: FeedSource, draw: Draw) -> tuple[EntryId, ...]:
    """Losers of a source's rounds that have not withdrawn.

    Players with a re-entry qualify by their latest entry only.
    """
    if not draw.rounds:
        return ()
    gone = withdrawn_entry_ids(draw.stage)
    first = first_entries(draw.stage.division_id)
    standing = {side.entry_id for match in draw.matches for side in match.sides if side.entry_id is not None}
    latest = {first.get(entry, entry): entry for entry in sorted(standing - gone)}
    found = losers_from_states(source, draw.bracket(), draw.states())
    return tuple(entry for entry in found if latest.get(first.get(entry, entry)) == entry)
