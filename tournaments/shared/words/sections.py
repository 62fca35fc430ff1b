"""Settings of an elimination bracket as text: consolation, last chance, third place and others."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.brackets.double import GRAND_FINAL, LOWER
from tournaments.engine.stages.elimination import BracketSettings, Flight, SeparateBy
from tournaments.models import Stage
from tournaments.shared.words.flights import flight_label, section_name
from tournaments.shared.words.names import lengths_label


def bracket_rows(system: str, bracket: BracketSettings) -> list[tuple[str, str]]:
    """Return the settings of an elimination bracket as (label, value) pairs; defaults are omitted.

    ``system``: code of the stage's system.
    """
    rows = [(section_name(flight.kind.section), _flight_label(flight)) for flight in bracket.flights]
    if bracket.third_place:
        rows.append((_("Third place"), _("a match between the semifinal losers")))
    if system == Stage.System.DOUBLE_ELIMINATION:
        rows.append((_("Second final"), _("yes, if both have lost once") if bracket.recharge else _("no")))
        section_lengths = {
            LOWER: bracket.lower_lengths,
            GRAND_FINAL: (bracket.final_length,) * bool(bracket.final_length),
        }
        rows += [
            (section_name(code), _lengths_label(lengths))
            for code, lengths in section_lengths.items()
            if lengths
        ]
    separation_labels = {
        SeparateBy.PARTY: _("players travelling together"),
        SeparateBy.CLUB: _("players of the same club"),
        SeparateBy.COUNTRY: _("players of the same country"),
    }
    if bracket.open_lines:
        rows.append((_("Lines reserved for late entries"), str(bracket.open_lines)))
    if bracket.buy_back_within:
        template = ngettext(
            "players eliminated after one match (byes do not count)",
            "players eliminated after at most %(count)s matches (byes do not count)",
            bracket.buy_back_within,
        )
        rows.append((_("Re-entry"), template % {"count": bracket.buy_back_within}))
    if bracket.apart:
        rows.append(
            (_("Kept apart in early rounds"), ", ".join(separation_labels[code] for code in bracket.apart))
        )
    return rows


def _flight_label(flight: Flight) -> str:
    return f"{flight_label(flight.kind, flight.rounds)}, {_lengths_label(flight.lengths)}"


def _lengths_label(lengths: Sequence[int]) -> str:
    return _("lengths %(lengths)s") % {"lengths": lengths_label(lengths)}
