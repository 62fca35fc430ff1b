"""Read a stage for one change: its database rows, and the engine's ``StageState`` made from them.

A live result reads three matches of a bracket of 1,024: its own and the two to which winner and loser go. A
repair reads the whole stage. The ``StageState`` is the same in both cases. Only functions of this package and
services call these functions, under the event's lock.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from faults import Missing
from tournaments.engine.brackets.progression import Slot
from tournaments.engine.brackets.structure import SlotTarget
from tournaments.engine.changes.next_state import StageChange, next_state
from tournaments.engine.changes.state import (
    MATCH_COLUMNS,
    MatchColumns,
    MatchData,
    MatchNotLoaded,
    StageState,
    StoredReport,
    slot_from_columns,
)
from tournaments.engine.errors import TransitionRefused
from tournaments.engine.stages.elimination import drop_rule
from tournaments.engine.statuses import OVER, EntryStatus, MatchStatus
from tournaments.engine.types import EntryId, MatchNo, Side
from tournaments.models import Match, MatchSlot, Report, Stage
from tournaments.selectors.arranged import entries_with_cancelled_results
from tournaments.selectors.matches.ledger import SinglePlayers, single_player_expression
from tournaments.selectors.standings.places import division_rank_expression

_LOSER: Final = MatchSlot.SourceKind.LOSER_OF


class LoadedStage:
    """The database rows of a stage that were read for one change, and the ``StageState`` made from them."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.rows: dict[MatchNo, Match] = {}
        self.slots: dict[tuple[MatchNo, Side], MatchSlot] = {}
        self.state = StageState({})
        self._single_players: dict[int, int | None] = {}
        self._rank = 0

    def after(self, *changes: StageChange, present: Mapping[str, Any] | None = None) -> StageState:
        """Return the state of the stage after these changes, made now; loads further matches where needed.

        Raises ``TransitionRefused`` (409), with ``present`` as data, for a change of status that is not
        allowed.
        """
        now = timezone.now()
        while True:
            try:
                return next_state(self.state, changes, now)
            except TransitionRefused as error:
                raise error.about(present or {"status": self.stage.status}) from None
            except MatchNotLoaded as not_loaded:
                self.read(Q(number=not_loaded.number))

    def read(self, which: Q) -> None:
        """Load the matches that fulfil the condition ``which``.

        Three queries, and one for each part of the bracket from which losers of losers can come (main,
        consolation, last chance: two at most).
        """
        rows = {row.pk: row for row in Match.objects.filter(which, stage=self.stage)}
        slots = list(_with_statuses(MatchSlot.objects.filter(match__in=rows)))
        feeds = MatchSlot.objects.filter(source_match__in=rows).select_related("match__round")
        slots_by_match = _SlotsByMatch(slots)
        while missing_ids := slots_by_match.missing():
            slots_by_match.add(_with_statuses(MatchSlot.objects.filter(match__in=missing_ids)))
        self._add_rows(rows, slots, feeds, slots_by_match, {})

    def load_around(self, match: Match, nearby: Sequence[MatchSlot]) -> None:
        """Load a match and the matches to which its winner and loser go, with as few queries as possible.

        ``nearby``: what `nearby_slots` returned for the match.
        """
        fed_ids = {slot.match_id for slot in nearby if slot.source_match_id == match.pk}
        rows = {match.pk: match, **{slot.match_id: slot.match for slot in nearby if slot.match_id in fed_ids}}
        present_slots = [slot for slot in nearby if slot.entry_id is not None and slot.former_id is None]
        self._single_players = {slot.entry_id: slot.alone for slot in present_slots}  # type: ignore[attr-defined, misc]
        self._rank = max(slot.rank for slot in nearby)  # type: ignore[attr-defined]
        slots = [slot for slot in nearby if slot.match_id in rows]
        feeds = [slot for slot in nearby if slot.source_match_id in rows]
        slots_by_match = _SlotsByMatch(slots)
        while missing_ids := slots_by_match.missing():
            slots_by_match.add(_with_statuses(MatchSlot.objects.filter(match__in=missing_ids)))
        self._add_rows(rows, slots, feeds, slots_by_match, {})

    def load_all(self) -> None:
        """Load the whole stage with the unconfirmed and confirmed reports of its matches; three queries."""
        rows = {
            row.pk: row
            for row in Match.objects.filter(stage=self.stage).select_related("round").order_by("number")
        }
        slots = list(_with_statuses(MatchSlot.objects.filter(match__stage=self.stage)))
        for slot in slots:
            slot.match = rows[slot.match_id]
        reports: dict[int, list[Report]] = {pk: [] for pk in rows}
        live_states = [Report.State.OPEN, Report.State.CONFIRMED]
        for report in Report.objects.filter(match__stage=self.stage, state__in=live_states).order_by(
            "version"
        ):
            reports[report.match_id].append(report)
        feeds = [slot for slot in slots if slot.source_match_id is not None]
        self._add_rows(rows, slots, feeds, _SlotsByMatch(slots), reports)

    def single_players_in(self, number: MatchNo) -> SinglePlayers | None:
        """Return the players of a match between single players.

        None if they were not loaded or a former lineup played there.
        """
        entries = {side: self.slots[number, side].entry_id for side in Side}
        if (
            not all(entry in self._single_players for entry in entries.values())
            or self.state.match(number).former_lineups
        ):
            return None
        return SinglePlayers(
            {side: self._single_players[entry] for side, entry in entries.items() if entry is not None},
            self._rank,
        )

    def _add_rows(
        self,
        rows: Mapping[int, Match],
        slots: Iterable[MatchSlot],
        feeds: Iterable[MatchSlot],
        slots_by_match: "_SlotsByMatch",
        reports: Mapping[int, Sequence[Report]],
    ) -> None:
        slots_by_side: dict[int, dict[Side, Slot]] = {pk: {} for pk in rows}
        former: dict[int, dict[Side, int]] = {}
        withdrawn_ids: set[EntryId] = set()
        for slot in slots:
            row, side = rows[slot.match_id], Side(slot.side)
            self.slots[MatchNo(row.number), side] = slot
            slots_by_side[row.pk][side] = slots_by_match.engine_slot(slot)
            if slot.former_id is not None:
                former.setdefault(row.pk, {})[side] = slot.former_id
            if slot.entry_status == EntryStatus.WITHDRAWN and slot.entry_id is not None:  # type: ignore[attr-defined]
                withdrawn_ids.add(EntryId(slot.entry_id))
        targets = _targets_by_match(self.stage, feeds)
        match_data = {}
        for row in rows.values():
            row.stage = self.stage
            number = MatchNo(row.number)
            self.rows[number] = row
            a, b = slots_by_side[row.pk][Side.A], slots_by_side[row.pk][Side.B]
            match = _build_match_data(row, a, b, targets.get(row.pk, {}), reports.get(row.pk, ()))
            match_data[number] = replace(match, former_lineups=former[row.pk]) if row.pk in former else match
        struck_ids = (
            withdrawn_ids.intersection(entries_with_cancelled_results(self.stage)) if withdrawn_ids else ()
        )
        self.state = self.state.merge(StageState(match_data, frozenset(withdrawn_ids), frozenset(struck_ids)))


