"""Preview of the next round of a Swiss or round robin, and a check of the pairings of published rounds.

Only the seed and the director's manual changes of a preview are stored: it is computed from the current
entries and results, so a late entry or a correction appears at once. ``version`` is a hash of the pairing
that was shown; the publishing service requires it.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as of_each
from datetime import date
from typing import Any

from tournaments.engine.chance import Chance, parse_seed
from tournaments.engine.lots.committed import DrawKind
from tournaments.engine.lots.lists import FROZEN_LIST_VERSION, field_to_json
from tournaments.engine.matches.lengths import lengths_for_rounds
from tournaments.engine.pairing.checker import BrokenCriterion, check_swiss, compare_with_best
from tournaments.engine.pairing.history import Entrant, contenders_after
from tournaments.engine.pairing.round_robin import ScheduledRound, group_schedules
from tournaments.engine.pairing.swiss import (
    PAIRING_PURPOSE,
    Contender,
    PairingRestrictions,
    pair_round,
    swap_entries,
)
from tournaments.engine.stages.swiss import AvoidancePolicy
from tournaments.engine.standings.editions import EDITIONS
from tournaments.engine.statuses import DRAW_HIDDEN, OVER, STAGE_UNDER_WAY, EntryStatus, StageStatus
from tournaments.engine.types import EntryId
from tournaments.models import Entry, EntryPlayer, Round, Stage
from tournaments.selectors.arranged import (
    Pair,
    drawn_groups,
    pairs_apart,
    planned_deadlines,
    requested_rests,
    requested_swaps,
)
from tournaments.selectors.draws import PLAY_OFF_CODE, Draw, load_draw
from tournaments.selectors.standings.feeds import qualified_entries
from tournaments.selectors.standings.tables import (
    drawn_entries,
    is_round_based,
    is_swiss,
    lives_by_entry,
    pairing_history,
    rounds_settings,
)

UNRANKED_SEED = 10_000


@dataclass(frozen=True, slots=True)
class NextRound:
    """A round as it would be published now.

    ``seed``: the seed of its pairing; ``bye``: the entry without an opponent, or None; ``rests``: half points
    of entries that sit out; ``rematches``: pairs of a Swiss that have met before; ``broken``: criteria made
    worse by the manual changes (``swaps``); ``points``: half points of each entry that plays in it.
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
    broken: tuple[BrokenCriterion, ...] = ()
    deadline: date | None = None
    points: Mapping[EntryId, int] = of_each(default_factory=dict)


def stage_participants(stage: Stage) -> list[Entry]:
    """Return the current participants of ``stage``: active entries of its division, or the qualified ones.

    Entries qualified by result are in seeding order, others sorted by id. Raises the engine's ``BadInput`` if
    the table from which they qualify is too small.
    """
    active = Entry.objects.filter(division_id=stage.division_id, status=EntryStatus.ACTIVE)
    if stage.fed_by_id is None:
        return list(active.order_by("pk"))
    by_pk = {entry.pk: entry for entry in active}
    qualified = [by_pk[pk] for pk in qualified_entries(stage)]
    return qualified if stage.settings.feed.by_result else sorted(qualified, key=lambda entry: entry.pk)


def rounds_left(stage: Stage, draw: Draw) -> int:
    """Return the number of rounds still to be published.

    In a Swiss with lives only the next round is known, so the number is 0 or 1.
    """
    settings = rounds_settings(stage)
    if not settings.lives:
        return max(0, settings.rounds - len(draw.rounds))
    if stage.rounds_settled is not None:  # the director has ended it
        return 0
    return int(not draw.rounds or len(entries_with_lives(stage, draw)) > 1)


def has_round_to_come(stage: Stage) -> bool:
    """Return whether the stage is a Swiss or round robin under way that has an unpublished round."""
    return stage.status in STAGE_UNDER_WAY and needs_another_round(stage)


def needs_another_round(stage: Stage) -> bool:
    """Return whether a Swiss or round robin needs one more round, whatever its status.

    A finished Swiss with lives can need one after a correction, if several entries have lives again.
    """
    if not is_round_based(stage):
        return False
    if rounds_settings(stage).lives:
        return rounds_left(stage, load_draw(stage)) > 0
    return published_rounds(stage) < rounds_settings(stage).rounds


