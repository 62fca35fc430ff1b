"""Prizes of an event: settings, prizes by place, and shares of entries once their places are settled.

Computed each time from settings and places. Callers pass all stages of a division together, as their parts
share one pool. A part is a section of a bracket or a whole table.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from decimal import Decimal

from people.currencies import currency_decimals
from people.models import AuditEntry
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.standings.leaving import WithdrawnRights, places_without
from tournaments.engine.standings.payout import (
    PrizeList,
    PrizeShares,
    best_entry_places,
    from_coins,
    prize_lists,
    share_prizes,
)
from tournaments.engine.standings.prizes import PrizePlan, SectionPrizes
from tournaments.engine.standings.ranking import Place
from tournaments.engine.statuses import StageStatus
from tournaments.engine.trail.prizes import PrizesSet
from tournaments.engine.types import EntryId
from tournaments.models import Event, Stage
from tournaments.models.trail import audit_scope, parse_row
from tournaments.selectors.access.versions import settings_version
from tournaments.selectors.buybacks import first_entries
from tournaments.selectors.draws import Draw
from tournaments.selectors.money import PointsLeague
from tournaments.selectors.standings.tables import (
    is_round_based,
    rounds_settings,
    standings_tables,
    withdrawal_rule,
)


@dataclass(frozen=True, slots=True)
class Prizes:
    """The prizes of every part of some stages.

    ``digits``: decimals of the currency; ``prizes_by_part``: prizes by stage id and section.
    """

    currency: str
    digits: int
    prizes_by_part: Mapping[tuple[int, str], PrizeList]

    def of(self, stage: Stage, section: str = MAIN) -> PrizeList:
        """Return the prizes of one part of a stage; an empty list if none are set."""
        return self.prizes_by_part.get((stage.pk, section)) or PrizeList(SectionPrizes(section), (), None)

    def amount(self, coins: int) -> Decimal:
        return from_coins(coins, self.digits)


@dataclass(frozen=True, slots=True)
class PrizePart:
    """A part of a stage with its prizes and places.

    ``group``: number of the group of a table, from 1, 0 without groups; ``shares``: what each entry gets,
    None while places or amounts are not settled; ``passed_over``: withdrawn entries whose prize goes to the
    next entry.
    """

    stage: Stage
    section: str
    group: int
    prizes: PrizeList
    places: Mapping[EntryId, Place]
    shares: PrizeShares | None
    passed_over: tuple[EntryId, ...] = ()


def prize_sections(stage: Stage) -> tuple[str, ...]:
    """Return the parts of a stage that can have prizes, in the order of the draw; a table is one part."""
    return (MAIN, *(flight.kind.section for flight in stage.settings.bracket.flights))


def prize_group_count(stage: Stage) -> int:
    """Return how often the prizes of a part are given: once for each group."""
    return rounds_settings(stage).group_count if is_round_based(stage) else 1


def event_prizes(event: Event, stages: Iterable[Stage]) -> Prizes:
    """Return the prizes of all parts of ``stages``; no query if ``division`` was fetched with them."""
    digits = currency_decimals(event.currency)
    divisions: dict[int, list[Stage]] = {}
    for stage in stages:
        divisions.setdefault(stage.division_id, []).append(stage)
    list_by_part: dict[tuple[int, str], PrizeList] = {}
    for division_stages in divisions.values():
        sections = [(stage.pk, section) for stage in division_stages for section in _prizes_set_for(stage)]
        lists = prize_lists(
            division_stages[0].division.prize_pool, [section for _pk, section in sections], digits
        )
        list_by_part |= {
            (pk, section.section): prize_list
            for (pk, section), prize_list in zip(sections, lists, strict=True)
        }
    return Prizes(event.currency, digits, list_by_part)


def prize_parts(
    prizes: Prizes, stage: Stage, draw_or_league: Draw | PointsLeague | None
) -> tuple[PrizePart, ...]:
    """Return all parts of ``stage`` with their places and, once these are settled, the entries' shares.

    ``draw_or_league``: the stage's draw or points league, None if there is none. Queries only for withdrawals
    and re-entries in settled parts.
    """
    is_final = stage.status == StageStatus.FINISHED
    if draw_or_league is None or (isinstance(draw_or_league, Draw) and not draw_or_league.rounds):
        return tuple(
            PrizePart(stage, section, 0, prizes.of(stage, section), {}, None)
            for section in prize_sections(stage)
        )
    if isinstance(draw_or_league, PointsLeague):
        return (_build_prize_part(prizes, stage, MAIN, draw_or_league.places(), is_final=is_final),)
    if is_round_based(stage):
        return tuple(
            _build_prize_part(
                prizes,
                stage,
                MAIN,
                {row.entry: Place(row.first, row.last, is_final) for row in table.rows},
                is_final=is_final,
                group=table.group,
                draw=draw_or_league,
            )
            for table in standings_tables(draw_or_league)
        )
    ladders = draw_or_league.sections_sharing_places()
    return tuple(
        _build_prize_part(
            prizes,
            stage,
            section,
            draw_or_league.places(section) if section in ladders else {},
            is_final=is_final,
        )
        for section in dict.fromkeys([*prize_sections(stage), *ladders])
    )


def prize_plan(event: Event, stages: Iterable[Stage]) -> PrizePlan:
    """Return all prize settings of ``event`` and ``stages`` as one value; empty ones are left out."""
    stages = list(stages)
    pools = {stage.division_id: stage.division.prize_pool for stage in stages}
    return PrizePlan(
        currency=event.currency,
        pools={pk: pool.normalize() for pk, pool in pools.items() if pool is not None},
        stages={stage.pk: stage_prizes for stage in stages if (stage_prizes := _prizes_set_for(stage))},
        withdrawn={stage.division_id: WithdrawnRights(stage.division.withdrawn) for stage in stages},
    )


def is_plan_unchanged(event: Event, stages: Iterable[Stage], expected_plan: PrizePlan) -> bool:
    """Return whether the prize settings are still as in ``expected_plan``.

    Plans stored by earlier releases have no ``withdrawn``, which is then not compared.
    """
    current_plan = prize_plan(event, stages)
    return (current_plan if expected_plan.withdrawn else replace(current_plan, withdrawn={})) == expected_plan


def prizes_version(plan: PrizePlan, stages: Iterable[Stage]) -> str:
    """Return a hash of the prize settings and the parts of ``stages``, by which a form detects a change."""
    parts = [[stage.pk, *prize_sections(stage)] for stage in stages]
    return settings_version({**asdict(plan), "parts": parts})


def last_prize_change(event: Event) -> tuple[AuditEntry, PrizesSet] | None:
    """Return the last change of prizes that was not undone, as audit row and action, or None."""
    rows = AuditEntry.objects.filter(scope=audit_scope(event), action=PrizesSet.kind, undone_by=None)
    row = rows.order_by("-pk").first()
    action = parse_row(row) if row is not None else None
    return (row, action) if row is not None and isinstance(action, PrizesSet) else None


def _prizes_set_for(stage: Stage) -> tuple[SectionPrizes, ...]:
    """Return the prizes set for parts that the stage has now, in the order of the draw.

    A stage whose system was changed may store prizes of other parts.
    """
    by_code = {
        section_prizes.section: section_prizes
        for section_prizes in stage.settings.prizes
        if not section_prizes.is_empty
    }
    return tuple(by_code[code] for code in prize_sections(stage) if code in by_code)


def _build_prize_part(
    prizes: Prizes,
    stage: Stage,
    section: str,
    places: Mapping[EntryId, Place],
    *,
    is_final: bool,
    group: int = 0,
    draw: Draw | None = None,
) -> PrizePart:
    prize_list = prizes.of(stage, section)
    is_settled = is_final or (bool(places) and all(place.settled for place in places.values()))
    shares = None
    passed_over: tuple[EntryId, ...] = ()
    if is_settled and prize_list.money is not None and prize_list.prizes.places:
        range_by_entry = {entry: (place.first, place.last) for entry, place in places.items()}
        withdrawn_rights = withdrawal_rule(stage)
        if draw is not None and withdrawn_rights is not WithdrawnRights.KEEP:
            prize_count, withdrawn_ids = len(prize_list.prizes.places), draw.withdrawn
            if withdrawn_rights is WithdrawnRights.PLACE:
                passed_over = tuple(
                    entry
                    for entry, (first, _last) in range_by_entry.items()
                    if entry in withdrawn_ids and first <= prize_count
                )
            range_by_entry = places_without(range_by_entry, withdrawn_ids)
        ranges = best_entry_places(range_by_entry, first_entries(stage.division_id))
        shares = share_prizes(prize_list.money, ranges, prize_list.gifts)
    return PrizePart(stage, section, group, prize_list, places, shares, passed_over)