class _SlotsByMatch:
    """Slots of matches, as many as needed to decide whether an empty slot can still get an entry."""

    def __init__(self, slots: Iterable[MatchSlot]) -> None:
        self._slots: dict[int, list[MatchSlot]] = {}
        self.add(slots)

    def add(self, slots: Iterable[MatchSlot]) -> None:
        for slot in slots:
            self._slots.setdefault(slot.match_id, []).append(slot)

    def missing(self) -> set[int]:
        """Return the ids of unfinished matches whose loser is awaited and whose slots are not loaded."""
        known_slots = [slot for slots in self._slots.values() for slot in slots]
        match_ids = {slot.source_match_id for slot in known_slots if _awaits_loser(slot)}
        return {pk for pk in match_ids if pk is not None} - self._slots.keys()

    def engine_slot(self, slot: MatchSlot) -> Slot:
        """Return the slot as the engine's value: with an entry, vacant (stays empty) or not known yet."""
        entry = EntryId(slot.entry_id) if slot.entry_id is not None else None
        return slot_from_columns(
            entry, by_hand=slot.by_hand, has_won=slot.has_won, open_=not self._is_vacant(slot)
        )

    def _is_vacant(self, slot: MatchSlot) -> bool:
        if slot.entry_id is not None:
            return False
        if slot.source_kind == MatchSlot.SourceKind.BYE or slot.by_hand or _is_source_over(slot):
            return True
        if slot.source_kind != _LOSER or slot.source_match_id is None:
            return False
        return any(self._is_vacant(source_slot) for source_slot in self._slots[slot.source_match_id])


