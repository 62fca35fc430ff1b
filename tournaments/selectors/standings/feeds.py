"""Who comes into a stage from those that feed it: places of a table or of a bracket, all others, or losers of some rounds.

Computed anew each time, from the results as they stand: a correction changes who should be there and never a draw that was made.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from tournaments.engine.brackets.progression import MatchState
from tournaments.engine.brackets.seeding import MAX_ENTRIES, MIN_ENTRIES, seeded_draw, with_open_lines
from tournaments.engine.brackets.structure import Bracket, playable
from tournaments.engine.chance import seed_from
from tournaments.engine.errors import BadInput
from tournaments.engine.pairing.round_robin import dealt, qualified
from tournaments.engine.stages.elimination import family_bracket
from tournaments.engine.stages.feeding import Source, Taken, feeding_rounds, losers_in
from tournaments.engine.standings.qualifying import Cut, Groups, cut_places, place_groups, rest_of_places
from tournaments.engine.standings.ranking import places_in
from tournaments.engine.statuses import DRAW_SHOWN, OVER, EntryStatus, StageStatus
from tournaments.engine.types import EntryId, MatchNo, ResultKind, Side
from tournaments.models import Entry, MatchSlot, Stage
from tournaments.selectors.buybacks import first_entries
from tournaments.selectors.draws import Draw, draw_of, draws_of
from tournaments.selectors.standings.sources import From, sources_of, stages_fed_by, taken_of, takes_rest_of
from tournaments.selectors.standings.tables import (
    cut_tables,
    in_rounds,
    is_swiss,
    rests_of_tables,
    settings_of,
)

States = Mapping[MatchNo, MatchState]
_BY_DRAW: Final = (MatchSlot.SourceKind.ENTRY, MatchSlot.SourceKind.BYE)  # a late entry takes a bye
Drawn = Mapping[int, frozenset[EntryId]]  # whom the draw of a stage has placed, by stage


@dataclass(frozen=True, slots=True)
class Going:
    """What ``stage`` takes by the order of one table, of each group, or of the places of a bracket: the cuts there."""

    stage: Stage
    source: Source
    cuts: tuple[Cut, ...]

    @property
    def entries(self) -> frozenset[EntryId]:
        return frozenset(entry for cut in self.cuts for entry in cut.going_on)


@dataclass(frozen=True, slots=True)
class Qualification:
    """Who goes on into a stage, source by source: in seeding order, losers round by round; and the cuts of each that they come from.

    ``elsewhere``: who would go on, and was drawn already into a stage that takes the others.
    """

    entries: tuple[EntryId, ...]
    going: tuple[Going, ...] = ()
    elsewhere: tuple[EntryId, ...] = ()


def waits_for(stage: Stage, draws: Mapping[int, Draw] | None = None) -> tuple[From, ...]:
    """Of what feeds a stage that of which is not known yet who comes in: a stage that is not over, or not those rounds of it.

    ``draws``: those that the caller has, by stage.
    """
    return tuple(part for part in sources_of(stage) if not _is_known(part, draws or {}))


def _is_known(part: From, draws: Mapping[int, Draw]) -> bool:
    if part.stage.status == StageStatus.FINISHED:
        return True
    if part.source.by_result or part.stage.status not in DRAW_SHOWN:
        return False
    draw = draws.get(part.stage.pk) or draw_of(part.stage)
    rounds = feeding_rounds(draw.bracket(), part.source)
    done = {match.number for match in draw.matches if match.status in OVER}
    return bool(rounds) and done.issuperset(rounds)


def feed_is_ready(stage: Stage, draws: Mapping[int, Draw] | None = None) -> bool:
    """Whether it is known who comes in, from wherever; always so where everybody of the division plays."""
    return not waits_for(stage, draws)


def cuts_for(
    draw: Draw, feeds: Iterable[Stage], out: Collection[EntryId] = (), states: States | None = None
) -> list[Going]:
    """What each of ``feeds``, all that this stage feeds, takes of its order; who is ``out`` (withdrawn) is passed over.

    Of whoever has bought back the best entry counts; the others are passed over, too. ``states``: of a bracket, if it stood like this.
    """
    parts = [From(stage, source) for stage in feeds for source in taken_of(stage, draw.stage)]
    if not any(part.source.by_result for part in parts):
        return []
    out = {*out, *_behind_their_best(draw, out)}
    rest = any(part.source.taken is Taken.REST for part in parts)
    placed = placed_in({part.stage.pk: part.stage for part in parts}.values()) if rest else {}
    found = []
    for stage, source in parts:
        if source.taken is Taken.PLACES:
            found.append(Going(stage, source, _places(draw, source, out, states)))
        elif source.taken is Taken.REST:
            others = (
                placed.get(other.pk) or _would_take(draw, part, out, states)
                for other, part in parts
                if other.pk != stage.pk
            )
            elsewhere = frozenset().union(*others)
            found.append(Going(stage, source, _rest(draw, source, elsewhere, out, states)))
    return found


def _would_take(
    draw: Draw, source: Source, out: Collection[EntryId], states: States | None
) -> frozenset[EntryId]:
    """Whom a stage that is not drawn would take; of the rest there is one only, which takes nobody from itself."""
    if source.taken is Taken.LOSERS:
        return (
            frozenset(losers_of(source, draw.bracket(), states or draw.states()))
            if draw.rounds
            else frozenset()
        )
    if source.taken is Taken.REST:
        return frozenset()
    return frozenset(entry for cut in _places(draw, source, out, states) for entry in cut.going_on)


def _places(
    draw: Draw, source: Source, out: Collection[EntryId], states: States | None = None
) -> tuple[Cut, ...]:
    if in_rounds(draw.stage):
        return cut_tables(draw, source.last, out, first=source.first)
    return (cut_places(_groups(draw, source, out, states), source.last, first=source.first),)


def _rest(
    draw: Draw,
    source: Source,
    elsewhere: Collection[EntryId],
    out: Collection[EntryId],
    states: States | None,
) -> tuple[Cut, ...]:
    if in_rounds(draw.stage):
        return rests_of_tables(draw, elsewhere, out)
    return (rest_of_places(_groups(draw, source, out, states), elsewhere),)


def _groups(
    draw: Draw, source: Source, out: Collection[EntryId] = (), states: States | None = None
) -> Groups:
    """Who shares a place of a section, best first; nobody where the field was too small to have it. The lot is drawn by the seed of the draw."""
    ladders = draw.ladders()
    if source.section not in ladders:
        return ()
    places = places_in(draw.bracket(), states or draw.states(), ladders[source.section])
    return place_groups(places, seed_from(draw.stage.draw_seed or "0"), out)


def qualification_of(stage: Stage) -> Qualification:
    """Who comes into ``stage`` (``fed_by`` fetched with it). Raises the engine's ``BadInput`` where a table is too small."""
    parts = sources_of(stage)
    if not parts:
        raise LookupError(f"stage {stage.pk} is not fed by another one")
    draws = draws_of({part.stage.pk: part.stage for part in parts}.values())
    feeds = {pk: stages_fed_by(draw.stage) for pk, draw in draws.items()}
    first = first_entries(stage.division_id) if len(parts) > 1 else {}
    entries: dict[EntryId, EntryId] = {}  # by the first entry of the same players
    elsewhere: list[EntryId] = []
    going: list[Going] = []
    for part in parts:
        draw = draws[part.stage.pk]
        others = feeds[part.stage.pk]
        if part.source.by_result:
            cuts = cuts_for(draw, others, withdrawn_from(part.stage))
            own = next(one for one in cuts if one.stage.pk == stage.pk and one.source == part.source)
            order = _in_order(draw, own)
            going.append(own)
        else:
            order = _losers(part.source, draw)
        placed = placed_in(one for one in others if one.pk != stage.pk and takes_rest_of(one, part.stage))
        there = frozenset().union(*placed.values())
        elsewhere += (entry for entry in order if entry in there)
        for entry in order:
            if entry not in there:
                entries.setdefault(first.get(entry, entry), entry)
    return Qualification(tuple(entries.values()), tuple(going), tuple(elsewhere))


