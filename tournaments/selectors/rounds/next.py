"""The next round of a Swiss or round robin before it is published, and the check of the rounds that are.

A preview is nothing but its stored seed and what the director changed by hand: it is worked out from the entries and
the results as they are, so a late entry or a correction shows in it at once. ``version`` names the very pairing that was
looked at; publishing asks for it.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as of_each
from datetime import date
from typing import Any

from tournaments.engine.chance import Chance, seed_from
from tournaments.engine.lots.committed import What
from tournaments.engine.lots.lists import LIST_VERSION, field_as_json
from tournaments.engine.matches.lengths import lengths_for_rounds
from tournaments.engine.pairing.checker import Broken, check_swiss, compare
from tournaments.engine.pairing.history import Entrant, contenders_after
from tournaments.engine.pairing.round_robin import ScheduledRound, in_groups
from tournaments.engine.pairing.swiss import (
    PAIRING_LOT,
    Contender,
    PairingRestrictions,
    pair_round,
    swapped,
)
from tournaments.engine.stages.swiss import Clubs
from tournaments.engine.standings.editions import EDITIONS
from tournaments.engine.statuses import DRAW_HIDDEN, OVER, UNDER_WAY, EntryStatus, StageStatus
from tournaments.engine.types import EntryId
from tournaments.models import Entry, EntryPlayer, Round, Stage
from tournaments.selectors.arranged import Pair, asked_rests, deadlines_of, groups_of, pairs_apart, swaps_of
from tournaments.selectors.draws import PLAY_OFF, Draw, draw_of
from tournaments.selectors.standings.feeds import qualified_entries
from tournaments.selectors.standings.tables import (
    entries_in,
    history_of,
    in_rounds,
    is_swiss,
    lives_of,
    settings_of,
)

UNRANKED = 10_000


@dataclass(frozen=True, slots=True)
class NextRound:
    """A round as it would be published now. ``broken``: what the changes made by hand (``swaps``) make worse.

    ``rematches``: the pairs of a Swiss that have met before; ``points``: half points of everybody who plays in it.
    """

    number: int
    length: int
    seed: str
    pairs: tuple[Pair, ...]
    bye: EntryId | None
    rests: Mapping[EntryId, int]
    rematches: tuple[Pair, ...]
    version: str
    swaps: tuple[Pair, ...] = ()
    broken: tuple[Broken, ...] = ()
    deadline: date | None = None
    points: Mapping[EntryId, int] = of_each(default_factory=dict)


def taking_part(stage: Stage) -> list[Entry]:
    """Who plays in ``stage``, as things are: the active entries of its division, or those who go on from the stage before.

    Raises the engine's ``BadInput`` where a table before is too small.
    """
    active = Entry.objects.filter(division_id=stage.division_id, status=EntryStatus.ACTIVE)
    if stage.fed_by_id is None:
        return list(active.order_by("pk"))
    by_pk = {entry.pk: entry for entry in active}
    found = [by_pk[pk] for pk in qualified_entries(stage)]
    return found if stage.settings.feed.by_result else sorted(found, key=lambda entry: entry.pk)


def rounds_left(stage: Stage, draw: Draw) -> int:
    """How many rounds are still to be published; with lives it is known of the next one only."""
    settings = settings_of(stage)
    if not settings.lives:
        return max(0, settings.rounds - len(draw.rounds))
    if stage.rounds_settled is not None:  # the director has ended it
        return 0
    return int(not draw.rounds or len(contending(stage, draw)) > 1)


def round_to_come(stage: Stage) -> bool:
    """A Swiss or round robin is under way and has a round that is not published."""
    return stage.status in UNDER_WAY and lacks_a_round(stage)


def lacks_a_round(stage: Stage) -> bool:
    """Whether a Swiss or round robin would need one more round, however it stands: after a correction more may be left in."""
    if not in_rounds(stage):
        return False
    if settings_of(stage).lives:
        return rounds_left(stage, draw_of(stage)) > 0
    return published_rounds(stage) < settings_of(stage).rounds


def published_rounds(stage: Stage) -> int:
    """How many rounds of ``stage`` are published; a play-off is none."""
    return Round.objects.filter(stage=stage).exclude(code=PLAY_OFF).count()


def between_rounds(stage: Stage) -> bool:
    """A Swiss under way with a round still to come: entries may come and go."""
    return is_swiss(stage) and stage.fed_by_id is None and round_to_come(stage)


def open_matches(draw: Draw) -> int:
    """Matches of the published rounds that are not over."""
    return sum(match.status not in OVER for match in draw.matches)


def may_pair(stage: Stage, draw: Draw) -> bool:
    """The next round can be paired: one is left, and everything before it is over."""
    status_fits = stage.status in (UNDER_WAY if draw.rounds else DRAW_HIDDEN)
    return status_fits and open_matches(draw) == 0 and rounds_left(stage, draw) > 0


def is_by_lot(stage: Stage, draw: Draw) -> bool:
    """Whether the next round is decided by lot: each round of a Swiss is, a round robin is drawn once, before its first round."""
    return is_swiss(stage) or not draw.rounds


def may_draw_round(stage: Stage, draw: Draw) -> bool:
    """The next round can be paired, and is by lot."""
    return may_pair(stage, draw) and is_by_lot(stage, draw)


def next_round(stage: Stage, draw: Draw) -> NextRound | None:
    """The preview, or None where nothing is drawn. Raises the engine's ``BadInput`` where nothing can be paired."""
    if is_swiss(stage):
        return _paired(stage, draw)
    return next(iter(rounds_to_publish(stage, draw)), None)