def load_stage(
    stage: Stage, *, around: Match | None = None, slots: Sequence[MatchSlot] | None = None
) -> LoadedStage:
    """Read the whole stage or, with ``around``, only what a result of that match can change.

    ``slots``: what ``nearby_slots`` returned for ``around``, if already read.
    """
    loaded_stage = LoadedStage(stage)
    if around is None:
        loaded_stage.load_all()
    else:
        loaded_stage.load_around(around, nearby_slots(around.pk) if slots is None else slots)
    return loaded_stage


def nearby_slots(match_id: int) -> list[MatchSlot]:
    """Return the slots of a match, of the two matches that follow it and of those that follow these.

    One query.

    The slots of the match itself share one ``Match`` with its stage; all are annotated with ``alone``
    (``single_player_expression``) and the ``rank`` of the division.
    """
    all_slots = MatchSlot.objects.order_by()
    following_slots = all_slots.filter(match__slots__source_match=match_id)
    later_slots = all_slots.filter(source_match__slots__source_match=match_id)
    # Separate queries, each by its own index; one combined condition would scan all slots.
    slot_ids = _slot_ids(all_slots.filter(match=match_id)).union(
        *map(_slot_ids, (following_slots, later_slots))
    )
    slots: list[MatchSlot] = list(
        _with_statuses(MatchSlot.objects.filter(pk__in=slot_ids))
        .annotate(alone=single_player_expression(), rank=division_rank_expression("match__stage__division"))
        .select_related("match__round", "match__stage__division")
    )
    match_slots = [slot for slot in slots if slot.match_id == match_id]
    for slot in match_slots[1:]:
        slot.match = match_slots[0].match
    return slots


def _slot_ids(slots: QuerySet[MatchSlot]) -> QuerySet[MatchSlot, int]:
    return slots.values_list("pk", flat=True)


def match_from_slots(slots: Sequence[MatchSlot], match_id: int) -> Match:
    """Return the match with this id from the result of ``nearby_slots``.

    Raises ``Missing`` if it no longer exists.
    """
    match = next((slot.match for slot in slots if slot.match_id == match_id), None)
    if match is None:  # its round was taken back meanwhile
        raise Missing("match.unknown")
    return match


def _with_statuses(rows: QuerySet[MatchSlot]) -> QuerySet[MatchSlot]:
    """Annotate slots with the status of their source match and of their entry."""
    return rows.annotate(source_status=F("source_match__status"), entry_status=F("entry__status"))


def _is_source_over(slot: MatchSlot) -> bool:
    return slot.source_status is not None and MatchStatus(slot.source_status) in OVER  # type: ignore[attr-defined]


def _awaits_loser(slot: MatchSlot) -> bool:
    """Return whether the slot is empty and can get the loser of a match that is not over."""
    is_waiting = slot.source_kind == _LOSER and slot.entry_id is None and not slot.by_hand
    return is_waiting and not _is_source_over(slot)


def _targets_by_match(stage: Stage, feeds: Iterable[MatchSlot]) -> dict[int, dict[str, SlotTarget]]:
    """Return the slots to which winner and loser of each match go, keyed by match id and source kind."""
    settings = stage.settings.bracket
    targets_by_match: dict[int, dict[str, SlotTarget]] = {}
    for feed in feeds:
        rule = None
        if feed.source_kind == _LOSER:
            rule = drop_rule(settings, feed.match.round.section, feed.match.round.code)
        target = SlotTarget(MatchNo(feed.match.number), Side(feed.side), rule)
        if feed.source_match_id is not None:
            targets_by_match.setdefault(feed.source_match_id, {})[feed.source_kind] = target
    return targets_by_match


def _build_match_data(
    row: Match, a: Slot, b: Slot, targets: Mapping[str, SlotTarget], reports: Sequence[Report]
) -> MatchData:
    values = {name: getattr(row, name) for name in MATCH_COLUMNS}
    final = next((report for report in reports if report.state == Report.State.CONFIRMED), None)
    return MatchData(
        number=MatchNo(row.number),
        a=a,
        b=b,
        columns=MatchColumns(**{**values, "status": MatchStatus(row.status)}),
        winner_to=targets.get(MatchSlot.SourceKind.WINNER_OF),
        loser_to=targets.get(_LOSER),
        open=tuple(report.pk for report in reports if report.state == Report.State.OPEN),
        final=StoredReport(final.pk, final.version) if final is not None else None,
    )
