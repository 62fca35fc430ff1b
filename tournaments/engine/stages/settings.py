"""Everything that a director sets for a stage, as one value: what belongs to its system, the rules of conduct, prizes, and who comes in.

How it is kept is the codec's business (`tournaments.models.settings`); what may be set is checked beside each system
(`check_swiss_settings`, `check_bracket_settings`, `check_money_settings`, `check_prizes`, `check_feeding`). What happens while the stage is played is not here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournaments.engine.matches.rulings import DEFAULT_CONDUCT, Conduct
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
    """`own`: the settings of the stage's system. Whoever asks for those of another system gets the usual ones.

    `feed`: who comes from the stage that feeds it; it says nothing where everybody who is entered plays.
    """

    own: SystemSettings
    conduct: Conduct = DEFAULT_CONDUCT
    prizes: tuple[SectionPrizes, ...] = ()
    feed: Feeding = DEFAULT_FEEDING

    @property
    def swiss(self) -> SwissSettings:
        """Of a Swiss or round robin."""
        return self.own if isinstance(self.own, SwissSettings) else DEFAULT_SWISS

    @property
    def bracket(self) -> BracketSettings:
        """Of an elimination."""
        return self.own if isinstance(self.own, BracketSettings) else DEFAULT_BRACKET

    @property
    def money(self) -> MoneySettings:
        """Of money play."""
        return self.own if isinstance(self.own, MoneySettings) else DEFAULT_MONEY
