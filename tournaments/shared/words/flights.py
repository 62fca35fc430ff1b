"""Names of the sections of a bracket, and texts on the flights: the sections in which losers play on.

There is one entry for each such section and for each kind of flight; the rules of these are in
``tournaments.engine.brackets.consolation``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from people.messages import register_messages
from tournaments.engine.brackets.consolation import CONSOLATION, LAST_CHANCE, FlightKind
from tournaments.engine.brackets.double import GRAND_FINAL, LOWER
from tournaments.engine.brackets.structure import MAIN

Text = str | Promise


@dataclass(frozen=True, slots=True)
class SectionLabels:
    """Labels of one section in the form with the settings of a stage.

    ``lengths``, ``rounds``, ``admission``: labels of these fields; ``help``: hint at the choice whether the
    section is played; ``rounds_help``: hint at the number of rounds whose losers enter.
    """

    name: Text
    lengths: Text
    rounds: Text
    admission: Text
    help: Text = ""
    rounds_help: Text = ""


@dataclass(frozen=True, slots=True)
class FlightLabels:
    """Texts of one kind of flight.

    ``entrants_label``: function from the number of rounds to a text on who enters; ``choice``: label if the
    section can be played in several ways.
    """

    entrants_label: Callable[[int], Text]
    choice: Text = ""


SECTION_LABELS: Final[Mapping[str, SectionLabels]] = {
    CONSOLATION: SectionLabels(
        _("Consolation"),
        lengths=_("Match lengths in the consolation"),
        rounds=_("Rounds whose losers enter"),
        admission=_("Eligible for the consolation"),
    ),
    LAST_CHANCE: SectionLabels(
        _("Last chance"),
        help=_("A bracket for players who lose early in the consolation."),
        lengths=_("Match lengths in the last chance"),
        rounds=_("Consolation rounds whose losers enter"),
        rounds_help=_("A round that is mostly byes is not counted; its losers also enter."),
        admission=_("Eligible for the last chance"),
    ),
}
FLIGHT_LABELS: Final[Mapping[FlightKind, FlightLabels]] = {
    FlightKind.FIRST_MATCH: FlightLabels(
        lambda _rounds: _("for all players who lose their first match"),
        choice=_("For all players who lose their first match"),
    ),
    FlightKind.PROGRESSIVE: FlightLabels(
        lambda rounds: ngettext("losers of the first round", "losers of the first %(count)s rounds", rounds),
        choice=_("Progressive: losers drop in round by round"),
    ),
    FlightKind.LAST_CHANCE: FlightLabels(
        lambda rounds: ngettext(
            "losers of the consolation through its first full round",
            "losers of the consolation through its first %(count)s full rounds",
            rounds,
        ),
    ),
}
_SECTION_NAMES: Final[Mapping[str, Text]] = {
    MAIN: _("Main draw"),
    **{section: labels.name for section, labels in SECTION_LABELS.items()},
    LOWER: _("Lower bracket"),
    GRAND_FINAL: _("Final"),
}

register_messages(
    {
        "flight.two_consolations": _("Choose only one consolation: first-match losers or progressive."),
        "flight.two_last_chances": _("Choose only one last chance."),
        "flight.last_chance_alone": _("A last chance needs a consolation. Choose a consolation first."),
        "flight.third_place_too": _(
            "A match for third place is not possible, because semifinal losers go to the consolation."
        ),
        "consolation.no_such_round": _(
            "The main draw does not have the round that should feed the consolation."
        ),
        "consolation.too_few_entries": _("Too few entries for a consolation."),
    }
)


def section_name(code: str) -> str:
    """Return the name of the section of a bracket with this code, such as “Consolation”.

    Raises ``KeyError`` if the code is unknown.
    """
    return str(_SECTION_NAMES[code])


def flight_label(kind: FlightKind, rounds: int) -> str:
    """Return who enters a flight: a section of the bracket for losers of the first ``rounds`` rounds."""
    return str(FLIGHT_LABELS[kind].entrants_label(rounds)) % {"count": rounds}
