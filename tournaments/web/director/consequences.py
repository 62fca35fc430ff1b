"""What a correction of a result does, in words, before it is made."""

from django.utils.translation import gettext as _

from tournaments.engine.lifecycle import MatchStatus
from tournaments.models import Match
from tournaments.selectors.director import next_matches


def consequences(found: Match) -> list[str]:
    """One sentence for each thing that follows from correcting the match's result."""
    words = []
    for slot in next_matches(found):
        later = slot.match
        goes = (
            _("The winner plays on in match %(number)s.")
            if slot.source_kind == slot.SourceKind.WINNER_OF
            else _("The loser plays on in match %(number)s.")
        ) % {"number": later.number}
        if later.status in {MatchStatus.WAITING, MatchStatus.READY}:
            words.append(
                goes + " " + _("It has not begun: if the winner changes, the other player takes the place.")
            )
        else:
            words.append(goes + " " + _("It has begun: the score can be corrected, the winner cannot."))
    if not words:
        words.append(_("Nothing follows from this match but the places."))
    words.append(_("Ratings are worked out again from this match on."))
    words.append(_("The old result stays in the audit trail."))
    return words
