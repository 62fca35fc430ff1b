"""What is agreed about an elimination, in words: consolation, last chance, third place, second final, who meets late, prizes."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.stages.elimination import Apart, BracketSettings, Flight, FlightKind
from tournaments.models import Stage
from tournaments.web.labels import lengths_words, section_name


def bracket_words(system: str, bracket: BracketSettings) -> list[tuple[str, str]]:
    """As label and words, in the order of the draw; nothing for what is as usual."""
    rows = [(section_name(flight.kind.section), _flight_words(flight)) for flight in bracket.flights]
    if bracket.third_place:
        rows.append((_("Third place"), _("a match of the losers of the semifinals")))
    if system == Stage.System.DOUBLE_ELIMINATION:
        rows.append((_("Second final"), _("yes, if both have lost once") if bracket.recharge else _("no")))
    words = {Apart.PARTY: _("who came together"), Apart.CLUB: _("one club"), Apart.COUNTRY: _("one country")}
    if bracket.apart:
        rows.append((_("Meet late"), ", ".join(words[code] for code in bracket.apart)))
    if bracket.prizes:
        rows.append((_("Prizes"), lengths_words(bracket.prizes)))
    return rows


def _flight_words(flight: Flight) -> str:
    lengths = _("lengths %(lengths)s") % {"lengths": lengths_words(flight.lengths)}
    if flight.kind is FlightKind.FIRST_MATCH:
        return f"{_('for all who lose their first match')}, {lengths}"
    rounds = (
        ngettext("losers of the first round", "losers of the first %(count)s rounds", flight.rounds)
        if flight.kind is FlightKind.PROGRESSIVE
        else ngettext(
            "losers of the consolation through its first full round",
            "losers of the consolation through its first %(count)s full rounds",
            flight.rounds,
        )
    )
    return f"{rounds % {'count': flight.rounds}}, {lengths}"
