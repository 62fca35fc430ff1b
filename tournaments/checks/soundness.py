"""Integrity check of an event: what is stored is computed again by other means and compared.

The engine rebuilds the bracket from its lines and results; rounds, tables, places and the rating ledger are
counted again. An event that only services have changed is always consistent. ``manage.py check_events``
checks a database after a crash, a restored backup or manual changes; simulated events are checked after each
step.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile

from django.db.models import F

from people import versions
from people.models import AuditEntry
from rating.models import Fact
from tournaments.checks.here import check_in_faults
from tournaments.checks.lineups import lineup_faults
from tournaments.checks.replay_trail import StageReplay, replay_stages
from tournaments.engine.brackets.progression import MatchState, SlotState, advance
from tournaments.engine.errors import BadInput
from tournaments.engine.matches.result_kinds import RESULT_RULES
from tournaments.engine.standings.ranking import Place
from tournaments.engine.statuses import (
    AWAITING_RESULT,
    DRAW_PUBLIC,
    EVENT_HAS_RESULTS,
    OVER,
    PLAYERS_BUSY,
    EventStatus,
    MatchStatus,
    StageStatus,
)
from tournaments.engine.trail.action import ChangeScope
from tournaments.engine.trail.kinds import ACTION_KINDS
from tournaments.engine.types import EntryId, ResultKind, Side
from tournaments.models import (
    Arrangement,
    EntryPlayer,
    Event,
    MatchMessage,
    OfferedTime,
    Report,
    Stage,
)
from tournaments.selectors.arranged import drawn_groups, prefetch_stage_entries
from tournaments.selectors.draws import LIVE_STATUSES, Draw, DrawnMatch, load_draws
from tournaments.selectors.rounds.next import rounds_left
from tournaments.selectors.standings.feeds import placed_entries_by_stage
from tournaments.selectors.standings.sources import feeds_among, sources_taken, takes_rest
from tournaments.selectors.standings.tables import is_round_based, is_swiss, rounds_settings, standings_tables


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """One inconsistency: the name of the check that found it, and where it is."""

    check: str
    where: str

    def __str__(self) -> str:
        return f"{self.check}: {self.where}"


def integrity_faults(event: Event) -> list[Discrepancy]:
    """Return all inconsistencies of an event. About ten queries, and some work for each stage."""
    stages = list(Stage.objects.filter(division__event=event).select_related("division"))
    draws = load_draws(stages)
    prefetch_stage_entries(stages)
    stage_replays = replay_stages(event)
    faults: list[Discrepancy] = []
    for stage in stages:
        draw = draws[stage.pk]
        if draw.rounds and is_round_based(stage):
            faults += [*_round_faults(draw), *_schedule_faults(draw)]
        elif draw.rounds:
            faults += _bracket_faults(draw)
        if draw.rounds and stage.status == StageStatus.FINISHED and not faults:
            faults += _place_faults(draw)
        if draw.rounds:
            faults += _replay_faults(draw, stage_replays.get(stage.pk, StageReplay()))
    faults += _feed_faults([draw.stage for draw in draws.values()])
    faults += _arrangement_faults(stages)
    faults += _end_faults(event, draws.values())
    faults += _table_faults(event, [match for draw in draws.values() for match in draw.matches])
    faults += [Discrepancy("check_in", detail) for detail in check_in_faults(event)]
    faults += [Discrepancy("lineup", detail) for detail in lineup_faults(event)]
    faults += _version_faults(event, {stage.division_id for stage in stages})
    faults += _ledger_faults(list(draws.values()), float(event.weight))
    return faults


def _version_faults(event: Event, divisions: Collection[int]) -> Iterator[Discrepancy]:
    """Yield discrepancies between the version numbers of pages and the event's version.

    Every change raises the number of the outline or a division, except changes that only staff see.
    """
    topics = [
        versions.event_topic(event.pk),
        versions.outline_topic(event.pk),
        *map(versions.division_topic, divisions),
    ]
    version, *part_versions = versions.versions_of(topics)
    stored = Event.objects.values_list("version", flat=True).get(pk=event.pk)
    if (
        version != stored
        or not version - _desk_change_count(event, version - max(part_versions))
        <= max(part_versions)
        <= version
    ):
        yield Discrepancy("versions", f"{stored} of the event, {version} and {part_versions} in version rows")


def _desk_change_count(event: Event, max_actions: int) -> int:
    """Return how many of the last changes, at most ``max_actions``, only staff see.

    These raise the event's own version alone.
    """
    if max_actions <= 0:
        return 0
    rows = AuditEntry.objects.filter(scope=f"event:{event.pk}").order_by("-pk")
    kinds = [ACTION_KINDS.get(action) for action in rows.values_list("action", flat=True)[:max_actions]]
    return sum(1 for _ in takewhile(lambda kind: kind is not None and kind.reach is ChangeScope.STAFF, kinds))


def _bracket_faults(draw: Draw) -> Iterator[Discrepancy]:
    """Yield where structure, slots or statuses differ from those that the engine computes."""
    bracket = draw.bracket()
    if len(bracket.matches) != len(draw.matches):
        yield Discrepancy("bracket", f"{len(draw.matches)} matches stored, {len(bracket.matches)} built")
        return
    try:
        states = advance(bracket, draw.outcomes(), draw.entries_placed_by_hand()).matches
    except BadInput as error:  # a result without an entry
        yield Discrepancy("bracket", f"{error.code} {error.params}")
        return
    for match in sorted(draw.matches, key=lambda match: match.number):
        bracket_match = bracket.match(match.number)
        for side, source in zip(match.sides, (bracket_match.a, bracket_match.b), strict=True):
            if (side.source_kind, side.source_number) != (source.kind, source.match):
                yield Discrepancy("structure", _match_label(match, side.side))
        yield from _state_faults(match, states[match.number])


def _state_faults(match: DrawnMatch, state: MatchState) -> Iterator[Discrepancy]:
    for side, slot in zip(match.sides, (state.a, state.b), strict=True):
        if (side.entry_id, side.vacant) != (slot.entry, slot.state is SlotState.VACANT):
            yield Discrepancy(
                "slot", f"{_match_label(match, side.side)}: {side.entry_id} stored, {slot.entry} found"
            )
        elif slot.entry is not None and side.has_won != slot.has_won:
            yield Discrepancy("has won", _match_label(match, side.side))
    status = MatchStatus.READY if match.status in AWAITING_RESULT else match.status
    if status is not state.status:
        yield Discrepancy("status", f"{_match_label(match)}: {match.status} stored, {state.status} found")
    if state.outcome is not None and state.outcome.winner != match.winner:
        yield Discrepancy("winner", _match_label(match))


def _round_faults(draw: Draw) -> Iterator[Discrepancy]:
    """Yield the entries that occur more than once in a round."""
    for round_ in (*draw.rounds, *draw.play_offs):
        seated = Counter(
            side.entry_id for match in round_.matches for side in match.sides if side.entry_id is not None
        )
        seated.update(EntryId(int(entry)) for entry in round_.rests)
        for entry, times in seated.items():
            if times > 1:
                yield Discrepancy("round", f"entry {entry} {times} times in round {round_.number}")


def _schedule_faults(draw: Draw) -> Iterator[Discrepancy]:
    """Yield the entries of a round robin that are missing in its schedule, by which the table counts."""
    scheduled = {entry for group in drawn_groups(draw.stage) for entry in group}
    seated = {side.entry_id for round_ in draw.rounds for match in round_.matches for side in match.sides}
    if not is_swiss(draw.stage):
        yield from (
            Discrepancy("schedule", f"entry {entry} is not in the schedule") for entry in seated - scheduled
        )


def _replay_faults(draw: Draw, stage_replay: StageReplay) -> Iterator[Discrepancy]:
    """Yield where lines, pairings, results or manual placings differ from those in the audit log."""
    if not stage_replay.is_complete:
        return
    if is_round_based(draw.stage):
        pairs = {
            r.number: [_entry_pair(match) for match in r.matches] for r in (*draw.rounds, *draw.play_offs)
        }
        if stage_replay.pairs != pairs:
            yield Discrepancy("trail", "pairings differ")
    elif stage_replay.lines != draw.lines():
        yield Discrepancy("trail", "bracket lines differ")
    for match, outcome in draw.outcomes().items():
        if stage_replay.results.get(match) != outcome:
            yield Discrepancy(
                "trail",
                f"match {match}: {outcome} stored, {stage_replay.results.get(match)} in the audit log",
            )
    if set(stage_replay.results) - set(draw.outcomes()):
        yield Discrepancy(
            "trail",
            f"results only in the audit log: {sorted(set(stage_replay.results) - set(draw.outcomes()))}",
        )
    if stage_replay.has_manual_changes != draw.entries_placed_by_hand():
        yield Discrepancy("trail", "manual placings differ")


def _entry_pair(match: DrawnMatch) -> tuple[EntryId | None, EntryId | None]:
    first, second = match.sides
    return first.entry_id, second.entry_id


def _place_faults(draw: Draw) -> Iterator[Discrepancy]:
    """Yield the sections and tables of a finished stage whose places are not 1 to n, without gaps."""
    if is_round_based(draw.stage):
        for table in standings_tables(draw):
            places = {row.entry: Place(row.first, row.last, settled=True) for row in table.rows}
            yield from _place_gap_faults(places, f"group {table.group}" if table.group else "table")
        rounds, play_offs = (
            tuple(replace(round_, matches=round_.matches[::-1]) for round_ in round_list)
            for round_list in (draw.rounds, draw.play_offs)
        )
        if standings_tables(Draw(draw.stage, rounds, play_offs)) != standings_tables(draw):
            yield Discrepancy("order", "the table depends on the order of the matches")
        return
    for section in draw.sections_sharing_places():
        yield from _place_gap_faults(draw.places(section), section)


def _arrangement_faults(stages: Collection[Stage]) -> Iterator[Discrepancy]:
    """Yield arrangements that involve other entries than the two sides, or with offers of both sides."""
    if not any(stage.by_arrangement for stage in stages):
        return
    rows = Arrangement.objects.filter(match__stage__in=stages).annotate(
        division=F("match__stage__division"), of_first=F("first__division"), of_second=F("second__division")
    )
    offers: dict[int, list[int]] = {}
    for arrangement, entry in OfferedTime.objects.filter(arrangement__in=rows).values_list(
        "arrangement_id", "entry_id"
    ):
        offers.setdefault(arrangement, []).append(entry)
    match_messages = MatchMessage.objects.filter(arrangement__in=rows)
    foreign_ids = set(
        match_messages.exclude(entry=F("arrangement__first"))
        .exclude(entry=F("arrangement__second"))
        .values_list("arrangement_id", flat=True)
    )
    for row in rows:
        both_sides = {row.first_id, row.second_id}
        is_same_division = {row.division} == {row.of_first, row.of_second}
        if not is_same_division or row.pk in foreign_ids or len({*offers.get(row.pk, ()), *both_sides}) > 2:
            yield Discrepancy("arrangement", f"{row.pk}: involves an entry other than its two sides")
        if len(set(offers.get(row.pk, ()))) > 1:
            yield Discrepancy("arrangement", f"{row.pk}: both sides offer times")


def _feed_faults(stages: Collection[Stage]) -> Iterator[Discrepancy]:
    """Yield the entries drawn into a stage that do not come from a stage that feeds it.

    Also entries of a stage for all the others that play in another fed stage, too.
    """
    fed_stages = [
        stage for stage in stages if stage.fed_by_id is not None and stage.status != StageStatus.SETUP
    ]
    if not fed_stages:
        return
    entries_by_stage = placed_entries_by_stage(stages)
    for stage in fed_stages:
        drawn_entries = entries_by_stage.get(stage.pk, frozenset())
        sources = feeds_among(stage, stages)
        known_entries = frozenset().union(
            *(entries_by_stage.get(source_stage.pk, frozenset()) for source_stage, _source in sources)
        )
        if strangers := drawn_entries - known_entries:
            yield Discrepancy("feed", f"stage {stage.pk}: {sorted(strangers)} not from a stage that feeds it")
        for source_stage in {
            source_stage for source_stage, _source in sources if takes_rest(stage, source_stage)
        }:
            for other in fed_stages:
                if other.pk != stage.pk and sources_taken(other, source_stage):
                    for entry in sorted(drawn_entries & entries_by_stage.get(other.pk, frozenset())):
                        yield Discrepancy("feed", f"entry {entry} in stages {stage.pk} and {other.pk}")


def _place_gap_faults(places: Mapping[EntryId, Place], label: str) -> Iterator[Discrepancy]:
    place_counts = Counter((place.first, place.last) for place in places.values())
    expected = 1
    for (first, last), times in sorted(place_counts.items()):
        if first != expected or last - first + 1 != times:
            yield Discrepancy(
                "places", f"{label}: {times} entries at places {first} to {last}, expected from {expected}"
            )
            return
        expected = last + 1
    if not all(place.settled for place in places.values()):
        yield Discrepancy("places", f"{label}: not all settled")


def _end_faults(event: Event, draws: Collection[Draw]) -> Iterator[Discrepancy]:
    """Yield the stages that are finished before their last match and round, or not after it.

    Also the event.
    """
    for draw in draws:
        stage = draw.stage
        if not draw.rounds or stage.status not in DRAW_PUBLIC:
            continue
        remaining_rounds = rounds_left(stage, draw) if is_round_based(stage) else 0
        is_over = all(match.status in OVER for match in draw.matches) and not remaining_rounds
        has_lives = (
            is_round_based(stage) and rounds_settings(stage).lives > 0
        )  # the last remaining entry may end it by withdrawing
        if is_over != (stage.status == StageStatus.FINISHED) and not (is_over and has_lives):
            yield Discrepancy("end", f"stage {stage.pk} is {stage.status}, {remaining_rounds} rounds to come")
    is_over = all(draw.stage.status == StageStatus.FINISHED for draw in draws)
    status = Event.objects.values_list("status", flat=True).get(pk=event.pk)
    if status in EVENT_HAS_RESULTS and is_over != (status == EventStatus.FINISHED):
        yield Discrepancy("end", f"the event is {status}")


def _table_faults(event: Event, matches: list[DrawnMatch]) -> Iterator[Discrepancy]:
    """Yield the tables that have several matches, and the players who play several matches at once."""
    tables = Counter(
        match.table for match in matches if match.table is not None and match.status in LIVE_STATUSES
    )
    for table, times in tables.items():
        if times > 1:
            yield Discrepancy("table", f"table {table} has {times} matches")
    playing_entries = [
        side.entry_id
        for match in matches
        if match.status in PLAYERS_BUSY
        for side in match.sides
        if side.entry_id is not None
    ]
    rows = EntryPlayer.objects.filter(entry__in=playing_entries, division__event=event)
    players = dict[int, list[int]]()
    for entry, player in rows.values_list("entry_id", "player_id"):
        players.setdefault(entry, []).append(player)
    table_counts = Counter(player for entry in playing_entries for player in players.get(entry, ()))
    for player, times in table_counts.items():
        if times > 1:
            yield Discrepancy("player", f"player {player} is at {times} tables")


def _ledger_faults(draws: Collection[Draw], weight: float) -> Iterator[Discrepancy]:
    """Yield the matches with a wrong number of effective results in the ledger; results of another weight.

    A match that was won and is rated (rule F12) has one result, others none.
    """
    match_by_pk = {match.pk: match for draw in draws for match in draw.matches}
    unrated_ids = {
        match.pk for draw in draws for match in draw.matches if not draw.stage.settings.conduct.rated
    }
    reports = Report.objects.filter(match__stage__in=[draw.stage for draw in draws])
    match_by_key = {
        f"match:{public_id}:{version}": pk
        for pk, public_id, version in reports.values_list("match_id", "match__public_id", "version")
    }
    facts = Fact.objects.filter(later=None).exclude(winner=None)
    known_facts = facts.in_bulk(list(match_by_key), field_name="source_key")
    result_counts = Counter(match_by_key[key] for key in known_facts)
    for fact in known_facts.values():
        if fact.event_weight != weight:
            yield Discrepancy("ledger", f"fact {fact.pk} has weight {fact.event_weight}")
    single_entries = _single_player_entries(match_by_pk.values())
    for match in match_by_pk.values():
        is_counted = (
            match.status in OVER  # a cancelled match does not count in its table but stays rated
            and match.winner is not None
            and RESULT_RULES[ResultKind(match.result_kind)].rated
            and all(side.entry_id in single_entries for side in match.sides)
            and match.pk not in unrated_ids
        )
        if result_counts[match.pk] != int(is_counted):
            yield Discrepancy(
                "ledger",
                f"{_match_label(match)}: {result_counts[match.pk]} valid results, {int(is_counted)} expected",
            )


def _single_player_entries(matches: Iterable[DrawnMatch]) -> set[int]:
    """Return the ids of those entries in ``matches`` that have a single player."""
    entries = {side.entry_id for match in matches for side in match.sides if side.entry_id is not None}
    players = Counter(EntryPlayer.objects.filter(entry__in=entries).values_list("entry_id", flat=True))
    return {entry for entry, count in players.items() if count == 1}


def _match_label(match: DrawnMatch, side: Side | None = None) -> str:
    return f"match {match.number}" + (f" side {side}" if side is not None else "")