def _in_order(draw: Draw, going: Going) -> tuple[EntryId, ...]:
    """Group by group as they are seeded. The best of a table have to be there; whoever else is named comes if there is anybody."""
    source = going.source
    if in_rounds(draw.stage) and source.taken is Taken.PLACES and source.first == 1:
        return qualified([one.order for one in going.cuts], source.last)
    return dealt([one.going_on for one in going.cuts])


def qualified_entries(stage: Stage) -> tuple[EntryId, ...]:
    """Who goes on into ``stage`` (``fed_by`` fetched with it) from the stages that feed it, in seeding order."""
    return qualification_of(stage).entries


def expected_in(stage: Stage, entries: int) -> int:
    """How many entries a stage that is not drawn will have, as far as can be told; ``entries``: of its division."""
    parts = sources_of(stage)
    return (
        sum(_expected_of(stage, part, expected_in(part.stage, entries)) for part in parts)
        if parts
        else entries
    )


def _expected_of(stage: Stage, part: From, entries: int) -> int:
    """The same of one source, of which ``entries`` take part."""
    before, source = part
    if source.taken is Taken.LOSERS:
        return _losers_of_some(source, before, entries)
    groups = settings_of(before).group_count if in_rounds(before) else 1
    if source.taken is Taken.PLACES:
        wanted = groups * (source.last - source.first + 1)
        fixed = in_rounds(before) and source.first == 1
        return wanted if fixed else min(wanted, max(0, entries - groups * (source.first - 1)))
    others = [other for one in stages_fed_by(before) if one.pk != stage.pk for other in taken_of(one, before)]
    ranges = (range(one.first, one.last + 1) for one in others if one.taken is Taken.PLACES)
    taken = groups * len(frozenset(chain.from_iterable(ranges)))
    lost = sum(_losers_of_some(one, before, entries) for one in others if one.taken is Taken.LOSERS)
    return max(0, entries - taken - lost)


