"""All settings of a stage as one value: its system's, match conditions, prizes, and how it is fed.

`tournaments.models.settings` stores them; each system's module checks them (`check_swiss_settings`,
`check_bracket_settings`, `check_money_settings`, `check_prizes`, `check_feeding`). The state of play is not
included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournaments.engine.matches.rulings import DEFAULT_MATCH_CONDITIONS, MatchConditions
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.engine.stages.feeding import DEFAULT_FEEDING, Feeding
from tournaments.engine.stages.swiss import DEFAULT_SWISS, SwissSettings
from tournaments.engine.standings.money import MoneySettings
from tournaments.engine.standings.prizes import SectionPrizes

SystemSettings = SwissSettings | BracketSettings | MoneySettings
DEFAULT_BRACKET: Final = BracketSettings()
DEFAULT_MONEY: Final = MoneySettings()


@dataclass(frozen=True, slots=True)
class StageSettings:
    """All settings of a stage.

    `own`: the settings of its system; the properties return defaults for other systems. `conduct`: match
    conditions. `feed`: which players come from the feeding stage; unused if all entries play.
    """

    own: SystemSettings
    conduct: MatchConditions = DEFAULT_MATCH_CONDITIONS
    prizes: tuple[SectionPrizes, ...] = ()
    feed: Feeding = DEFAULT_FEEDING

    @property
    def swiss(self) -> SwissSettings:
        """Settings of a Swiss or round robin; the defaults if the stage has another system."""
        return self.own if isinstance(self.own, SwissSettings) else DEFAULT_SWISS

    @property
    def bracket(self) -> BracketSettings:
        """Settings of an elimination; the defaults if the stage has another system."""
        return self.own if isinstance(self.own, BracketSettings) else DEFAULT_BRACKET

    @property
    def money(self) -> MoneySettings:
        """Settings of money play; the defaults if the stage has another system."""
        return self.own if isinstance(self.own, MoneySettings) else DEFAULT_MONEY