def published_rounds(stage: Stage) -> int:
    """Return the number of published rounds of ``stage``, without play-offs."""
    return Round.objects.filter(stage=stage).exclude(code=PLAY_OFF_CODE).count()


def is_between_rounds(stage: Stage) -> bool:
    """Return whether the stage is a Swiss under way with a round to come, so that entries may still join."""
    return is_swiss(stage) and stage.fed_by_id is None and has_round_to_come(stage)


def open_match_count(draw: Draw) -> int:
    """Return the number of matches in published rounds that are not over."""
    return sum(match.status not in OVER for match in draw.matches)


def can_pair_round(stage: Stage, draw: Draw) -> bool:
    """Return whether the next round can be paired: one is left, and all previous matches are over."""
    status_fits = stage.status in (STAGE_UNDER_WAY if draw.rounds else DRAW_HIDDEN)
    return status_fits and open_match_count(draw) == 0 and rounds_left(stage, draw) > 0


def is_drawn_at_random(stage: Stage, draw: Draw) -> bool:
    """Return whether the next round is drawn at random: each round of a Swiss, the first of a round robin."""
    return is_swiss(stage) or not draw.rounds


def can_draw_round(stage: Stage, draw: Draw) -> bool:
    """Return whether the next round can be paired now and is drawn at random."""
    return can_pair_round(stage, draw) and is_drawn_at_random(stage, draw)


def next_round(stage: Stage, draw: Draw) -> NextRound | None:
    """Return the preview of the next round, or None if nothing was drawn or no round is left.

    Raises the engine's ``BadInput`` if no pairing is possible.
    """
    if is_swiss(stage):
        return _pair_next_round(stage, draw)
    return next(iter(rounds_to_publish(stage, draw)), None)


def rounds_to_publish(stage: Stage, draw: Draw) -> tuple[NextRound, ...]:
    """Return the rounds to publish: the next one, or all of a round robin that publishes all at once."""
    if is_swiss(stage):
        paired_round = _pair_next_round(stage, draw)
        return (paired_round,) if paired_round is not None else ()
    unpublished = _unpublished_rounds(stage, draw)
    return unpublished if rounds_settings(stage).all_at_once else unpublished[:1]


def drawn_schedule(stage: Stage) -> tuple[ScheduledRound, ...]:
    """Return all rounds of a drawn round robin; empty before the draw."""
    if stage.status == StageStatus.SETUP:
        return ()
    return berger_schedule(stage, drawn_groups(stage))


def berger_schedule(stage: Stage, groups: Sequence[Sequence[EntryId]]) -> tuple[ScheduledRound, ...]:
    """Return the rounds of the groups by their Berger tables, for a single or double round robin."""
    return group_schedules(groups, double=stage.system == Stage.System.DOUBLE_ROUND_ROBIN)