def _losers_of_some(source: Source, before: Stage, entries: int) -> int:
    """How many lose in the rounds of ``before`` that feed a stage where so many entries are drawn, and everybody plays."""
    if not MIN_ENTRIES <= entries <= MAX_ENTRIES:
        return 0
    settings = before.settings.bracket
    seeded = seeded_draw([EntryId(number) for number in range(1, entries + 1)])
    try:
        lines = with_open_lines(seeded, settings.open_lines)
        bracket = family_bracket(before.system, before.lengths, settings, lines)
    except BadInput:
        return 0
    return len(playable(bracket).intersection(feeding_rounds(bracket, source)))


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
    """Entries whose players stand higher up in the same order with another one; in groups nobody buys back."""
    table = in_rounds(draw.stage)
    first = first_entries(draw.stage.division_id) if is_swiss(draw.stage) or not table else {}
    if not first:
        return
    orders = (one.order for one in (cut_tables(draw, 0, out) if table else (cut_places(_all(draw, out), 0),)))
    seen = set[EntryId]()
    for entry in chain.from_iterable(orders):
        person = first.get(entry, entry)
        if person in seen:
            yield entry
        seen.add(person)


def _all(draw: Draw, out: Collection[EntryId]) -> Groups:
    return _groups(draw, Source(), out) if draw.rounds else ()


def losers_of(source: Source, bracket: Bracket, states: States) -> tuple[EntryId, ...]:
    """Who lost in the rounds of a ``source``, as its stage stands in these states, whether they have left or not."""
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
    return losers_in(bracket, source, beaten, last)


def drawn_from_bracket(draw: Draw, then: States) -> tuple[Stage, ...]:
    """Stages that are drawn from losers or places of this bracket and would be drawn from others if it stood as ``then``."""
    feeds = stages_fed_by(draw.stage)
    drawn = [stage for stage in feeds if stage.status != StageStatus.SETUP]
    if not drawn:
        return ()
    out = withdrawn_from(draw.stage)
    now, other = (_takers(draw, feeds, out, states) for states in (draw.states(), then))
    return tuple(stage for stage in drawn if now[stage.pk] != other[stage.pk])


def _takers(
    draw: Draw, feeds: Sequence[Stage], out: Collection[EntryId], states: States
) -> dict[int, frozenset[EntryId]]:
    """Whom each stage takes of a bracket that stands like this."""
    found = {stage.pk: frozenset[EntryId]() for stage in feeds}
    for going in cuts_for(draw, feeds, out, states):
        found[going.stage.pk] |= going.entries
    for stage in feeds:
        for source in taken_of(stage, draw.stage):
            if source.taken is Taken.LOSERS:
                found[stage.pk] |= frozenset(losers_of(source, draw.bracket(), states))
    return found


def _losers(source: Source, draw: Draw) -> tuple[EntryId, ...]:
    """Who lost in the rounds of a source and has not left. Whoever has bought back comes in by the latest entry or not at all."""
    if not draw.rounds:
        return ()
    gone = withdrawn_from(draw.stage)
    first = first_entries(draw.stage.division_id)
    standing = {side.entry_id for match in draw.matches for side in match.sides if side.entry_id is not None}
    latest = {first.get(entry, entry): entry for entry in sorted(standing - gone)}
    found = losers_of(source, draw.bracket(), draw.states())
    return tuple(entry for entry in found if latest.get(first.get(entry, entry)) == entry)