def rounds_to_publish(stage: Stage, draw: Draw) -> tuple[NextRound, ...]:
    """What publishing shows: the next round, or every round of a round robin that is published all at once."""
    if is_swiss(stage):
        found = _paired(stage, draw)
        return (found,) if found is not None else ()
    coming = _scheduled(stage, draw)
    return coming if settings_of(stage).all_at_once else coming[:1]


def schedule_of(stage: Stage) -> tuple[ScheduledRound, ...]:
    """Every round of a round robin that is drawn."""
    if stage.status == StageStatus.SETUP:
        return ()
    return schedule(stage, groups_of(stage))


def schedule(stage: Stage, groups: Sequence[Sequence[EntryId]]) -> tuple[ScheduledRound, ...]:
    """The Berger tables of these groups, once or twice."""
    return in_groups(groups, double=stage.system == Stage.System.DOUBLE_ROUND_ROBIN)


def planned_rounds(stage: Stage, entries: int) -> int:
    """How many rounds there are, or would be with so many entries; with lives, how many have a length of their own."""
    settings = settings_of(stage)
    if settings.lives:
        return len(stage.lengths)
    if is_swiss(stage) or stage.rounds_settled is not None:
        return settings.rounds
    largest = -(-entries // settings.group_count)
    once = max(1, largest - 1 + largest % 2)
    return 2 * once if stage.system == Stage.System.DOUBLE_ROUND_ROBIN else once


def length_of(stage: Stage, number: int, rounds: int) -> int:
    """The match length of a round. Lengths count back from the last round; with lives nobody knows which one that is,
    so they count from the first, and later rounds take the last one.
    """
    if settings_of(stage).lives:
        return int(stage.lengths[min(number, len(stage.lengths)) - 1])
    return lengths_for_rounds(tuple(stage.lengths), rounds)[number - 1]


def _scheduled(stage: Stage, draw: Draw) -> tuple[NextRound, ...]:
    """The rounds of the schedule that are not published; who rests in one has no match and no points."""
    rounds = schedule_of(stage)
    deadlines = deadlines_of(stage)
    version = _version(f"{len(draw.rounds)}|{rounds}")
    return tuple(
        NextRound(
            number=planned.number,
            length=length_of(stage, planned.number, len(rounds)),
            seed=stage.draw_seed,
            pairs=planned.pairs,
            bye=None,
            rests={},
            rematches=(),
            version=version,
            deadline=deadlines.get(planned.number),
        )
        for planned in rounds[len(draw.rounds) : settings_of(stage).rounds]
    )


def _version(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Field:
    """Who is paired in the next round of a Swiss, as things are, and who sits it out for so many half points."""

    contenders: tuple[Contender, ...]
    restrictions: PairingRestrictions
    rests: Mapping[EntryId, int]


def _field(stage: Stage, draw: Draw) -> _Field:
    active = taking_part(stage)
    known = {EntryId(entry.pk) for entry in active}
    rests = {entry: points for entry, points in asked_rests(stage).items() if entry in known}
    playing = known - set(rests)
    if settings_of(stage).lives:
        alive = lives_of(draw, known)
        playing &= alive.keys()
        rests = {entry: points for entry, points in rests.items() if entry in alive}
    away = Entry.objects.filter(pk__in=[e for e in entries_in(draw) if e not in known])
    entrants = _entrants(stage, [*active, *away])
    contenders = contenders_after(history_of(draw, known), entrants, playing, floats=_floats(stage))
    return _Field(contenders, _restrictions(stage, entrants), rests)


def _floats(stage: Stage) -> int:
    """How many rounds back floats count, by the stage's edition."""
    return EDITIONS[settings_of(stage).edition].floats


def list_to_pair(stage: Stage, draw: Draw) -> dict[str, Any]:
    """The list on which the lots of the next round of a Swiss fall, with all that its pairing depends on."""
    return _as_list(stage, draw, _field(stage, draw))


def published_pairing(stage: Stage, draw: Draw, planned: NextRound) -> dict[str, Any]:
    """A round of a Swiss as it is published, for everybody who wants to pair it again; ``listed``: as it is now."""
    found = _field(stage, draw)
    return {
        "listed": _as_list(stage, draw, found),
        "lots": Chance(seed_from(planned.seed), PAIRING_LOT).shuffled(
            sorted(one.entry for one in found.contenders)
        ),
        "pairs": planned.pairs,
        "bye": planned.bye,
        "swaps": planned.swaps,
    }


def _as_list(stage: Stage, draw: Draw, found: _Field) -> dict[str, Any]:
    return {
        "v": LIST_VERSION,
        "what": str(What.ROUND),
        "stage": stage.pk,
        "system": str(stage.system),
        "round": len(draw.rounds) + 1,
        "rests": sorted([entry, points] for entry, points in found.rests.items()),
        **field_as_json(found.contenders, found.restrictions),
    }


def _paired(stage: Stage, draw: Draw) -> NextRound | None:
    seed = stage.next_seed
    if not seed:
        return None
    field = _field(stage, draw)
    contenders, restrictions, rests = field.contenders, field.restrictions, field.rests
    found = pair_round(contenders, seed=seed_from(seed), restrictions=restrictions)
    number = len(draw.rounds) + 1
    playing = {one.entry for one in contenders}
    swaps = tuple(pair for pair in swaps_of(stage) if playing.issuperset(pair))
    pairs, bye = found.pairs, found.bye
    for first, second in swaps:
        pairs, bye = swapped(pairs, bye, first, second)
    met = {one.entry: one.met for one in contenders}
    return NextRound(
        number=number,
        length=length_of(stage, number, settings_of(stage).rounds),
        seed=seed,
        pairs=pairs,
        bye=bye,
        rests=rests,
        rematches=tuple((a, b) for a, b in pairs if b in met[a]),
        version=_version(f"{number}|{pairs}|{bye}|{sorted(rests.items())}"),
        swaps=swaps,
        broken=tuple(compare(number, contenders, pairs, bye, found, restrictions=restrictions))
        if swaps
        else (),
        deadline=deadlines_of(stage).get(number),
        points={one.entry: one.points for one in contenders},
    )


def contending(stage: Stage, draw: Draw) -> set[EntryId]:
    """Who is entered and has a life left."""
    active = {EntryId(entry.pk) for entry in taking_part(stage)}
    return active & lives_of(draw, active).keys()


def check_of(stage: Stage, draw: Draw) -> tuple[Broken, ...]:
    """Every criterion that a published pairing broke, judged by the results as they stand now."""
    entries = list(Entry.objects.filter(pk__in=entries_in(draw)))
    finished = history_of(draw)[: len(draw.rounds) - (1 if open_matches(draw) else 0)]
    entrants = _entrants(stage, entries)
    return check_swiss(finished, entrants, restrictions=_restrictions(stage, entrants), floats=_floats(stage))


def _restrictions(stage: Stage, entrants: Collection[Entrant]) -> PairingRestrictions:
    """What the director has set about who should not meet."""
    settings, pairs = settings_of(stage), pairs_apart(stage)
    never = tuple(
        f"{kind} "
        for kind, strictness in (("club", settings.clubs), ("party", settings.parties))
        if strictness == Clubs.NEVER
    )
    return PairingRestrictions(
        forbidden=frozenset(frozenset(pair) for pair, kind in pairs.items() if kind == Clubs.NEVER),
        avoided=frozenset(frozenset(pair) for pair, kind in pairs.items() if kind == Clubs.AVOID),
        absolute=frozenset(
            mark for entrant in entrants for mark in entrant.apart if never and mark.startswith(never)
        ),
    )


def _entrants(stage: Stage, entries: Collection[Entry]) -> list[Entrant]:
    """With their rank (as they qualified, or as seeded) and the marks of those who should not meet."""
    settings = settings_of(stage)
    marks: dict[int, set[str]] = {entry.pk: set() for entry in entries}
    if settings.clubs != Clubs.IGNORE:
        rows = EntryPlayer.objects.filter(
            division_id=stage.division_id, player__home_club__isnull=False
        ).values_list("entry_id", "player__home_club_id")
        for entry_id, club_id in rows:
            if entry_id in marks:
                marks[entry_id].add(f"club {club_id}")
    if settings.parties != Clubs.IGNORE:
        for entry in entries:
            if entry.party:
                marks[entry.pk].add(f"party {entry.party}")
    seeded = stage.draw_method == Stage.DrawMethod.SEEDED
    ranks = {entry.pk: entry.seed for entry in entries if seeded and entry.seed is not None}
    if stage.fed_by_id is not None and stage.settings.feed.by_result:
        ranks = {entry.pk: place for place, entry in enumerate(entries, start=1)}
    return [
        Entrant(EntryId(entry.pk), ranks.get(entry.pk, UNRANKED), frozenset(marks[entry.pk]))
        for entry in sorted(entries, key=lambda entry: entry.pk)
    ]
