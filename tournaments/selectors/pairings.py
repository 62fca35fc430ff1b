"""The next round of a Swiss or round robin before it is published, and the check of the rounds that are.

A preview is nothing but its stored seed: it is worked out from the entries and the results as they are, so a late entry
or a correction shows in it at once. ``seen`` names the very pairing that was looked at; publishing asks for it.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tournaments.engine.lengths import lengths_for_rounds
from tournaments.engine.lifecycle import EntryStatus, StageStatus
from tournaments.engine.pairing.checker import Broken, check_swiss
from tournaments.engine.pairing.history import Entrant, contenders_after
from tournaments.engine.pairing.round_robin import ScheduledRound, round_robin
from tournaments.engine.pairing.settings import Clubs
from tournaments.engine.pairing.swiss import Wishes, pair_round
from tournaments.engine.types import EntryId
from tournaments.models import Entry, EntryPlayer, Round, Stage
from tournaments.selectors.draws import OVER, Draw
from tournaments.selectors.standings import entries_in, history_of, in_rounds, is_swiss, settings_of

UNRANKED = 10_000


@dataclass(frozen=True, slots=True)
class NextRound:
    """A round as it would be published now."""

    number: int
    length: int
    seed: str
    pairs: tuple[tuple[EntryId, EntryId], ...]
    bye: EntryId | None
    rests: Mapping[EntryId, int]
    rematches: int
    seen: str


def rounds_left(stage: Stage, draw: Draw) -> int:
    return max(0, settings_of(stage).rounds - len(draw.rounds))


def round_to_come(stage: Stage) -> bool:
    """A Swiss or round robin is under way and has a round that is not published."""
    begun = in_rounds(stage) and stage.status in {StageStatus.PUBLISHED, StageStatus.RUNNING}
    return begun and Round.objects.filter(stage=stage).count() < settings_of(stage).rounds


def between_rounds(stage: Stage) -> bool:
    """A Swiss under way with a round still to come: entries may come and go."""
    return is_swiss(stage) and round_to_come(stage)


def open_matches(draw: Draw) -> int:
    """Matches of the published rounds that are not over."""
    return sum(match.status not in OVER for match in draw.matches)


def may_pair(stage: Stage, draw: Draw) -> bool:
    """The next round can be paired: one is left, and everything before it is over."""
    begun = stage.status in {StageStatus.PUBLISHED, StageStatus.RUNNING}
    fresh = stage.status in {StageStatus.SETUP, StageStatus.DRAWN}
    return rounds_left(stage, draw) > 0 and open_matches(draw) == 0 and (fresh or begun)


def next_round(stage: Stage, draw: Draw) -> NextRound | None:
    """The preview, or None where nothing is drawn. Raises the engine's ``BadInput`` where nothing can be paired."""
    return _paired(stage, draw) if is_swiss(stage) else _scheduled(stage, draw)


def schedule_of(stage: Stage) -> tuple[ScheduledRound, ...]:
    """Every round of a round robin that is drawn."""
    order = stage.options.get("order", [])
    if stage.status == StageStatus.SETUP or not order:
        return ()
    return schedule(stage, [EntryId(entry) for entry in order])


def schedule(stage: Stage, order: Sequence[EntryId]) -> tuple[ScheduledRound, ...]:
    """The Berger table for these entries, once or twice."""
    return round_robin(order, double=stage.system == Stage.System.DOUBLE_ROUND_ROBIN)


def planned_rounds(stage: Stage, entries: int) -> int:
    """How many rounds there are, or would be with so many entries."""
    if is_swiss(stage) or stage.options.get("order"):
        return settings_of(stage).rounds
    once = max(1, entries - 1 + entries % 2)
    return 2 * once if stage.system == Stage.System.DOUBLE_ROUND_ROBIN else once


def _scheduled(stage: Stage, draw: Draw) -> NextRound | None:
    """The next round of the schedule; who rests in it has no match and no points."""
    rounds = schedule_of(stage)
    if len(draw.rounds) >= len(rounds):
        return None
    planned = rounds[len(draw.rounds)]
    return NextRound(
        number=planned.number,
        length=lengths_for_rounds(tuple(stage.lengths), len(rounds))[planned.number - 1],
        seed=stage.draw_seed,
        pairs=planned.pairs,
        bye=None,
        rests={},
        rematches=0,
        seen=_seen(f"{planned.number}|{planned.pairs}"),
    )


def _seen(told: str) -> str:
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _paired(stage: Stage, draw: Draw) -> NextRound | None:
    seed = stage.next_round.get("seed", "")
    if not seed:
        return None
    active = list(Entry.objects.filter(division_id=stage.division_id, status=EntryStatus.ACTIVE))
    asked = asked_rests(stage)
    rests = {EntryId(entry.pk): asked[entry.pk] for entry in active if entry.pk in asked}
    playing = {EntryId(entry.pk) for entry in active} - set(rests)
    known = {entry.pk: entry for entry in active}
    away = Entry.objects.filter(pk__in=[e for e in entries_in(draw) if e not in known])
    entrants = _entrants(stage, [*active, *away])
    contenders = contenders_after(history_of(draw, [EntryId(pk) for pk in known]), entrants, playing)
    found = pair_round(contenders, seed=int(seed), wishes=_wishes(stage))
    number = len(draw.rounds) + 1
    told = f"{number}|{found.pairs}|{found.bye}|{sorted(rests.items())}"
    return NextRound(
        number=number,
        length=lengths_for_rounds(tuple(stage.lengths), settings_of(stage).rounds)[number - 1],
        seed=seed,
        pairs=found.pairs,
        bye=found.bye,
        rests=rests,
        rematches=found.costs.rematches,
        seen=_seen(told),
    )


def asked_rests(stage: Stage) -> dict[int, int]:
    """Entry id → half points of those who asked to sit out the next round."""
    return {int(entry): points for entry, points in stage.next_round.get("rests", {}).items()}


def check_of(stage: Stage, draw: Draw) -> tuple[Broken, ...]:
    """Every criterion that a published pairing broke, judged by the results as they stand now."""
    entries = list(Entry.objects.filter(pk__in=entries_in(draw)))
    finished = history_of(draw)[: len(draw.rounds) - (1 if open_matches(draw) else 0)]
    return check_swiss(finished, _entrants(stage, entries), wishes=_wishes(stage))


def _entrants(stage: Stage, entries: Collection[Entry]) -> list[Entrant]:
    clubs: dict[int, set[str]] = {}
    if settings_of(stage).clubs != Clubs.IGNORE:
        rows = EntryPlayer.objects.filter(
            division_id=stage.division_id, player__home_club__isnull=False
        ).values_list("entry_id", "player__home_club_id")
        for entry_id, club_id in rows:
            clubs.setdefault(entry_id, set()).add(f"club {club_id}")
    seeded = stage.draw_method == Stage.DrawMethod.SEEDED
    return [
        Entrant(
            EntryId(entry.pk),
            entry.seed if seeded and entry.seed is not None else UNRANKED,
            frozenset(clubs.get(entry.pk, ())),
        )
        for entry in sorted(entries, key=lambda entry: entry.pk)
    ]


def _wishes(stage: Stage) -> Wishes:
    return Wishes(apart_is_absolute=settings_of(stage).clubs == Clubs.NEVER)
