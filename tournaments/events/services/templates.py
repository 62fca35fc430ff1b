"""Templates of common kinds of events: divisions and stages, created as they are or changed before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from faults import Missing
from tournaments.engine.brackets.consolation import FlightKind
from tournaments.engine.brackets.double import LOWER
from tournaments.engine.matches.rulings import ClockRule, MatchConditions
from tournaments.engine.stages.elimination import BracketSettings, Flight, SeparateBy
from tournaments.engine.stages.feeding import Feeding, FeedPart
from tournaments.engine.stages.swiss import ROUND_ROBIN_TIE_BREAKS, SwissSettings
from tournaments.events.services.divisions import DivisionDetails
from tournaments.events.services.stages import StageDetails
from tournaments.models import Stage

_KEPT_APART: Final = (SeparateBy.PARTY,)
_KNOCKOUT: Final = BracketSettings(apart=_KEPT_APART)

# Speedgammon: a minute a point and no delay; not rated (F12).
_SPEEDGAMMON: Final = MatchConditions(
    clocks=ClockRule(delay=0, reserve_a_point=60, less_a_scored_point=30), rated=False
)


@dataclass(frozen=True, slots=True)
class EventTemplate:
    """A common kind of event, such as a weekend tournament.

    ``sentence``: description for directors; ``named``: the director may name several divisions that are all
    played like the first; ``chosen``: the director chooses which of the divisions to create.
    """

    code: str
    name: str
    sentence: str
    divisions: tuple[DivisionDetails, ...]
    named: bool = False
    chosen: bool = False

    @property
    def stage(self) -> StageDetails | None:
        """The only stage; None if the template has several."""
        is_single = len(self.divisions) == 1 and len(self.divisions[0].stages) == 1
        return self.divisions[0].stages[0] if is_single else None

    def make_divisions(self, names: Sequence[str]) -> tuple[DivisionDetails, ...]:
        """Return one division for each name, all like the template's first; without names, only the first."""
        model = self.divisions[0]
        return tuple(replace(model, name=name) for name in names) or (model,)


def event_template(code: str) -> EventTemplate:
    """Return the template with this code. Raises ``Missing`` if there is none."""
    template = next((candidate for candidate in event_templates() if candidate.code == code), None)
    if template is None:
        raise Missing("event.template_unknown", value=code)
    return template


def event_templates() -> tuple[EventTemplate, ...]:
    """Return all templates, the most common first, with names in the active language."""
    return (
        _single_division(
            "club_night",
            _("Club night, Swiss"),
            _(
                "All players play every round, against opponents with the same score. No player is knocked out."
            ),
            StageDetails(lengths=[5], system=Stage.System.SWISS, swiss=SwissSettings(rounds=4)),
        ),
        _single_division(
            "knock_out",
            _("Knockout"),
            _("One bracket: lose and you are out, win the final and you win the event."),
            StageDetails(lengths=[5, 5, 7, 9], bracket=_KNOCKOUT),
        ),
        _single_division(
            "weekend",
            _("Weekend tournament"),
            _("A main bracket, a consolation that losers enter round by round, and a last chance."),
            StageDetails(lengths=[7, 9, 11], bracket=_weekend()),
            named=True,
        ),
        _single_division(
            "double_elimination",
            _("Double elimination"),
            _("Lose once and you play on in the lower bracket; lose twice and you are out."),
            StageDetails(lengths=[5, 5, 7], system=Stage.System.DOUBLE_ELIMINATION, bracket=_KNOCKOUT),
        ),
        _single_division(
            "round_robin",
            _("Round robin"),
            _("Every player plays every other player, once or twice. Best for up to about twelve players."),
            StageDetails(
                lengths=[5],
                system=Stage.System.ROUND_ROBIN,
                swiss=SwissSettings(tie_breaks=ROUND_ROBIN_TIE_BREAKS),
            ),
        ),
        EventTemplate(
            "groups",
            _("Groups, then knockout"),
            _("Small round-robin groups first; then the best of each group meet in a bracket."),
            (DivisionDetails(stages=_groups()),),
        ),
        EventTemplate(
            "swiss_finals",
            _("Swiss, then main and consolation"),
            _("A few rounds of Swiss; then the best meet in a main bracket and all others in a consolation."),
            (DivisionDetails(stages=_swiss_finals()),),
        ),
        EventTemplate(
            "last_chance",
            _("Double elimination with last chance"),
            _(
                "Shorter matches in the lower bracket; players who are knocked out early there are drawn into a "
                "last chance."
            ),
            (DivisionDetails(stages=_last_chance()),),
        ),
        _single_division(
            "league",
            _("League season"),
            _(
                "Divisions in which every player plays every other player over weeks or months, with deadlines."
            ),
            StageDetails(
                lengths=[9],
                system=Stage.System.ROUND_ROBIN,
                swiss=SwissSettings(tie_breaks=ROUND_ROBIN_TIE_BREAKS, all_at_once=True),
                by_arrangement=True,
            ),
            named=True,
            moving=1,
        ),
        EventTemplate(
            "side_events",
            _("Side events"),
            _("Jackpots, one-pointers, speedgammon, doubles: short events beside the main one."),
            _side_events(),
            chosen=True,
        ),
        _single_division(
            "money",
            _("Money points league"),
            _("Money play sessions for points; the standings add them up over the season."),
            StageDetails(system=Stage.System.MONEY),
        ),
    )


