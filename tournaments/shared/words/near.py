"""Texts of the up-next notice: “Table 4, against Beata, to 7”, also while parts are unknown."""

from django.utils.translation import gettext as _

from tournaments.models import MatchSlot
from tournaments.selectors.draws import DrawnMatch, DrawnSide


def up_next_parts(match: DrawnMatch, other: DrawnSide) -> list[str]:
    """Return table, opponent and match length."""
    where = _("Table %(table)s") % {"table": match.table} if match.table else _("At the next free table")
    return [where, opponent_label(other), _("to %(length)s") % {"length": match.length}]


def opponent_label(other: DrawnSide) -> str:
    """Return the opponent, or the match that the opponent comes from."""
    if other.name:
        return _("against %(name)s") % {"name": other.name}
    if other.source_number is None or other.vacant:
        return _("opponent not known yet")
    is_winner = other.source_kind == MatchSlot.SourceKind.WINNER_OF
    template = (
        _("against the winner of match %(number)s")
        if is_winner
        else _("against the loser of match %(number)s")
    )
    return template % {"number": other.source_number}
