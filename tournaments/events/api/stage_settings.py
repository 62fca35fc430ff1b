"""Settings of a stage's system in the API, with the prizes of its main part in whole units of money.

``prizes.api`` reads and sets all prizes, of every part and to the cent.
"""

from dataclasses import dataclass, fields
from typing import Any

from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.engine.stages.settings import SystemSettings
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.prizes import PrizeUnit, SectionPrizes
from tournaments.models import Stage
from tournaments.selectors.standings.tables import effective_settings, is_round_based


@dataclass(frozen=True, slots=True)
class BracketWithPrizes(BracketSettings):
    """Settings of an elimination.

    `prizes`: whole amounts for the places of the main part, first place first; empty without prizes.
    """

    prizes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SwissWithPrizes(SwissSettings):
    """Settings of a Swiss or round robin.

    `prizes`: whole amounts for the places, first place first; empty without prizes.
    """

    prizes: tuple[int, ...] = ()


def api_stage_settings(stage: Stage) -> SystemSettings:
    """Return the director's settings for the stage's system, as in the request that creates a stage."""
    prizes = _whole_amounts(stage.settings.prizes)
    own = stage.settings.own
    if is_round_based(stage):
        return SwissWithPrizes(**_fields(effective_settings(stage)), prizes=prizes)
    if isinstance(own, BracketSettings):
        return BracketWithPrizes(**_fields(own), prizes=prizes)
    return own


def _fields(value: BracketSettings | SwissSettings) -> dict[str, Any]:
    """Return the fields of a dataclass, keyed by name, without converting nested values."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _whole_amounts(sections: tuple[SectionPrizes, ...]) -> tuple[int, ...]:
    """Return the prizes of the main part; empty if some amount is not whole or prizes are in per cent."""
    main_section = next(
        (section for section in sections if section.section == MAIN and section.way is PrizeUnit.AMOUNTS),
        None,
    )
    amounts = [prize.value for prize in main_section.places] if main_section is not None else []
    return tuple(map(int, amounts)) if all(amount == int(amount) for amount in amounts) else ()