def _single_division(
    code: str, name: str, sentence: str, stage: StageDetails, *, named: bool = False, moving: int = 0
) -> EventTemplate:
    return EventTemplate(
        code, name, sentence, (DivisionDetails(stages=(stage,), moving=moving),), named=named
    )


def _weekend() -> BracketSettings:
    """Return a bracket with a consolation for losers of the first two rounds, and a last chance.

    Losers of the first full consolation round enter the last chance.
    """
    flights = (
        Flight(FlightKind.PROGRESSIVE, (5, 7), rounds=2),
        Flight(FlightKind.LAST_CHANCE, (3, 5), rounds=1),
    )
    return BracketSettings(flights=flights, apart=_KEPT_APART)


def _groups() -> tuple[StageDetails, ...]:
    return (
        StageDetails(
            name=_("Groups"),
            lengths=[5],
            system=Stage.System.ROUND_ROBIN,
            swiss=SwissSettings(tie_breaks=ROUND_ROBIN_TIE_BREAKS, group_count=4),
        ),
        StageDetails(
            name=_("Knockout"),
            lengths=[7, 7, 9],
            draw_method=Stage.DrawMethod.SEEDED,
            bracket=_KNOCKOUT,
            fed_by=1,
            takes=2,
        ),
    )


def _swiss_finals() -> tuple[StageDetails, ...]:
    seeded = StageDetails(draw_method=Stage.DrawMethod.SEEDED, bracket=_KNOCKOUT, fed_by=1)
    return (
        StageDetails(name=_("Swiss"), lengths=[5], system=Stage.System.SWISS, swiss=SwissSettings(rounds=4)),
        replace(seeded, name=_("Main draw"), lengths=[7, 9, 11], takes=8),
        replace(seeded, name=_("Consolation"), lengths=[5, 5, 7], feed=Feeding(FeedPart.REST)),
    )


def _last_chance() -> tuple[StageDetails, ...]:
    """Return two stages: a double elimination, and a last chance for losers of its first two lower rounds.

    Matches are shorter in the lower bracket, and the final is longer.
    """
    bracket = BracketSettings(apart=_KEPT_APART, lower_lengths=(5, 7), final_length=11)
    return (
        StageDetails(
            name=_("Double elimination"),
            lengths=[7, 9],
            system=Stage.System.DOUBLE_ELIMINATION,
            bracket=bracket,
        ),
        StageDetails(
            name=_("Last chance"),
            lengths=[3, 5],
            bracket=_KNOCKOUT,
            fed_by=1,
            takes=2,
            feed=Feeding(FeedPart.LOSERS, section=LOWER),
        ),
    )


def _side_events() -> tuple[DivisionDetails, ...]:
    return (
        DivisionDetails(
            name=pgettext("a side event", "Jackpot"),
            reentries=2,
            stages=(StageDetails(lengths=[3], bracket=_KNOCKOUT),),
        ),
        DivisionDetails(
            name=pgettext("a side event", "One-pointers (DMP)"),
            reentries=9,
            stages=(StageDetails(lengths=[1], bracket=_KNOCKOUT),),
        ),
        DivisionDetails(
            name=pgettext("a side event", "Speedgammon"),
            reentries=2,
            stages=(StageDetails(lengths=[5], bracket=_KNOCKOUT, conduct=_SPEEDGAMMON),),
        ),
        DivisionDetails(
            name=pgettext("a side event", "Doubles"),
            team_size=2,
            stages=(StageDetails(lengths=[5], bracket=_KNOCKOUT),),
        ),
        DivisionDetails(
            name=pgettext("a side event", "Teams of three"),
            team_size=3,
            stages=(StageDetails(lengths=[5], bracket=_KNOCKOUT),),
        ),
        *(
            DivisionDetails(
                name=name,
                capacity=places,
                starts_when_full=True,
                stages=(StageDetails(lengths=[3], bracket=_KNOCKOUT),),
            )
            for name, places in (
                (pgettext("a side event", "Four-player jackpot"), 4),
                (pgettext("a side event", "Eight-player jackpot"), 8),
            )
        ),
    )