def planned_rounds(stage: Stage, entries: int) -> int:
    """Return the number of rounds of a stage; before the draw, the number with ``entries`` entries.

    In a Swiss with lives, the number of rounds for which a match length is set.
    """
    settings = rounds_settings(stage)
    if settings.lives:
        return len(stage.lengths)
    if is_swiss(stage) or stage.rounds_settled is not None:
        return settings.rounds
    largest_group = -(-entries // settings.group_count)
    single_rounds = max(1, largest_group - 1 + largest_group % 2)
    return 2 * single_rounds if stage.system == Stage.System.DOUBLE_ROUND_ROBIN else single_rounds


def round_length(stage: Stage, number: int, rounds: int) -> int:
    """Return the match length of round ``number`` of ``rounds`` rounds.

    Lengths are set from the last round backwards. In a Swiss with lives the last round is unknown, so they
    are set from the first round on, and later rounds have the last length.
    """
    if rounds_settings(stage).lives:
        return int(stage.lengths[min(number, len(stage.lengths)) - 1])
    return lengths_for_rounds(tuple(stage.lengths), rounds)[number - 1]


def _unpublished_rounds(stage: Stage, draw: Draw) -> tuple[NextRound, ...]:
    """Return the scheduled rounds that are not published; entries that rest have no match and no points."""
    rounds = drawn_schedule(stage)
    deadlines = planned_deadlines(stage)
    version = _version(f"{len(draw.rounds)}|{rounds}")
    return tuple(
        NextRound(
            number=planned_round.number,
            length=round_length(stage, planned_round.number, len(rounds)),
            seed=stage.draw_seed,
            pairs=planned_round.pairs,
            bye=None,
            rests={},
            rematches=(),
            version=version,
            deadline=deadlines.get(planned_round.number),
        )
        for planned_round in rounds[len(draw.rounds) : rounds_settings(stage).rounds]
    )


def _version(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _PairingField:
    """The current participants of the next round of a Swiss.

    ``rests``: half points of the entries that sit the round out.
    """

    contenders: tuple[Contender, ...]
    restrictions: PairingRestrictions
    rests: Mapping[EntryId, int]


def _load_pairing_field(stage: Stage, draw: Draw) -> _PairingField:
    active = stage_participants(stage)
    active_ids = {EntryId(entry.pk) for entry in active}
    rests = {entry: points for entry, points in requested_rests(stage).items() if entry in active_ids}
    playing_ids = active_ids - set(rests)
    if rounds_settings(stage).lives:
        lives_left = lives_by_entry(draw, active_ids)
        playing_ids &= lives_left.keys()
        rests = {entry: points for entry, points in rests.items() if entry in lives_left}
    absent = Entry.objects.filter(pk__in=[e for e in drawn_entries(draw) if e not in active_ids])
    entrants = _entrants(stage, [*active, *absent])
    contenders = contenders_after(
        pairing_history(draw, active_ids), entrants, playing_ids, floats=_float_rounds(stage)
    )
    return _PairingField(contenders, _restrictions(stage, entrants), rests)


def _float_rounds(stage: Stage) -> int:
    """Return for how many previous rounds floats count, by the edition of the rules that the stage uses."""
    return EDITIONS[rounds_settings(stage).edition].floats


def pairing_list(stage: Stage, draw: Draw) -> dict[str, Any]:
    """Return the frozen list (the input as JSON) of the pairing of a Swiss's next round, without names."""
    return _pairing_list_json(stage, draw, _load_pairing_field(stage, draw))


def published_pairing(stage: Stage, draw: Draw, planned_round: NextRound) -> dict[str, Any]:
    """Return the data that is published of a Swiss round, with which anyone can repeat its pairing.

    ``listed``: the frozen list (``pairing_list``); ``lots``: the entry ids in the order drawn by lot.
    """
    pairing_field = _load_pairing_field(stage, draw)
    return {
        "listed": _pairing_list_json(stage, draw, pairing_field),
        "lots": Chance(parse_seed(planned_round.seed), PAIRING_PURPOSE).shuffled(
            sorted(contender.entry for contender in pairing_field.contenders)
        ),
        "pairs": planned_round.pairs,
        "bye": planned_round.bye,
        "swaps": planned_round.swaps,
    }


def _pairing_list_json(stage: Stage, draw: Draw, pairing_field: _PairingField) -> dict[str, Any]:
    return {
        "v": FROZEN_LIST_VERSION,
        "what": str(DrawKind.ROUND),
        "stage": stage.pk,
        "system": str(stage.system),
        "round": len(draw.rounds) + 1,
        "rests": sorted([entry, points] for entry, points in pairing_field.rests.items()),
        **field_to_json(pairing_field.contenders, pairing_field.restrictions),
    }


def _pair_next_round(stage: Stage, draw: Draw) -> NextRound | None:
    seed = stage.next_seed
    if not seed:
        return None
    pairing_field = _load_pairing_field(stage, draw)
    contenders, restrictions, rests = (
        pairing_field.contenders,
        pairing_field.restrictions,
        pairing_field.rests,
    )
    best_pairing = pair_round(contenders, seed=parse_seed(seed), restrictions=restrictions)
    number = len(draw.rounds) + 1
    playing_ids = {contender.entry for contender in contenders}
    swaps = tuple(pair for pair in requested_swaps(stage) if playing_ids.issuperset(pair))
    pairs, bye = best_pairing.pairs, best_pairing.bye
    for first, second in swaps:
        pairs, bye = swap_entries(pairs, bye, first, second)
    opponents = {contender.entry: contender.met for contender in contenders}
    return NextRound(
        number=number,
        length=round_length(stage, number, rounds_settings(stage).rounds),
        seed=seed,
        pairs=pairs,
        bye=bye,
        rests=rests,
        rematches=tuple((a, b) for a, b in pairs if b in opponents[a]),
        version=_version(f"{number}|{pairs}|{bye}|{sorted(rests.items())}"),
        swaps=swaps,
        broken=tuple(
            compare_with_best(number, contenders, pairs, bye, best_pairing, restrictions=restrictions)
        )
        if swaps
        else (),
        deadline=planned_deadlines(stage).get(number),
        points={contender.entry: contender.points for contender in contenders},
    )


def entries_with_lives(stage: Stage, draw: Draw) -> set[EntryId]:
    """Return the ids of the active entries that have a life left."""
    active = {EntryId(entry.pk) for entry in stage_participants(stage)}
    return active & lives_by_entry(draw, active).keys()


def broken_pairing_criteria(stage: Stage, draw: Draw) -> tuple[BrokenCriterion, ...]:
    """Return each criterion that a published pairing broke, judged by the current results."""
    entries = list(Entry.objects.filter(pk__in=drawn_entries(draw)))
    finished = pairing_history(draw)[: len(draw.rounds) - (1 if open_match_count(draw) else 0)]
    entrants = _entrants(stage, entries)
    return check_swiss(
        finished, entrants, restrictions=_restrictions(stage, entrants), floats=_float_rounds(stage)
    )


def _restrictions(stage: Stage, entrants: Collection[Entrant]) -> PairingRestrictions:
    """Return the director's settings about pairs that should not or must not meet."""
    settings, pairs = rounds_settings(stage), pairs_apart(stage)
    never = tuple(
        f"{kind} "
        for kind, strictness in (("club", settings.clubs), ("party", settings.parties))
        if strictness == AvoidancePolicy.NEVER
    )
    return PairingRestrictions(
        forbidden=frozenset(frozenset(pair) for pair, kind in pairs.items() if kind == AvoidancePolicy.NEVER),
        avoided=frozenset(frozenset(pair) for pair, kind in pairs.items() if kind == AvoidancePolicy.AVOID),
        forbidden_codes=frozenset(
            mark for entrant in entrants for mark in entrant.apart if never and mark.startswith(never)
        ),
    )


def _entrants(stage: Stage, entries: Collection[Entry]) -> list[Entrant]:
    """Return the entries with their rank (by qualification or seeding) and the marks that keep them apart."""
    settings = rounds_settings(stage)
    marks: dict[int, set[str]] = {entry.pk: set() for entry in entries}
    if settings.clubs != AvoidancePolicy.IGNORE:
        rows = EntryPlayer.objects.filter(
            division_id=stage.division_id, player__home_club__isnull=False
        ).values_list("entry_id", "player__home_club_id")
        for entry_id, club_id in rows:
            if entry_id in marks:
                marks[entry_id].add(f"club {club_id}")
    if settings.parties != AvoidancePolicy.IGNORE:
        for entry in entries:
            if entry.party:
                marks[entry.pk].add(f"party {entry.party}")
    seeded = stage.draw_method == Stage.DrawMethod.SEEDED
    ranks = {entry.pk: entry.seed for entry in entries if seeded and entry.seed is not None}
    if stage.fed_by_id is not None and stage.settings.feed.by_result:
        ranks = {entry.pk: place for place, entry in enumerate(entries, start=1)}
    return [
        Entrant(EntryId(entry.pk), ranks.get(entry.pk, UNRANKED_SEED), frozenset(marks[entry.pk]))
        for entry in sorted(entries, key=lambda entry: entry.pk)
    ]
