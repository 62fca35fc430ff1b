"""Format of a division in one line: “Single elimination to 7, final to 11, with Consolation”."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Stage
from tournaments.selectors.money import is_money
from tournaments.selectors.rounds.next import planned_rounds
from tournaments.selectors.standings.tables import is_round_based, rounds_settings
from tournaments.shared.words.flights import section_name


def format_line(stages: Sequence[Stage], entries: int) -> str:
    """Return the formats of a division's stages in one line. ``entries``: number of entries so far."""
    line = ""
    for stage in stages:
        stage_line = _stage_line(stage, entries)
        line = _("%(first)s; then %(next)s") % {"first": line, "next": stage_line} if line else stage_line
    return line


def _stage_line(stage: Stage, entries: int) -> str:
    system = str(stage.get_system_display())
    if is_money(stage) or not stage.lengths:
        return system
    first, last = stage.lengths[0], stage.lengths[-1]
    if is_round_based(stage):
        # The number of rounds of a round robin depends on its entries.
        has_fixed_rounds = stage.system == Stage.System.SWISS and not rounds_settings(stage).lives
        if not has_fixed_rounds:
            return _("%(system)s to %(length)s") % {"system": system, "length": last}
        rounds = planned_rounds(stage, entries)
        line = ngettext(
            "%(system)s, %(count)s round to %(length)s", "%(system)s, %(count)s rounds to %(length)s", rounds
        )
        return line % {"system": system, "count": rounds, "length": last}
    if first == last:
        line = _("%(system)s to %(length)s") % {"system": system, "length": last}
    else:
        params = {"system": system, "length": first, "last": last}
        line = _("%(system)s to %(length)s, final to %(last)s") % params
    parts = [section_name(flight.kind.section) for flight in stage.settings.bracket.flights]
    return _("%(format)s, with %(parts)s") % {"format": line, "parts": ", ".join(parts)} if parts else line
